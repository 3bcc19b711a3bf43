//! The dialogs of coding: the note, a line that is asked for, the counts.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use crate::app::Model;
use crate::app::coding::{AskDialog, Asked, Counts, NoteDialog};
use crate::review::{Axis, Which};
use crate::text;
use crate::theme::{Role, Theme};

use super::super::figures::{Pen, facts};
use super::super::{Drawn, write};
use super::frame;

/// Draws the note that is being written.
pub(super) fn note(
    model: &Model,
    theme: &Theme,
    dialog: &NoteDialog,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let id = model.coding.as_ref().map(|c| c.sheet.key.question_id.clone()).unwrap_or_default();
    let width = screen.width.saturating_sub(6).min(90);
    let height = screen.height.saturating_sub(6).clamp(3, 10);
    let title = format!("note on {id} · enter keeps it, alt-enter: new line");
    let inside = frame(theme, &title, (width, height), screen, buffer, drawn);
    let base = theme.style(Role::Popup);
    let (row, column) = (dialog.area.cursor().0, dialog.area.cursor().1);
    let room = usize::from(inside.width.saturating_sub(2)).max(1);
    // Long lines are wrapped for the eye alone.
    let mut lines: Vec<String> = Vec::new();
    let mut cursor = (0, 0);
    for (at, line) in dialog.area.lines().iter().enumerate() {
        let (here, chunks) = chunks(line, room, column);
        if at == row {
            cursor = (lines.len() + here.0, here.1);
        }
        lines.extend(chunks);
    }
    let shown = usize::from(inside.height).max(1);
    let first = cursor.0.saturating_sub(shown - 1);
    for (at, line) in lines.iter().skip(first).take(shown).enumerate() {
        write(buffer, inside, inside.x + 1, inside.y + at as u16, line, base);
    }
    drawn.cursor = Some(Position::new(inside.x + 1 + cursor.1 as u16, inside.y + (cursor.0 - first) as u16));
}

/// A line in pieces of at most `room` cells, and the piece and the cell in it that the cursor stands at, which is before
/// the `column`th character.
fn chunks(line: &str, room: usize, column: usize) -> ((usize, usize), Vec<String>) {
    let mut chunks = vec![String::new()];
    let (mut used, mut cursor) = (0, None);
    for (at, letter) in line.chars().enumerate() {
        let mut bytes = [0; 4];
        let seen = text::sanitize_line(letter.encode_utf8(&mut bytes)).into_owned();
        let width = text::width(&seen);
        if used + width > room {
            chunks.push(String::new());
            used = 0;
        }
        if at == column {
            cursor = Some((chunks.len() - 1, used));
        }
        if let Some(last) = chunks.last_mut() {
            last.push_str(&seen);
        }
        used += width;
    }
    // At the end of a full line the cursor goes to the next one.
    if cursor.is_none() && used >= room {
        chunks.push(String::new());
        used = 0;
    }
    (cursor.unwrap_or((chunks.len() - 1, used)), chunks)
}

/// Draws a line that is asked for.
pub(super) fn ask(theme: &Theme, dialog: &AskDialog, screen: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let title = match dialog.asked {
        Asked::Reason(condition, verdict) => {
            format!("why {} is {}", condition.name().replace('_', " "), verdict.name())
        }
        Asked::Reference => "another accepted answer".to_owned(),
    };
    let width = screen.width.saturating_sub(6).min(80);
    let inside = frame(theme, &title, (width, 2), screen, buffer, drawn);
    let base = theme.style(Role::Input);
    let line = Rect { height: 1, ..inside };
    buffer.set_style(line, base);
    let shown = dialog.line.text();
    let before = shown.get(..dialog.line.cursor()).map_or(0, text::width);
    let room = usize::from(line.width.saturating_sub(3)).max(1);
    // What leaves on the left are whole characters, of one cell or two.
    let (mut skip, mut left) = (0, 0);
    for letter in shown.chars() {
        if before - left <= room {
            break;
        }
        left += text::width(letter.encode_utf8(&mut [0; 4]));
        skip += 1;
    }
    let visible: String = shown.chars().skip(skip).collect();
    write(buffer, line, line.x + 1, line.y, &text::sanitize_line(&visible), base);
    drawn.cursor = Some(Position::new(line.x + 1 + before.saturating_sub(left) as u16, line.y));
    let hint = "enter keeps it in the notes, never in your files; esc leaves it";
    write(
        buffer,
        inside,
        inside.x + 1,
        inside.y + 1,
        hint,
        theme.style(Role::Popup).patch(theme.style(Role::Dim)),
    );
}

/// Draws the counts.
pub(super) fn counts(theme: &Theme, counts: &Counts, screen: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let by = match counts.axis {
        Axis::Transition => "transition",
        Axis::Model => "model",
        Axis::Split => "split",
    };
    let which = if counts.which == Which::Primary { "primary codes" } else { "all codes" };
    let width = screen.width.saturating_sub(4).min(118);
    let lines = counts.rows.len() as u16 + 2 + counts.notes.len() as u16 + 2;
    let height = lines.min(screen.height.saturating_sub(4)).max(6);
    let title = format!("codes by {by} · {which} · tab: columns, space: which codes");
    let inside = frame(theme, &title, (width, height), screen, buffer, drawn);
    let foot = counts.notes.len() as u16 + 2;
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    let table = Rect { height: inside.height.saturating_sub(foot), ..inside };
    let columns: Vec<&str> = counts.columns.iter().map(String::as_str).collect();
    let mut pen = Pen::over(theme, &counts.marks, Some(counts.cursor), buffer, &mut drawn.hits);
    pen.table(table, &columns, &counts.rows);
    let dim = theme.style(Role::Popup).patch(theme.style(Role::Dim));
    let mut y = table.bottom();
    for note in &counts.notes {
        write(buffer, inside, inside.x, y, note, dim);
        y += 1;
    }
    if let Some(mark) = counts.marks.get(counts.cursor) {
        facts(theme, mark, Rect { y, height: 1, ..inside }, theme.style(Role::Popup), buffer);
    }
}
