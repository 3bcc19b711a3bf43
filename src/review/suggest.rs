//! What a record itself hints at: codes that may apply, each with the words it is suggested for.
//!
//! Nothing here is applied by itself; a person confirms. Only rows whose answer with search is wrong, or could not be
//! had, are spoken of.

mod answers;
mod pages;
mod queries;
mod words;

use std::collections::HashMap;

use crate::record::{Attempt, Question, Scorer, State};
use crate::score;
use crate::text::{normalize, truncate};

/// A hint in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// No search, a wrong answer, a question that depends on time.
    NeededSearch,
    /// No query has a year that the question fixes.
    LostTime,
    /// A query holds what was answered without search.
    Seeded,
    /// Two queries say the same.
    Rephrased,
    /// A search was refused for the cap.
    CapReached,
    /// A search failed for another reason.
    SearchError,
    /// A cited page is of another time, by its date or its title.
    StalePage,
    /// A title, address or quote holds a reference, the answer does not.
    EvidenceUnused,
    /// The answer is another question's reference.
    Neighbour,
    /// Right without search, wrong with it.
    OverTrust,
    /// Surer after searching, wrong, and nothing cited holds the answer.
    ConfidenceUp,
    /// A laxer comparison accepts the answer.
    FormatMiss,
    /// Both conditions give one answer that is not the reference.
    BothAgree,
    /// Refused, empty, cut, paused or in error.
    NoAnswer,
}

impl Sign {
    /// Every sign, in the order suggested.
    pub const ALL: [Self; 14] = [
        Self::NoAnswer,
        Self::NeededSearch,
        Self::CapReached,
        Self::SearchError,
        Self::LostTime,
        Self::Seeded,
        Self::Rephrased,
        Self::StalePage,
        Self::FormatMiss,
        Self::EvidenceUnused,
        Self::Neighbour,
        Self::OverTrust,
        Self::ConfidenceUp,
        Self::BothAgree,
    ];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NeededSearch => "needed search, did not search",
            Self::LostTime => "query lost the time",
            Self::Seeded => "query seeded by the answer without search",
            Self::Rephrased => "near-duplicate queries",
            Self::CapReached => "search cap reached",
            Self::SearchError => "a search failed",
            Self::StalePage => "cited page of another time",
            Self::EvidenceUnused => "evidence retrieved, not used",
            Self::Neighbour => "right for another question",
            Self::OverTrust => "right before, wrong after search",
            Self::ConfidenceUp => "confidence up without support",
            Self::FormatMiss => "right but for its form",
            Self::BothAgree => "both conditions agree",
            Self::NoAnswer => "no answer",
        }
    }

    /// The id of the starter codebook's code that it speaks for, as of version 1: [`super::Codebook::resolve`] tells
    /// what that is today.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NeededSearch => "no-search",
            Self::LostTime => "bad-query",
            Self::Seeded => "seeded-query",
            Self::Rephrased => "rephrase-loop",
            Self::CapReached => "cap-reached",
            Self::SearchError | Self::NoAnswer => "no-answer",
            Self::StalePage => "stale-source",
            Self::EvidenceUnused => "evidence-ignored",
            Self::Neighbour => "entity-confusion",
            Self::OverTrust => "over-trust",
            Self::ConfidenceUp => "unsupported-confidence",
            Self::FormatMiss => "format-miss",
            Self::BothAgree => "reference-doubt",
        }
    }
}

/// A code that may apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// What hints at it.
    pub sign: Sign,
    /// The words of the record that it is suggested for, in a line.
    pub evidence: String,
}

/// The references of all questions, to find whose an answer is.
#[derive(Debug, Clone, Default)]
pub struct Neighbours {
    /// Question ids and texts by normalised reference.
    by_reference: HashMap<String, Vec<(String, String)>>,
}

