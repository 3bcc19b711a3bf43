//! Counts in words.

use std::fmt::Display;

/// A number as it was printed, with the word for one or for many: `1 file`, `2 files`. The plural is the regular one.
pub fn counted(n: u64, shown: impl Display, one: &str) -> String {
    format!("{shown} {}", plural(n, one))
}

/// `n` of them: `1 file`, `0 files`.
pub fn several(n: impl TryInto<u64>, one: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    counted(n, n, one)
}

/// A count with thousands separated: `1,234`.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

fn plural(n: u64, one: &str) -> String {
    match (n, one.chars().last()) {
        (1, _) => one.to_owned(),
        (_, Some('h' | 's' | 'x')) => format!("{one}es"),
        _ => format!("{one}s"),
    }
}

#[cfg(test)]
#[path = "plural_tests.rs"]
mod tests;
