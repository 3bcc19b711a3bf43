//! What every figure of the shown rows is, group by group.

use std::collections::HashMap;

use crate::record::{Errors, Scorer, Transition};

use super::calibration::Calibration;
use super::coverage::Coverage;
use super::gating::Gating;
use super::intervals::{SMALL, Share};
use super::repeats::Repeated;
use super::spread::Spread;
use super::summary::{Accuracy, Net};

/// What makes a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum By {
    /// A model on a split.
    #[default]
    Model,
    /// A run of a model on a split.
    Run,
    /// Everything together: numbers of unlike models in one.
    All,
}

impl By {
    /// Every way.
    pub const ALL: [Self; 3] = [Self::Model, Self::Run, Self::All];

    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Run => "run",
            Self::All => "all",
        }
    }
}

/// Price of a search call where nothing else is known, in US dollars: METRICS, "cost".
pub const CALL_PRICE: f64 = 0.01;

/// How figures are worked out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Options {
    /// The scorer.
    pub scorer: Scorer,
    /// What errors count as, in accuracy.
    pub errors: Errors,
    /// What makes a group.
    pub by: By,
    /// Prices of a search call in US dollars by model, where it is not [`CALL_PRICE`].
    pub prices: HashMap<String, f64>,
}

/// How often search was used (table 5). Attempts in error take no part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Invocation {
    /// With-search attempts.
    pub queries: u64,
    /// Those with a call.
    pub searched: u64,
    /// One call.
    pub one: u64,
    /// Two calls.
    pub two: u64,
    /// Three or more.
    pub more: u64,
    /// Calls; at least so many where [`Invocation::capped`] is not 0.
    pub calls: u64,
    /// Attempts of 255 calls or more, each of which counts as 255.
    pub capped: u64,
}

/// What search cost (tables 3 and 6). Definition: METRICS, "cost"; tokens are not in it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Cost {
    /// US dollars a call.
    pub price: f64,
    /// US dollars in all: calls × price.
    pub usd: f64,
    /// Calls a query.
    pub calls_per_query: Option<f64>,
    /// US dollars a query.
    pub per_query: Option<f64>,
    /// US dollars a corrected answer; without pairs, a right answer with a call.
    pub strict: Option<f64>,
    /// US dollars a beneficial pair: corrected or preserved; `None` without pairs.
    pub inclusive: Option<f64>,
    /// What attempts record as their own cost, tokens included: how many do, and US dollars.
    pub recorded: (u64, f64),
}

/// Every figure of one group. Definitions: METRICS, "Figures".
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    /// The model; empty when all are together.
    pub model: String,
    /// The split; empty when there is none, or all are together.
    pub split: String,
    /// The run, where runs make the groups.
    pub run: Option<String>,
    /// Whether everything is together.
    pub whole: bool,
    /// Rows.
    pub rows: u64,
    /// Attempts under the two conditions of pairs.
    pub attempts: u64,
    /// Of those, in error, cut, refused or paused.
    pub errors: u64,
    /// Pairs with both sides judged.
    pub pairs: u64,
    /// Accuracy by [`Condition`](crate::record::Condition) (as a number).
    pub accuracy: [Accuracy; 3],
    /// Calibration by [`Condition`](crate::record::Condition).
    pub calibration: [Calibration; 3],
    /// Selective answering by [`Condition`](crate::record::Condition).
    pub coverage: [Coverage; 3],
    /// Accuracy with search by number of calls: 0, 1, 2, 3 and more (figure 3).
    pub by_calls: [Share; 4],
    /// Rows by [`Transition`] (as a number).
    pub transitions: [u64; 7],
    /// Pairs not searched: wrong or right without search, then with.
    pub not_searched: [[u64; 2]; 2],
    /// The first five transitions by bin of the no-search confidence (figure 5).
    pub by_bin: [[u64; 5]; 10],
    /// Pairs with both sides judged and no no-search confidence.
    pub no_bin: u64,
    /// Gating (figure 6).
    pub gating: Gating,
    /// Net effect; `None` without a pair.
    pub net: Option<Net>,
    /// `McNemar`'s p, 1 without a pair.
    pub mcnemar: f64,
    /// Pairs wrong without and right with search, searched or not.
    pub gained: u64,
    /// Pairs right without and wrong with.
    pub lost: u64,
    /// How often search was used.
    pub invocation: Invocation,
    /// What it cost.
    pub cost: Cost,
    /// Changes of confidence, of each of the first five transitions.
    pub changes: [Option<Spread>; 5],
    /// Repeats by [`Condition`](crate::record::Condition).
    pub repeats: [Option<Repeated>; 3],
}

impl Group {
    /// Pairs of a transition.
    pub fn count(&self, t: Transition) -> u64 {
        self.transitions.get(t as usize).copied().unwrap_or(0)
    }

    /// Pairs that were searched.
    pub fn searched(&self) -> u64 {
        self.transitions.iter().take(4).sum()
    }

    /// Corrected and preserved pairs.
    pub fn beneficial(&self) -> u64 {
        self.count(Transition::Corrected) + self.count(Transition::Preserved)
    }

    /// Broken and unresolved pairs.
    pub fn harmful(&self) -> u64 {
        self.count(Transition::Broken) + self.count(Transition::Unresolved)
    }

    /// Broken pairs among the searched ones.
    pub fn harm_of_searched(&self) -> Share {
        Share { part: self.count(Transition::Broken), whole: self.searched() }
    }

    /// Broken pairs among the searched ones that were right before.
    pub fn harm_of_right_before(&self) -> Share {
        let broken = self.count(Transition::Broken);
        Share { part: broken, whole: broken + self.count(Transition::Preserved) }
    }

    /// Whether fewer than [`SMALL`] rows are in it.
    pub const fn is_small(&self) -> bool {
        self.rows < SMALL
    }
}
