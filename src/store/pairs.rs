//! Which attempts stand side by side.
//!
//! A pair is a question, a model and an attempt number. Attempts of one run find each other first; one that is left
//! alone joins an attempt of another run that is alone as well, in the order in which files are given. Rows are only
//! ever added, so a row number stays good for as long as a generation of the table lasts.
//!
//! Attempts without run id count as one run for each file.

use std::collections::HashMap;

use super::table::{AttemptRow, NO, PairRow, Table};
use crate::record::{Condition, Scorer, Transition};

/// Rows of one question after which they are found by a map instead of by going through them.
const LONG: usize = 48;
/// The last attempt number there is.
const LAST: u16 = u16::MAX;

/// The rows of a question that has very many.
#[derive(Debug, Default)]
struct Long {
    rows: HashMap<(u16, u16), Vec<u32>, foldhash::fast::RandomState>,
    /// By model, run, file, condition and number: up to where none is free from that number on.
    free: HashMap<(u16, u16, u16, u8, u16), u16, foldhash::fast::RandomState>,
    tail: u32,
}

/// Finds and makes the rows of the list.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    long: HashMap<u32, Long, foldhash::fast::RandomState>,
    found: Vec<u32>,
}

/// Where an attempt may go.
#[derive(Default)]
struct Seen {
    /// The row of its own run.
    own: Option<u32>,
    /// The row of another run in which its own run is a guest.
    guest: Option<u32>,
    /// A row of another run that lacks it.
    cross: Option<u32>,
}

fn same_run(a: &AttemptRow, b: &AttemptRow) -> bool {
    a.run == b.run && (a.run != 0 || a.file == b.file)
}

impl Pairs {
    /// Puts an attempt, already in the table, into its row. Gives its number: another one than the attempt's own when
    /// that was taken.
    pub(super) fn place(&mut self, table: &mut Table, question: u32, at: u32) -> u16 {
        let Some(&a) = table.attempts.get(at as usize) else { return 0 };
        let mut number = a.attempt;
        let mut tail = self.find(table, question, a.model, number);
        if self.taken(table, &a) {
            number = self.free(table, question, &a);
            if number == LAST {
                self.add(table, question, tail, at, &a, number);
                return number;
            }
            tail = self.find(table, question, a.model, number);
        }
        let side = a.condition as usize;
        let seen = self.look(table, &a);
        if let Some(own) = seen.own {
            // The side may hold a guest of another run, which gives way.
            let guest = set_side(table, own, side, at);
            settle(table, own);
            if guest != NO {
                self.place(table, question, guest);
            }
        } else if let Some(host) = seen.guest {
            let new = self.add(table, question, tail, at, &a, number);
            for side in 0..3 {
                let sitting = side_of(table, host, side);
                if table.attempts.get(sitting as usize).is_some_and(|s| same_run(s, &a)) {
                    set_side(table, host, side, NO);
                    set_side(table, new, side, sitting);
                }
            }
            settle(table, host);
            settle(table, new);
        } else if let Some(cross) = seen.cross {
            let alone = side_of(table, cross, 0) == NO && side_of(table, cross, 1) == NO;
            if let Some(row) = table.pairs.get_mut(cross as usize).filter(|_| alone) {
                row.run = a.run;
            }
            set_side(table, cross, side, at);
            settle(table, cross);
        } else {
            self.add(table, question, tail, at, &a, number);
        }
        number
    }

    /// Gives every question without a row one, for browsing a file of questions alone.
    pub(super) fn add_bare(table: &mut Table, question: u32) {
        if let Some(q) = table.questions.get_mut(question as usize) {
            q.first_pair = table.pairs.len() as u32;
            table.pairs.push(PairRow {
                question,
                sides: [NO; 3],
                next: NO,
                model: 0,
                run: 0,
                attempt: 1,
                transitions: [Transition::Unpaired; 4],
            });
        }
    }

    /// Collects the rows of a question, model and number in `found`; the last row of the question.
    fn find(&mut self, table: &Table, question: u32, model: u16, number: u16) -> u32 {
        self.found.clear();
        if let Some(long) = self.long.get(&question) {
            self.found.extend(long.rows.get(&(model, number)).into_iter().flatten());
            return long.tail;
        }
        let mut tail = NO;
        let mut steps = 0;
        let mut next = table.questions.get(question as usize).map_or(NO, |q| q.first_pair);
        while let Some(row) = table.pairs.get(next as usize) {
            if row.model == model && row.attempt == number {
                self.found.push(next);
            }
            tail = next;
            next = row.next;
            steps += 1;
        }
        if steps >= LONG {
            self.index(table, question, tail);
        }
        tail
    }

