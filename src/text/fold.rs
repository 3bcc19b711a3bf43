//! The form that searching compares.

use unicode_normalization::UnicodeNormalization;

use super::letters::each_folded;

/// Appends the search form of `text`: lower case, compatibility decomposition without diacritics, every control
/// character a space. `Sjöberg` becomes `sjoberg`, `Wałęsa` `walesa`, a line break a space.
pub fn fold(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len());
    let mut start = 0;
    while let Some(rest) = bytes.get(start..).filter(|r| !r.is_empty()) {
        let ascii = rest.iter().position(|b| !b.is_ascii()).unwrap_or(rest.len());
        // A mark that follows takes no part in lower-casing the letter before it, so the run stands alone.
        out.extend(
            rest.iter().take(ascii).map(|&b| if is_control(b) { b' ' } else { b.to_ascii_lowercase() }),
        );
        let other = rest.iter().skip(ascii).position(u8::is_ascii).unwrap_or(rest.len() - ascii);
        if let Some(run) = text.get(start + ascii..start + ascii + other) {
            fold_other(run, out);
        }
        start += ascii + other;
    }
}

/// [`fold`] into a new string.
pub fn folded(text: &str) -> String {
    let mut out = Vec::new();
    fold(text, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

const fn is_control(b: u8) -> bool {
    b < 0x20 || b == 0x7f
}

fn fold_other(run: &str, out: &mut Vec<u8>) {
    let mut buffer = [0; 4];
    for c in run.nfkd() {
        if c.is_control() {
            out.push(b' ');
        } else {
            each_folded(c, |c| out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes()));
        }
    }
}
