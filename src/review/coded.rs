//! The rows that were coded, as they are counted.

use crate::record::{Condition, Scorer};
use crate::store::{ReadError, Reader, Table};

use super::codebook::{Codebook, Today};
use super::counts::{CodedRow, Prevalence, Which, prevalence};
use super::entry::{Act, Entry, On, pair_hash};
use super::locate::{held, plan_rows};
use super::notes::{Coding, Notes};
use super::plan::{Plan, Stratum};

/// A coding and the row it is of.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// The coding's line.
    pub entry: Entry,
    /// The row.
    pub pair: u32,
    /// Whether it was given on other answers than the row has now.
    pub is_outdated: bool,
}

impl Found {
    /// The coding.
    pub const fn coding(&self) -> Coding<'_> {
        Coding { entry: &self.entry }
    }
}

/// Codings with their rows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Placed {
    /// In the order in which they were made.
    pub list: Vec<Found>,
    /// Codings of rows that are not open, or not among those asked for.
    pub elsewhere: u64,
    /// Codings that name no run and may be of several rows: they are put to the first whose answers they were given on.
    pub ambiguous: u64,
}

/// Puts the codings that stand to their rows, or with `by` those of one person; `shown` tells which rows are asked for.
/// Reads the records of those rows: only the answers tell whether what was coded is what is open.
///
/// # Errors
/// A record cannot be read.
pub fn place_codings(
    table: &Table,
    reader: &Reader,
    notes: &Notes,
    by: Option<&str>,
    shown: impl Fn(u32) -> bool,
) -> Result<Placed, ReadError> {
    let codings = by.map_or_else(|| notes.codings(), |by| notes.codings_by(by));
    let lines: Vec<&Entry> = codings.iter().map(|c| c.entry).collect();
    let mut out = Placed::default();
    for (coding, rows) in codings.into_iter().zip(held(table, notes, by, &lines)) {
        // Another line counts instead.
        let Some(mut rows) = rows else { continue };
        rows.retain(|&row| shown(row) && coding.entry.key.on == On::Pair);
        let Some(&first) = rows.first() else {
            out.elsewhere += 1;
            continue;
        };
        out.ambiguous += u64::from(rows.len() > 1);
        let mut found = Found { entry: coding.entry.clone(), pair: first, is_outdated: true };
        for pair in rows {
            if !is_changed(table, reader, coding.entry, pair)? {
                (found.pair, found.is_outdated) = (pair, false);
                break;
            }
        }
        out.list.push(found);
    }
    Ok(out)
}

/// Whether what was said of a pair was said of other answers.
fn is_changed(table: &Table, reader: &Reader, entry: &Entry, pair: u32) -> Result<bool, ReadError> {
    if entry.answer.is_empty() {
        return Ok(false);
    }
    let bundle = reader.bundle(table, pair)?;
    let side = |c: Condition| bundle.sides.get(c as usize).and_then(|s| s.as_deref());
    Ok(Notes::is_changed(entry, &pair_hash(side(Condition::NoSearch), side(Condition::WithSearch))))
}

/// What there is to count.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coded<'a> {
    /// The rows that were coded, in that order. Those whose answers are others now are not among them: their codes say
    /// nothing of what is open.
    pub rows: Vec<CodedRow<'a>>,
    /// How many there are, and what is not among them.
    pub numbers: Numbers,
}

/// How many rows there are to count, and how many not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Numbers {
    /// Rows that count.
    pub coded: u64,
    /// Rows left for later.
    pub deferred: u64,
    /// Rows coded on answers that are others now.
    pub outdated: u64,
    /// Codings of rows that are not open, or not asked for.
    pub elsewhere: u64,
    /// Codings that name no run and may be of several rows.
    pub ambiguous: u64,
    /// Coded rows with a note and no code.
    pub without_code: u64,
    /// Coded rows with a code that was split since: to be looked at again.
    pub split: u64,
}

