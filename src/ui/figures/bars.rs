//! Bars, stacks and boxes, each on a line of its own.

use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::figures::{Bar, Quantiles, Stack, change, or_none, three};
use crate::text::{self, count};
use crate::theme::Role;

use super::super::header::role;
use super::table::first_shown;
use super::{Pen, sign};

/// Eighths of a cell.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The lines of a figure: names at the left, numbers at the right, the scale between.
struct Lines {
    names: u16,
    numbers: u16,
    /// First line shown.
    first: usize,
    height: usize,
}

impl Lines {
    fn new(area: Rect, names: usize, numbers: usize, len: usize, cursor: Option<usize>) -> Self {
        let height = usize::from(area.height.saturating_sub(2)).max(1);
        let narrow = area.width < 50;
        Self {
            names: names as u16 + 2,
            numbers: if narrow { (numbers as u16).min(8) } else { numbers as u16 },
            first: first_shown(cursor.unwrap_or(0), len, height),
            height,
        }
    }

    /// The part of a line that is the scale.
    fn scale(&self, area: Rect) -> Rect {
        let width = area.width.saturating_sub(self.names + self.numbers + 2);
        Rect { x: area.x + self.names, width: width.max(4), ..area }
    }
}

/// The cell of a share of the scale.
fn cell(scale: Rect, share: f64) -> u16 {
    let last = f64::from(scale.width.saturating_sub(1));
    scale.x + (share.clamp(0.0, 1.0) * last).round() as u16
}

/// Fills a share of the scale, to an eighth of a cell.
fn fill(pen: &mut Pen<'_>, scale: Rect, y: u16, share: f64, style: Style) {
    let eighths = (share.clamp(0.0, 1.0) * f64::from(scale.width) * 8.0).round() as usize;
    let mut text = "█".repeat(eighths / 8);
    text.push_str(EIGHTHS.get(eighths % 8).copied().unwrap_or_default());
    pen.write(scale, scale.x, y, &text, style);
}

/// The scale's ends and middle under the lines.
fn axis(pen: &mut Pen<'_>, area: Rect, scale: Rect, y: u16, labels: &[(f64, String)], title: &str) {
    let dim = pen.style(Role::Dim);
    if y >= area.bottom() {
        return;
    }
    let mut free = scale.x;
    for (share, label) in labels {
        let wide = text::width(label) as u16;
        let at = cell(scale, *share).saturating_sub(wide / 2).min(area.right().saturating_sub(wide));
        // The one at the left end is not centred: beyond it are the names.
        let at = at.max(scale.x);
        if at >= free {
            free = pen.write(area, at, y, label, dim) + 1;
        }
    }
    if y + 1 < area.bottom() {
        let wide = text::width(title) as u16;
        let at = scale.x.min(area.right().saturating_sub(wide)).max(area.x);
        pen.write(area, at, y + 1, title, dim);
    }
}

pub(super) fn bars(pen: &mut Pen<'_>, area: Rect, title: &str, bars: &[Bar]) {
    let names = bars.iter().map(|b| text::width(&b.label)).max().unwrap_or(0);
    let cursor = bars.iter().position(|b| b.mark.is_some() && b.mark == pen.cursor);
    let lines = Lines::new(area, names, 18, bars.len(), cursor);
    let scale = lines.scale(area);
    // With room to spare the interval has a line of its own, under the bar.
    let step = if usize::from(area.height) >= bars.len() * 3 + 2 { 3 } else { 1 };
    let mut y = area.y;
    for bar in bars.iter().skip(if step == 1 { lines.first } else { 0 }).take(lines.height / step) {
        let line = Rect { y, height: 1, ..area };
        let base = pen.marked(bar.mark, pen.style(Role::Text));
        pen.write(line, area.x, y, &text::pad(&bar.label, names), base);
        if let Some(value) = bar.value {
            fill(pen, scale, y, value, pen.style(Role::Warning));
        }
        if let Some((low, high)) = bar.interval {
            let (from, to) = (cell(scale, low), cell(scale, high));
            let at = if step == 1 { y } else { y + 1 };
            let style = pen.style(Role::Text);
            for x in from..=to {
                let end = if x == from { "├" } else { "┤" };
                if step > 1 || x == from || x == to {
                    let sign = if x == from || x == to { end } else { "─" };
                    pen.put(area, x, at, sign, style);
                }
            }
        }
        let text = format!("{:>6} n={}", or_none(bar.value, three), count(bar.n));
        let numbers =
            Rect { x: scale.right() + 1, width: area.right().saturating_sub(scale.right() + 1), ..line };
        pen.write(numbers, numbers.x, y, &text, base);
        if let Some(mark) = bar.mark {
            pen.hit(Rect { height: step as u16, ..line }.intersection(area), mark);
        }
        y += step as u16;
    }
    let labels = [(0.0, "0".to_owned()), (0.5, ".5".to_owned()), (1.0, "1".to_owned())];
    axis(pen, area, scale, y, &labels, title);
}

