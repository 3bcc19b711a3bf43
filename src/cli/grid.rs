//! A table of texts, for reading or as Markdown.

use crate::text::{self, inline, sanitize_line};

/// A head line and rows of as many cells. The first `left` columns are texts, the others numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Grid {
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
    pub(super) left: usize,
}

impl Grid {
    /// As many cells wide as it takes.
    pub(super) fn width(&self) -> usize {
        let widths = self.widths();
        widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1)
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = vec![0; self.head.len()];
        for row in std::iter::once(&self.head).chain(&self.rows) {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(text::width(&sanitize_line(cell)));
            }
        }
        widths
    }

    /// For a terminal or a file, a line a row.
    pub(super) fn text(&self) -> String {
        let widths = self.widths();
        let mut out = String::new();
        for row in std::iter::once(&self.head).chain(&self.rows) {
            let mut line = String::new();
            for (at, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let cell = sanitize_line(cell);
                let fill = " ".repeat(width.saturating_sub(text::width(&cell)));
                let (before, after) = if at < self.left { ("", fill.as_str()) } else { (fill.as_str(), "") };
                let gap = if at == 0 { "" } else { "  " };
                line.extend([gap, before, &*cell, after]);
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }

    /// As a Markdown table.
    pub(super) fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|c| inline(c)).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rules: Vec<&str> =
            (0..self.head.len()).map(|at| if at < self.left { "---" } else { "---:" }).collect();
        let mut out = line(&self.head);
        out.push_str(&format!("| {} |\n", rules.join(" | ")));
        out.extend(self.rows.iter().map(|row| line(row)));
        out
    }
}
