//! Text to read: help, problems.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{TextDialog, TextKind};
use crate::text;
use crate::theme::{Role, Theme};

use super::super::{Drawn, write};
use super::{frame, lists};

/// The widest column of keys.
const KEYS: usize = 24;

/// A row as it is drawn: a line of the dialog takes one or several.
struct Row {
    kind: TextKind,
    key: String,
    said: String,
}

/// Draws the dialog.
pub(super) fn draw(theme: &Theme, dialog: &TextDialog, screen: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let width = screen.width.saturating_sub(4).min(110);
    let keys = dialog.lines.iter().map(|(_, k, _)| text::width(k)).max().unwrap_or(0);
    let keys = keys.min(KEYS).min(usize::from(width) / 3);
    let room = usize::from(width).saturating_sub(keys + 3).max(10);
    let shown = dialog.shown();
    let mut rows: Vec<Row> = Vec::new();
    // Rows at which a line of the dialog ends.
    let mut ends: Vec<usize> = Vec::new();
    for (kind, key, said) in shown.iter().copied().skip(dialog.scroll) {
        if rows.len() >= usize::from(screen.height) {
            break;
        }
        let room = if *kind == TextKind::Heading { usize::from(width).saturating_sub(2) } else { room };
        let (left, right) = (pieces(key, keys), pieces(said, room));
        for at in 0..left.len().max(right.len()).max(1) {
            let piece = |of: &[&str]| of.get(at).copied().unwrap_or("").to_owned();
            rows.push(Row { kind: *kind, key: piece(&left), said: piece(&right) });
        }
        ends.push(rows.len());
    }
    // The box keeps its size while words narrow what is in it.
    let all = dialog.lines.len().max(rows.len()).min(usize::from(u16::MAX)) as u16;
    let height = all.min(screen.height.saturating_sub(4).max(3));
    let mut inside = frame(theme, &dialog.title, (width, height), screen, buffer, drawn);
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
        if shown.is_empty() {
            let words = text::sanitize_line(&dialog.query.text()).into_owned();
            let said = format!("nothing here has the words “{}”", words.trim());
            write(buffer, inside, inside.x + 1, inside.y, &said, dim);
        }
    }
    for (at, row) in rows.iter().take(usize::from(inside.height)).enumerate() {
        let y = inside.y + at as u16;
        let role = match row.kind {
            TextKind::Heading => Some(Role::Heading),
            TextKind::Error => Some(Role::Error),
            TextKind::Warning => Some(Role::Warning),
            TextKind::Plain | TextKind::Key => None,
        };
        let style = role.map_or(base, |r| base.patch(theme.style(r)));
        let key_role = if row.kind == TextKind::Key { Role::Key } else { role.unwrap_or(Role::Dim) };
        write(buffer, inside, inside.x + 1, y, &row.key, base.patch(theme.style(key_role)));
        let x = if row.kind == TextKind::Heading { inside.x + 1 } else { inside.x + 2 + keys as u16 };
        write(buffer, inside, x, y, &row.said, style);
    }
    let whole = ends.iter().filter(|&&end| end <= usize::from(inside.height)).count();
    let more = shown.len().saturating_sub(dialog.scroll + whole);
    if more > 0 && inside.height > 0 {
        // On the border, where it covers nothing.
        let note = format!(" {more} more ↓ ");
        let border = Rect { y: inside.bottom(), height: 1, ..inside };
        let x = border.right().saturating_sub(text::width(&note) as u16);
        write(buffer, border, x, border.y, &note, dim);
    }
}

/// A text as the pieces that fit a width.
fn pieces(text: &str, width: usize) -> Vec<&str> {
    text::wrap(text, width.max(1)).into_iter().filter_map(|range| text.get(range)).collect()
}
