//! A TOML text whose every complaint knows its line.
//!
//! Owns reading of spanned TOML and the form of a complaint. Knows no setting: the keymap, the themes and the
//! configuration bring their own names. This leaf is all of `config` that `keymap` and `theme` import.

use std::fmt;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::text::sanitize_line;

/// One complaint about a file: where, what, and what to do.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// The file as it was named, or the variable or flag that holds the value.
    pub file: String,
    /// The line, from 1; 0 where there is none (a variable, a file that could not be read).
    pub line: usize,
    /// What is wrong, naming the setting.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl Problem {
    /// A complaint without a line.
    pub fn new(file: impl Into<String>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { file: file.into(), line: 0, message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}", self.message)?;
        if !self.hint.is_empty() {
            write!(f, "; {}", self.hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

/// The file behind spanned values; collects what is wrong with it.
#[derive(Debug)]
pub struct Source<'a> {
    file: &'a str,
    text: &'a str,
    /// Where each line ends.
    ends: Vec<usize>,
    /// What was found wrong so far.
    pub problems: Vec<Problem>,
}

impl<'a> Source<'a> {
    /// Parses `text`, keeping what can be read of a broken one; syntax errors are already among the problems.
    pub fn parse(file: &'a str, text: &'a str) -> (Self, DeTable<'a>) {
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at).collect();
        let mut source = Self { file, text, ends, problems: Vec::new() };
        let (table, errors) = DeTable::parse_recoverable(text);
        for e in errors {
            let at = e.span().unwrap_or(0..0);
            let line = source.line(at.start);
            // What follows a line's first fault is mostly its echo.
            if source.problems.last().is_none_or(|p| p.line != line) {
                let message = e.message().trim().replace('\n', ", ");
                source.complain_at(line, format!("not valid TOML: {message}"), "correct this line");
            }
        }
        (source, table.into_inner())
    }

    /// The line, from 1, that holds byte `offset`.
    pub fn line(&self, offset: usize) -> usize {
        1 + self.ends.partition_point(|end| *end < offset)
    }

    /// Adds a complaint about a span.
    pub fn complain(&mut self, at: Range<usize>, message: impl Into<String>, hint: impl Into<String>) {
        let line = self.line(at.start);
        self.complain_at(line, message, hint);
    }

    /// Adds a complaint about a line.
    pub fn complain_at(&mut self, line: usize, message: impl Into<String>, hint: impl Into<String>) {
        // A complaint quotes the file, and goes to a terminal.
        let shown = |text: String| sanitize_line(&text).into_owned();
        self.problems.push(Problem {
            file: self.file.to_owned(),
            line,
            message: shown(message.into()),
            hint: shown(hint.into()),
        });
    }

    fn wrong_type(&mut self, path: &str, value: &Spanned<DeValue<'_>>, want: &str, example: &str) {
        // What the parser put in the place of a value that it could not read has been complained of.
        if value.span().is_empty() {
            return;
        }
        let found = match value.get_ref() {
            DeValue::Table(_) => "a table".to_owned(),
            DeValue::Array(_) => "a list".to_owned(),
            other => format!("{} {}", article(other.type_str()), other.type_str()),
        };
        self.complain(
            value.span(),
            format!("{path} must be {want}, and is {found}"),
            format!("write {path} = {example}"),
        );
    }

    /// The string that a value must be.
    pub fn string(&mut self, path: &str, value: &Spanned<DeValue<'_>>, example: &str) -> Option<String> {
        if let Some(s) = value.get_ref().as_str() {
            return Some(s.to_owned());
        }
        self.wrong_type(path, value, "a string", &format!("{example:?}"));
        None
    }

    /// The boolean that a value must be.
    pub fn boolean(&mut self, path: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        if let Some(b) = value.get_ref().as_bool() {
            return Some(b);
        }
        self.wrong_type(path, value, "true or false", "true");
        None
    }

    /// The whole number within `range` that a value must be.
    pub fn integer(
        &mut self,
        path: &str,
        value: &Spanned<DeValue<'_>>,
        range: std::ops::RangeInclusive<i64>,
    ) -> Option<i64> {
        let number = value
            .get_ref()
            .as_integer()
            .and_then(|n| i64::from_str_radix(&n.as_str().replace('_', ""), n.radix()).ok());
        if let Some(n) = number
            && range.contains(&n)
        {
            return Some(n);
        }
        let (low, high) = (range.start(), range.end());
        let found = self.text.get(value.span()).unwrap_or_default().to_owned();
        self.complain(
            value.span(),
            format!("{path} must be a whole number from {low} to {high}, and is {found}"),
            format!("write {path} = {low}"),
        );
        None
    }

    /// The table that a value must be.
    pub fn table<'v, 'i>(&mut self, path: &str, value: &'v Spanned<DeValue<'i>>) -> Option<&'v DeTable<'i>> {
        if let Some(t) = value.get_ref().as_table() {
            return Some(t);
        }
        let found = value.get_ref().type_str();
        self.complain(
            value.span(),
            format!("{path} must be a table, and is {} {found}", article(found)),
            format!("write it under [{path}]"),
        );
        None
    }

    /// The strings of a list; a single string counts as a list of one. Each comes with its line.
    pub fn strings(
        &mut self,
        path: &str,
        value: &Spanned<DeValue<'_>>,
        example: &str,
    ) -> Option<Vec<(String, usize)>> {
        match value.get_ref() {
            DeValue::String(s) => Some(vec![(s.clone().into_owned(), self.line(value.span().start))]),
            DeValue::Array(items) => {
                let mut out = Vec::new();
                for item in items {
                    match item.get_ref().as_str() {
                        Some(s) => out.push((s.to_owned(), self.line(item.span().start))),
                        None => self.wrong_type(path, item, "a list of strings", example),
                    }
                }
                Some(out)
            }
            _ => {
                self.wrong_type(path, value, "a list of strings", example);
                None
            }
        }
    }

    /// Complains of an unknown name, with the nearest known one.
    pub fn unknown(&mut self, at: Range<usize>, what: &str, name: &str, known: &[&str]) {
        let hint = match nearest(name, known) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("known: {}", known.join(", ")),
        };
        self.complain(at, format!("unknown {what} \"{name}\""), hint);
    }
}

