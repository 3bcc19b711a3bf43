//! Whole records from JSON values, tolerantly: every field in the spellings that files use, every string sanitised
//! once, what has no place kept in `extra` and `meta`.

use serde_json::{Map, Value};

use crate::record::{
    Attempt, Citation, Condition, ErrorInfo, Question, SCHEMA, SearchCall, SearchResult, Step, Usage,
};
use crate::score;
use crate::store::json::Val;
use crate::store::short::{NO_ID, NO_MODEL, no_confidence};
use crate::store::values::{self, Stated};
use crate::text::{sanitize, sanitize_line};

/// The fields of an object, taken out one by one; what is left over is kept.
struct Taken(Map<String, Value>);

impl Taken {
    fn of(value: Value) -> Option<Self> {
        match value {
            Value::Object(map) => Some(Self(map)),
            _ => None,
        }
    }

    fn take(&mut self, key: &str) -> Value {
        self.0.get_mut(key).map(Value::take).unwrap_or_default()
    }

    /// A string, however long; numbers and booleans as they are spelt.
    fn text(&mut self, key: &str) -> Option<String> {
        text(&self.take(key))
    }

    /// A string of one line: a name, an id, an address.
    fn line(&mut self, key: &str) -> Option<String> {
        let value = self.take(key);
        Val::from(&value).text().map(|t| sanitize_line(&t).into_owned())
    }

    fn count(&mut self, key: &str) -> Option<u64> {
        Val::from(&self.take(key)).count()
    }

    fn number(&mut self, key: &str) -> Option<f64> {
        Val::from(&self.take(key)).number().filter(|n| *n >= 0.0)
    }

    /// What nobody took: unknown fields, nulls of known ones left out.
    fn rest(mut self, known: &[&str]) -> Map<String, Value> {
        self.0.retain(|k, v| !(v.is_null() && known.contains(&k.as_str())));
        clean_map(self.0)
    }
}

fn text(value: &Value) -> Option<String> {
    Val::from(value).text().map(|t| sanitize(&t).into_owned())
}

fn clean_map(map: Map<String, Value>) -> Map<String, Value> {
    map.into_iter().map(|(k, v)| (sanitize_line(&k).into_owned(), clean(v))).collect()
}

/// Sanitises every string of a value. `serde_json` stops at 128 levels, so recursion is bounded.
fn clean(value: Value) -> Value {
    match value {
        Value::String(s) => Value::String(match sanitize(&s) {
            std::borrow::Cow::Borrowed(_) => s,
            std::borrow::Cow::Owned(new) => new,
        }),
        Value::Array(items) => Value::Array(items.into_iter().map(clean).collect()),
        Value::Object(map) => Value::Object(clean_map(map)),
        other => other,
    }
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(items) => items,
        _ => Vec::new(),
    }
}

/// An attempt from a line's value; beside it what was doubtful. `named` is the condition given with `--as`.
///
/// The error says what the line lacks.
pub(in crate::store) fn attempt_of(
    value: Value,
    named: Option<Condition>,
) -> Result<(Attempt, Vec<String>), String> {
    const KNOWN: &[&str] = &[
        "schema",
        "run_id",
        "question_id",
        "split",
        "question",
        "references",
        "provider",
        "model",
        "condition",
        "attempt",
        "answer",
        "confidence",
        "raw",
        "search_calls",
        "citations",
        "usage",
        "cost_usd",
        "latency_ms",
        "stop",
        "error",
        "steps",
        "source",
        "created_at",
        "request",
        "correct",
    ];
    let mut t = Taken::of(value).ok_or("no JSON object: write one record a line")?;
    let question_id = t.line("question_id").filter(|id| !id.is_empty()).ok_or(NO_ID)?;
    let mut doubts = Vec::new();
    let condition = values::condition(Val::from(&t.take("condition")), named)?;

    let error = t.take("error");
    let error = Val::from(&error).is_error().then(|| error_of(&error));
    let stated = t.take("confidence");
    let mut confidence = match values::confidence(Val::from(&stated)) {
        Stated::Share(c) => Some(c),
        Stated::Nothing => None,
        Stated::Unusable => {
            doubts.push(no_confidence(Val::from(&stated)));
            None
        }
    };
    let raw = t.take("raw");
    let mut answer = match t.take("answer") {
        nested @ (Value::Array(_) | Value::Object(_)) => Some(sanitize(&nested.to_string()).into_owned()),
        value => text(&value),
    };
    if answer.is_none()
        && error.is_none()
        && let Some(raw) = Val::from(&raw).text()
    {
        let spoken = score::parse_answer(&raw);
        answer = spoken.answer.map(|a| sanitize(&a).into_owned());
        if stated.is_null() {
            confidence = spoken.confidence;
        }
    }
    let attempt = values::repeat(Val::from(&t.take("attempt"))).unwrap_or_else(|(taken, doubt)| {
        doubts.push(doubt);
        taken
    });
    let model = t.line("model").unwrap_or_default();
    if model.is_empty() {
        doubts.push(NO_MODEL.to_owned());
    }
    let references = references_of(&t.take("references"));
    let request = t.take("request");
    let record = Attempt {
        schema: t.line("schema").unwrap_or_else(|| SCHEMA.to_owned()),
        run_id: t.line("run_id"),
        question_id,
        split: t.line("split"),
        question: t.text("question"),
        references: (!references.is_empty()).then_some(references),
        provider: t.line("provider"),
        model,
        condition,
        attempt,
        answer,
        confidence,
        raw: text(&raw),
        search_calls: calls_of(t.take("search_calls")),
        citations: list(t.take("citations")).into_iter().filter_map(citation_of).collect(),
        usage: usage_of(t.take("usage")),
        cost_usd: t.number("cost_usd"),
        latency_ms: t.number("latency_ms"),
        stop: t.line("stop"),
        error,
        steps: list(t.take("steps")).into_iter().filter_map(step_of).collect(),
        source: t.line("source"),
        created_at: t.line("created_at"),
        request: (!request.is_null()).then(|| clean(request)),
        correct: Val::from(&t.take("correct")).verdict(),
        extra: t.rest(KNOWN),
    };
    Ok((record, doubts))
}

