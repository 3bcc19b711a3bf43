//! What stands: codings, verdicts, references, places in plans; and what can be undone.

use std::collections::HashSet;

use jiff::Timestamp;
use serde_json::Map;

use crate::record::Verdict;

use super::entry::{Act, Entry, Key, Slot, SlotKind};
use super::notes::{BadLine, Coding, Notes};

/// Who writes a line, when, and under which id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stamp {
    /// Unique, see [`super::entry_id`].
    pub id: String,
    /// Now.
    pub at: Timestamp,
    /// The person.
    pub by: String,
}

/// A person's verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Override<'a> {
    /// The verdict.
    pub verdict: Verdict,
    /// Why.
    pub reason: &'a str,
    /// Its line, with person and time.
    pub entry: &'a Entry,
}

/// A place in a plan.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place<'a> {
    /// The plan in its written form.
    pub plan: &'a str,
    /// The place, from 0.
    pub position: u64,
    /// How many the plan has.
    pub of: u64,
    /// Its line; its key is the row's.
    pub entry: &'a Entry,
}

/// What has to be written to undo or redo.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<'a> {
    /// The line that no longer counts, or counts again.
    pub of: &'a Entry,
    /// What to write, about the same key.
    pub act: Act,
}

impl Notes {
    /// A line to be written next: about `key`, whose answer has the hash `answer`, after everything that is here.
    pub fn entry(&self, stamp: Stamp, key: Key, answer: impl Into<String>, act: Act) -> Entry {
        // What is written and what is read back must be the same time.
        let at = Timestamp::from_millisecond(stamp.at.as_millisecond()).unwrap_or(stamp.at);
        let prev = self.head().map(|e| e.id.clone());
        Entry { id: stamp.id, prev, at, by: stamp.by, key, answer: answer.into(), act, extra: Map::new() }
    }

    /// How many lines were taken.
    pub fn len(&self) -> usize {
        self.entries().len()
    }

    /// Whether no line was taken.
    pub fn is_empty(&self) -> bool {
        self.entries().is_empty()
    }

    /// Lines that were not taken, in the order they were met.
    pub fn bad(&self) -> &[BadLine] {
        self.bad_lines()
    }

    /// The line of a place that counts; with `by`, were this person's lines the only ones.
    pub(super) fn counting(&self, slot: &Slot, by: Option<&str>) -> Option<&Entry> {
        last_standing(self.history(slot).filter(|e| by.is_none_or(|by| by == e.by)))
    }

    /// The line of a slot that counts. Lines that were undone are passed over; `None` where nothing stands.
    fn standing(&self, slot: &Slot) -> Option<&Entry> {
        last_standing(self.history(slot))
    }