impl Neighbours {
    /// Makes the references of a set of questions ready.
    pub fn new<'q>(questions: impl IntoIterator<Item = &'q Question>) -> Self {
        let mut by_reference: HashMap<String, Vec<(String, String)>> = HashMap::new();
        for question in questions {
            for reference in question.references.iter().flat_map(|r| score::split_references(r)) {
                let owners = by_reference.entry(normalize(reference)).or_default();
                if owners.iter().all(|(id, _)| *id != question.id) {
                    owners.push((question.id.clone(), question.question.clone()));
                }
            }
        }
        Self { by_reference }
    }

    fn of(&self, normalised: &str) -> &[(String, String)] {
        self.by_reference.get(normalised).map_or(&[], Vec::as_slice)
    }
}

/// A pair as far as it is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Trace<'a> {
    /// The question with its references.
    pub question: &'a Question,
    /// The attempt without search, if there is one.
    pub no: Option<&'a Attempt>,
    /// The attempt with search, if there is one.
    pub with: Option<&'a Attempt>,
    /// Whether the answer without search and with it is right: [`judged`], or a person's verdict.
    pub right: [Option<bool>; 2],
}

/// Whether a scorer finds an attempt right; `None` where it cannot judge.
pub fn judged(attempt: Option<&Attempt>, references: &[String], scorer: Scorer) -> Option<bool> {
    let a = attempt?;
    score::explain(a.answer.as_deref(), references, scorer, a.correct, State::of_attempt(a)).verdict.correct()
}

impl<'a> Trace<'a> {
    /// A pair judged by a scorer.
    pub fn new(
        question: &'a Question,
        no: Option<&'a Attempt>,
        with: Option<&'a Attempt>,
        scorer: Scorer,
    ) -> Self {
        let right = [judged(no, &question.references, scorer), judged(with, &question.references, scorer)];
        Self { question, no, with, right }
    }
}

/// What may be said of a pair, in the order of [`Sign::ALL`]; nothing where the answer with search is right or was
/// never asked for.
pub fn suggest(trace: &Trace<'_>, neighbours: &Neighbours) -> Vec<Suggestion> {
    let Some(with) = trace.with else { return Vec::new() };
    if trace.right[1] == Some(true) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut put = |sign: Sign, evidence: Option<String>| {
        found.extend(evidence.map(|evidence| Suggestion { sign, evidence }));
    };
    put(Sign::NoAnswer, answers::none(with));
    put(Sign::CapReached, queries::cap(with));
    put(Sign::SearchError, queries::failed(with));
    if trace.right[1] == Some(false) {
        put(Sign::NeededSearch, queries::needed(trace.question, with));
        put(Sign::LostTime, queries::lost_time(trace.question, with));
        put(Sign::Seeded, queries::seeded(trace.question, trace.no, with));
        put(Sign::Rephrased, queries::rephrased(with));
        put(Sign::StalePage, pages::stale(trace.question, with));
        let miss = answers::format_miss(trace.question, with);
        // What is right but for its form says nothing of search.
        if miss.is_none() {
            put(Sign::OverTrust, answers::over_trust(trace, with));
            put(Sign::EvidenceUnused, pages::unused(trace.question, with));
            put(Sign::Neighbour, answers::neighbour(trace.question, with, neighbours));
            put(Sign::ConfidenceUp, answers::surer(trace.no, with));
            put(Sign::BothAgree, answers::agree(trace, with));
        }
        put(Sign::FormatMiss, miss);
    }
    found.sort_by_key(|s| Sign::ALL.iter().position(|sign| *sign == s.sign));
    found
}

/// Words of a record in quotes, cut to what a line holds.
fn quoted(text: &str) -> String {
    format!("“{}”", truncate(text.trim(), 60))
}

/// A confidence as the screen writes it: `.80`, `1.00`.
fn stated(confidence: f64) -> String {
    let text = format!("{confidence:.2}");
    text.strip_prefix('0').map(str::to_owned).unwrap_or(text)
}

#[cfg(test)]
#[path = "suggest_tests.rs"]
mod tests;
