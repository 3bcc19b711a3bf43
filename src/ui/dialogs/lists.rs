//! Menus, the columns dialog, a name to type.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::{ColumnsDialog, Hit, Line, Menu, Model};
use crate::text;
use crate::theme::{Role, Theme};

use super::super::{Drawn, write};
use super::{first_shown, frame};

pub(super) fn menu(theme: &Theme, menu: &Menu, screen: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let label = menu.items.iter().map(|i| text::width(&i.label)).max().unwrap_or(0).min(46);
    let note = menu.items.iter().map(|i| text::width(&i.note)).max().unwrap_or(0).min(60);
    let key = menu.items.iter().map(|i| text::width(&i.key)).max().unwrap_or(0).min(12);
    let head = u16::from(menu.typing);
    let width = (label + note + key + 7).max(30) as u16;
    let height = menu.items.len() as u16 + head;
    let limit = (screen.height.saturating_sub(4)).max(3);
    let inside = frame(theme, menu.title, (width, height.min(limit)), screen, buffer, drawn);
    let base = theme.style(Role::Popup);
    if menu.typing {
        line(theme, &menu.query, "type to find", Rect { height: 1, ..inside }, buffer, drawn);
    }
    let list = Rect { y: inside.y + head, height: inside.height.saturating_sub(head), ..inside };
    let first = first_shown(menu.cursor, menu.shown.len(), usize::from(list.height));
    for (at, &index) in menu.shown.iter().enumerate().skip(first).take(usize::from(list.height)) {
        let Some(item) = menu.items.get(index) else { continue };
        let y = list.y + (at - first) as u16;
        let area = Rect { y, height: 1, ..list };
        let selected = at == menu.cursor;
        let style = if selected { theme.style(Role::Selection) } else { base };
        let with = |role: Role| if selected { style } else { base.patch(theme.style(role)) };
        buffer.set_style(area, style);
        let mut x = list.x + 1;
        if key > 0 {
            x = write(buffer, area, x, y, &text::pad(&item.key, key), with(Role::Key)) + 1;
        }
        x = write(buffer, area, x, y, &text::pad(&item.label, label), style);
        if !item.note.is_empty() {
            write(buffer, area, x + 2, y, &text::sanitize_line(&item.note), with(Role::Dim));
        }
        drawn.hits.add(area, Hit::Item(at));
    }
    if menu.shown.is_empty() {
        write(buffer, list, list.x + 1, list.y, "nothing matches", base.patch(theme.style(Role::Dim)));
    }
}

pub(super) fn columns(
    model: &Model,
    theme: &Theme,
    dialog: &ColumnsDialog,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let height = (dialog.columns.len() as u16).min(screen.height.saturating_sub(4).max(3));
    let inside = frame(theme, "columns", (34, height), screen, buffer, drawn);
    let base = theme.style(Role::Popup);
    let first = first_shown(dialog.cursor, dialog.columns.len(), usize::from(inside.height));
    for (at, (column, on)) in dialog.columns.iter().enumerate().skip(first).take(usize::from(inside.height)) {
        let y = inside.y + (at - first) as u16;
        let area = Rect { y, height: 1, ..inside };
        let style = if at == dialog.cursor { theme.style(Role::Selection) } else { base };
        buffer.set_style(area, style);
        let mark = if *on { "[x]" } else { "[ ]" };
        write(buffer, area, area.x + 1, y, &format!("{mark} {}", column.id()), style);
        if let Some(width) = model.width_of(*column) {
            let dim = if at == dialog.cursor { style } else { base.patch(theme.style(Role::Dim)) };
            write(buffer, area, area.x + 18, y, &format!("{width} wide"), dim);
        }
        drawn.hits.add(area, Hit::Item(at));
    }
}

pub(super) fn save_view(
    theme: &Theme,
    name: &Line,
    filter: &str,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let inside = frame(theme, "save this filter as a view", (60, 2), screen, buffer, drawn);
    line(theme, name, "name of the view", Rect { height: 1, ..inside }, buffer, drawn);
    let base = theme.style(Role::Popup).patch(theme.style(Role::Dim));
    write(buffer, inside, inside.x + 1, inside.y + 1, &text::sanitize_line(filter), base);
}

/// A line that is typed into.
pub(super) fn line(theme: &Theme, line: &Line, empty: &str, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let base = theme.style(Role::Input);
    buffer.set_style(area, base);
    let typed = line.text();
    let x = write(buffer, area, area.x, area.y, "› ", base.patch(theme.style(Role::Key)));
    if typed.is_empty() {
        write(buffer, area, x + 1, area.y, empty, base.patch(theme.style(Role::Placeholder)));
    } else {
        write(buffer, area, x, area.y, &typed, base);
    }
    let before = typed.get(..line.cursor()).map_or(0, text::width) as u16;
    drawn.cursor = Some(Position::new((x + before).min(area.right().saturating_sub(1)), area.y));
}
