//! The panel of codes under the evidence.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::coding::Coding;
use crate::app::{Hit, HitMap, Model};
use crate::text;
use crate::text::count;
use crate::theme::{Role, Theme};

use super::{put, write};

/// Draws the panel: progress, codes, what the record hints at, the note.
pub(super) fn panel(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer, hits: &mut HitMap) {
    let Some(coding) = &model.coding else { return };
    let border = theme.style(Role::BorderFocus);
    for x in area.left()..area.right() {
        put(buffer, x, area.y, "─", border);
    }
    hits.add(area, Hit::Dialog);
    if coding.row().is_none() {
        write(
            buffer,
            area,
            area.x + 1,
            area.y,
            " the files are being read again ",
            theme.style(Role::Heading),
        );
        return;
    }
    progress(model, theme, coding, area, buffer);
    let mut y = area.y + 1;
    let dim = theme.style(Role::Dim);
    let mut number = 0;
    for line in model.code_lines() {
        if y >= area.bottom() {
            return;
        }
        let mut x = area.x + 1;
        for label in line {
            let is_primary = coding.sheet.primary.as_deref() == Some(&label.id);
            let is_set = coding.sheet.has(&label.id);
            let hinted = hinted(model, coding, &label.id);
            let (sign, style) = match (is_primary, is_set, hinted) {
                (true, ..) => ("●", theme.style(Role::Selection)),
                (_, true, _) => ("•", theme.style(Role::Selection)),
                (_, _, true) => ("?", theme.style(Role::Warning)),
                _ => (" ", theme.style(Role::Text)),
            };
            let to = write(buffer, area, x, y, &label.key.to_string(), theme.style(Role::Key));
            let to = write(buffer, area, to, y, sign, style);
            write(buffer, area, to, y, &label.text, style);
            hits.add(Rect::new(x, y, label.cells.min(area.right().saturating_sub(x)), 1), Hit::Item(number));
            number += 1;
            x += label.cells;
        }
        y += 1;
    }
    for (role, line) in below(model, coding, area.bottom().saturating_sub(y)) {
        let style = theme.style(role);
        write(buffer, area, area.x + 1, y, &line, if role == Role::Dim { dim } else { style });
        y += 1;
    }
}

/// Whether the record hints at a code.
fn hinted(model: &Model, coding: &Coding, id: &str) -> bool {
    let hints = coding.hints.as_deref().unwrap_or_default();
    hints.iter().any(|h| model.review.book.resolve(h.sign.code(), 1).id(h.sign.code()) == id)
}

fn progress(model: &Model, theme: &Theme, coding: &Coding, area: Rect, buffer: &mut Buffer) {
    let done = model.coded();
    let (at, len) = (coding.at + 1, coding.rows.len());
    let lost = model.unwritten();
    let mut x = area.x + 1;
    if lost > 0 {
        x = write(buffer, area, x, area.y, &format!(" {lost} NOT WRITTEN "), theme.style(Role::Error));
    }
    let mut text =
        format!(" coding {} of {} · {} coded", count(at as u64), count(len as u64), count(done as u64));
    if len > 1 {
        let _ = write!(text, " · {} left", count((len - done) as u64));
    }
    if let Some(seconds) = model.pace().filter(|_| len > done) {
        let rest = seconds * (len - done) as f64 / 60.0;
        let _ = write!(text, " · {seconds:.0} s each, {rest:.0} min to go");
    }
    let others = if model.review.blind { " · blind" } else { "" };
    text.push_str(others);
    if coding.sheet.changed {
        text.push_str(" · not saved yet");
    } else if coding.sheet.deferred {
        text.push_str(" · left for later");
    }
    text.push(' ');
    let x = write(buffer, area, x, area.y, &text, theme.style(Role::Heading));
    let plan = coding.plan.split(" | ").next().unwrap_or_default();
    if !plan.is_empty() {
        write(buffer, area, x, area.y, &format!(" {plan} "), theme.style(Role::Dim));
    }
}

/// The lines under the codes: hints with their evidence, what stands beside, the note.
fn below(model: &Model, coding: &Coding, room: u16) -> Vec<(Role, String)> {
    let mut lines = Vec::new();
    let book = &model.review.book;
    let note = coding.sheet.note.lines().collect::<Vec<_>>().join(" ↵ ");
    if !note.is_empty() {
        lines.push((Role::Accent, format!("note: {}", text::sanitize_line(&note))));
    }
    let all = if model.review.blind { Vec::new() } else { model.review.notes.codings_of(&coding.sheet.key) };
    let others: Vec<String> = all
        .iter()
        .filter(|c| c.entry.by != model.review.by)
        .filter_map(|c| {
            let codes: Vec<&str> = c.codes().into_iter().map(|id| book.today(id, c.codebook())).collect();
            let said = if codes.is_empty() { c.note().to_owned() } else { codes.join(", ") };
            (!said.is_empty()).then(|| text::sanitize_line(&format!("{}: {said}", c.entry.by)).into_owned())
        })
        .collect();
    let saved = model.review.notes.coding_by(&coding.sheet.key, &model.review.by);
    if !coding.sheet.changed && saved.is_some_and(|c| model.is_outdated(c.entry)) {
        lines.push((Role::Warning, "the answer is another one now than the one you coded".to_owned()));
    }
    if !model.disputed(&coding.sheet.key).is_empty() {
        lines.push((Role::Warning, "disputed: what you save now settles it".to_owned()));
    }
    match coding.hints.as_deref() {
        None => lines.push((Role::Dim, "reading the record…".to_owned())),
        Some([]) => {}
        Some(hints) => {
            for hint in hints {
                let today = book.resolve(hint.sign.code(), 1);
                let code = book.get(today.id(hint.sign.code()));
                let key = code.map_or_else(String::new, |c| format!("{} ", c.key));
                lines.push((
                    Role::Warning,
                    format!("? {key}{}: {}", hint.sign.name(), text::sanitize_line(&hint.evidence)),
                ));
            }
        }
    }
    if !others.is_empty() {
        lines.push((Role::Dim, others.join(" · ")));
    }
    let all = lines.len();
    let room = usize::from(room);
    lines.truncate(room);
    if all > room
        && let Some((_, last)) = lines.last_mut()
    {
        let _ = write!(last, "   (+{} more)", all - room);
    }
    lines
}