    fn index(&mut self, table: &Table, question: u32, tail: u32) {
        let mut long = Long { tail, ..Long::default() };
        let mut next = table.questions.get(question as usize).map_or(NO, |q| q.first_pair);
        while let Some(row) = table.pairs.get(next as usize) {
            long.rows.entry((row.model, row.attempt)).or_default().push(next);
            next = row.next;
        }
        self.long.insert(question, long);
    }

    /// Whether the attempt's place is taken by one of the same run, among the rows found.
    fn taken(&self, table: &Table, a: &AttemptRow) -> bool {
        self.found.iter().any(|&row| {
            let sitting = side_of(table, row, a.condition as usize);
            table.attempts.get(sitting as usize).is_some_and(|s| same_run(s, a))
        })
    }

    /// The next number that is free for an attempt's run and condition.
    fn free(&mut self, table: &Table, question: u32, a: &AttemptRow) -> u16 {
        let key = (a.model, a.run, if a.run == 0 { a.file } else { 0 }, a.condition as u8, a.attempt);
        let known = self.long.get(&question).and_then(|l| l.free.get(&key)).copied().unwrap_or(0);
        let mut number = a.attempt.max(known);
        while number < LAST {
            number += 1;
            self.find(table, question, a.model, number);
            if !self.taken(table, a) {
                break;
            }
        }
        if let Some(long) = self.long.get_mut(&question) {
            long.free.insert(key, number);
        }
        number
    }

    /// Where an attempt may go, among the rows found.
    fn look(&self, table: &Table, a: &AttemptRow) -> Seen {
        let mut seen = Seen::default();
        for &at in &self.found {
            let Some(row) = table.pairs.get(at as usize) else { continue };
            let sitting = row.sides.map(|s| table.attempts.get(s as usize));
            // As for rows with a run: the one that came first, an attempt with blocked evidence only while it is alone.
            let [no, with, blocked] = row.sides;
            let host = if no.min(with) == NO { blocked } else { no.min(with) };
            let host = table.attempts.get(host as usize);
            if row.run == a.run && (a.run != 0 || host.is_some_and(|h| same_run(h, a))) {
                seen.own = seen.own.or(Some(at));
            } else if sitting.iter().flatten().any(|s| same_run(s, a)) {
                seen.guest = seen.guest.or(Some(at));
            } else if seen.cross.is_none() {
                let [no, with, blocked] = sitting.map(|s| s.is_some());
                let fits = match a.condition {
                    Condition::NoSearch => !no && (with || blocked),
                    Condition::WithSearch => !with && (no || blocked),
                    Condition::EvidenceBlocked => !blocked,
                };
                seen.cross = fits.then_some(at);
            }
        }
        seen
    }

    fn add(
        &mut self,
        table: &mut Table,
        question: u32,
        tail: u32,
        at: u32,
        a: &AttemptRow,
        number: u16,
    ) -> u32 {
        let new = table.pairs.len() as u32;
        table.pairs.push(PairRow {
            question,
            sides: [NO; 3],
            next: NO,
            model: a.model,
            run: a.run,
            attempt: number,
            transitions: [Transition::Unpaired; 4],
        });
        match table.pairs.get_mut(tail as usize) {
            Some(last) => last.next = new,
            None => {
                if let Some(q) = table.questions.get_mut(question as usize) {
                    q.first_pair = new;
                }
            }
        }
        if let Some(long) = self.long.get_mut(&question) {
            long.tail = new;
            if number < LAST {
                long.rows.entry((a.model, number)).or_default().push(new);
            }
        }
        // Of one side alone nothing can be said, which is what the row says already.
        set_side(table, new, a.condition as usize, at);
        new
    }
}

fn side_of(table: &Table, row: u32, side: usize) -> u32 {
    table.pairs.get(row as usize).and_then(|p| p.sides.get(side)).copied().unwrap_or(NO)
}

/// Puts an attempt into a row; the one that sat there.
fn set_side(table: &mut Table, row: u32, side: usize, at: u32) -> u32 {
    if let Some(a) = table.attempts.get_mut(at as usize) {
        a.pair = row;
    }
    let place = table.pairs.get_mut(row as usize).and_then(|p| p.sides.get_mut(side));
    place.map_or(NO, |place| std::mem::replace(place, at))
}

/// Works out the transitions of a row.
pub(super) fn settle(table: &mut Table, row: u32) {
    let Some(&pair) = table.pairs.get(row as usize) else { return };
    let transitions = Scorer::ALL.map(|s| table.transition(&pair, s));
    if transitions != pair.transitions
        && let Some(row) = table.pairs.get_mut(row as usize)
    {
        row.transitions = transitions;
    }
}
