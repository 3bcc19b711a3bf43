//! Codes counted: by transition, model or split.

use super::super::{Effect, Model, Overlay};
use crate::figures::{Cell, Mark, Row, interval, or_none, three};
use crate::keymap::Action;
use crate::review::{Axis, CodedRow, Which, crosstab, saturation, unseen};

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
}

impl Model {
    /// Opens the counts.
    pub(in super::super) fn open_counts(&mut self) {
        if !self.table.marks.0.values().any(crate::store::Mark::is_coded) {
            return self.say("nothing is coded yet");
        }
        let counts = self.count_codes(Axis::default(), Which::default());
        self.overlays.push(Overlay::Counts(Box::new(counts)));
    }

    fn count_codes(&self, axis: Axis, which: Which) -> Counts {
        let table = &self.table;
        let mut coded: Vec<(u32, &crate::store::Mark)> = table
            .marks
            .0
            .iter()
            .filter(|(row, m)| m.is_coded() && self.view.rows.position(**row).is_some())
            .map(|(r, m)| (*r, m))
            .collect();
        coded.sort_by_key(|c| c.0);
        let rows: Vec<CodedRow<'_>> = coded
            .iter()
            .filter_map(|(row, mark)| {
                let pair = self.pair(*row)?;
                Some(CodedRow {
                    row: *row,
                    primary: mark.codes.first().map(|c| &**c),
                    codes: mark.codes.iter().map(|c| &**c).collect(),
                    transition: pair.transitions.get(self.scorer as usize).copied().unwrap_or_default(),
                    model: table.names.models.word(pair.model).unwrap_or(""),
                    split: table.names.splits.word(table.split(pair)).unwrap_or(""),
                })
            })
            .collect();
        let book = &self.review.book;
        let order: Vec<&str> = book.codes.iter().map(|c| c.id.as_str()).collect();
        let tab = crosstab(&rows, &order, axis, which);
        let mut counts = Counts { axis, which, ..Counts::default() };
        counts.columns =
            tab.columns.iter().map(|(name, n)| format!("{} ({n})", name.replace('_', " "))).collect();
        counts.columns.push(format!("all ({})", tab.rows));
        counts.columns.push("95 %".to_owned());
        for line in tab.lines.iter().filter(|l| l.total.part > 0) {
            let name = book.get(&line.code).map_or(line.code.as_str(), |c| &c.name);
            let mut row = Row { label: name.to_owned(), ..Row::default() };
            let code = code_term(&line.code, which);
            let place = counts.rows.len();
            for (at, (share, (column, _))) in line.cells.iter().zip(&tab.columns).enumerate() {
                let term = format!("{code} {}", column_term(axis, column));
                let mark = push(&mut counts.marks, name, column, *share, term, (place, at));
                row.cells.push(Cell {
                    text: share.part.to_string(),
                    value: Some(share.part as f64),
                    mark: Some(mark),
                });
            }
            let at = line.cells.len();
            let mark = push(&mut counts.marks, name, "all", line.total, code, (place, at));
            row.cells.push(Cell {
                text: line.total.part.to_string(),
                value: Some(line.total.part as f64),
                mark: Some(mark),
            });
            row.cells.push(Cell { text: interval(line.total.wilson(), three), ..Cell::default() });
            counts.rows.push(row);
        }
        let found = saturation(self.coded_in_order().iter().map(|codes| codes.iter().map(String::as_str)));
        counts.notes = vec![
            format!(
                "{} without a new code since; new codes in the last ten: {}",
                crate::text::several(found.since_last_new, "row"),
                found.new_per_ten.last().copied().unwrap_or(0)
            ),
            format!(
                "a failure in 5 % of rows is still unseen with a chance of {}",
                three(unseen(0.05, tab.rows))
            ),
        ];
        if which == Which::Primary {
            counts.notes.push("primary codes; a row counts once".to_owned());
        } else {
            counts.notes.push("every code; a row counts for each of its codes".to_owned());
        }
        counts
    }

    /// The codes of coded rows in the order in which they were coded.
    fn coded_in_order(&self) -> Vec<Vec<String>> {
        let codings = if self.review.blind {
            self.review.notes.codings_by(&self.review.by)
        } else {
            self.review.notes.codings()
        };
        let today = |c: &crate::review::Coding<'_>| {
            let book = &self.review.book;
            c.codes().into_iter().map(|id| book.resolve(id, c.codebook()).id(id).to_owned()).collect()
        };
        codings.iter().filter(|c| !c.is_deferred()).map(today).collect()
    }

    /// An action in the counts.
    pub(in super::super) fn act_in_counts(&mut self, action: Action) -> Vec<Effect> {
        let Some(Overlay::Counts(counts)) = self.overlays.last_mut() else { return Vec::new() };
        let (axis, which) = (counts.axis, counts.which);
        match action {
            Action::Down => counts.step(0, 1),
            Action::Up => counts.step(0, -1),
            Action::Right => counts.step(1, 0),
            Action::Left => counts.step(-1, 0),
            Action::FocusNext | Action::NextFigure => {
                let next = match axis {
                    Axis::Transition => Axis::Model,
                    Axis::Model => Axis::Split,
                    Axis::Split => Axis::Transition,
                };
                let counts = self.count_codes(next, which);
                self.overlays.pop();
                self.overlays.push(Overlay::Counts(Box::new(counts)));
            }
            Action::ToggleItem | Action::OtherFigure => {
                let next = if which == Which::Primary { Which::Any } else { Which::Primary };
                let counts = self.count_codes(axis, next);
                self.overlays.pop();
                self.overlays.push(Overlay::Counts(Box::new(counts)));
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
