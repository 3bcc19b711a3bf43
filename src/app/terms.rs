//! What dialogs add to the filter, and what keys do in its line.

use crate::keymap::Action;
use crate::record::{Condition, Transition};
use crate::stats::{Bin, Binning};

use super::{BinsDialog, Effect, Model, Overlay};

impl Model {
    /// The whole filter as text, toggles included: what a view or a script needs to show the same rows.
    pub fn filter_text(&self) -> String {
        let toggles = self.filter.toggles;
        let names: Vec<&str> =
            Transition::ALL.iter().filter(|&&t| toggles.has(t)).map(|t| t.name()).collect();
        let text = &self.filter.applied;
        match (names.is_empty(), text.is_empty()) {
            (true, _) => text.clone(),
            (false, true) => format!("transition:{}", names.join(",")),
            (false, false) => format!("transition:{} ({text})", names.join(",")),
        }
    }

    /// Adds a term to the filter. A term that a dialog added before is replaced.
    pub(super) fn add_term(&mut self, term: &str) -> Vec<Effect> {
        let before = self.filter.applied.clone();
        let old = std::mem::replace(&mut self.added_term, term.to_owned());
        // The term added before goes, if it still stands at the end as a word of its own.
        let rest = if old.is_empty() { None } else { self.filter.applied.strip_suffix(&old) };
        let rest = rest.filter(|r| r.is_empty() || (r.ends_with(' ') && crate::query::parse(r).is_ok()));
        let base = rest.unwrap_or(&self.filter.applied).trim_end();
        let base = match base.strip_prefix('(').and_then(|b| b.strip_suffix(')')) {
            Some(inner) if rest.is_some() && !inner.contains(['(', ')']) => inner,
            _ => base,
        };
        let text = if base.is_empty() { term.to_owned() } else { format!("({base}) {term}") };
        if let Some(error) = self.filter.set(&text) {
            self.fail(error.message);
            return Vec::new();
        }
        self.before_term.get_or_insert(before);
        self.filter.remember();
        self.requery()
    }

    pub(super) fn act_in_bins(&mut self, action: Action, by: isize) -> Vec<Effect> {
        let Some(Overlay::Bins(dialog)) = self.overlays.last_mut() else { return Vec::new() };
        // Bins of another confidence or other edges may still be on the screen: they are not these.
        let bins =
            self.view.bins.as_ref().filter(|(request, _)| *request == dialog.request).map(|(_, b)| b.clone());
        let last = bins.as_ref().map_or(0, |b| b.bins.len().saturating_sub(1));
        if bins.is_some() {
            dialog.cursor = dialog.cursor.min(last);
        }
        match action {
            Action::Accept | Action::OpenDetail => {
                let bin = bins.as_ref().and_then(|b| b.bins.get(dialog.cursor));
                let Some(term) = bin.map(|b| term(dialog, b, dialog.cursor == last)) else {
                    return Vec::new();
                };
                self.overlays.pop();
                self.add_term(&term)
            }
            // Which confidence the bins are made of, and which edges they have.
            Action::FocusNext | Action::FocusPrevious | Action::Left | Action::Right => {
                dialog.request.condition = match dialog.request.condition {
                    Condition::NoSearch => Condition::WithSearch,
                    _ => Condition::NoSearch,
                };
                self.requery()
            }
            Action::ToggleItem | Action::Bins => {
                dialog.request.binning = match dialog.request.binning {
                    Binning::Ten => Binning::Distinct,
                    Binning::Distinct => Binning::Ten,
                };
                dialog.cursor = 0;
                self.requery()
            }
            _ => {
                dialog.cursor = dialog.cursor.saturating_add_signed(by).min(last);
                Vec::new()
            }
        }
    }

    /// An action while the filter is edited; `None` when it means there what it means everywhere.
    pub(super) fn act_in_filter(&mut self, action: Action) -> Option<Vec<Effect>> {
        match action {
            Action::Accept => {
                if self.filter.editing.as_ref().is_some_and(|e| e.marked.is_some()) {
                    self.filter.take_completion(&self.table, self.scorer);
                    return Some(self.after_edit());
                }
                if let Some(error) = self.filter.editing.as_ref().and_then(|e| e.error.as_ref()) {
                    let text = error.message.clone();
                    self.fail(text);
                    return Some(Vec::new());
                }
                let mut effects = if self.filter.keep() { self.requery() } else { Vec::new() };
                effects.push(self.settle());
                Some(effects)
            }
            Action::Cancel => {
                let editing = self.filter.editing.as_mut()?;
                if editing.marked.take().is_some() {
                    return Some(Vec::new());
                }
                Some(if self.filter.give_up() { self.requery() } else { Vec::new() })
            }
            Action::Complete => Some(if self.filter.take_completion(&self.table, self.scorer) {
                self.after_edit()
            } else {
                Vec::new()
            }),
            Action::Down | Action::Up | Action::HistoryNext | Action::HistoryPrevious => {
                let down = matches!(action, Action::Down | Action::HistoryNext);
                let editing = self.filter.editing.as_mut()?;
                let items = editing.completions.as_ref().map_or(0, |c| c.items.len());
                if items > 0 && editing.walk.is_none() && (down || editing.marked.is_some()) {
                    editing.marked = match (editing.marked, down) {
                        (None, true) => Some(0),
                        (Some(at), true) => Some((at + 1).min(items - 1)),
                        (Some(at), false) => at.checked_sub(1),
                        (None, false) => None,
                    };
                    return Some(Vec::new());
                }
                Some(if self.filter.walk(!down) { self.after_edit() } else { Vec::new() })
            }
            Action::Quit | Action::Suspend | Action::Help | Action::ToggleMouse => None,
            _ => Some(Vec::new()),
        }
    }

    fn after_edit(&mut self) -> Vec<Effect> {
        self.before_term = None;
        if self.filter.edited(&self.table, self.scorer) { self.requery() } else { Vec::new() }
    }
}

/// The term that shows exactly the attempts of a bin: edges as the bins have them, the last one closed.
fn term(dialog: &BinsDialog, bin: &Bin, last: bool) -> String {
    let field = match dialog.request.condition {
        Condition::NoSearch => "conf",
        _ => "conf.with",
    };
    match dialog.request.binning {
        Binning::Distinct => format!("{field}={}", bin.lo),
        Binning::Ten if last => format!("{field}>={} {field}<=1", edge(bin.lo)),
        Binning::Ten => format!("{field}>={} {field}<{}", edge(bin.lo), edge(bin.hi)),
    }
}

/// An edge of ten bins as it is written: 0.3, not 0.30000000000000004.
fn edge(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