pub(super) fn stacks(pen: &mut Pen<'_>, area: Rect, title: &str, stacks: &[Stack]) {
    let total = |s: &Stack| s.parts.iter().map(|p| p.1).sum::<u64>();
    let most = stacks.iter().map(total).max().unwrap_or(0).max(1);
    let cursor = stacks.iter().position(|s| s.parts.iter().any(|p| Some(p.2) == pen.cursor));
    let lines = Lines::new(area, 10, count(most).len().max(5), stacks.len(), cursor);
    let scale = lines.scale(area);
    let mut y = area.y;
    for stack in stacks.iter().skip(lines.first).take(lines.height) {
        let line = Rect { y, height: 1, ..area };
        let here = stack.parts.iter().any(|p| Some(p.2) == pen.cursor);
        let base = pen.style(if here { Role::Heading } else { Role::Text });
        pen.write(line, area.x, y, &text::pad(&stack.label, 10), base);
        let mut x = scale.x;
        for &(t, n, mark) in &stack.parts {
            // What is there at all takes one cell at least.
            let cells = if n == 0 { 0 } else { ((n * u64::from(scale.width)) / most).max(1) as u16 };
            let from = x;
            let style = pen.marked(Some(mark), pen.style(role(t)));
            for _ in 0..cells {
                pen.put(line, x, y, sign(t), style);
                x += 1;
            }
            if n == 0 && Some(mark) == pen.cursor {
                pen.put(line, x, y, "∅", style);
            }
            pen.hit(Rect { x: from, width: cells, ..line }.intersection(area), mark);
        }
        pen.write(line, x.max(scale.x) + 1, y, &count(total(stack)), pen.style(Role::Dim));
        y += 1;
    }
    let dim = pen.style(Role::Dim);
    let mut x = pen.write(area, area.x, y, title, dim) + 2;
    if usize::from(area.right().saturating_sub(x)) < 60 && y + 1 < area.bottom() {
        (x, y) = (area.x, y + 1);
    }
    for (t, ..) in stacks.first().map_or(&[][..], |s| &s.parts) {
        let word = format!("{} {}  ", sign(*t), t.name().replace('_', " "));
        x = pen.write(area, x, y, &word, pen.style(role(*t)));
    }
}

pub(super) fn boxes(pen: &mut Pen<'_>, area: Rect, title: &str, boxes: &[Quantiles]) {
    let cursor = boxes.iter().position(|b| Some(b.mark) == pen.cursor);
    let lines = Lines::new(area, 12, 19, boxes.len(), cursor);
    let scale = lines.scale(area);
    let at = |x: f64| cell(scale, f64::midpoint(x, 1.0));
    let step = if usize::from(area.height) >= boxes.len() * 2 + 2 { 2 } else { 1 };
    let mut y = area.y;
    let zero = at(0.0);
    for b in boxes.iter().skip(if step == 1 { lines.first } else { 0 }).take(lines.height / step) {
        let line = Rect { y, height: 1, ..area };
        let base = pen.marked(Some(b.mark), pen.style(Role::Text));
        let name = b.transition.name().replace('_', " ");
        pen.write(line, area.x, y, &text::pad(&name, 12), base);
        pen.put(line, zero, y, "┊", pen.style(Role::Dim));
        let style = pen.style(role(b.transition));
        let [p10, p25, p50, p75, p90] = b.at.map(at);
        for x in p10..=p90 {
            let sign = if x == p10 && x < p25 {
                "├"
            } else if x == p90 && x > p75 {
                "┤"
            } else if (p25..=p75).contains(&x) {
                "▓"
            } else {
                "─"
            };
            pen.put(line, x, y, sign, style);
        }
        pen.put(line, p50, y, "┃", pen.style(Role::Heading));
        pen.put(line, at(b.mean), y, "◆", pen.style(Role::Text));
        let n = pen.marks.get(b.mark).map_or(0, |m| m.n);
        let text = format!("{:>6} n={}", change(b.mean), count(n));
        let numbers =
            Rect { x: scale.right() + 1, width: area.right().saturating_sub(scale.right() + 1), ..line };
        pen.write(numbers, numbers.x, y, &text, base);
        pen.hit(line, b.mark);
        y += step as u16;
    }
    let labels = [
        (0.0, "−1".to_owned()),
        (0.25, "−.5".to_owned()),
        (0.5, "0".to_owned()),
        (0.75, "+.5".to_owned()),
        (1.0, "+1".to_owned()),
    ];
    let title = format!("{title}   ▓ middle half  ┃ median  ◆ mean");
    axis(pen, area, scale, y, &labels, &title);
}
