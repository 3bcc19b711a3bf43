//! What a field's value means, in every spelling that files use. Both ways of reading a line come here.

use std::borrow::Cow;

use serde_json::Value;

use super::json::{Cursor, Val};
use crate::record::{CallKind, Condition};
use crate::score;
use crate::text;

impl<'a> From<&'a Value> for Val<'a> {
    fn from(value: &'a Value) -> Self {
        match value {
            Value::Null => Val::Null,
            Value::Bool(true) => Val::True,
            Value::Bool(false) => Val::False,
            Value::String(s) => Val::Str(s),
            other => Val::Read(other),
        }
    }
}

impl Val<'_> {
    /// Whether it is a number as such, not a string that holds one.
    fn is_number(self) -> bool {
        matches!(self, Self::Num(_) | Self::Read(Value::Number(_)))
    }

    /// A finite number, from a number or a string that holds one.
    pub(super) fn number(self) -> Option<f64> {
        let n = match self {
            Self::Num(n) => short_decimal(n).or_else(|| n.parse::<f64>().ok())?,
            Self::Read(Value::Number(n)) => n.as_f64()?,
            Self::Str(_) | Self::Escaped(_) => self.text()?.trim().parse::<f64>().ok()?,
            _ => return None,
        };
        n.is_finite().then_some(n)
    }

    /// A count: a number that is not negative, rounded.
    pub(super) fn count(self) -> Option<u64> {
        match self {
            Self::Num(n) if n.len() < 19 && n.bytes().all(|b| b.is_ascii_digit()) => n.parse().ok(),
            _ => self.number().filter(|n| *n >= 0.0).map(|n| n.round() as u64),
        }
    }

    /// A verdict: `true`, 1, "true", "C" (as Inspect and lm-eval write it) and their opposites.
    pub(super) fn verdict(self) -> Option<bool> {
        match self {
            Self::True => return Some(true),
            Self::False => return Some(false),
            _ => {}
        }
        if self.is_number() {
            return match self.number()? {
                0.0 => Some(false),
                1.0 => Some(true),
                _ => None,
            };
        }
        let word = self.text()?;
        match word.trim().to_ascii_lowercase().as_str() {
            "true" | "1" | "1.0" | "c" | "correct" | "yes" | "right" => Some(true),
            "false" | "0" | "0.0" | "i" | "incorrect" | "no" | "wrong" => Some(false),
            _ => None,
        }
    }

    /// Whether it says that there was an error: null, `false` and "" do not.
    pub(super) fn is_error(self) -> bool {
        match self {
            Self::Null | Self::Odd(_) | Self::False => false,
            Self::Str(s) => !s.is_empty(),
            _ => true,
        }
    }

    /// The value as a person would quote it.
    pub(super) fn quoted(self) -> String {
        if let Self::Odd(written) = self {
            return written.to_owned();
        }
        match (self.number().filter(|_| self.is_number()), self.text()) {
            (Some(n), _) => n.to_string(),
            (None, Some(text)) => format!("\"{}\"", text::sanitize_line(&text)),
            (None, None) if self.is_null() => "null".to_owned(),
            (None, None) => "(a list or an object)".to_owned(),
        }
    }
}

/// A number of at most 15 digits without exponent, which is most of them. Both the digits and the power of ten are exact
/// as floating-point numbers, so the quotient is the nearest one, as the general parser gives it.
fn short_decimal(n: &str) -> Option<f64> {
    let (digits, negative) = match n.strip_prefix('-') {
        Some(rest) => (rest, true),
        None => (n, false),
    };
    if digits.len() > 15 {
        return None;
    }
    let (mut value, mut scale, mut point) = (0u64, 1u64, false);
    for b in digits.bytes() {
        match b {
            b'0'..=b'9' => {
                value = value * 10 + u64::from(b - b'0');
                scale *= if point { 10 } else { 1 };
            }
            b'.' if !point => point = true,
            _ => return None,
        }
    }
    let value = value as f64 / scale as f64;
    Some(if negative { -value } else { value })
}

/// What became of a stated confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Stated {
    /// A share of 1.
    Share(f64),
    /// Nothing was stated.
    Nothing,
    /// Something was stated that is no confidence.
    Unusable,
}

