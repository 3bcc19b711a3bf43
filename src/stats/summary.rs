//! The header's figures: accuracy, transitions, harm, net effect.

use crate::record::{Errors, Scorer, Transition};
use crate::store::Table;

use super::intervals::{SMALL, Share, share, wald_half_width, wilson};
use super::mcnemar::mcnemar_exact;
use super::tally::{Judged, Tally, tally};

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
    let Tally { transitions, no, with, gained, lost, classes } = tally(table, rows, scorer);
    let [corrected, preserved, broken, unresolved, not_searched, ..] = transitions;
    let searched = corrected + preserved + broken + unresolved;
    let pairs = searched + not_searched;
    let net = classes.interval().map(|(low, high)| Net {
        delta: (gained as f64 - lost as f64) / pairs as f64,
        low,
        high,
        p: mcnemar_exact(gained, lost),
        gained,
        lost,
    });
    Summary {
        rows: transitions.iter().sum(),
        pairs,
        no: no.accuracy(errors),
        with: with.accuracy(errors),
        transitions,
        searched,
        harm_of_searched: Share { part: broken, whole: searched },
        harm_of_right_before: Share { part: broken, whole: broken + preserved },
        net,
    }
}

impl Judged {
    pub(super) const fn accuracy(self, errors: Errors) -> Accuracy {
        let judged = self.right + self.wrong;
        match errors {
            Errors::Drop => Accuracy { right: self.right, answered: judged, left_out: self.open },
            Errors::Wrong => Accuracy { right: self.right, answered: judged + self.open, left_out: 0 },
        }
    }
}
