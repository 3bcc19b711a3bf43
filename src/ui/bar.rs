//! The lowest lines: filter or message, and the keys that matter here.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Modifier;

use crate::app::layout::Areas;
use crate::app::reask::Job;
use crate::app::{Focus, Hit, Model, Tone};
use crate::keymap::{Action, Context, Resolved, spell};
use crate::record::Transition;
use crate::text::{self, count};
use crate::theme::{Role, Theme};

use super::{Drawn, put, write};

/// Completions shown at once.
const SHOWN: usize = 8;

/// Draws both lines, and the completions above them while the filter is edited.
pub(super) fn draw(model: &Model, theme: &Theme, areas: &Areas, buffer: &mut Buffer, drawn: &mut Drawn) {
    drawn.hits.add(areas.bar, Hit::Bar);
    if model.filter.editing.is_some() {
        editing(model, theme, areas, buffer, drawn);
    } else {
        resting(model, theme, areas.bar, buffer);
    }
    if areas.hints.height > 0 {
        hints(model, theme, areas.hints, buffer);
    }
}

fn resting(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let dim = theme.style(Role::Dim);
    if let Some(status) = &model.status {
        let role = if status.tone == Tone::Failure { Role::Error } else { Role::Accent };
        write(buffer, area, area.x + 1, area.y, &text::sanitize_line(&status.text), theme.style(role));
        return;
    }
    if !model.pending.is_empty() {
        let so_far = spell(&model.pending);
        write(buffer, area, area.x + 1, area.y, &format!("{so_far} …"), theme.style(Role::Key));
        return;
    }
    let filter = model.filter_text();
    let mut x = area.x + 1;
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
    let place = if model.view.rows.is_empty() {
        String::new()
    } else {
        format!("{}/{} ", count(model.place.cursor as u64 + 1), count(model.view.rows.len() as u64))
    };
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
    let end = x0 + (x.saturating_sub(skip)).min(room) as u16;
    if let Some(error) = &editing.error {
        // The hint stands on the line of keys where there is one.
        let hint = error.hint.as_deref().filter(|_| areas.hints.height == 0);
        let hint = hint.map(|h| format!(" — {h}")).unwrap_or_default();
        let text = text::sanitize_line(&format!("   {}{hint}", error.message)).into_owned();
        write(buffer, area, end + 1, area.y, &text, base.patch(theme.style(Role::Error)));
    } else if line.trim().is_empty() {
        let text = "words, or field:value — Tab completes, ↑ older filters, Enter keeps, Esc goes back";
        write(buffer, area, end + 1, area.y, text, base.patch(theme.style(Role::Placeholder)));
    } else {
        let text = format!(
            "   {} of {}",
            count(model.view.rows.len() as u64),
            count(model.table.pairs.len() as u64)
        );
        write(buffer, area, end + 1, area.y, &text, base.patch(theme.style(Role::Dim)));
    }
    completions(model, theme, areas, x0 + (before.saturating_sub(skip)) as u16, buffer);
}

fn completions(model: &Model, theme: &Theme, areas: &Areas, x: u16, buffer: &mut Buffer) {
    let Some(found) = model.filter.editing.as_ref().and_then(|e| e.completions.as_ref()) else { return };
    let marked = model.filter.editing.as_ref().and_then(|e| e.marked);
    let height =
        found.items.len().min(SHOWN).min(usize::from(areas.bar.y.saturating_sub(areas.header.height + 1)));
    let first = marked.map_or(0, |m| m.saturating_sub(height.saturating_sub(1)));
    let items: Vec<_> = found.items.iter().enumerate().skip(first).take(height).collect();
    let label = items.iter().map(|(_, i)| text::width(&i.text)).max().unwrap_or(0).min(32);
    let side = |i: &crate::query::Item| {
        let least = if found.partial { "≥" } else { "" };
        i.count.map_or_else(|| i.note.clone(), |n| format!("{least}{} {}", count(n), i.note))
    };
    let note = items.iter().map(|(_, i)| text::width(&side(i))).max().unwrap_or(0).min(48);
    let width = ((label + note + 4) as u16).min(areas.bar.width);
    let x = x.min(areas.bar.right().saturating_sub(width));
    let base = theme.style(Role::Popup);
    for (line, (at, item)) in items.iter().enumerate() {
        let y = areas.bar.y - height as u16 + line as u16;
        let area = Rect::new(x, y, width, 1);
        let style = if marked == Some(*at) { theme.style(Role::Selection) } else { base };
        ratatui::widgets::Widget::render(ratatui::widgets::Clear, area, buffer);
        buffer.set_style(area, style);
        write(buffer, area, x + 1, y, &text::pad(&text::sanitize_line(&item.text), label), style);
        let dim = if marked == Some(*at) { style } else { style.patch(theme.style(Role::Dim)) };
        write(buffer, area, x + label as u16 + 3, y, &text::sanitize_line(&side(item)), dim);
    }
}

