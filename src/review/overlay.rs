//! A table as reviewed: people's verdicts and added answers put to its attempts, so that every figure, list and filter
//! that runs on a table runs on what review came to.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::record::{Attempt, Scorer, State, Verdict};
use crate::score::{Refs, scored};
use crate::store::{AttemptRow, NO, ReadError, Reader, Table};

use super::entry::{Act, Entry, Key, On, answer_hash};
use super::locate::{held, locate};
use super::notes::Notes;

/// Bits of [`AttemptRow::scored`]: every scorer can judge and finds it right; every one can and does not.
const RIGHT: u8 = 0xff;
const WRONG: u8 = 0xf0;

/// Why an attempt counts as it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// A person's verdict.
    Person,
    /// An accepted answer that a person added.
    Reference,
}

/// An attempt that was reviewed.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The row it is a side of.
    pub pair: u32,
    /// Its number in [`Table::attempts`].
    pub attempt: u32,
    /// As graded, by [`Scorer`] (as a number).
    pub graded: [Verdict; 4],
    /// As it counts now; the same where a person confirmed the scorer.
    pub reviewed: [Verdict; 4],
    /// What made it so.
    pub why: Why,
    /// The line of the notes that did; of several added answers the first that accepts it.
    pub line: Entry,
}

impl Change {
    /// Whether it makes a difference under a scorer.
    pub fn differs(&self, scorer: Scorer) -> bool {
        self.graded.get(scorer as usize) != self.reviewed.get(scorer as usize)
    }
}

/// What review makes of a table.
#[derive(Debug, Clone, Default)]
pub struct Overlay {
    /// The table: attempts that were reviewed carry their verdict, pairs their transition, under every scorer. Rows
    /// have the numbers that they had.
    pub table: Table,
    /// The attempts that were reviewed, by row.
    pub changes: Vec<Change>,
    /// Verdicts on answers that are others now; they do not count.
    pub outdated: Vec<Entry>,
    /// Verdicts on attempts that are not open.
    pub elsewhere: Vec<Entry>,
    /// Accepted answers that were added to questions that are open.
    pub references: Vec<Entry>,
    /// Attempts whose record could not be read: they stay as graded.
    pub unread: Vec<(u32, ReadError)>,
}

/// Puts what people said to a table. Reads the records of the attempts that notes speak of and no others.
///
/// A person's verdict beats every scorer, and what an attempt was before scoring besides: an answer that was cut and
/// judged right is right. It counts on the answer that it was given on, wherever that stands under its key.
pub fn overlay(table: &Table, reader: &Reader, notes: &Notes) -> Overlay {
    let mut out = Overlay { table: table.clone(), ..Overlay::default() };
    let (verdicts, references) = (notes.verdicts(), notes.references(None));
    if verdicts.is_empty() && references.is_empty() {
        return out;
    }
    let mut work = Work { reader, out: &mut out, read: HashMap::new(), places: HashMap::new() };
    work.references(&references);
    let lines: Vec<&Entry> = verdicts.iter().map(|v| v.entry).collect();
    for (verdict, rows) in verdicts.iter().zip(held(table, notes, None, &lines)) {
        // On its rows another verdict counts, where there are none at all.
        if let Some(rows) = rows {
            work.verdict(verdict.verdict, verdict.entry, &rows);
        }
    }
    let touched: BTreeSet<u32> = out.changes.iter().map(|c| c.pair).collect();
    for pair in touched {
        let Some(row) = out.table.pairs.get(pair as usize) else { continue };
        let transitions = Scorer::ALL.map(|scorer| out.table.transition(row, scorer));
        if let Some(row) = out.table.pairs.get_mut(pair as usize) {
            row.transitions = transitions;
        }
    }
    out.changes.sort_by_key(|c| (c.pair, c.attempt));
    out
}

struct Work<'a> {
    reader: &'a Reader,
    out: &'a mut Overlay,
    /// Answers by attempt; `None` for one that could not be read.
    read: HashMap<u32, Option<Arc<Attempt>>>,
    /// Where an attempt stands among the changes.
    places: HashMap<u32, usize>,
}

