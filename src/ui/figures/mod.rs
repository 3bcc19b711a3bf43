//! The figures screen: strip of names, one figure or two side by side, and the numbers under the cursor.

mod bars;
mod plot;
mod table;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::app::layout::Areas;
use crate::app::{Hit, HitMap, Model, Shown};
use crate::figures::{Body, Figure, Id, Mark, Row, Tone};
use crate::keymap::{Action, Context};
use crate::record::Transition;
use crate::stats::By;
use crate::text::{self, count};
use crate::theme::{Role, Theme};

use super::header::role;
use super::{put, write};

/// Width from which two figures stand side by side; below they stand one above the other.
const BESIDE: u16 = 110;

/// Where a figure is drawn, and with what.
pub(super) struct Pen<'a> {
    theme: &'a Theme,
    marks: &'a [Mark],
    /// The style of plain text, ground included.
    base: Style,
    /// The mark under the cursor, when the cursor is in this figure.
    cursor: Option<usize>,
    buffer: &'a mut Buffer,
    hits: &'a mut HitMap,
    /// Whether clicks on marks mean something here.
    live: bool,
}

impl<'a> Pen<'a> {
    /// A pen for a dialog: its text stands on the ground of dialogs.
    pub(super) fn over(
        theme: &'a Theme,
        marks: &'a [Mark],
        cursor: Option<usize>,
        buffer: &'a mut Buffer,
        hits: &'a mut HitMap,
    ) -> Self {
        Self { theme, marks, base: theme.style(Role::Popup), cursor, buffer, hits, live: true }
    }

    /// Draws a table.
    pub(super) fn table(&mut self, area: Rect, columns: &[&str], rows: &[Row]) {
        table::draw(self, area, columns, rows);
    }

    fn style(&self, role: Role) -> Style {
        if role == Role::Text { self.base } else { self.base.patch(self.theme.style(role)) }
    }

    /// The style of something that has a mark: reversed under the cursor.
    fn marked(&self, mark: Option<usize>, style: Style) -> Style {
        if mark.is_some() && mark == self.cursor { self.theme.style(Role::Selection) } else { style }
    }

    fn write(&mut self, area: Rect, x: u16, y: u16, text: &str, style: Style) -> u16 {
        write(self.buffer, area, x, y, text, style)
    }

    fn put(&mut self, area: Rect, x: u16, y: u16, sign: &str, style: Style) {
        if area.contains(ratatui::layout::Position::new(x, y)) {
            put(self.buffer, x, y, sign, style);
        }
    }

    fn hit(&mut self, area: Rect, mark: usize) {
        if self.live {
            self.hits.add(area, Hit::Item(mark));
        }
    }

    fn tone(&self, tone: Tone) -> Style {
        self.theme.style(match tone {
            Tone::Without => Role::Accent,
            Tone::With => Role::Warning,
            Tone::Reference => Role::Dim,
            Tone::Accent => Role::Link,
            Tone::Of(t) => role(t),
        })
    }
}

/// Draws the screen in the place of the panes.
pub(super) fn draw(model: &Model, theme: &Theme, areas: &Areas, buffer: &mut Buffer, hits: &mut HitMap) {
    let top = areas.header.bottom();
    let area = Rect::new(0, top, areas.header.width, areas.bar.y.saturating_sub(top));
    let plain = theme.style(Role::Text);
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            if let Some(cell) = buffer.cell_mut((x, y)) {
                cell.reset();
                cell.set_style(plain);
            }
        }
    }
    hits.add(area, Hit::Dialog);
    strip(model, theme, Rect { height: 1, ..area }, buffer);
    let body = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    let state = &model.figures;
    if state.shown.is_empty() {
        let text = if state.groups.is_some() {
            "no row is shown, so there is no figure"
        } else {
            "working them out…"
        };
        write(buffer, body, body.x + 1, body.y + 1, text, theme.style(Role::Dim));
        return;
    }
    let facts = facts_height(body.height);
    let (body, foot) = (
        Rect { height: body.height - facts, ..body },
        Rect { y: body.bottom() - facts, height: facts, ..body },
    );
    let current = usize::from(state.on_beside && state.shown.len() > 1);
    let places = places(body, state.shown.len(), current);
    // Where both have no room the one that is behind is named.
    let behind = state.shown.iter().zip(places).find(|(_, place)| place.is_none()).map(|(shown, _)| shown);
    for (at, (shown, area)) in state.shown.iter().zip(places).enumerate() {
        let Some(area) = area else { continue };
        let here = at == current;
        let mut pen = Pen {
            theme,
            marks: &shown.figure.marks,
            base: theme.style(Role::Text),
            cursor: state.mark().filter(|_| here),
            buffer,
            hits,
            live: here,
        };
        one(model, shown, area, here && state.shown.len() > 1, behind, &mut pen);
    }
    if let Some(shown) = state.current() {
        numbers(model, theme, &shown.figure, state.mark(), foot, buffer);
    }
}

