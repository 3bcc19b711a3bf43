//! The selected question, to the ground: question, both sides in step, searches, repeats, raw text.

mod facts;
mod notes;
mod searches;
mod sides;

pub(super) use sides::verdict_role;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::{Focus, Hit, HitMap, Model};
use crate::record::{Attempt, Condition, Scorer};
use crate::store::{Bundle, PairRow};
use crate::theme::{Role, Theme};

use super::rich::{Rich, line_width};
use super::write;

/// The laid-out detail of one pair, kept while nothing that it shows changes.
#[derive(Debug, Default)]
pub struct Cache {
    key: Option<Key>,
    page: Page,
}

#[derive(Debug, PartialEq)]
struct Key {
    generation: u32,
    pair: u32,
    sides: [u32; 3],
    width: u16,
    reach: usize,
    scorer: Scorer,
    theme: String,
    flags: [bool; 4],
    loaded: bool,
    repeats: usize,
    notes: (usize, usize),
    book: (usize, bool),
}

/// Lines, and where in them addresses stand.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) lines: Vec<Line<'static>>,
    /// Line and address.
    pub(super) urls: Vec<(usize, String)>,
    /// The first line behind which a text goes on.
    cut: Option<usize>,
}

/// Lines of one text, as far as it is laid out.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) lines: Vec<Line<'static>>,
    /// Whether there is more of it; the last line says how much.
    pub(super) cut: bool,
}

impl From<Vec<Line<'static>>> for Part {
    fn from(lines: Vec<Line<'static>>) -> Self {
        Self { lines, cut: false }
    }
}

/// What a part of the page is made from.
pub(super) struct Source<'a> {
    pub(super) model: &'a Model,
    pub(super) theme: &'a Theme,
    pub(super) pair: u32,
    pub(super) row: &'a PairRow,
    pub(super) bundle: &'a Bundle,
    pub(super) width: usize,
}

impl Source<'_> {
    pub(super) fn style(&self, role: Role) -> ratatui::style::Style {
        self.theme.style(role)
    }

    /// A text as far as it is laid out.
    pub(super) fn long(&self, text: &str, width: usize, style: ratatui::style::Style) -> Part {
        let shown = crate::text::head(text, self.model.detail.reach);
        let mut lines = Rich::of(shown, style).wrap(width, 0);
        let left = text.len() - shown.len();
        if left > 0 {
            let more = crate::text::several(left, "byte");
            lines
                .extend(Rich::of(&format!("… {more} more: scroll on"), self.style(Role::Dim)).wrap(width, 0));
        }
        Part { lines, cut: left > 0 }
    }

    /// The sides that were asked, in order; a side that never was is `None` where the other makes it worth saying.
    pub(super) fn sides(&self) -> Vec<(Condition, Option<&Attempt>)> {
        let blocked = self.bundle.sides.get(Condition::EvidenceBlocked as usize).is_some_and(Option::is_some);
        Condition::ALL
            .into_iter()
            .filter(|&c| c != Condition::EvidenceBlocked || blocked)
            .map(|c| (c, self.bundle.sides.get(c as usize).and_then(Option::as_deref)))
            .collect()
    }
}

