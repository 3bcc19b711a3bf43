//! Bars, stacks, boxes and the matrix.

use crate::figures::{Bar, Field, Figure, Quantiles, Stack, or_none, three};
use crate::record::Transition;
use crate::text::count;

use super::canvas::{Canvas, Frame, LINE, MARGIN, Stand, WIDTH, drawing};
use super::{Colours, Ink};

/// Space for the names of bars.
const NAMES: i32 = 112;
/// Space for the numbers at their right.
const NUMBERS: i32 = 176;
/// Height of a bar with the space to the next.
const STEP: i32 = 34;

/// Where a share of the middle space lies.
fn across(share: f64, right: i32) -> i32 {
    let from = MARGIN + NAMES;
    from + (share.clamp(0.0, 1.0) * f64::from(right - from)).round() as i32
}

fn grid(canvas: &Canvas<'_>, top: i32, bottom: i32, right: i32, labels: &[(f64, String)], axis: &str) {
    for (at, label) in labels {
        let x = across(*at, right);
        canvas.line(&[(x, top), (x, bottom)], Ink::Grid, 1);
        canvas.write(label, (x, bottom + 4), Stand::Middle, Ink::Dim, false);
    }
    canvas.write(axis, (MARGIN + NAMES, bottom + 4 + LINE), Stand::Left, Ink::Dim, false);
}

pub(super) fn bars(figure: &Figure, caption: &str, colours: Colours, axis: &str, bars: &[Bar]) -> String {
    let height = STEP * bars.len() as i32;
    let right = WIDTH - MARGIN - NUMBERS;
    drawing(&Frame::of(figure, caption), height + 2 * LINE + 16, colours, |canvas, top| {
        let labels = [0.0, 0.25, 0.5, 0.75, 1.0].map(|x| (x, format!("{x}")));
        grid(canvas, top, top + height, right, &labels, axis);
        for (at, bar) in bars.iter().enumerate() {
            let y = top + STEP * at as i32 + 5;
            canvas.write(&bar.label, (MARGIN, y + 4), Stand::Left, Ink::Text, false);
            if let Some(value) = bar.value {
                canvas.fill((across(0.0, right), y), (across(value, right), y + 24), Ink::With);
            }
            if let Some((low, high)) = bar.interval {
                let (low, high, middle) = (across(low, right), across(high, right), y + 12);
                canvas.line(&[(low, middle), (high, middle)], Ink::Text, 2);
                for x in [low, high] {
                    canvas.line(&[(x, middle - 6), (x, middle + 6)], Ink::Text, 2);
                }
            }
            let text = match bar.value {
                Some(value) => format!("{}  n = {}", three(value), count(bar.n)),
                None => "none".to_owned(),
            };
            canvas.write(&text, (right + 16, y + 4), Stand::Left, Ink::Text, false);
        }
    })
}

pub(super) fn stacks(
    figure: &Figure,
    caption: &str,
    colours: Colours,
    axis: &str,
    stacks: &[Stack],
) -> String {
    let height = 28 * stacks.len() as i32;
    let right = WIDTH - MARGIN - 60;
    let total = |s: &Stack| s.parts.iter().map(|p| p.1).sum::<u64>();
    let most = stacks.iter().map(total).max().unwrap_or(0).max(1);
    let legend = 2 * LINE;
    drawing(&Frame::of(figure, caption), height + legend + 2 * LINE + 16, colours, |canvas, top| {
        let names: Vec<Transition> =
            stacks.first().map_or_else(Vec::new, |s| s.parts.iter().map(|p| p.0).collect());
        for (at, t) in names.iter().enumerate() {
            let (x, y) = (MARGIN + 190 * (at as i32 % 3), top + LINE * (at as i32 / 3));
            canvas.fill((x, y + 1), (x + 12, y + 13), Ink::of_transition(*t));
            canvas.write(&words(*t), (x + 18, y), Stand::Left, Ink::Text, false);
        }
        let top = top + legend + 4;
        let labels: Vec<(f64, String)> = ticks(most).map(|n| (n as f64 / most as f64, count(n))).collect();
        grid(canvas, top, top + height, right, &labels, axis);
        for (at, stack) in stacks.iter().enumerate() {
            let y = top + 28 * at as i32 + 3;
            canvas.write(&stack.label, (MARGIN, y + 3), Stand::Left, Ink::Text, false);
            let mut before = 0;
            for (t, n, _) in &stack.parts {
                let from = across(before as f64 / most as f64, right);
                before += n;
                let to = across(before as f64 / most as f64, right);
                if to > from {
                    canvas.fill((from, y), (to, y + 22), Ink::of_transition(*t));
                    // A thin edge parts neighbours for those who cannot tell their colours apart.
                    canvas.outline((from, y), (to, y + 22), Ink::Ground);
                }
            }
            let end = across(before as f64 / most as f64, right);
            canvas.write(&count(total(stack)), (end + 6, y + 3), Stand::Left, Ink::Dim, false);
        }
    })
}

