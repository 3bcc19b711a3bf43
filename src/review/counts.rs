//! Counting codes: by transition, model and split, weighted back to the whole, and whether there is anything new to
//! be found.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::record::Transition;
use crate::stats::{Share, wilson_at};

use super::plan::Stratum;

/// A coded row as far as it is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodedRow<'a> {
    /// Its number in the table.
    pub row: u32,
    /// The primary code under its id of today; `None` where only a note was written.
    pub primary: Option<&'a str>,
    /// All codes under their ids of today, the primary one among them.
    pub codes: Vec<&'a str>,
    /// Its transition.
    pub transition: Transition,
    /// Its model.
    pub model: &'a str,
    /// Its split; empty where it has none.
    pub split: &'a str,
}

/// Which codes of a row count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Which {
    /// The primary one, so that a row counts once.
    #[default]
    Primary,
    /// Every one.
    Any,
}

/// What the columns of a table of counts are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Axis {
    /// Transitions.
    #[default]
    Transition,
    /// Models.
    Model,
    /// Splits.
    Split,
}

impl Axis {
    /// All of them, in the order in which they are gone through.
    pub const ALL: [Self; 3] = [Self::Transition, Self::Model, Self::Split];
}

impl CodedRow<'_> {
    /// Whether a code of it counts.
    pub fn has(&self, code: &str, which: Which) -> bool {
        match which {
            Which::Primary => self.primary == Some(code),
            Which::Any => self.codes.contains(&code),
        }
    }

    /// The column it counts in.
    pub const fn column(&self, axis: Axis) -> &str {
        match axis {
            Axis::Transition => self.transition.name(),
            Axis::Model => self.model,
            Axis::Split => self.split,
        }
    }
}

/// Codes by columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Crosstab {
    /// The columns: name and how many coded rows it has.
    pub columns: Vec<(String, u64)>,
    /// A line a code.
    pub lines: Vec<Line>,
    /// All coded rows.
    pub rows: u64,
}

/// A code's counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Line {
    /// The code's id.
    pub code: String,
    /// By column: rows with the code of the coded rows of the column. [`Share::wilson`] is the interval of a column
    /// that was read whole or drawn at random.
    pub cells: Vec<Share>,
    /// Of all coded rows.
    pub total: Share,
}

