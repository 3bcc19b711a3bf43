//! Making JSON of what only resembles it.
//!
//! Python and JavaScript write `NaN`; broken writers leave raw control characters, unknown escapes and half surrogate
//! pairs in strings, or bytes that are no UTF-8. All of that is mended here so that `serde_json` takes it; a line that
//! is broken otherwise stays broken.

use std::borrow::Cow;
use std::fmt::Write;

use serde_json::Value;

use super::json::escape;

/// A line that was read the slow way.
#[derive(Debug)]
pub(super) struct Mended {
    /// Its value.
    pub(super) value: Value,
    /// Whether bytes that are no UTF-8 were replaced.
    pub(super) lossy: bool,
    /// Whether it was no JSON before.
    changed: bool,
}

impl Mended {
    /// The stated confidence as written, where it is a bare number that is none. [`Self::value`] has null for it.
    pub(super) fn odd_confidence(&self, line: &[u8]) -> Option<String> {
        if !self.changed || !self.value.get("confidence")?.is_null() {
            return None;
        }
        // Only a bare word becomes a string by this: the line's own null stays what it is.
        let quoted = mend(&String::from_utf8_lossy(line), true);
        let value: Value = serde_json::from_str(&quoted).ok()?;
        value.get("confidence")?.as_str().map(str::to_owned)
    }
}

/// Reads a line. The error says what is wrong in words for the reader of the file.
pub(super) fn parse(line: &[u8]) -> Result<Mended, String> {
    let text = String::from_utf8_lossy(line);
    let lossy = matches!(text, Cow::Owned(_));
    let mut changed = false;
    let value = serde_json::from_str(&text).or_else(|_| {
        changed = true;
        serde_json::from_str(&mend(&text, false))
    });
    match value {
        Ok(value) => Ok(Mended { value, lossy, changed }),
        Err(e) if e.is_eof() => Err("the line ends in the middle of a record".to_owned()),
        Err(e) => {
            let what = e.to_string();
            let what = what.split(" at line ").next().unwrap_or_default();
            Err(format!("not JSON ({what} at column {})", e.column()))
        }
    }
}

/// Replaces what JSON lacks by what it has: numbers that are none by null, or by strings when they are `quoted`.
fn mend(text: &str, quoted: bool) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut inside = false;
    while let Some(c) = rest.chars().next() {
        let mut len = c.len_utf8();
        match c {
            '"' => {
                inside = !inside;
                out.push('"');
            }
            '\\' if inside => {
                let (escaped, taken) = escape(rest);
                len = taken;
                match escaped {
                    None => out.push_str("\\\\"),
                    Some(char::REPLACEMENT_CHARACTER) => out.push(char::REPLACEMENT_CHARACTER),
                    Some(_) => out.push_str(rest.get(..taken).unwrap_or_default()),
                }
            }
            '\0'..='\x1f' if inside => drop(write!(out, "\\u{:04x}", u32::from(c))),
            _ if inside => out.push(c),
            'N' | 'I' | '-' | '0'..='9' => {
                let token = token(rest);
                len = token.len();
                let none = matches!(token, "NaN" | "Infinity" | "-Infinity")
                    || (token.contains(['e', 'E']) && token.parse::<f64>().is_ok_and(f64::is_infinite));
                match (none, quoted) {
                    (true, true) => drop(write!(out, "\"{token}\"")),
                    (true, false) => out.push_str("null"),
                    (false, _) => out.push_str(token),
                }
            }
            _ => out.push(c),
        }
        rest = rest.get(len..).unwrap_or_default();
    }
    out
}

fn token(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '+' | '.')));
    let end = end.unwrap_or(text.len()).max(1);
    text.get(..end).unwrap_or_default()
}
