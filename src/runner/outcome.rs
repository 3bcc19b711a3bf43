//! What came of it, beside what is stored.

use std::sync::Arc;

use crate::provider::Kind;
use crate::record::{Attempt, Condition, Scorer, State, Transition, Verdict};
use crate::score::{Explanation, explain};

/// An attempt judged, and compared with the stored one of the other condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Right, wrong, or why neither.
    pub verdict: Verdict,
    /// Why, in words.
    pub why: String,
    /// The transition from the attempt without to the one with search, one of them stored.
    pub transition: Transition,
    /// Confidence with minus confidence without search, −1 to 1; `None` unless both stated one.
    pub dconf: Option<f64>,
}

fn judged(attempt: &Attempt, references: &[String], scorer: Scorer) -> Explanation {
    let state = State::of_attempt(attempt);
    explain(attempt.answer.as_deref(), references, scorer, attempt.correct, state)
}

/// The stored attempt that an attempt is compared with: the one without search for every attempt with, and the one with
/// search for one without.
pub fn partner(sides: &[Option<Arc<Attempt>>; 3], condition: Condition) -> Option<&Arc<Attempt>> {
    let other = if condition == Condition::NoSearch { Condition::WithSearch } else { Condition::NoSearch };
    sides.get(other as usize).and_then(Option::as_ref)
}

/// Judges an attempt, and compares it with `partner`.
pub fn outcome(
    attempt: &Attempt,
    partner: Option<&Attempt>,
    references: &[String],
    scorer: Scorer,
) -> Outcome {
    let own = judged(attempt, references, scorer);
    let theirs = partner.map(|p| judged(p, references, scorer).verdict);
    let confidences = partner.and_then(|p| p.confidence).zip(attempt.confidence);
    let (transition, dconf) = if attempt.condition == Condition::NoSearch {
        let calls = partner.map_or(0, Attempt::calls);
        (Transition::of(Some(own.verdict), theirs, calls), confidences.map(|(with, no)| with - no))
    } else {
        let calls = attempt.calls();
        (Transition::of(theirs, Some(own.verdict), calls), confidences.map(|(no, with)| with - no))
    };
    Outcome { verdict: own.verdict, why: own.text, transition, dconf }
}

/// The transition of the stored pair; `None` unless both sides are stored.
pub fn stored_transition(
    sides: &[Option<Arc<Attempt>>; 3],
    references: &[String],
    scorer: Scorer,
) -> Option<Transition> {
    let [no, with, _] = sides;
    let (no, with) = (no.as_deref()?, with.as_deref()?);
    Some(outcome(with, Some(no), references, scorer).transition)
}

/// What a person can do about a failure of this kind, by the word of a record.
pub fn advice(kind: &str) -> Option<&'static str> {
    Kind::parse(kind).map(Kind::hint)
}
