//! Whether files contradict themselves or each other.
//!
//! Owns the tests of coherence (METRICS, last section) and their findings with file and line. Reads everything that is
//! open, or figures that a publication prints ([`published`]); changes and prints nothing.

mod figures;
mod missing;
mod place;
pub mod published;
mod records;

#[cfg(test)]
mod check_tests;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::record::Scorer;
use crate::store::{Reader, Severity, Table};

use place::At;

/// How a finding weighs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Weight {
    /// Two things that cannot both be true, or a record that could not be read.
    Contradiction,
    /// Worth knowing, and possible.
    Note,
}

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A file or line that could not be read.
    Unreadable,
    /// A line that was read with a doubt: an id twice, references or a question's text that differ from those before, a
    /// confidence that is none.
    Doubtful,
    /// A question asked under one condition and not under the other, where others were asked under both.
    MissingSide,
    /// Splits of one question that differ between files.
    SplitDiffers,
    /// A no-search attempt that searched.
    SearchedWithoutTool,
    /// A recorded verdict `right` without an answer.
    RightWithoutAnswer,
    /// Every stated confidence of a model under a condition is the same.
    ConstantConfidence,
    /// ECE above 1 − accuracy.
    EceTooLarge,
    /// Counts that must add up and don't.
    Margins,
    /// A printed accuracy that the printed transitions leave no room for.
    AccuracyOutOfReach,
    /// Printed half-widths that each fit the other accuracy.
    HalfWidthsExchanged,
    /// A printed Brier score above that of always stating certainty.
    BrierTooLarge,
    /// A printed cost that does not follow from the others.
    CostDoesNotFollow,
    /// Printed counts that are no parts of each other.
    CountsDoNotAdd,
    /// Something about a file as a whole, such as other files in its folder.
    FileNote,
    /// Search requests that the provider billed against calls recorded.
    CallsDiffer,
    /// The recorded verdict is not what the scorer says.
    VerdictDiffers,
    /// Attempts at a question that no data file has, though data files are open.
    UnknownQuestion,
    /// A question without accepted answers and without a recorded verdict.
    NothingToCompare,
}

impl Kind {
    /// What cases of this kind are, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Unreadable => "could not be read",
            Self::Doubtful => "read with a doubt",
            Self::MissingSide => "asked under one condition only",
            Self::SplitDiffers => "in two splits",
            Self::SearchedWithoutTool => "searched though asked without search",
            Self::RightWithoutAnswer => "recorded as right without an answer",
            Self::ConstantConfidence => "the same confidence for everything",
            Self::EceTooLarge => "ECE above 1 − accuracy",
            Self::Margins => "answers and transitions do not add up",
            Self::AccuracyOutOfReach => "accuracy that the transitions leave no room for",
            Self::HalfWidthsExchanged => "half-widths that look exchanged",
            Self::BrierTooLarge => "Brier score above 1 − accuracy",
            Self::CostDoesNotFollow => "costs that do not follow from each other",
            Self::CountsDoNotAdd => "counts that do not add up",
            Self::FileNote => "about a file as a whole",
            Self::CallsDiffer => "calls billed are not those recorded",
            Self::VerdictDiffers => "the recorded verdict is not the scorer's",
            Self::UnknownQuestion => "in none of the data files",
            Self::NothingToCompare => "nothing to compare answers with",
        }
    }

    /// How a finding of this kind weighs.
    pub const fn weight(self) -> Weight {
        match self {
            Self::FileNote
            | Self::CallsDiffer
            | Self::VerdictDiffers
            | Self::UnknownQuestion
            | Self::NothingToCompare => Weight::Note,
            _ => Weight::Contradiction,
        }
    }
}

/// One case.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// How it weighs.
    pub severity: Weight,
    /// What it is.
    pub kind: Kind,
    /// The file; `None` when it concerns no one file.
    pub file: Option<PathBuf>,
    /// Line from 1; `None` when not known.
    pub line: Option<u64>,
    /// What is wrong, in one line.
    pub message: String,
    #[serde(skip)]
    at: Option<At>,
}

impl Finding {
    /// The attempt that it is about, by its number in the table that was tested.
    pub fn attempt(&self) -> Option<u32> {
        self.at.map(At::number)
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}:", file.display())?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
            }
            write!(f, " ")?;
        }
        write!(f, "{}", self.message)
    }
}

/// Everything found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// The cases, contradictions first, by kind; of each kind the first [`Report::KEPT`].
    pub findings: Vec<Finding>,
    /// How many cases of each kind there are in all.
    pub counts: BTreeMap<Kind, u64>,
    /// The rows read from lines that the loader told of.
    rows: BTreeMap<(PathBuf, u64), u32>,
}

impl Report {
    /// Cases kept of each kind.
    pub const KEPT: u64 = 1_000;

    /// The row that was read from a line of which the loader told something, by its number in the table; `None` where
    /// nothing was, and for packed and foreign files, whose lines are not those of the records.
    pub fn row_of(&self, file: &Path, line: u64) -> Option<u32> {
        self.rows.get(&(file.to_owned(), line)).copied()
    }

    /// How many cases weigh so.
    pub fn count(&self, weight: Weight) -> u64 {
        self.counts.iter().filter(|(kind, _)| kind.weight() == weight).map(|(_, n)| n).sum()
    }

    fn add(&mut self, kind: Kind, at: Option<At>, message: String) {
        self.put(Finding { severity: kind.weight(), kind, file: None, line: None, message, at });
    }

    fn put(&mut self, finding: Finding) {
        let count = self.counts.entry(finding.kind).or_insert(0);
        *count += 1;
        if *count <= Self::KEPT {
            self.findings.push(finding);
        }
    }
}

/// Tests everything that is open. `None` when `cancel` was set before the end.
pub fn check(table: &Table, reader: &Reader, scorer: Scorer, cancel: &AtomicBool) -> Option<Report> {
    let mut report = Report::default();
    problems(table, &mut report);
    missing::sides(table, &mut report);
    records::compare(table, reader, scorer, cancel, &mut report)?;
    figures::confidences(table, &mut report);
    figures::groups(table, scorer, &mut report);
    if cancel.load(Ordering::Relaxed) {
        return None;
    }
    place::resolve(table, reader, &mut report);
    report.rows = place::rows_of_problems(table, reader);
    report.findings.sort_by_key(|f| (f.severity, f.kind));
    Some(report)
}

/// What the loader has found already.
fn problems(table: &Table, report: &mut Report) {
    let problems = &table.problems;
    for problem in &problems.list {
        let kind = match problem.severity {
            Severity::Error => Kind::Unreadable,
            Severity::Warning if problem.line == 0 => Kind::FileNote,
            Severity::Warning => Kind::Doubtful,
        };
        let entry = problem.entry.as_deref().map_or_else(String::new, |e| format!("{e}: "));
        report.put(Finding {
            severity: kind.weight(),
            kind,
            file: Some(problem.path.clone()),
            line: (problem.line > 0).then_some(problem.line),
            message: format!("{entry}{}", problem.message),
            at: None,
        });
    }
    // Every problem is counted, yet not every one is kept: those that are not are lines.
    let kept = |severity| problems.list.iter().filter(|p| p.severity == severity).count() as u64;
    for (kind, all, kept) in [
        (Kind::Unreadable, problems.errors, kept(Severity::Error)),
        (Kind::Doubtful, problems.warnings, kept(Severity::Warning)),
    ] {
        if all > kept {
            *report.counts.entry(kind).or_insert(0) += all - kept;
        }
    }
}
