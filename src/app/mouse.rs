//! What a click means: the places that were drawn, and what the mouse does there.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};

use crate::record::Transition;

use super::{Drag, Effect, Focus, Model, Overlay};

/// A place on the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum Hit {
    /// A row of the list, by position.
    Row(usize),
    /// A column's title, by number.
    Title(usize),
    /// The right edge of a column's title, by number.
    Edge(usize),
    /// A transition in the header.
    Toggle(Transition),
    /// The filter's line.
    Bar,
    /// The rule between the panes.
    Rule,
    /// The list, beside its rows.
    List,
    /// The detail.
    Detail,
    /// An address in the detail.
    Url(String),
    /// An item of the topmost dialog.
    Item(usize),
    /// The topmost dialog, beside its items.
    Dialog,
}

/// The places of the last frame, later ones on top.
#[derive(Debug, Default)]
pub struct HitMap(pub Vec<(Rect, Hit)>);

impl HitMap {
    /// Adds a place on top.
    pub fn add(&mut self, area: Rect, hit: Hit) {
        self.0.push((area, hit));
    }

    /// What is at a cell.
    pub fn at(&self, column: u16, row: u16) -> Option<&Hit> {
        self.0.iter().rev().find(|(area, _)| area.contains(Position::new(column, row))).map(|(_, hit)| hit)
    }
}

/// Rows a turn of the wheel moves.
const WHEEL: isize = 3;

impl Model {
    /// Takes a mouse event.
    pub(super) fn mouse(&mut self, event: MouseEvent) -> Vec<Effect> {
        let hit = self.hits.at(event.column, event.row).cloned();
        match event.kind {
            MouseEventKind::ScrollDown => self.wheel(hit.as_ref(), WHEEL),
            MouseEventKind::ScrollUp => self.wheel(hit.as_ref(), -WHEEL),
            MouseEventKind::Drag(MouseButton::Left) => match self.dragging {
                Some(Drag::Rule) => self.drag(event),
                Some(Drag::Edge(number)) => self.drag_edge(number, event.column),
                None => {}
            },
            MouseEventKind::Up(MouseButton::Left) => self.dragging = None,
            MouseEventKind::Down(MouseButton::Right) => self.let_go(hit.as_ref()),
            MouseEventKind::Down(MouseButton::Left) => return self.click(hit),
            _ => {}
        }
        Vec::new()
    }

    /// The other button on a title gives the column back to the room there is.
    fn let_go(&mut self, hit: Option<&Hit>) {
        if let Some(Hit::Title(number) | Hit::Edge(number)) = hit
            && self.overlays.is_empty()
            && let Some(&column) = self.columns.get(*number)
        {
            self.resize_column(column, crate::keymap::Action::AutoColumn);
        }
    }

    fn wheel(&mut self, hit: Option<&Hit>, by: isize) {
        if matches!(self.overlays.last(), Some(Overlay::Code)) {
            // The evidence is under no dialog.
            let height = self.detail_height();
            return self.detail.step(by, height);
        }
        let screen = self.size;
        if let Some(top) = self.overlays.last_mut() {
            match top {
                Overlay::Text(text) | Overlay::Problems(text) => text.step(by, screen),
                Overlay::Menu(menu) => menu.step(by.signum()),
                _ => {}
            }
            return;
        }
        match hit {
            Some(Hit::Detail | Hit::Url(_)) => {
                let height = self.detail_height();
                self.detail.step(by, height);
            }
            _ => self.scroll_rows(by),
        }
    }

    fn drag(&mut self, event: MouseEvent) {
        let Some(areas) = self.areas() else { return };
        let share = if areas.stand == super::layout::Stand::Beside {
            u32::from(event.column) * 100 / u32::from(self.size.0.max(1))
        } else {
            let body = u32::from(areas.list.height + areas.detail.height + 1).max(1);
            u32::from(event.row.saturating_sub(areas.list.y)) * 100 / body
        };
        self.choice.share = Some((share as u16).clamp(15, 85));
        self.keep_visible();
    }

    fn click(&mut self, hit: Option<Hit>) -> Vec<Effect> {
        if matches!(self.overlays.last(), Some(Overlay::Code)) {
            // A click beside the codes must not end the session.
            return match hit {
                Some(Hit::Item(at)) => {
                    let code = self.review.book.codes.get(at).map(|c| c.id.clone());
                    code.map_or_else(Vec::new, |code| self.toggle_code(&code))
                }
                Some(Hit::Url(url)) => self.open_url(&url),
                _ => Vec::new(),
            };
        }
        if matches!(self.overlays.last(), Some(Overlay::Note(_))) {
            return if matches!(hit, Some(Hit::Dialog)) { Vec::new() } else { self.close_note() };
        }
        if !self.overlays.is_empty() {
            return match hit {
                Some(Hit::Item(at)) => self.click_item(at),
                Some(Hit::Dialog) => Vec::new(),
                _ => self.close_top(),
            };
        }
        match hit {
            Some(Hit::Row(at)) => {
                self.focus = Focus::List;
                if at == self.place.cursor && self.detail.peek.is_none() {
                    self.choice.detail_only = true;
                    self.focus = Focus::Detail;
                } else {
                    self.go_to(at);
                }
            }
            Some(Hit::Title(number)) => {
                if let Some(field) = self.columns.get(number).and_then(|c| c.sort_field()) {
                    return self.sort_by(field);
                }
            }
            Some(Hit::Toggle(transition)) => return self.toggle(transition),
            Some(Hit::Bar) if self.filter.editing.is_none() => self.filter.edit(),
            Some(Hit::Rule) => self.dragging = Some(Drag::Rule),
            Some(Hit::Edge(number)) => self.dragging = Some(Drag::Edge(number)),
            Some(Hit::Detail) => self.focus = Focus::Detail,
            Some(Hit::Url(url)) => return self.open_url(&url),
            Some(Hit::List) => self.focus = Focus::List,
            Some(Hit::Item(_) | Hit::Dialog | Hit::Bar) | None => {}
        }
        Vec::new()
    }
}
