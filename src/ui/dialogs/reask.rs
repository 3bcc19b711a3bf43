//! The form that asks a question again.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use crate::app::reask::{Field, Form, Wish};
use crate::app::{Line, Model};
use crate::keymap::{Action, Context};
use crate::text;
use crate::theme::{Role, Theme};
use crate::view::cell::dollars;

use super::super::{Drawn, write};
use super::frame;

/// Cells of the names of the fields.
const NAMES: u16 = 11;
/// Lines of the prompt, where there is room.
const PROMPT: u16 = 10;

pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    form: &Form,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let notes = notes(model, form);
    let fields: Vec<Field> = Field::ALL.into_iter().filter(|&f| form.uses(f) && f != Field::Prompt).collect();
    let fixed = (fields.len() + notes.len()) as u16 + 2;
    let prompt = if form.uses(Field::Prompt) {
        let lines = form.prompt.lines().len() as u16 + 1;
        lines.clamp(3, PROMPT).min(screen.height.saturating_sub(fixed + 3).max(2))
    } else {
        0
    };
    let title = format!("ask again  {}", form.subject.id);
    let size = (screen.width.saturating_sub(4).min(96), fixed + prompt);
    let inside = frame(theme, &title, size, screen, buffer, drawn);
    let base = theme.style(Role::Popup);
    let dim = base.patch(theme.style(Role::Dim));
    let mut y = inside.y;
    let question = text::sanitize_line(text::head(&form.subject.question, 1_024)).into_owned();
    write(buffer, inside, inside.x + 1, y, &question, base.patch(theme.style(Role::Heading)));
    y += 1;
    for field in fields {
        let area = Rect { y, height: 1, ..inside };
        if y < inside.bottom() {
            one(model, theme, form, field, area, buffer, drawn);
        }
        y += 1;
    }
    if prompt > 0 && y < inside.bottom() {
        let area = Rect { y, height: prompt.min(inside.bottom() - y), ..inside };
        prompt_area(theme, form, area, buffer, drawn);
        y += prompt;
    }
    for (role, note) in notes {
        if y < inside.bottom() {
            write(buffer, inside, inside.x + 1, y, &note, base.patch(theme.style(role)));
        }
        y += 1;
    }
    let key = |action| model.keymap.hint(Context::Form, action).unwrap_or_default();
    let what = if form.replays() { "replays" } else { "sends" };
    // A replay has no prompt that could be written.
    let editor = if form.uses(Field::Prompt) {
        format!(" · {} editor", key(Action::EditText))
    } else {
        String::new()
    };
    let hints = format!(
        "{} {what} · {} next field · ←→ change{editor} · esc closes",
        key(Action::Send),
        key(Action::FocusNext),
    );
    if y < inside.bottom() {
        write(buffer, inside, inside.x + 1, inside.bottom() - 1, &hints, dim);
    }
}

/// One field on one line.
fn one(
    model: &Model,
    theme: &Theme,
    form: &Form,
    field: Field,
    area: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let base = theme.style(Role::Popup);
    let focused = form.field == field;
    let style = if focused { theme.style(Role::Selection) } else { base };
    buffer.set_style(area, style);
    let name = match field {
        Field::Provider => "provider",
        Field::Model => "model",
        Field::Condition => "condition",
        Field::Searches => "searches",
        Field::Repeats => "repeats",
        Field::Blocked => "without",
        Field::Prompt => "prompt",
    };
    let dim = if focused { style } else { base.patch(theme.style(Role::Dim)) };
    write(buffer, area, area.x + 1, area.y, name, dim);
    let x = area.x + 1 + NAMES;
    let chosen = |text: &str| if focused { format!("‹ {text} ›") } else { text.to_owned() };
    match field {
        Field::Model => {
            typed(&form.model, "name of the model; ↑↓ known ones", focused, x, area, buffer, drawn, style);
        }
        Field::Blocked => {
            typed(&form.blocked, "domains, with commas", focused, x, area, buffer, drawn, style);
        }
        Field::Provider => {
            let end = write(buffer, area, x, area.y, &chosen(&form.provider), style);
            let note = match model.asking.find(&form.provider) {
                None => "the stored answer again, no key needed".to_owned(),
                Some(whom) if whom.ready.is_ok() => format!("{}, key set", whom.host),
                Some(whom) => whom.host.clone(),
            };
            write(buffer, area, end + 2, area.y, &text::sanitize_line(&note), dim);
        }
        Field::Condition => drop(write(buffer, area, x, area.y, &chosen(form.wish.words()), style)),
        Field::Searches => {
            let end = write(buffer, area, x, area.y, &chosen(&form.searches.to_string()), style);
            write(buffer, area, end + 2, area.y, "at most", dim);
        }
        Field::Repeats => drop(write(buffer, area, x, area.y, &chosen(&form.repeats.to_string()), style)),
        Field::Prompt => {}
    }
}

