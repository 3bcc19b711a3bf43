//! Making untrusted text safe to show: nothing in it can act on a terminal or hide what it says.

use std::borrow::Cow;
use std::fmt::Write;

const FLAG: char = '\u{1f3f4}';
const CANCEL_TAG: char = '\u{e007f}';

/// Makes control, bidi and invisible characters visible, in one pass; text that has none is borrowed.
///
/// C0 controls but line feed and tab become their control pictures (`␛`), C1 controls, bidi controls and invisible
/// characters become `⟨U+202E⟩`. CR LF becomes a line feed. Joiners and single variation selectors stay, scripts and
/// emoji need them; so do the tags of a flag emoji.
pub fn sanitize(text: &str) -> Cow<'_, str> {
    run(text, false)
}

/// [`sanitize`] for places of one line: line feeds become `⏎`, tabs a space.
pub fn sanitize_line(text: &str) -> Cow<'_, str> {
    run(text, true)
}

fn run(text: &str, line: bool) -> Cow<'_, str> {
    let Some(first) = next_suspect(text, 0, line) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::new();
    let mut copied = 0;
    let mut at = Some(first);
    while let Some(found) = at {
        out.reserve(text.len().saturating_sub(copied));
        out.push_str(text.get(copied..found.at).unwrap_or_default());
        found.write(text, line, &mut out);
        copied = found.end;
        at = next_suspect(text, copied, line);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// A stretch that has to be replaced.
struct Suspect {
    at: usize,
    end: usize,
}

impl Suspect {
    fn write(&self, text: &str, line: bool, out: &mut String) {
        let stretch = text.get(self.at..self.end).unwrap_or_default();
        if stretch == "\r\n" {
            out.push(if line { '⏎' } else { '\n' });
            return;
        }
        for c in stretch.chars() {
            match c {
                '\n' => out.push('⏎'),
                '\t' => out.push(' '),
                '\0'..='\x1f' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('␀')),
                '\x7f' => out.push('␡'),
                // Writing to a string cannot fail.
                _ => _ = write!(out, "⟨U+{:04X}⟩", u32::from(c)),
            }
        }
    }
}

/// The next stretch from `from` on that cannot stay.
fn next_suspect(text: &str, from: usize, line: bool) -> Option<Suspect> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        // Most text is printable ASCII: whole blocks are passed at once.
        while bytes.get(at..at + 32).is_some_and(|block| !block.iter().fold(false, |bad, &b| bad | is_odd(b)))
        {
            at += 32;
        }
        at += bytes.get(at..)?.iter().position(|&b| is_odd(b))?;
        match *bytes.get(at)? {
            b'\n' | b'\t' if !line => at += 1,
            b'\r' if bytes.get(at + 1) == Some(&b'\n') => return Some(Suspect { at, end: at + 2 }),
            0..=0x1f | 0x7f => return Some(Suspect { at, end: at + 1 }),
            _ => {
                let c = text.get(at..)?.chars().next()?;
                let end = at + c.len_utf8();
                match c {
                    '\u{e0000}'..='\u{e007f}' => {
                        let end = end_of_tags(text, at);
                        if !is_flag(text, at, end) {
                            return Some(Suspect { at, end });
                        }
                        at = end;
                    }
                    // One selector chooses a shape; more of them only carry hidden data.
                    _ if is_selector(c) && before(text, at).is_some_and(is_selector) => {
                        return Some(Suspect { at, end });
                    }
                    _ if is_unseen(c) => return Some(Suspect { at, end }),
                    _ => at = end,
                }
            }
        }
    }
}

/// Anything but printable ASCII.
const fn is_odd(b: u8) -> bool {
    b.wrapping_sub(0x20) > 0x5e
}

fn before(text: &str, at: usize) -> Option<char> {
    text.get(..at)?.chars().next_back()
}

const fn is_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// C1 controls, bidi controls and what takes no place at all.
const fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
        | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}')
}

fn end_of_tags(text: &str, at: usize) -> usize {
    let tags = text.get(at..).unwrap_or_default().chars();
    at + tags.take_while(|c| matches!(c, '\u{e0000}'..='\u{e007f}')).map(char::len_utf8).sum::<usize>()
}

/// Whether the tags from `at` to `end` belong to a flag emoji: after a black flag, letters and digits, one end mark.
fn is_flag(text: &str, at: usize, end: usize) -> bool {
    const MOST: usize = 4 * 8;
    if before(text, at) != Some(FLAG) || end - at > MOST {
        return false;
    }
    let Some(name) = text.get(at..end).and_then(|t| t.strip_suffix(CANCEL_TAG)) else {
        return false;
    };
    !name.is_empty()
        && name.chars().all(|c| matches!(c, '\u{e0030}'..='\u{e0039}' | '\u{e0061}'..='\u{e007a}'))
}
