//! Saving what was said of a row, and going on.

use super::super::{Effect, Model};
use super::{Coding, Said, Unwritten};
use crate::record::Condition;
use crate::review::{self, Act};

impl Model {
    /// Has something written. It counts as said until the disk is known not to take it.
    pub(super) fn tell(&mut self, said: Said) -> Vec<Effect> {
        if !self.can_tell() {
            return Vec::new();
        }
        let is_coding = matches!(said.act, Act::Coded { .. } | Act::Deferred { .. } | Act::Cleared { .. });
        let row = self.coding.as_ref().filter(|c| is_coding && c.sheet.key == said.key).and_then(Coding::row);
        self.review.unwritten.push_back(Unwritten { said: said.clone(), row });
        vec![Effect::Note(vec![said])]
    }

    /// Whether there is a file of notes; told why, if not.
    pub(super) fn can_tell(&mut self) -> bool {
        let is_open = !self.review.place.is_empty();
        if !is_open {
            match self.review.shut.clone() {
                Some(why) => self.fail(why),
                None => self.say("the notes are being read: a moment"),
            }
        }
        is_open
    }

    /// How many codes, notes and verdicts are known not to be on the disk.
    pub fn unwritten(&self) -> usize {
        let counts = |u: &&Unwritten| !matches!(u.said.act, Act::Mark { .. });
        if self.review.failing.is_none() { 0 } else { self.review.unwritten.iter().filter(counts).count() }
    }

    /// How many rows of the session are coded, and on the disk.
    pub fn coded(&self) -> usize {
        let review = &self.review;
        let is_on_its_way = |row: u32| review.unwritten.iter().any(|u| u.row == Some(row));
        let rows = self.coding.iter().flat_map(|c| &c.rows);
        rows.filter(|d| review.done.contains(&d.row) && !is_on_its_way(d.row)).count()
    }

    /// What was written is no longer on its way. Rows look coded while theirs is on its way, and not when it cannot
    /// get there.
    pub(super) fn settle_unwritten(&mut self, written: u64) {
        let review = &mut self.review;
        while review.written < written {
            review.unwritten.pop_front();
            review.written += 1;
        }
        self.mark_unwritten();
    }

    pub(super) fn mark_unwritten(&mut self) {
        let review = &mut self.review;
        for Unwritten { said, row } in &review.unwritten {
            let Some(row) = *row else { continue };
            if matches!(said.act, Act::Coded { .. }) && review.failing.is_none() {
                review.done.insert(row);
            } else {
                review.done.remove(&row);
            }
        }
    }

    /// Keeps what is on the sheet aside, as it would be written now.
    pub(super) fn draft(&mut self) -> Vec<Effect> {
        let Some(coding) = &self.coding else { return Vec::new() };
        if !coding.sheet.changed {
            return vec![Effect::Draft(None)];
        }
        let act = coding.sheet.act(self.review.book.version);
        let said = Said { key: coding.sheet.key.clone(), answer: self.looked_at(), act };
        vec![Effect::Draft(Some(Box::new(said)))]
    }

    /// The hash of the answers of the row being coded; empty while they are not read.
    fn looked_at(&self) -> String {
        let row = self.coding.as_ref().and_then(Coding::row);
        let Some(Ok(bundle)) = row.and_then(|r| self.record(r)) else { return String::new() };
        let side = |c: Condition| bundle.sides.get(c as usize).and_then(|s| s.as_deref());
        review::pair_hash(side(Condition::NoSearch), side(Condition::WithSearch))
    }

    /// Whether what was said of the row being coded was said of another answer than the one it has now.
    pub fn is_outdated(&self, entry: &review::Entry) -> bool {
        let now = self.looked_at();
        !now.is_empty() && review::Notes::is_changed(entry, &now)
    }

    pub(super) fn save_and_next(&mut self) -> Vec<Effect> {
        let Some(coding) = &self.coding else { return Vec::new() };
        let sheet = &coding.sheet;
        if sheet.is_empty() && !sheet.changed {
            self.say("no code and no note yet: a code's key sets it, → goes on without");
            return Vec::new();
        }
        // Saying again what one had said, in view of what another did, settles a dispute.
        let settles = !self.disputed(&sheet.key).is_empty();
        let (cleared, keep) = (sheet.is_empty(), sheet.changed || sheet.deferred || settles);
        let mut effects = if keep { self.save() } else { Vec::new() };
        effects.extend(self.next_open());
        if cleared && self.status.is_none() {
            self.say("its codes are taken back");
        }
        effects
    }

