//! The one pass over the rows that every figure is made from.

use std::collections::HashMap;

use crate::record::{Condition, Scorer, State, Transition, Verdict};
use crate::store::{AttemptRow, NO, PairRow, Table};

use super::calibration::Level;
use super::gating::Gate;
use super::tally::Judged;

type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Parts that questions are cut into to try a threshold on others than it was chosen on.
pub(super) const FOLDS: usize = 5;

/// What distinguishes one group from another, as numbers of the table's dictionaries.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Key {
    pub(super) model: u16,
    pub(super) split: u16,
    pub(super) run: u16,
}

/// Judged pairs of one no-search confidence, and judged no-search attempts beside them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Before {
    pub(super) level: [u64; 2],
    pub(super) transitions: [u64; 5],
    pub(super) gate: Gate,
    /// Pairs wrong without and right with search.
    pub(super) gained: u64,
}

/// A row as it is needed once more, by question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seen {
    pub(super) question: u32,
    pub(super) row: u32,
    /// 1 when both sides are judged.
    pub(super) pairs: u8,
    /// Right with minus right without.
    pub(super) difference: i8,
}

/// What the rows of one group come to.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) rows: u64,
    /// By condition.
    pub(super) attempts: [u64; 3],
    /// In error, cut, refused or paused, by condition.
    pub(super) errors: [u64; 3],
    pub(super) judged: [Judged; 3],
    pub(super) transitions: [u64; 7],
    /// Pairs that were not searched by what became of them: before right or wrong, then after.
    pub(super) not_searched: [[u64; 2]; 2],
    pub(super) gained: u64,
    pub(super) lost: u64,
    /// Judged attempts by condition that state no confidence.
    pub(super) silent: [u64; 3],
    /// By part of the questions, then confidence.
    pub(super) before: [Map<u32, Before>; FOLDS],
    /// Confidence under the other conditions: wrong and right.
    pub(super) after: [Map<u32, [u64; 2]>; 2],
    /// Judged with-search attempts by calls 0, 1, 2, 3 and more: wrong and right.
    pub(super) by_calls: [[u64; 2]; 4],
    /// With-search attempts that are not in error by calls 0, 1, 2, 3 and more.
    pub(super) invoked: [u64; 4],
    /// Their calls.
    pub(super) calls: u64,
    /// With-search attempts whose calls are not counted to their end.
    pub(super) capped: u64,
    /// With-search attempts right after a call.
    pub(super) right_after_call: u64,
    /// Changes of confidence by transition of the first five.
    pub(super) changes: [Map<i32, u64>; 5],
    /// Cost as recorded: attempts that have one, and its sum in 10⁻⁸ dollars.
    pub(super) cost: (u64, u64),
    pub(super) seen: Vec<Seen>,
}

impl Counts {
    /// Counts a row.
    pub(super) fn add(&mut self, table: &Table, row: u32, pair: &PairRow, scorer: Scorer) {
        self.rows += 1;
        let mut correct = [None; 3];
        for condition in Condition::ALL {
            let at = condition as usize;
            let Some(attempt) = table.side(pair, condition) else { continue };
            let verdict = attempt.verdict(scorer);
            let right = verdict.correct();
            if let Some(judged) = self.judged.get_mut(at) {
                judged.count(verdict);
            }
            bump(&mut self.attempts, at, true);
            bump(&mut self.errors, at, failed(attempt));
            bump(&mut self.silent, at, right.is_some() && attempt.confidence == NO);
            if let (Some(right), Some(map)) = (right, at.checked_sub(1).and_then(|n| self.after.get_mut(n)))
                && attempt.confidence != NO
            {
                bump(map.entry(attempt.confidence).or_default(), usize::from(right), true);
            }
            if attempt.cost != NO {
                self.cost.0 += 1;
                self.cost.1 += u64::from(attempt.cost);
            }
            if let Some(place) = correct.get_mut(at) {
                *place = right;
            }
        }
        let with = table.side(pair, Condition::WithSearch);
        if let Some(with) = with.filter(|a| !failed(a)) {
            self.searches(with, correct[1]);
        }
        let transition = pair.transitions.get(scorer as usize).copied().unwrap_or_default() as usize;
        bump(&mut self.transitions, transition, true);
        let both = correct[0].zip(correct[1]);
        let mut seen = Seen { question: pair.question, row, pairs: 0, difference: 0 };
        if let Some((before, after)) = both {
            seen.pairs = 1;
            seen.difference = i8::from(after) - i8::from(before);
            self.gained += u64::from(!before && after);
            self.lost += u64::from(before && !after);
            if let Some(row) = self.not_searched.get_mut(usize::from(before)) {
                bump(row, usize::from(after), transition == Transition::NotSearched as usize);
            }
        }
        self.seen.push(seen);
        let Some(no) = table.side(pair, Condition::NoSearch).filter(|a| a.confidence != NO) else { return };
        if let (Some(before), Some(fold)) = (correct[0], self.before.get_mut(fold_of(table, pair))) {
            let entry = fold.entry(no.confidence).or_default();
            bump(&mut entry.level, usize::from(before), true);
            if let Some((before, after)) = both {
                bump(&mut entry.transitions, transition, true);
                entry.gate.n += 1;
                entry.gate.before += u64::from(before);
                entry.gate.after += u64::from(after);
                entry.gained += u64::from(!before && after);
            }
        }
        if let Some(with) = with.filter(|a| a.confidence != NO)
            && let Some(changes) = self.changes.get_mut(transition)
        {
            *changes.entry(with.confidence.cast_signed() - no.confidence.cast_signed()).or_default() += 1;
        }
    }

