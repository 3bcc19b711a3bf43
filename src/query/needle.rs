//! A literal as it may stand in a line of JSON.
//!
//! The pattern made here finds every line in which the literal occurs in some string, whatever the writer escaped;
//! it may find a few more, so hits are verified on the record.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

/// Lower case, character by character: the form in which stored records are compared. A character whose lower case
/// is several stays as it is, so that the pattern over raw bytes finds all that this form makes equal.
pub(super) fn lower(text: &str) -> String {
    text.chars().map(lower_char).collect()
}

fn lower_char(c: char) -> char {
    let mut all = c.to_lowercase();
    match (all.next(), all.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

/// The characters beyond ASCII that become `c` in lower case, `c` itself left out.
fn raised(c: char) -> &'static [char] {
    static BACK: OnceLock<HashMap<char, Vec<char>>> = OnceLock::new();
    let back = BACK.get_or_init(|| {
        let mut back: HashMap<char, Vec<char>> = HashMap::new();
        // No cased letter lies beyond the second plane.
        for c in '\u{80}'..'\u{20000}' {
            let low = lower_char(c);
            if low != c {
                back.entry(low).or_default().push(c);
            }
        }
        back
    });
    back.get(&c).map_or(&[], Vec::as_slice)
}

/// A literal to be found in lines of JSON, in whatever case, written in the usual ways.
pub(super) struct Needle {
    does: Regex,
}

impl Needle {
    /// `None` for a literal too long for a pattern.
    pub(super) fn new(literal: &str) -> Option<Self> {
        Some(Self { does: build(&one_way(literal))? })
    }

    /// Whether `line` has the literal for certain; any other line must be parsed.
    pub(super) fn is_surely_in(&self, line: &[u8]) -> bool {
        let mut from = 0;
        while let Some(found) = self.does.find_at(line, from) {
            if !in_escape(line, found.start()) {
                return true;
            }
            from = found.start() + 1;
        }
        false
    }
}

/// A pattern for the lines that may have any of the literals in a string.
pub(super) fn any_in_json<'a>(literals: impl IntoIterator<Item = &'a str>) -> Option<Regex> {
    let all: Vec<String> = literals.into_iter().map(may).collect();
    build(&all.join("|"))
}

/// A pattern for the lines that may have an object with the key `name`.
pub(super) fn key_in_json(name: &str) -> Option<Regex> {
    build(&format!("\"(?:{})\"[ \\t]*:|{ESCAPED_ASCII}", one_way(name)))
}

/// A pattern for the lines that may have an address: an object with `url`, or a list of plain addresses.
pub(super) fn addresses_in_json() -> Option<Regex> {
    let plain = r#""(?:results|citations)"[ \t]*:[ \t]*\[[ \t]*""#;
    build(&format!("\"url\"[ \\t]*:|{plain}|{ESCAPED_ASCII}"))
}

fn build(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).size_limit(8 << 20).build().ok()
}

/// A printable ASCII character that a writer chose to escape: rare, so such lines are all looked at.
const ESCAPED_ASCII: &str = r"\\u00[2-7]";

fn may(literal: &str) -> String {
    let mut out = format!("(?:{})|{ESCAPED_ASCII}", one_way(literal));
    // The few characters beyond ASCII whose lower case is an ASCII letter (the Kelvin sign).
    for c in literal.chars().map(lower_char).filter(char::is_ascii) {
        for &other in raised(c) {
            let _ = write!(out, "|{}", alternatives(other));
        }
    }
    out
}

/// The literal with every character in all its forms but that of an escaped ASCII character.
fn one_way(literal: &str) -> String {
    let mut out = String::new();
    for c in literal.chars() {
        match c {
            '"' => out.push_str(r#"\\""#),
            '\\' => out.push_str(r"\\\\"),
            '/' => out.push_str(r"\\?/"),
            c if u32::from(c) < 0x20 => {
                let short = match c {
                    '\n' => r"\\n|",
                    '\t' => r"\\t|",
                    '\r' => r"\\r|",
                    '\u{8}' => r"\\b|",
                    '\u{c}' => r"\\f|",
                    _ => "",
                };
                let _ = write!(out, r"(?:{short}\\u(?i:{:04x}))", u32::from(c));
            }
            c if c.is_ascii_alphabetic() => {
                let _ = write!(out, "[{}{}]", c.to_ascii_lowercase(), c.to_ascii_uppercase());
            }
            c if c.is_ascii() => out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
            c => {
                let low = lower_char(c);
                let forms: Vec<String> =
                    std::iter::once(&low).chain(raised(low)).map(|&c| alternatives(c)).collect();
                let _ = write!(out, "(?:{})", forms.join("|"));
            }
        }
    }
    out
}

/// A character as raw bytes or as an escape.
fn alternatives(c: char) -> String {
    let mut out = String::new();
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        let _ = write!(out, r"\x{byte:02x}");
    }
    out.push('|');
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = write!(out, r"\\u(?i:{unit:04x})");
    }
    out
}

/// Whether the byte at `at` belongs to an escape that began before it.
fn in_escape(line: &[u8], at: usize) -> bool {
    let slashes = |before: usize| {
        line.get(..before).unwrap_or_default().iter().rev().take_while(|&&b| b == b'\\').count()
    };
    // Directly after an odd number of backslashes, or in the four digits of `\u`.
    slashes(at) % 2 == 1
        || (1..=4).any(|back| {
            at.checked_sub(back).is_some_and(|u| line.get(u) == Some(&b'u') && slashes(u) % 2 == 1)
        })
}

#[cfg(test)]
#[path = "needle_tests.rs"]
mod tests;
