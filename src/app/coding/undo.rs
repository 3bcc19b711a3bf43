//! Undo and redo, and a session over files that are read anew.

use std::collections::HashMap;

use super::super::{Effect, Model};
use super::{Sheet, Undone};
use crate::review::{Draw, Entry, Key, On};

impl Model {
    /// Takes back what is on the sheet and not saved, else the last thing this person said; or says it again. What
    /// was saved is worked out where the file is: more may be on its way there than is known here.
    pub(in super::super) fn undo(&mut self, back: bool) -> Vec<Effect> {
        if !self.can_tell() {
            return Vec::new();
        }
        if let Some(effects) = if back { self.take_back() } else { self.bring_back() } {
            return effects;
        }
        vec![Effect::Undo(back)]
    }

    fn take_back(&mut self) -> Option<Vec<Effect>> {
        let key = self.coding.as_ref().filter(|c| c.sheet.changed)?.sheet.key.clone();
        self.review.left.retain(|e| e.key != key);
        let saved = self.sheet_of(&key);
        let coding = self.coding.as_mut()?;
        coding.dropped = Some(std::mem::replace(&mut coding.sheet, saved));
        self.say("taken back, as it was not saved yet; redo brings it again");
        Some(vec![Effect::Draft(None)])
    }

    fn bring_back(&mut self) -> Option<Vec<Effect>> {
        let coding = self.coding.as_mut()?;
        let fits = |s: &Sheet| s.key == coding.sheet.key && !coding.sheet.changed;
        coding.sheet = coding.dropped.take_if(|s| fits(s))?;
        self.say("it is on the sheet again");
        Some(self.draft())
    }

    /// An undo was written: its row is shown.
    pub(super) fn take_undone(&mut self, undone: Undone) -> Vec<Effect> {
        let Undone { back, of } = undone;
        let Some(of) = of else {
            self.say(if back { "nothing to undo" } else { "nothing to redo" });
            return Vec::new();
        };
        let place = self.coding.as_ref().and_then(|c| c.rows.iter().position(|d| self.is_about(&of, d.row)));
        let mut effects = Vec::new();
        if let (Some(place), Some(coding)) = (place, &self.coding)
            && !(place == coding.at && coding.sheet.changed)
        {
            // Keys may have come faster than the disk.
            if coding.sheet.changed {
                effects.extend(self.save());
            }
            effects.extend(self.arrive(place));
        }
        let word = if back { "undone" } else { "redone" };
        let id = crate::text::sanitize_line(&of.key.question_id).into_owned();
        self.say(format!("{word}: {} of {id}", of.act.name()));
        effects
    }

    fn is_about(&self, entry: &Entry, row: u32) -> bool {
        self.note_key(row).is_some_and(|key| {
            key.question_id == entry.key.question_id
                && (entry.key.on == On::Question
                    || (key.model == entry.key.model && key.attempt == entry.key.attempt)
                        && entry.key.is_run_of(&key))
        })
    }

    /// Rows get other numbers: they are remembered by their names.
    pub(in super::super) fn name_coding(&mut self) {
        let Some(coding) = self.coding.as_ref().filter(|c| c.names.is_none()) else { return };
        let names = coding.rows.iter().filter_map(|d| Some((self.note_key(d.row)?, d.weight))).collect();
        if let Some(coding) = &mut self.coding {
            coding.names = Some(names);
            coding.rows.clear();
            coding.hints = None;
        }
        for unwritten in &mut self.review.unwritten {
            unwritten.row = None;
        }
        self.review.neighbours = None;
    }

    /// Finds the rows of the session again, once all is read. Those that are gone are left out.
    pub(in super::super) fn find_coding(&mut self) -> Vec<Effect> {
        if !self.table.progress.done {
            return Vec::new();
        }
        let Some(names) = self.coding.as_mut().and_then(|c| c.names.take()) else { return Vec::new() };
        let (mut numbers, mut first) = (HashMap::<Key, u32>::new(), HashMap::<Key, u32>::new());
        for row in 0..self.table.pairs.len() as u32 {
            let Some(key) = self.note_key(row) else { continue };
            first.entry(key.clone().in_run("")).or_insert(row);
            numbers.insert(key, row);
        }
        // A row is of no run of its own any more once a side of another one joined it; and what was asked again in its
        // place is of another run.
        let find = |key: &Key| {
            let open = key.clone().in_run("");
            numbers.get(key).or_else(|| numbers.get(&open)).or_else(|| first.get(&open)).copied()
        };
        let rows: Vec<Draw> = names
            .iter()
            .filter_map(|(key, weight)| Some(Draw { row: find(key)?, weight: *weight }))
            .collect();
        let gone = names.len() - rows.len();
        let Some(coding) = &mut self.coding else { return Vec::new() };
        let here = find(&coding.sheet.key);
        let at = rows.iter().position(|d| Some(d.row) == here);
        if rows.is_empty() {
            let effects = self.leave_coding();
            self.say("none of the rows of the session is there any more");
            return effects;
        }
        coding.rows = rows;
        if gone > 0 {
            let rows = crate::text::several(gone, "row");
            self.say(format!("{rows} of the session not there any more"));
        }
        let Some(at) = at else {
            let effects =
                if self.coding.as_ref().is_some_and(|c| c.sheet.changed) { self.save() } else { Vec::new() };
            let place = self.coding.as_ref().map_or(0, |c| c.at);
            return effects.into_iter().chain(self.arrive(place)).collect();
        };
        if let (Some(coding), Some(row)) = (&mut self.coding, here) {
            coding.at = at;
            self.choose(row);
        }
        Vec::new()
    }
}
