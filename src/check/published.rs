//! Figures that a publication prints, and whether they can all be so.
//!
//! Owns the file that holds such figures, and the tests of them. Reads no result file: what is tested is what is
//! printed. `data/paper.toml` is one, `data/schema/tables.schema.json` says the same as this:
//!
//! ```toml
//! schema = "lookitup.tables/1"
//! title = "Name of the publication"     # optional
//! source = "Where it can be found"      # optional
//!
//! [[table]]                             # what one table says of one model on one split
//! source = "table 1"                    # quoted in every finding
//! model = "Name of the model"
//! split = "static"                      # optional
//! questions = 783                       # figures, by the names of `Fact`
//! accuracy_without = 0.523
//! ```
//!
//! Entries of the same model and split are taken together. A figure is written with the digits that are printed, as
//! `0.310` and not as `0.31`: half a unit of the last one either way is what it may stand for, and nothing is found
//! that rounding explains.

mod read;
mod rules;

#[cfg(test)]
#[path = "published_tests.rs"]
mod tests;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::json;

pub use read::read;

use super::{Finding, Kind, Report};

/// How a figure is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A whole number, 0 or more.
    Count,
    /// A number from 0 to 1.
    Share,
    /// US dollars, 0 or more.
    Dollars,
}

macro_rules! facts {
    ($($(#[doc = $help:literal])+ $fact:ident = $name:literal $shape:ident;)+) => {
        /// A figure that a table may print. What each means is in METRICS, under the same words.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Fact {
            $($(#[doc = $help])+ $fact,)+
        }

        impl Fact {
            /// Every one, in the order of their names in the schema.
            pub const ALL: &[Self] = &[$(Self::$fact),+];

            /// The name in a file.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$fact => $name),+ }
            }

            /// What it means.
            pub const fn help(self) -> &'static str {
                match self { $(Self::$fact => concat!($($help),+).trim_ascii()),+ }
            }

            /// How it is written.
            pub const fn shape(self) -> Shape {
                match self { $(Self::$fact => Shape::$shape),+ }
            }
        }
    };
}

facts! {
    /// Questions asked.
    Questions = "questions" Count;
    /// No-search attempts that accuracy counts; all questions when not given.
    AnsweredWithout = "answered_without" Count;
    /// With-search attempts that accuracy counts; all questions when not given.
    AnsweredWith = "answered_with" Count;
    /// Right answers without search.
    RightWithout = "right_without" Count;
    /// Right answers with search.
    RightWith = "right_with" Count;
    /// Accuracy without search.
    AccuracyWithout = "accuracy_without" Share;
    /// Accuracy with search.
    AccuracyWith = "accuracy_with" Share;
    /// Half-width of the 95 % interval of the accuracy without search.
    HalfWidthWithout = "half_width_without" Share;
    /// Half-width of the 95 % interval of the accuracy with search.
    HalfWidthWith = "half_width_with" Share;
    /// Searched pairs that search made right.
    Corrected = "corrected" Count;
    /// Searched pairs that stayed right.
    Preserved = "preserved" Count;
    /// Searched pairs that search made wrong.
    Broken = "broken" Count;
    /// Searched pairs that stayed wrong.
    Unresolved = "unresolved" Count;
    /// Pairs with a side in error; none when not given.
    Incomplete = "incomplete" Count;
    /// With-search attempts that made at least one call.
    Searched = "searched" Count;
    /// With-search attempts that made no call.
    NotSearched = "not_searched" Count;
    /// With-search attempts of exactly one call.
    OneCall = "one_call" Count;
    /// With-search attempts of exactly two calls.
    TwoCalls = "two_calls" Count;
    /// With-search attempts of three calls or more.
    ThreeCalls = "three_or_more_calls" Count;
    /// Calls made in all.
    Calls = "calls" Count;
    /// Expected calibration error without search.
    EceWithout = "ece_without" Share;
    /// Expected calibration error with search.
    EceWith = "ece_with" Share;
    /// Brier score without search.
    BrierWithout = "brier_without" Share;
    /// Brier score with search.
    BrierWith = "brier_with" Share;
    /// What all calls cost.
    Cost = "cost" Dollars;
    /// Price of a thousand calls.
    Price = "price_per_1000_calls" Dollars;
    /// Cost for each question.
    CostPerQuery = "cost_per_query" Dollars;
    /// Cost for each corrected pair.
    CostStrict = "cost_per_improvement_strict" Dollars;
    /// Cost for each corrected or preserved pair.
    CostInclusive = "cost_per_improvement_inclusive" Dollars;
}

/// A number as it is printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    /// The number.
    pub value: f64,
    /// Half a unit of its last digit; 0 for a count.
    pub half: f64,
    /// Its digits.
    pub text: String,
    /// Where it is printed.
    pub source: String,
    /// Its line in the file, from 1.
    pub line: u64,
}