/// Counts codes by columns.
///
/// `order` is the order of lines, the codebook's; codes that it does not name come after, by id. Transitions are in
/// their own order and only those that have coded rows, other columns by name.
pub fn crosstab(rows: &[CodedRow<'_>], order: &[&str], axis: Axis, which: Which) -> Crosstab {
    let names: BTreeSet<&str> = rows.iter().map(|r| r.column(axis)).collect();
    let names: Vec<&str> = match axis {
        Axis::Transition => Transition::ALL.iter().map(|t| t.name()).filter(|n| names.contains(n)).collect(),
        _ => names.into_iter().collect(),
    };
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for row in rows {
        let column = row.column(axis);
        *sizes.entry(column).or_default() += 1;
        let codes: BTreeSet<&str> = match which {
            Which::Primary => row.primary.into_iter().collect(),
            Which::Any => row.codes.iter().copied().collect(),
        };
        for code in codes {
            *counts.entry((code, column)).or_default() += 1;
        }
    }
    let size = |column: &str| sizes.get(column).copied().unwrap_or(0);
    let all = rows.len() as u64;
    let others: BTreeSet<&str> =
        counts.keys().map(|(code, _)| *code).filter(|c| !order.contains(c)).collect();
    let lines = order.iter().copied().chain(others).map(|code| {
        let cells: Vec<Share> = names
            .iter()
            .map(|n| Share { part: counts.get(&(code, *n)).copied().unwrap_or(0), whole: size(n) })
            .collect();
        let part = cells.iter().map(|c| c.part).sum();
        Line { code: code.to_owned(), cells, total: Share { part, whole: all } }
    });
    Crosstab {
        lines: lines.collect(),
        columns: names.iter().map(|n| ((*n).to_owned(), size(n))).collect(),
        rows: all,
    }
}

/// The rows behind a cell; without a column, behind a line's total.
pub fn rows_of(
    rows: &[CodedRow<'_>],
    code: &str,
    axis: Axis,
    column: Option<&str>,
    which: Which,
) -> Vec<u32> {
    let in_cell = |r: &&CodedRow<'_>| r.has(code, which) && column.is_none_or(|c| r.column(axis) == c);
    rows.iter().filter(in_cell).map(|r| r.row).collect()
}

/// How common a code is among the rows that a sample was drawn from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prevalence {
    /// The share, 0 to 1: Σ W·p over strata, W a stratum's part of the whole and p its share of coded rows with the
    /// code (Cochran 1977, 5.1).
    pub share: f64,
    /// The 95 % Wilson interval with the effective size.
    pub interval: (f64, f64),
    /// What the coded rows are worth, in rows of a plain random sample: 1 / Σ W²/n (Kish 1965). What
    /// stratifying gains is left out, so that the interval is rather too wide than too narrow.
    pub effective: f64,
    /// The part of the rows drawn from that is in strata with a coded row; what is below 1 is not spoken of.
    pub covered: f64,
}

/// The weighted prevalence of a code. `None` where no stratum has a coded row.
///
/// A stratum's weight comes from what was coded of it by now, not from what was drawn, so that it holds at every moment
/// of a session whose rows are read in random order.
pub fn prevalence(rows: &[CodedRow<'_>], strata: &[Stratum], code: &str, which: Which) -> Option<Prevalence> {
    let whole: usize = strata.iter().map(|s| s.size).sum();
    let parts: Vec<(f64, f64, f64)> = strata
        .iter()
        .filter_map(|s| {
            let own = rows.iter().filter(|r| s.transition.is_none_or(|t| t == r.transition));
            let (n, with) =
                own.fold((0_u64, 0_u64), |(n, with), r| (n + 1, with + u64::from(r.has(code, which))));
            (n > 0 && s.size > 0).then_some((s.size as f64, n as f64, with as f64))
        })
        .collect();
    let spoken_of: f64 = parts.iter().map(|(size, ..)| size).sum();
    if parts.is_empty() {
        return None;
    }
    let share: f64 = parts.iter().map(|(size, n, with)| size / spoken_of * with / n).sum();
    // Sums of shares may pass 1 by a rounding.
    let share = share.clamp(0.0, 1.0);
    let effective = 1.0 / parts.iter().map(|(size, n, _)| (size / spoken_of).powi(2) / n).sum::<f64>();
    let interval = wilson_at(share, effective)?;
    Some(Prevalence { share, interval, effective, covered: spoken_of / whole as f64 })
}

/// Whether reading on still brings anything new.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Saturation {
    /// Rows coded.
    pub traces: u64,
    /// Different codes met.
    pub codes: u64,
    /// Rows since the last one that had a code for the first time; all of them when none ever had.
    pub since_last_new: u64,
    /// Codes met for the first time in each ten rows, the last ten perhaps not full.
    pub new_per_ten: Vec<u64>,
}

/// Saturation of rows in the order in which they were coded, each with all its codes.
pub fn saturation<'a, C>(rows: impl IntoIterator<Item = C>) -> Saturation
where
    C: IntoIterator<Item = &'a str>,
{
    let mut seen: HashSet<&str> = HashSet::new();
    let mut out = Saturation::default();
    for codes in rows {
        if out.traces % 10 == 0 {
            out.new_per_ten.push(0);
        }
        out.traces += 1;
        out.since_last_new += 1;
        for code in codes {
            if seen.insert(code) {
                out.since_last_new = 0;
                if let Some(last) = out.new_per_ten.last_mut() {
                    *last += 1;
                }
            }
        }
    }
    out.codes = seen.len() as u64;
    out
}

/// The chance, 0 to 1, that a failure of prevalence `p` (0 to 1) is in none of `n` rows drawn at random: (1 − p)^n.
pub fn unseen(p: f64, n: u64) -> f64 {
    if n == 0 { 1.0 } else { (n as f64 * (-p.clamp(0.0, 1.0)).ln_1p()).exp() }
}

/// How common, 0 to 1, a failure that was in none of `n` rows can be at most, with 95 % confidence: 1 − 0.05^(1/n),
/// near 3/n (Hanley and Lippman-Hand 1983); 1 for no rows.
pub fn unseen_bound(n: u64) -> f64 {
    if n == 0 { 1.0 } else { -((0.05_f64).ln() / n as f64).exp_m1() }
}

#[cfg(test)]
#[path = "counts_tests.rs"]
mod tests;
