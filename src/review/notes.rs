//! What the lines of a notes file come to: of each slot the last line counts.
//!
//! The state depends on the lines and not on their order, so that files merged by git or by hand read the same. Lines
//! are ordered by time and id, and a line always after the one its writer saw as the last (`prev`), so that a clock
//! that was set back puts nothing under what it replaces. A line from the future holds all that come after it up there:
//! lines of another branch that were written later by a right clock count as earlier than those.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;

use super::entry::{Act, Entry, Refused, Slot};

/// A line that is not taken. It stays in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Its number in the file, from 1.
    pub line: u64,
    /// Why.
    pub why: Refused,
}

/// A row's coding as it stands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coding<'a> {
    /// Its line; the act is coded or deferred.
    pub entry: &'a Entry,
}

impl<'a> Coding<'a> {
    /// Whether the row is left for later.
    pub const fn is_deferred(&self) -> bool {
        matches!(self.entry.act, Act::Deferred { .. })
    }

    /// The primary code, if it has one.
    pub fn primary(&self) -> Option<&'a str> {
        match &self.entry.act {
            Act::Coded { primary, .. } => primary.as_deref(),
            _ => None,
        }
    }

    /// All codes, the primary one first, each once.
    pub fn codes(&self) -> Vec<&'a str> {
        let Act::Coded { primary, others, .. } = &self.entry.act else { return Vec::new() };
        let mut codes: Vec<&str> = Vec::new();
        for code in primary.iter().chain(others) {
            if !codes.contains(&code.as_str()) {
                codes.push(code);
            }
        }
        codes
    }

    /// The note; may be empty.
    pub fn note(&self) -> &'a str {
        match &self.entry.act {
            Act::Coded { note, .. } | Act::Deferred { note } => note,
            _ => "",
        }
    }

    /// The lines that it settles a dispute of.
    pub fn settles(&self) -> &'a [String] {
        match &self.entry.act {
            Act::Coded { settles, .. } => settles,
            _ => &[],
        }
    }

    /// The version of the codebook that the codes are of.
    pub const fn codebook(&self) -> u32 {
        match self.entry.act {
            Act::Coded { codebook, .. } => codebook,
            _ => 0,
        }
    }
}

/// Where a line stands among all: time, then how many lines before it in its chain have the same time by a clock that
/// did not move on, then id.
type Rank = (Timestamp, u32);

/// All lines of a notes file, and what they come to.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    entries: Vec<Entry>,
    ranks: Vec<Rank>,
    ids: HashMap<String, usize>,
    /// The lines of each slot, in order.
    slots: HashMap<Slot, Vec<usize>>,
    /// Ids that lines name as coming before them and that are not there yet.
    awaited: HashSet<String>,
    people: HashSet<String>,
    bad: Vec<BadLine>,
    head: Option<usize>,
}

impl Notes {
    /// Takes a line of a file. `number` is its place, from 1. Blank lines are nothing, and a line that was taken
    /// before changes nothing.
    pub fn take(&mut self, number: u64, line: &str) {
        if line.trim().is_empty() {
            return;
        }
        let taken = Entry::parse(line).and_then(|entry| self.add(entry));
        if let Err(why) = taken {
            self.bad.push(BadLine { line: number, why });
        }
    }

    /// Adds a line that was read.
    ///
    /// # Errors
    /// Another line has the same id. Of the two the same one counts whichever comes first.
    pub fn add(&mut self, entry: Entry) -> Result<(), Refused> {
        if let Some(&at) = self.ids.get(&entry.id) {
            let Some(there) = self.entries.get_mut(at).filter(|there| **there != entry) else {
                return Ok(());
            };
            let id = entry.id.clone();
            if (entry.at, entry.to_line()) > (there.at, there.to_line()) {
                *there = entry;
                self.fold();
            }
            return Err(Refused::SameId(id));
        }
        let at = self.entries.len();
        self.ids.insert(entry.id.clone(), at);
        if !self.people.contains(&entry.by) {
            self.people.insert(entry.by.clone());
        }
        let came_late = self.awaited.remove(&entry.id);
        self.entries.push(entry);
        if came_late {
            self.fold();
        } else {
            self.put(at);
        }
        Ok(())
    }

    /// The last line of all; what is written next comes after it.
    pub fn head(&self) -> Option<&Entry> {
        self.head.and_then(|at| self.entries.get(at))
    }

