//! The filter: its text, the toggles, the line being edited.

use std::sync::Arc;

use crate::query::{Completions, Expr, FIELDS, ParseError, complete, parse};
use crate::record::{Scorer, Transition};
use crate::store::Table;

use super::Line;

/// Which transitions are let through; none set lets all through.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Toggles(pub u8);

impl Toggles {
    /// Whether a pair of this transition is let through.
    pub const fn passes(self, transition: Transition) -> bool {
        self.0 == 0 || self.0 & (1 << transition as u8) != 0
    }

    /// Whether this transition is chosen.
    pub const fn has(self, transition: Transition) -> bool {
        self.0 & (1 << transition as u8) != 0
    }

    /// Chooses it, or no longer.
    pub fn flip(&mut self, transition: Transition) {
        self.0 ^= 1 << transition as u8;
    }
}

/// The line while it is edited.
#[derive(Debug)]
pub struct Editing {
    /// The text.
    pub line: Line,
    /// The text that Esc brings back.
    pub before: String,
    /// What is wrong with the text, and where.
    pub error: Option<ParseError>,
    /// What could stand at the cursor.
    pub completions: Option<Completions>,
    /// The completion that is marked.
    pub marked: Option<usize>,
    /// Position in the history while walking through it.
    pub walk: Option<usize>,
    /// What was typed before the walk began.
    pub draft: String,
}

/// The filter.
#[derive(Debug, Default)]
pub struct Filter {
    /// The text that the rows answer: the last one without an error.
    pub applied: String,
    /// The same, parsed; `None`: everything.
    pub expr: Option<Arc<Expr>>,
    /// Which transitions are let through.
    pub toggles: Toggles,
    /// The line being edited.
    pub editing: Option<Editing>,
    /// Filters used before, oldest first.
    pub history: Vec<String>,
}

/// How many filters the history keeps.
const HISTORY: usize = 200;
/// Above this many pairs, values are counted only when Tab asks for them.
const COUNTED_LIVE: usize = 20_000;

impl Filter {
    /// A filter with a text that is known to parse (a text that does not is left out).
    pub fn new(text: &str, toggles: u8, history: Vec<String>) -> Self {
        let mut filter = Self { toggles: Toggles(toggles), history, ..Self::default() };
        filter.set(text);
        filter
    }

    /// Whether anything is filtered.
    pub fn active(&self) -> bool {
        self.expr.is_some() || self.toggles.0 != 0
    }

    /// Sets the text; an error leaves everything as it was.
    pub fn set(&mut self, text: &str) -> Option<ParseError> {
        if text.trim().is_empty() {
            self.applied.clear();
            self.expr = None;
            return None;
        }
        match parse(text) {
            Ok(expr) => {
                text.trim().clone_into(&mut self.applied);
                self.expr = Some(Arc::new(expr));
                None
            }
            Err(error) => Some(error),
        }
    }

    /// Begins to edit.
    pub fn edit(&mut self) {
        let mut line = Line::default();
        line.set(&self.applied);
        if !self.applied.is_empty() {
            line.insert(" ");
        }
        self.editing = Some(Editing {
            line,
            before: self.applied.clone(),
            error: None,
            completions: None,
            marked: None,
            walk: None,
            draft: String::new(),
        });
    }

    /// Takes the line's text as it now stands. True when the filter changed.
    pub fn edited(&mut self, table: &Table, scorer: Scorer) -> bool {
        let Some(mut editing) = self.editing.take() else { return false };
        let text = editing.line.text();
        let before = self.applied.clone();
        editing.error = parse(&text).err();
        let good = match &editing.error {
            None => finished(&text),
            Some(error) => before_word(&text, error.at.start),
        };
        self.set(good);
        editing.marked = None;
        editing.completions = None;
        self.editing = Some(editing);
        if table.pairs.len() <= COUNTED_LIVE {
            self.complete(table, scorer);
        }
        self.applied != before
    }

