//! Taking away what a model writes around an answer: links, citation marks, bold.

use std::borrow::Cow;

use super::letters::is_ignorable;

/// The longest address that is looked through for its end, in bytes: text of unclosed brackets stays linear.
const LONGEST: usize = 2_048;

/// The same for a mark.
const LONGEST_MARK: usize = 512;

/// Brackets within an address; more of them are no address.
const DEEPEST: u32 = 8;

/// `text` without Markdown links (their text stays), citation marks (`[1]`, `【…】`, `([site](url))` and the
/// providers' own), `**` and `__`, the escapes that sanitising wrote, and a closing full stop. Text that is nothing but
/// marks keeps them.
pub fn clean(text: &str) -> Cow<'_, str> {
    let cut = match strip(text, What::All) {
        Cow::Borrowed(t) => Cow::Borrowed(without_stop(t)),
        Cow::Owned(t) => match without_stop(&t) {
            kept if kept.len() == t.len() => Cow::Owned(t),
            kept => Cow::Owned(kept.to_owned()),
        },
    };
    if cut.is_empty() { strip(text, What::Escapes) } else { cut }
}

/// `text` without links and citation marks, everything else as it is: for reading an answer out of a long text.
pub fn without_marks(text: &str) -> Cow<'_, str> {
    strip(text, What::Marks)
}

/// What is taken away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// Everything.
    All,
    /// Links and citation marks.
    Marks,
    /// The escapes that sanitising wrote.
    Escapes,
}

fn without_stop(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix(['.', '。', '．', '｡']).map_or(text, str::trim_end)
}

fn strip(text: &str, what: What) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(rest) = bytes.get(at..) {
        let Some(found) = rest.iter().position(|&b| is_candidate(b)) else { break };
        at += found;
        match mark(text, at, what) {
            Some(m) => {
                let before = text.get(copied..at).unwrap_or_default();
                out.push_str(if m.is_citation { before.trim_end_matches([' ', '\u{a0}']) } else { before });
                out.push_str(m.kept);
                at = m.end;
                copied = at;
            }
            None => at += 1,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// Bytes that a mark can begin with; the lead bytes are those of `【`, `⟨`, U+E200.
const fn is_candidate(b: u8) -> bool {
    matches!(b, b'[' | b'(' | b'<' | b'*' | b'_' | b'!' | 0xe2 | 0xe3 | 0xee)
}

/// Something to be replaced by `kept`.
struct Mark<'a> {
    end: usize,
    kept: &'a str,
    /// White space before it goes too.
    is_citation: bool,
}

impl<'a> Mark<'a> {
    const fn plain(end: usize, kept: &'a str) -> Self {
        Self { end, kept, is_citation: false }
    }

    const fn citation(end: usize) -> Self {
        Self { end, kept: "", is_citation: true }
    }
}

fn mark(text: &str, at: usize, what: What) -> Option<Mark<'_>> {
    let rest = text.get(at..)?;
    let bold = what == What::All;
    match rest.chars().next()? {
        '⟨' if what != What::Marks => escape(rest).map(|(len, kept)| Mark::plain(at + len, kept)),
        _ if what == What::Escapes => None,
        '*' if bold && rest.starts_with("**") => Some(Mark::plain(at + 2, "")),
        '_' if bold && rest.starts_with("__") => Some(Mark::plain(at + 2, "")),
        '!' if rest.starts_with("![") => link(text, at + 1).map(|l| Mark::plain(l.end, l.text)),
        '[' => bracket(text, at),
        '(' => parenthesis(text, at).map(Mark::citation),
        '<' => tag(text, at),
        '【' => closed(rest, '】').map(|len| Mark::citation(at + len)),
        '\u{e200}' => closed(rest, '\u{e201}').map(|len| Mark::citation(at + len)),
        _ => None,
    }
}

/// Length of `rest` up to and with `end`, which must come soon and on the same line.
fn closed(rest: &str, end: char) -> Option<usize> {
    let (at, found) =
        rest.char_indices().take_while(|&(at, c)| at < LONGEST_MARK && c != '\n').find(|&(_, c)| c == end)?;
    Some(at + found.len_utf8())
}

struct Link<'a> {
    text: &'a str,
    end: usize,
}

