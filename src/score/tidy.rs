//! Taking an answer out of what is written around it.

use std::sync::LazyLock;

use regex::Regex;

/// A line without its list mark and the emphasis around all of it.
pub(super) fn unmarked(line: &str) -> &str {
    let line = line.trim();
    let after_number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let item = ["- ", "* ", "+ ", "• "]
        .into_iter()
        .find_map(|m| line.strip_prefix(m))
        .or_else(|| {
            [". ", ") "]
                .into_iter()
                .find_map(|m| after_number.strip_prefix(m))
                .filter(|_| after_number != line)
        })
        .unwrap_or(line)
        .trim_start();
    let open = item.trim_start_matches(['*', '_', '`', '#', ' ']);
    let marks = item.get(..item.len() - open.len()).unwrap_or_default().trim_start_matches(['#', ' ']);
    // Emphasis that began before the label may end after the value.
    match marks.chars().next() {
        Some(mark) if open.matches(mark).count() == marks.matches(mark).count() => {
            open.trim_end_matches(mark)
        }
        _ => open,
    }
}

/// Bold words.
static BOLD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(^|[\s(\[])\*\*([^\s*](?:[^*\n]*[^\s*])?)\*\*").ok());

/// An answer without what is written around it: white space, quotes, emphasis.
pub(super) fn tidy(text: &str) -> String {
    let mut text = text.trim();
    loop {
        let inner =
            [("**", "**"), ("__", "__"), ("*", "*"), ("`", "`"), ("\"", "\""), ("“", "”"), ("«", "»")]
                .into_iter()
                .find_map(|(open, close)| {
                    let inner = text.strip_prefix(open)?.strip_suffix(close)?;
                    (!inner.trim().is_empty() && !inner.contains(open) && !inner.contains(close))
                        .then_some(inner)
                });
        match inner {
            Some(inner) => text = inner.trim(),
            None => break,
        }
    }
    match BOLD.as_ref() {
        Some(bold) if text.contains("**") => bold.replace_all(text, "$1$2").into_owned(),
        _ => text.to_owned(),
    }
}

/// Whether an answer only repeats the form that was asked for: `{answer}`, `<short answer>`.
pub(super) fn is_template(answer: &str) -> bool {
    let inside = |open: char, close: char| {
        answer
            .strip_prefix(open)
            .and_then(|a| a.strip_suffix(close))
            .is_some_and(|a| !a.contains([open, close, '"', ':']))
    };
    inside('{', '}') || inside('<', '>')
}