/// A question from a line's value. The error says what the line lacks.
pub(in crate::store) fn question_of(value: Value) -> Result<Question, String> {
    const KNOWN: &[&str] =
        &["id", "question_id", "split", "question", "references", "key_date", "true_on", "topic"];
    let mut t = Taken::of(value).ok_or("no JSON object: write one question a line")?;
    let (id, other) = (t.line("id"), t.line("question_id"));
    let given = |id: &String| !id.is_empty();
    let id = id.filter(given).or(other.filter(given)).ok_or("no id: give each question one")?;
    Ok(Question {
        id,
        split: t.line("split"),
        question: t.text("question").unwrap_or_default(),
        references: references_of(&t.take("references")),
        key_date: t.line("key_date"),
        true_on: t.line("true_on"),
        topic: t.line("topic"),
        meta: t.rest(KNOWN),
    })
}

fn references_of(value: &Value) -> Vec<String> {
    values::references(Val::from(value)).into_iter().map(std::borrow::Cow::into_owned).collect()
}

fn error_of(value: &Value) -> ErrorInfo {
    let part = |key: &str| value.get(key).map_or(Val::Null, Val::from);
    let kind = values::error_kind(Val::from(value), [part("kind"), part("type"), part("code")]);
    let message = match value {
        Value::Object(_) => part("message").text().map(|m| sanitize(&m).into_owned()),
        other => text(other),
    };
    ErrorInfo { kind, message: message.unwrap_or_default() }
}

fn calls_of(value: Value) -> Vec<SearchCall> {
    let mut calls: Vec<SearchCall> = list(value).into_iter().filter_map(call_of).collect();
    for (call, n) in calls.iter_mut().zip(1..) {
        if call.n == 0 {
            call.n = n;
        }
    }
    calls
}

fn call_of(value: Value) -> Option<SearchCall> {
    if let Value::String(query) = value {
        return Some(SearchCall { query: Some(sanitize(&query).into_owned()), ..SearchCall::default() });
    }
    let mut t = Taken::of(value)?;
    let mut queries = match t.take("queries") {
        Value::Array(items) => items.iter().filter_map(text).collect(),
        other => text(&other).into_iter().collect::<Vec<_>>(),
    };
    queries.retain(|q| !q.is_empty());
    let query = match t.take("query") {
        nested @ (Value::Array(_) | Value::Object(_)) => Some(sanitize(&nested.to_string()).into_owned()),
        value => text(&value),
    };
    let error = t.take("error");
    Some(SearchCall {
        n: t.count("n").unwrap_or(0).min(u64::from(u32::MAX)) as u32,
        kind: values::call_sort(&t.text("kind").unwrap_or_default()),
        query,
        queries,
        url: t.line("url"),
        status: t.line("status"),
        error: Val::from(&error).is_error().then(|| match &error {
            Value::Object(_) => error_of(&error).kind,
            other => text(other).unwrap_or_default(),
        }),
        results: list(t.take("results")).into_iter().filter_map(result_of).collect(),
        extra: t.rest(&["n", "kind", "query", "queries", "url", "status", "error", "results"]),
    })
}

fn result_of(value: Value) -> Option<SearchResult> {
    if let Value::String(url) = value {
        return Some(SearchResult { url: sanitize_line(&url).into_owned(), ..SearchResult::default() });
    }
    let mut t = Taken::of(value)?;
    Some(SearchResult {
        url: t.line("url").unwrap_or_default(),
        title: t.line("title"),
        published: t.line("published"),
        cited: Val::from(&t.take("cited")).verdict(),
        extra: t.rest(&["url", "title", "published", "cited"]),
    })
}

fn citation_of(value: Value) -> Option<Citation> {
    if let Value::String(url) = value {
        return Some(Citation { url: sanitize_line(&url).into_owned(), ..Citation::default() });
    }
    let mut t = Taken::of(value)?;
    Some(Citation {
        url: t.line("url").unwrap_or_default(),
        title: t.line("title"),
        quote: t.text("quote"),
        extra: t.rest(&["url", "title", "quote"]),
    })
}

fn usage_of(value: Value) -> Usage {
    let Some(mut t) = Taken::of(value) else { return Usage::default() };
    Usage {
        input_tokens: t.count("input_tokens"),
        output_tokens: t.count("output_tokens"),
        reasoning_tokens: t.count("reasoning_tokens"),
        cached_tokens: t.count("cached_tokens"),
        search_requests: t.count("search_requests"),
        extra: t.rest(&[
            "input_tokens",
            "output_tokens",
            "reasoning_tokens",
            "cached_tokens",
            "search_requests",
        ]),
    }
}

fn step_of(value: Value) -> Option<Step> {
    let mut t = Taken::of(value)?;
    let small = |n: u64| n.min(u64::from(u32::MAX)) as u32;
    Some(Step {
        round: t.count("round").map_or(0, small),
        kind: t.line("kind").unwrap_or_default(),
        text: t.text("text").unwrap_or_default(),
        call: t.count("call").map(small),
    })
}
