//! Confidence bins: how many, how right, and what search did to them.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::{BinsDialog, Hit, Model};
use crate::record::{Condition, Transition};
use crate::stats::{Bin, Binning};
use crate::text::{self, count};
use crate::theme::{Role, Theme};
use crate::view::cell::fraction;

use super::super::header::{role, short};
use super::super::{Drawn, put, write};
use super::{first_shown, frame};

/// Draws the dialog.
pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    dialog: &BinsDialog,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let bins = model.view.bins.as_ref().filter(|(request, _)| *request == dialog.request);
    let rows = bins.map_or(10, |(_, bins)| bins.bins.len().max(1));
    let height = (rows as u16 + 4).min(screen.height.saturating_sub(4).max(6));
    let width = screen.width.saturating_sub(4).min(86);
    let side = if dialog.request.condition == Condition::NoSearch { "without search" } else { "with search" };
    let edges = if dialog.request.binning == Binning::Ten { "ten bins" } else { "distinct values" };
    let title = format!("confidence {side} · {edges}");
    let fits = text::width(&title) + 4 < usize::from(width);
    let title = if fits { title } else { format!("{side} · {edges}") };
    let inside = frame(theme, &title, (width, height), screen, buffer, drawn);
    let base = theme.style(Role::Popup);
    let dim = base.patch(theme.style(Role::Dim));
    let Some((_, found)) = bins else {
        write(buffer, inside, inside.x + 1, inside.y, "working them out…", dim);
        return;
    };
    let bins = &found.bins;
    let narrow = inside.width < NARROW;
    let head = if narrow { HEAD_NARROW } else { HEAD };
    write(buffer, inside, inside.x + 1, inside.y, head, base.patch(theme.style(Role::Heading)));
    // Where there are few lines, bins need them more than what explains them.
    let feet = if inside.height >= 9 { 3 } else { 1 };
    let list = Rect { y: inside.y + 1, height: inside.height.saturating_sub(feet + 1), ..inside };
    let last = bins.len().saturating_sub(1);
    let cursor = dialog.cursor.min(last);
    let first = first_shown(cursor, bins.len(), usize::from(list.height));
    let most = bins.iter().map(searched).max().unwrap_or(0).max(1);
    for (at, bin) in bins.iter().enumerate().skip(first).take(usize::from(list.height)) {
        let area = Rect { y: list.y + (at - first) as u16, height: 1, ..list };
        let style = if at == cursor { theme.style(Role::Selection) } else { base };
        buffer.set_style(area, style);
        row(theme, dialog, bin, at == last, most, area, style, buffer);
        drawn.hits.add(area, Hit::Item(at));
    }
    if feet > 1 {
        let above = inside.bottom().saturating_sub(2);
        let x = write(buffer, inside, inside.x + 1, above, OVER, base.patch(theme.style(Role::Warning)));
        let said = if narrow { EXPLAINED.1 } else { EXPLAINED.0 };
        write(buffer, inside, x, above, said, dim);
    }
    let none = count(found.missing);
    // Narrow rows have no bars to explain.
    let foots: &[(String, Option<Words>)] = &if narrow {
        [(format!("{none} state none · gap: stated − right"), None), (format!("{none} none"), None)].to_vec()
    } else {
        let full = format!("{none} state none · gap: stated − right   ");
        let short = format!("{none} state none   ");
        let least = format!("{none} none  ");
        let words = [(full, Words::Whole), (short.clone(), Words::Whole), (short, Words::Short)];
        let least = [(least, Words::Short)];
        words.into_iter().chain(least).map(|(text, words)| (text, Some(words))).collect()
    };
    let y = inside.bottom().saturating_sub(1);
    let room = usize::from(inside.width).saturating_sub(1);
    let need = |(text, words): &&(String, Option<Words>)| {
        text::width(text) + words.map_or(0, |w| legend(w).map(|(_, word)| text::width(&word) + 2).sum())
            <= room
    };
    let Some((text, words)) = foots.iter().find(need).or(foots.last()) else { return };
    let mut x = write(buffer, inside, inside.x + 1, y, text, dim);
    for (t, word) in words.iter().flat_map(|&w| legend(w)) {
        x = write(buffer, inside, x, y, &word, base.patch(theme.style(role(t)))) + 2;
    }
}

