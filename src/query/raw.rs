//! Fields of a stored line without reading all of it: what is not asked for is skipped, not parsed.
//!
//! Whatever is unusual gives `None`, and the record is then read in full; the answers are the same either way.

use serde_json::{Map, Value as Json};

use crate::text::{sanitize, sanitize_line};

/// The fields of an attempt that are its own, and so no `meta`.
const OWN: [&str; 25] = [
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

/// The wanted fields of a line, each once.
fn fields(line: &[u8], wanted: impl Fn(&str) -> bool) -> Option<Vec<(String, Json)>> {
    let line = std::str::from_utf8(line).ok()?;
    let mut out: Vec<(String, Json)> = Vec::new();
    for field in sonic_rs::to_object_iter(line) {
        let (name, value) = field.ok()?;
        if wanted(&name) {
            if out.iter().any(|(known, _)| known.as_str() == &*name) {
                return None;
            }
            out.push((name.to_string(), serde_json::from_str(value.as_raw_str()).ok()?));
        }
    }
    Some(out)
}

/// The addresses of an attempt's line: opened, found, cited.
pub(super) fn urls(line: &[u8]) -> Option<Vec<String>> {
    let mut out = Vec::new();
    for (name, value) in fields(line, |name| matches!(name, "search_calls" | "citations"))? {
        let items = list(value)?;
        if name == "citations" {
            plain_or_url(items, &mut out)?;
            continue;
        }
        for item in items {
            let Json::Object(mut call) = item else { return None };
            add(call.remove("url"), &mut out)?;
            plain_or_url(list(call.remove("results").unwrap_or_default())?, &mut out)?;
        }
    }
    Some(out)
}

fn list(value: Json) -> Option<Vec<Json>> {
    match value {
        Json::Null => Some(Vec::new()),
        Json::Array(items) => Some(items),
        _ => None,
    }
}

fn plain_or_url(items: Vec<Json>, out: &mut Vec<String>) -> Option<()> {
    for item in items {
        match item {
            Json::Object(mut map) => add(map.remove("url"), out)?,
            plain @ Json::String(_) => add(Some(plain), out)?,
            _ => return None,
        }
    }
    Some(())
}

fn add(url: Option<Json>, out: &mut Vec<String>) -> Option<()> {
    match url {
        None | Some(Json::Null) => {}
        Some(Json::String(url)) => out.push(sanitize_line(&url).into_owned()),
        Some(_) => return None,
    }
    Some(())
}

/// The fields of an attempt's line that a path of `meta` may begin with.
pub(super) fn meta(line: &[u8], path: &str) -> Option<Map<String, Json>> {
    if path.eq_ignore_ascii_case("created_at") {
        return None;
    }
    let begins = |name: &str| {
        let name = sanitize_line(name);
        path.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(&name))
    };
    let found = fields(line, |name| !OWN.contains(&name) && begins(name))?;
    Some(found.into_iter().map(|(name, value)| (sanitize_line(&name).into_owned(), clean(value))).collect())
}

/// Strings and names as the reader of whole records has them.
fn clean(value: Json) -> Json {
    match value {
        Json::String(text) => Json::String(sanitize(&text).into_owned()),
        Json::Array(items) => Json::Array(items.into_iter().map(clean).collect()),
        Json::Object(map) => {
            Json::Object(map.into_iter().map(|(k, v)| (sanitize_line(&k).into_owned(), clean(v))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::OWN;
    use crate::record::{Attempt, Condition, ErrorInfo, Step};

    #[test]
    fn the_fields_of_an_attempt_are_all_known() {
        // Every optional field is given, so that none is left out in writing.
        let some = || Some(String::from("x"));
        let full = Attempt {
            run_id: some(),
            split: some(),
            question: some(),
            references: Some(vec![]),
            provider: some(),
            condition: Condition::NoSearch,
            raw: some(),
            error: Some(ErrorInfo::default()),
            steps: vec![Step::default()],
            source: some(),
            created_at: some(),
            request: Some(1.into()),
            correct: Some(true),
            ..Attempt::default()
        };
        let serde_json::Value::Object(map) = serde_json::to_value(full).unwrap() else { panic!() };
        let mut names: Vec<&str> = map.keys().map(String::as_str).collect();
        let mut own = OWN.to_vec();
        names.sort_unstable();
        own.sort_unstable();
        assert_eq!(names, own);
    }
}
