//! From what notes are about to rows of a table, and back.

use std::collections::HashMap;

use crate::record::{Condition, Scorer};
use crate::store::table::PART;
use crate::store::{AttemptRow, NO, PairRow, Table};
use crate::text::folded;

use super::entry::{Entry, Key, On, Slot};
use super::notes::Notes;
use super::plan::PlanRow;

/// What a row is called in notes.
pub fn key_of(table: &Table, pair: u32) -> Option<Key> {
    let row = table.pairs.get(pair as usize)?;
    let model = table.names.models.word(row.model).unwrap_or("");
    let key = Key::pair(table.question_id(row.question)?, model, u32::from(row.attempt));
    Some(of_row(key, table, row))
}

/// A key with the run that a row is of: that of its answers without and with search. Where these differ, as where each
/// condition is a run of its own, it is of both and named after neither. Evidence that was blocked later changes nothing.
pub(super) fn of_row(key: Key, table: &Table, row: &PairRow) -> Key {
    let word = |run: u16| table.names.runs.word(run).unwrap_or("");
    let run = |c: Condition| table.side(row, c).map(|a| word(a.run));
    match (run(Condition::NoSearch), run(Condition::WithSearch)) {
        (Some(no), Some(with)) if no != with => key.across([no, with]),
        (Some(run), _) | (None, Some(run)) => key.in_run(run),
        (None, None) => key.in_run(word(row.run)),
    }
}

/// How many rows there are that a note on this one may be about if it names no run: at least this one.
pub fn namesakes(table: &Table, pair: u32) -> usize {
    let Some(own) = table.pairs.get(pair as usize) else { return 0 };
    let mut at = table.questions.get(own.question as usize).map_or(NO, |q| q.first_pair);
    let mut n = 0;
    while let Some(row) = table.pairs.get(at as usize) {
        n += usize::from(row.model == own.model && row.attempt == own.attempt);
        at = row.next;
    }
    n
}

/// The rows that each key is about: of a question all of its rows, of a side the row that it is a side of. There are
/// several where runs share their attempt numbers and the key names none, and none where it is not open.
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
    let mut spelt = vec![false; keys.len()];
    for block in &table.question_texts.0 {
        for question in (block.first..).take(block.ends.len()) {
            let id = block.item(question).and_then(|t| t.split(|&b| b == PART).next());
            let Some(own) = id.and_then(|id| std::str::from_utf8(id).ok()).and_then(|id| wanted.get(id))
            else {
                continue;
            };
            let own = meant(table.question_id(question), own, keys, &mut spelt, &mut found);
            let mut pair = table.questions.get(question as usize).map_or(NO, |q| q.first_pair);
            while let Some(row) = table.pairs.get(pair as usize) {
                let model = table.names.models.word(row.model).unwrap_or("");
                let name = of_row(Key::default(), table, row);
                for &at in &own {
                    let is_row = keys.get(at).is_some_and(|key| {
                        key.on == On::Question
                            || (key.model == model && key.attempt == u32::from(row.attempt))
                                && key.is_run_of(&name)
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

/// Those of the keys at `own`, alike but for capitals and accents, that mean the question of this id. One that spells it
/// so means no other one, also none that it was `found` to mean by then.
fn meant(
    id: Option<&str>,
    own: &[usize],
    keys: &[&Key],
    spelt: &mut [bool],
    found: &mut [Vec<u32>],
) -> Vec<usize> {
    let mut out = Vec::with_capacity(own.len());
    for &at in own {
        let (Some(key), Some(spelt), Some(found)) = (keys.get(at), spelt.get_mut(at), found.get_mut(at))
        else {
            continue;
        };
        let is_so = id == Some(key.question_id.as_str());
        if is_so && !std::mem::replace(spelt, true) {
            found.clear();
        }
        if is_so || !*spelt {
            out.push(at);
        }
    }
    out
}

/// The rows on which each line is what counts, of those that it is about; none where it is not open. `None`: on each of
/// them another line counts, one that names the row's run where this one names none, or the other way round. With `by`,
/// were this person's lines the only ones.
pub fn held(table: &Table, notes: &Notes, by: Option<&str>, lines: &[&Entry]) -> Vec<Option<Vec<u32>>> {
    let keys: Vec<&Key> = lines.iter().map(|e| &e.key).collect();
    let counts = |line: &Entry, row: u32| {
        // A line and its place spell the question alike, the table perhaps not.
        let key = line.key.clone();
        let key = match table.pairs.get(row as usize).filter(|_| key.on != On::Question) {
            Some(row) => of_row(key, table, row),
            None => key,
        };
        let slot = Slot { key, kind: line.slot().kind };
        notes.counting(&slot, by).is_some_and(|e| e.id == line.id)
    };
    let mut out = Vec::with_capacity(lines.len());
    for (line, mut rows) in lines.iter().zip(locate(table, &keys)) {
        let is_open = !rows.is_empty();
        rows.retain(|&row| counts(line, row));
        out.push((!is_open || !rows.is_empty()).then_some(rows));
    }
    out
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

#[cfg(test)]
#[path = "locate_tests.rs"]
mod tests;
