//! The widths that a person gives to columns, by keys and with the mouse.

use crate::keymap::Action;
use crate::view::Column;

use super::{Hit, Model};

/// What the mouse holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drag {
    /// The rule between the panes.
    Rule,
    /// The right edge of a column, by number.
    Edge(usize),
}

/// Cells that a key adds or takes.
const STEP: i16 = 2;

impl Model {
    /// The width that a column was given; `None`: it takes what there is room for.
    pub fn width_of(&self, column: Column) -> Option<u16> {
        self.widths.iter().find(|(c, _)| *c == column).map(|&(_, w)| w)
    }

    /// Where the last frame had a column: its left edge and its width.
    fn drawn(&self, number: usize) -> Option<(u16, u16)> {
        let title = |hit: &Hit| *hit == Hit::Title(number);
        self.hits.0.iter().find(|(_, hit)| title(hit)).map(|(area, _)| (area.x, area.width))
    }

    /// Takes a width, or with `None` gives the column back to the room there is.
    pub(super) fn set_width(&mut self, column: Column, width: Option<u16>) {
        self.widths.retain(|(c, _)| *c != column);
        if let Some(width) = width {
            let pane = self.areas().map_or(u16::MAX, |a| a.list.width.saturating_sub(2));
            let (low, high) = (*Column::WIDTHS.start(), *Column::WIDTHS.end());
            self.widths.push((column, width.min(pane).clamp(low, high)));
        }
    }

    /// Makes a column wider or narrower than it is, or automatic again, and says so.
    pub(super) fn resize_column(&mut self, column: Column, action: Action) {
        let number = self.columns.iter().position(|&c| c == column);
        let now = self.width_of(column).or_else(|| number.and_then(|n| self.drawn(n)).map(|(_, w)| w));
        let now = now.unwrap_or_else(|| column.width_hint());
        match action {
            Action::WidenColumn => self.set_width(column, Some(now.saturating_add_signed(STEP))),
            Action::NarrowColumn => self.set_width(column, Some(now.saturating_add_signed(-STEP))),
            _ => self.set_width(column, None),
        }
        let words = self.width_of(column).map_or_else(|| "as there is room".into(), |w| format!("{w} wide"));
        self.say(format!("column {}: {words}", column.id()));
    }

    /// The column that keys of the list act on: the first one shown.
    pub(super) fn first_column(&self) -> Option<Column> {
        self.columns.get(self.place.left.min(self.columns.len().saturating_sub(1))).copied()
    }

    /// Carries the right edge of a column to the mouse.
    pub(super) fn drag_edge(&mut self, number: usize, to: u16) {
        let Some(column) = self.columns.get(number).copied() else { return };
        // Columns on the left keep their places: the edge would run away from the mouse otherwise.
        for before in 0..number {
            let Some(left) = self.columns.get(before).copied().filter(|c| c.grows()) else { continue };
            if self.width_of(left).is_none()
                && let Some((_, width)) = self.drawn(before)
            {
                self.set_width(left, Some(width));
            }
        }
        if let Some((x, _)) = self.drawn(number) {
            self.set_width(column, Some(to.saturating_sub(x)));
        }
    }
}
