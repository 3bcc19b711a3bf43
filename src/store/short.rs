//! What the columns take from a record, however it was read.

use std::borrow::Cow;

use super::fields::{Fields, Slot};
use super::formats::attempt::{attempt_of, question_of};
use super::json::Val;
use super::values::{self, Stated};
use super::{mend, values::error_kind};
use crate::record::{Attempt, CallKind, Condition, Question};
use crate::score;

/// A line, as far as the columns need it.
#[derive(Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "made once a line and taken apart at once")]
pub(super) enum Short<'a> {
    /// An attempt.
    Attempt(ShortAttempt<'a>),
    /// A question.
    Question(ShortQuestion<'a>),
}

/// References as a line gives them.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Given<'a> {
    /// Not taken apart yet.
    Written(Val<'a>),
    /// From a record that was read the slow way.
    List(Vec<String>),
}

impl Default for Given<'_> {
    fn default() -> Self {
        Self::Written(Val::Null)
    }
}

impl Given<'_> {
    /// The references: sanitised, trimmed, none of them empty.
    pub(super) fn list(&self) -> Vec<Cow<'_, str>> {
        match self {
            Self::Written(value) => values::references(*value),
            Self::List(list) => list.iter().map(|r| Cow::Borrowed(r.as_str())).collect(),
        }
    }
}

/// An attempt, as far as the columns need it. Strings are not sanitised yet.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ShortAttempt<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) question: Option<Cow<'a, str>>,
    pub(super) references: Given<'a>,
    pub(super) run: Option<Cow<'a, str>>,
    pub(super) split: Option<Cow<'a, str>>,
    pub(super) provider: Option<Cow<'a, str>>,
    pub(super) model: Option<Cow<'a, str>>,
    pub(super) source: Option<Cow<'a, str>>,
    pub(super) stop: Option<Cow<'a, str>>,
    pub(super) error: Option<Cow<'a, str>>,
    pub(super) condition: Condition,
    pub(super) attempt: u32,
    pub(super) answer: Option<Cow<'a, str>>,
    pub(super) confidence: Option<f64>,
    pub(super) latency_ms: Option<f64>,
    pub(super) cost_usd: Option<f64>,
    pub(super) tokens: Option<u64>,
    pub(super) correct: Option<bool>,
    pub(super) calls: u32,
    pub(super) opened: u32,
    pub(super) queries: Vec<Cow<'a, str>>,
    /// What was doubtful.
    pub(super) doubts: Vec<String>,
}

/// A question, as far as the columns need it. Strings are not sanitised yet.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ShortQuestion<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) question: Cow<'a, str>,
    pub(super) references: Given<'a>,
    pub(super) split: Option<Cow<'a, str>>,
    pub(super) topic: Option<Cow<'a, str>>,
    pub(super) key_date: Option<Cow<'a, str>>,
}

/// What a line without usable id is told.
pub(super) const NO_ID: &str = "no question_id: give each attempt the id of its question";
/// What a line without model is told.
pub(super) const NO_MODEL: &str = "no model: attempts of different models cannot be told apart";
/// What a confidence outside 0 to 1 is told.
pub(super) fn no_confidence(value: Val<'_>) -> String {
    format!("confidence {} is none: write a number from 0 to 1; read as not stated", value.quoted())
}

/// Reads a line that is known to be UTF-8, the fast way where it can be. `fields` is used again from line to line.
pub(super) fn read<'a>(
    line: &'a str,
    named: Option<Condition>,
    fields: &mut Fields<'a>,
) -> Result<Short<'a>, String> {
    match fields.scan(line) {
        Some(()) => from_fields(fields, named),
        None => read_slowly(line.as_bytes(), named),
    }
}

/// Reads any line, the slow way.
pub(super) fn read_slowly(line: &[u8], named: Option<Condition>) -> Result<Short<'static>, String> {
    let mended = mend::parse(line)?;
    let mut short = if is_question(&mended.value) {
        Short::Question(of_question(question_of(mended.value)?))
    } else {
        let odd = mended.odd_confidence(line);
        let (attempt, mut doubts) = attempt_of(mended.value, named)?;
        if let Some(odd) = odd {
            doubts.insert(0, no_confidence(Val::Odd(&odd)));
        }
        Short::Attempt(of_attempt(attempt, doubts))
    };
    if mended.lossy
        && let Short::Attempt(attempt) = &mut short
    {
        attempt.doubts.push("not UTF-8: the broken bytes are shown as U+FFFD".to_owned());
    }
    Ok(short)
}

pub(super) fn is_question(value: &serde_json::Value) -> bool {
    let has = |key: &str| value.get(key).is_some_and(|v| !v.is_null());
    has("question") && !["model", "condition", "answer", "raw"].into_iter().any(has)
}

