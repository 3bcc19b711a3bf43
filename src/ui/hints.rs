//! The keys that matter here.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::reask::Job;
use crate::app::{Focus, Model, Overlay, TextDialog};
use crate::keymap::{Action, Resolved};
use crate::text;
use crate::theme::{Role, Theme};

use super::write;

/// Draws the keys in a line.
pub(super) fn hints(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
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
    let hint = |action: Action| contexts.iter().find_map(|&c| model.keymap.hint(c, action));
    let need = |key: &str, word: &str| text::width(key) + text::width(word) + 1;
    let wanted = wanted(model);
    // The way out is shown whatever else there is no room for.
    let out = wanted.iter().find(|(action, _)| *action == Action::Cancel);
    let mut kept = out.and_then(|&(a, word)| Some(need(&hint(a)?, word) + 2)).unwrap_or(0);
    for (action, word) in wanted {
        let Some(key) = hint(*action) else { continue };
        if *action == Action::Cancel {
            kept = 0;
        }
        // While coding, a key of the codebook sets its code and nothing else.
        if contexts.first() == Some(&crate::keymap::Context::Code) && model.is_code_key(&key) {
            continue;
        }
        if usize::from(area.right().saturating_sub(x)) <= need(&key, word) + kept {
            if kept > 0 {
                continue;
            }
            break;
        }
        x = write(buffer, area, x, area.y, &key, key_style);
        x = write(buffer, area, x, area.y, &format!(" {word}"), dim) + 2;
    }
}

/// What a person here most likely wants next.
fn wanted(model: &Model) -> &'static [(Action, &'static str)] {
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
                (Action::NextGroup, "next group"),
                (Action::Compare, "compare"),
                (Action::GroupBy, "group by"),
                (Action::Copy, "copy"),
                (Action::Help, "help"),
                (Action::Cancel, "close"),
            ];
        }
        Some(Overlay::Columns(_)) => {
            return &[
                (Action::ToggleItem, "on/off"),
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
        Some(Overlay::Problems(dialog)) if !dialog.typing && leads(model, dialog) => {
            return &[
                (Action::Accept, "go to the row"),
                (Action::Filter, "find"),
                (Action::Down, "next"),
                (Action::Cancel, "close"),
            ];
        }
        Some(Overlay::Text(text) | Overlay::Problems(text)) => {
            return match (text.typing, text.narrowed()) {
                (true, _) => &[(Action::Accept, "keep"), (Action::Cancel, "show all")],
                (false, true) => {
                    &[(Action::Filter, "other words"), (Action::Down, "scroll"), (Action::Cancel, "show all")]
                }
                (false, false) => {
                    &[(Action::Filter, "find"), (Action::Down, "scroll"), (Action::Cancel, "close")]
                }
            };
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

/// Whether the line under the cursor leads to a row.
fn leads(model: &Model, dialog: &TextDialog) -> bool {
    dialog.here().is_some_and(|line| model.problem_row(line).is_some())
}