/// The link whose `[` is at `at`.
fn link(text: &str, at: usize) -> Option<Link<'_>> {
    let inside = text.get(at + 1..)?;
    let (len, _) =
        inside.char_indices().take_while(|&(n, _)| n < LONGEST).find(|&(_, c)| matches!(c, '[' | ']'))?;
    let target = inside.get(len..)?.strip_prefix("](")?;
    let end = at + 1 + len + 2 + address(target)?;
    Some(Link { text: inside.get(..len)?, end })
}

/// Length of a link's target up to and with the `)` that closes it.
fn address(target: &str) -> Option<usize> {
    let mut depth = 1_u32;
    for (at, c) in target.char_indices().take_while(|&(at, c)| at < LONGEST && c != '\n') {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
        if depth > DEEPEST {
            return None;
        }
    }
    None
}

fn bracket(text: &str, at: usize) -> Option<Mark<'_>> {
    if let Some(l) = link(text, at) {
        return Some(if is_number(l.text) { Mark::citation(l.end) } else { Mark::plain(l.end, l.text) });
    }
    let rest = text.get(at..)?;
    // `[[1]](url)`
    if let Some(inner) = rest.strip_prefix("[[") {
        let len = short(inner, b']').filter(|&n| inner.get(..n).is_some_and(is_number))?;
        let target = inner.get(len..)?.strip_prefix("]](")?;
        return Some(Mark::citation(at + 2 + len + 3 + address(target)?));
    }
    let len = short(rest, b']')?;
    is_number(rest.get(1..len)?).then(|| Mark::citation(at + len + 1))
}

/// Where `end` is, if it comes as soon as it does after the numbers of a citation.
fn short(text: &str, end: u8) -> Option<usize> {
    text.bytes().take(64).position(|b| b == end)
}

/// Whether the inside of a bracket is that of a citation: `1`, `^2`, `1, 3`, `2-4`, `3†source`.
fn is_number(inside: &str) -> bool {
    let inside = inside.trim().trim_start_matches('^');
    let inside = inside.split_once('†').map_or(inside, |(number, _)| number);
    !inside.is_empty()
        && inside.split([',', ';', '-', '–']).map(str::trim).all(|n| {
            // A year in brackets is no citation.
            (1..=3).contains(&n.len()) && n.bytes().all(|b| b.is_ascii_digit())
        })
}

/// End of a parenthesis that holds nothing but links.
fn parenthesis(text: &str, at: usize) -> Option<usize> {
    let mut next = at + 1;
    let mut links = 0;
    loop {
        let rest = text.get(next..)?;
        match rest.chars().next()? {
            '[' => {
                next = link(text, next)?.end;
                links += 1;
            }
            ')' if links > 0 => return Some(next + 1),
            ' ' | ',' | ';' if links > 0 => next += 1,
            _ => return None,
        }
    }
}

/// Citation tags: `<cite …>` and its end, `<sup>1</sup>`.
fn tag(text: &str, at: usize) -> Option<Mark<'_>> {
    let rest = text.get(at..)?;
    if rest.starts_with("<cite") || rest.starts_with("</cite>") {
        return closed(rest, '>').map(|len| Mark::plain(at + len, ""));
    }
    let inside = rest.strip_prefix("<sup>")?;
    let len = short(inside, b'<').filter(|&n| inside.get(..n).is_some_and(is_number))?;
    inside.get(len..)?.starts_with("</sup>").then(|| Mark::citation(at + 5 + len + 6))
}

/// Length of an escape that sanitising wrote, such as `⟨U+200B⟩`, and what it stands for in a comparison.
fn escape(rest: &str) -> Option<(usize, &'static str)> {
    let inside = rest.strip_prefix("⟨U+")?;
    let len = inside.bytes().take(7).position(|b| !b.is_ascii_hexdigit())?;
    let c = char::from_u32(u32::from_str_radix(inside.get(..len)?, 16).ok()?)?;
    let kept = match c {
        _ if is_ignorable(c) => "",
        '\u{80}'..='\u{9f}' | '\u{2028}' | '\u{2029}' => " ",
        _ => return None,
    };
    inside.get(len..)?.starts_with('⟩').then(|| ('⟨'.len_utf8() * 2 + 2 + len, kept))
}
