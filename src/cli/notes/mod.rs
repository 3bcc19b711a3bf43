//! `notes`: what people said of rows, for others to read.

mod patch;

use std::collections::{HashMap, HashSet};
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::query;
use crate::record::{Condition, Transition};
use crate::review::{
    Entry, Exported, Found, Key, Notes, Override, Plan, Sample, held, key_of, last_plan, locate, overlay,
    place_codings, plan_rows, to_csv, to_jsonl, to_markdown,
};
use crate::store::Bundle;
use crate::text::{sanitize_line, several, truncate, width};
use crate::view::pair_markdown;

use super::codes::rows;
use super::export::to_target;
use super::grid::Grid;
use super::noted::{Noted, SaidArgs, mark_of};
use super::open::Opened;
use super::{Error, Io, exit};

/// What a note keeps of its width in a table, at least.
const NOTE: usize = 24;

/// `notes`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct NotesExportArgs {
    /// What is looked at.
    #[command(flatten)]
    pub said: SaidArgs,
    /// How they are written
    #[arg(long, value_name = "FORMAT", default_value = "table", value_enum, help_heading = "Output")]
    pub format: NotesFormat,
    /// Write to this file instead of standard output; never one of the input files
    #[arg(long, short, value_name = "FILE|-", default_value = "-", hide_default_value = true, value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub out: PathBuf,
    /// Write the added answers as a patch to this question file, for git apply or patch -p1, and nothing else
    #[arg(long, value_name = "DATA_FILE", value_hint = ValueHint::FilePath, conflicts_with = "format", help_heading = "Output")]
    pub patch: Option<PathBuf>,
    /// With --patch: write the whole question file with the added answers in it, not the difference
    #[arg(long, requires = "patch", help_heading = "Output")]
    pub whole: bool,
}

const EXAMPLES: &str = "\
Examples:
  lookitup notes                                        a line a row that was coded, deferred or judged
  lookitup notes run.jsonl --format csv --out coded.csv
  lookitup notes run.jsonl --filter 'transition:broken' --format md --out bundle.md
  lookitup notes run.jsonl --notes ann.notes.jsonl --format jsonl | jq -r .primary
  lookitup notes run.jsonl --patch data/static.jsonl > answers.patch
Exit code: 0 done, 1 nobody of that name, or a file that cannot be written, 2 usage, 3 nothing could be read.";

/// How `notes` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum NotesFormat {
    /// Columns for reading
    Table,
    /// Comma-separated values, safe for spreadsheets
    Csv,
    /// A page with the evidence of each row
    #[value(alias = "markdown")]
    Md,
    /// One JSON object a line (data/schema/coded.schema.json)
    Jsonl,
}

pub(super) fn run(args: &NotesExportArgs, io: &mut Io) -> Result<u8, Error> {
    let (mut opened, noted, filter) = args.said.open(io)?;
    if let Some(data) = &args.patch {
        return patch::run(args, data, &opened, noted.notes(), io);
    }
    opened.mark(noted.notes(), &noted.book, args.said.person.as_deref());
    let shown = rows(&opened, &filter);
    let said = said(&opened, noted.notes(), args.said.person.as_deref(), &shown)?;
    if said.elsewhere > 0 {
        let n = several(said.elsewhere, "note");
        io.note(format_args!("note: {n} on rows that are not open, or not shown by the filter"));
    }
    let exported: Vec<Exported<'_>> = said.rows.iter().map(|row| row.exported()).collect();
    let ((), path) = to_target(&args.out, &opened.table, io, |io| {
        let text = match args.format {
            NotesFormat::Csv => to_csv(&exported, &noted.book),
            NotesFormat::Jsonl => to_jsonl(&exported, &noted.book),
            NotesFormat::Md => page(&opened, &noted, &said.rows, &exported, &shown),
            NotesFormat::Table => table(&noted, &exported, io.width),
        };
        Ok(io.out.write_all(text.as_bytes())?)
    })?;
    if let Some(path) = path {
        io.note(format_args!("{} written to {}", several(exported.len(), "row"), path.display()));
    }
    Ok(exit::DONE)
}

/// A row with all that was said of it.
struct Said<'a> {
    pair: u32,
    key: Key,
    bundle: Bundle,
    transition: Transition,
    reviewed: Transition,
    coding: Option<Found>,
    verdicts: Vec<Override<'a>>,
    added: Vec<&'a Entry>,
    weight: Option<f64>,
}

struct AllSaid<'a> {
    rows: Vec<Said<'a>>,
    elsewhere: u64,
}

impl Said<'_> {
    fn exported(&self) -> Exported<'_> {
        let side = |c: Condition| self.bundle.sides.get(c as usize).and_then(|s| s.as_deref());
        Exported {
            key: &self.key,
            question: &self.bundle.question,
            no: side(Condition::NoSearch),
            with: side(Condition::WithSearch),
            transition: self.transition,
            reviewed: self.reviewed,
            coding: self.coding.as_ref().map(Found::coding),
            verdicts: self.verdicts.clone(),
            added: self.added.clone(),
            is_changed: self.coding.as_ref().is_some_and(|c| c.is_outdated),
            weight: self.weight,
        }
    }
}

