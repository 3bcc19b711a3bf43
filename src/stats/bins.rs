//! Rows by stated confidence.

use std::collections::HashMap;

use crate::record::{Condition, Scorer, Transition, Verdict};
use crate::store::{NO, Table};

use super::intervals::{SMALL, share, wilson};

/// Billionths in one, the unit of the confidence column.
pub(super) const ONE: u32 = 1_000_000_000;

/// How confidences are put together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Binning {
    /// Ten bins of equal width, `[lo, hi)`, the last closed at 1.0.
    #[default]
    Ten,
    /// One bin for each value that occurs.
    Distinct,
}

/// The rows whose confidence is in one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Bin {
    /// Lower end, 0 to 1.
    pub lo: f64,
    /// Upper end; that of a distinct value is the value itself.
    pub hi: f64,
    /// Rows, whatever became of them.
    pub n: u64,
    /// Right answers.
    pub right: u64,
    /// Answers that are right or wrong.
    pub answered: u64,
    /// Mean confidence of the answers that are right or wrong; `None` when there is none.
    pub mean_confidence: Option<f64>,
    /// Rows by [`Transition`] (as a number).
    pub transitions: [u64; 7],
}

impl Bin {
    /// Right of answered, 0 to 1; `None` when there is nothing.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.right, self.answered)
    }

    /// The 95 % Wilson interval of the accuracy.
    pub fn wilson(&self) -> Option<(f64, f64)> {
        wilson(self.right, self.answered)
    }

    /// Whether more was stated than chance explains: the mean confidence is above the interval of the accuracy.
    pub fn is_overconfident(&self) -> bool {
        self.wilson().zip(self.mean_confidence).is_some_and(|((_, high), stated)| stated > high)
    }

    /// Whether it holds fewer than [`SMALL`] rows.
    pub const fn is_small(&self) -> bool {
        self.n < SMALL
    }
}

/// All bins, and what is in none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bins {
    /// The bins in rising order; ten of them, or one for each value.
    pub bins: Vec<Bin>,
    /// Attempts under the condition that state no confidence.
    pub missing: u64,
}

/// Puts `rows` (numbers of pairs) into bins by the confidence stated under `condition`. Rows that were not asked under
/// it take no part.
///
/// Definition: METRICS, "calibration"; with the no-search confidence the transitions are those of figure 5.
pub fn bins(table: &Table, rows: &[u32], scorer: Scorer, condition: Condition, binning: Binning) -> Bins {
    let mut counts = match binning {
        Binning::Ten => Counts::Ten(vec![Count::default(); 10]),
        Binning::Distinct => Counts::Distinct(HashMap::default()),
    };
    let mut missing = 0;
    for &row in rows {
        let Some(pair) = table.pairs.get(row as usize) else { continue };
        let Some(attempt) = table.side(pair, condition) else { continue };
        if attempt.confidence == NO {
            missing += 1;
        } else if let Some(count) = counts.at(attempt.confidence) {
            let transition = pair.transitions.get(scorer as usize).copied().unwrap_or_default();
            count.add(attempt.confidence, attempt.verdict(scorer), transition);
        }
    }
    Bins { bins: counts.finish(), missing }
}

enum Counts {
    Ten(Vec<Count>),
    Distinct(HashMap<u32, Count, foldhash::fast::RandomState>),
}

impl Counts {
    /// The count for a confidence in billionths. Whole numbers put 0.3 where it belongs.
    fn at(&mut self, confidence: u32) -> Option<&mut Count> {
        match self {
            Self::Ten(ten) => ten.get_mut((confidence / (ONE / 10)).min(9) as usize),
            Self::Distinct(values) => Some(values.entry(confidence).or_default()),
        }
    }

    fn finish(self) -> Vec<Bin> {
        match self {
            Self::Ten(ten) => {
                (0_u32..).zip(ten).map(|(n, c)| c.bin(f64::from(n) / 10.0, f64::from(n + 1) / 10.0)).collect()
            }
            Self::Distinct(values) => {
                let mut values: Vec<_> = values.into_iter().collect();
                values.sort_unstable_by_key(|v| v.0);
                let share = |c: u32| f64::from(c) / f64::from(ONE);
                values.into_iter().map(|(value, c)| c.bin(share(value), share(value))).collect()
            }
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Count {
    n: u64,
    right: u64,
    answered: u64,
    /// Billionths, of the answered ones: a sum of whole numbers is the same in any order.
    confidence: u64,
    transitions: [u64; 7],
}

impl Count {
    fn add(&mut self, confidence: u32, verdict: Verdict, transition: Transition) {
        self.n += 1;
        if let Some(right) = verdict.correct() {
            self.answered += 1;
            self.right += u64::from(right);
            self.confidence += u64::from(confidence);
        }
        if let Some(n) = self.transitions.get_mut(transition as usize) {
            *n += 1;
        }
    }

    fn bin(self, lo: f64, hi: f64) -> Bin {
        Bin {
            lo,
            hi,
            n: self.n,
            right: self.right,
            answered: self.answered,
            mean_confidence: share(self.confidence, self.answered).map(|mean| mean / f64::from(ONE)),
            transitions: self.transitions,
        }
    }
}