const fn facts_height(height: u16) -> u16 {
    if height >= 12 { 3 } else { 2 }
}

/// The places of the figures: side by side, one above the other, or the one with the cursor alone.
fn places(area: Rect, count: usize, current: usize) -> [Option<Rect>; 2] {
    if count < 2 {
        return [Some(area), None];
    }
    if area.width >= BESIDE {
        let half = area.width / 2;
        let left = Rect { width: half, ..area };
        return [Some(left), Some(Rect { x: area.x + half, width: area.width - half, ..area })];
    }
    if area.height >= 28 {
        let half = area.height / 2;
        let upper = Rect { height: half, ..area };
        return [Some(upper), Some(Rect { y: area.y + half, height: area.height - half, ..area })];
    }
    if current == 0 { [Some(area), None] } else { [None, Some(area)] }
}

/// The names of all figures, the one shown marked; those around it where not all have room.
fn strip(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let names: Vec<&str> = Id::ALL.iter().map(|id| id.short()).collect();
    let now = Id::ALL.iter().position(|&id| id == model.figures.id).unwrap_or(0);
    let width = |from: usize, to: usize| -> usize {
        names.get(from..to).unwrap_or_default().iter().map(|n| text::width(n) + 2).sum()
    };
    let room = usize::from(area.width.saturating_sub(4));
    let mut from = 0;
    while from < now && width(from, now + 1) > room {
        from += 1;
    }
    let mut x = area.x + 1;
    if from > 0 {
        x = write(buffer, area, x, area.y, "‹ ", theme.style(Role::Dim));
    }
    for (at, name) in names.iter().enumerate().skip(from) {
        let need = text::width(name) as u16 + 2;
        if x + need > area.right().saturating_sub(1) {
            write(buffer, area, area.right().saturating_sub(2), area.y, "›", theme.style(Role::Dim));
            break;
        }
        let style = theme.style(if at == now { Role::Selection } else { Role::Dim });
        x = write(buffer, area, x, area.y, &format!(" {name} "), style);
    }
}

/// A figure with its heading and notes.
fn one(model: &Model, shown: &Shown, area: Rect, chosen: bool, behind: Option<&Shown>, pen: &mut Pen<'_>) {
    let figure = &shown.figure;
    let groups = model.figures.groups.as_ref().map_or(0, |g| g.len());
    let heading = pen.style(Role::Heading);
    let dim = pen.style(Role::Dim);
    let mut x = area.x + 1;
    if let Some(other) = behind {
        let key = model.keymap.hint(Context::Figures, Action::OtherFigure).unwrap_or_default();
        x = pen.write(area, x, area.y, &key, pen.style(Role::Key));
        let name = text::truncate(&text::sanitize_line(&other.name), 24).into_owned();
        x = pen.write(area, x, area.y, &format!(" {name}  "), dim);
    }
    if chosen {
        x = pen.write(area, x, area.y, "▸ ", pen.style(Role::Key));
    }
    let name = text::sanitize_line(&shown.name).into_owned();
    x = pen.write(area, x, area.y, &name, heading);
    let by = match model.figures.by {
        By::Model | By::Run if groups > 1 => format!("  {} of {groups}", shown.group + 1),
        _ => String::new(),
    };
    let rows = text::counted(figure.rows, count(figure.rows), "row");
    x = pen.write(area, x, area.y, &format!("{by}  {rows}"), dim);
    if figure.rows < crate::stats::SMALL {
        x = pen.write(area, x, area.y, "  few", pen.style(Role::Warning));
    }
    let paper = figure.id.paper().map_or_else(String::new, |p| format!(" (the paper’s {p})"));
    // Where the paper has it goes first when there is no room.
    let room = usize::from(area.right().saturating_sub(x));
    let mut title = format!("   {}{paper}", figure.id.title());
    if text::width(&title) > room {
        title = format!("   {}", figure.id.title());
    }
    pen.write(area, x, area.y, &title, dim);
    let inner = Rect {
        x: area.x + 1,
        y: area.y + 1,
        width: area.width.saturating_sub(2),
        height: area.height.saturating_sub(1),
    };
    if let Body::Empty(why) = &figure.body {
        pen.write(inner, inner.x, inner.y + 1, why, dim);
        return;
    }
    let width = usize::from(inner.width.max(10));
    let notes: Vec<String> = figure
        .notes
        .iter()
        .flat_map(|n| text::wrap(n, width).into_iter().filter_map(|r| n.get(r)).map(str::to_owned))
        .collect();
    // Notes take what the figure can spare.
    let least = least_height(figure);
    let spare = inner.height.saturating_sub(least);
    let lines = (notes.len() as u16).min(spare);
    let place = Rect { height: inner.height - lines, ..inner };
    match &figure.body {
        Body::Empty(_) => {}
        Body::Table { columns, rows } => table::draw(pen, place, columns, rows),
        Body::Matrix { rows, columns, fields } => table::matrix(pen, place, rows, columns, fields),
        Body::Bars { axis, bars } => bars::bars(pen, place, axis, bars),
        Body::Stacks { axis, stacks } => bars::stacks(pen, place, axis, stacks),
        Body::Boxes { axis, boxes } => bars::boxes(pen, place, axis, boxes),
        Body::Plot { x, y, series } => plot::draw(pen, place, x, y, series),
    }
    for (at, note) in notes.iter().take(usize::from(lines)).enumerate() {
        pen.write(inner, inner.x, place.bottom() + at as u16, note, dim);
    }
}