impl Printed {
    /// The least that it may stand for.
    pub fn low(&self) -> f64 {
        self.value - self.half
    }

    /// The most that it may stand for.
    pub fn high(&self) -> f64 {
        self.value + self.half
    }
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.text, self.source)
    }
}

/// All that is printed about one model on one split.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// The model's name.
    pub model: String,
    /// The split's name; empty when none was given.
    pub split: String,
    /// The figures. Of one that is printed more than once and agrees, the one with most digits.
    pub facts: BTreeMap<Fact, Printed>,
    /// Figures that are printed a second time and differ: as first printed, and then.
    pub clashes: Vec<(Fact, Printed, Printed)>,
}

impl Group {
    /// What it is called in findings.
    pub fn name(&self) -> String {
        if self.split.is_empty() { self.model.clone() } else { format!("{} / {}", self.model, self.split) }
    }

    fn put(&mut self, fact: Fact, printed: Printed) {
        let Some(first) = self.facts.get_mut(&fact) else {
            self.facts.insert(fact, printed);
            return;
        };
        if printed.low() > first.high() + rules::SLACK || printed.high() < first.low() - rules::SLACK {
            self.clashes.push((fact, first.clone(), printed));
        } else if printed.half < first.half {
            *first = printed;
        }
    }
}

/// The figures of a publication.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    /// The file that they were read from, as it was named.
    pub file: String,
    /// The publication's name; may be empty.
    pub title: String,
    /// Models and splits in the order in which they were first named.
    pub groups: Vec<Group>,
}

impl Tables {
    /// How many figures there are.
    pub fn figures(&self) -> usize {
        self.groups.iter().map(|g| g.facts.len()).sum()
    }
}

/// The JSON Schema of a file of figures.
pub fn schema() -> serde_json::Value {
    let text = |help: &str| json!({"description": help, "type": "string"});
    let mut entry = serde_json::Map::new();
    entry.insert("source".into(), text("Which table; quoted in findings."));
    entry.insert("model".into(), text("The model's name."));
    entry.insert("split".into(), text("The split's name."));
    for fact in Fact::ALL {
        let help = fact.help();
        let figure = match fact.shape() {
            Shape::Count => json!({"description": help, "type": "integer", "minimum": 0}),
            Shape::Share => json!({"description": help, "type": "number", "minimum": 0, "maximum": 1}),
            Shape::Dollars => json!({"description": help, "type": "number", "minimum": 0}),
        };
        entry.insert(fact.name().into(), figure);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "lookitup.tables/1",
        "title": "Figures that a publication prints, for `lookitup check --tables`",
        "description": "TOML. Numbers are written with the digits that are printed; what rounding explains is no finding.",
        "type": "object",
        "required": ["schema", "table"],
        "properties": {
            "schema": {"const": "lookitup.tables/1"},
            "title": text("The publication's name."),
            "source": text("Where it can be found."),
            "table": {
                "description": "What one table says of one model on one split; entries of the same two belong together.",
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["source", "model"],
                    "properties": entry,
                    "additionalProperties": false
                }
            }
        },
        "additionalProperties": false
    })
}

/// Looks for figures of one group that cannot all be so.
pub fn check(tables: &Tables) -> Report {
    let mut report = Report::default();
    for group in &tables.groups {
        rules::test(group, &mut |kind: Kind, line, message| {
            report.put(Finding {
                severity: kind.weight(),
                kind,
                file: Some(PathBuf::from(&tables.file)),
                line: Some(line),
                message: format!("{}: {message}", group.name()),
                at: None,
            });
        });
    }
    report.findings.sort_by_key(|f| (f.severity, f.kind));
    report
}