#[expect(clippy::too_many_arguments, reason = "one call a line")]
fn typed(
    line: &Line,
    empty: &str,
    focused: bool,
    x: u16,
    area: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
    style: Style,
) {
    let said = line.text();
    let before = said.get(..line.cursor()).map_or(0, text::width);
    let room = usize::from(area.right().saturating_sub(x + 1));
    // A long line slides so that the cursor stays visible.
    let skip = if focused { before.saturating_sub(room.saturating_sub(1)) } else { 0 };
    let from = text::cells(&said)
        .scan(0, |cells, g| {
            *cells += g.cells;
            Some((*cells, g.at + g.text.len()))
        })
        .take_while(|(cells, _)| *cells <= skip)
        .last()
        .map_or(0, |(_, end)| end);
    let shown = if said.is_empty() { empty } else { said.get(from..).unwrap_or_default() };
    write(buffer, area, x, area.y, shown, style);
    if focused {
        drawn.cursor = Some(Position::new((x + (before - skip) as u16).min(area.right() - 1), area.y));
    }
}

/// The prompt, scrolled so that its cursor is seen.
fn prompt_area(theme: &Theme, form: &Form, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let base = theme.style(Role::Popup);
    let focused = form.field == Field::Prompt;
    let dim = if focused { theme.style(Role::Selection) } else { base.patch(theme.style(Role::Dim)) };
    let head = Rect { height: 1, ..area };
    if focused {
        buffer.set_style(head, dim);
    }
    let end = write(buffer, head, area.x + 1, area.y, "prompt", dim);
    let note = match (form.edited, form.wish) {
        (true, _) => "your own; {question} is put in",
        (false, Wish::Both) => "each condition has its own; this is the one with search",
        (false, _) => "as it ships; {question} is put in",
    };
    write(buffer, head, end + 5, area.y, note, dim);
    let input = theme.style(Role::Input);
    let (row, column) = (form.prompt.cursor().0, form.prompt.cursor().1);
    let inside = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(1),
    };
    buffer.set_style(inside, input);
    let width = usize::from(inside.width).max(1);
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut at = None;
    for (n, line) in form.prompt.lines().iter().enumerate() {
        let ranges = text::wrap(line, width);
        let cursor = line.char_indices().nth(column).map_or(line.len(), |(b, _)| b);
        for (k, range) in ranges.iter().enumerate() {
            let last = k + 1 == ranges.len();
            if n == row
                && range.start <= cursor
                && (cursor < range.end || last || {
                    ranges.get(k + 1).is_some_and(|next| cursor < next.start)
                })
                && at.is_none()
            {
                let before = line.get(range.start..cursor).map_or(0, text::width);
                at = Some((lines.len(), before.min(width - 1)));
            }
            lines.push((n, line.get(range.clone()).unwrap_or_default().to_owned()));
        }
    }
    let height = usize::from(inside.height);
    let cursor_line = at.map_or(0, |a| a.0);
    let first = if focused { cursor_line.saturating_sub(height.saturating_sub(1)) } else { 0 };
    for (k, (_, line)) in lines.iter().skip(first).take(height).enumerate() {
        write(buffer, inside, inside.x, inside.y + k as u16, line, input);
    }
    if focused && let Some((line, x)) = at {
        let y = inside.y + (line - first) as u16;
        drawn.cursor = Some(Position::new(inside.x + x as u16, y.min(inside.bottom().saturating_sub(1))));
    }
}

/// What is to be known before sending.
fn notes(model: &Model, form: &Form) -> Vec<(Role, String)> {
    let mut notes = Vec::new();
    let asking = &model.asking;
    if form.replays() {
        notes.push((Role::Warning, "REPLAY: no model is asked and nothing is saved".to_owned()));
        if !asking.whom.iter().any(|w| w.ready.is_ok()) {
            // Whoever has no key yet sees the replay first, and here what else there is.
            let set: Vec<&str> = asking.whom.iter().map(|w| w.key_variable.as_str()).collect();
            let set: Vec<&str> = set.into_iter().filter(|v| !v.is_empty()).collect();
            if !set.is_empty() {
                notes.push((Role::Dim, format!("to ask a model, set {} and start again", set.join(" or "))));
            }
        }
    } else if let Some(whom) = asking.find(&form.provider) {
        if let Err(why) = &whom.ready {
            notes.push((Role::Warning, format!("{why}, or choose the replay")));
        }
        let order = form.order(asking);
        let known = asking.models.find(&form.provider, &order.model);
        let cost = known.and_then(|m| {
            let tasks = order.tasks(&form.subject, 1, "");
            tasks.iter().map(|t| m.estimate(&t.ask)).sum::<Option<f64>>()
        });
        let requests = order.conditions.len() as u32 * order.repeats;
        let many = text::several(requests, "request");
        notes.push((
            Role::Dim,
            match cost {
                Some(usd) => format!("{many}, about {} at most", dollars(usd)),
                None => format!("{many}; no price is known for this model"),
            },
        ));
        if let Some(m) = known {
            notes.extend(m.warning(asking.today).map(|w| (Role::Warning, w)));
            if order.temperature.is_some() && m.refuses("temperature", None) {
                notes.push((Role::Dim, "the model refuses a temperature: it is left out".to_owned()));
            }
        }
    }
    notes.extend(form.error.iter().map(|e| (Role::Error, e.clone())));
    notes.into_iter().map(|(role, note)| (role, text::sanitize_line(&note).into_owned())).collect()
}
