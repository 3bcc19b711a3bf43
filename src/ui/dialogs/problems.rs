//! The problems dialog: lines of which one is under the cursor, and those that lead to a row marked.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Hit, Model, TextDialog, TextKind};
use crate::text;
use crate::theme::{Role, Theme};

use super::super::{Drawn, write};
use super::frame;

/// A screen line: which line of the dialog it is of, whether it begins it, and its text.
struct Piece {
    line: usize,
    first: bool,
    text: String,
}

pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    dialog: &TextDialog,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let width = screen.width.saturating_sub(4).min(110);
    let keys = dialog.lines.iter().map(|(_, k, _)| text::width(k)).max().unwrap_or(0).min(22);
    let room = usize::from(width).saturating_sub(keys + 5).max(10);
    let most = usize::from(screen.height.saturating_sub(4).max(3));
    let pieces = |lines: std::ops::Range<usize>| {
        let mut all = Vec::new();
        for line in lines {
            let Some((.., said)) = dialog.lines.get(line) else { break };
            let wrapped = text::wrap(said, room);
            let parts = wrapped.iter().map(|r| said.get(r.clone()).unwrap_or("").to_owned());
            let parts: Vec<String> = if wrapped.is_empty() { vec![String::new()] } else { parts.collect() };
            all.extend(parts.into_iter().enumerate().map(|(at, text)| Piece { line, first: at == 0, text }));
        }
        all
    };
    // No more lines of the dialog than the screen has can be shown, whatever their length: there may be thousands.
    let from = dialog.scroll.saturating_sub(most);
    let all = pieces(from..(dialog.scroll + most + 1).min(dialog.lines.len()));
    let here = all.iter().position(|p| p.line == dialog.scroll).unwrap_or(0);
    let first = here.saturating_sub(most / 2).min(all.len().saturating_sub(most));
    let shown = all.get(first..).unwrap_or_default();
    let height = shown.len().min(most);
    let inside = frame(theme, &dialog.title, (width, height as u16), screen, buffer, drawn);
    let height = usize::from(inside.height);
    let base = theme.style(Role::Popup);
    for (at, piece) in shown.iter().take(height).enumerate() {
        let Some((kind, key, _)) = dialog.lines.get(piece.line) else { break };
        let area = Rect { y: inside.y + at as u16, height: 1, ..inside };
        let role = match kind {
            TextKind::Heading => Some(Role::Heading),
            TextKind::Error => Some(Role::Error),
            TextKind::Warning => Some(Role::Warning),
            TextKind::Plain | TextKind::Key => None,
        };
        let is_here = piece.line == dialog.scroll;
        let style = |role: Option<Role>| {
            let style = role.map_or(base, |r| base.patch(theme.style(r)));
            if is_here { theme.style(Role::Selection) } else { style }
        };
        if is_here {
            buffer.set_style(area, style(None));
        }
        if piece.first {
            let key = text::truncate(key, keys);
            write(buffer, area, area.x + 1, area.y, &key, style(Some(role.unwrap_or(Role::Dim))));
        }
        let lead = model.problem_row(piece.line).is_some();
        let x = if *kind == TextKind::Heading { area.x + 1 } else { area.x + 4 + keys as u16 };
        if lead && piece.first {
            write(buffer, area, x.saturating_sub(2), area.y, "→", style(Some(Role::Key)));
        }
        write(buffer, area, x, area.y, &piece.text, style(role));
        drawn.hits.add(area, Hit::Item(piece.line));
    }
    let last = shown.get(height.saturating_sub(1)).map_or(0, |p| p.line);
    let cut = shown.get(height).is_some_and(|p| p.line == last);
    let more = (dialog.lines.len() + usize::from(cut)).saturating_sub(last + 1);
    if more > 0 && inside.height > 0 {
        let note = format!(" {more} more ↓ ");
        let x = inside.right().saturating_sub(text::width(&note) as u16);
        write(buffer, inside, x, inside.bottom() - 1, &note, base.patch(theme.style(Role::Dim)));
    }
}
