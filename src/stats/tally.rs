//! Counting what the summary is made of.

use std::borrow::Cow;

use crate::record::{Condition, Scorer, State, Transition, Verdict};
use crate::store::{AttemptRow, NO, PairRow, Table};

use super::bootstrap::{Classes, Cluster};

/// Attempts by what is known of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Judged {
    pub(super) right: u64,
    pub(super) wrong: u64,
    /// Neither.
    pub(super) open: u64,
}

/// What the rows come to.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Rows by transition.
    pub(super) transitions: [u64; 7],
    /// Attempts without search.
    pub(super) no: Judged,
    /// Attempts with search.
    pub(super) with: Judged,
    /// Pairs wrong without and right with.
    pub(super) gained: u64,
    /// Pairs right without and wrong with.
    pub(super) lost: u64,
    /// Questions by their differences.
    pub(super) classes: Classes,
}

/// Rows that are gone through at a time.
const BLOCK: usize = 1_024;

/// Counts the rows.
pub(super) fn tally(table: &Table, rows: &[u32], scorer: Scorer) -> Tally {
    let rows = in_table_order(rows, table.pairs.len());
    let codes = Codes::new(table, scorer);
    let outcomes: [Outcome; OUTCOMES] = std::array::from_fn(Outcome::of_place);
    let mut counts = [0_u64; OUTCOMES];
    let mut clusters = Clusters::new(table.questions.len(), rows.len());
    let mut seen = [Seen::default(); BLOCK];
    // Looked up first, counted after: a count whose place is not known yet would hold up the next look-up. Outcomes come
    // in no order that a processor could foresee, so nothing is decided by them: zeros and ones are added.
    for block in rows.chunks(BLOCK) {
        for (&row, seen) in block.iter().zip(&mut seen) {
            *seen = table.pairs.get(row as usize).map_or(Seen::default(), |pair| codes.see(table, pair));
        }
        for seen in seen.iter().take(block.len()) {
            let place = usize::from(seen.outcome);
            if let (Some(count), Some(outcome)) = (counts.get_mut(place), outcomes.get(place)) {
                *count += 1;
                clusters.add(seen.question, outcome.pairs, outcome.difference);
            }
        }
    }
    let mut tally = Tally { classes: clusters.classes(), ..Tally::default() };
    for (outcome, n) in outcomes.iter().zip(counts) {
        outcome.add_to(&mut tally, n);
    }
    tally
}

/// Rows in rising order: reading the table from end to end is several times faster than in the order of some sort.
fn in_table_order(rows: &[u32], pairs: usize) -> Cow<'_, [u32]> {
    if rows.is_sorted() {
        return Cow::Borrowed(rows);
    }
    if rows.len() < pairs / 64 {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        return Cow::Owned(rows);
    }
    let mut bits = vec![0_u64; pairs.div_ceil(64)];
    for &row in rows {
        if let Some(word) = bits.get_mut(row as usize / 64) {
            *word |= 1 << (row % 64);
        }
    }
    let mut sorted = Vec::with_capacity(rows.len());
    for (n, mut word) in (0_u32..).zip(bits) {
        while word != 0 {
            sorted.push(n * 64 + word.trailing_zeros());
            word &= word - 1;
        }
    }
    Cow::Owned(sorted)
}

/// A verdict in a few bits. Any verdict may have the bit of [`OPEN`] beside its own.
type Code = u8;
const RIGHT: Code = 0;
const WRONG: Code = 1;
const OPEN: Code = 2;
const ABSENT: Code = 4;
/// Codes run below this.
const CODES: u8 = 5;

/// Verdicts of both sides, and whether the second one searched.
const OUTCOMES: usize = CODES as usize * CODES as usize * 2;

const fn verdict_of(code: Code) -> Option<Verdict> {
    match code {
        RIGHT => Some(Verdict::Right),
        WRONG => Some(Verdict::Wrong),
        ABSENT => None,
        _ => Some(Verdict::Ungraded),
    }
}

/// A row as far as it is counted; beyond the table, `outcome` is beyond [`OUTCOMES`].
#[derive(Clone, Copy)]
struct Seen {
    question: u32,
    outcome: u8,
}

impl Default for Seen {
    fn default() -> Self {
        Self { question: NO, outcome: u8::MAX }
    }
}

/// What `AttemptRow::verdict` says of each verdict byte, worked out beforehand.
struct Codes([Code; 256]);

