//! A forward-only walk over one JSON line that looks at no more than it must.
//!
//! It takes JSON plus the bare words `NaN`, `Infinity` and `-Infinity` (which count as null), and it leaves string
//! contents unread until somebody asks. Everything that it refuses (`None`) goes the slow way through
//! [`super::mend`] and `serde_json`, so it may refuse, but must never read a line otherwise than the slow way does.
//!
//! Beside sonic-rs with a typed visitor it takes two thirds of the time on files of this kind, in builds for the
//! baseline of the architecture; `benches/open.rs` measures it.

use std::borrow::Cow;

use serde_json::Value;

#[cfg(target_arch = "aarch64")]
use memchr::arch::aarch64::neon::memchr::Two;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
use memchr::arch::all::memchr::Two;
// The baseline version is inlined, which for strings of some 30 bytes is worth more than wider vectors.
#[cfg(target_arch = "x86_64")]
use memchr::arch::x86_64::sse2::memchr::Two;

/// Levels of nesting that are followed; `serde_json` stops at 128.
const DEEPEST: u32 = 100;

/// A value, undecoded. In whole words, so that copying one right after it was made does not stall.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(u64)]
pub(super) enum Val<'a> {
    /// Absent or null.
    #[default]
    Null,
    /// A bare number that is none, as written: `NaN`, `-Infinity`, `1e999`. Nothing was said by it, either.
    Odd(&'a str),
    /// `true`.
    True,
    /// `false`.
    False,
    /// A number as written.
    Num(&'a str),
    /// A string without escapes.
    Str(&'a str),
    /// A string with escapes, as written between its quotes.
    Escaped(&'a str),
    /// An array or object, as written.
    Nested(&'a str),
    /// A number, array or object that was read the slow way.
    Read(&'a Value),
}

impl<'a> Val<'a> {
    /// The text of a string; of a number or boolean its spelling. Nothing for null and nested values.
    pub(super) fn text(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Str(s) | Self::Num(s) => Some(Cow::Borrowed(s)),
            Self::Escaped(s) => Some(Cow::Owned(unescape(s))),
            Self::True => Some(Cow::Borrowed("true")),
            Self::False => Some(Cow::Borrowed("false")),
            Self::Read(Value::Number(n)) => Some(Cow::Owned(n.to_string())),
            Self::Null | Self::Odd(_) | Self::Nested(_) | Self::Read(_) => None,
        }
    }

    /// Whether nothing was said.
    pub(super) const fn is_null(self) -> bool {
        matches!(self, Self::Null | Self::Odd(_))
    }
}

/// The walk. Every method gives `None` where the line is not what it takes.
pub(super) struct Cursor<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    ends: Two,
}

impl<'a> Cursor<'a> {
    /// At the beginning of `text`. `None` where the processor lacks what the architecture promises.
    pub(super) fn new(text: &'a str) -> Option<Self> {
        Some(Self { text, bytes: text.as_bytes(), at: 0, ends: two()? })
    }

    #[inline]
    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    /// Passes white space; the byte that follows, 0 at the end.
    #[inline]
    pub(super) fn next(&mut self) -> u8 {
        loop {
            let c = self.peek();
            if !matches!(c, b' ' | b'\t' | b'\r' | b'\n') {
                return c;
            }
            self.at += 1;
        }
    }

    /// Whether nothing but white space is left.
    pub(super) fn at_end(&mut self) -> bool {
        self.next();
        self.at >= self.bytes.len()
    }

    /// Passes a string, from its opening quote on; whether it has escapes.
    #[expect(clippy::inline_always, reason = "called for every string; measured")]
    #[inline(always)]
    fn pass_string(&mut self) -> Option<bool> {
        self.at += 1;
        let mut escaped = false;
        loop {
            self.at += self.ends.find(self.bytes.get(self.at..)?)?;
            if self.peek() == b'"' {
                self.at += 1;
                return Some(escaped);
            }
            escaped = true;
            self.at += 2;
        }
    }

    #[inline]
    fn string(&mut self) -> Option<(&'a str, bool)> {
        let start = self.at + 1;
        let escaped = self.pass_string()?;
        Some((self.text.get(start..self.at - 1)?, escaped))
    }

    fn digits(&mut self) -> Option<()> {
        let start = self.at;
        while self.peek().is_ascii_digit() {
            self.at += 1;
        }
        (self.at > start).then_some(())
    }

    /// Passes a number; whether it has an exponent.
    #[inline]
    fn pass_number(&mut self) -> Option<bool> {
        if self.peek() == b'-' {
            self.at += 1;
        }
        let first = self.at;
        self.digits()?;
        if self.bytes.get(first) == Some(&b'0') && self.at > first + 1 {
            return None;
        }
        if self.peek() == b'.' {
            self.at += 1;
            self.digits()?;
        }
        let exponent = matches!(self.peek(), b'e' | b'E');
        if exponent {
            self.at += 1;
            if matches!(self.peek(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(exponent)
    }

    fn word(&mut self, word: &str) -> Option<()> {
        if !self.bytes.get(self.at..)?.starts_with(word.as_bytes()) {
            return None;
        }
        self.at += word.len();
        Some(())
    }

    /// Passes a scalar that begins with `c`.
    #[expect(clippy::inline_always, reason = "called for every string; measured")]
    #[inline(always)]
    fn pass_scalar(&mut self, c: u8) -> Option<()> {
        match c {
            b'"' => self.pass_string().map(drop),
            b't' => self.word("true"),
            b'f' => self.word("false"),
            b'n' => self.word("null"),
            b'N' => self.word("NaN"),
            b'I' => self.word("Infinity"),
            b'-' if self.bytes.get(self.at + 1) == Some(&b'I') => self.word("-Infinity"),
            b'-' | b'0'..=b'9' => self.pass_number().map(drop),
            _ => None,
        }
    }

    /// Passes a value of any kind.
    #[inline]
    pub(super) fn pass(&mut self) -> Option<()> {
        match self.next() {
            b'{' | b'[' => self.pass_nested(),
            c => self.pass_scalar(c),
        }
    }

    #[expect(clippy::inline_always, reason = "called for every string; measured")]
    #[inline(always)]
    fn pass_key(&mut self) -> Option<()> {
        if self.next() != b'"' {
            return None;
        }
        self.pass_string()?;
        if self.next() != b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    /// Passes an array or object, with everything inside, without recursion.
    #[inline(never)]
    fn pass_nested(&mut self) -> Option<()> {
        // One bit a level: set for an object.
        let mut kinds: u128 = 0;
        let mut depth = 0;
        'value: loop {
            match self.next() {
                open @ (b'{' | b'[') => {
                    self.at += 1;
                    let object = open == b'{';
                    kinds = kinds << 1 | u128::from(object);
                    depth += 1;
                    if depth > DEEPEST {
                        return None;
                    }
                    match self.next() {
                        b'}' if object => {}
                        b']' if !object => {}
                        _ => {
                            if object {
                                self.pass_key()?;
                            }
                            continue 'value;
                        }
                    }
                }
                c => {
                    self.pass_scalar(c)?;
                    if self.next() == b',' {
                        self.at += 1;
                        if kinds & 1 == 1 {
                            self.pass_key()?;
                        }
                        continue 'value;
                    }
                }
            }
            loop {
                match self.next() {
                    b',' => {
                        self.at += 1;
                        if kinds & 1 == 1 {
                            self.pass_key()?;
                        }
                        continue 'value;
                    }
                    b'}' if kinds & 1 == 1 => {}
                    b']' if kinds & 1 == 0 => {}
                    _ => return None,
                }
                self.at += 1;
                kinds >>= 1;
                depth -= 1;
                if depth == 0 {
                    return Some(());
                }
            }
        }
    }

    /// The value here, nested ones as written.
    #[inline]
    pub(super) fn value(&mut self) -> Option<Val<'a>> {
        let c = self.next();
        let start = self.at;
        Some(match c {
            b'"' => match self.string()? {
                (s, false) => Val::Str(s),
                (s, true) => Val::Escaped(s),
            },
            b'{' | b'[' => {
                self.pass_nested()?;
                Val::Nested(self.text.get(start..self.at)?)
            }
            b'-' | b'0'..=b'9' if self.bytes.get(self.at + 1) != Some(&b'I') => {
                let exponent = self.pass_number()?;
                let n = self.text.get(start..self.at)?;
                if exponent && n.parse::<f64>().is_ok_and(f64::is_infinite) {
                    Val::Odd(n)
                } else {
                    Val::Num(n)
                }
            }
            _ => {
                self.pass_scalar(c)?;
                match c {
                    b't' => Val::True,
                    b'f' => Val::False,
                    b'n' => Val::Null,
                    _ => Val::Odd(self.text.get(start..self.at)?),
                }
            }
        })
    }

    /// Walks an object: `each` gets every key and must pass its value. A key with escapes is refused.
    #[inline]
    pub(super) fn object(&mut self, mut each: impl FnMut(&mut Self, &'a [u8]) -> Option<()>) -> Option<()> {
        if self.next() != b'{' {
            return None;
        }
        self.at += 1;
        if self.next() == b'}' {
            self.at += 1;
            return Some(());
        }
        loop {
            if self.next() != b'"' {
                return None;
            }
            let start = self.at + 1;
            if self.pass_string()? {
                return None;
            }
            let key = self.bytes.get(start..self.at - 1)?;
            if self.next() != b':' {
                return None;
            }
            self.at += 1;
            each(self, key)?;
            match self.next() {
                b',' => self.at += 1,
                b'}' => {
                    self.at += 1;
                    return Some(());
                }
                _ => return None,
            }
        }
    }

    /// Walks an array: `each` must pass every element.
    pub(super) fn array(&mut self, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        if self.next() != b'[' {
            return None;
        }
        self.at += 1;
        if self.next() == b']' {
            self.at += 1;
            return Some(());
        }
        loop {
            each(self)?;
            match self.next() {
                b',' => self.at += 1,
                b']' => {
                    self.at += 1;
                    return Some(());
                }
                _ => return None,
            }
        }
    }
}

#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
fn two() -> Option<Two> {
    Two::new(b'"', b'\\')
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn two() -> Option<Two> {
    Some(Two::new(b'"', b'\\'))
}

/// Decodes what stands between the quotes of a string. Escapes that JSON does not know stay as written, a surrogate
/// without its other half becomes U+FFFD: [`super::mend`] does the same.
pub(super) fn unescape(written: &str) -> String {
    let mut out = String::with_capacity(written.len());
    let mut rest = written;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(rest.get(..at).unwrap_or_default());
        let (c, len) = escape(rest.get(at..).unwrap_or_default());
        match c {
            Some(c) => out.push(c),
            None => out.push('\\'),
        }
        rest = rest.get(at + len..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The character of the escape that `text` begins with, and the bytes that it takes; `None` and 1 for a backslash
/// that begins no escape.
pub(super) fn escape(text: &str) -> (Option<char>, usize) {
    let bytes = text.as_bytes();
    let plain = match bytes.get(1) {
        Some(b'n') => '\n',
        Some(b't') => '\t',
        Some(b'r') => '\r',
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(&c @ (b'"' | b'\\' | b'/')) => char::from(c),
        Some(b'u') => return unicode(bytes),
        _ => return (None, 1),
    };
    (Some(plain), 2)
}

fn unicode(bytes: &[u8]) -> (Option<char>, usize) {
    let Some(first) = hex(bytes.get(2..6)) else { return (None, 1) };
    if let Some(c) = char::from_u32(first) {
        return (Some(c), 6);
    }
    let second = if bytes.get(6..8) == Some(b"\\u") { hex(bytes.get(8..12)) } else { None };
    match second {
        Some(low @ 0xdc00..=0xdfff) if first < 0xdc00 => {
            let c = 0x10000 + ((first - 0xd800) << 10) + (low - 0xdc00);
            (Some(char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER)), 12)
        }
        _ => (Some(char::REPLACEMENT_CHARACTER), 6),
    }
}

fn hex(digits: Option<&[u8]>) -> Option<u32> {
    digits?.iter().try_fold(0, |n, &d| Some(n << 4 | char::from(d).to_digit(16)?))
}
