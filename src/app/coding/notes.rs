//! The notes as they stand: taken from the runtime, put to the rows of the table, counted as graded or as reviewed.

use std::collections::HashSet;

use super::super::{Effect, Model, Reviewed};
use super::{Lines, NotesNews};
use crate::review::{self, Act, Entry};

/// Rows up to which notes are put to a table that still grows.
const FEW: usize = 20_000;
/// The last coded rows that the pace is made of.
const PACE: usize = 20;
/// A longer time between two rows was a pause, in seconds.
const PAUSE: f64 = 600.0;

impl Model {
    /// Takes the notes as they are in their file now.
    pub(in super::super) fn take_notes(&mut self, news: NotesNews) -> Vec<Effect> {
        let first = self.review.place.is_empty();
        let same_book = self.review.book == news.book;
        let old_book = std::mem::replace(&mut self.review.book, news.book);
        self.review.by = news.by;
        self.review.place = news.place;
        self.review.shut = None;
        if first && !news.left.is_empty() {
            let n = crate::text::several(news.left.len(), "note");
            self.say(format!(
                "{n} not saved when the program ended: it is there again when its row is coded (c)"
            ));
        }
        self.review.left.extend(news.left);
        self.review.failing = news.failing;
        let changed = match news.lines {
            Lines::All(notes) => {
                self.review.notes = notes;
                self.review.times = times(&self.review.notes.codings_by(&self.review.by));
                self.settle_unwritten(news.written);
                self.remark();
                true
            }
            Lines::More(lines) => {
                let notes = std::sync::Arc::make_mut(&mut self.review.notes);
                for line in &lines {
                    let _ = notes.add(line.clone());
                }
                self.settle_unwritten(news.written);
                self.time(&lines);
                if same_book { self.remark_some(&lines) } else { self.remark() }
            }
        };
        if let Some(why) = self.review.failing.clone() {
            let n = crate::text::several(self.unwritten(), "note");
            let next = if self.warned { "leave again to go without" } else { "tried again with the next" };
            self.fail(format!("{n} not on the disk, {next}: {why}"));
        } else {
            self.warned = false;
        }
        let mut effects = if same_book { Vec::new() } else { self.follow_book(old_book.version) };
        self.reread_sheet();
        effects.extend(news.undone.map_or_else(Vec::new, |undone| self.take_undone(undone)));
        if changed && self.filter.active() {
            effects.extend(self.requery());
        }
        if let Some(graded) = &self.graded {
            let judged = self.review.notes.judgements();
            if std::mem::replace(&mut self.review.judged, judged) != judged {
                effects.push(Effect::Review(graded.clone(), self.review.notes.clone()));
            }
        }
        effects
    }

    /// Notes cannot be kept.
    pub(in super::super) fn shut_notes(&mut self, why: String) {
        // Told when somebody wants to write: whoever only reads needs no notes.
        self.review.shut = Some(why);
    }

    /// What stands may be another now: by an undo, or in another program of the same person.
    fn reread_sheet(&mut self) {
        let Some(key) = self.coding.as_ref().filter(|c| !c.sheet.changed).map(|c| c.sheet.key.clone()) else {
            return;
        };
        let sheet = self.sheet_of(&key);
        if let Some(coding) = &mut self.coding {
            coding.sheet = sheet;
        }
    }

    /// Puts what was said to the rows of the table. Whether anything was put.
    pub(in super::super) fn remark(&mut self) -> bool {
        let known = !self.review.notes.is_empty() || !self.table.marks.0.is_empty();
        if !known || (!self.table.progress.done && self.table.pairs.len() > FEW) {
            return false;
        }
        let (notes, book, by) = (&self.review.notes, &self.review.book, self.review.by.as_str());
        let done = |marks: &crate::store::Marks| {
            marks.0.iter().filter(|(_, m)| m.is_coded()).map(|(&row, _)| row).collect()
        };
        let own_only = self.review.blind || notes.is_all_by(by);
        let marks = review::marks(&self.table, notes, book, own_only.then_some(by));
        self.review.done =
            if own_only { done(&marks) } else { done(&review::marks(&self.table, notes, book, Some(by))) };
        let mut table = (*self.table).clone();
        table.marks = std::sync::Arc::new(marks);
        self.table = std::sync::Arc::new(table);
        self.mark_unwritten();
        true
    }

    /// Puts what these lines changed to the rows of the table. Whether they changed anything.
    fn remark_some(&mut self, lines: &[Entry]) -> bool {
        let said = lines.iter().filter(|e| !matches!(e.act, Act::Mark { .. }));
        let questions: HashSet<&str> = said.map(|e| e.key.question_id.as_str()).collect();
        if questions.is_empty() || (!self.table.progress.done && self.table.pairs.len() > FEW) {
            return false;
        }
        let (notes, book, by) = (&self.review.notes, &self.review.book, self.review.by.as_str());
        let own_only = self.review.blind || notes.is_all_by(by);
        let new = review::marks_of(&self.table, notes, book, own_only.then_some(by), &questions);
        let own = if own_only {
            None
        } else {
            Some(review::marks_of(&self.table, notes, book, Some(by), &questions))
        };
        for (row, mark) in own.as_ref().unwrap_or(&new) {
            if mark.is_coded() {
                self.review.done.insert(*row);
            } else {
                self.review.done.remove(row);
            }
        }
        let old = &self.table.marks;
        if new.iter().any(|(row, mark)| old.get(*row).unwrap_or(&crate::store::Mark::default()) != mark) {
            let table = std::sync::Arc::make_mut(&mut self.table);
            let marks = std::sync::Arc::make_mut(&mut table.marks);
            for (row, mark) in new {
                if mark == crate::store::Mark::default() {
                    marks.0.remove(&row);
                } else {
                    marks.0.insert(row, mark);
                }
            }
            self.mark_unwritten();
            return true;
        }
        self.mark_unwritten();
        false
    }

