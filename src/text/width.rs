//! How many cells text takes, counted as ratatui draws it: grapheme by grapheme, control characters not at all.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// A grapheme at its place.
#[derive(Debug, Clone, Copy)]
pub struct Grapheme<'a> {
    /// Byte offset of its beginning.
    pub at: usize,
    /// The grapheme.
    pub text: &'a str,
    /// Cells; 0 for control characters and what only joins or marks.
    pub cells: usize,
}

impl Grapheme<'_> {
    /// Byte offset of its end.
    pub(super) const fn end(&self) -> usize {
        self.at + self.text.len()
    }
}

/// The graphemes of `text` as they are drawn, in order.
pub fn cells(text: &str) -> impl Iterator<Item = Grapheme<'_>> {
    graphemes(text)
}

/// The graphemes of `text` in order.
pub(super) fn graphemes(text: &str) -> Graphemes<'_> {
    Graphemes { text, at: 0 }
}

/// See [`graphemes`].
pub(super) struct Graphemes<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Iterator for Graphemes<'a> {
    type Item = Grapheme<'a>;

    fn next(&mut self) -> Option<Grapheme<'a>> {
        let at = self.at;
        let bytes = self.text.as_bytes();
        let &first = bytes.get(at)?;
        // Two simple characters in a row are two graphemes: no need to look at the tables.
        let next_is_ascii = |end: usize| bytes.get(end).is_none_or(u8::is_ascii);
        let (text, cells) = if first.is_ascii() && first != b'\r' && next_is_ascii(at + 1) {
            (self.text.get(at..=at)?, usize::from(!first.is_ascii_control()))
        } else {
            let rest = self.text.get(at..)?;
            let mut chars = rest.chars();
            let c = chars.next()?;
            match simple(c) {
                Some(cells) if chars.next().is_none_or(|n| simple(n).is_some()) => {
                    (rest.get(..c.len_utf8())?, cells)
                }
                _ => {
                    let text = rest.graphemes(true).next()?;
                    (text, cells_of(text))
                }
            }
        };
        self.at = at + text.len();
        Some(Grapheme { at, text, cells })
    }
}

/// The cells of a character that never joins another one of its kind: letters and signs of the common scripts.
/// `None` for all that needs the tables.
const fn simple(c: char) -> Option<usize> {
    match c {
        ' '..='~'
        | '¡'..='¨'
        | 'ª'..='¬'
        | '¯'..='ˆ'
        | 'Ͱ'..='ͷ'
        | 'ͺ'..='Ϳ'
        | '΄'..='Ί'
        | 'Α'..='Ρ'
        | 'Σ'..='҂'
        | 'Ҋ'..='ԯ'
        | 'א'..='ת'
        | 'ء'..='ي'
        | 'Ḁ'..='ἕ'
        | '‐'..='‧'
        | '‰'..='※'
        | '←'..='↓'
        | '─'..='▟'
        | '✓'
        | '✗' => Some(1),
        '、'..='〃'
        | '々'..='】'
        | 'ぁ'..='ゖ'
        | 'ァ'..='ヺ'
        | 'ー'..='ヿ'
        | '㐀'..='䶿'
        | '一'..='鿿'
        | '가'..='힣'
        | '！'..='～' => Some(2),
        _ => None,
    }
}

/// Whether `text` is one character of one cell, about which all terminals agree.
pub fn is_plain(text: &str) -> bool {
    let mut chars = text.chars();
    matches!((chars.next().map(simple), chars.next()), (Some(Some(1)), None))
}

/// Cells of one grapheme.
fn cells_of(grapheme: &str) -> usize {
    if grapheme.contains(char::is_control) {
        return 0;
    }
    // Terminals give the half-width voicing marks a cell each, unlike what their grapheme property says.
    let marks = grapheme.chars().filter(|c| matches!(c, '\u{ff9e}' | '\u{ff9f}')).count();
    grapheme.width() + marks
}

/// Cells that `text` takes on one line. Control characters take none: they are never drawn.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        return text.len() - text.bytes().filter(u8::is_ascii_control).count();
    }
    graphemes(text).map(|g| g.cells).sum()
}

/// The beginning of `text`, at most so many bytes of it: what bounds the work on a text of any size.
pub fn head(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or(text)
}

/// `text` cut to at most `cells` cells, the cut marked by `…`; never within a grapheme.
pub fn truncate(text: &str, cells: usize) -> Cow<'_, str> {
    match fit(text, cells) {
        Fit::Whole(_) => Cow::Borrowed(text),
        Fit::Cut { end, .. } => cut(text, end, cells).into(),
    }
}

/// `text` cut to at most `cells` cells in its middle, where names and addresses that differ are most often alike.
pub fn middle(text: &str, cells: usize) -> Cow<'_, str> {
    let all = width(text);
    if all <= cells {
        return Cow::Borrowed(text);
    }
    let Some(room) = cells.checked_sub(1) else { return Cow::Borrowed("") };
    let (before, after) = (room - room / 2, room / 2);
    let (mut head, mut tail, mut taken) = (0, text.len(), 0);
    for g in graphemes(text) {
        if taken + g.cells <= before {
            head = g.end();
        }
        if all - taken <= after {
            tail = tail.min(g.at);
        }
        taken += g.cells;
    }
    format!("{}…{}", text.get(..head).unwrap_or_default(), text.get(tail..).unwrap_or_default()).into()
}

/// `text` cut or padded with spaces to exactly `cells` cells.
pub fn pad(text: &str, cells: usize) -> String {
    let (mut out, taken) = match fit(text, cells) {
        Fit::Whole(taken) => (text.to_owned(), taken),
        Fit::Cut { end, taken } => (cut(text, end, cells), taken + usize::from(cells > 0)),
    };
    out.extend(std::iter::repeat_n(' ', cells.saturating_sub(taken)));
    out
}

enum Fit {
    /// It fits, taking so many cells.
    Whole(usize),
    /// It does not; what is before `end` takes `taken` cells and leaves room for the mark.
    Cut { end: usize, taken: usize },
}

fn fit(text: &str, cells: usize) -> Fit {
    let room = cells.saturating_sub(1);
    // Plain text, as most cells of a list hold it.
    let head = text.as_bytes().get(..=cells).unwrap_or(text.as_bytes());
    if head.iter().all(|b| matches!(b, b' '..=b'~')) {
        return if text.len() <= cells {
            Fit::Whole(text.len())
        } else {
            Fit::Cut { end: room, taken: room }
        };
    }
    let (mut taken, mut end, mut kept) = (0, 0, 0);
    for g in graphemes(text) {
        taken += g.cells;
        if taken > cells {
            return Fit::Cut { end, taken: kept };
        }
        if taken <= room {
            (end, kept) = (g.end(), taken);
        }
    }
    Fit::Whole(taken)
}

fn cut(text: &str, end: usize, cells: usize) -> String {
    let mut out = text.get(..end).unwrap_or_default().to_owned();
    if cells > 0 {
        out.push('…');
    }
    out
}

#[cfg(test)]
#[path = "width_tests.rs"]
mod tests;
