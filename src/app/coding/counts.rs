//! Codes counted: by transition, model or split.
//!
//! Whether an answer is still the one that was coded only its record tells, so that counting is done outside.

use std::sync::Arc;

use super::super::{Effect, Model, Overlay, Rows};
use crate::figures::{Cell, Mark, Row, interval, or_none, three};
use crate::keymap::Action;
use crate::record::Scorer;
use crate::review::{Axis, Codebook, Line, Notes, Tally, Which, unseen};
use crate::store::Table;
use crate::text::{count, several};

/// Codes to be counted, by every axis and both ways.
#[derive(Debug, Clone)]
pub struct CountRequest {
    /// Number; a newer request makes older ones moot.
    pub id: u64,
    /// The table.
    pub table: Arc<Table>,
    /// The rows that are shown: no other ones count.
    pub rows: Rows,
    /// What was said of them.
    pub notes: Arc<Notes>,
    /// The codebook.
    pub book: Arc<Codebook>,
    /// Only what this person said.
    pub by: Option<String>,
    /// Whose transitions.
    pub scorer: Scorer,
}

/// The screen of counts.
#[derive(Debug, Default)]
pub struct Counts {
    /// What the columns are.
    pub axis: Axis,
    /// Which codes of a row count.
    pub which: Which,
    /// Titles of the columns.
    pub columns: Vec<String>,
    /// A line a code.
    pub rows: Vec<Row>,
    /// What stands behind the cells.
    pub marks: Vec<Mark>,
    /// The mark under the cursor.
    pub cursor: usize,
    /// What has to be said of it.
    pub notes: Vec<String>,
    /// The request that it waits for, or that was answered.
    id: u64,
    /// What was counted; empty until it is.
    tallies: Vec<Tally>,
}

impl Model {
    /// Opens the counts.
    pub(in super::super) fn open_counts(&mut self) -> Vec<Effect> {
        if !self.table.marks.0.values().any(crate::store::Mark::is_coded) {
            self.say("nothing is coded yet");
            return Vec::new();
        }
        self.review.counting += 1;
        let id = self.review.counting;
        let notes = vec!["counting…".to_owned()];
        self.overlays.push(Overlay::Counts(Box::new(Counts { notes, id, ..Counts::default() })));
        vec![Effect::Count(Box::new(CountRequest {
            id,
            table: self.table.clone(),
            rows: self.view.rows.clone(),
            notes: self.review.notes.clone(),
            book: self.review.book.clone(),
            by: self.review.blind.then(|| self.review.by.clone()),
            scorer: self.scorer,
        }))]
    }

    /// The codes were counted, or why they could not be.
    pub(in super::super) fn take_counts(&mut self, id: u64, found: Result<Vec<Tally>, String>) {
        let book = self.review.book.clone();
        let waits = |o: &Overlay| matches!(o, Overlay::Counts(c) if c.id == id);
        match found {
            Ok(tallies) => {
                for overlay in &mut self.overlays {
                    if let Overlay::Counts(counts) = overlay
                        && counts.id == id
                    {
                        counts.tallies.clone_from(&tallies);
                        counts.lay_out(&book);
                    }
                }
            }
            Err(why) if self.overlays.iter().any(waits) => {
                self.overlays.retain(|o| !waits(o));
                self.fail(format!("codes could not be counted: {why}"));
            }
            Err(_) => {}
        }
    }

    /// An action in the counts.
    pub(in super::super) fn act_in_counts(&mut self, action: Action) -> Vec<Effect> {
        let book = self.review.book.clone();
        let Some(Overlay::Counts(counts)) = self.overlays.last_mut() else { return Vec::new() };
        match action {
            Action::Down => counts.step(0, 1),
            Action::Up => counts.step(0, -1),
            Action::Right => counts.step(1, 0),
            Action::Left => counts.step(-1, 0),
            Action::FocusNext | Action::NextFigure => {
                let at = Axis::ALL.iter().position(|a| *a == counts.axis).unwrap_or(0);
                counts.axis = Axis::ALL.into_iter().cycle().nth(at + 1).unwrap_or_default();
                counts.lay_out(&book);
            }
            Action::ToggleItem | Action::OtherFigure => {
                counts.which = if counts.which == Which::Primary { Which::Any } else { Which::Primary };
                counts.lay_out(&book);
            }
            Action::Accept | Action::OpenDetail => {
                let mark = counts.marks.get(counts.cursor).filter(|m| m.n > 0).map(|m| m.term.clone());
                let Some(term) = mark else {
                    self.say("no row behind it");
                    return Vec::new();
                };
                self.overlays.clear();
                let effects = if self.coding.is_some() { self.leave_coding() } else { Vec::new() };
                return effects.into_iter().chain(self.add_term(&term)).collect();
            }
            Action::CodeCounts => return self.close_top(),
            _ => {}
        }
        Vec::new()
    }
}

impl Counts {
    fn step(&mut self, across: isize, down: isize) {
        let Some(place) = self.marks.get(self.cursor).map(|m| m.place) else { return };
        let to = (place.0.saturating_add_signed(down), place.1.saturating_add_signed(across));
        if let Some(at) = self.marks.iter().position(|m| m.place == to) {
            self.cursor = at;
        }
    }