/// Reads a confidence. Numbers between 1 and 2 are nearer to a slip than to a percentage, so they are not usable.
pub(super) fn confidence(value: Val<'_>) -> Stated {
    let read = match value {
        Val::Null => return Stated::Nothing,
        _ if value.is_number() => {
            value.number().filter(|n| *n <= 1.0 || *n >= 2.0).and_then(|n| score::confidence(&n.into()))
        }
        Val::Str(_) | Val::Escaped(_) => {
            let words = value.text().unwrap_or_default();
            if words.trim().is_empty() {
                return Stated::Nothing;
            }
            score::confidence(&Value::String(words.into_owned()))
        }
        _ => None,
    };
    read.filter(|c| (0.0..=1.0).contains(c)).map_or(Stated::Unusable, Stated::Share)
}

/// Reads the number of a repeat. The error says what was taken instead.
pub(super) fn repeat(value: Val<'_>) -> Result<u32, (u32, String)> {
    if value.is_null() {
        return Ok(1);
    }
    match value.count().filter(|_| value.number().is_some_and(|n| n.fract() == 0.0)) {
        Some(n) => u16::try_from(n).map(u32::from).map_err(|_| {
            let most = u16::MAX;
            (n.min(u64::from(u32::MAX)) as u32, format!("attempt {n} is above {most}: counted as {most}"))
        }),
        None => Err((1, format!("attempt {} is no whole number: read as 1", value.quoted()))),
    }
}

/// Reads a condition; what the user named with `--as` beats the file.
pub(super) fn condition(value: Val<'_>, named: Option<Condition>) -> Result<Condition, String> {
    const NAMES: &str = "no_search, with_search or evidence_blocked";
    if let Some(named) = named {
        return Ok(named);
    }
    let Some(word) = value.text() else {
        return Err(format!("no condition: add {NAMES}, or open it with --as no_search=FILE"));
    };
    // The usual spellings first: they need no copy.
    let usual = Condition::ALL.into_iter().find(|c| c.name() == word);
    usual.or_else(|| Condition::parse(&word)).ok_or_else(|| {
        format!("unknown condition {}: write {NAMES}, or open it with --as no_search=FILE", value.quoted())
    })
}

/// What an entry of `search_calls` did.
pub(super) type CallSort = CallKind;

/// Reads the kind of an entry of `search_calls`.
pub(super) fn call_sort(word: &str) -> CallKind {
    match word {
        "" | "search" | "web_search" | "web_search_call" => CallKind::Search,
        "open_page" | "open" | "fetch" | "web_fetch" => CallKind::OpenPage,
        "find_in_page" | "find" => CallKind::FindInPage,
        _ => CallKind::Other,
    }
}

/// The short class of an error: what its object names, else a string that is one word, else `error`.
pub(super) fn error_kind(error: Val<'_>, named: [Val<'_>; 3]) -> String {
    let named = named.into_iter().find_map(|v| v.text().filter(|t| !t.is_empty()));
    if let Some(kind) = named {
        return text::sanitize_line(&kind).into_owned();
    }
    match error.text() {
        Some(word) if word.len() <= 40 && word.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') => {
            word.into_owned()
        }
        _ => "error".to_owned(),
    }
}

/// Reads references: a list, or one string that separates them with ` | `. Sanitised and trimmed, empty ones left out.
pub(super) fn references(value: Val<'_>) -> Vec<Cow<'_, str>> {
    let mut out = Vec::new();
    match value {
        Val::Nested(json) => {
            if let Some(mut cursor) = Cursor::new(json) {
                // A list that ends early gives what came before.
                let _ = cursor.array(|c| {
                    split(c.value()?, &mut out);
                    Some(())
                });
            }
        }
        Val::Read(Value::Array(items)) => items.iter().for_each(|item| split(item.into(), &mut out)),
        other => split(other, &mut out),
    }
    out
}

fn split<'a>(item: Val<'a>, out: &mut Vec<Cow<'a, str>>) {
    let text = match item {
        // Both ways of reading a line have to spell a number alike.
        Val::Num(n) => serde_json::from_str::<Value>(n).ok().map(|n| Cow::Owned(n.to_string())),
        other => other.text(),
    };
    match text {
        Some(Cow::Borrowed(several)) => out.extend(score::split_references(several).map(text::sanitize)),
        Some(Cow::Owned(several)) => {
            out.extend(score::split_references(&several).map(|r| Cow::Owned(text::sanitize(r).into_owned())));
        }
        None => {}
    }
}
