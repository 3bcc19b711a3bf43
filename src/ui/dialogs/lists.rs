//! Menus, the columns dialog, a name to type.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::{ColumnsDialog, Hit, Item, Line, Menu, Model};
use crate::text;
use crate::theme::{Role, Theme};

use super::super::{Drawn, put, write};
use super::{first_shown, frame};

/// The widest that keys, labels and notes of a menu may be.
const WIDEST: (usize, usize, usize) = (12, 60, 60);

pub(super) fn menu(theme: &Theme, menu: &Menu, screen: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let widest = |of: &dyn Fn(&Item) -> usize| menu.items.iter().map(of).max().unwrap_or(0);
    let key = widest(&|i| text::width(&i.key)).min(WIDEST.0);
    let note = widest(&|i| text::width(&i.note)).min(WIDEST.2);
    let all = widest(&|i| text::width(&i.label)).min(WIDEST.1);
    let width = (all + note + key + 7).max(30);
    let room = width.min(usize::from(screen.width.saturating_sub(2)));
    // Notes give way first, but not wholly: they often say what a label does not.
    let keys = if key > 0 { key + 1 } else { 0 };
    let label = all.min(room.saturating_sub(keys + 4 + note.min(if room < 50 { 4 } else { 12 })).max(8));
    let notes = room.saturating_sub(keys + label + 4);
    let head = u16::from(menu.typing);
    let limit = (screen.height.saturating_sub(4)).max(3);
    let foot = foot_lines(menu, label, notes, room).min(limit / 4);
    let rule = u16::from(foot > 0 && limit >= 10);
    let height = menu.items.len().min(usize::from(limit)) as u16 + head + foot + rule;
    let inside = frame(theme, menu.title, (width as u16, height.min(limit)), screen, buffer, drawn);
    let base = theme.style(Role::Popup);
    if menu.typing {
        line(theme, &menu.query, "type to find", Rect { height: 1, ..inside }, buffer, drawn);
    }
    let list =
        Rect { y: inside.y + head, height: inside.height.saturating_sub(head + foot + rule), ..inside };
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
        x = write(buffer, area, x, y, &text::pad(&text::middle(&item.label, label), label), style);
        if !item.note.is_empty() {
            write(buffer, area, x + 2, y, &text::sanitize_line(&item.note), with(Role::Dim));
        }
        drawn.hits.add(area, Hit::Item(at));
    }
    if menu.shown.is_empty() {
        write(buffer, list, list.x + 1, list.y, "nothing matches", base.patch(theme.style(Role::Dim)));
    }
    // What is cut above stands whole below, for the item under the cursor.
    let whole = Rect { y: list.bottom() + rule, height: foot, ..inside };
    for x in whole.left()..whole.right() {
        if rule > 0 {
            put(buffer, x, list.bottom(), "─", base.patch(theme.style(Role::Border)));
        }
    }
    if let Some(said) = menu.current().and_then(|i| cut(i, label, notes)) {
        let style = base.patch(theme.style(Role::Accent));
        let pieces = text::wrap(&said, room.saturating_sub(2).max(1));
        for (piece, y) in pieces.into_iter().zip(whole.top()..whole.bottom()) {
            write(buffer, whole, whole.x + 1, y, said.get(piece).unwrap_or_default(), style);
        }
    }
}

/// The longest text of an item that is shown whole under a menu, in bytes.
const LONGEST: usize = 1_024;

/// What an item says, if not all of it can be seen in its row.
fn cut(item: &Item, label: usize, note: usize) -> Option<String> {
    let said = text::sanitize_line(text::head(&item.note, LONGEST)).into_owned();
    let cut_note = text::width(&said) > note;
    match (text::width(&item.label) > label, cut_note) {
        (true, _) if said.is_empty() => Some(text::head(&item.label, LONGEST).to_owned()),
        (true, _) => Some(format!("{}  {said}", text::head(&item.label, LONGEST))),
        (false, true) => Some(said),
        (false, false) => None,
    }
}

/// The lines that the longest of the cut items takes.
fn foot_lines(menu: &Menu, label: usize, note: usize, room: usize) -> u16 {
    let room = room.saturating_sub(2).max(1);
    // A little more than the text itself: lines break between words.
    let lines = |said: String| (text::width(&said) * 9 / 8 / room + 1).min(3) as u16;
    menu.items.iter().filter_map(|i| cut(i, label, note)).map(lines).max().unwrap_or(0)
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
pub(super) fn line(
    theme: &Theme,
    line: &Line,
    empty: &str,
    area: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
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
