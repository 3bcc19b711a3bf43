//! Text to read: help, problems.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Hit, Model, TextDialog, TextKind};
use crate::text;
use crate::theme::{Role, Theme};

use super::super::{Drawn, write};
use super::{frame, lists};

/// Draws the dialog.
pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    dialog: &TextDialog,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let size = dialog.room((screen.width, screen.height));
    let keys = dialog.keys(size.0) as u16;
    let rows = dialog.rows(size.0);
    let mut inside = frame(theme, &dialog.title, size, screen, buffer, drawn);
    let base = theme.style(Role::Popup);
    let dim = base.patch(theme.style(Role::Dim));
    if dialog.typing || dialog.narrowed() {
        let head = Rect { height: 1, ..inside };
        let (found, of) = dialog.found();
        let count = if dialog.narrowed() { format!(" {found} of {of}") } else { String::new() };
        let taken = text::width(&count) as u16 + 1;
        let field = Rect { width: head.width.saturating_sub(taken), ..head };
        lists::line(theme, &dialog.query, "words to find", field, buffer, drawn);
        if !dialog.typing {
            drawn.cursor = None;
        }
        write(buffer, head, field.right(), head.y, &count, dim);
        inside = Rect { y: inside.y + 1, height: inside.height.saturating_sub(1), ..inside };
        if rows.is_empty() {
            let words = text::sanitize_line(&dialog.query.text()).into_owned();
            let said = format!("nothing here has the words “{}”", words.trim());
            write(buffer, inside, inside.x + 1, inside.y, &said, dim);
        }
    }
    let top = dialog.top(&rows, usize::from(inside.height));
    for (at, row) in rows.iter().skip(top).take(usize::from(inside.height)).enumerate() {
        let area = Rect { y: inside.y + at as u16, height: 1, ..inside };
        let role = match row.kind {
            TextKind::Heading => Some(Role::Heading),
            TextKind::Error => Some(Role::Error),
            TextKind::Warning => Some(Role::Warning),
            TextKind::Plain | TextKind::Key => None,
        };
        let is_here = dialog.cursor == Some(row.line);
        let style = |role: Option<Role>| match role {
            _ if is_here => theme.style(Role::Selection),
            Some(role) => base.patch(theme.style(role)),
            None => base,
        };
        if is_here {
            buffer.set_style(area, style(None));
        }
        let key_role = if row.kind == TextKind::Key { Role::Key } else { role.unwrap_or(Role::Dim) };
        write(buffer, area, area.x + 1, area.y, row.key, style(Some(key_role)));
        let indent = if row.kind == TextKind::Heading { 1 } else { dialog.indent(usize::from(keys)) as u16 };
        let x = area.x + indent;
        if dialog.cursor.is_some() {
            drawn.hits.add(area, Hit::Item(row.line));
            if row.first && model.problem_row(row.line).is_some() {
                write(buffer, area, x.saturating_sub(2), area.y, "→", style(Some(Role::Key)));
            }
        }
        write(buffer, area, x, area.y, row.said, style(role));
    }
    let more = rows.len().saturating_sub(top + usize::from(inside.height));
    if more > 0 && inside.height > 0 {
        // On the border, where it covers nothing.
        let note = format!(" {more} more ↓ ");
        let border = Rect { y: inside.bottom(), height: 1, ..inside };
        let x = border.right().saturating_sub(text::width(&note) as u16);
        write(buffer, border, x, border.y, &note, dim);
    }
}