/// How much is said of the signs of a bar.
#[derive(Clone, Copy)]
enum Words {
    Whole,
    Short,
}

/// The signs of a bar with their words.
fn legend(words: Words) -> impl Iterator<Item = (Transition, String)> {
    Transition::ALL.into_iter().take(5).map(move |t| {
        let word = match words {
            Words::Whole => t.name().replace('_', " "),
            Words::Short => short(t).to_owned(),
        };
        (t, format!("{} {word}", sign(t)))
    })
}

/// Below this width a row has no room for a bar.
const NARROW: u16 = 50;

const EXPLAINED: (&str, &str) =
    (" overconfident: stated is above right’s 95 % interval", " stated above right’s 95 % interval");

/// Marks a bin that promises more than it keeps; the colour says the same.
const OVER: &str = "!";

const HEAD: &str = "confidence      n  right  stated  gap   transitions";
const HEAD_NARROW: &str = "confidence    n right stated   gap";

fn searched(bin: &Bin) -> u64 {
    bin.transitions.iter().take(5).sum()
}

#[allow(clippy::too_many_arguments)]
fn row(
    theme: &Theme,
    dialog: &BinsDialog,
    bin: &Bin,
    last: bool,
    most: u64,
    area: Rect,
    style: Style,
    buffer: &mut Buffer,
) {
    let close = if last { ']' } else { ')' };
    let name = match dialog.request.binning {
        Binning::Ten => format!("[{}, {}{close}", fraction(bin.lo), fraction(bin.hi)),
        Binning::Distinct => format!("{}", bin.lo),
    };
    let accuracy = bin.accuracy();
    let share = |v: Option<f64>| v.map_or_else(|| "  –".into(), fraction);
    let gap = match (accuracy, bin.mean_confidence) {
        (Some(a), Some(c)) => crate::view::cell::signed(c - a),
        _ => "–".into(),
    };
    let (n, right, stated) = (count(bin.n), share(accuracy), share(bin.mean_confidence));
    let text = if area.width < NARROW {
        format!("{} {n:>4} {right:>5} {stated:>6} {gap:>5}", text::pad(&name, 10))
    } else {
        format!("{} {n:>5}  {right:>5}  {stated:>6} {gap:>5}", text::pad(&name, 11))
    };
    let x = write(buffer, area, area.x + 1, area.y, &text, style);
    if bin.is_overconfident() {
        let marked = style.patch(theme.style(Role::Warning)).bg(style.bg.unwrap_or_default());
        write(buffer, area, x, area.y, OVER, marked);
    }
    if area.width < NARROW {
        return;
    }
    let mut x = (x + 2).min(area.right());
    let room = u64::from(area.right().saturating_sub(x + 1));
    for t in Transition::ALL.into_iter().take(5) {
        let n = bin.transitions.get(t as usize).copied().unwrap_or(0);
        if n == 0 {
            continue;
        }
        let cells = (n * room / most).max(1);
        let paint = style.patch(theme.style(role(t)));
        for _ in 0..cells {
            if x < area.right() {
                put(buffer, x, area.y, sign(t), paint.bg(style.bg.unwrap_or_default()));
                x += 1;
            }
        }
    }
}

/// A letter besides the colour, so that the bar can be read without it.
fn sign(t: Transition) -> &'static str {
    match t {
        Transition::Corrected => "▲",
        Transition::Preserved => "█",
        Transition::Broken => "▼",
        Transition::Unresolved => "▒",
        _ => "·",
    }
}
