//! The form in which answers are compared with references.
//!
//! Defined in METRICS, "Scoring". Where that leaves room: marks that make another letter stay (kana voicing, vowel
//! signs), letters with a stroke lose it (`Wałęsa` is `walesa`), currency signs are words of their own, `+` stays,
//! every other symbol counts as punctuation, and an article stays when nothing else would.

use std::cell::RefCell;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::clean::clean;
use super::letters::each_folded;

/// The normalised form of `text`. Applying it twice changes nothing.
pub fn normalize(text: &str) -> String {
    let mut out = Vec::new();
    let form = normalize_into(text, &mut out).len();
    out.drain(..out.len() - form);
    String::from_utf8(out).unwrap_or_default()
}

/// [`normalize`] in a buffer that is used again and again: `out` is emptied first, the form is the slice returned.
pub fn normalize_into<'a>(text: &str, out: &'a mut Vec<u8>) -> &'a [u8] {
    out.clear();
    if !ascii(text, out) {
        out.clear();
        any(text, out);
    }
    without_articles(out)
}

/// A byte that a link or a mark could begin with, or that is no ASCII: left to the slow way.
const SLOW: u8 = 1;
/// A byte that is neither a letter, a digit nor a space.
const SIGN: u8 = 2;
const SPACE: u8 = 4;

const fn kind(b: u8) -> u8 {
    match b {
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => 0,
        b' ' => SPACE,
        b'[' | b'<' | b'*' | b'_' | 128.. => SLOW,
        _ => SIGN,
    }
}

/// The way for plain ASCII. False when `text` holds anything else, or a byte that a link or a mark could begin with.
fn ascii(text: &str, out: &mut Vec<u8>) -> bool {
    let bytes = text.as_bytes();
    // Two spaces in a row, or one at an end, are for the machine below to fold.
    let (mut seen, mut last) = (0, SPACE);
    for &b in bytes {
        let kind = kind(b);
        seen |= kind | ((kind & last & SPACE) >> 1);
        last = kind;
    }
    if seen & SLOW != 0 {
        return false;
    }
    if seen & SIGN == 0 && last & SPACE == 0 {
        out.extend_from_slice(bytes);
        out.make_ascii_lowercase();
    } else {
        out.reserve(bytes.len() + 8);
        write_words(bytes, out);
    }
    true
}

/// The way for everything.
pub(super) fn any(text: &str, out: &mut Vec<u8>) {
    thread_local! {
        static LETTERS: RefCell<Vec<char>> = const { RefCell::new(Vec::new()) };
    }
    let text = clean(text);
    let composable = LETTERS.with_borrow_mut(|letters| {
        letters.clear();
        let composable = each_folded(&text, |c| letters.push(unified(c)));
        out.reserve(text.len());
        write_words(letters, out);
        // One very long answer must not keep its memory for good.
        letters.shrink_to(1 << 14);
        composable
    });
    if composable {
        let composed: String = std::str::from_utf8(out).unwrap_or_default().nfc().collect();
        out.clear();
        out.extend_from_slice(composed.as_bytes());
    }
}

/// One dash, one quote.
const fn unified(c: char) -> char {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2b9}'..='\u{2bf}' | '\u{2c8}' | '\u{2018}'..='\u{201b}' | '\u{2032}' => '\'',
        _ => c,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    /// A hyphen or a dot, which stays between digits.
    Joint,
    Comma,
    /// A currency sign.
    Coin,
    Gap,
}

/// A byte of ASCII or a character.
trait Unit: Copy {
    fn class(self) -> Class;
    fn write(self, out: &mut Vec<u8>);
}

impl Unit for u8 {
    fn class(self) -> Class {
        match self {
            b'a'..=b'z' | b'A'..=b'Z' | b'+' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'-' | b'.' => Class::Joint,
            b',' => Class::Comma,
            b'$' => Class::Coin,
            _ => Class::Gap,
        }
    }

    fn write(self, out: &mut Vec<u8>) {
        out.push(self.to_ascii_lowercase());
    }
}

impl Unit for char {
    fn class(self) -> Class {
        match self {
            '\0'..='\x7f' => (self as u8).class(),
            '¢'..='¥' | '\u{58f}' | '\u{60b}' | '\u{e3f}' | '\u{20a0}'..='\u{20cf}' => Class::Coin,
            // The letters of the common scripts, which need no table.
            'α'..='ω' | 'а'..='џ' | '\u{620}'..='\u{64a}' | 'ぁ'..='ゖ' | '一'..='鿿' | '가'..='힣' => {
                Class::Letter
            }
            c if c.is_alphabetic() => Class::Letter,
            c if c.is_numeric() => Class::Digit,
            c if is_combining_mark(c) => Class::Letter,
            _ => Class::Gap,
        }
    }

    fn write(self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.encode_utf8(&mut [0; 4]).as_bytes());
    }
}

/// Writes the words of `units`, one space between them.
fn write_words<U: Unit>(units: &[U], out: &mut Vec<u8>) {
    let is_digit = |at: usize| units.get(at).is_some_and(|u| u.class() == Class::Digit);
    let mut gap = false;
    // Digits just written, and what they follow.
    let mut digits = 0_usize;
    let mut run = Run::Whole;
    for (at, unit) in units.iter().enumerate() {
        let class = unit.class();
        match class {
            Class::Letter | Class::Digit => {
                if gap && !out.is_empty() {
                    out.push(b' ');
                }
                gap = false;
                unit.write(out);
                if class == Class::Digit {
                    digits += 1;
                } else {
                    (digits, run) = (0, Run::Whole);
                }
                continue;
            }
            Class::Joint if digits > 0 && is_digit(at + 1) => {
                unit.write(out);
                (digits, run) = (0, Run::Joined);
                continue;
            }
            Class::Comma if run.groups(digits) && (1..=3).all(|n| is_digit(at + n)) && !is_digit(at + 4) => {
                (digits, run) = (0, Run::Grouped);
                continue;
            }
            Class::Coin => {
                if !out.is_empty() {
                    out.push(b' ');
                }
                unit.write(out);
            }
            Class::Joint | Class::Comma | Class::Gap => {}
        }
        gap = true;
        (digits, run) = (0, Run::Whole);
    }
}

/// What a run of digits follows.
#[derive(Clone, Copy)]
enum Run {
    /// Nothing that belongs to the number.
    Whole,
    /// A comma between thousands.
    Grouped,
    /// A hyphen or a dot.
    Joined,
}

impl Run {
    /// Whether a comma after so many digits can stand between thousands.
    const fn groups(self, digits: usize) -> bool {
        match self {
            Self::Whole => digits >= 1 && digits <= 3,
            Self::Grouped => digits == 3,
            Self::Joined => false,
        }
    }
}

fn without_articles(mut words: &[u8]) -> &[u8] {
    while let Some(rest) = [b"a ".as_slice(), b"an ", b"the "].iter().find_map(|a| words.strip_prefix(*a)) {
        words = rest;
    }
    words
}

#[cfg(test)]
#[path = "normalize_tests.rs"]
mod tests;
