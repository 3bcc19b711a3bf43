//! Codes counted, as the screen and the command line show them: one way to count for both.

use std::collections::BTreeMap;

use crate::record::Scorer;
use crate::store::Table;

use super::codebook::Codebook;
use super::coded::{Numbers, Placed, Sampled, coded, last_plan};
use super::counts::{Axis, CodedRow, Crosstab, Prevalence, Saturation, Which, crosstab, saturation};
use super::notes::Notes;
use super::plan::{Plan, Stratum};

/// The plan that rows were coded by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The plan.
    pub plan: Plan,
    /// The filter that it was drawn under.
    pub filter: String,
    /// The rows of that filter.
    pub rows: Vec<u32>,
}

impl Origin {
    /// The plan that was followed last, by a person or by anybody. `rows` finds those of its filter; nothing, where that
    /// cannot be read. `None` also for plans whose rows stand for no others.
    pub fn of(notes: &Notes, by: Option<&str>, rows: impl FnOnce(&str) -> Option<Vec<u32>>) -> Option<Self> {
        let (plan, filter) = Plan::of_mark(last_plan(notes, by)?)?;
        if !plan.is_by_lot() {
            return None;
        }
        Some(Self { plan, filter: filter.to_owned(), rows: rows(filter)? })
    }
}

/// What codes were drawn from.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// The plan in its written form.
    pub plan: String,
    /// The filter that it was drawn under.
    pub filter: String,
    /// Its strata, each with how many of its rows were coded.
    pub strata: Vec<(Stratum, usize)>,
}

/// Codes counted by columns, with all that has to be said beside them.
#[derive(Debug, Clone, PartialEq)]
pub struct Tally {
    /// What the columns are.
    pub axis: Axis,
    /// Which codes of a row count.
    pub which: Which,
    /// The counts.
    pub table: Crosstab,
    /// What the rows were drawn from, where they were drawn by lot.
    pub drawn: Option<Drawn>,
    /// How many rows count, and how many do not.
    pub numbers: Numbers,
    /// Whether reading on still brings anything new.
    pub saturation: Saturation,
    prevalence: BTreeMap<String, Prevalence>,
}

impl Tally {
    /// How common a code is among all rows that were drawn from; `None` where rows stand for no others.
    pub fn prevalence(&self, code: &str) -> Option<Prevalence> {
        self.prevalence.get(code).copied()
    }

    /// The part of the rows drawn from, 0 to 1, that is in strata without a coded row: it is not spoken of.
    pub fn uncovered(&self) -> Option<f64> {
        self.prevalence.values().next().map(|p| 1.0 - p.covered).filter(|part| *part > 0.0)
    }
}

/// Coded rows, ready to be counted.
#[derive(Debug, Clone)]
pub struct Basis<'a> {
    book: &'a Codebook,
    origin: Option<&'a Origin>,
    rows: Vec<CodedRow<'a>>,
    numbers: Numbers,
    sampled: Option<Sampled<'a>>,
    saturation: Saturation,
}

impl<'a> Basis<'a> {
    /// Of codings that were put to their rows. Those of answers that changed since are told and not counted. `shown`
    /// tells which rows of the plan are asked for.
    pub fn of(
        table: &'a Table,
        placed: &'a Placed,
        book: &'a Codebook,
        origin: Option<&'a Origin>,
        scorer: Scorer,
        shown: impl Fn(u32) -> bool,
    ) -> Self {
        let coded = coded(table, placed, book, scorer);
        let sampled = origin.and_then(|o| Sampled::of(&o.plan, table, &o.rows, scorer, &coded.rows, shown));
        let saturation = saturation(coded.rows.iter().map(|r| r.codes.iter().copied()));
        Self { book, origin, rows: coded.rows, numbers: coded.numbers, sampled, saturation }
    }

    /// Counts the codes.
    pub fn count(&self, axis: Axis, which: Which) -> Tally {
        let order: Vec<&str> = self.book.codes.iter().map(|c| c.id.as_str()).collect();
        let table = crosstab(&self.rows, &order, axis, which);
        let sampled = self.sampled.as_ref();
        let codes = table.lines.iter().map(|l| &l.code);
        let prevalence = codes.filter_map(|code| Some((code.clone(), sampled?.prevalence(code, which)?)));
        let drawn = sampled.zip(self.origin).map(|(sampled, origin)| Drawn {
            plan: origin.plan.to_string(),
            filter: origin.filter.clone(),
            strata: sampled.strata.iter().map(|s| (*s, sampled.coded_of(s))).collect(),
        });
        Tally {
            axis,
            which,
            prevalence: prevalence.collect(),
            table,
            drawn,
            numbers: self.numbers,
            saturation: self.saturation.clone(),
        }
    }
}

#[cfg(test)]
#[path = "tally_tests.rs"]
mod tests;
