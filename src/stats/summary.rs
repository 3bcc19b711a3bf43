//! The header's figures: accuracy, transitions, harm, net effect.

use std::borrow::Cow;

use crate::record::{Condition, Errors, Scorer, Transition, Verdict};
use crate::store::{PairRow, Table};

use super::bootstrap::{Classes, Cluster};
use super::intervals::{SMALL, Share, share, wald_half_width, wilson};
use super::mcnemar::mcnemar_exact;

/// Accuracy under one condition.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accuracy {
    /// Right answers.
    pub right: u64,
    /// Attempts that count.
    pub answered: u64,
    /// Attempts left out; none under [`Errors::Wrong`].
    pub left_out: u64,
}

impl Accuracy {
    /// Right of answered, 0 to 1; `None` when there is nothing.
    pub fn value(&self) -> Option<f64> {
        share(self.right, self.answered)
    }

    /// Its 95 % Wilson interval.
    pub fn wilson(&self) -> Option<(f64, f64)> {
        wilson(self.right, self.answered)
    }

    /// The half-width of its normal interval, to compare with published tables.
    pub fn wald_half_width(&self) -> Option<f64> {
        wald_half_width(self.right, self.answered)
    }

    /// Whether fewer than [`SMALL`] attempts count.
    pub const fn is_small(&self) -> bool {
        self.answered < SMALL
    }
}

/// The net effect of search on pairs with both sides judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Net {
    /// Accuracy with minus accuracy without, −1 to 1.
    pub delta: f64,
    /// Lower end of its 95 % interval: paired bootstrap over questions, 2,000 resamples, fixed seed.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// `McNemar`'s exact two-sided p on (gained, lost).
    pub p: f64,
    /// Pairs wrong without and right with, searched or not.
    pub gained: u64,
    /// Pairs right without and wrong with.
    pub lost: u64,
}

/// The figures of the shown rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Summary {
    /// Rows.
    pub rows: u64,
    /// Rows with both sides judged: those of the first five transitions.
    pub pairs: u64,
    /// Accuracy without search, over every attempt of the rows, unpaired ones too.
    pub no: Accuracy,
    /// Accuracy with search, likewise.
    pub with: Accuracy,
    /// Rows by [`Transition`] (as a number).
    pub transitions: [u64; 7],
    /// Pairs that were searched: those of the first four transitions.
    pub searched: u64,
    /// Broken pairs among the searched ones.
    pub harm_of_searched: Share,
    /// Broken pairs among the searched ones that were right before: broken and preserved.
    pub harm_of_right_before: Share,
    /// The net effect; `None` without a pair.
    pub net: Option<Net>,
}

impl Summary {
    /// Rows of a transition.
    pub fn count(&self, transition: Transition) -> u64 {
        self.transitions.get(transition as usize).copied().unwrap_or(0)
    }

    /// Whether fewer than [`SMALL`] pairs have both sides judged.
    pub const fn is_small(&self) -> bool {
        self.pairs < SMALL
    }
}

/// The figures of `rows` (numbers of pairs, each once, in any order) under a scorer. Numbers beyond the table are
/// passed over.
///
/// Definitions: METRICS, "Figures". One pass; the interval costs nothing that grows with the rows.
pub fn summary(table: &Table, rows: &[u32], scorer: Scorer, errors: Errors) -> Summary {
    let rows = in_table_order(rows, table.pairs.len());
    let mut tally = Tally::new(table, rows.len());
    for rows in rows.chunks(BLOCK) {
        tally.add(table, rows, scorer);
    }
    tally.finish(errors)
}

/// Rows that are gone through at a time.
const BLOCK: usize = 2_048;

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

/// Attempts by what is known of them.
#[derive(Default)]
struct Judged {
    right: u64,
    wrong: u64,
    open: u64,
}

impl Judged {
    fn add(&mut self, verdict: Option<Verdict>) {
        self.right += u64::from(verdict == Some(Verdict::Right));
        self.wrong += u64::from(verdict == Some(Verdict::Wrong));
        self.open += u64::from(verdict.is_some_and(|v| v.correct().is_none()));
    }

