//! Columns for reading, as wide as the place they go to.

use std::fmt::Write as _;

use crate::text;
use crate::view::Column;

/// Between two columns.
const GAP: usize = 2;
/// What a column that gives way keeps.
const LEAST: usize = 8;

/// Widths of the columns of a text table.
pub(super) struct TextTable {
    columns: Vec<Column>,
    widths: Vec<usize>,
    total: usize,
}

impl TextTable {
    /// Fits `columns` into `total` cells, judging by the rows of `sample`.
    ///
    /// Texts give way first, then names; ids and numbers never do, since half of one is worth nothing.
    pub(super) fn fit(columns: &[Column], sample: &[Vec<String>], total: usize) -> Self {
        let mut widths: Vec<usize> = columns.iter().map(|c| text::width(c.title())).collect();
        for row in sample {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(text::width(cell));
            }
        }
        let gaps = GAP * columns.len().saturating_sub(1);
        let room = total.saturating_sub(gaps);
        let names = |c: Column| matches!(c, Column::Model | Column::Run | Column::Topic | Column::Error);
        shrink(&mut widths, columns, room, Column::grows);
        shrink(&mut widths, columns, room, names);
        Self { columns: columns.to_vec(), widths, total }
    }

    /// The head line.
    pub(super) fn head(&self) -> String {
        self.line(&self.columns.iter().map(|c| c.title().to_owned()).collect::<Vec<_>>())
    }

    /// A row, without a line end.
    pub(super) fn line(&self, cells: &[String]) -> String {
        let mut out = String::with_capacity(self.total + 16);
        let last = self.columns.len().saturating_sub(1);
        for (at, ((column, &width), cell)) in self.columns.iter().zip(&self.widths).zip(cells).enumerate() {
            let shown = if matches!(column, Column::Id) { cell.into() } else { text::truncate(cell, width) };
            let fill = width.saturating_sub(text::width(&shown));
            if column.right() {
                let _ = write!(out, "{:fill$}{shown}", "");
            } else {
                out.push_str(&shown);
                if at < last {
                    let _ = write!(out, "{:fill$}", "");
                }
            }
            if at < last {
                out.push_str("  ");
            }
        }
        out.truncate(out.trim_end().len());
        out
    }
}

/// Takes what is over `room` from the columns that `gives`, the widest first.
fn shrink(widths: &mut [usize], columns: &[Column], room: usize, gives: impl Fn(Column) -> bool) {
    let mut over = widths.iter().sum::<usize>().saturating_sub(room);
    while over > 0 {
        let widest = columns
            .iter()
            .zip(widths.iter_mut())
            .filter(|(c, w)| gives(**c) && **w > LEAST)
            .map(|(_, w)| w)
            .max();
        let Some(widest) = widest else { return };
        *widest -= 1;
        over -= 1;
    }
}