    /// Goes to the next row that is not coded, from the place on and then from the beginning.
    fn next_open(&mut self) -> Vec<Effect> {
        let Some(coding) = &self.coding else { return Vec::new() };
        let (at, len) = (coding.at, coding.rows.len());
        let is_open = |&n: &usize| coding.rows.get(n).is_some_and(|d| !self.review.done.contains(&d.row));
        let is_disputed = |&n: &usize| coding.rows.get(n).is_some_and(|d| self.is_disputed(d.row));
        let wanted = |n: &usize| is_open(n) || is_disputed(n);
        if let Some(next) = (at + 1..len).chain(0..at).find(wanted) {
            return self.arrive(next);
        }
        let here = is_open(&at);
        let effects = self.arrive(if here { at } else { (at + 1).min(len.saturating_sub(1)) });
        self.say(match (here, len) {
            (true, _) => "this is the only one that is not coded".to_owned(),
            (_, 1) => "saved".to_owned(),
            _ => format!("all {len} are coded"),
        });
        effects
    }

    /// The codings of a row between which people disagree, as far as they are shown; empty without a dispute.
    pub fn disputed(&self, key: &review::Key) -> Vec<review::Coding<'_>> {
        if self.review.blind { Vec::new() } else { self.review.notes.disputed(key, &self.review.book) }
    }

    /// What a coding of this person settles: the dispute that is open, and what their last coding of the same `answer`
    /// settled.
    fn settles(&self, key: &review::Key, answer: &str) -> Vec<String> {
        let on_its_way = self.review.unwritten.iter().rev().map(|u| &u.said).find_map(|s| match &s.act {
            Act::Coded { settles, .. } if s.key == *key && s.answer == answer => Some(settles.as_slice()),
            _ => None,
        });
        let saved = || {
            let coding = self.review.notes.coding_by(key, &self.review.by);
            coding.filter(|c| c.entry.answer == answer).map(|c| c.settles())
        };
        let mut settles = on_its_way.or_else(saved).unwrap_or_default().to_vec();
        for coding in self.disputed(key) {
            if !settles.contains(&coding.entry.id) {
                settles.push(coding.entry.id.clone());
            }
        }
        settles
    }

    /// Whether people disagree on a row, and nothing on its way to the disk settles it.
    pub(super) fn is_disputed(&self, row: u32) -> bool {
        let settles =
            |u: &Unwritten| matches!(&u.said.act, Act::Coded { settles, .. } if !settles.is_empty());
        self.table.marks.get(row).is_some_and(|m| m.disputed)
            && !self.review.unwritten.iter().any(|u| u.row == Some(row) && settles(u))
    }

    /// Writes the sheet.
    pub(super) fn save(&mut self) -> Vec<Effect> {
        let answer = self.looked_at();
        let version = self.review.book.version;
        if !self.can_tell() {
            return Vec::new();
        }
        let Some(coding) = &mut self.coding else { return Vec::new() };
        coding.dropped = None;
        let Some(coding) = &self.coding else { return Vec::new() };
        let (key, mut act) = (coding.sheet.key.clone(), coding.sheet.act(version));
        if let Act::Coded { settles, .. } = &mut act {
            *settles = self.settles(&key, &answer);
        }
        let mut effects = self.tell(Said { key, answer, act });
        self.left_sheet();
        effects.push(Effect::Draft(None));
        effects
    }

    /// The sheet was given to the notes: what had been left of it is settled.
    fn left_sheet(&mut self) {
        let Some(key) = self.coding.as_ref().map(|c| c.sheet.key.clone()) else { return };
        self.review.left.retain(|e| !e.key.covers(&key));
        self.mark_unwritten();
        let sheet = self.sheet_of(&key);
        if let Some(coding) = &mut self.coding {
            coding.sheet = sheet;
        }
    }

    /// Goes to another place; what is on the sheet is saved first, so that nothing is lost by looking around.
    pub(super) fn leave_sheet(&mut self, to: impl Fn(usize, usize) -> usize) -> Vec<Effect> {
        let Some(coding) = &self.coding else { return Vec::new() };
        let next = to(coding.at, coding.rows.len().saturating_sub(1));
        if next == coding.at {
            self.say(if next == 0 { "this is the first one" } else { "this is the last one" });
            return Vec::new();
        }
        let mut effects = if coding.sheet.changed { self.save() } else { vec![Effect::Draft(None)] };
        effects.extend(self.arrive(next));
        effects
    }

    pub(super) fn defer(&mut self) -> Vec<Effect> {
        let answer = self.looked_at();
        let Some(coding) = &self.coding else { return Vec::new() };
        if coding.sheet.primary.is_some() {
            self.say("it has a code: save it, or take its codes back to leave it for later");
            return Vec::new();
        }
        let (key, note) = (coding.sheet.key.clone(), coding.sheet.note.trim().to_owned());
        let mut effects = self.tell(Said { key, answer, act: Act::Deferred { note } });
        if effects.is_empty() {
            return effects;
        }
        self.left_sheet();
        effects.push(Effect::Draft(None));
        effects.extend(self.next_open());
        if self.status.is_none() {
            self.say("left for later");
        }
        effects
    }
}
