//! Text to read in a dialog: help, problems.

use std::ops::Range;

use crate::text;

use super::Line;

/// The widest box.
const WIDEST: u16 = 110;
/// The widest column of keys.
const KEYS: usize = 24;

/// How a line of a text dialog is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A heading.
    Heading,
    /// Plain text.
    Plain,
    /// A key and what it does.
    Key,
    /// An error.
    Error,
    /// A doubt.
    Warning,
}

/// Text to read.
#[derive(Debug)]
pub struct TextDialog {
    /// Its title.
    pub title: String,
    /// Lines: how they are meant, the key (else empty), the text.
    pub lines: Vec<(TextKind, String, String)>,
    /// First of the rows shown: a line takes one or several.
    pub scroll: usize,
    /// The line under the cursor, by its place in `lines`; `None` where lines are only read.
    pub cursor: Option<usize>,
    /// Words that the lines shown have.
    pub query: Line,
    /// Whether the words are being typed.
    pub typing: bool,
}

impl TextDialog {
    /// A dialog over lines.
    pub fn new(title: impl Into<String>, lines: Vec<(TextKind, String, String)>) -> Self {
        Self { title: title.into(), lines, scroll: 0, cursor: None, query: Line::default(), typing: false }
    }

    /// A dialog over lines that can be chosen.
    pub fn with_cursor(title: impl Into<String>, lines: Vec<(TextKind, String, String)>) -> Self {
        Self { cursor: Some(0), ..Self::new(title, lines) }
    }

    /// Takes other lines. The cursor stays on the line that says the same, wherever that stands now, else where it was;
    /// and always on one that is shown.
    pub(super) fn renew(&mut self, lines: Vec<(TextKind, String, String)>) {
        let before = std::mem::replace(&mut self.lines, lines);
        let Some(at) = self.cursor else { return };
        let same = before.get(at).and_then(|was| {
            let alike = self.lines.iter().enumerate().filter(|(_, line)| *line == was);
            alike.map(|(to, _)| to).min_by_key(|to| to.abs_diff(at))
        });
        let at = same.unwrap_or(at);
        let shown = self.shown();
        let near = shown.iter().find(|&&line| line >= at).or(shown.last());
        self.cursor = Some(near.copied().unwrap_or(0));
    }

    /// The line under the cursor; `None` where no line is shown that it could be on.
    pub fn here(&self) -> Option<usize> {
        self.cursor.filter(|&at| self.shown().binary_search(&at).is_ok())
    }

    /// Begins anew at the first line that the query has found.
    pub(super) fn narrow(&mut self) {
        self.scroll = 0;
        if self.cursor.is_some() {
            let shown = self.shown();
            let said = shown.iter().find(|&&at| self.lines.get(at).is_some_and(|l| l.0 != TextKind::Heading));
            self.cursor = Some(said.or(shown.first()).copied().unwrap_or(0));
        }
    }

    /// Whether words narrow what is shown.
    pub fn narrowed(&self) -> bool {
        !self.query.text().trim().is_empty()
    }

    /// The lines that have every word of the query, under the headings that they stand under: their places in `lines`.
    pub fn shown(&self) -> Vec<usize> {
        let query = self.query.text().to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        if words.is_empty() {
            return (0..self.lines.len()).collect();
        }
        let mut heading = None;
        let mut shown = Vec::new();
        for (at, (kind, key, said)) in self.lines.iter().enumerate() {
            if *kind == TextKind::Heading {
                heading = Some(at);
                continue;
            }
            let hay = format!("{key} {said}").to_lowercase();
            if words.iter().all(|w| hay.contains(w)) {
                shown.extend(heading.take());
                shown.push(at);
            }
        }
        shown
    }

    /// How many lines the query has found, headings left out, and of how many.
    pub fn found(&self) -> (usize, usize) {
        let said = |at: &usize| {
            self.lines.get(*at).is_some_and(|line| line.0 != TextKind::Heading && !line.2.is_empty())
        };
        (self.shown().iter().filter(|at| said(at)).count(), (0..self.lines.len()).filter(said).count())
    }

    /// The box that a screen has room for: its width and height inside. It keeps its size while words narrow what is
    /// in it.
    pub fn room(&self, screen: (u16, u16)) -> (u16, u16) {
        let width = screen.0.saturating_sub(4).min(WIDEST);
        let rows = self.rows_of(0..self.lines.len(), width).len().min(usize::from(u16::MAX)) as u16;
        (width, rows.min(screen.1.saturating_sub(4).max(3)))
    }

