//! Breaking text into display lines.

use std::borrow::Cow;
use std::ops::Range;

use super::width::{Grapheme, graphemes};

/// Cells between tab stops.
const TAB: usize = 4;

/// The display lines of `text` as byte ranges, each at most `width` cells wide (a single wider grapheme excepted).
///
/// Lines break at white space, which is left out of them, between East Asian characters, and within a word that is
/// too long for a line, never within a grapheme. A line feed always breaks. Tabs reach to the next multiple of four
/// (see [`expand_tabs`]). A last line feed makes no further line; empty text is one empty line.
pub fn wrap(text: &str, width: usize) -> Vec<Range<usize>> {
    let mut lines = Vec::with_capacity((text.len() / width.max(1) + 1).min(1_024));
    let mut start = 0;
    loop {
        let rest = text.get(start..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(text.len(), |n| start + n);
        wrap_paragraph(text, start..end, width.max(1), &mut lines);
        start = end + 1;
        if start >= text.len() {
            return lines;
        }
    }
}

/// Where a line could break: it would end at `end`, the next begin at `next`, which is at column `column`.
struct Break {
    end: usize,
    next: usize,
    column: usize,
}

fn wrap_paragraph(text: &str, range: Range<usize>, width: usize, lines: &mut Vec<Range<usize>>) {
    let base = range.start;
    let paragraph = text.get(range.clone()).unwrap_or_default();
    let mut start = base;
    let mut column = 0;
    // End of what is not white space, and the kind of grapheme that it ends with.
    let mut inked = base;
    let mut last = Ink::None;
    let mut found: Option<Break> = None;
    for g in graphemes(paragraph) {
        let at = base + g.at;
        if let Some(cells) = blank(&g, column) {
            column += cells;
            last = if inked > start { Ink::Blank } else { Ink::None };
            continue;
        }
        let ink = Ink::of(&g);
        let after_blank = matches!(last, Ink::Blank);
        if after_blank || Ink::parts(last, ink) {
            found = Some(Break { end: inked, next: at, column });
        }
        while column + g.cells > width && column > 0 {
            // A wide blank at the line's head counts as a line of its own only when nothing else is on it.
            let at_break = found.take();
            let (end, next, from) =
                at_break.map_or((inked.max(start).min(at), at, column), |b| (b.end, b.next, b.column));
            lines.push(start..end);
            start = next;
            column -= from;
        }
        column += g.cells;
        inked = base + g.end();
        last = ink;
    }
    lines.push(start..inked.max(start));
}

/// What the last grapheme of a line is, as far as breaking after it goes.
#[derive(Clone, Copy)]
enum Ink {
    /// Nothing yet.
    None,
    /// White space after something.
    Blank,
    /// A letter of a word.
    Word,
    /// An East Asian character, which is a word of its own.
    Wide,
    /// A bracket that must not end a line.
    Opening,
    /// Punctuation that must not begin one.
    Closing,
}

impl Ink {
    fn of(g: &Grapheme<'_>) -> Self {
        if g.text.len() == 1 {
            return Self::Word;
        }
        match g.text.chars().next() {
            Some(
                '、' | '。' | '，' | '．' | '！' | '？' | '：' | '；' | '）' | '」' | '』' | '】' | '〕'
                | '》' | '〉' | 'ー' | '々' | '・',
            ) => Self::Closing,
            Some('（' | '「' | '『' | '【' | '〔' | '《' | '〈') => Self::Opening,
            _ if g.cells >= 2 => Self::Wide,
            _ => Self::Word,
        }
    }

    /// Whether a line may break between the two without white space.
    const fn parts(last: Self, next: Self) -> bool {
        matches!(
            (last, next),
            (Self::Wide | Self::Closing, Self::Wide | Self::Opening | Self::Word)
                | (Self::Word, Self::Wide | Self::Opening)
        )
    }
}

/// The cells of white space at `column`; `None` for anything else. A no-break space is no white space here.
fn blank(g: &Grapheme<'_>, column: usize) -> Option<usize> {
    match g.text {
        " " => Some(1),
        "\t" => Some(TAB - column % TAB),
        "\u{a0}" | "\u{202f}" | "\u{2007}" => None,
        // A blank that carries a mark is ink.
        other => other.chars().all(char::is_whitespace).then_some(g.cells),
    }
}

/// A line with its tabs as spaces, up to the next multiple of four cells: what [`wrap`] counted. Borrowed when it
/// has none.
pub fn expand_tabs(line: &str) -> Cow<'_, str> {
    if !line.contains('\t') {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len() + 2 * TAB);
    let mut column = 0;
    for g in graphemes(line) {
        if g.text == "\t" {
            let cells = TAB - column % TAB;
            out.extend(std::iter::repeat_n(' ', cells));
            column += cells;
        } else {
            out.push_str(g.text);
            column += g.cells;
        }
    }
    Cow::Owned(out)
}
