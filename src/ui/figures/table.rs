//! Tables and the matrix.

use ratatui::layout::Rect;

use crate::figures::{Field, Row, or_none, three};
use crate::text::{self, count};
use crate::theme::Role;

use super::super::header::role;
use super::Pen;

/// The first of `len` lines that is shown when line `cursor` must be among `height`.
pub(super) fn first_shown(cursor: usize, len: usize, height: usize) -> usize {
    cursor.saturating_sub(height / 2).min(len.saturating_sub(height))
}

pub(super) fn draw(pen: &mut Pen<'_>, area: Rect, columns: &[&str], rows: &[Row]) {
    let room = usize::from(area.width);
    let label = rows.iter().map(|r| text::width(&r.label)).max().unwrap_or(0);
    let mut widths: Vec<usize> = columns.iter().map(|c| text::width(c)).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(&row.cells) {
            *width = (*width).max(text::width(&cell.text));
        }
    }
    // Where not all columns have room the last ones go; what names a row is cut before its numbers are.
    let mut shown = widths.len();
    let need = |label: usize, n: usize| label + widths.iter().take(n).map(|w| w + 2).sum::<usize>();
    let least = label.min(18);
    while shown > 1 && need(least, shown) > room {
        shown -= 1;
    }
    let label = label.min(room.saturating_sub(need(0, shown))).max(least.min(room));
    let dim = pen.style(Role::Dim);
    // Where columns of words begin: words stand at the left, numbers at the right.
    let mut words = Vec::new();
    let mut x = area.x + label as u16;
    for (at, width) in widths.iter().enumerate() {
        let mut cells =
            rows.iter().filter_map(|r| r.cells.get(at)).filter(|c| c.text != crate::figures::NONE);
        if cells.all(|c| c.value.is_none()) {
            words.push(x);
        }
        x += 2 + *width as u16;
    }
    let mut x = area.x + label as u16;
    for (title, width) in columns.iter().zip(&widths).take(shown) {
        let before = if words.contains(&x) { 0 } else { width - text::width(title) };
        pen.write(area, x + 2 + before as u16, area.y, title, dim);
        x += 2 + *width as u16;
    }
    let cursor_row = rows.iter().position(|r| {
        pen.cursor.is_some() && (r.mark == pen.cursor || r.cells.iter().any(|c| c.mark == pen.cursor))
    });
    let height = usize::from(area.height.saturating_sub(1));
    let first = first_shown(cursor_row.unwrap_or(0), rows.len(), height);
    for (at, row) in rows.iter().enumerate().skip(first).take(height) {
        let y = area.y + 1 + (at - first) as u16;
        let line = Rect { y, height: 1, ..area };
        let base = pen.marked(row.mark, pen.style(Role::Text));
        if row.mark.is_some() && row.mark == pen.cursor {
            pen.buffer.set_style(Rect { width: x.saturating_sub(area.x).min(area.width), ..line }, base);
        }
        pen.write(line, area.x, y, &text::pad(&row.label, label), base);
        if let Some(mark) = row.mark {
            pen.hit(line, mark);
        }
        let mut x = area.x + label as u16;
        for (cell, width) in row.cells.iter().zip(&widths).take(shown) {
            let style = if cell.mark.is_some() { pen.marked(cell.mark, base) } else { base };
            let before = if words.contains(&x) { 0 } else { width - text::width(&cell.text) };
            let at = x + 2 + before as u16;
            let end = pen.write(line, at, y, &cell.text, style);
            if let Some(mark) = cell.mark {
                pen.hit(Rect { x: at, width: end.saturating_sub(at), ..line }, mark);
            }
            x += 2 + *width as u16;
        }
    }
}

pub(super) fn matrix(pen: &mut Pen<'_>, area: Rect, rows: &[&str], columns: &[&str], fields: &[Vec<Field>]) {
    let names =
        rows.iter().map(|r| text::width(r)).max().unwrap_or(0).min(usize::from(area.width / 3)) as u16 + 2;
    let width = (area.width.saturating_sub(names) / columns.len().max(1) as u16).min(30);
    let dim = pen.style(Role::Dim);
    for (at, title) in columns.iter().enumerate() {
        let x = area.x + names + width * at as u16;
        let room = Rect { width: width.saturating_sub(1), x, ..area };
        pen.write(room, x + 1, area.y, title, dim);
    }
    let height = (area.height.saturating_sub(1) / fields.len().max(1) as u16).clamp(3, 6);
    for (at, (line, name)) in fields.iter().zip(rows).enumerate() {
        let y = area.y + 1 + height * at as u16;
        pen.write(
            Rect { width: names.saturating_sub(1), ..area },
            area.x,
            y + 1,
            name,
            pen.style(Role::Text),
        );
        for (column, field) in line.iter().enumerate() {
            let x = area.x + names + width * column as u16;
            let place = Rect { x, y, width: width.saturating_sub(1), height: height.saturating_sub(1) }
                .intersection(area);
            one_field(pen, place, field);
        }
    }
}

/// Glyph and name, count and share, and a bar as long as the share.
fn one_field(pen: &mut Pen<'_>, place: Rect, field: &Field) {
    let here = pen.cursor == Some(field.mark);
    let style = pen.style(role(field.transition));
    let base = pen.marked(Some(field.mark), pen.style(Role::Text));
    if here {
        pen.buffer.set_style(place, base);
    }
    let paint = if here { base } else { style };
    let word = format!("{} {}", field.transition.glyph().trim(), field.transition.name().replace('_', " "));
    pen.write(place, place.x + 1, place.y, &word, paint);
    let numbers = format!("{}  {}", count(field.n), or_none(field.share, three));
    pen.write(place, place.x + 1, place.y + 1, &numbers, base);
    let cells = f64::from(place.width.saturating_sub(2)) * field.share.unwrap_or(0.0);
    let bar = "▄".repeat(cells.round() as usize);
    pen.write(place, place.x + 1, place.y + 2, &bar, paint);
    pen.hit(place, field.mark);
}
