//! The lowest lines: filter or message, and the keys that matter here.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use crate::app::layout::Areas;
use crate::app::{Hit, Model, Tone};
use crate::keymap::{Action, Context, spell};
use crate::record::Transition;
use crate::text::{self, count};
use crate::theme::{Role, Theme};

use super::hints::hints;
use super::{Drawn, put, write};

/// Completions shown at once.
const SHOWN: usize = 8;
/// Lines that one message may cover.
const MOST_LINES: u16 = 4;
/// What stands in an empty filter, as much as there is room for.
const EMPTY: [&str; 3] = [
    "words, or field:value — Tab completes, ↑ older filters, Enter keeps, Esc goes back",
    "words, or field:value — Tab completes, Enter, Esc",
    "Tab completes, Enter, Esc",
];

/// Draws both lines, and the completions above them while the filter is edited.
pub(super) fn draw(model: &Model, theme: &Theme, areas: &Areas, buffer: &mut Buffer, drawn: &mut Drawn) {
    drawn.hits.add(areas.bar, Hit::Bar);
    if model.filter.editing.is_some() {
        editing(model, theme, areas, buffer, drawn);
    } else {
        resting(model, theme, areas, buffer);
    }
    if areas.hints.height > 0 {
        hints(model, theme, areas.hints, buffer);
    }
}

fn resting(model: &Model, theme: &Theme, areas: &Areas, buffer: &mut Buffer) {
    let area = areas.bar;
    let dim = theme.style(Role::Dim);
    if let Some(status) = &model.status {
        let role = if status.tone == Tone::Failure { Role::Error } else { Role::Accent };
        let said = text::sanitize_line(&status.text);
        // A dialog would cover all lines but the last one.
        let fits = text::width(&said) < usize::from(area.width) || !model.overlays.is_empty();
        if fits || above(&said, theme.style(role), areas, area.bottom(), buffer) == 0 {
            write(buffer, area, area.x + 1, area.y, &said, theme.style(role));
        }
        return;
    }
    let mut x = area.x + 1;
    if !model.pending.is_empty() {
        let so_far = spell(&model.pending);
        x = write(buffer, area, x, area.y, &format!("{so_far} …"), theme.style(Role::Key));
        if areas.hints.height == 0 {
            hints(model, theme, Rect { x: x + 1, width: area.right().saturating_sub(x + 1), ..area }, buffer);
        }
        return;
    }
    let filter = model.filter_text();
    // Without a line of their own the keys stand here, unless there is something to say that nothing else does.
    if areas.hints.height == 0
        && (!model.overlays.is_empty()
            || (filter.is_empty() && model.sort.is_empty() && model.running() == 0))
    {
        let place = if model.overlays.is_empty() { place(model) } else { String::new() };
        let taken = text::width(&place) as u16;
        let keys = Rect { width: area.width.saturating_sub(taken), ..area };
        hints(model, theme, keys, buffer);
        write(buffer, area, keys.right(), area.y, &place, dim);
        return;
    }
    if filter.is_empty() {
        let key = model.keymap.hint(Context::List, Action::Filter).unwrap_or_default();
        x = write(buffer, area, x, area.y, &key, theme.style(Role::Key));
        x = write(buffer, area, x, area.y, " filter: words, transition:broken, conf:0.9..1, calls>=2 …", dim);
    } else {
        x = write(buffer, area, x, area.y, "/ ", theme.style(Role::Key));
        x = write(buffer, area, x, area.y, &filter, theme.style(Role::Text));
    }
    if !model.sort.is_empty() {
        let sort = format!("   sorted by {}", crate::query::sort_text(&model.sort));
        x = write(buffer, area, x, area.y, &sort, dim);
    }
    let place = place(model);
    let running = model.running();
    let place = if running > 0 {
        let key = model.keymap.hint(Context::List, Action::Jobs).unwrap_or_default();
        format!("{running} asking ({key})   {place}")
    } else {
        place
    };
    let at = area.right().saturating_sub(text::width(&place) as u16);
    if at > x {
        write(buffer, area, at, area.y, &place, dim);
    }
}

/// `3/336 `: which row of how many is selected.
fn place(model: &Model) -> String {
    if model.view.rows.is_empty() {
        return String::new();
    }
    format!("{}/{} ", count(model.place.cursor as u64 + 1), count(model.view.rows.len() as u64))
}

/// Writes a text that is too long for the bar on lines that end above `bottom`, and answers how many.
fn above(said: &str, style: Style, areas: &Areas, bottom: u16, buffer: &mut Buffer) -> u16 {
    let area = areas.bar;
    let pieces = text::wrap(said, usize::from(area.width.saturating_sub(2)).max(1));
    let room = bottom.saturating_sub(areas.header.height + 1).min(MOST_LINES);
    let lines = (pieces.len() as u16).min(room);
    for (at, piece) in pieces.into_iter().take(usize::from(lines)).enumerate() {
        let line = Rect { y: bottom - lines + at as u16, height: 1, ..area };
        ratatui::widgets::Widget::render(ratatui::widgets::Clear, line, buffer);
        buffer.set_style(line, style);
        write(buffer, line, line.x + 1, line.y, said.get(piece).unwrap_or_default(), style);
    }
    lines
}