/// Lines that a figure needs to be read whole.
fn least_height(figure: &Figure) -> u16 {
    match &figure.body {
        Body::Empty(_) => 2,
        Body::Table { rows, .. } => rows.len() as u16 + 1,
        Body::Matrix { .. } => 8,
        Body::Bars { bars, .. } => bars.len() as u16 + 2,
        Body::Stacks { stacks, .. } => stacks.len() as u16 + 2,
        Body::Boxes { boxes, .. } => boxes.len() as u16 + 2,
        Body::Plot { series, .. } => series.len() as u16 + 10,
    }
}

/// A mark's numbers on one line.
pub(super) fn facts(theme: &Theme, mark: &Mark, line: Rect, base: Style, buffer: &mut Buffer) {
    let dim = base.patch(theme.style(Role::Dim));
    let label = text::sanitize_line(&mark.label);
    let mut x = write(buffer, line, line.x, line.y, &label, base.patch(theme.style(Role::Heading)));
    for (name, value) in &mark.facts {
        x = write(buffer, line, x, line.y, "  ", dim);
        x = write(buffer, line, x, line.y, name, dim);
        x = write(buffer, line, x, line.y, &format!(" {value}"), base);
    }
    if mark.small && mark.n > 0 {
        write(buffer, line, x, line.y, "  few", base.patch(theme.style(Role::Warning)));
    }
}

/// What the cursor stands on: its numbers, and what the keys do with it.
fn numbers(
    model: &Model,
    theme: &Theme,
    figure: &Figure,
    at: Option<usize>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let border = theme.style(Role::Border);
    let dim = theme.style(Role::Dim);
    let mut y = area.y;
    if area.height > 2 {
        for x in area.left()..area.right() {
            put(buffer, x, y, "─", border);
        }
        y += 1;
    }
    let Some(mark) = at.and_then(|at| figure.marks.get(at)) else { return };
    let line = Rect { x: area.x + 1, y, width: area.width.saturating_sub(1), height: 1 };
    facts(theme, mark, line, theme.style(Role::Text), buffer);
    let key = model.keymap.hint(Context::Figures, Action::Accept);
    let key = key.or_else(|| model.keymap.hint(Context::Dialog, Action::Accept)).unwrap_or_default();
    let mut x = write(buffer, area, area.x + 1, y + 1, &key, theme.style(Role::Key));
    if mark.n == 0 {
        write(buffer, area, x, y + 1, "  no row behind it", dim);
        return;
    }
    x = write(buffer, area, x, y + 1, " lists them", dim);
    if let Some(broken) = model.keymap.hint(Context::List, Action::ToggleBroken)
        && area.width >= 60
        && !mark.term.contains("transition:")
    {
        x = write(buffer, area, x, y + 1, ", then ", dim);
        x = write(buffer, area, x, y + 1, &broken, theme.style(Role::Key));
        x = write(buffer, area, x, y + 1, " the broken ones", dim);
    }
    if !mark.term.is_empty() {
        write(buffer, area, x, y + 1, &format!(":  {}", mark.term), dim);
    }
}

/// One sign a transition, so that a bar can be read without its colour.
pub(super) const fn sign(t: Transition) -> &'static str {
    match t {
        Transition::Corrected => "▲",
        Transition::Preserved => "█",
        Transition::Broken => "▼",
        Transition::Unresolved => "▒",
        _ => "·",
    }
}
