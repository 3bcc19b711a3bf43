//! Fields of a stored line without reading all of it: what is not asked for is skipped, not parsed.
//!
//! Whatever is unusual gives `None`, and the record is then read in full; the answers are the same either way.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::{Map, Value as Json};
use sonic_rs::LazyValue;

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

/// The wanted fields of a line as they are written, each once.
fn fields(line: &[u8], wanted: impl Fn(&str) -> bool) -> Option<Vec<(Cow<'_, str>, LazyValue<'_>)>> {
    let line = std::str::from_utf8(line).ok()?;
    let mut out: Vec<(Cow<str>, LazyValue)> = Vec::new();
    for field in sonic_rs::to_object_iter(line) {
        let (name, value) = field.ok()?;
        if wanted(&name) {
            if out.iter().any(|(known, _)| *known == name) {
                return None;
            }
            out.push((name, value));
        }
    }
    Some(out)
}

/// An entry of the search timeline, as far as its addresses go.
#[derive(Deserialize)]
struct Call<'a> {
    #[serde(borrow, default)]
    url: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    results: Option<Vec<Place<'a>>>,
}

/// A result or citation that says where it is.
#[derive(Deserialize)]
struct Place<'a> {
    #[serde(borrow, default)]
    url: Option<Cow<'a, str>>,
}

/// Whether any address of an attempt's line, opened, found or cited, is one that `fits`.
pub(super) fn any_url(line: &[u8], mut fits: impl FnMut(&str) -> bool) -> Option<bool> {
    let mut fit = |url: Option<Cow<str>>| url.is_some_and(|url| fits(&sanitize_line(&url)));
    let mut found = false;
    for (name, value) in fields(line, |name| matches!(name, "search_calls" | "citations"))? {
        let json = value.as_raw_str();
        if name == "citations" {
            let all: Option<Vec<Place>> = sonic_rs::from_str(json).ok()?;
            found |= all.into_iter().flatten().any(|place| fit(place.url));
            continue;
        }
        let all: Option<Vec<Call>> = sonic_rs::from_str(json).ok()?;
        found |= all
            .into_iter()
            .flatten()
            .any(|call| fit(call.url) || call.results.into_iter().flatten().any(|place| fit(place.url)));
    }
    Some(found)
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
    let mut out = Map::new();
    for (name, value) in fields(line, |name| !OWN.contains(&name) && begins(name))? {
        let value = serde_json::from_str(value.as_raw_str()).ok()?;
        out.insert(sanitize_line(&name).into_owned(), clean(value));
    }
    Some(out)
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
#[path = "raw_tests.rs"]
mod tests;
