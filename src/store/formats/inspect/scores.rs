//! What the scorers of a log say of a sample.

use serde_json::{Map, Value};

use crate::score;

/// The word that an edit writes for a field it leaves alone.
const UNCHANGED: &str = "UNCHANGED";
/// The fields of a score that an edit can change.
const EDITABLE: [&str; 5] = ["value", "answer", "explanation", "metadata", "reason"];
/// Under which of these names a scorer with several values keeps its verdict, in the order asked.
const VERDICTS: [&str; 12] = [
    "correct",
    "is_correct",
    "accuracy",
    "acc",
    "exact_match",
    "em",
    "match",
    "pass",
    "passed",
    "score",
    "value",
    "grade",
];

/// The verdict in a score's value: 1 and `C` are right, 0, `I` and `N` (no answer) are wrong. `None` for everything
/// that is neither: partly right (`P`, 0.5), not a number, nothing, several values that differ.
pub(super) fn verdict(value: &Value) -> Option<bool> {
    match value {
        Value::Null => None,
        Value::Bool(b) => Some(*b),
        Value::Number(n) => match n.as_f64() {
            Some(1.0) => Some(true),
            Some(0.0) => Some(false),
            _ => None,
        },
        Value::String(s) => match s.trim().to_ascii_lowercase().as_str() {
            "c" | "correct" | "true" | "yes" | "right" | "pass" | "passed" | "1" | "1.0" => Some(true),
            "i" | "n" | "incorrect" | "false" | "no" | "wrong" | "fail" | "failed" | "not_attempted"
            | "noanswer" | "0" | "0.0" => Some(false),
            _ => None,
        },
        Value::Array(values) => {
            let mut each = values.iter().map(verdict);
            let first = each.next()??;
            each.all(|v| v == Some(first)).then_some(first)
        }
        Value::Object(values) => {
            if let Some(value) = VERDICTS.iter().find_map(|name| values.get(*name)) {
                return verdict(value);
            }
            let mut each = values.values();
            match (each.next(), each.next()) {
                (Some(only), None) => verdict(only),
                _ => None,
            }
        }
    }
}

/// The scorer that a sample is graded by: the log's first one, where the sample has a score of it. A log that names
/// none, or others than its samples have, is graded by each sample's first.
pub(super) fn pick<'a>(scores: &'a Map<String, Value>, scorers: &[String]) -> Option<(&'a str, &'a Value)> {
    let named = |wanted: &str| {
        let short = wanted.rsplit('/').next().unwrap_or(wanted);
        scores.iter().find(|(name, _)| *name == wanted || *name == short)
    };
    let found = match scorers.first() {
        Some(first) if scorers.iter().any(|s| named(s).is_some()) => named(first),
        _ => scores.iter().next(),
    };
    found.map(|(name, score)| (name.as_str(), score))
}

/// The stated confidence that a score carries: in its metadata, else among its values.
pub(super) fn confidence(score: &Value) -> Option<&Value> {
    ["metadata", "value"].iter().find_map(|part| {
        let fields = score.get(part)?.as_object()?;
        ["confidence", "stated_confidence", "verbalized_confidence"].iter().find_map(|name| fields.get(*name))
    })
}

/// The confidence of the chosen score, else of any other, as a number from 0 to 1 and as it was written.
pub(super) fn stated<'a>(
    chosen: Option<&'a Value>,
    scores: &'a Map<String, Value>,
) -> Option<(f64, &'a Value)> {
    chosen
        .into_iter()
        .chain(scores.values())
        .filter_map(confidence)
        .find_map(|written| Some((score::confidence(written)?, written)))
}

/// Writes into every score's history what each edit left unchanged, so that each entry can be read by itself.
pub(super) fn resolve_history(scores: &mut Map<String, Value>) {
    for score in scores.values_mut() {
        let Some(history) = score.get_mut("history").and_then(Value::as_array_mut) else { continue };
        let mut current: Map<String, Value> = Map::new();
        for edit in history.iter_mut().filter_map(Value::as_object_mut) {
            for field in EDITABLE {
                match edit.get(field) {
                    Some(Value::String(word)) if word == UNCHANGED => {
                        edit.insert(field.to_owned(), current.get(field).cloned().unwrap_or(Value::Null));
                    }
                    Some(value) => {
                        current.insert(field.to_owned(), value.clone());
                    }
                    None => {}
                }
            }
        }
    }
}