    const fn accuracy(&self, errors: Errors) -> Accuracy {
        let judged = self.right + self.wrong;
        match errors {
            Errors::Drop => Accuracy { right: self.right, answered: judged, left_out: self.open },
            Errors::Wrong => Accuracy { right: self.right, answered: judged + self.open, left_out: 0 },
        }
    }
}

struct Tally {
    transitions: [u64; 7],
    /// The sides of pairs whose transition does not tell them.
    no: Judged,
    with: Judged,
    /// Changes of pairs that were not searched.
    gained: u64,
    lost: u64,
    clusters: Clusters,
}

impl Tally {
    fn new(table: &Table, rows: usize) -> Self {
        Self {
            transitions: [0; 7],
            no: Judged::default(),
            with: Judged::default(),
            gained: 0,
            lost: 0,
            clusters: Clusters::new(table.questions.len(), rows),
        }
    }

    /// Adds at most [`BLOCK`] rows. Outcomes come in no order that a processor could foresee, so both loops decide
    /// nothing by them: they add zeros and ones.
    fn add(&mut self, table: &Table, rows: &[u32], scorer: Scorer) {
        /// What a transition alone tells of the difference.
        const DIFFERENCES: [i32; 7] = [1, 0, -1, 0, 0, 0, 0];
        let mut others = [0_u32; BLOCK];
        let mut count = 0;
        for &row in rows {
            let Some(pair) = table.pairs.get(row as usize) else { continue };
            let transition = transition(pair, scorer) as usize;
            if let Some(n) = self.transitions.get_mut(transition) {
                *n += 1;
            }
            let is_searched = transition < Transition::NotSearched as usize;
            let difference = DIFFERENCES.get(transition).copied().unwrap_or(0);
            self.clusters.add(pair.question, u32::from(is_searched), difference);
            if let Some(place) = others.get_mut(count) {
                *place = row;
            }
            count += usize::from(!is_searched);
        }
        // A searched pair's transition tells both verdicts; only the others need a look at their attempts.
        for &row in others.iter().take(count) {
            let Some(pair) = table.pairs.get(row as usize) else { continue };
            let verdict = |c: Condition| table.side(pair, c).map(|a| a.verdict(scorer));
            let (no, with) = (verdict(Condition::NoSearch), verdict(Condition::WithSearch));
            self.no.add(no);
            self.with.add(with);
            let is_pair = transition(pair, scorer) == Transition::NotSearched;
            let right = |v: Option<Verdict>| i32::from(v == Some(Verdict::Right));
            let difference = (right(with) - right(no)) * i32::from(is_pair);
            self.gained += u64::from(difference > 0);
            self.lost += u64::from(difference < 0);
            self.clusters.add(pair.question, u32::from(is_pair), difference);
        }
    }

    fn finish(mut self, errors: Errors) -> Summary {
        let [corrected, preserved, broken, unresolved, not_searched, ..] = self.transitions;
        self.no.right += preserved + broken;
        self.no.wrong += corrected + unresolved;
        self.with.right += corrected + preserved;
        self.with.wrong += broken + unresolved;
        let (gained, lost) = (self.gained + corrected, self.lost + broken);
        let searched = corrected + preserved + broken + unresolved;
        let pairs = searched + not_searched;
        let net = self.clusters.classes().interval().map(|(low, high)| Net {
            delta: (gained as f64 - lost as f64) / pairs as f64,
            low,
            high,
            p: mcnemar_exact(gained, lost),
            gained,
            lost,
        });
        Summary {
            rows: self.transitions.iter().sum(),
            pairs,
            no: self.no.accuracy(errors),
            with: self.with.accuracy(errors),
            transitions: self.transitions,
            searched,
            harm_of_searched: Share { part: broken, whole: searched },
            harm_of_right_before: Share { part: broken, whole: broken + preserved },
            net,
        }
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

fn transition(pair: &PairRow, scorer: Scorer) -> Transition {
    pair.transitions.get(scorer as usize).copied().unwrap_or_default()
}
