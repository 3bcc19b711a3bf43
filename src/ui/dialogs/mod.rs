//! Dialogs over the screen: a box in the middle, never larger than the screen.

mod bins;
mod job;
mod lists;
mod notes;
mod reask;
mod texts;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Clear, Widget};

use crate::app::{Hit, Model, Overlay};
use crate::text;
use crate::theme::{Role, Theme};

use super::{Drawn, put, write};

/// Draws a dialog.
pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    overlay: &Overlay,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    match overlay {
        Overlay::Menu(menu) => lists::menu(theme, menu, screen, buffer, drawn),
        Overlay::Columns(columns) => lists::columns(model, theme, columns, screen, buffer, drawn),
        Overlay::Text(text) | Overlay::Problems(text) => {
            texts::draw(model, theme, text, screen, buffer, drawn);
        }
        Overlay::SaveView(line) => lists::save_view(theme, line, &model.filter_text(), screen, buffer, drawn),
        Overlay::Bins(dialog) => bins::draw(model, theme, dialog, screen, buffer, drawn),
        // Not boxes: they take the panes' place, or a part of it.
        Overlay::Figures | Overlay::Code => {}
        Overlay::Note(dialog) => notes::note(model, theme, dialog, screen, buffer, drawn),
        Overlay::Ask(dialog) => notes::ask(theme, dialog, screen, buffer, drawn),
        Overlay::Counts(counts) => notes::counts(theme, counts, screen, buffer, drawn),
        Overlay::Reask(form) => reask::draw(model, theme, form, screen, buffer, drawn),
        Overlay::Job(id) => {
            if let Some(job) = model.job(*id) {
                job::draw(model, theme, job, screen, buffer, drawn);
            }
        }
    }
}

/// An empty box of at most this size with a title; answers the area inside.
fn frame(
    theme: &Theme,
    title: &str,
    size: (u16, u16),
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) -> Rect {
    let width = size.0.saturating_add(2).min(screen.width);
    let height = size.1.saturating_add(2).min(screen.height);
    let area = Rect::new((screen.width - width) / 2, (screen.height - height) / 2, width, height);
    Clear.render(area, buffer);
    let base = theme.style(Role::Popup);
    buffer.set_style(area, base);
    let border = base.patch(theme.style(Role::BorderFocus));
    let (right, bottom) = (area.right().saturating_sub(1), area.bottom().saturating_sub(1));
    for x in area.x..area.right() {
        put(buffer, x, area.y, "─", border);
        put(buffer, x, bottom, "─", border);
    }
    for y in area.y..area.bottom() {
        put(buffer, area.x, y, "│", border);
        put(buffer, right, y, "│", border);
    }
    for (x, y, sign) in
        [(area.x, area.y, "╭"), (right, area.y, "╮"), (area.x, bottom, "╰"), (right, bottom, "╯")]
    {
        put(buffer, x, y, sign, border);
    }
    let room = Rect { width: area.width.saturating_sub(2), ..area };
    write(
        buffer,
        room,
        area.x + 2,
        area.y,
        &format!(" {} ", text::sanitize_line(title)),
        base.patch(theme.style(Role::Heading)),
    );
    drawn.hits.add(area, Hit::Dialog);
    Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2))
}

/// The first of `len` items that is shown when `cursor` must be visible among `height`.
fn first_shown(cursor: usize, len: usize, height: usize) -> usize {
    cursor.saturating_sub(height / 2).min(len.saturating_sub(height))
}