    /// The coding of a row: coded or deferred.
    pub fn coding(&self, key: &Key) -> Option<Coding<'_>> {
        self.standing(&Slot { key: key.clone(), kind: SlotKind::Coding }).map(|entry| Coding { entry })
    }

    /// Every coding that stands, deferred ones too, in the order in which they were made.
    pub fn codings(&self) -> Vec<Coding<'_>> {
        self.standing_where(|kind| *kind == SlotKind::Coding)
            .into_iter()
            .map(|entry| Coding { entry })
            .collect()
    }

    /// Every coding that would stand if this person's lines were the only ones, in the order in which they were made:
    /// for comparing people who share a file.
    pub fn codings_by(&self, by: &str) -> Vec<Coding<'_>> {
        let own = self.own_where(by, |slot| slot.kind == SlotKind::Coding);
        own.into_iter().map(|entry| Coding { entry }).collect()
    }

    /// The coding of a row that would stand if this person's lines were the only ones.
    pub fn coding_by(&self, key: &Key, by: &str) -> Option<Coding<'_>> {
        let slot = Slot { key: key.clone(), kind: SlotKind::Coding };
        last_standing(self.history(&slot).filter(|e| e.by == by)).map(|entry| Coding { entry })
    }

    /// What each person's coding of a row comes to, their own lines being the only ones; in the order of their first.
    pub fn codings_of(&self, key: &Key) -> Vec<Coding<'_>> {
        let slot = Slot { key: key.clone(), kind: SlotKind::Coding };
        let mut people: Vec<&str> = Vec::new();
        for entry in self.history(&slot) {
            if !people.contains(&entry.by.as_str()) {
                people.push(&entry.by);
            }
        }
        people.into_iter().filter_map(|by| self.coding_by(key, by)).collect()
    }

    /// The verdict on an attempt that would stand if this person's lines were the only ones.
    pub fn verdict_by(&self, key: &Key, by: &str) -> Option<Override<'_>> {
        let slot = Slot { key: key.clone(), kind: SlotKind::Verdict };
        last_standing(self.history(&slot).filter(|e| e.by == by)).and_then(as_override)
    }

    /// The questions that something was said of, places in plans apart; one may come several times.
    pub fn questions(&self) -> impl Iterator<Item = &str> {
        let said = self.slots().filter(|slot| !matches!(slot.kind, SlotKind::Mark(_)));
        said.map(|slot| slot.key.question_id.as_str())
    }

    /// How many lines are about verdicts and accepted answers: while it stays, figures as reviewed stay too.
    pub fn judgements(&self) -> usize {
        let about = |e: &&Entry| match &e.act {
            Act::Verdict { .. } | Act::Reference { .. } => true,
            Act::Cleared { what, .. } => matches!(what, SlotKind::Verdict | SlotKind::Reference(_)),
            Act::Coded { .. } | Act::Deferred { .. } | Act::Mark { .. } => false,
        };
        self.entries().iter().filter(about).count()
    }

    /// The verdict that a person gave on an attempt (a key with [`super::On::Side`]).
    pub fn verdict(&self, key: &Key) -> Option<Override<'_>> {
        let entry = self.standing(&Slot { key: key.clone(), kind: SlotKind::Verdict })?;
        as_override(entry)
    }

    /// Every verdict that stands, in the order in which they were given.
    pub fn verdicts(&self) -> Vec<Override<'_>> {
        let all = self.standing_where(|kind| *kind == SlotKind::Verdict);
        all.into_iter().filter_map(as_override).collect()
    }

    /// The accepted answers that were added, of one question or of all, each once, in the order added.
    pub fn references(&self, question: Option<&str>) -> Vec<&Entry> {
        let mut all = self.standing_where(|kind| matches!(kind, SlotKind::Reference(_)));
        all.retain(|e| question.is_none_or(|q| e.key.question_id == q));
        all
    }

    /// The accepted answers, of one question or of all, that would stand if this person's lines were the only ones: one
    /// that another person accepted again stays this person's.
    pub fn references_by(&self, question: Option<&str>, by: &str) -> Vec<&Entry> {
        self.own_where(by, |slot| {
            matches!(slot.kind, SlotKind::Reference(_)) && question.is_none_or(|q| slot.key.question_id == q)
        })
    }

    /// Every verdict that would stand if this person's lines were the only ones, in the order in which they were given.
    pub fn verdicts_by(&self, by: &str) -> Vec<Override<'_>> {
        let own = self.own_where(by, |slot| slot.kind == SlotKind::Verdict);
        own.into_iter().filter_map(as_override).collect()
    }

    /// Where a person stands in a plan.
    pub fn place(&self, by: &str, plan: &str) -> Option<Place<'_>> {
        let key = Key { question_id: by.to_owned(), ..Key::default() };
        self.standing(&Slot { key, kind: SlotKind::Mark(plan.to_owned()) }).and_then(as_place)
    }

    /// Where a person was last, whatever the plan.
    pub fn last_place(&self, by: &str) -> Option<Place<'_>> {
        let all = self.standing_where(|kind| matches!(kind, SlotKind::Mark(_)));
        all.into_iter().rfind(|e| e.by == by).and_then(as_place)
    }

    /// Whether what was said of a row was said of another answer than the one with this hash.
    pub fn is_changed(entry: &Entry, answer: &str) -> bool {
        !entry.answer.is_empty() && entry.answer != answer
    }

    /// What a person's undo would write: their last line that counts, places in plans apart. It works across
    /// restarts, since all it needs is in the file.
    pub fn undo(&self, by: &str) -> Option<Step<'_>> {
        let (done, _) = self.steps(by);
        done.last().map(|e| step(e, &e.id))
    }

    /// What a person's redo would write; `None` once something else was done after undoing.
    pub fn redo(&self, by: &str) -> Option<Step<'_>> {
        let (_, undone) = self.steps(by);
        undone.last().map(|(action, by)| step(action, &by.id))
    }

    /// A person's lines that count, and those that do not with the line that undid each.
    fn steps(&self, by: &str) -> (Vec<&Entry>, Vec<(&Entry, &Entry)>) {
        let mut done: Vec<&Entry> = Vec::new();
        let mut undone: Vec<(&Entry, &Entry)> = Vec::new();
        for entry in self.in_order().filter(|e| e.by == by) {
            match &entry.act {
                Act::Mark { .. } => {}
                Act::Cleared { undoes: Some(id), .. } => {
                    if let Some(at) = done.iter().rposition(|e| e.id == *id) {
                        undone.push((done.remove(at), entry));
                    } else if let Some(at) = undone.iter().rposition(|(_, by)| by.id == *id) {
                        done.push(undone.remove(at).0);
                    } else {
                        // Another person's line was taken back: an act of its own.
                        done.push(entry);
                        undone.clear();
                    }
                }
                _ => {
                    done.push(entry);
                    undone.clear();
                }
            }
        }
        (done, undone)
    }

    fn own_where(&self, by: &str, wanted: impl Fn(&Slot) -> bool) -> Vec<&Entry> {
        self.standing_of(wanted, |e| e.by == by)
    }

    /// What would stand in the slots wanted if these lines were the only ones, in order.
    pub(super) fn standing_of(
        &self,
        wanted: impl Fn(&Slot) -> bool,
        line: impl Fn(&Entry) -> bool,
    ) -> Vec<&Entry> {
        let slots = self.slots().filter(|slot| wanted(slot));
        let own = slots.filter_map(|slot| last_standing(self.lines_of(slot).filter(|e| line(e))));
        let mut found: Vec<&Entry> = own.collect();
        self.sort(&mut found);
        found
    }

    fn standing_where(&self, wanted: impl Fn(&SlotKind) -> bool) -> Vec<&Entry> {
        self.standing_of(|slot| wanted(&slot.kind), |_| true)
    }
}

fn last_standing<'a>(lines: impl DoubleEndedIterator<Item = &'a Entry>) -> Option<&'a Entry> {
    let mut undone: HashSet<&str> = HashSet::new();
    for entry in lines.rev() {
        if undone.contains(entry.id.as_str()) {
            continue;
        }
        match &entry.act {
            Act::Cleared { undoes: Some(id), .. } => {
                undone.insert(id);
            }
            Act::Cleared { undoes: None, .. } => return None,
            _ => return Some(entry),
        }
    }
    None
}

fn step<'a>(of: &'a Entry, undoes: &str) -> Step<'a> {
    Step { of, act: Act::Cleared { what: of.slot().kind, undoes: Some(undoes.to_owned()) } }
}

fn as_override(entry: &Entry) -> Option<Override<'_>> {
    match &entry.act {
        Act::Verdict { verdict, reason } => Some(Override { verdict: *verdict, reason, entry }),
        _ => None,
    }
}

fn as_place(entry: &Entry) -> Option<Place<'_>> {
    match &entry.act {
        Act::Mark { plan, position, of } => Some(Place { plan, position: *position, of: *of, entry }),
        _ => None,
    }
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