    /// Whether a line of this id is there.
    pub fn has(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// Whether nobody else wrote any line.
    pub fn is_all_by(&self, by: &str) -> bool {
        self.people.iter().all(|p| p == by)
    }

    /// Lines in the order in which they were taken, from the `from`th on.
    pub fn taken_since(&self, from: usize) -> &[Entry] {
        self.entries.get(from..).unwrap_or_default()
    }

    /// Every line in order.
    pub fn in_order(&self) -> impl Iterator<Item = &Entry> {
        let mut all: Vec<usize> = (0..self.entries.len()).collect();
        all.sort_by(|&a, &b| self.whole(a).cmp(&self.whole(b)));
        all.into_iter().filter_map(|at| self.entries.get(at))
    }

    /// The lines about a place in order, the last one counting most; those that were undone too. Of a place in a run also
    /// those that name no run, and of one in several also those that name one of them: they may be about it.
    pub fn history(&self, slot: &Slot) -> impl DoubleEndedIterator<Item = &Entry> {
        let mut lines: Vec<usize> = self.slots.get(slot).into_iter().flatten().copied().collect();
        let own = lines.len();
        for key in slot.key.aliases() {
            lines.extend(self.slots.get(&Slot { key, kind: slot.kind.clone() }).into_iter().flatten());
        }
        if lines.len() > own {
            lines.sort_by(|&a, &b| self.whole(a).cmp(&self.whole(b)));
        }
        lines.into_iter().filter_map(|at| self.entries.get(at))
    }

    /// The lines of a slot alone.
    pub(super) fn lines_of(&self, slot: &Slot) -> impl DoubleEndedIterator<Item = &Entry> {
        self.slots.get(slot).into_iter().flatten().filter_map(|&at| self.entries.get(at))
    }

    /// Every slot that a line is about, in no order.
    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.slots.keys()
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn bad_lines(&self) -> &[BadLine] {
        &self.bad
    }

    /// Puts lines of these notes in order.
    pub(super) fn sort(&self, lines: &mut [&Entry]) {
        lines.sort_by_cached_key(|e| self.ids.get(&e.id).and_then(|&at| self.whole(at)));
    }

    /// Puts one more line in its place, all lines that it comes after being there.
    fn put(&mut self, at: usize) {
        let Some(entry) = self.entries.get(at) else { return };
        let before = match &entry.prev {
            Some(id) if *id == entry.id => None,
            Some(id) => {
                let before = self.ids.get(id).and_then(|&p| self.ranks.get(p)).copied();
                if before.is_none() {
                    self.awaited.insert(id.clone());
                }
                before
            }
            None => None,
        };
        self.ranks.push(rank(entry.at, before));
        self.file(at);
    }

    /// Files a ranked line under its slot.
    fn file(&mut self, at: usize) {
        let (Some(entry), Some(&rank)) = (self.entries.get(at), self.ranks.get(at)) else { return };
        let whole = (rank, &entry.id);
        let after = |&other: &usize| self.whole(other).is_none_or(|other| other < whole);
        let is_last = self.head.is_none_or(|h| after(&h));
        let slot = entry.slot();
        let place = self.slots.get(&slot).map_or(0, |lines| lines.partition_point(after));
        if is_last {
            self.head = Some(at);
        }
        self.slots.entry(slot).or_default().insert(place, at);
    }

    fn whole(&self, at: usize) -> Option<(Rank, &String)> {
        Some((*self.ranks.get(at)?, &self.entries.get(at)?.id))
    }

    /// Works everything out anew.
    fn fold(&mut self) {
        self.ranks = self.ranked();
        self.slots.clear();
        self.head = None;
        let awaited =
            self.entries.iter().filter_map(|e| e.prev.as_ref()).filter(|p| !self.ids.contains_key(*p));
        self.awaited = awaited.cloned().collect();
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by(|&a, &b| self.whole(a).cmp(&self.whole(b)));
        self.head = order.last().copied();
        for at in order {
            if let Some(entry) = self.entries.get(at) {
                self.slots.entry(entry.slot()).or_default().push(at);
            }
        }
    }

    /// The rank of every line.
    fn ranked(&self) -> Vec<Rank> {
        let mut ranks: Vec<Option<Rank>> = vec![None; self.entries.len()];
        for start in 0..self.entries.len() {
            // Back to a line whose rank is known, or to the first of the chain.
            let mut path: Vec<usize> = Vec::new();
            let mut on_path: HashSet<usize> = HashSet::new();
            let mut next = Some(start);
            let mut before = None;
            while let Some(at) = next {
                if let Some(known) = ranks.get(at).copied().flatten() {
                    before = Some(known);
                    break;
                }
                if !on_path.insert(at) {
                    // Only a forged file goes in a circle. Every line of the circle stands for itself, so that it does
                    // not matter where one came in.
                    while let Some(member) = path.pop() {
                        let own = self.entries.get(member).map(|e| (e.at, 0));
                        if let Some(rank) = ranks.get_mut(member) {
                            *rank = own;
                        }
                        before = own;
                        if member == at {
                            break;
                        }
                    }
                    break;
                }
                path.push(at);
                next = self.entries.get(at).and_then(|e| self.ids.get(e.prev.as_ref()?)).copied();
            }
            for at in path.into_iter().rev() {
                let own = self.entries.get(at).map(|e| rank(e.at, before));
                before = own;
                if let Some(rank) = ranks.get_mut(at) {
                    *rank = own;
                }
            }
        }
        ranks.into_iter().map(|r| r.unwrap_or((Timestamp::MIN, 0))).collect()
    }
}

/// The rank of a line of time `at` after one of rank `before`.
fn rank(at: Timestamp, before: Option<Rank>) -> Rank {
    match before {
        Some((time, lag)) if at <= time => (time, lag.saturating_add(1)),
        _ => (at, 0),
    }
}

#[cfg(test)]
#[path = "notes_tests.rs"]
mod tests;