fn hints(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let dim = theme.style(Role::Dim);
    let key_style = theme.style(Role::Key);
    let mut x = area.x + 1;
    if !model.pending.is_empty()
        && let Some((last, before)) = model.pending.split_last()
        && let Resolved::Pending(follow) = model.keymap.resolve(&model.contexts(), before, *last)
    {
        for (keys, action) in follow {
            x = write(buffer, area, x, area.y, &keys, key_style);
            x = write(buffer, area, x, area.y, &format!(" {}   ", action.help()), dim);
        }
        return;
    }
    let hint = model.filter.editing.as_ref().and_then(|e| e.error.as_ref()).and_then(|e| e.hint.as_deref());
    if let Some(hint) = hint {
        write(buffer, area, x, area.y, &text::sanitize_line(hint), theme.style(Role::Accent));
        return;
    }
    let contexts = model.contexts();
    for (action, word) in wanted(model) {
        let Some(key) = contexts.iter().find_map(|&c| model.keymap.hint(c, *action)) else { continue };
        // While coding, a key of the codebook sets its code and nothing else.
        if contexts.first() == Some(&crate::keymap::Context::Code) && model.is_code_key(&key) {
            continue;
        }
        let need = text::width(&key) + text::width(word) + 1;
        if usize::from(area.right().saturating_sub(x)) <= need {
            break;
        }
        x = write(buffer, area, x, area.y, &key, key_style);
        x = write(buffer, area, x, area.y, &format!(" {word}"), dim) + 2;
    }
}

/// What a person here most likely wants next.
fn wanted(model: &Model) -> &'static [(Action, &'static str)] {
    use crate::app::Overlay;
    match model.overlays.last() {
        Some(Overlay::Bins(_)) => {
            return &[
                (Action::Accept, "filter to this bin"),
                (Action::FocusNext, "without/with"),
                (Action::ToggleItem, "ten bins/values"),
                (Action::Cancel, "close"),
            ];
        }
        Some(Overlay::Code) => {
            return &[
                (Action::SaveNext, "save, next"),
                (Action::WriteNote, "note"),
                (Action::Defer, "later"),
                (Action::Undo, "undo"),
                (Action::Cancel, "end"),
                (Action::Help, "what codes mean"),
                (Action::NextPair, "next"),
                (Action::PreviousPair, "back"),
                (Action::Judge, "verdict"),
                (Action::AcceptAnswer, "accept answer"),
                (Action::CodeCounts, "counts"),
                (Action::Codebook, "codebook"),
            ];
        }
        Some(Overlay::Counts(_)) => {
            return &[(Action::Accept, "list these"), (Action::Cancel, "close")];
        }
        Some(Overlay::Note(_) | Overlay::Ask(_)) => {
            return &[(Action::Accept, "keep"), (Action::Cancel, "close")];
        }
        Some(Overlay::Figures) => {
            return &[
                (Action::Accept, "list these"),
                (Action::NextFigure, "next figure"),
                (Action::NextGroup, "next model"),
                (Action::Compare, "compare"),
                (Action::GroupBy, "group by"),
                (Action::Copy, "copy"),
                (Action::Help, "help"),
                (Action::Cancel, "close"),
            ];
        }
        Some(Overlay::Columns(_)) => {
            return &[
                (Action::ToggleItem, "show/hide"),
                (Action::MoveItemUp, "up"),
                (Action::MoveItemDown, "down"),
                (Action::WidenColumn, "wider"),
                (Action::NarrowColumn, "narrower"),
                (Action::AutoColumn, "as there is room"),
                (Action::Cancel, "done"),
            ];
        }
        Some(Overlay::Reask(form)) if form.replays() => {
            return &[(Action::Send, "replay"), (Action::FocusNext, "next field"), (Action::Cancel, "close")];
        }
        Some(Overlay::Reask(_)) => {
            return &[
                (Action::Send, "send"),
                (Action::FocusNext, "next field"),
                (Action::EditText, "editor"),
                (Action::Cancel, "close"),
            ];
        }
        Some(Overlay::Job(id)) => {
            return if model.job(*id).is_some_and(Job::runs) {
                &[(Action::Cancel, "stop"), (Action::Accept, "leave it running")]
            } else {
                &[(Action::Cancel, "close"), (Action::Down, "scroll")]
            };
        }
        Some(Overlay::Problems(dialog)) if model.problem_row(dialog.scroll).is_some() => {
            return &[(Action::Accept, "go to the row"), (Action::Down, "next"), (Action::Cancel, "close")];
        }
        Some(Overlay::Text(_) | Overlay::Problems(_)) => {
            return &[(Action::Down, "scroll"), (Action::Cancel, "close")];
        }
        Some(_) => return &[(Action::Accept, "choose"), (Action::Cancel, "close")],
        None => {}
    }
    if model.filter.editing.is_some() {
        return &[(Action::Accept, "keep"), (Action::Complete, "complete"), (Action::Cancel, "back")];
    }
    match model.focus {
        Focus::List => &[
            (Action::Help, "help"),
            (Action::Filter, "filter"),
            (Action::ToggleBroken, "broken"),
            (Action::Bins, "confidence bins"),
            (Action::Figures, "figures"),
            (Action::OpenDetail, "read"),
            (Action::Sort, "sort"),
            (Action::Columns, "columns"),
            (Action::Code, "code"),
            (Action::Reask, "ask again"),
            (Action::Copy, "copy"),
            (Action::Palette, "all actions"),
            (Action::Quit, "quit"),
        ],
        Focus::Detail => &[
            (Action::Cancel, "back"),
            (Action::NextPair, "next"),
            (Action::PreviousPair, "previous"),
            (Action::ToggleRaw, "full text"),
            (Action::TogglePrompt, "prompt"),
            (Action::Reask, "ask again"),
            (Action::OpenUrl, "open source"),
            (Action::Copy, "copy"),
            (Action::Help, "help"),
        ],
    }
}
