//! References made ready for comparing, and what each scorer says of an answer.

use std::cell::RefCell;

use memchr::memmem;

use crate::record::Scorer;
use crate::text::normalize_into;

/// The references of one question, made ready.
#[derive(Debug, Clone, Default)]
pub struct Refs {
    list: Vec<Ref>,
}

#[derive(Debug, Clone)]
struct Ref {
    /// As written, trimmed.
    strict: Box<str>,
    /// Normalised.
    plain: Box<[u8]>,
}

/// The references in a string that may hold several, separated by ` | `; empty ones are left out.
pub fn split_references(text: &str) -> impl Iterator<Item = &str> {
    // Most references are one; looking for a byte is quicker than setting up a search for three.
    let (one, several) = match memchr::memchr(b'|', text.as_bytes()) {
        None => (Some(text), None),
        Some(_) => (None, Some(text.split(" | "))),
    };
    one.into_iter().chain(several.into_iter().flatten()).map(str::trim).filter(|r| !r.is_empty())
}

impl Refs {
    /// Makes references ready. A string that holds several separated by ` | ` counts as several.
    pub fn new<I, S>(refs: I) -> Self
    where
        I: IntoIterator<Item = S>,
        S: AsRef<str>,
    {
        let mut buffer = Vec::new();
        let mut list = Vec::new();
        for given in refs {
            list.extend(
                split_references(given.as_ref())
                    .map(|r| Ref { strict: r.into(), plain: normalize_into(r, &mut buffer).into() }),
            );
        }
        Self { list }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is nothing to compare with.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// A reference as written.
    pub(super) fn text(&self, at: usize) -> Option<&str> {
        self.list.get(at).map(|r| &*r.strict)
    }

    /// The normalised references.
    pub(super) fn plain(&self) -> impl Iterator<Item = &[u8]> {
        self.list.iter().map(|r| &*r.plain)
    }

    /// The first reference that `scorer` accepts `answer` for; always `None` for [`Scorer::Recorded`].
    pub(super) fn accepting(&self, answer: &str, scorer: Scorer) -> Option<usize> {
        let answer = answer.trim();
        if answer.is_empty() {
            return None;
        }
        // Text without a single letter or digit normalises to nothing, but is still equal to itself.
        let strict = || self.list.iter().position(|r| &*r.strict == answer);
        match scorer {
            Scorer::Recorded => None,
            Scorer::Strict => strict(),
            Scorer::Normalized => strict().or_else(|| {
                normalized(answer, |plain| self.list.iter().position(|r| equal(plain, &r.plain)))
            }),
            Scorer::Contains => self.accepting(answer, Scorer::Normalized).or_else(|| {
                normalized(answer, |plain| self.list.iter().position(|r| holds(plain, &r.plain)))
            }),
        }
    }
}

/// The verdict bits of an attempt (`AttemptRow::scored`): bit n is set when scorer n ([`Scorer`] as a number) finds
/// the answer right, bit 4 + n when it can judge at all.
///
/// The recorded verdict judges where there is one, the other scorers where there is a reference; no answer is wrong.
pub fn scored(answer: Option<&str>, refs: &Refs, recorded: Option<bool>) -> u8 {
    /// The three scorers that compare can judge.
    const JUDGED: u8 = 0xe0;
    let recorded = match recorded {
        None => 0,
        Some(false) => 0x10,
        Some(true) => 0x11,
    };
    if refs.is_empty() {
        return recorded;
    }
    recorded | JUDGED | answer.map_or(0, |a| right(a.trim(), refs))
}

/// The bits of the three scorers that compare: what a stricter one accepts, the next accepts too.
fn right(answer: &str, refs: &Refs) -> u8 {
    if answer.is_empty() {
        return 0;
    }
    if refs.list.iter().any(|r| &*r.strict == answer) {
        return 0x0e;
    }
    normalized(answer, |plain| {
        if refs.list.iter().any(|r| equal(plain, &r.plain)) {
            0x0c
        } else if refs.list.iter().any(|r| holds(plain, &r.plain)) {
            0x08
        } else {
            0
        }
    })
}

/// Runs `judge` on the normalised answer, in a buffer that stays.
pub(super) fn normalized<T>(answer: &str, judge: impl FnOnce(&[u8]) -> T) -> T {
    thread_local! {
        static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    }
    BUFFER.with(|buffer| match buffer.try_borrow_mut() {
        Ok(mut buffer) => {
            let out = judge(normalize_into(answer, &mut buffer));
            // One very long answer must not keep its memory for good.
            buffer.shrink_to(1 << 14);
            out
        }
        Err(_) => judge(normalize_into(answer, &mut Vec::new())),
    })
}

fn equal(answer: &[u8], reference: &[u8]) -> bool {
    !reference.is_empty() && answer == reference
}

/// Whether `reference` is a whole-word part of `answer`, both normalised.
fn holds(answer: &[u8], reference: &[u8]) -> bool {
    let Some(&first) = reference.first() else { return false };
    if reference.len() >= answer.len() {
        return false;
    }
    if reference.len() + 1 == answer.len() && answer.is_ascii() {
        return false;
    }
    let mut from = 0;
    while let Some(at) = answer.get(from..).and_then(|rest| find(rest, reference, first)) {
        let start = from + at;
        let end = start + reference.len();
        if is_edge(answer, start) && is_edge(answer, end) {
            return true;
        }
        from = start + 1;
    }
    false
}

fn find(text: &[u8], part: &[u8], first: u8) -> Option<usize> {
    // Building a searcher costs more than looking through a short answer.
    if text.len() > 64 {
        return memmem::find(text, part);
    }
    let last = text.len().checked_sub(part.len())?;
    (0..=last).find(|&at| text.get(at) == Some(&first) && text.get(at..at + part.len()) == Some(part))
}

/// Whether a word can begin or end at `at`: at white space, at the ends, and beside a letter of a script that is
/// written without spaces.
fn is_edge(text: &[u8], at: usize) -> bool {
    let (Some(before), Some(after)) = (text.get(..at), text.get(at..)) else { return false };
    match (before.last(), after.first()) {
        (None | Some(b' '), _) | (_, None | Some(b' ')) => true,
        (Some(a), Some(b)) if a.is_ascii() && b.is_ascii() => false,
        _ => {
            let last = char_before(before);
            let next = std::str::from_utf8(after.get(..after.len().min(4)).unwrap_or_default())
                .or_else(|e| std::str::from_utf8(after.get(..e.valid_up_to()).unwrap_or_default()))
                .ok()
                .and_then(|s| s.chars().next());
            last.is_some_and(is_unspaced) || next.is_some_and(is_unspaced)
        }
    }
}

fn char_before(bytes: &[u8]) -> Option<char> {
    let start = bytes.len().saturating_sub(4);
    (start..bytes.len())
        .rev()
        .find_map(|at| std::str::from_utf8(bytes.get(at..)?).ok())
        .and_then(|s| s.chars().next_back())
}

/// Thai, Lao, Burmese, Khmer, kana, bopomofo, Han.
const fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{312f}'
        | '\u{31f0}'..='\u{31ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}