    fn searches(&mut self, with: &AttemptRow, correct: Option<bool>) {
        let place = usize::from(with.calls.min(3));
        bump(&mut self.invoked, place, true);
        if let (Some(by_calls), Some(right)) = (self.by_calls.get_mut(place), correct) {
            bump(by_calls, usize::from(right), true);
        }
        self.calls += u64::from(with.calls);
        self.capped += u64::from(with.calls == u8::MAX);
        self.right_after_call += u64::from(with.calls > 0 && correct == Some(true));
    }

    /// Adds what another thread counted.
    pub(super) fn merge(&mut self, other: Self) {
        self.rows += other.rows;
        sum(&mut self.attempts, &other.attempts);
        sum(&mut self.errors, &other.errors);
        sum(&mut self.transitions, &other.transitions);
        sum(&mut self.silent, &other.silent);
        sum(&mut self.invoked, &other.invoked);
        for (own, other) in self.judged.iter_mut().zip(other.judged) {
            own.right += other.right;
            own.wrong += other.wrong;
            own.open += other.open;
        }
        for (own, other) in self.not_searched.iter_mut().zip(&other.not_searched) {
            sum(own, other);
        }
        for (own, other) in self.by_calls.iter_mut().zip(&other.by_calls) {
            sum(own, other);
        }
        self.gained += other.gained;
        self.lost += other.lost;
        self.calls += other.calls;
        self.capped += other.capped;
        self.right_after_call += other.right_after_call;
        self.cost.0 += other.cost.0;
        self.cost.1 += other.cost.1;
        for (own, other) in self.before.iter_mut().zip(other.before) {
            for (confidence, b) in other {
                let entry = own.entry(confidence).or_default();
                sum(&mut entry.level, &b.level);
                sum(&mut entry.transitions, &b.transitions);
                entry.gate.add(&b.gate);
                entry.gained += b.gained;
            }
        }
        for (own, other) in self.after.iter_mut().zip(other.after) {
            for (confidence, n) in other {
                sum(own.entry(confidence).or_default(), &n);
            }
        }
        for (own, other) in self.changes.iter_mut().zip(other.changes) {
            for (change, n) in other {
                *own.entry(change).or_default() += n;
            }
        }
        self.seen.extend(other.seen);
    }

    /// No-search confidences over all parts, ascending.
    pub(super) fn before_levels(&self) -> Vec<(u32, Before)> {
        let mut all: Vec<(u32, Before)> = self.before.iter().flatten().map(|(c, b)| (*c, *b)).collect();
        all.sort_unstable_by_key(|l| l.0);
        all.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                sum(&mut kept.1.level, &next.1.level);
                sum(&mut kept.1.transitions, &next.1.transitions);
                kept.1.gate.add(&next.1.gate);
                kept.1.gained += next.1.gained;
            }
            same
        });
        all
    }

    /// The judged answers of a condition by confidence, ascending.
    pub(super) fn levels(&self, condition: Condition) -> Vec<Level> {
        let level = |confidence: u32, n: [u64; 2]| Level { confidence, right: n[1], wrong: n[0] };
        let Some(map) = (condition as usize).checked_sub(1).and_then(|n| self.after.get(n)) else {
            return self.before_levels().into_iter().map(|(c, b)| level(c, b.level)).collect();
        };
        let mut all: Vec<Level> = map.iter().map(|(c, n)| level(*c, *n)).collect();
        all.sort_unstable_by_key(|l| l.confidence);
        all
    }
}

/// Neither answered nor left without an answer: there is nothing that could be right or wrong.
fn failed(attempt: &AttemptRow) -> bool {
    !matches!(attempt.state, State::Answered | State::NoAnswer)
}

/// The part of its question. By the question's text, where there is none by its id, so that the order of files decides
/// nothing.
fn fold_of(table: &Table, pair: &PairRow) -> usize {
    let hash = table.questions.get(pair.question as usize).map_or(0, |q| q.text_hash);
    let of_id = || table.question_id(pair.question).unwrap_or_default().bytes().fold(0x811c_9dc5, fnv);
    let hash = if hash == 0 { of_id() } else { hash };
    let mixed = u64::from(hash).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 32) as usize % FOLDS
}

/// A step of FNV-1a: the same on every machine and in every version.
fn fnv(hash: u32, byte: u8) -> u32 {
    (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
}

/// One more at a place, if so.
fn bump<const N: usize>(counts: &mut [u64; N], at: usize, is: bool) {
    if let Some(n) = counts.get_mut(at) {
        *n += u64::from(is);
    }
}

fn sum<const N: usize>(own: &mut [u64; N], other: &[u64; N]) {
    for (own, other) in own.iter_mut().zip(other) {
        *own += other;
    }
}

impl Judged {
    const fn count(&mut self, verdict: Verdict) {
        match verdict.correct() {
            Some(true) => self.right += 1,
            Some(false) => self.wrong += 1,
            None => self.open += 1,
        }
    }
}
