//! The list: column titles and the visible rows, nothing else.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::layout::Areas;
use crate::app::{Focus, Hit, HitMap, Model};
use crate::record::Transition;
use crate::text;
use crate::theme::{Role, Theme};
use crate::view::{Column, cell};

use super::fit::{Fit, Models, fit};
use super::header::role;
use super::{put, write};

/// Draws titles and rows.
pub(super) fn draw(model: &Model, theme: &Theme, areas: &Areas, buffer: &mut Buffer, hits: &mut HitMap) {
    hits.add(areas.list, Hit::List);
    let inside = Rect { width: areas.list.width.saturating_sub(1), ..areas.list };
    let models = Models::of(&model.table);
    let columns = fit(model, &models, inside.width.saturating_sub(1));
    titles(model, theme, &columns, inside, buffer, hits);
    let rows = Rect { width: inside.width, ..areas.rows };
    let visible = usize::from(rows.height);
    for line in 0..visible {
        let at = model.place.top + line;
        let Some(pair) = model.view.rows.get(at) else { break };
        let area = Rect { y: rows.y + line as u16, height: 1, ..rows };
        hits.add(area, Hit::Row(at));
        row(model, theme, (&columns, &models), pair, at == model.place.cursor, area, buffer);
    }
    if model.view.rows.is_empty() {
        empty(model, theme, rows, buffer);
    }
    scrollbar(model, theme, areas.rows, buffer);
}

fn titles(model: &Model, theme: &Theme, columns: &[Fit], area: Rect, buffer: &mut Buffer, hits: &mut HitMap) {
    let focused = model.focus == Focus::List && model.overlays.is_empty();
    let style = theme.style(if focused { Role::Heading } else { Role::Dim });
    let mut x = area.x + 1;
    for &Fit { column, number, width, .. } in columns {
        let sorted = model.sort.iter().find(|k| column.shows_order_of(k.field.name()));
        let arrow = sorted.map_or("", |k| if k.descending { "▼" } else { "▲" });
        let title = if column == Column::Transition && width < 6 { "" } else { column.title() };
        let text = format!("{title}{arrow}");
        let text = if column.right() { right(&text, usize::from(width)) } else { text };
        let place = Rect { x, y: area.y, width: width.min(area.right().saturating_sub(x)), height: 1 };
        write(buffer, place, x, area.y, &text, style);
        hits.add(place, Hit::Title(number));
        hits.add(Rect { x: place.right(), width: 1, ..place }, Hit::Edge(number));
        x += width + 1;
    }
}

fn row(
    model: &Model,
    theme: &Theme,
    (columns, models): (&[Fit], &Models),
    pair: u32,
    selected: bool,
    area: Rect,
    buffer: &mut Buffer,
) {
    let base = match (selected, model.focus) {
        (false, _) => theme.style(Role::Text),
        (true, Focus::List) => theme.style(Role::Selection),
        (true, Focus::Detail) => theme.style(Role::SelectionUnfocused),
    };
    if selected {
        buffer.set_style(area, base);
        put(buffer, area.x, area.y, "▌", base);
    }
    let Some(columns_of_pair) = model.pair(pair) else { return };
    let transition = columns_of_pair.transitions.get(model.scorer as usize).copied().unwrap_or_default();
    let brief = model.brief(pair);
    let mut x = area.x + 1;
    for &Fit { column, width, .. } in columns {
        let text = cell(&model.table, pair, brief, column, model.scorer);
        let width = width.min(area.right().saturating_sub(x));
        let place = Rect { x, y: area.y, width, height: 1 };
        let style = cell_role(column, &text, transition).map_or(base, |r| base.patch(theme.style(r)));
        let text = match column {
            Column::Transition if width < 6 => transition.glyph().to_owned(),
            Column::Model => models.name(columns_of_pair.model, text, usize::from(width)),
            _ if column.right() => right(&text, usize::from(width)),
            _ => text,
        };
        // A style that brings no background of its own keeps the selected row's.
        let style = if selected { style.bg(base.bg.unwrap_or_default()) } else { style };
        write(buffer, place, x, area.y, &text, style);
        x += width + 1;
        if x >= area.right() {
            break;
        }
    }
}

/// Only what carries meaning is coloured; the sign beside it says the same without colour.
fn cell_role(column: Column, text: &str, transition: Transition) -> Option<Role> {
    Some(match column {
        Column::Transition => role(transition),
        Column::AnswerNo | Column::AnswerWith => match text.chars().next() {
            Some('✓') => Role::Right,
            Some('✗') => Role::Wrong,
            Some('–') | None => Role::Dim,
            Some(_) => Role::Unknown,
        },
        Column::Id | Column::Model | Column::Run | Column::Split | Column::Topic | Column::Source => {
            Role::Dim
        }
        _ => return None,
    })
}

/// Text at the right edge of `width` cells.
fn right(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text::width(text))))
}

fn empty(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let dim = theme.style(Role::Dim);
    let progress = model.table.progress;
    let lines: Vec<String> = if !progress.done {
        vec!["reading…".into()]
    } else if !model.table.pairs.is_empty() && !model.view.complete {
        vec!["looking…".into()]
    } else if !model.table.pairs.is_empty() {
        let undo = model.keymap.hint(crate::keymap::Context::List, crate::keymap::Action::ClearFilter);
        let mut lines = vec![
            "no question passes the filter".into(),
            format!("{} shows all again", undo.unwrap_or_default()),
        ];
        if matches!(model.table.ungraded(), (n, of) if n == of && n > 0) {
            lines.push("no answer here can be graded: open the file of the questions, too".into());
        }
        lines
    } else {
        let mut lines = vec!["there is nothing to show in these files".to_owned()];
        lines.extend(model.table.problems.list.iter().take(6).map(ToString::to_string));
        lines
    };
    for (at, line) in lines.iter().enumerate() {
        write(buffer, area, area.x + 1, area.y + at as u16, &text::sanitize_line(line), dim);
    }
}

fn scrollbar(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let (rows, visible) = (model.view.rows.len(), usize::from(area.height));
    if rows <= visible || visible == 0 {
        return;
    }
    let size = (visible * visible / rows).max(1);
    let span = visible - size;
    let at = model.place.top * span / (rows - visible).max(1);
    for line in 0..visible {
        let inside = line >= at && line < at + size;
        let (sign, role) = if inside { ("█", Role::Bar) } else { ("│", Role::BarTrack) };
        put(buffer, area.right() - 1, area.y + line as u16, sign, theme.style(role));
    }
}
