//! The header's figures: accuracy, transitions, harm, net effect.

use crate::record::{Condition, Errors, Scorer, Transition, Verdict};
use crate::store::{AttemptRow, Table};

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

/// The figures of `rows` (numbers of pairs) under a scorer. Numbers beyond the table are passed over.
///
/// Definitions: METRICS, "Figures". One pass; the interval costs nothing that grows with the rows.
pub fn summary(table: &Table, rows: &[u32], scorer: Scorer, errors: Errors) -> Summary {
    let mut tally = Tally::new(table, rows.len());
    for &row in rows {
        let Some(pair) = table.pairs.get(row as usize) else { continue };
        let no = table.side(pair, Condition::NoSearch).map(|a| a.verdict(scorer));
        let with = table.side(pair, Condition::WithSearch);
        tally.add(pair.question, no, with, with.map(|a| a.verdict(scorer)));
    }
    tally.finish(errors)
}

/// Attempts by what is known of them.
#[derive(Default)]
struct Judged {
    right: u64,
    wrong: u64,
    open: u64,
}

impl Judged {
    const fn add(&mut self, verdict: Option<Verdict>) {
        match verdict {
            Some(Verdict::Right) => self.right += 1,
            Some(Verdict::Wrong) => self.wrong += 1,
            Some(_) => self.open += 1,
            None => {}
        }
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
    rows: u64,
    no: Judged,
    with: Judged,
    transitions: [u64; 7],
    gained: u64,
    lost: u64,
    clusters: Clusters,
}

impl Tally {
    fn new(table: &Table, rows: usize) -> Self {
        Self {
            rows: 0,
            no: Judged::default(),
            with: Judged::default(),
            transitions: [0; 7],
            gained: 0,
            lost: 0,
            clusters: Clusters::new(table.questions.len(), rows),
        }
    }

    fn add(
        &mut self,
        question: u32,
        no: Option<Verdict>,
        with: Option<&AttemptRow>,
        verdict: Option<Verdict>,
    ) {
        self.rows += 1;
        self.no.add(no);
        self.with.add(verdict);
        let transition = Transition::of(no, verdict, with.map_or(0, |a| usize::from(a.calls)));
        if let Some(n) = self.transitions.get_mut(transition as usize) {
            *n += 1;
        }
        let (Some(before), Some(after)) = (no.and_then(Verdict::correct), verdict.and_then(Verdict::correct))
        else {
            return;
        };
        self.gained += u64::from(!before && after);
        self.lost += u64::from(before && !after);
        self.clusters.add(question, i32::from(after) - i32::from(before));
    }

    fn finish(self, errors: Errors) -> Summary {
        let [corrected, preserved, broken, unresolved, not_searched, ..] = self.transitions;
        let searched = corrected + preserved + broken + unresolved;
        let pairs = searched + not_searched;
        let net = self.clusters.classes().interval().map(|(low, high)| Net {
            delta: (self.gained as f64 - self.lost as f64) / pairs as f64,
            low,
            high,
            p: mcnemar_exact(self.gained, self.lost),
            gained: self.gained,
            lost: self.lost,
        });
        Summary {
            rows: self.rows,
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
    Sparse(Vec<(u32, i32)>),
}

impl Clusters {
    fn new(questions: usize, rows: usize) -> Self {
        if rows.saturating_mul(8) >= questions {
            Self::Dense(vec![Cluster::default(); questions])
        } else {
            Self::Sparse(Vec::with_capacity(rows))
        }
    }

    fn add(&mut self, question: u32, difference: i32) {
        match self {
            Self::Dense(places) => {
                if let Some(place) = places.get_mut(question as usize) {
                    place.pairs += 1;
                    place.sum += difference;
                }
            }
            Self::Sparse(pairs) => pairs.push((question, difference)),
        }
    }

    fn classes(self) -> Classes {
        let mut classes = Classes::default();
        match self {
            Self::Dense(places) => places.into_iter().for_each(|c| classes.add(c)),
            Self::Sparse(mut pairs) => {
                pairs.sort_unstable();
                for group in pairs.chunk_by(|a, b| a.0 == b.0) {
                    let sum = group.iter().map(|p| p.1).sum();
                    classes.add(Cluster { pairs: group.len() as u32, sum });
                }
            }
        }
        classes
    }
}
