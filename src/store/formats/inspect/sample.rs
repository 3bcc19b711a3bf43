//! One stored sample as one attempt.

use serde_json::{Map, Value};

use crate::record::{Attempt, Condition, SCHEMA};
use crate::score::{Spoken, parse_answer};

use super::header::{Header, word};
use super::messages::{self, Attachments, Heard, text_of};
use super::output::{Output, error, usage};
use super::parts::{PART_LIMIT, Parts};
use super::scores;

/// Field names of an attempt, which metadata of the same name must not overwrite.
const TAKEN: [&str; 24] = [
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
];

/// The parts that an attempt is made from, messages apart.
const READ: [&str; 9] =
    ["input", "target", "choices", "output", "scores", "metadata", "model_usage", "error", "invalidation"];

/// An attempt and what is doubtful about it.
pub(super) struct Made {
    pub(super) attempt: Attempt,
    /// The confidence as a scorer wrote it, when it was a number.
    pub(super) written: Option<f64>,
    /// Names of parts that are too large to be read.
    pub(super) left_out: Vec<String>,
}

/// Makes the attempt of a sample.
///
/// # Errors
/// When the sample has no id, or is damaged.
pub(super) fn attempt(sample: &Parts<'_>, header: &Header, condition: Condition) -> Result<Made, String> {
    let question_id = word(&sample.value("id")).ok_or("a sample without an id")?;
    let attachments = attachments(sample);
    let resolved = |name: &str| {
        let mut value = sample.value(name);
        attachments.resolve(&mut value);
        value
    };
    let mut heard = messages::listen(sample, &attachments).map_err(|e| e.to_string())?;
    let input = resolved("input");
    let mut output = Output::of(resolved("output"));
    if let Some(message) = &output.message {
        heard.output(message);
    }
    heard.mark_cited();
    let large = |name: &&&str| sample.text(name).is_some_and(|t| t.len() > PART_LIMIT);
    let mut left_out: Vec<String> = READ.iter().filter(large).map(|n| (*n).to_owned()).collect();
    if heard.too_large > 0 {
        left_out.push(format!("{} of its messages", heard.too_large));
    }

    let mut graded = object(resolved("scores"));
    if graded.is_empty() {
        // One score without a name, as the oldest logs have it.
        let single = resolved("score");
        if single.is_object() {
            graded.insert(header.scorers.first().cloned().unwrap_or_else(|| "score".to_owned()), single);
        }
    }
    scores::resolve_history(&mut graded);
    let (scorer, chosen) = scores::pick(&graded, &header.scorers).unzip();

    let raw =
        if output.message.is_some() { output.text.take() } else { output.text.take().or(heard.said.take()) };
    let stated = scores::stated(chosen, &graded);
    let written = stated.and_then(|(_, value)| value.as_f64());
    let answered = scored_answer(chosen, raw.as_deref());
    // Reading the text takes longer than all else; where the scorer did it, that is not needed.
    let spoken = match &raw {
        Some(raw) if answered.is_none() || stated.is_none() => parse_answer(raw),
        _ => Spoken::default(),
    };
    let confidence = stated.map(|(number, _)| number).or(spoken.confidence);
    let answer = answered.or(spoken.answer).or_else(|| raw.clone()).filter(|a| !a.trim().is_empty());

    let models = sample.value("model_usage");
    let (usage, cost_usd) = usage(&models);
    let model = match header.model.as_str() {
        // The task chose its models by itself.
        "" | "none" | "none/none" => match models.as_object().and_then(|m| m.keys().next()) {
            Some(used) => used.clone(),
            None => output.model.clone(),
        },
        named => named.to_owned(),
    };
    let mut metadata = object(resolved("metadata"));
    let split = match metadata.get("split") {
        Some(Value::String(_)) => metadata.remove("split").and_then(|v| word(&v)),
        _ => None,
    };
    let limit = sample.value("limit");
    let error = error(&resolved("error"), &output);
    let mut extra = Map::new();
    let mut keep = |name: &str, value: Value| {
        if !is_nothing(&value) {
            extra.insert(name.to_owned(), value);
        }
    };
    keep("task", header.task.clone().map_or(Value::Null, Value::String));
    keep("scorer", scorer.map_or(Value::Null, |s| Value::String(s.to_owned())));
    let correct = chosen.and_then(|score| scores::verdict(score.get("value").unwrap_or(score)));
    keep("choices", resolved("choices"));
    keep("stop_details", output.stop_details.take());
    keep("output_error", output.error.take().filter(|_| error.is_none()).map_or(Value::Null, Value::String));
    keep("output_model", output.other_model(&model));
    keep("error_retries", count(&sample.value("error_retries")));
    keep("working_ms", sample.number("working_time").map_or(Value::Null, |s| Value::from(s * 1000.0)));
    keep("completed_at", sample.value("completed_at"));
    keep("uuid", sample.value("uuid"));
    keep("invalidation", sample.value("invalidation"));
    let stop = output.stop(&limit);
    keep("limit", limit);
    keep("scores", Value::Object(graded));
    add_metadata(&mut extra, metadata);

    let attempt = Attempt {
        schema: SCHEMA.to_owned(),
        run_id: header.run_id.clone(),
        split,
        question: Some(question(&input, &heard, &question_id)),
        references: Some(references(&resolved("target"))).filter(|r| !r.is_empty()),
        provider: model.split_once('/').map(|(p, _)| p.to_owned()).filter(|p| !p.is_empty()),
        model,
        condition,
        attempt: epoch(sample),
        answer,
        confidence,
        raw,
        search_calls: heard.calls,
        citations: heard.citations,
        usage,
        cost_usd,
        latency_ms: sample.number("total_time").map(|s| s * 1000.0),
        stop,
        error,
        source: Some("import".to_owned()),
        created_at: sample.string("started_at").or_else(|| header.created.clone()),
        correct,
        extra,
        question_id,
        ..Attempt::default()
    };
    Ok(Made { attempt, written, left_out })
}

