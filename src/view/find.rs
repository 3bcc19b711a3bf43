//! From `ID[:attempt]` to rows.

use crate::store::{NO, Table};
use crate::text;

/// A question that somebody named, and the pairs meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Number in [`Table::questions`].
    pub question: u32,
    /// The question's pairs, of that attempt only where one was named.
    pub pairs: Vec<u32>,
}

/// Finds `ID` or `ID:attempt`. Capitals matter only where two ids differ in nothing else. An id that itself ends in `:2` wins over attempt 2 of the id
/// before the colon. Empty when nothing has that id.
pub fn find(table: &Table, name: &str) -> Vec<Target> {
    let whole = by_id(table, name, None);
    if !whole.is_empty() {
        return whole;
    }
    match name.rsplit_once(':') {
        Some((id, attempt)) => match attempt.parse() {
            Ok(attempt) => by_id(table, id, Some(attempt)),
            Err(_) => whole,
        },
        None => whole,
    }
}

fn by_id(table: &Table, id: &str, attempt: Option<u16>) -> Vec<Target> {
    let id = id.trim();
    let exact = with_id(table, attempt, |have| have == id);
    if !exact.is_empty() {
        return exact;
    }
    let folded = text::folded(id);
    with_id(table, attempt, |have| text::folded(have) == folded)
}

fn with_id(table: &Table, attempt: Option<u16>, is: impl Fn(&str) -> bool) -> Vec<Target> {
    let mut found = Vec::new();
    for (question, row) in (0u32..).zip(table.questions.iter()) {
        if !table.question_id(question).is_some_and(&is) {
            continue;
        }
        let mut pairs = Vec::new();
        let mut at = row.first_pair;
        while at != NO {
            let Some(pair) = table.pairs.get(at as usize) else { break };
            if attempt.is_none_or(|n| n == pair.attempt) {
                pairs.push(at);
            }
            at = pair.next;
        }
        found.push(Target { question, pairs });
    }
    found
}
