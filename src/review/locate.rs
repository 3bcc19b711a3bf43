//! From what notes are about to rows of a table, and back.

use std::collections::HashMap;

use crate::record::{Condition, Scorer};
use crate::store::table::PART;
use crate::store::{AttemptRow, NO, Table};
use crate::text::folded;

use super::entry::{Key, On};
use super::plan::PlanRow;

/// What a row is called in notes.
pub fn key_of(table: &Table, pair: u32) -> Option<Key> {
    let row = table.pairs.get(pair as usize)?;
    let model = table.names.models.word(row.model).unwrap_or("");
    Some(Key::pair(table.question_id(row.question)?, model, u32::from(row.attempt)))
}

/// The rows that each key is about: of a question all of its rows, of a side the row that it is a side of. There are
/// several where runs share their attempt numbers, and none where it is not open.
///
/// One pass over the ids of the questions, and none without a key.
pub fn locate(table: &Table, keys: &[&Key]) -> Vec<Vec<u32>> {
    let mut found: Vec<Vec<u32>> = vec![Vec::new(); keys.len()];
    let mut wanted: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, key) in keys.iter().enumerate() {
        wanted.entry(folded(&key.question_id)).or_default().push(at);
    }
    if wanted.is_empty() {
        return found;
    }
    for block in &table.question_texts.0 {
        for question in (block.first..).take(block.ends.len()) {
            let id = block.item(question).and_then(|t| t.split(|&b| b == PART).next());
            let Some(own) = id.and_then(|id| std::str::from_utf8(id).ok()).and_then(|id| wanted.get(id))
            else {
                continue;
            };
            let mut pair = table.questions.get(question as usize).map_or(NO, |q| q.first_pair);
            while let Some(row) = table.pairs.get(pair as usize) {
                let model = table.names.models.word(row.model).unwrap_or("");
                for &at in own {
                    let is_row = keys.get(at).is_some_and(|key| {
                        key.on == On::Question
                            || (key.model == model && key.attempt == u32::from(row.attempt))
                    });
                    if let Some(rows) = found.get_mut(at).filter(|_| is_row) {
                        rows.push(pair);
                    }
                }
                pair = row.next;
            }
        }
    }
    found
}

/// Rows as plans draw from them.
pub fn plan_rows(table: &Table, rows: &[u32], scorer: Scorer) -> Vec<PlanRow> {
    let row = |&row: &u32| {
        let pair = table.pairs.get(row as usize)?;
        let sides = [Condition::NoSearch, Condition::WithSearch].map(|c| table.side(pair, c));
        Some(PlanRow {
            row,
            ident: key_of(table, row)?.ident(),
            transition: pair.transitions.get(scorer as usize).copied().unwrap_or_default(),
            confidence: sides.map(|s| s.and_then(AttemptRow::confidence)),
            right: sides.map(|s| s.and_then(|a| a.verdict(scorer).correct())),
        })
    };
    rows.iter().filter_map(row).collect()
}
