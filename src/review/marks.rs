//! What notes come to, row by row of a table.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::record::Condition;
use crate::store::table::PART;
use crate::store::{Mark, Marks, Table};
use crate::text::folded;

use super::codebook::Codebook;
use super::entry::Key;
use super::locate::of_row;
use super::notes::{Coding, Notes};

/// The marks of a table's rows. `by`: only what this person said, for one who must not see what others did.
///
/// One pass over the ids of the questions, and none where nothing was said.
pub fn marks(table: &Table, notes: &Notes, book: &Codebook, by: Option<&str>) -> Marks {
    let said: HashSet<&str> = notes.questions().collect();
    let mut marks = Marks::default();
    for (row, mark) in marks_of(table, notes, book, by, &said) {
        if mark != Mark::default() {
            marks.0.insert(row, mark);
        }
    }
    marks
}

/// The marks of the rows of some questions, rows without any too: what has to be put to a table after something was
/// said of these questions and nothing else.
pub fn marks_of<S: std::hash::BuildHasher>(
    table: &Table,
    notes: &Notes,
    book: &Codebook,
    by: Option<&str>,
    questions: &HashSet<&str, S>,
) -> Vec<(u32, Mark)> {
    if questions.is_empty() {
        return Vec::new();
    }
    // The same question may be spelled in several ways.
    let mut spelled: HashMap<String, Vec<&str>> = HashMap::new();
    for id in questions {
        spelled.entry(folded(id)).or_default().push(id);
    }
    let references = by.map_or_else(|| notes.references(None), |by| notes.references_by(None, by));
    let mut accepted: HashMap<String, Vec<&str>> = HashMap::new();
    for entry in &references {
        accepted.entry(folded(&entry.key.question_id)).or_default().push(&entry.key.question_id);
    }
    let open: Vec<(u32, &str)> = ids(table).filter(|(_, id)| spelled.contains_key(*id)).collect();
    // A spelling that is a question's own means no other one.
    let own: HashSet<&str> = open.iter().filter_map(|(question, _)| table.question_id(*question)).collect();
    let mut out = Vec::new();
    for (question, id) in open {
        let is_meant = |id: &&&str| table.question_id(question) == Some(**id) || !own.contains(**id);
        let spelled: Vec<&str> = spelled.get(id).into_iter().flatten().filter(is_meant).copied().collect();
        let reference = accepted.get(id).into_iter().flatten().any(|id| is_meant(&id));
        let mut at = table.questions.get(question as usize).map_or(crate::store::NO, |q| q.first_pair);
        while let Some(pair) = table.pairs.get(at as usize) {
            let model = table.names.models.word(pair.model).unwrap_or("");
            let keys =
                spelled.iter().map(|id| of_row(Key::pair(*id, model, u32::from(pair.attempt)), table, pair));
            out.push((at, mark(notes, book, by, keys, reference)));
            at = pair.next;
        }
    }
    out
}

/// The numbers and folded ids of a table's questions.
fn ids(table: &Table) -> impl Iterator<Item = (u32, &str)> {
    table.question_texts.0.iter().flat_map(|block| {
        (block.first..).take(block.ends.len()).filter_map(|question| {
            let id = block.item(question)?.split(|&b| b == PART).next()?;
            Some((question, std::str::from_utf8(id).ok()?))
        })
    })
}

/// The mark of a row that notes may call by several keys.
fn mark(
    notes: &Notes,
    book: &Codebook,
    by: Option<&str>,
    keys: impl Iterator<Item = Key>,
    reference: bool,
) -> Mark {
    let mut mark = Mark { reviewed: reference, ..Mark::default() };
    let mut last: Option<Coding<'_>> = None;
    for key in keys {
        // Who must not see what others said must not see that it is something else, either.
        mark.disputed |= by.is_none() && !notes.disputed(&key, book).is_empty();
        let (coding, judged) = match by {
            Some(by) => (
                notes.coding_by(&key, by),
                Condition::ALL.iter().any(|&c| notes.verdict_by(&key.side(c), by).is_some()),
            ),
            None => {
                (notes.coding(&key), Condition::ALL.iter().any(|&c| notes.verdict(&key.side(c)).is_some()))
            }
        };
        mark.reviewed |= judged;
        last = [last, coding].into_iter().flatten().max_by_key(|c| c.entry.at);
    }
    if let Some(coding) = last {
        for id in coding.codes() {
            // Two codes that were merged are one.
            let today = book.today(id, coding.codebook());
            if !mark.codes.iter().any(|c| **c == *today) {
                mark.codes.push(Arc::from(today));
            }
        }
        mark.note = Arc::from(coding.note());
        mark.deferred = coding.is_deferred();
    }
    mark
}