/// Everything that was said of the rows shown, row by row in their order.
fn said<'a>(
    opened: &Opened,
    notes: &'a Notes,
    person: Option<&str>,
    shown: &[u32],
) -> Result<AllSaid<'a>, Error> {
    let (table, scorer) = (&*opened.table, opened.judge.scorer);
    let failed = |source| Error::Record { what: "a record could not be read".to_owned(), source };
    let among: HashSet<u32> = shown.iter().copied().collect();
    let placed =
        place_codings(table, &opened.reader, notes, person, |row| among.contains(&row)).map_err(failed)?;
    let mut elsewhere = placed.elsewhere;
    let mut coding: HashMap<u32, Found> = placed.list.into_iter().map(|f| (f.pair, f)).collect();

    let mut verdicts: HashMap<u32, Vec<Override<'a>>> = HashMap::new();
    let given: Vec<Override<'a>> = person.map_or_else(|| notes.verdicts(), |by| notes.verdicts_by(by));
    let lines: Vec<&Entry> = given.iter().map(|v| v.entry).collect();
    for (verdict, rows) in given.iter().zip(held(table, notes, person, &lines)) {
        let Some(mut rows) = rows else { continue };
        rows.retain(|row| among.contains(row));
        elsewhere += u64::from(rows.is_empty());
        for row in rows {
            verdicts.entry(row).or_default().push(*verdict);
        }
    }
    let mut added: HashMap<u32, Vec<&'a Entry>> = HashMap::new();
    let answers: Vec<&'a Entry> =
        person.map_or_else(|| notes.references(None), |by| notes.references_by(None, by));
    let keys: Vec<Key> = answers.iter().map(|e| Key::question(e.key.question_id.as_str())).collect();
    for (entry, mut rows) in answers.iter().zip(locate(table, &keys.iter().collect::<Vec<_>>())) {
        rows.retain(|row| among.contains(row));
        elsewhere += u64::from(rows.is_empty());
        for row in rows {
            added.entry(row).or_default().push(*entry);
        }
    }

    let reviewed = overlay(table, &opened.reader, notes);
    let weights = weights(opened, notes, person);
    let transition = |table: &crate::store::Table, row: u32| {
        let found = table.pairs.get(row as usize).and_then(|p| p.transitions.get(scorer as usize).copied());
        found.unwrap_or_default()
    };
    let mut rows = Vec::new();
    for &pair in shown {
        let coding = coding.remove(&pair);
        let (verdicts, added) = (verdicts.remove(&pair), added.remove(&pair));
        if coding.is_none() && verdicts.is_none() && added.is_none() {
            continue;
        }
        rows.push(Said {
            pair,
            key: key_of(table, pair).unwrap_or_default(),
            bundle: opened.bundle(pair)?,
            transition: transition(table, pair),
            reviewed: transition(&reviewed.table, pair),
            coding,
            verdicts: verdicts.unwrap_or_default(),
            added: added.unwrap_or_default(),
            weight: weights.get(&pair).copied(),
        });
    }
    Ok(AllSaid { rows, elsewhere })
}

/// How many rows each row of the last plan stands for.
fn weights(opened: &Opened, notes: &Notes, person: Option<&str>) -> HashMap<u32, f64> {
    let drawn = last_plan(notes, person).and_then(Plan::of_mark).and_then(|(plan, filter)| {
        let all = rows(opened, &query::parse(filter).ok()?);
        Some(plan.draw(&plan_rows(&opened.table, &all, opened.judge.scorer)))
    });
    let Sample { draws, .. } = drawn.unwrap_or_default();
    draws.into_iter().filter_map(|d| Some((d.row, d.weight?))).collect()
}

fn page(opened: &Opened, noted: &Noted, said: &[Said<'_>], rows: &[Exported<'_>], shown: &[u32]) -> String {
    let mark = mark_of(&opened.table, shown).map_or_else(String::new, |m| format!(" · {m}"));
    let by: HashMap<&Key, &Said<'_>> = said.iter().map(|s| (&s.key, s)).collect();
    to_markdown(&format!("Coded rows{mark}"), rows, &noted.book, |row| {
        by.get(row.key).map_or_else(String::new, |s| {
            pair_markdown(&opened.table, s.pair, &s.bundle, opened.judge.scorer)
        })
    })
}

fn table(noted: &Noted, rows: &[Exported<'_>], wide: usize) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let head = ["id", "model", "attempt", "transition", "reviewed", "state", "codes", "by", "note"];
    let mut grid = Grid { head: head.map(str::to_owned).to_vec(), rows: Vec::new(), left: head.len() };
    let word = |t: Transition| t.name().replace('_', " ");
    for row in rows {
        let (primary, others) = row.codes(&noted.book);
        let codes: Vec<&str> = primary.into_iter().chain(others).collect();
        let verdicts: Vec<String> = row
            .verdicts
            .iter()
            .map(|v| format!("{} {}", v.entry.key.on.name().replace('_', " "), v.verdict.name()))
            .collect();
        let added = if row.added.is_empty() { None } else { Some(several(row.added.len(), "added answer")) };
        let mut note: Vec<String> =
            row.is_changed.then(|| "(answers changed)".to_owned()).into_iter().collect();
        note.extend(row.coding.map(|c| c.note().to_owned()).filter(|n| !n.trim().is_empty()));
        note.extend(verdicts.into_iter().chain(added));
        let by = row.coding.map(|c| c.entry).or_else(|| row.verdicts.first().map(|v| v.entry));
        let by = by.or_else(|| row.added.first().copied());
        grid.rows.push(vec![
            row.key.question_id.clone(),
            row.key.model.clone(),
            row.key.attempt.to_string(),
            word(row.transition),
            if row.reviewed == row.transition { String::new() } else { word(row.reviewed) },
            row.state().to_owned(),
            codes.join(", "),
            by.map_or_else(String::new, |e| e.by.clone()),
            note.join("; "),
        ]);
    }
    let notes = grid.rows.iter().filter_map(|r| r.last()).map(|n| width(&sanitize_line(n)));
    let others = grid.width().saturating_sub(notes.max().unwrap_or(0));
    let room = wide.saturating_sub(others).max(NOTE);
    for note in grid.rows.iter_mut().filter_map(|r| r.last_mut()) {
        *note = truncate(&sanitize_line(note), room).into_owned();
    }
    grid.text()
}
