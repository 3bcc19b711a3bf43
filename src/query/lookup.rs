//! What a stored record has under a name, and whether it is what is sought.

use regex::bytes::Regex;
use serde_json::{Map, Value as Json};

use crate::record::{Attempt, Question};

use super::ast::{Op, Value};
use super::needle::lower;
use crate::text::folded;

/// What is sought in a stored record.
pub(super) enum Sought {
    /// Anything but an empty text.
    Any,
    /// A substring, in lower case.
    Part(String),
    /// The whole text, in lower case, or the same number.
    Whole(String, Option<f64>),
    /// A regular expression over the folded text.
    Regex(Regex),
    /// An order: of numbers where both sides are numbers, else of texts.
    Order(Op, String, Option<f64>),
    /// Both ends included.
    Between(Option<Box<Sought>>, Option<Box<Sought>>),
}

fn as_number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|n: &f64| n.is_finite())
}

impl Sought {
    pub(super) fn new(op: Op, value: &Value) -> Option<Self> {
        let end = |op: Op, text: &String| Box::new(Self::Order(op, lower(text), as_number(text)));
        Some(match value {
            Value::Text(text) if op.is_order() => Self::Order(op, lower(text), as_number(text)),
            Value::Text(text) if op == Op::Has => Self::Part(lower(text)),
            Value::Text(text) => Self::Whole(lower(text), as_number(text)),
            Value::Pattern(pattern) => Self::Regex(pattern.folded().ok()?),
            Value::Span(from, to) => Self::Between(
                from.as_ref().map(|t| end(Op::AtLeast, t)),
                to.as_ref().map(|t| end(Op::AtMost, t)),
            ),
            _ => return None,
        })
    }

    /// What every fitting text has in it.
    pub(super) fn literal(&self) -> Option<&str> {
        match self {
            Self::Part(text) | Self::Whole(text, _) => Some(text),
            _ => None,
        }
    }

    /// The substring that is sought, when it is one.
    pub(super) fn part(&self) -> Option<&str> {
        match self {
            Self::Part(text) => Some(text),
            _ => None,
        }
    }

    /// Whether a value fits; `number` is given when the value is one.
    pub(super) fn fits(&self, text: &str, number: Option<f64>) -> bool {
        match self {
            Self::Any => !text.is_empty(),
            Self::Part(part) => !text.is_empty() && lower(text).contains(part.as_str()),
            Self::Whole(whole, n) => match (n, number) {
                (Some(a), Some(b)) => (a - b).abs() <= f64::EPSILON * a.abs(),
                _ => !text.is_empty() && lower(text) == *whole,
            },
            Self::Regex(regex) => !text.is_empty() && regex.is_match(folded(text).as_bytes()),
            Self::Order(op, bound, n) => {
                let order = match (number.or_else(|| as_number(text)), n) {
                    (Some(a), Some(b)) => a.partial_cmp(b),
                    // An end covers all that begins with it, as with dates.
                    _ if text.is_empty() => None,
                    _ => {
                        let text = lower(text);
                        let same = text.starts_with(bound.as_str());
                        Some(if same { std::cmp::Ordering::Equal } else { text.as_str().cmp(bound) })
                    }
                };
                order.is_some_and(|o| match op {
                    Op::Less => o.is_lt(),
                    Op::AtMost => o.is_le(),
                    Op::More => o.is_gt(),
                    _ => o.is_ge(),
                })
            }
            Self::Between(from, to) => {
                !text.is_empty()
                    && from.as_ref().is_none_or(|s| s.fits(text, number))
                    && to.as_ref().is_none_or(|s| s.fits(text, number))
            }
        }
    }
}

/// Told of each value, with its number where it is one; says whether it fits.
pub(super) type Each<'a> = &'a mut dyn FnMut(&str, Option<f64>) -> bool;

/// Every address of an attempt: opened, found, cited.
pub(super) fn urls(a: &Attempt) -> impl Iterator<Item = &str> {
    let calls = a
        .search_calls
        .iter()
        .flat_map(|call| call.url.as_deref().into_iter().chain(call.results.iter().map(|r| r.url.as_str())));
    calls.chain(a.citations.iter().map(|c| c.url.as_str()))
}

/// The values of a question's own field.
pub(super) fn meta_of_question(q: &Question, path: &str, each: Each) -> bool {
    let own = if path.eq_ignore_ascii_case("true_on") { q.true_on.as_deref() } else { None };
    own.is_some_and(|text| each(text, None)) || at_path(&q.meta, path, each)
}

/// The values of an attempt's own field.
pub(super) fn meta_of_attempt(a: &Attempt, path: &str, each: Each) -> bool {
    let own = if path.eq_ignore_ascii_case("created_at") { a.created_at.as_deref() } else { None };
    own.is_some_and(|text| each(text, None)) || at_path(&a.extra, path, each)
}

/// The values at a path of names with dots between; a name may have dots itself.
pub(super) fn at_path(map: &Map<String, Json>, path: &str, each: Each) -> bool {
    map.iter().any(|(name, value)| {
        let Some(head) = path.get(..name.len()) else { return false };
        if !head.eq_ignore_ascii_case(name) {
            return false;
        }
        let tail = path.get(name.len()..).unwrap_or_default();
        if tail.is_empty() {
            return leaves(value, each);
        }
        match (tail.strip_prefix('.'), value) {
            (Some(tail), Json::Object(inner)) => at_path(inner, tail, each),
            _ => false,
        }
    })
}

/// The values of a value: itself, or the members of a list; of an object its texts.
fn leaves(value: &Json, each: Each) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(b) => each(if *b { "true" } else { "false" }, None),
        Json::Number(n) => each(&n.to_string(), n.as_f64()),
        Json::String(text) => each(text, None),
        Json::Array(all) => all.iter().any(|v| leaves(v, each)),
        Json::Object(map) => map.values().any(|v| leaves(v, each)),
    }
}

/// Every string of a record, names too.
pub(super) fn strings(value: &Json, each: Each) -> bool {
    match value {
        Json::String(text) => each(text, None),
        Json::Array(all) => all.iter().any(|v| strings(v, each)),
        Json::Object(map) => map.iter().any(|(name, v)| each(name, None) || strings(v, each)),
        Json::Null | Json::Bool(_) | Json::Number(_) => false,
    }
}