    /// The cells of the column of keys, in a box of this width.
    pub fn keys(&self, width: u16) -> usize {
        let keys = self.lines.iter().map(|(_, key, _)| text::width(key)).max().unwrap_or(0);
        keys.min(KEYS).min(usize::from(width) / 3)
    }

    /// What is shown, as rows of a box of this width.
    pub fn rows(&self, width: u16) -> Vec<Row<'_>> {
        self.rows_of(self.shown().into_iter(), width)
    }

    /// Where what is said begins, in cells from the left: after the keys and, where lines can be chosen, a mark.
    pub const fn indent(&self, keys: usize) -> usize {
        if self.cursor.is_some() { keys + 4 } else { keys + 2 }
    }

    fn rows_of(&self, lines: impl Iterator<Item = usize>, width: u16) -> Vec<Row<'_>> {
        let keys = self.keys(width);
        let beside = usize::from(width).saturating_sub(self.indent(keys) + 1).max(10);
        let mut rows = Vec::new();
        for line in lines {
            let Some((kind, key, said)) = self.lines.get(line) else { continue };
            let room = if *kind == TextKind::Heading { usize::from(width).saturating_sub(2) } else { beside };
            let (left, right) = (pieces(key, keys), pieces(said, room));
            for at in 0..left.len().max(right.len()).max(1) {
                let (key, said) = (left.get(at).copied().unwrap_or(""), right.get(at).copied().unwrap_or(""));
                rows.push(Row { line, first: at == 0, kind: *kind, key, said });
            }
        }
        rows
    }

    /// The first row to show of `rows` in a box of so many: where it was scrolled to, as far as the line under the cursor
    /// is among what is shown then.
    pub fn top(&self, rows: &[Row<'_>], height: usize) -> usize {
        let last = rows.len().saturating_sub(height);
        let top = self.scroll.min(last);
        match self.cursor.map(|line| span(rows, line)) {
            Some(here) if here.start >= top + height || here.end <= top => here.start.min(last),
            _ => top,
        }
    }

    /// Moves the cursor or, without one, scrolls; stops at the ends. A line that is higher than the box is scrolled through
    /// before the cursor leaves it.
    pub fn step(&mut self, by: isize, screen: (u16, u16)) {
        let (width, height) = self.room(screen);
        let head = usize::from(self.typing || self.narrowed());
        let height = usize::from(height).saturating_sub(head).max(1);
        let rows = self.rows(width);
        let last = rows.len().saturating_sub(height);
        let mut top = self.top(&rows, height);
        let Some(mut line) = self.cursor else {
            self.scroll = top.saturating_add_signed(by).min(last);
            return;
        };
        for _ in 0..by.unsigned_abs() {
            let here = span(&rows, line);
            let next = if by > 0 {
                if here.end > top + height {
                    top += 1;
                    continue;
                }
                rows.get(here.end)
            } else {
                if here.start < top {
                    top -= 1;
                    continue;
                }
                here.start.checked_sub(1).and_then(|at| rows.get(at))
            };
            let Some(next) = next else { break };
            line = next.line;
            let there = span(&rows, line);
            if by > 0 && there.end > top + height {
                top = (there.end - height).min(there.start);
            } else if by < 0 && there.start < top {
                top = there.start.max(there.end.saturating_sub(height));
            }
        }
        (self.cursor, self.scroll) = (Some(line), top);
    }

    /// Takes the query back; whether there was one. The cursor stays on its line, which the others stand around again.
    pub(super) fn forget(&mut self) -> bool {
        let had = self.typing || self.narrowed();
        self.query = Line::default();
        if had {
            self.typing = false;
            self.scroll = 0;
        }
        had
    }
}

/// A row of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// Which line it is of.
    pub line: usize,
    /// Whether that line begins here.
    pub first: bool,
    /// How its line is meant.
    pub kind: TextKind,
    /// What stands in the column of keys.
    pub key: &'a str,
    /// What stands beside it.
    pub said: &'a str,
}

/// The rows of a line.
fn span(rows: &[Row<'_>], line: usize) -> Range<usize> {
    rows.partition_point(|r| r.line < line)..rows.partition_point(|r| r.line <= line)
}

/// A text as the pieces that fit a width.
fn pieces(text: &str, width: usize) -> Vec<&str> {
    text::wrap(text, width.max(1)).into_iter().filter_map(|range| text.get(range)).collect()
}