    /// Works out what could stand at the cursor.
    pub fn complete(&mut self, table: &Table, scorer: Scorer) {
        let Some(editing) = &mut self.editing else { return };
        let found = complete(table, &editing.line.text(), editing.line.cursor(), scorer);
        editing.completions = (!found.items.is_empty()).then_some(found);
        editing.marked = None;
    }

    /// Marks the next completion and puts it in the line; `false` when there is none.
    pub fn take_completion(&mut self, table: &Table, scorer: Scorer) -> bool {
        if self.editing.as_ref().is_some_and(|e| e.completions.is_none()) {
            self.complete(table, scorer);
        }
        let Some(editing) = &mut self.editing else { return false };
        let Some(found) = &editing.completions else { return false };
        let at = editing.marked.unwrap_or(0).min(found.items.len().saturating_sub(1));
        let Some(item) = found.items.get(at) else { return false };
        let (range, text) = (found.replace.clone(), item.text.clone());
        editing.line.replace(range, &text);
        true
    }

    /// Ends editing and keeps the text, also in the history. True when the filter changed: the last word counts now.
    pub fn keep(&mut self) -> bool {
        let before = self.applied.clone();
        if let Some(editing) = self.editing.take() {
            self.set(&editing.line.text());
        }
        self.remember();
        self.applied != before
    }

    /// Puts the text in the history.
    pub fn remember(&mut self) {
        if !self.applied.is_empty() {
            self.history.retain(|h| *h != self.applied);
            self.history.push(self.applied.clone());
            let over = self.history.len().saturating_sub(HISTORY);
            self.history.drain(..over);
        }
    }

    /// Ends editing and goes back to the text before. True when the filter changed.
    pub fn give_up(&mut self) -> bool {
        let Some(editing) = self.editing.take() else { return false };
        let changed = self.applied != editing.before;
        self.set(&editing.before);
        changed
    }

    /// Steps through the history: `older`, else newer. True when the line changed.
    pub fn walk(&mut self, older: bool) -> bool {
        let Some(editing) = &mut self.editing else { return false };
        let len = self.history.len();
        let to = match (editing.walk, older) {
            (None, true) => len.checked_sub(1),
            (Some(at), true) => Some(at.saturating_sub(1)),
            (Some(at), false) if at + 1 < len => Some(at + 1),
            (Some(_), false) => {
                editing.walk = None;
                let draft = std::mem::take(&mut editing.draft);
                editing.line.set(&draft);
                return true;
            }
            (None, false) => None,
        };
        let Some(text) = to.and_then(|at| self.history.get(at)) else { return false };
        if editing.walk.is_none() {
            editing.draft = editing.line.text();
        }
        editing.walk = to;
        editing.line.set(text);
        true
    }
}

/// The text before the word that an error is in: what stood there before that word was begun.
fn before_word(text: &str, at: usize) -> &str {
    let head = text.get(..at).unwrap_or(text);
    let start = head.rfind(' ').map_or(0, |space| space + 1);
    text.get(..start).unwrap_or("")
}

/// The text without a last word that may still become a field: `transition:broken con` would otherwise empty the list
/// on the way to `conf>=0.9`.
fn finished(text: &str) -> &str {
    let start = text.rfind([' ', '(', '-', '!']).map_or(0, |at| at + 1);
    let Some(word) = text.get(start..).filter(|w| !w.is_empty()) else { return text };
    let may_be_a_field =
        FIELDS.iter().any(|f| f.name.starts_with(word) || f.also.iter().any(|a| a.starts_with(word)));
    let quoted = text.matches('"').count() % 2 == 1;
    match text.get(..start) {
        Some(before) if may_be_a_field && !quoted && parse(before).is_ok() => before,
        Some(before) if may_be_a_field && !quoted && before.trim().is_empty() => before,
        _ => text,
    }
}
