//! The references that question files give, for attempts that bring none of their own.

use hashbrown::HashTable;

use super::print::print64;

const SEPARATOR: char = '\u{1e}';

/// References by question id, in one stretch of memory.
#[derive(Debug, Default)]
pub(super) struct Known {
    text: String,
    entries: Vec<Entry>,
    by_id: HashTable<u32>,
}

#[derive(Debug)]
struct Entry {
    id: (usize, usize),
    references: (usize, usize),
    text_hash: u32,
}

impl Known {
    /// Takes the references of a question. Of several questions with one id each is kept.
    pub(super) fn add(&mut self, id: &str, text_hash: u32, references: &[String]) {
        if references.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(id);
        let middle = self.text.len();
        for (n, reference) in references.iter().enumerate() {
            if n > 0 {
                self.text.push(SEPARATOR);
            }
            self.text.push_str(reference);
        }
        self.entries.push(Entry { id: (start, middle), references: (middle, self.text.len()), text_hash });
        let (text, entries) = (&self.text, &self.entries);
        let rehash = |&n: &u32| {
            let id = entries.get(n as usize).and_then(|e| text.get(e.id.0..e.id.1));
            print64(id.unwrap_or_default().as_bytes())
        };
        self.by_id.insert_unique(print64(id.as_bytes()), self.entries.len() as u32 - 1, rehash);
    }

    /// The references of a question. Where its text is known (hash not 0), only those of a question with that text.
    pub(super) fn references(&self, id: &str, text_hash: u32) -> Option<impl Iterator<Item = &str>> {
        if self.entries.is_empty() {
            return None;
        }
        let found = self.by_id.iter_hash(print64(id.as_bytes())).filter(|&&n| {
            self.entries.get(n as usize).is_some_and(|e| {
                self.text.get(e.id.0..e.id.1) == Some(id) && (text_hash == 0 || e.text_hash == text_hash)
            })
        });
        let entry = self.entries.get(*found.min()? as usize)?;
        Some(self.text.get(entry.references.0..entry.references.1)?.split(SEPARATOR))
    }
}
