//! Draws the state: `&Model` to cells.
//!
//! Owns every cell of the screen and what a click on it means. Reads no file and changes no state; what drawing found
//! out (places for the mouse, the height of the detail) goes back as [`Drawn`].

mod bar;
mod coding;
mod detail;
mod dialogs;
mod figures;
mod fit;
mod header;
mod hints;
mod list;
mod rich;

use ratatui::buffer::{Buffer, Cell};
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use crate::app::layout::Stand;
use crate::app::{Focus, Hit, HitMap, Model, Overlay};
use crate::theme::{Role, Theme};

pub use detail::Cache;

/// What drawing found out.
#[derive(Debug, Default)]
pub struct Drawn {
    /// Places for the mouse.
    pub hits: HitMap,
    /// Lines that the detail has.
    pub detail_lines: usize,
    /// The first of them behind which a text goes on that is not laid out yet.
    pub detail_cut: Option<usize>,
    /// Where the terminal's cursor stands; `None`: hidden.
    pub cursor: Option<Position>,
}

/// Draws the model on a whole screen, whatever the buffer held.
pub fn draw(model: &Model, theme: &Theme, cache: &mut Cache, buffer: &mut Buffer) -> Drawn {
    let area = buffer.area;
    let mut drawn = Drawn::default();
    let plain = theme.style(Role::Text);
    let mut blank = Cell::EMPTY;
    blank.set_style(plain);
    buffer.content.fill(blank);
    let Some(areas) = model.areas().filter(|_| (area.width, area.height) == model.size) else {
        too_small(area, theme, buffer);
        return drawn;
    };
    header::draw(model, theme, areas.header, buffer, &mut drawn.hits);
    if areas.stand != Stand::DetailOnly {
        list::draw(model, theme, &areas, buffer, &mut drawn.hits);
    }
    rule(model, theme, areas.rule, buffer, &mut drawn.hits);
    (drawn.detail_lines, drawn.detail_cut) =
        detail::draw(model, theme, cache, areas.detail, buffer, &mut drawn.hits);
    if areas.panel.height > 0 {
        coding::panel(model, theme, areas.panel, buffer, &mut drawn.hits);
    }
    bar::draw(model, theme, &areas, buffer, &mut drawn);
    for overlay in &model.overlays {
        if matches!(overlay, Overlay::Figures) {
            figures::draw(model, theme, &areas, buffer, &mut drawn.hits);
            continue;
        }
        dialogs::draw(model, theme, overlay, area, buffer, &mut drawn);
    }
    drawn
}

fn too_small(area: Rect, theme: &Theme, buffer: &mut Buffer) {
    let (width, height) = crate::app::layout::SMALLEST;
    let text = format!("too small: {width}×{height} needed");
    if area.height > 0 {
        let text = crate::text::truncate(&text, usize::from(area.width));
        let y = area.y + area.height / 2;
        write(buffer, area, area.x, y, &text, theme.style(Role::Warning));
    }
}

fn rule(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer, hits: &mut HitMap) {
    let role = if model.focus == Focus::Detail { Role::BorderFocus } else { Role::Border };
    let sign = if area.width > 1 { "─" } else { "│" };
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            put(buffer, x, y, sign, theme.style(role));
        }
    }
    hits.add(area, Hit::Rule);
}

/// Writes one sign.
fn put(buffer: &mut Buffer, x: u16, y: u16, sign: &str, style: Style) {
    if let Some(cell) = buffer.cell_mut(Position::new(x, y)) {
        cell.set_symbol(sign).set_style(style);
    }
}

/// Writes text cut to the cells that are left of an area, and answers where it ended.
fn write(buffer: &mut Buffer, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
    let room = usize::from(area.right().saturating_sub(x));
    if room == 0 || y >= area.bottom() || y < area.y {
        return x;
    }
    cells(buffer, x, y, &crate::text::truncate(text, room), room, style)
}

/// Writes a line of several styles, as much of it as `room` cells take.
fn line(buffer: &mut Buffer, x: u16, y: u16, line: &Line<'_>, room: u16) {
    let mut at = x;
    for span in line {
        let left = usize::from((x + room).saturating_sub(at));
        at = cells(buffer, at, y, &span.content, left, line.style.patch(span.style));
    }
}

/// Writes as much as `room` cells take, and answers where it ended.
fn cells(buffer: &mut Buffer, mut x: u16, y: u16, text: &str, room: usize, style: Style) -> u16 {
    let end = x.saturating_add(room as u16).min(buffer.area.right());
    for grapheme in crate::text::cells(text) {
        let width = grapheme.cells as u16;
        if width == 0 {
            continue;
        }
        if x + width > end {
            break;
        }
        if let Some(cell) = buffer.cell_mut(Position::new(x, y)) {
            cell.set_symbol(grapheme.text).set_style(style);
        }
        // What is under the other half of a wide character must not show through.
        for covered in x + 1..x + width {
            if let Some(cell) = buffer.cell_mut(Position::new(covered, y)) {
                cell.reset();
            }
        }
        x += width;
    }
    x
}
