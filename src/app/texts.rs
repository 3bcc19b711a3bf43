//! Text to read in a dialog: help, problems.

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
    /// Words that the lines shown have.
    pub query: Line,
    /// Whether the words are being typed.
    pub typing: bool,
}

impl TextDialog {
    /// A dialog over lines.
    pub fn new(title: impl Into<String>, lines: Vec<(TextKind, String, String)>) -> Self {
        Self { title: title.into(), lines, scroll: 0, query: Line::default(), typing: false }
    }

    /// Whether words narrow what is shown.
    pub fn narrowed(&self) -> bool {
        !self.query.text().trim().is_empty()
    }

    /// The lines that have every word of the query, under the headings that they stand under.
    pub fn shown(&self) -> Vec<&(TextKind, String, String)> {
        let query = self.query.text().to_lowercase();
        let words: Vec<&str> = query.split_whitespace().collect();
        if words.is_empty() {
            return self.lines.iter().collect();
        }
        let mut heading = None;
        let mut shown = Vec::new();
        for line in &self.lines {
            let (kind, key, said) = line;
            if *kind == TextKind::Heading {
                heading = Some(line);
                continue;
            }
            let hay = format!("{key} {said}").to_lowercase();
            if words.iter().all(|w| hay.contains(w)) {
                shown.extend(heading.take());
                shown.push(line);
            }
        }
        shown
    }

    /// How many lines the query has found, headings left out, and of how many.
    pub fn found(&self) -> (usize, usize) {
        let said = |line: &&(TextKind, String, String)| line.0 != TextKind::Heading && !line.2.is_empty();
        (self.shown().into_iter().filter(said).count(), self.lines.iter().filter(said).count())
    }

    /// The box that a screen has room for: its width and height inside. It keeps its size while words narrow what is
    /// in it.
    pub fn room(&self, screen: (u16, u16)) -> (u16, u16) {
        let width = screen.0.saturating_sub(4).min(WIDEST);
        let rows = rows(self.lines.iter(), self.keys(width), width).len().min(usize::from(u16::MAX)) as u16;
        (width, rows.min(screen.1.saturating_sub(4).max(3)))
    }

    /// The cells of the column of keys, in a box of this width.
    pub fn keys(&self, width: u16) -> usize {
        let keys = self.lines.iter().map(|(_, key, _)| text::width(key)).max().unwrap_or(0);
        keys.min(KEYS).min(usize::from(width) / 3)
    }

    /// What is shown, as rows of a box of this width.
    pub fn rows(&self, width: u16) -> Vec<Row<'_>> {
        rows(self.shown().into_iter(), self.keys(width), width)
    }

    /// Scrolls, stopping at the ends.
    pub fn step(&mut self, by: isize, screen: (u16, u16)) {
        let (width, height) = self.room(screen);
        let head = usize::from(self.typing || self.narrowed());
        let last = self.rows(width).len().saturating_sub(usize::from(height).saturating_sub(head));
        self.scroll = self.scroll.min(last).saturating_add_signed(by).min(last);
    }

    /// Takes the query back; whether there was one.
    pub(super) fn forget(&mut self) -> bool {
        let had = self.typing || self.narrowed();
        self.query = Line::default();
        if had {
            (self.typing, self.scroll) = (false, 0);
        }
        had
    }
}

/// A row of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<'a> {
    /// How its line is meant.
    pub kind: TextKind,
    /// What stands in the column of keys.
    pub key: &'a str,
    /// What stands beside it.
    pub said: &'a str,
}

fn rows<'a>(
    lines: impl Iterator<Item = &'a (TextKind, String, String)>,
    keys: usize,
    width: u16,
) -> Vec<Row<'a>> {
    let beside = usize::from(width).saturating_sub(keys + 3).max(10);
    let mut rows = Vec::new();
    for (kind, key, said) in lines {
        let room = if *kind == TextKind::Heading { usize::from(width).saturating_sub(2) } else { beside };
        let (left, right) = (pieces(key, keys), pieces(said, room));
        for at in 0..left.len().max(right.len()).max(1) {
            let piece = |of: &[&'a str]| of.get(at).copied().unwrap_or("");
            rows.push(Row { kind: *kind, key: piece(&left), said: piece(&right) });
        }
    }
    rows
}

/// A text as the pieces that fit a width.
fn pieces(text: &str, width: usize) -> Vec<&str> {
    text::wrap(text, width.max(1)).into_iter().filter_map(|range| text.get(range)).collect()
}