/// Round numbers from 0 to at most `most`, five or so.
fn ticks(most: u64) -> impl Iterator<Item = u64> {
    let rough = (most / 4).max(1);
    let power = 10_u64.pow(rough.ilog10());
    let step = [1, 2, 5, 10].into_iter().map(|m| m * power).find(|&s| s >= rough).unwrap_or(power);
    (0..=most / step).map(move |n| n * step)
}

fn words(t: Transition) -> String {
    format!("{} {}", t.glyph().trim(), t.name().replace('_', " "))
}

pub(super) fn boxes(
    figure: &Figure,
    caption: &str,
    colours: Colours,
    axis: &str,
    boxes: &[Quantiles],
) -> String {
    let height = STEP * boxes.len() as i32;
    let right = WIDTH - MARGIN - NUMBERS;
    drawing(&Frame::of(figure, caption), height + 2 * LINE + 16, colours, |canvas, top| {
        let labels = [-1.0, -0.5, 0.0, 0.5, 1.0]
            .map(|x: f64| (f64::midpoint(x, 1.0), format!("{x}").replace('-', "−")));
        grid(canvas, top, top + height, right, &labels, axis);
        for (at, b) in boxes.iter().enumerate() {
            let y = top + STEP * at as i32 + 5;
            let ink = Ink::of_transition(b.transition);
            let name = b.transition.name().replace('_', " ");
            canvas.write(&name, (MARGIN, y + 4), Stand::Left, Ink::Text, false);
            let [p10, p25, p50, p75, p90] = b.at.map(|x| across(f64::midpoint(x, 1.0), right));
            canvas.line(&[(p10, y + 12), (p90, y + 12)], Ink::Text, 2);
            canvas.fill((p25, y + 2), (p75.max(p25 + 2), y + 22), ink);
            canvas.line(&[(p50, y), (p50, y + 24)], Ink::Text, 3);
            canvas.dot((across(f64::midpoint(b.mean, 1.0), right), y + 12), 4, Ink::Ground);
            let n = figure.marks.get(b.mark).map_or(0, |m| m.n);
            let text = format!("mean {}  n = {}", crate::figures::change(b.mean), count(n));
            canvas.write(&text, (right + 16, y + 4), Stand::Left, Ink::Text, false);
        }
    })
}

pub(super) fn matrix(
    figure: &Figure,
    caption: &str,
    colours: Colours,
    names: (&[&str], &[&str]),
    fields: &[Vec<Field>],
) -> String {
    let (width, height) = ((WIDTH - 2 * MARGIN - NAMES) / 3, 76);
    drawing(&Frame::of(figure, caption), LINE + height * fields.len() as i32 + 16, colours, |canvas, top| {
        for (column, name) in names.1.iter().enumerate() {
            let x = MARGIN + NAMES + width * column as i32 + width / 2;
            canvas.write(name, (x, top), Stand::Middle, Ink::Dim, false);
        }
        for (row, (line, name)) in fields.iter().zip(names.0).enumerate() {
            let y = top + LINE + height * row as i32;
            canvas.write(name, (MARGIN, y + height / 2 - 8), Stand::Left, Ink::Text, false);
            for (column, field) in line.iter().enumerate() {
                let x = MARGIN + NAMES + width * column as i32;
                let (to_x, to_y) = (x + width - 6, y + height - 6);
                canvas.outline((x, y), (to_x, to_y), Ink::Grid);
                // How much of the line's pairs came here, as height.
                let share = (field.share.unwrap_or(0.0) * f64::from(to_y - y)).round() as i32;
                canvas.fill((x, to_y - share), (x + 10, to_y), Ink::of_transition(field.transition));
                let text = words(field.transition);
                canvas.write(&text, (x + 18, y + 6), Stand::Left, Ink::Text, false);
                let numbers = format!("{}   {}", count(field.n), or_none(field.share, three));
                canvas.write(&numbers, (x + 18, y + 32), Stand::Left, Ink::Text, true);
            }
        }
    })
}