impl Codes {
    fn new(table: &Table, scorer: Scorer) -> Self {
        let mut codes = [OPEN; 256];
        if let Some(&any) = table.attempts.get(0) {
            for (bits, code) in (0_u8..=255).zip(&mut codes) {
                let attempt = AttemptRow { scored: bits, state: State::Answered, ..any };
                *code = match attempt.verdict(scorer) {
                    Verdict::Right => RIGHT,
                    Verdict::Wrong => WRONG,
                    _ => OPEN,
                };
            }
        }
        Self(codes)
    }

    fn of(&self, attempt: &AttemptRow) -> Code {
        let code = self.0.get(usize::from(attempt.scored)).copied().unwrap_or(OPEN);
        let is_open = attempt.state as u8 > State::NoAnswer as u8;
        code | (OPEN * u8::from(is_open))
    }

    fn see(&self, table: &Table, pair: &PairRow) -> Seen {
        let no = table.side(pair, Condition::NoSearch).map_or(ABSENT, |a| self.of(a));
        let with = table.side(pair, Condition::WithSearch);
        let (with, searched) = with.map_or((ABSENT, 0), |a| (self.of(a), u8::from(a.calls > 0)));
        Seen { question: pair.question, outcome: (no * CODES + with) * 2 + searched }
    }
}

/// What an outcome counts for.
struct Outcome {
    no: Option<Verdict>,
    with: Option<Verdict>,
    transition: Transition,
    /// 1 when both sides are judged.
    pairs: u32,
    /// Right with minus right without, of a pair.
    difference: i32,
}

impl Outcome {
    fn of_place(place: usize) -> Self {
        let (sides, searched) = ((place / 2) as u8, place % 2);
        let (no, with) = (verdict_of(sides / CODES), verdict_of(sides % CODES));
        let transition = Transition::of(no, with, searched);
        let pair = no.and_then(Verdict::correct).zip(with.and_then(Verdict::correct));
        Self {
            no,
            with,
            transition,
            pairs: u32::from(pair.is_some()),
            difference: pair.map_or(0, |(before, after)| i32::from(after) - i32::from(before)),
        }
    }

    fn add_to(&self, tally: &mut Tally, n: u64) {
        if let Some(count) = tally.transitions.get_mut(self.transition as usize) {
            *count += n;
        }
        for (judged, verdict) in [(&mut tally.no, self.no), (&mut tally.with, self.with)] {
            match verdict {
                Some(Verdict::Right) => judged.right += n,
                Some(Verdict::Wrong) => judged.wrong += n,
                Some(_) => judged.open += n,
                None => {}
            }
        }
        tally.gained += n * u64::from(self.difference > 0);
        tally.lost += n * u64::from(self.difference < 0);
    }
}

/// The differences of each question's pairs.
enum Clusters {
    /// One place a question: for many rows.
    Dense(Vec<Cluster>),
    /// One entry a pair, sorted in the end: for few rows of a large table.
    Sparse(Vec<(u32, Cluster)>),
}

impl Clusters {
    fn new(questions: usize, rows: usize) -> Self {
        if rows.saturating_mul(8) >= questions {
            Self::Dense(vec![Cluster::default(); questions])
        } else {
            Self::Sparse(Vec::with_capacity(rows))
        }
    }

    /// Adds `pairs` pairs, 0 or 1.
    fn add(&mut self, question: u32, pairs: u32, difference: i32) {
        match self {
            Self::Dense(places) => {
                if let Some(place) = places.get_mut(question as usize) {
                    place.pairs += pairs;
                    place.sum += difference;
                }
            }
            Self::Sparse(entries) => entries.push((question, Cluster { pairs, sum: difference })),
        }
    }

    fn classes(self) -> Classes {
        let mut classes = Classes::default();
        match self {
            Self::Dense(places) => places.into_iter().for_each(|c| classes.add(c)),
            Self::Sparse(mut entries) => {
                entries.sort_unstable();
                for group in entries.chunk_by(|a, b| a.0 == b.0) {
                    let parts = group.iter().map(|e| e.1);
                    classes.add(parts.fold(Cluster::default(), |sum, part| Cluster {
                        pairs: sum.pairs + part.pairs,
                        sum: sum.sum + part.sum,
                    }));
                }
            }
        }
        classes
    }
}