/// Draws the pane; answers how many lines it has, and the first one behind which a text goes on.
pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    cache: &mut Cache,
    area: Rect,
    buffer: &mut Buffer,
    hits: &mut HitMap,
) -> (usize, Option<usize>) {
    hits.add(area, Hit::Detail);
    let inside = Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area };
    let dim = theme.style(Role::Dim);
    let Some(pair) = model.shown() else {
        write(buffer, inside, inside.x, inside.y, "no question is selected", dim);
        return (1, None);
    };
    let Some(row) = model.pair(pair) else { return (0, None) };
    let bundle = match model.record(pair) {
        Some(Ok(bundle)) => bundle,
        Some(Err(why)) => {
            let page = Rich::of(why, theme.style(Role::Error)).wrap(usize::from(inside.width), 0);
            for (at, line) in page.iter().take(usize::from(inside.height)).enumerate() {
                super::line(buffer, inside.x, inside.y + at as u16, line, inside.width);
            }
            return (page.len(), None);
        }
        None => {
            let text = model.table.question_texts.part(row.question, 1).unwrap_or("reading the record…");
            write(buffer, inside, inside.x, inside.y, text, dim);
            return (1, None);
        }
    };
    let key = Key {
        generation: model.table.generation,
        pair,
        sides: row.sides,
        width: inside.width,
        reach: model.detail.reach,
        scorer: model.scorer,
        theme: model.theme.clone(),
        flags: [model.detail.raw, model.detail.prompt, model.detail.explain, model.prepared],
        loaded: model.table.progress.done,
        repeats: model.repeats(pair).len(),
        notes: (std::sync::Arc::as_ptr(&model.review.notes) as usize, model.review.notes.len()),
        book: (std::sync::Arc::as_ptr(&model.review.book) as usize, model.review.blind),
    };
    if cache.key.as_ref() != Some(&key) {
        let source = Source { model, theme, pair, row, bundle, width: usize::from(inside.width) };
        cache.page = page(&source);
        cache.key = Some(key);
    }
    show(model, theme, &cache.page, inside, buffer, hits);
    (cache.page.lines.len(), cache.page.cut)
}

fn show(model: &Model, theme: &Theme, page: &Page, area: Rect, buffer: &mut Buffer, hits: &mut HitMap) {
    let height = usize::from(area.height);
    let top = model.detail.scroll.min(page.lines.len().saturating_sub(height));
    for (at, line) in page.lines.iter().skip(top).take(height).enumerate() {
        super::line(buffer, area.x, area.y + at as u16, line, area.width);
    }
    for (line, url) in &page.urls {
        if (top..top + height).contains(line) {
            let y = area.y + (line - top) as u16;
            hits.add(Rect { y, height: 1, ..area }, Hit::Url(url.clone()));
        }
    }
    let below = page.lines.len().saturating_sub(top + height);
    if below > 0 && area.height > 2 {
        let focus = if model.focus == Focus::Detail { Role::Accent } else { Role::Dim };
        let least = if page.cut.is_some() { "+" } else { "" };
        let text = format!(" {below}{least} more ↓ ");
        let last = page.lines.get(top + height - 1).map_or(0, line_width);
        // It covers nothing that is said: where there is no room beside it the arrow stands in the margin.
        let (text, right) = match text {
            long if last + crate::text::width(&long) <= usize::from(area.width) => (long, area.right()),
            _ => ("↓".to_owned(), area.right() + 1),
        };
        let x = right.saturating_sub(crate::text::width(&text) as u16);
        let margin = Rect { width: area.width + 1, ..area };
        write(buffer, margin, x, area.bottom() - 1, &text, theme.style(focus));
    }
}

fn page(source: &Source<'_>) -> Page {
    let mut page = Page::default();
    facts::question(source, &mut page);
    notes::draw(source, &mut page);
    sides::draw(source, &mut page);
    facts::texts(source, &mut page);
    searches::draw(source, &mut page);
    facts::attempts(source, &mut page);
    facts::record(source, &mut page);
    page
}

impl Page {
    /// A text.
    pub(super) fn part(&mut self, part: Part) {
        self.lines.extend(part.lines);
        if part.cut {
            self.cut_behind(self.lines.len().saturating_sub(1));
        }
    }

    /// Behind this line a text goes on.
    pub(super) fn cut_behind(&mut self, line: usize) {
        self.cut = Some(self.cut.map_or(line, |before| before.min(line)));
    }

    /// A part's title, over the whole width.
    pub(super) fn title(&mut self, source: &Source<'_>, text: &str) {
        self.lines.push(Line::default());
        self.lines.push(rule(source, text, source.width));
    }
}

/// `── text ─────` in a width.
pub(super) fn rule(source: &Source<'_>, text: &str, width: usize) -> Line<'static> {
    let text = crate::text::truncate(text, width.saturating_sub(6)).into_owned();
    let rest = width.saturating_sub(crate::text::width(&text) + 4);
    let border = source.style(Role::Border);
    Line::from(vec![
        ratatui::text::Span::styled("── ", border),
        ratatui::text::Span::styled(text, source.style(Role::Heading)),
        ratatui::text::Span::styled(format!(" {}", "─".repeat(rest)), border),
    ])
}
