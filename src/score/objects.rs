//! An answer and a confidence given as a JSON object, alone, in a fence or within other text.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Map, Value};

use super::confidence::confidence;
use super::parse::{Doubt, Spoken};
use super::tidy::tidy;

/// What the last object with one of the keys says, and the text without the objects that were read.
pub(super) fn from_objects(text: &str) -> (Spoken, String) {
    let mut spoken = Spoken::default();
    let mut outside = String::new();
    let mut kept = 0;
    let mut at = 0;
    let mut failures = 0;
    while let Some(found) = text.get(at..).and_then(|rest| memchr::memchr(b'{', rest.as_bytes())) {
        let start = at + found;
        let rest = text.get(start..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Value>();
        if let Some(Ok(value)) = values.next() {
            let end = start + values.byte_offset();
            if let Some(object) = telling(&value, 0) {
                let said = from_object(object);
                let again = !spoken.is_empty()
                    && (spoken.answer != said.answer || spoken.confidence != said.confidence);
                spoken = said;
                if again {
                    spoken.doubt(Doubt::Multiple);
                }
                outside.push_str(text.get(kept..start).unwrap_or_default());
                kept = end;
            }
            at = end;
        } else if failures < MOST_FAILURES {
            failures += 1;
            at = start + 1;
        } else {
            break;
        }
    }
    outside.push_str(text.get(kept..).unwrap_or_default());
    if spoken.is_empty() {
        spoken = from_broken_json(&outside);
    }
    (spoken, outside)
}

/// Braces that open nothing readable: more of them are no answer, and each may cost a look at all that follows.
const MOST_FAILURES: usize = 1_000;

const ANSWER_KEYS: [&str; 6] =
    ["answer", "final_answer", "exact_answer", "short_answer", "guess", "answer_text"];
const CONFIDENCE_KEYS: [&str; 6] =
    ["confidence", "confidence_score", "confidence_level", "stated_confidence", "probability", "certainty"];

fn pick<'a>(object: &'a Map<String, Value>, keys: &[&str]) -> Option<&'a Value> {
    let plain = |key: &str| key.trim().to_lowercase().replace([' ', '-'], "_");
    keys.iter().find_map(|key| object.iter().find(|(k, _)| plain(k) == *key).map(|(_, v)| v))
}

/// The object itself or one in it that has one of the keys.
fn telling(value: &Value, depth: usize) -> Option<&Map<String, Value>> {
    let object = value.as_object()?;
    if pick(object, &ANSWER_KEYS).is_some() || pick(object, &CONFIDENCE_KEYS).is_some() {
        return Some(object);
    }
    if depth == 3 { None } else { object.values().rev().find_map(|v| telling(v, depth + 1)) }
}

fn from_object(object: &Map<String, Value>) -> Spoken {
    let mut spoken = Spoken { answer: pick(object, &ANSWER_KEYS).and_then(spelled), ..Spoken::default() };
    if let Some(value) = pick(object, &CONFIDENCE_KEYS) {
        spoken.confidence = confidence(value);
        let is_number = value.is_number()
            || value.as_str().is_some_and(|s| s.trim().starts_with(|c: char| c.is_ascii_digit() || c == '-'));
        if spoken.confidence.is_none() && is_number {
            spoken.doubt(Doubt::Invalid);
        }
    }
    spoken
}

fn spelled(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(s) => tidy(s),
        Value::Number(n) => n.to_string(),
        Value::Bool(b) => b.to_string(),
        Value::Array(items) => items.iter().filter_map(spelled).collect::<Vec<_>>().join(", "),
        Value::Null | Value::Object(_) => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Keys and values of an object that does not parse: cut, or with a value that JSON does not have.
fn from_broken_json(text: &str) -> Spoken {
    static FIELD: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#""([A-Za-z_ -]{1,40})"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*)"#).ok()
    });
    let mut object = Map::new();
    if text.contains('{') {
        for field in FIELD.iter().flat_map(|f| f.captures_iter(text)) {
            if let Ok(value) = serde_json::from_str(part(&field, 2)) {
                object.insert(part(&field, 1).to_owned(), value);
            }
        }
    }
    from_object(&object)
}

fn part<'a>(captures: &Captures<'a>, n: usize) -> &'a str {
    captures.get(n).map_or("", |m| m.as_str())
}
