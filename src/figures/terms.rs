//! The filters that lead from a number back to its rows.

use std::fmt::Write as _;

use crate::query::{Base, Expr, Field, Op, Test, Value};
use crate::record::{Condition, Errors, Transition};
use crate::stats::Group;
use crate::text::folded;

/// Which rows a figure is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scope {
    /// The filter that shows the group alone; empty when it is everything that is shown.
    pub group: String,
    /// What errors count as.
    pub errors: Errors,
}

impl Scope {
    /// The scope of one group among all of them.
    pub fn of(group: &Group, all: &[Group], errors: Errors) -> Self {
        let mut tests = Vec::new();
        if all.len() > 1 && !group.whole {
            // Names that differ in case or diacritics alone are the same to `=`.
            let alike = |of: fn(&Group) -> &str| {
                let (own, form) = (of(group), folded(of(group)));
                all.iter().map(of).any(|other| other != own && folded(other) == form)
            };
            let op = |is_alike| if is_alike { Op::Exact } else { Op::Is };
            tests.push(named(Base::Model, op(alike(|g| &g.model)), &group.model));
            tests.push(named(Base::Split, op(alike(|g| &g.split)), &group.split));
            if let Some(run) = &group.run {
                // The run of the row, not that of any side.
                tests.push(named(Base::Run, Op::Exact, run));
            }
        }
        Self { group: tests.into_iter().fold(Expr::All, Expr::and).to_string(), errors }
    }

    /// A term about the rows of the group.
    pub(super) fn term(&self, term: &str) -> String {
        match (self.group.is_empty(), term.is_empty()) {
            (_, true) => self.group.clone(),
            (true, false) => term.to_owned(),
            (false, false) => format!("{} {term}", self.group),
        }
    }

    /// Those whose attempt under a condition counts in its accuracy.
    pub(super) fn answered(&self, condition: Condition) -> String {
        match self.errors {
            Errors::Drop => self.term(&judged(condition)),
            Errors::Wrong => self.term(&format!("condition:{}", condition.name())),
        }
    }
}

fn named(base: Base, op: Op, name: &str) -> Expr {
    let value = if name.is_empty() { Value::None } else { Value::Text(name.to_owned()) };
    Expr::Test(Test { field: Field::from(base), op, values: vec![value] })
}

/// The suffix of a field about a condition.
const fn side(condition: Condition) -> &'static str {
    match condition {
        Condition::NoSearch => "no",
        Condition::WithSearch => "with",
        Condition::EvidenceBlocked => "blocked",
    }
}

/// Attempts that are right or wrong.
pub(super) fn judged(condition: Condition) -> String {
    format!("verdict.{}:right,wrong", side(condition))
}

/// Judged attempts that state a confidence.
pub(super) fn confident(condition: Condition) -> String {
    let side = side(condition);
    format!("conf.{side}:0..1 verdict.{side}:right,wrong")
}

/// Judged attempts that state none.
pub(super) fn silent(condition: Condition) -> String {
    let side = side(condition);
    format!("conf.{side}=none verdict.{side}:right,wrong")
}

/// With-search attempts that are not in error.
pub(super) const INVOKED: &str = "condition:with_search not verdict.with:error,truncated,refused,paused";

/// Pairs with both sides judged.
pub(super) const PAIRS: &str = "transition:corrected,preserved,broken,unresolved,not_searched";

/// One of ten bins: edges as the bins have them, the last closed.
pub(super) fn bin(condition: Condition, at: usize) -> String {
    let side = side(condition);
    let edge = |n: usize| n as f64 / 10.0;
    let mut term = format!("conf.{side}>={}", edge(at));
    let _ =
        if at >= 9 { write!(term, " conf.{side}<=1") } else { write!(term, " conf.{side}<{}", edge(at + 1)) };
    term
}

/// A transition.
pub(super) fn transition(t: Transition) -> String {
    format!("transition:{}", t.name())
}