const fn article(word: &str) -> &'static str {
    match word.as_bytes().first() {
        Some(b'a' | b'e' | b'i' | b'o' | b'u') => "an",
        _ => "a",
    }
}

/// The entries of a table in the order in which they were written.
pub fn in_order<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t str, Range<usize>, &'t Spanned<DeValue<'i>>)> {
    let mut entries: Vec<_> = table.iter().map(|(k, v)| (k.get_ref().as_ref(), k.span(), v)).collect();
    entries.sort_by_key(|(_, at, _)| at.start);
    entries
}

/// The known name that a mistyped one most likely stands for, if any is near.
///
/// Near is at most a third of the longer one's letters changed, added, dropped or swapped with a neighbour.
pub fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let plain = |s: &str| s.to_lowercase().replace(['_', ' '], "-");
    let name = plain(name);
    let limit = |known: &str| (name.chars().count().max(known.chars().count()) / 3).max(1);
    known
        .iter()
        .map(|k| (distance(&name, &plain(k)), *k))
        .filter(|(d, k)| *d <= limit(k))
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// Edits (insert, delete, replace, swap neighbours) from one word to the other.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    let mut previous = None;
    for (i, x) in a.chars().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX - 1);
            let mut best =
                (at(&last, j) + usize::from(x != *y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            if j > 0 && Some(*y) == previous && b.get(j - 1) == Some(&x) {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
        previous = Some(x);
    }
    last.last().copied().unwrap_or_default()
}

#[cfg(test)]
#[path = "source_tests.rs"]
mod tests;
