//! Verdicts as reviewed: the scorer's, with accepted answers that were added, and a person's above all.

use crate::record::{Attempt, Question, Scorer, State, Transition, Verdict};
use crate::score::explain;

use super::entry::{Entry, Key};
use super::notes::Notes;

/// Where a verdict comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Because<'a> {
    /// The scorer with the references of the data.
    Graded,
    /// The scorer, with an accepted answer that a person added. With [`Scorer::Recorded`] there is no such verdict.
    Reference(&'a Entry),
    /// A person's verdict.
    Person(&'a Entry),
}

/// A verdict before and after review.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reviewed<'a> {
    /// As the scorer gives it.
    pub graded: Verdict,
    /// As it counts after review.
    pub verdict: Verdict,
    /// Why it counts so.
    pub because: Because<'a>,
    /// Whether the person's verdict was given on another answer than this one; it counts no more then.
    pub is_outdated: bool,
}

impl Reviewed<'_> {
    /// Whether review made a difference.
    pub fn is_overridden(&self) -> bool {
        self.graded != self.verdict
    }
}

/// The verdict on an attempt. `key` is the attempt's, with [`super::On::Side`].
pub fn reviewed<'a>(
    notes: &'a Notes,
    key: &Key,
    attempt: &Attempt,
    question: &Question,
    scorer: Scorer,
) -> Reviewed<'a> {
    let state = State::of_attempt(attempt);
    let says =
        |refs: &[String], scorer| explain(attempt.answer.as_deref(), refs, scorer, attempt.correct, state);
    let graded = says(&question.references, scorer).verdict;
    let mut out = Reviewed { graded, verdict: graded, because: Because::Graded, is_outdated: false };
    if let Some(person) = notes.verdict(key) {
        out.is_outdated = Notes::is_changed(person.entry, &super::answer_hash(attempt.answer.as_deref()));
        if !out.is_outdated {
            out.verdict = person.verdict;
            out.because = Because::Person(person.entry);
            return out;
        }
    }
    if matches!(graded, Verdict::Wrong | Verdict::Ungraded) && scorer != Scorer::Recorded {
        let accepting = notes.references(Some(&question.id)).into_iter().find(|entry| {
            let super::Act::Reference { text, .. } = &entry.act else { return false };
            says(std::slice::from_ref(text), scorer).verdict == Verdict::Right
        });
        if let Some(entry) = accepting {
            out.verdict = Verdict::Right;
            out.because = Because::Reference(entry);
        }
    }
    out
}

/// The transition of a pair from its reviewed verdicts; `None` for a side that was never asked. `calls` are those of
/// the attempt with search.
pub fn reviewed_transition(no: Option<Reviewed<'_>>, with: Option<Reviewed<'_>>, calls: usize) -> Transition {
    Transition::of(no.map(|r| r.verdict), with.map(|r| r.verdict), calls)
}

#[cfg(test)]
#[path = "reviewed_tests.rs"]
mod tests;
