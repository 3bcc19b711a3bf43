//! What each figure shows: its bars, cells and points, their numbers, and the filter behind each of them.
//!
//! Stands between `stats`, which knows numbers, and those who draw: the screen and the reports draw the same
//! [`Figure`], so they cannot show different numbers. Draws nothing and reads no file.

mod charts;
mod flat;
mod make;
mod plots;
mod reviewed;
mod shape;
mod tables;
mod terms;
mod words;

use crate::stats::Group;

pub use flat::{Flat, flat};
pub use make::figure;
pub use reviewed::reviewed;
pub use shape::{
    Axis, Bar, Body, Cell, Field, Figure, Mark, Point, Quantiles, Row, Series, Stack, Stroke, Tone,
};
pub use terms::Scope;
pub use words::{NONE, change, dollars, interval, or_none, p_value, three};

/// The figures, in the order in which they are shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Id {
    /// Accuracy, net effect, harm.
    #[default]
    Summary,
    /// What search did.
    Transitions,
    /// Accuracy by number of calls.
    Calls,
    /// Stated confidence against accuracy.
    Reliability,
    /// Calibration in numbers.
    Calibration,
    /// Transitions by confidence bin.
    Bins,
    /// Searching only below a threshold.
    Gating,
    /// Answering only above a threshold.
    Coverage,
    /// What search did to confidence.
    Changes,
    /// How often search was used.
    Invocation,
    /// What it cost.
    Cost,
    /// What repeats say.
    Repeats,
    /// As graded beside as reviewed; not in [`Id::ALL`], since it needs the numbers twice: see [`reviewed`].
    Reviewed,
}

impl Id {
    /// Every figure of one set of numbers.
    pub const ALL: [Self; 12] = [
        Self::Summary,
        Self::Transitions,
        Self::Calls,
        Self::Reliability,
        Self::Calibration,
        Self::Bins,
        Self::Gating,
        Self::Coverage,
        Self::Changes,
        Self::Invocation,
        Self::Cost,
        Self::Repeats,
    ];

    /// The kebab-case name: names of files, too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Transitions => "transitions",
            Self::Calls => "accuracy-by-calls",
            Self::Reliability => "reliability",
            Self::Calibration => "calibration",
            Self::Bins => "transitions-by-confidence",
            Self::Gating => "gating",
            Self::Coverage => "risk-coverage",
            Self::Changes => "confidence-change",
            Self::Invocation => "invocation",
            Self::Cost => "cost",
            Self::Repeats => "repeats",
            Self::Reviewed => "as-reviewed",
        }
    }

    /// At most eleven letters, for a strip of names.
    pub const fn short(self) -> &'static str {
        match self {
            Self::Summary => "summary",
            Self::Transitions => "transitions",
            Self::Calls => "calls",
            Self::Reliability => "reliability",
            Self::Calibration => "calibration",
            Self::Bins => "bins",
            Self::Gating => "gating",
            Self::Coverage => "coverage",
            Self::Changes => "Δ conf",
            Self::Invocation => "invocation",
            Self::Cost => "cost",
            Self::Repeats => "repeats",
            Self::Reviewed => "reviewed",
        }
    }

    /// The heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Summary => "Accuracy without and with search",
            Self::Transitions => "What search did",
            Self::Calls => "Accuracy with search by number of calls",
            Self::Reliability => "Reliability: stated confidence against accuracy",
            Self::Calibration => "Calibration",
            Self::Bins => "Transitions by confidence without search",
            Self::Gating => "Searching only below a confidence",
            Self::Coverage => "Answering only above a confidence",
            Self::Changes => "What search did to confidence",
            Self::Invocation => "How often search was used",
            Self::Cost => "What search cost",
            Self::Repeats => "What repeats say",
            Self::Reviewed => "As graded and as reviewed",
        }
    }

    /// What it means, and how it is worked out.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Summary => {
                "Right of answered; errors and ungraded attempts are left out unless they count as wrong. Intervals: \
                 95 % Wilson; net effect: paired bootstrap over questions, McNemar's exact test. ± is the normal \
                 half-width, to compare with published tables."
            }
            Self::Transitions => {
                "Pairs with both sides judged; the four transitions need at least one search call. Harm is counted of \
                 the searched pairs and of those that were right before."
            }
            Self::Calls => {
                "Right of answered with search, by search calls issued; bars end at 1, whiskers are 95 % Wilson."
            }
            Self::Reliability => {
                "Ten bins of equal width; across the mean stated confidence of a bin, upwards its accuracy with its \
                 95 % Wilson interval. Below the diagonal is overconfident."
            }
            Self::Calibration => {
                "Judged answers that state a confidence. ECE: ten bins of equal width; equal mass: bins of a tenth of \
                 the answers that never split a tie. Brier = reliability − resolution + uncertainty over distinct \
                 confidences. AUROC: ties half. AUGRC: risk of a wrong answer kept, over all coverages; half the error \
                 rate is chance."
            }
            Self::Bins => "Pairs with both sides judged, by the confidence stated without search.",
            Self::Gating => {
                "Pairs whose no-search confidence is below the threshold take the with-search outcome, the others the \
                 no-search one. Random is the line between no search and always; the oracle searches exactly the \
                 pairs that search corrects."
            }
            Self::Coverage => {
                "Keeping the answers of this confidence and above: across the share kept, upwards the share of wrong \
                 ones among them."
            }
            Self::Changes => {
                "Confidence with minus without search, of pairs that state both: line from the 10th to the 90th \
                 percentile, box from the 25th to the 75th, median and mean."
            }
            Self::Invocation => "With-search attempts that are not in error, by search calls issued.",
            Self::Cost => {
                "Calls times the price of a call; tokens are not in it. Strict: a corrected answer; inclusive: a \
                 corrected or preserved one. Without pairs strict is a right answer with at least one call."
            }
            Self::Repeats => {
                "Questions asked more than once. Flip rate: answers that differ from the most frequent one. pass@k: at \
                 least one of k is right; pass^k: all k are."
            }
            Self::Reviewed => {
                "The same rows twice: by the verdicts of the scorer, and with the verdicts of people and the answers \
                 that they accepted besides. Every other figure beside this one is as reviewed."
            }
        }
    }

    /// Where the paper has it.
    pub const fn paper(self) -> Option<&'static str> {
        match self {
            Self::Summary => Some("table 1"),
            Self::Transitions => Some("tables 2 and 3"),
            Self::Calls => Some("figure 3"),
            Self::Calibration => Some("table 4"),
            Self::Bins => Some("figure 5"),
            Self::Gating => Some("figure 6"),
            Self::Invocation => Some("table 5"),
            Self::Cost => Some("table 6"),
            Self::Reliability | Self::Coverage | Self::Changes | Self::Repeats | Self::Reviewed => None,
        }
    }

    /// Reads a name.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == word || id.short() == word)
    }
}

/// What a group is called: `model/split`, with its run where runs make the groups.
pub fn group_name(group: &Group) -> String {
    if group.whole {
        return "all".to_owned();
    }
    let or = |word: &str, none: &str| if word.is_empty() { none.to_owned() } else { word.to_owned() };
    let mut name = format!("{}/{}", or(&group.model, "no model"), or(&group.split, "no split"));
    if let Some(run) = &group.run {
        name.push('/');
        name.push_str(&or(run, "no run"));
    }
    name
}
