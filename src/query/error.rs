//! What is wrong with a filter, where, and what was meant.

use std::ops::Range;

/// A filter that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}{}", hint.as_ref().map(|h| format!("; {h}")).unwrap_or_default())]
pub struct ParseError {
    /// The bytes of the text that it is about; empty at the end when something is missing there.
    pub at: Range<usize>,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl ParseError {
    pub(super) fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), hint: None }
    }

    pub(super) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

/// The names that `word` may have been meant for, best first, three at most.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let word: Vec<char> = word.chars().take(64).flat_map(char::to_lowercase).collect();
    let mut found: Vec<(usize, &str)> = names
        .into_iter()
        .filter_map(|name| {
            let other: Vec<char> = name.chars().collect();
            let far = distance(&word, &other);
            let begins = word.len() >= 2 && other.starts_with(&word);
            let near = far <= 1 + word.len().max(other.len()) / 4 && far < word.len().max(2);
            (near || begins).then_some((if begins { 0 } else { far }, name))
        })
        .collect();
    found.sort_by_key(|&(far, _)| far);
    found.into_iter().take(3).map(|(_, name)| name).collect()
}

/// "did you mean a, b or c?", when there is anything to propose.
pub(super) fn did_you_mean(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [one] => Some(format!("did you mean {one}?")),
        [all @ .., last] => Some(format!("did you mean {} or {last}?", all.join(", "))),
    }
}

/// Edits (a swap of neighbours counts one) from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, &x) in a.iter().enumerate() {
        let mut row = Vec::with_capacity(b.len() + 1);
        row.push(i + 1);
        for (j, &y) in b.iter().enumerate() {
            let at = |row: &[usize], j: usize| row.get(j).copied().unwrap_or(usize::MAX / 2);
            let mut best =
                (at(&last, j) + usize::from(x != y)).min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(&y) && b.get(j - 1) == Some(&x);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}
