//! What notes come to, row by row of a table.

use std::collections::HashMap;
use std::sync::Arc;

use crate::store::table::PART;
use crate::store::{Mark, Marks, Table};
use crate::text::folded;

use super::codebook::Codebook;
use super::entry::{Key, On};
use super::notes::Notes;

/// What of a question was said, by model and attempt.
#[derive(Default)]
struct Said<'a> {
    codings: Vec<(&'a Key, super::notes::Coding<'a>)>,
    /// Keys with a person's verdict.
    verdicts: Vec<&'a Key>,
    /// An accepted answer was added: it concerns every row of the question.
    reference: bool,
}

/// The marks of a table's rows. `by`: only what this person said, for one who must not see what others did.
///
/// One pass over the ids of the questions, and none where nothing was said.
pub fn marks(table: &Table, notes: &Notes, book: &Codebook, by: Option<&str>) -> Marks {
    let mut said: HashMap<String, Said<'_>> = HashMap::new();
    let codings = match by {
        Some(by) => notes.codings_by(by),
        None => notes.codings(),
    };
    for coding in codings {
        let key = &coding.entry.key;
        said.entry(folded(&key.question_id)).or_default().codings.push((key, coding));
    }
    let own = |who: &str| by.is_none_or(|by| by == who);
    for verdict in notes.verdicts().into_iter().filter(|v| own(&v.entry.by)) {
        let key = &verdict.entry.key;
        said.entry(folded(&key.question_id)).or_default().verdicts.push(key);
    }
    for entry in notes.references(None).into_iter().filter(|e| own(&e.by)) {
        said.entry(folded(&entry.key.question_id)).or_default().reference = true;
    }
    let mut marks = Marks::default();
    if said.is_empty() {
        return marks;
    }
    for block in &table.question_texts.0 {
        for question in (block.first..).take(block.ends.len()) {
            let id = block.item(question).and_then(|t| t.split(|&b| b == PART).next());
            let Some(said) = id.and_then(|id| std::str::from_utf8(id).ok()).and_then(|id| said.get(id))
            else {
                continue;
            };
            let mut at = table.questions.get(question as usize).map_or(crate::store::NO, |q| q.first_pair);
            while let Some(pair) = table.pairs.get(at as usize) {
                let model = table.names.models.word(pair.model).unwrap_or("");
                let is_row = |key: &Key| key.model == model && key.attempt == u32::from(pair.attempt);
                let mut mark = Mark {
                    reviewed: said.reference || said.verdicts.iter().any(|k| is_row(k)),
                    ..Mark::default()
                };
                let of_pair = said.codings.iter().rfind(|(key, _)| key.on == On::Pair && is_row(key));
                if let Some((_, coding)) = of_pair {
                    let today = |id: &str| Arc::from(book.resolve(id, coding.codebook()).id(id));
                    mark.codes = coding.codes().into_iter().map(today).collect();
                    mark.note = Arc::from(coding.note());
                    mark.deferred = coding.is_deferred();
                }
                if mark != Mark::default() {
                    marks.0.insert(at, mark);
                }
                at = pair.next;
            }
        }
    }
    marks
}
