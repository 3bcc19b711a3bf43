//! Accepted answers that people added, as a patch to the data file, so that its owner can take them over.

use std::collections::BTreeMap;

use serde_json::Value;

use super::entry::{Act, Entry};

/// What adding answers to a data file comes to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Patch {
    /// The difference, for `git apply` and `patch -p1`; empty where there is nothing to add.
    pub diff: String,
    /// The whole file with the answers added.
    pub text: String,
    /// How many answers are added.
    pub added: usize,
    /// Questions with answers to add that the file does not hold, or not in a form that can be added to.
    pub elsewhere: Vec<String>,
}

/// Adds accepted answers (lines of kind reference, see [`super::Notes::references`]) to the questions of a data file.
/// Nothing else of a line is touched. `path` is the file's name within its repository.
pub fn patch(path: &str, data: &str, added: &[&Entry]) -> Patch {
    let mut wanted: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for entry in added {
        if let Act::Reference { text, .. } = &entry.act {
            wanted.entry(&entry.key.question_id).or_default().push(text);
        }
    }
    let mut out = Patch::default();
    for line in data.split_inclusive('\n') {
        let value = serde_json::from_str::<Value>(line).unwrap_or(Value::Null);
        let id = value.get("id").and_then(Value::as_str).unwrap_or_default();
        let new = wanted.get(id).and_then(|texts| {
            let texts: Vec<&str> = texts.iter().filter(|t| !has(&value, t)).copied().collect();
            let new = if texts.is_empty() { line.to_owned() } else { with(line, &value, &texts)? };
            out.added += texts.len();
            Some(new)
        });
        if new.is_some() {
            wanted.remove(id);
        }
        out.text.push_str(new.as_deref().unwrap_or(line));
    }
    out.elsewhere = wanted.into_keys().map(str::to_owned).collect();
    if out.added > 0 {
        let diff = similar::TextDiff::from_lines(data, &out.text);
        let (from, to) = (format!("a/{path}"), format!("b/{path}"));
        out.diff = diff.unified_diff().context_radius(3).header(&from, &to).to_string();
    }
    out
}

/// Whether a question accepts an answer already, as it is written.
fn has(question: &Value, text: &str) -> bool {
    match question.get("references") {
        Some(Value::Array(items)) => items.iter().any(|i| i.as_str() == Some(text)),
        Some(Value::String(all)) => all.split(" | ").any(|r| r.trim() == text),
        _ => false,
    }
}

/// The line with answers added; `None` where it has no references, or in a form that is not known.
fn with(line: &str, question: &Value, texts: &[&str]) -> Option<String> {
    let (start, end) = references(line)?;
    let json = |text: &str| Value::String(text.to_owned()).to_string();
    let (at, new) = match question.get("references")? {
        Value::Array(items) => {
            let list = texts.iter().map(|t| json(t)).collect::<Vec<_>>().join(", ");
            // Before the closing bracket, and the white space that leads up to it.
            let inside = line.get(start..end - 1)?.trim_end();
            (start + inside.len(), if items.is_empty() { list } else { format!(", {list}") })
        }
        Value::String(_) => {
            // The inside of a string, without the quotes around it.
            let inside = |t: &&str| json(t).get(1..).and_then(|t| t.strip_suffix('"')).map(str::to_owned);
            let words = texts.iter().filter_map(inside);
            (end - 1, words.flat_map(|t| [" | ".to_owned(), t]).collect())
        }
        _ => return None,
    };
    let (before, after) = line.split_at_checked(at)?;
    let new = format!("{before}{new}{after}");
    // Whatever stood there, what is written must say what was meant.
    let read = serde_json::from_str::<Value>(&new).ok()?;
    texts.iter().all(|t| has(&read, t)).then_some(new)
}

/// Where the value of the outermost `references` stands in a line of JSON, as bytes.
fn references(line: &str) -> Option<(usize, usize)> {
    let mut depth = 0_usize;
    let mut key: Option<&str> = None;
    let mut is_wanted = false;
    let mut start = None;
    let mut at = 0;
    let bytes = line.as_bytes();
    while let Some(&b) = bytes.get(at) {
        let begin = at;
        at += 1;
        match b {
            b'"' => {
                while let Some(&b) = bytes.get(at) {
                    at += if b == b'\\' { 2 } else { 1 };
                    if b == b'"' {
                        break;
                    }
                }
                if depth == 1 {
                    if is_wanted {
                        return Some((begin, at));
                    }
                    key = line.get(begin + 1..at - 1);
                }
            }
            b':' if depth == 1 => is_wanted = key == Some("references"),
            b',' if depth == 1 => is_wanted = false,
            b'{' | b'[' => {
                if depth == 1 && is_wanted {
                    start = Some(begin);
                }
                depth += 1;
            }
            b'}' | b']' => {
                depth = depth.checked_sub(1)?;
                if depth == 1
                    && let Some(start) = start
                {
                    return Some((start, at));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
#[path = "patch_tests.rs"]
mod tests;
