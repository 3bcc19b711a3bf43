//! Moving through the list, and keeping the selection where it belongs.

use super::{Answer, Model};

impl Model {
    /// Moves the cursor to a position and shows it.
    pub(super) fn go_to(&mut self, position: usize) {
        let last = self.view.rows.len().saturating_sub(1);
        let to = position.min(last);
        if to != self.place.cursor || self.detail.peek.is_some() {
            self.detail.reset();
        }
        self.place.cursor = to;
        self.place.chosen = self.selected();
        self.restore = None;
        self.keep_visible();
    }

    /// Moves the cursor by rows, stopping at the ends.
    pub(super) fn step(&mut self, by: isize) {
        self.go_to(self.place.cursor.saturating_add_signed(by));
    }

    /// Scrolls the rows without the cursor, which is carried along at the edges (mouse wheel).
    pub(super) fn scroll_rows(&mut self, by: isize) {
        let visible = self.visible();
        let last = self.view.rows.len().saturating_sub(visible);
        self.place.top = self.place.top.saturating_add_signed(by).min(last);
        let (top, end) = (self.place.top, self.place.top + visible - 1);
        if self.place.cursor < top || self.place.cursor > end {
            let top_now = self.place.top;
            self.go_to(self.place.cursor.clamp(top, end));
            self.place.top = top_now;
        }
    }

    /// Moves the window so that the cursor is in it.
    pub(super) fn keep_visible(&mut self) {
        let visible = self.visible();
        let len = self.view.rows.len();
        self.place.cursor = self.place.cursor.min(len.saturating_sub(1));
        if self.place.cursor < self.place.top {
            self.place.top = self.place.cursor;
        } else if self.place.cursor >= self.place.top + visible {
            self.place.top = self.place.cursor + 1 - visible;
        }
        self.place.top = self.place.top.min(len.saturating_sub(visible));
    }

    /// Takes the worker's answer. Rows of an older request than those shown are dropped.
    pub(super) fn take(&mut self, answer: Answer) {
        if answer.generation != self.table.generation || answer.id < self.view.shown {
            return;
        }
        // The rows shown are whole; the first hits of the same search over a newer table are fewer.
        if answer.refresh && !answer.complete {
            return;
        }
        let before = self.selected();
        let offset = self.place.cursor.saturating_sub(self.place.top);
        self.view.shown = answer.id;
        self.view.complete = answer.complete;
        self.view.rows = answer.rows;
        if let Some(summary) = answer.summary {
            self.view.summary = Some(summary);
        }
        if answer.bins.is_some() {
            self.view.bins = answer.bins;
        }
        if let Some((request, groups)) = answer.groups {
            self.take_groups(&request, groups);
        }
        let found = self.place.chosen.and_then(|p| self.view.rows.position(p));
        let cursor = found
            .or_else(|| {
                self.place.chosen.or(before).and_then(|p| self.view.rows.nearest(p, self.place.cursor))
            })
            .unwrap_or(0);
        self.place.cursor = cursor;
        // The selected row keeps its line on the screen where it can.
        self.place.top = cursor.saturating_sub(offset);
        self.keep_visible();
        if self.selected() != before {
            self.detail.reset();
        }
    }

    /// Looks for a row that was asked for before it was loaded.
    pub(super) fn seek(&mut self) {
        if let Some((id, attempt)) = self.open.clone() {
            let waiting = self.filter.active() && self.view.shown < self.view.wanted;
            if waiting {
                // Which row of the question is meant depends on the filter.
            } else if let Some(pair) = self.find_pair(&id, None, attempt) {
                self.open = None;
                self.restore = None;
                self.choose(pair);
                self.choice.detail_only = true;
                self.focus = super::Focus::Detail;
            } else if self.table.progress.done {
                self.open = None;
                self.fail(format!("there is no question “{id}” in the open files"));
            }
        }
        if let Some((id, model, attempt)) = self.restore.clone() {
            if let Some(pair) = self.find_pair(&id, Some(&model), Some(attempt)) {
                self.restore = None;
                self.choose(pair);
            } else if self.table.progress.done {
                self.restore = None;
            }
        }
    }

    /// Selects a pair, now if it is shown, else as soon as it is.
    pub(super) fn choose(&mut self, pair: u32) {
        self.place.chosen = Some(pair);
        self.detail.reset();
        match self.view.rows.position(pair) {
            Some(at) => {
                self.place.cursor = at;
                self.keep_visible();
            }
            None => self.detail.peek = Some(pair),
        }
    }

    /// Shows a pair in the detail: selects it where the filter shows it, else shows it without moving the selection.
    fn look_at(&mut self, pair: u32) {
        if self.view.rows.position(pair).is_some() {
            self.choose(pair);
        } else {
            self.detail.reset();
            self.detail.peek = Some(pair);
            self.say("this repeat is hidden by the filter");
        }
    }

    /// The pair of a question id, a model and an attempt number, as far as they are given; one that the filter shows
    /// comes first.
    pub(super) fn find_pair(&self, id: &str, model: Option<&str>, attempt: Option<u32>) -> Option<u32> {
        let table = &self.table;
        let folded = crate::text::folded(id);
        let questions = table.question_texts.0.iter().flat_map(|block| {
            (block.first..).take(block.ends.len()).filter(|&q| {
                block.item(q).is_some_and(|t| {
                    t.strip_prefix(folded.as_bytes())
                        .is_some_and(|rest| rest.first() == Some(&crate::store::table::PART))
                })
            })
        });
        // Capitals matter only where two ids differ in nothing else.
        let mut best: Option<((bool, bool), u32)> = None;
        for question in questions {
            let exact = table.question_id(question) == Some(id);
            let mut at = table.questions.get(question as usize)?.first_pair;
            while let Some(pair) = table.pairs.get(at as usize) {
                let word = table.names.models.word(pair.model).unwrap_or("");
                if model.is_none_or(|m| m == word) && attempt.is_none_or(|n| n == u32::from(pair.attempt)) {
                    let rank = (exact, self.view.rows.position(at).is_some());
                    if rank == (true, true) {
                        return Some(at);
                    }
                    if best.is_none_or(|(before, _)| before < rank) {
                        best = Some((rank, at));
                    }
                }
                at = pair.next;
            }
        }
        best.map(|(_, at)| at)
    }

    /// Other pairs of the same question and model, the shown one among them, in table order.
    pub fn repeats(&self, pair: u32) -> Vec<u32> {
        let Some(row) = self.pair(pair) else { return Vec::new() };
        let mut out = Vec::new();
        let mut at =
            self.table.questions.get(row.question as usize).map_or(crate::store::NO, |q| q.first_pair);
        while let Some(other) = self.table.pairs.get(at as usize) {
            if other.model == row.model {
                out.push(at);
            }
            at = other.next;
        }
        out.sort_unstable();
        out
    }

    /// Shows the next or previous repeat of the pair shown.
    pub(super) fn step_attempt(&mut self, forward: bool) {
        let Some(shown) = self.shown() else { return };
        let all = self.repeats(shown);
        let Some(at) = all.iter().position(|&p| p == shown) else { return };
        let to = if forward { at + 1 } else { at.wrapping_sub(1) };
        let Some(&pair) = all.get(to) else {
            self.say(if all.len() == 1 { "this question has no repeats" } else { "no further repeat" });
            return;
        };
        self.look_at(pair);
    }
}
