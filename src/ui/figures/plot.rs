//! Lines and points, in braille; what has a mark is a sign of its own.

use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::Widget as _;
use ratatui::widgets::canvas::{Canvas, Line};

use crate::figures::{Axis, Point, Series, Stroke, Tone};
use crate::text;
use crate::theme::Role;

use super::Pen;

/// Cells at the left for the numbers of the axis.
const LEFT: u16 = 6;
/// The plane between the axes.
struct Plane<'a> {
    area: Rect,
    x: &'a Axis,
    y: &'a Axis,
}

impl Plane<'_> {
    /// The cell of a point.
    fn cell(&self, p: &Point) -> (u16, u16) {
        let share = |v: f64, a: &Axis| ((v - a.from) / (a.to - a.from)).clamp(0.0, 1.0);
        let across = share(p.x, self.x) * f64::from(self.area.width.saturating_sub(1));
        let up = share(p.y, self.y) * f64::from(self.area.height.saturating_sub(1));
        (
            self.area.x + across.round() as u16,
            self.area.bottom().saturating_sub(1).saturating_sub(up.round() as u16),
        )
    }
}

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, x: &Axis, y: &Axis, series: &[Series]) {
    let beside = area.width >= 100;
    let wide = series.iter().map(|s| text::width(&s.name)).max().unwrap_or(0) as u16 + 4;
    // The legend stands at the right where there is room, else in lines under the plot.
    let lines = if beside { 0 } else { legend_lines(area.width, series).min(area.height / 3) };
    let plane = Rect {
        x: area.x + LEFT,
        y: area.y,
        width: area.width.saturating_sub(LEFT + if beside { wide + 1 } else { 1 }),
        height: area.height.saturating_sub(2 + lines),
    };
    if plane.width < 8 || plane.height < 3 {
        pen.write(area, area.x, area.y, "a larger terminal shows the plot", pen.style(Role::Dim));
        return;
    }
    axes(pen, area, plane, x, y);
    let plane = Plane { area: plane, x, y };
    dots(pen, &plane, series);
    signs(pen, &plane, series);
    let legend = if beside {
        Rect { x: area.right().saturating_sub(wide), y: area.y, width: wide, height: area.height }
    } else {
        Rect { y: plane.area.bottom() + 2, height: lines, ..area }
    };
    names(pen, legend, series, beside);
}

fn legend_lines(width: u16, series: &[Series]) -> u16 {
    let (mut lines, mut x) = (1, 0);
    for s in series {
        let need = text::width(&s.name) as u16 + 5;
        if x > 0 && x + need > width {
            (lines, x) = (lines + 1, 0);
        }
        x += need;
    }
    lines
}

fn axes(pen: &mut Pen<'_>, area: Rect, plane: Rect, x: &Axis, y: &Axis) {
    let (line, dim) = (pen.style(Role::Border), pen.style(Role::Dim));
    let left = plane.x.saturating_sub(1);
    for row in plane.top()..plane.bottom() {
        pen.put(area, left, row, "│", line);
    }
    for column in plane.left()..plane.right() {
        pen.put(area, column, plane.bottom(), "─", line);
    }
    pen.put(area, left, plane.bottom(), "└", line);
    // Three numbers upwards, five across: the ends and even parts between.
    let label = |a: &Axis, share: f64| format!("{:.2}", a.from + (a.to - a.from) * share);
    for share in [0.0, 0.5, 1.0] {
        let up = (share * f64::from(plane.height.saturating_sub(1))).round() as u16;
        let row = plane.bottom().saturating_sub(1).saturating_sub(up);
        pen.write(area, area.x, row, &label(y, share), dim);
    }
    let row = plane.bottom() + 1;
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let text = label(x, share);
        let at = plane.x + (share * f64::from(plane.width.saturating_sub(1))).round() as u16;
        let at = at.saturating_sub(2).min(plane.right().saturating_sub(4));
        pen.write(area, at, row, &text, dim);
    }
    // What they measure stands at the ends of the axes.
    let up = format!("↑ {}", y.title);
    pen.write(plane, plane.x, plane.y, &up, dim);
    let across = format!("{} →", x.title);
    let at = plane.right().saturating_sub(text::width(&across) as u16);
    pen.write(area, at, plane.bottom(), &across, dim);
}

/// Lines and whiskers.
fn dots(pen: &mut Pen<'_>, plane: &Plane<'_>, series: &[Series]) {
    let colour = |style: Style| style.fg.unwrap_or(Color::Reset);
    let styles: Vec<Color> = series.iter().map(|s| colour(pen.tone(s.tone))).collect();
    let ground = pen.style(Role::Text).bg.unwrap_or(Color::Reset);
    Canvas::default()
        .marker(Marker::Braille)
        .background_color(ground)
        .x_bounds([plane.x.from, plane.x.to])
        .y_bounds([plane.y.from, plane.y.to])
        .paint(|context| {
            for (s, &color) in series.iter().zip(&styles) {
                if s.stroke == Stroke::Points {
                    for p in &s.points {
                        if let Some((low, high)) = p.interval {
                            context.draw(&Line { x1: p.x, y1: low, x2: p.x, y2: high, color });
                        }
                    }
                } else {
                    for pair in s.points.windows(2) {
                        if let [a, b] = pair {
                            context.draw(&Line { x1: a.x, y1: a.y, x2: b.x, y2: b.y, color });
                        }
                    }
                }
                context.layer();
            }
        })
        .render(plane.area, pen.buffer);
}

const fn point_sign(tone: Tone) -> &'static str {
    match tone {
        Tone::Without => "○",
        Tone::With => "●",
        Tone::Reference => "·",
        Tone::Accent => "◆",
        Tone::Of(_) => "★",
    }
}

/// Points that stand for rows, and the cursor on top of them.
fn signs(pen: &mut Pen<'_>, plane: &Plane<'_>, series: &[Series]) {
    let mut cursor = None;
    for s in series {
        let style = pen.tone(s.tone);
        for p in &s.points {
            let (x, y) = plane.cell(p);
            if s.stroke == Stroke::Points {
                pen.put(plane.area, x, y, point_sign(s.tone), style);
            }
            let Some(mark) = p.mark else { continue };
            pen.hit(Rect { x, y, width: 1, height: 1 }, mark);
            if Some(mark) == pen.cursor {
                cursor = Some((x, y, if s.stroke == Stroke::Points { point_sign(s.tone) } else { "●" }));
            }
        }
    }
    if let Some((x, y, sign)) = cursor {
        let style = pen.style(Role::Selection);
        // A cell is little to find among braille: its neighbours are part of the cursor.
        pen.put(plane.area, x.saturating_sub(1), y, "▸", style);
        pen.put(plane.area, x, y, sign, style);
        pen.put(plane.area, x + 1, y, "◂", style);
    }
}

fn names(pen: &mut Pen<'_>, area: Rect, series: &[Series], beside: bool) {
    let (mut x, mut y) = (area.x, area.y);
    for s in series {
        let need = text::width(&s.name) as u16 + 5;
        if !beside && x > area.x && x + need > area.right() {
            (x, y) = (area.x, y + 1);
        }
        if y >= area.bottom() {
            return;
        }
        let sign = match s.stroke {
            Stroke::Points => point_sign(s.tone),
            Stroke::Line => "━",
            Stroke::Guide => "─",
        };
        let style = pen.tone(s.tone);
        x = pen.write(area, x, y, sign, style);
        x = pen.write(area, x, y, &format!(" {}", s.name), style) + 2;
        if beside {
            (x, y) = (area.x, y + 1);
        }
    }
}
