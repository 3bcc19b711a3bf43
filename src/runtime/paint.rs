//! What to send so that one grid of cells becomes another.
//!
//! Owns the bytes: where the pen is, what it writes with, what need not be sent. Rows that did not change cost a
//! comparison; in rows that did, cells that did not are passed over unless moving the cursor takes more than writing
//! them.

use std::io::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use crate::text;

/// Unchanged cells that are written anew rather than passed over: moving takes about as many bytes.
const NEAR: usize = 5;

/// What the terminal writes with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pen {
    fg: Color,
    bg: Color,
    modifier: Modifier,
}

const PLAIN: Pen = Pen { fg: Color::Reset, bg: Color::Reset, modifier: Modifier::empty() };

impl Pen {
    const fn of(cell: &Cell) -> Self {
        Self { fg: cell.fg, bg: cell.bg, modifier: cell.modifier }
    }
}

/// Appends the bytes that turn `shown` into `next`, two grids of the same size; `anew`: the terminal's screen is blank,
/// and in no state that is known. Whether there was anything to do.
pub(super) fn paint(out: &mut Vec<u8>, shown: &Buffer, next: &Buffer, anew: bool) -> bool {
    let width = usize::from(next.area.width).max(1);
    let mut painter = Painter { out, pen: PLAIN, at: None };
    let rows = shown.content.chunks(width).zip(next.content.chunks(width));
    let mut changed = false;
    for (y, (old, new)) in rows.enumerate() {
        let from = old.iter().zip(new).position(|(old, new)| !same(old, new));
        if anew || from.is_some() {
            changed = true;
            painter.row(y, from.unwrap_or(0), old, new, anew);
        }
    }
    painter.pen(PLAIN);
    changed
}

struct Painter<'o> {
    out: &'o mut Vec<u8>,
    pen: Pen,
    /// Where the cursor is, when that is known: column and row.
    at: Option<(usize, usize)>,
}

impl Painter<'_> {
    /// Sends a row whose first change is at `from`.
    fn row(&mut self, y: usize, from: usize, old: &[Cell], new: &[Cell], anew: bool) {
        // Terminals disagree about the width of what is not a plain letter, and about what is left of a wide one when
        // a part of it is written over: such rows are sent whole.
        let whole = anew || !old.iter().chain(new).all(is_plain);
        let mut x = if whole { 0 } else { from };
        while let Some(cell) = new.get(x) {
            if !whole && old.get(x).is_some_and(|old| same(old, cell)) {
                x += 1;
                continue;
            }
            self.go(x, y, new);
            self.pen(Pen::of(cell));
            self.out.extend_from_slice(cell.symbol().as_bytes());
            let plain = is_plain(cell);
            x += if plain { 1 } else { text::width(cell.symbol()).max(1) };
            self.at = plain.then_some((x, y));
        }
        // Beyond the last column it is the terminal's choice where the cursor is.
        if x >= new.len() {
            self.at = None;
        }
    }

    /// Moves to a cell, by writing what is in between where that is shorter.
    fn go(&mut self, x: usize, y: usize, row: &[Cell]) {
        if self.at == Some((x, y)) {
            return;
        }
        if let Some((from, line)) = self.at
            && line == y
            && (from..from + NEAR).contains(&x)
            && let Some(between) = row.get(from..x)
            && between.iter().all(|c| Pen::of(c) == self.pen && is_plain(c))
        {
            for cell in between {
                self.out.extend_from_slice(cell.symbol().as_bytes());
            }
            return;
        }
        let _ = write!(self.out, "\x1b[{};{}H", y + 1, x + 1);
    }

    /// Takes another pen: the parts that differ, or everything anew when something must go.
    fn pen(&mut self, to: Pen) {
        if to == self.pen {
            return;
        }
        let mut from = self.pen;
        self.pen = to;
        self.out.extend_from_slice(b"\x1b[");
        let start = self.out.len();
        if to == PLAIN || !to.modifier.contains(from.modifier) {
            self.out.extend_from_slice(b"0;");
            from = PLAIN;
        }
        for (modifier, code) in MODIFIERS {
            if to.modifier.contains(modifier) && !from.modifier.contains(modifier) {
                self.out.extend_from_slice(&[code, b';']);
            }
        }
        if to.fg != from.fg {
            colour(self.out, to.fg, 30);
        }
        if to.bg != from.bg {
            colour(self.out, to.bg, 40);
        }
        // The last separator gives its place to the end.
        if self.out.len() > start {
            self.out.pop();
        }
        self.out.push(b'm');
    }
}

const MODIFIERS: [(Modifier, u8); 9] = [
    (Modifier::BOLD, b'1'),
    (Modifier::DIM, b'2'),
    (Modifier::ITALIC, b'3'),
    (Modifier::UNDERLINED, b'4'),
    (Modifier::SLOW_BLINK, b'5'),
    (Modifier::RAPID_BLINK, b'6'),
    (Modifier::REVERSED, b'7'),
    (Modifier::HIDDEN, b'8'),
    (Modifier::CROSSED_OUT, b'9'),
];

/// A colour's parameters and a separator; `base` is 30 for the text, 40 for what is behind it.
fn colour(out: &mut Vec<u8>, colour: Color, base: u8) {
    let (dark, bright) = (base, base + 60);
    let _ = match colour {
        Color::Reset => write!(out, "{};", base + 9),
        Color::Black => write!(out, "{dark};"),
        Color::Red => write!(out, "{};", dark + 1),
        Color::Green => write!(out, "{};", dark + 2),
        Color::Yellow => write!(out, "{};", dark + 3),
        Color::Blue => write!(out, "{};", dark + 4),
        Color::Magenta => write!(out, "{};", dark + 5),
        Color::Cyan => write!(out, "{};", dark + 6),
        Color::Gray => write!(out, "{};", dark + 7),
        Color::DarkGray => write!(out, "{bright};"),
        Color::LightRed => write!(out, "{};", bright + 1),
        Color::LightGreen => write!(out, "{};", bright + 2),
        Color::LightYellow => write!(out, "{};", bright + 3),
        Color::LightBlue => write!(out, "{};", bright + 4),
        Color::LightMagenta => write!(out, "{};", bright + 5),
        Color::LightCyan => write!(out, "{};", bright + 6),
        Color::White => write!(out, "{};", bright + 7),
        Color::Indexed(n) => write!(out, "{};5;{n};", base + 8),
        Color::Rgb(r, g, b) => write!(out, "{};2;{r};{g};{b};", base + 8),
    };
}

/// Whether two cells look the same.
#[inline]
fn same(a: &Cell, b: &Cell) -> bool {
    a.symbol() == b.symbol() && a.fg == b.fg && a.bg == b.bg && a.modifier == b.modifier
}

/// Whether a cell holds one character of one cell, about which all terminals agree.
fn is_plain(cell: &Cell) -> bool {
    let symbol = cell.symbol();
    symbol.len() == 1 || text::is_plain(symbol)
}

#[cfg(test)]
#[path = "paint_tests.rs"]
mod tests;