    /// Remembers when rows were coded.
    fn time(&mut self, lines: &[Entry]) {
        let times = &mut self.review.times;
        for line in lines.iter().filter(|e| e.by == self.review.by) {
            if matches!(line.act, Act::Coded { .. } | Act::Deferred { .. } | Act::Cleared { .. }) {
                times.retain(|(key, _)| *key != line.key);
            }
            if matches!(line.act, Act::Coded { .. } | Act::Deferred { .. }) {
                times.push_back((line.key.clone(), line.at.as_millisecond()));
            }
        }
        times.drain(..times.len().saturating_sub(PACE));
    }

    /// Mean seconds between coded rows, pauses left out; `None` without two of them.
    pub fn pace(&self) -> Option<f64> {
        let times = self.review.times.iter();
        let gaps = times.clone().zip(times.skip(1)).map(|(a, b)| (b.1 - a.1) as f64 / 1_000.0);
        let gaps: Vec<f64> = gaps.filter(|s| (0.0..PAUSE).contains(s)).collect();
        (!gaps.is_empty()).then(|| gaps.iter().sum::<f64>() / gaps.len() as f64)
    }

    /// Has the codebook edited. A row that is being coded stays where it is, and what is on its sheet too.
    pub(in super::super) fn edit_codebook(&mut self) -> Vec<Effect> {
        self.review.editing = true;
        vec![Effect::Edit(self.review.book.to_toml())]
    }

    /// What is on the sheet is of an older codebook than what is saved of it will say.
    fn follow_book(&mut self, old: u32) -> Vec<Effect> {
        let book = self.review.book.clone();
        let Some(coding) = &mut self.coding else { return Vec::new() };
        let today = |code: &str| book.today(code, old).to_owned();
        for sheet in [Some(&mut coding.sheet), coding.dropped.as_mut()].into_iter().flatten() {
            sheet.follow(today);
        }
        self.draft()
    }

    /// A codebook that was edited: kept when it can be read, else told why not.
    pub(in super::super) fn take_codebook(&mut self, text: &str) -> Vec<Effect> {
        match review::codebook::parse("codebook.toml", text) {
            Ok(book) => {
                let book = book.succeed(&self.review.book);
                self.say(format!("codebook version {}", book.version));
                vec![Effect::KeepCodebook(Box::new(book))]
            }
            Err(problems) => {
                let first = problems.first().map(ToString::to_string).unwrap_or_default();
                self.fail(format!("the codebook stays as it was: {first}"));
                Vec::new()
            }
        }
    }

    /// Counts verdicts as people reviewed them, or as the scorer graded them.
    pub(in super::super) fn toggle_reviewed(&mut self) -> Vec<Effect> {
        if let Some(graded) = self.graded.take() {
            self.table = graded;
            self.remark();
            self.say("verdicts as graded");
            return self.requery();
        }
        if self.review.blind {
            self.say("not while what others said is hidden: their verdicts would show");
            return Vec::new();
        }
        let notes = self.review.notes.clone();
        if notes.verdicts().is_empty() && notes.references(None).is_empty() {
            self.say("nobody gave a verdict or accepted an answer yet");
            return Vec::new();
        }
        self.graded = Some(self.table.clone());
        self.review.judged = notes.judgements();
        self.say("putting people's verdicts to the table…");
        vec![Effect::Review(self.table.clone(), notes)]
    }

    /// Takes a table as people reviewed it, if it is still the one that was asked for.
    pub(in super::super) fn take_reviewed(&mut self, reviewed: Reviewed) -> Vec<Effect> {
        let is_same = self.graded.as_ref().is_some_and(|g| std::sync::Arc::ptr_eq(g, &reviewed.graded));
        if !is_same || reviewed.judgements != self.review.notes.judgements() {
            return Vec::new();
        }
        let overlay = reviewed.overlay;
        let differ = overlay.changes.iter().filter(|c| c.differs(self.scorer)).count();
        let outdated = match overlay.outdated.len() {
            0 => String::new(),
            n => format!(", {n} of other answers than these do not count"),
        };
        let words = format!(
            "as reviewed: {} {}{outdated}",
            crate::text::several(differ, "verdict"),
            if differ == 1 { "differs" } else { "differ" }
        );
        self.table = std::sync::Arc::new(overlay.table);
        self.remark();
        self.say(words);
        self.requery()
    }

    /// Hides or shows what others said.
    pub(in super::super) fn toggle_blind(&mut self) -> Vec<Effect> {
        self.review.blind = !self.review.blind;
        let mut effects = Vec::new();
        if self.review.blind
            && let Some(graded) = self.graded.take()
        {
            self.table = graded;
            effects = self.requery();
        }
        self.say(if self.review.blind {
            "only your own codes and notes are shown"
        } else {
            "everybody's codes and notes are shown"
        });
        self.remark();
        if self.filter.active() {
            effects.extend(self.requery());
        }
        effects.push(self.settle());
        effects
    }
}

/// When the last rows of these were coded.
fn times(codings: &[review::Coding<'_>]) -> std::collections::VecDeque<(review::Key, i64)> {
    let last = codings.get(codings.len().saturating_sub(PACE)..).unwrap_or_default();
    last.iter().map(|c| (c.entry.key.clone(), c.entry.at.as_millisecond())).collect()
}