    /// Writes down what was counted by the axis, in the way that is wanted.
    fn lay_out(&mut self, book: &Codebook) {
        let wanted = |t: &&Tally| (t.axis, t.which) == (self.axis, self.which);
        let Some(tally) = self.tallies.iter().find(wanted).cloned() else { return };
        (self.rows, self.marks, self.cursor) = (Vec::new(), Vec::new(), 0);
        let tab = &tally.table;
        self.columns =
            tab.columns.iter().map(|(name, n)| format!("{} ({n})", name.replace('_', " "))).collect();
        self.columns.push(format!("all ({})", tab.rows));
        self.columns.push("95 %".to_owned());
        if tally.drawn.is_some() {
            self.columns.push("weighted".to_owned());
        }
        for line in tab.lines.iter().filter(|l| l.total.part > 0) {
            let name = book.get(&line.code).map_or(line.code.as_str(), |c| &c.name);
            let row = self.line(&tally, line, name);
            self.rows.push(row);
        }
        self.notes = said(&tally);
    }

    fn line(&mut self, tally: &Tally, line: &Line, name: &str) -> Row {
        let mut row = Row { label: name.to_owned(), ..Row::default() };
        let code = code_term(&line.code, self.which);
        let place = self.rows.len();
        for (at, (share, (column, _))) in line.cells.iter().zip(&tally.table.columns).enumerate() {
            let term = format!("{code} {}", column_term(self.axis, column));
            let mark = push(&mut self.marks, name, column, *share, term, (place, at));
            row.cells.push(Cell {
                text: share.part.to_string(),
                value: Some(share.part as f64),
                mark: Some(mark),
            });
        }
        let at = line.cells.len();
        let total = push(&mut self.marks, name, "all", line.total, code, (place, at));
        row.cells.push(Cell {
            text: line.total.part.to_string(),
            value: Some(line.total.part as f64),
            mark: Some(total),
        });
        row.cells.push(Cell { text: interval(line.total.wilson(), three), ..Cell::default() });
        if tally.drawn.is_some() {
            let found = tally.prevalence(&line.code);
            let text = found.map(|p| format!("{} ({})", three(p.share), interval(Some(p.interval), three)));
            let text = text.unwrap_or_else(|| or_none(None, three));
            if let Some(mark) = self.marks.get_mut(total) {
                // Before the others, since the column has no room on a small screen.
                mark.facts.insert(2, ("weighted", text.clone()));
            }
            row.cells.push(Cell { text, ..Cell::default() });
        }
        row
    }
}

/// What has to be said beside the counts, what matters most first.
fn said(tally: &Tally) -> Vec<String> {
    let mut lines = Vec::new();
    let outdated = tally.numbers.outdated;
    if outdated > 0 {
        lines.push(format!(
            "{} outdated, not counted: the answers changed since (lists show them, too)",
            several(outdated, "row")
        ));
    }
    if let Some(drawn) = &tally.drawn {
        let strata = drawn.strata.iter().map(|(s, coded)| {
            let name = s.transition.map_or("all", |t| t.name()).replace('_', " ");
            format!("{name} {} of {}", count(*coded as u64), count(s.size as u64))
        });
        let strata: Vec<String> = strata.collect();
        let rest = tally
            .uncovered()
            .map_or_else(String::new, |part| format!(", {} of rows not spoken of", three(part)));
        lines.push(format!("weighted back{rest}: {}", strata.join(", ")));
    }
    let found = &tally.saturation;
    lines.push(format!(
        "{} without a new code since; new codes in the last ten: {}",
        several(found.since_last_new, "row"),
        found.new_per_ten.last().copied().unwrap_or(0)
    ));
    lines.push(format!(
        "a failure in 5 % of rows is still unseen with a chance of {}",
        three(unseen(0.05, tally.table.rows))
    ));
    lines.push(if tally.which == Which::Primary {
        "primary codes; a row counts once".to_owned()
    } else {
        "every code; a row counts for each of its codes".to_owned()
    });
    lines
}

fn push(
    marks: &mut Vec<Mark>,
    code: &str,
    column: &str,
    share: crate::stats::Share,
    term: String,
    place: (usize, usize),
) -> usize {
    marks.push(Mark {
        label: format!("{code} · {}", column.replace('_', " ")),
        facts: vec![
            ("rows", share.part.to_string()),
            ("of", share.whole.to_string()),
            ("share", or_none(share.value(), three)),
            ("95 %", interval(share.wilson(), three)),
        ],
        n: share.part,
        small: share.is_small(),
        term,
        place,
    });
    marks.len() - 1
}

fn code_term(code: &str, which: Which) -> String {
    let field = if which == Which::Primary { "primary" } else { "code" };
    format!("{field}={}", crate::query::quoted(code))
}

fn column_term(axis: Axis, column: &str) -> String {
    let value = if column.is_empty() { "none".to_owned() } else { crate::query::quoted(column) };
    match axis {
        Axis::Transition => format!("transition:{column}"),
        Axis::Model => format!("model=={value}"),
        Axis::Split => format!("split=={value}"),
    }
}