fn editing(model: &Model, theme: &Theme, areas: &Areas, buffer: &mut Buffer, drawn: &mut Drawn) {
    let Some(editing) = &model.filter.editing else { return };
    let area = areas.bar;
    let base = theme.style(Role::Input);
    buffer.set_style(area, base);
    let mut x0 = write(buffer, area, area.x + 1, area.y, "/ ", base.patch(theme.style(Role::Key)));
    // What the toggles let through counts as well, though it is not typed here.
    let toggled: Vec<String> = Transition::ALL
        .iter()
        .filter(|&&t| model.filter.toggles.has(t))
        .map(|t| t.name().replace('_', " "))
        .collect();
    if !toggled.is_empty() {
        let text = format!("[{}] ", toggled.join(", "));
        x0 = write(buffer, area, x0, area.y, &text, base.patch(theme.style(Role::Dim)));
    }
    let line = editing.line.text();
    let cursor = editing.line.cursor();
    let room = usize::from(area.right().saturating_sub(x0 + 1));
    let before = line.get(..cursor).map_or(0, text::width);
    // The line slides so that the cursor stays visible.
    let skip = before.saturating_sub(room.saturating_sub(1));
    let mut x = 0;
    for (at, grapheme) in text::graphemes(&line) {
        let width = text::width(grapheme);
        if x >= skip && x - skip + width <= room {
            let wrong = editing
                .error
                .as_ref()
                .is_some_and(|e| e.at.contains(&at) || (e.at.is_empty() && e.at.start == at));
            let style = if wrong {
                base.patch(theme.style(Role::Error)).add_modifier(Modifier::UNDERLINED)
            } else {
                base
            };
            put(buffer, x0 + (x - skip) as u16, area.y, grapheme, style);
        }
        x += width;
    }
    drawn.cursor = Some(Position::new(x0 + (before - skip) as u16, area.y));
    let mut lifted = 0;
    let end = x0 + (x.saturating_sub(skip)).min(room) as u16;
    if let Some(error) = &editing.error {
        // The hint stands on the line of keys where there is one.
        let hint = error.hint.as_deref().filter(|_| areas.hints.height == 0);
        let hint = hint.map(|h| format!(" — {h}")).unwrap_or_default();
        let text = text::sanitize_line(&format!("{}{hint}", error.message)).into_owned();
        let style = base.patch(theme.style(Role::Error));
        if usize::from(end) + 4 + text::width(&text) <= usize::from(area.right()) {
            write(buffer, area, end + 4, area.y, &text, style);
        } else {
            lifted = above(&text, style, areas, area.y, buffer);
        }
    } else if line.trim().is_empty() {
        let room = usize::from(area.right().saturating_sub(end + 1));
        let text =
            EMPTY.iter().find(|t| text::width(t) <= room).or(EMPTY.last()).copied().unwrap_or_default();
        write(buffer, area, end + 1, area.y, text, base.patch(theme.style(Role::Placeholder)));
    } else {
        let text = format!(
            "   {} of {}",
            count(model.view.rows.len() as u64),
            count(model.table.pairs.len() as u64)
        );
        write(buffer, area, end + 1, area.y, &text, base.patch(theme.style(Role::Dim)));
    }
    let place = Position::new(x0 + (before.saturating_sub(skip)) as u16, area.y - lifted);
    completions(model, theme, areas, place, buffer);
}

/// The completions, their last line above `place`.
fn completions(model: &Model, theme: &Theme, areas: &Areas, place: Position, buffer: &mut Buffer) {
    let Some(found) = model.filter.editing.as_ref().and_then(|e| e.completions.as_ref()) else { return };
    let marked = model.filter.editing.as_ref().and_then(|e| e.marked);
    let height =
        found.items.len().min(SHOWN).min(usize::from(place.y.saturating_sub(areas.header.height + 1)));
    let first = marked.map_or(0, |m| m.saturating_sub(height.saturating_sub(1)));
    let items: Vec<_> = found.items.iter().enumerate().skip(first).take(height).collect();
    // Names that are cut must stay apart: they get the better part of a narrow screen.
    let most = usize::from(areas.bar.width).saturating_mul(2) / 3;
    let label = items.iter().map(|(_, i)| text::width(&i.text)).max().unwrap_or(0).min(most);
    let side = |i: &crate::query::Item| {
        let least = if found.partial { "≥" } else { "" };
        i.count.map_or_else(|| i.note.clone(), |n| format!("{least}{} {}", count(n), i.note))
    };
    let note = items.iter().map(|(_, i)| text::width(&side(i))).max().unwrap_or(0).min(48);
    let width = ((label + note + 4) as u16).min(areas.bar.width);
    let x = place.x.min(areas.bar.right().saturating_sub(width));
    let base = theme.style(Role::Popup);
    for (line, (at, item)) in items.iter().enumerate() {
        let y = place.y - height as u16 + line as u16;
        let area = Rect::new(x, y, width, 1);
        let style = if marked == Some(*at) { theme.style(Role::Selection) } else { base };
        ratatui::widgets::Widget::render(ratatui::widgets::Clear, area, buffer);
        buffer.set_style(area, style);
        let value = text::sanitize_line(&item.text);
        write(buffer, area, x + 1, y, &text::pad(&text::middle(&value, label), label), style);
        let dim = if marked == Some(*at) { style } else { style.patch(theme.style(Role::Dim)) };
        write(buffer, area, x + label as u16 + 3, y, &text::sanitize_line(&side(item)), dim);
    }
}
