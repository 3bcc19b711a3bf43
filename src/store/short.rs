//! What the columns take from a record, however it was read.

use std::borrow::Cow;

use super::fields::Fields;
use super::formats::attempt::{attempt_of, question_of};
use super::json::Val;
use super::values::{self, Stated};
use super::{mend, values::error_kind};
use crate::record::{Attempt, CallKind, Condition, Question};
use crate::score;

/// A line, as far as the columns need it.
#[derive(Debug, PartialEq)]
pub(super) enum Short<'a> {
    /// An attempt.
    Attempt(Box<ShortAttempt<'a>>),
    /// A question.
    Question(ShortQuestion<'a>),
}

/// An attempt, as far as the columns need it. Strings are not sanitised yet.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ShortAttempt<'a> {
    pub(super) id: Cow<'a, str>,
    pub(super) question: Option<Cow<'a, str>>,
    pub(super) references: Val<'a>,
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
    pub(super) references: Val<'a>,
    pub(super) split: Option<Cow<'a, str>>,
    pub(super) topic: Option<Cow<'a, str>>,
    pub(super) key_date: Option<Cow<'a, str>>,
}

/// What a line without usable id is told.
pub(super) const NO_ID: &str = "no question_id: give each attempt the id of its question";
/// What a line without model is told.
pub(super) const NO_MODEL: &str = "no model: attempts of different models cannot be told apart";
/// What a confidence outside 0 to 1 is told.
pub(super) fn no_confidence(value: &Val<'_>) -> String {
    format!("confidence {} is none: write a number from 0 to 1; read as not stated", value.quoted())
}

/// Reads a line that is known to be UTF-8, the fast way where it can be.
pub(super) fn read<'a>(
    line: &'a str,
    named: Option<Condition>,
    queries: Vec<Cow<'a, str>>,
) -> Result<Short<'a>, String> {
    match Fields::scan(line, queries) {
        Some(fields) => from_fields(fields, named),
        None => read_slowly(line.as_bytes(), named),
    }
}

/// Reads any line, the slow way.
pub(super) fn read_slowly(line: &[u8], named: Option<Condition>) -> Result<Short<'static>, String> {
    let mended = mend::parse(line)?;
    let mut short = if is_question(&mended.value) {
        Short::Question(of_question(question_of(mended.value)?))
    } else {
        let (attempt, doubts) = attempt_of(mended.value, named)?;
        Short::Attempt(Box::new(of_attempt(attempt, doubts)))
    };
    if mended.lossy
        && let Short::Attempt(attempt) = &mut short
    {
        attempt.doubts.push("not UTF-8: the broken bytes are shown as U+FFFD".to_owned());
    }
    Ok(short)
}

fn is_question(value: &serde_json::Value) -> bool {
    let has = |key: &str| value.get(key).is_some_and(|v| !v.is_null());
    has("question") && !["model", "condition", "answer", "raw"].into_iter().any(has)
}

fn from_fields(f: Fields<'_>, named: Option<Condition>) -> Result<Short<'_>, String> {
    if !f.question.is_null()
        && f.model.is_null()
        && f.condition.is_null()
        && f.answer.is_null()
        && f.raw.is_null()
    {
        let id = first_text(f.id, f.question_id).ok_or("no id: give each question one")?;
        return Ok(Short::Question(ShortQuestion {
            id,
            question: f.question.into_text().unwrap_or_default(),
            references: f.references,
            split: f.split.into_text(),
            topic: f.topic.into_text(),
            key_date: f.key_date.into_text(),
        }));
    }
    let id = f.question_id.into_text().filter(|id| !id.is_empty()).ok_or(NO_ID)?;
    let condition = values::condition(&f.condition, named)?;
    let mut doubts = Vec::new();
    let has_error = f.error.is_error();
    let mut confidence = match values::confidence(&f.confidence) {
        Stated::Share(c) => Some(c),
        Stated::Nothing => None,
        Stated::Unusable => {
            doubts.push(no_confidence(&f.confidence));
            None
        }
    };
    let mut answer = f.answer.into_text();
    if answer.is_none()
        && !has_error
        && let Some(raw) = f.raw.text()
    {
        let spoken = score::parse_answer(&raw);
        answer = spoken.answer.map(Cow::Owned);
        if f.confidence.is_null() {
            confidence = spoken.confidence;
        }
    }
    let attempt = values::repeat(&f.attempt).unwrap_or_else(|(taken, doubt)| {
        doubts.push(doubt);
        taken
    });
    let model = f.model.into_text().filter(|m| !m.is_empty());
    if model.is_none() {
        doubts.push(NO_MODEL.to_owned());
    }
    let tokens = match (f.input_tokens.count(), f.output_tokens.count()) {
        (None, None) => None,
        (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
    };
    Ok(Short::Attempt(Box::new(ShortAttempt {
        id,
        question: f.question.into_text(),
        references: f.references,
        run: f.run.into_text(),
        split: f.split.into_text(),
        provider: f.provider.into_text(),
        model,
        source: f.source.into_text(),
        stop: f.stop.into_text(),
        error: has_error.then(|| error_kind(&f.error, &f.error_kinds).into()),
        condition,
        attempt,
        answer,
        confidence,
        latency_ms: f.latency.number().filter(|n| *n >= 0.0),
        cost_usd: f.cost.number().filter(|n| *n >= 0.0),
        tokens,
        correct: f.correct.verdict(),
        calls: f.calls,
        opened: f.opened,
        queries: f.queries,
        doubts,
    })))
}

fn first_text<'a>(a: Val<'a>, b: Val<'a>) -> Option<Cow<'a, str>> {
    a.into_text().filter(|t| !t.is_empty()).or_else(|| b.into_text().filter(|t| !t.is_empty()))
}

/// The columns' part of a whole attempt.
pub(super) fn of_attempt(a: Attempt, doubts: Vec<String>) -> ShortAttempt<'static> {
    let own = |s: Option<String>| s.map(Cow::Owned);
    let calls = a.calls();
    ShortAttempt {
        id: a.question_id.into(),
        question: own(a.question),
        references: a.references.as_deref().map_or(Val::Null, list),
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
        references: list(&q.references),
        split: q.split.map(Cow::Owned),
        topic: q.topic.map(Cow::Owned),
        key_date: q.key_date.map(Cow::Owned),
    }
}

/// References that are already taken apart, in the form that a line has them.
fn list(references: &[String]) -> Val<'static> {
    if references.is_empty() {
        return Val::Null;
    }
    Val::Nested(Cow::Owned(serde_json::Value::from(references).to_string()))
}