impl Work<'_> {
    fn answer(&mut self, attempt: u32) -> Option<Arc<Attempt>> {
        let (reader, out) = (self.reader, &mut *self.out);
        let read = self.read.entry(attempt).or_insert_with(|| match reader.attempt(&out.table, attempt) {
            Ok(record) => Some(record),
            Err(why) => {
                out.unread.push((attempt, why));
                None
            }
        });
        read.clone()
    }

    fn references(&mut self, added: &[&Entry]) {
        // By question, so that an attempt is judged once however many answers were added.
        let mut by: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        for &entry in added {
            by.entry(&entry.key.question_id).or_default().push(entry);
        }
        let keys: Vec<Key> = by.keys().map(|id| Key::question(*id)).collect();
        let rows = locate(&self.out.table, &keys.iter().collect::<Vec<_>>());
        for (entries, rows) in by.values().zip(rows) {
            if !rows.is_empty() {
                self.out.references.extend(entries.iter().map(|e| (*e).clone()));
            }
            for pair in rows {
                let sides = self.out.table.pairs.get(pair as usize).map_or([NO; 3], |p| p.sides);
                for attempt in sides.into_iter().filter(|&s| s != NO) {
                    self.accept(pair, attempt, entries);
                }
            }
        }
    }

    /// Has an attempt judged by answers that were added.
    fn accept(&mut self, pair: u32, attempt: u32, added: &[&Entry]) {
        let Some(before) = self.out.table.attempts.get(attempt as usize).copied() else { return };
        if !matches!(before.state, State::Answered | State::NoAnswer) {
            return;
        }
        let Some(record) = self.answer(attempt) else { return };
        let mut after = before;
        let mut line = None;
        for &entry in added {
            let Act::Reference { text, .. } = &entry.act else { continue };
            let says = scored(record.answer.as_deref(), &Refs::new([text]), None);
            // Only what it accepts: where nothing could be judged before, another answer makes nothing wrong.
            let right = says & 0b1110;
            if right & !after.scored != 0 {
                line = line.or(Some(entry));
            }
            after.scored |= right | (right << 4);
        }
        if let Some(line) = line {
            self.put(pair, attempt, &before, after, Why::Reference, line);
        }
    }

    fn verdict(&mut self, verdict: Verdict, entry: &Entry, rows: &[u32]) {
        let On::Side(condition) = entry.key.on else {
            self.out.elsewhere.push(entry.clone());
            return;
        };
        let sides: Vec<(u32, u32)> = rows
            .iter()
            .filter_map(|&pair| {
                let side = *self.out.table.pairs.get(pair as usize)?.sides.get(condition as usize)?;
                (side != NO).then_some((pair, side))
            })
            .collect();
        let mut counts = false;
        for &(pair, attempt) in &sides {
            let Some(record) = self.answer(attempt) else { continue };
            if Notes::is_changed(entry, &answer_hash(record.answer.as_deref())) {
                continue;
            }
            counts = true;
            let Some(before) = self.out.table.attempts.get(attempt as usize).copied() else { continue };
            let scored = match verdict {
                Verdict::Right => RIGHT,
                Verdict::Wrong => WRONG,
                _ => 0,
            };
            let after = AttemptRow { scored, state: State::Answered, ..before };
            self.put(pair, attempt, &before, after, Why::Person, entry);
        }
        if !counts {
            let list = if sides.is_empty() { &mut self.out.elsewhere } else { &mut self.out.outdated };
            list.push(entry.clone());
        }
    }

    fn put(
        &mut self,
        pair: u32,
        attempt: u32,
        before: &AttemptRow,
        after: AttemptRow,
        why: Why,
        line: &Entry,
    ) {
        if let Some(row) = self.out.table.attempts.get_mut(attempt as usize) {
            *row = after;
        }
        let reviewed = Scorer::ALL.map(|s| after.verdict(s));
        // A person may judge what an added answer made right: what it was graded is what the scorer said.
        let known = self.places.get(&attempt).and_then(|&at| self.out.changes.get_mut(at));
        if let Some(known) = known {
            (known.reviewed, known.why, known.line) = (reviewed, why, line.clone());
            return;
        }
        let graded = Scorer::ALL.map(|s| before.verdict(s));
        self.places.insert(attempt, self.out.changes.len());
        self.out.changes.push(Change { pair, attempt, graded, reviewed, why, line: line.clone() });
    }
}

#[cfg(test)]
#[path = "overlay_tests.rs"]
mod tests;
