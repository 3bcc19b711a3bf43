//! Text that goes into Markdown and spreadsheets as text, and as nothing else.

use std::borrow::Cow;

use super::sanitize::{sanitize, sanitize_line};

/// Text for a place inside a line or a table cell: on one line, and no character of it means anything to Markdown
/// or HTML.
pub fn inline(text: &str) -> String {
    let line = sanitize_line(text.trim());
    let mut out = String::with_capacity(line.len() + 8);
    let mut before = ' ';
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        let inside_word = before.is_alphanumeric() && chars.peek().is_some_and(|c| c.is_alphanumeric());
        match c {
            '_' if inside_word => out.push(c),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '#' | '~' | '$' => {
                out.push('\\');
                out.push(c);
            }
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            _ => out.push(c),
        }
        before = c;
    }
    out
}

/// Text as a block that Markdown leaves alone: a fence longer than any run of backticks inside.
pub fn fence(text: &str) -> String {
    let text = sanitize(text);
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}text\n{}\n{fence}", text.trim_end_matches('\n'))
}

/// Text as a cell of a CSV file: what a spreadsheet would take for a formula gets a `'` in front.
pub fn cell_text(text: &str) -> Cow<'_, str> {
    // Spreadsheets look past white space, and some take the full-width forms too.
    let first = text.trim_start().chars().next();
    let formula = first.is_some_and(|c| "=+-@＝＋－＠".contains(c)) || text.starts_with(['\t', '\r']);
    if formula { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}