fn from_fields<'a>(f: &mut Fields<'a>, named: Option<Condition>) -> Result<Short<'a>, String> {
    let about_answer = [f.get(Slot::Model), f.get(Slot::Condition), f.get(Slot::Answer), f.get(Slot::Raw)];
    if !f.get(Slot::Question).is_null() && about_answer.iter().all(|v| v.is_null()) {
        let id =
            first_text(f.get(Slot::Id), f.get(Slot::QuestionId)).ok_or("no id: give each question one")?;
        return Ok(Short::Question(ShortQuestion {
            id,
            question: f.get(Slot::Question).text().unwrap_or_default(),
            references: Given::Written(f.get(Slot::References)),
            split: f.get(Slot::Split).text(),
            topic: f.get(Slot::Topic).text(),
            key_date: f.get(Slot::KeyDate).text(),
        }));
    }
    let id = f.get(Slot::QuestionId).text().filter(|id| !id.is_empty()).ok_or(NO_ID)?;
    let condition = values::condition(f.get(Slot::Condition), named)?;
    let mut doubts = Vec::new();
    let has_error = f.get(Slot::Error).is_error();
    let mut confidence = match values::confidence(f.get(Slot::Confidence)) {
        Stated::Share(c) => Some(c),
        Stated::Nothing => None,
        Stated::Unusable => {
            doubts.push(no_confidence(f.get(Slot::Confidence)));
            None
        }
    };
    let mut answer = f.get(Slot::Answer).text();
    if answer.is_none()
        && !has_error
        && let Some(raw) = f.get(Slot::Raw).text()
    {
        let spoken = score::parse_answer(&raw);
        answer = spoken.answer.map(Cow::Owned);
        if f.get(Slot::Confidence).is_null() {
            confidence = spoken.confidence;
        }
    }
    let attempt = values::repeat(f.get(Slot::Attempt)).unwrap_or_else(|(taken, doubt)| {
        doubts.push(doubt);
        taken
    });
    let model = f.get(Slot::Model).text().filter(|m| !m.is_empty());
    if model.is_none() {
        doubts.push(NO_MODEL.to_owned());
    }
    let tokens = match (f.input_tokens.count(), f.output_tokens.count()) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
    };
    Ok(Short::Attempt(ShortAttempt {
        id,
        question: f.get(Slot::Question).text(),
        references: Given::Written(f.get(Slot::References)),
        run: f.get(Slot::Run).text(),
        split: f.get(Slot::Split).text(),
        provider: f.get(Slot::Provider).text(),
        model,
        source: f.get(Slot::Source).text(),
        stop: f.get(Slot::Stop).text(),
        error: has_error.then(|| error_kind(f.get(Slot::Error), f.error_kinds).into()),
        condition,
        attempt,
        answer,
        confidence,
        latency_ms: f.get(Slot::Latency).number().filter(|n| *n >= 0.0),
        cost_usd: f.get(Slot::Cost).number().filter(|n| *n >= 0.0),
        tokens,
        correct: f.get(Slot::Correct).verdict(),
        calls: f.calls,
        opened: f.opened,
        queries: std::mem::take(&mut f.queries),
        doubts,
    }))
}

fn first_text<'a>(a: Val<'a>, b: Val<'a>) -> Option<Cow<'a, str>> {
    a.text().filter(|t| !t.is_empty()).or_else(|| b.text().filter(|t| !t.is_empty()))
}

/// The columns' part of a whole attempt.
pub(super) fn of_attempt(a: Attempt, doubts: Vec<String>) -> ShortAttempt<'static> {
    let own = |s: Option<String>| s.map(Cow::Owned);
    let calls = a.calls();
    ShortAttempt {
        id: a.question_id.into(),
        question: own(a.question),
        references: a.references.map_or_else(Given::default, Given::List),
        run: own(a.run_id),
        split: own(a.split),
        provider: own(a.provider),
        model: Some(a.model).filter(|m| !m.is_empty()).map(Cow::Owned),
        source: own(a.source),
        stop: own(a.stop),
        error: a.error.map(|e| Cow::Owned(e.kind)),
        condition: a.condition,
        attempt: a.attempt,
        answer: own(a.answer),
        confidence: a.confidence,
        latency_ms: a.latency_ms,
        cost_usd: a.cost_usd,
        tokens: a.usage.total(),
        correct: a.correct,
        calls: calls as u32,
        opened: a.search_calls.iter().filter(|c| c.kind != CallKind::Search).count() as u32,
        queries: a
            .search_calls
            .iter()
            .flat_map(|c| c.all_queries().map(|q| Cow::Owned(q.to_owned())))
            .collect(),
        doubts,
    }
}

fn of_question(q: Question) -> ShortQuestion<'static> {
    ShortQuestion {
        id: q.id.into(),
        question: q.question.into(),
        references: Given::List(q.references),
        split: q.split.map(Cow::Owned),
        topic: q.topic.map(Cow::Owned),
        key_date: q.key_date.map(Cow::Owned),
    }
}

#[cfg(test)]
#[path = "short_tests.rs"]
mod short_tests;
