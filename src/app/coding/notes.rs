//! The notes as they stand: taken from the runtime, put to the rows of the table, counted as graded or as reviewed.

use super::super::{Effect, Model, Reviewed};
use super::NotesNews;
use crate::review;

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
        self.review.notes = news.notes;
        self.review.book = news.book;
        self.review.by = news.by;
        self.review.place = news.place;
        if first && !news.left.is_empty() {
            let n = crate::text::several(news.left.len(), "note");
            self.say(format!(
                "{n} was not saved when the program ended: it is there again when its row is coded"
            ));
        }
        self.review.left.extend(news.left);
        let codings = self.review.notes.codings_by(&self.review.by);
        self.review.pace = pace(&codings);
        self.remark();
        self.reread_sheet();
        let mut effects = if self.filter.active() { self.requery() } else { Vec::new() };
        if let Some(graded) = &self.graded {
            effects.push(Effect::Review(graded.clone(), self.review.notes.clone()));
        }
        effects
    }

    /// Puts what was said to the rows of the table.
    pub(in super::super) fn remark(&mut self) {
        let known = !self.review.notes.is_empty() || !self.table.marks.0.is_empty();
        if !known || (!self.table.progress.done && self.table.pairs.len() > FEW) {
            return;
        }
        let (notes, book, by) = (&self.review.notes, &self.review.book, self.review.by.as_str());
        let own = review::marks(&self.table, notes, book, Some(by));
        self.review.done = own.0.iter().filter(|(_, m)| m.is_coded()).map(|(&row, _)| row).collect();
        let marks = if self.review.blind { own } else { review::marks(&self.table, notes, book, None) };
        let mut table = (*self.table).clone();
        table.marks = std::sync::Arc::new(marks);
        self.table = std::sync::Arc::new(table);
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
        let notes = self.review.notes.clone();
        if notes.verdicts().is_empty() && notes.references(None).is_empty() {
            self.say("nobody gave a verdict or accepted an answer yet");
            return Vec::new();
        }
        self.graded = Some(self.table.clone());
        self.say("putting people's verdicts to the table…");
        vec![Effect::Review(self.table.clone(), notes)]
    }

    /// Takes a table as people reviewed it, if it is still the one that was asked for.
    pub(in super::super) fn take_reviewed(&mut self, reviewed: Reviewed) -> Vec<Effect> {
        let is_same = self.graded.as_ref().is_some_and(|g| std::sync::Arc::ptr_eq(g, &reviewed.graded));
        if !is_same || reviewed.notes != self.review.notes.len() {
            return Vec::new();
        }
        let overlay = reviewed.overlay;
        let differ = overlay.changes.iter().filter(|c| c.differs(self.scorer)).count();
        let mut words = format!(
            "as reviewed: {} {}",
            crate::text::several(differ, "verdict"),
            if differ == 1 { "differs" } else { "differ" }
        );
        if !overlay.outdated.is_empty() {
            words.push_str(&format!(", {} of other answers than these do not count", overlay.outdated.len()));
        }
        self.table = std::sync::Arc::new(overlay.table);
        self.remark();
        self.say(words);
        self.requery()
    }

    /// Hides or shows what others said.
    pub(in super::super) fn toggle_blind(&mut self) -> Vec<Effect> {
        self.review.blind = !self.review.blind;
        self.say(if self.review.blind {
            "only your own codes and notes are shown"
        } else {
            "everybody's codes and notes are shown"
        });
        self.remark();
        if self.filter.active() { self.requery() } else { Vec::new() }
    }
}

/// Mean seconds between coded rows, pauses left out; `None` without two of them.
fn pace(codings: &[review::Coding<'_>]) -> Option<f64> {
    let last = codings.get(codings.len().saturating_sub(PACE)..)?;
    let seconds = |a: &review::Coding<'_>, b: &review::Coding<'_>| {
        (b.entry.at.as_millisecond() - a.entry.at.as_millisecond()) as f64 / 1_000.0
    };
    let gaps = last.windows(2).filter_map(|w| match w {
        [a, b] => Some(seconds(a, b)).filter(|s| (0.0..PAUSE).contains(s)),
        _ => None,
    });
    let gaps: Vec<f64> = gaps.collect();
    (!gaps.is_empty()).then(|| gaps.iter().sum::<f64>() / gaps.len() as f64)
}