/// The coded rows, with codes under their ids of today and transitions under a scorer.
pub fn coded<'a>(table: &'a Table, placed: &'a Placed, book: &'a Codebook, scorer: Scorer) -> Coded<'a> {
    let mut rows = Vec::new();
    let mut out = Numbers { elsewhere: placed.elsewhere, ambiguous: placed.ambiguous, ..Numbers::default() };
    for found in &placed.list {
        let (coding, row) = (found.coding(), found.pair);
        let Some(pair) = table.pairs.get(row as usize) else { continue };
        if coding.is_deferred() {
            out.deferred += 1;
            continue;
        }
        if found.is_outdated {
            out.outdated += 1;
            continue;
        }
        let version = coding.codebook();
        let old = coding.codes();
        let mut codes: Vec<&str> = Vec::new();
        for code in old.iter().map(|id| book.today(id, version)) {
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        out.without_code += u64::from(codes.is_empty());
        out.split += u64::from(old.iter().any(|id| matches!(book.resolve(id, version), Today::Split(_))));
        out.coded += 1;
        rows.push(CodedRow {
            row,
            primary: coding.primary().map(|id| book.today(id, version)),
            codes,
            transition: pair.transitions.get(scorer as usize).copied().unwrap_or_default(),
            model: table.names.models.word(pair.model).unwrap_or(""),
            split: table.names.splits.word(table.split(pair)).unwrap_or(""),
        });
    }
    Coded { rows, numbers: out }
}

/// The plan that was followed last, by a person or by anybody: as its mark has it.
pub fn last_plan<'a>(notes: &'a Notes, by: Option<&str>) -> Option<&'a str> {
    let own = notes.in_order().filter(|e| by.is_none_or(|by| by == e.by));
    let marks = own.filter_map(|e| match &e.act {
        Act::Mark { plan, .. } => Some(plan.as_str()),
        _ => None,
    });
    marks.last()
}

/// Coded rows that stand for others: a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sampled<'a> {
    /// The coded rows that were drawn.
    pub rows: Vec<CodedRow<'a>>,
    /// What they were drawn from.
    pub strata: Vec<Stratum>,
}

impl<'a> Sampled<'a> {
    /// The coded rows that a plan drew from `all` (the rows of its own filter), where its rows stand for others and
    /// were drawn by lot, which holds however few of them were coded by now. `shown` narrows both: rows by lot from a
    /// stratum are rows by lot of any part of it.
    pub fn of(
        plan: &Plan,
        table: &Table,
        all: &[u32],
        scorer: Scorer,
        coded: &[CodedRow<'a>],
        shown: impl Fn(u32) -> bool,
    ) -> Option<Self> {
        if !plan.is_by_lot() {
            return None;
        }
        let all = plan_rows(table, all, scorer);
        let mut sample = plan.draw(&all);
        sample.draws.retain(|d| shown(d.row));
        for stratum in &mut sample.strata {
            let own =
                |r: &&super::PlanRow| stratum.transition.is_none_or(|t| t == r.transition) && shown(r.row);
            stratum.size = all.iter().filter(own).count();
        }
        let drawn: std::collections::HashSet<u32> = sample.draws.iter().map(|d| d.row).collect();
        let rows: Vec<CodedRow<'a>> = coded.iter().filter(|r| drawn.contains(&r.row)).cloned().collect();
        (!rows.is_empty()).then_some(Self { rows, strata: sample.strata })
    }

    /// How common a code is among what was drawn from.
    pub fn prevalence(&self, code: &str, which: Which) -> Option<Prevalence> {
        prevalence(&self.rows, &self.strata, code, which)
    }

    /// Coded rows of a stratum.
    pub fn coded_of(&self, stratum: &Stratum) -> usize {
        self.rows.iter().filter(|r| stratum.transition.is_none_or(|t| t == r.transition)).count()
    }
}