/// The sample's long texts, read only where something refers to one.
fn attachments<'a>(sample: &Parts<'a>) -> Attachments<'a> {
    let referred = ["input", "messages", "output", "scores", "metadata", "choices", "target"]
        .iter()
        .any(|name| sample.text(name).is_some_and(Attachments::referred));
    match sample.text("attachments") {
        Some(text) if referred => Attachments::of(text),
        _ => Attachments::default(),
    }
}

fn epoch(sample: &Parts<'_>) -> u32 {
    let n = sample.value("epoch").as_u64().unwrap_or(1).max(1);
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(s) => s.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    }
}

fn count(list: &Value) -> Value {
    list.as_array().filter(|l| !l.is_empty()).map_or(Value::Null, |l| Value::from(l.len()))
}

/// The answer that the scorer took from the text. A scorer that hands the whole text on took none.
fn scored_answer(score: Option<&Value>, raw: Option<&str>) -> Option<String> {
    let answer = word(score?.get("answer")?)?;
    let whole = raw.is_some_and(|raw| raw.trim() == answer.trim());
    (!whole && !answer.trim().is_empty()).then_some(answer)
}

/// The question: the input's text, or the last thing the user says in it; failing that, in the messages.
fn question(input: &Value, heard: &Heard, id: &str) -> String {
    let text = match input {
        Value::String(s) => Some(s.clone()),
        Value::Array(list) => list
            .iter()
            .rev()
            .filter(|m| m.get("role").and_then(Value::as_str) == Some("user"))
            .map(|m| text_of(m.get("content").unwrap_or(&Value::Null)))
            .find(|t| !t.trim().is_empty()),
        _ => None,
    };
    text.filter(|t| !t.trim().is_empty()).or_else(|| heard.user.clone()).unwrap_or_else(|| id.to_owned())
}

/// Accepted answers: one, or a list; empty ones are none.
fn references(target: &Value) -> Vec<String> {
    let list = match target {
        Value::Array(list) => list.iter().filter_map(word).collect(),
        one => word(one).into_iter().collect::<Vec<_>>(),
    };
    list.into_iter().map(|r| r.trim().to_owned()).filter(|r| !r.is_empty()).collect()
}

/// Metadata becomes fields of the record; what would hide one of them is kept under `metadata`.
fn add_metadata(extra: &mut Map<String, Value>, metadata: Map<String, Value>) {
    let mut hidden = Map::new();
    for (name, value) in metadata {
        if TAKEN.contains(&name.as_str())
            || name == "correct"
            || name == "metadata"
            || extra.contains_key(&name)
        {
            hidden.insert(name, value);
        } else {
            extra.insert(name, value);
        }
    }
    if !hidden.is_empty() {
        extra.insert("metadata".to_owned(), Value::Object(hidden));
    }
}
