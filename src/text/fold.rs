//! The form that searching compares.

use super::letters::each_folded;

/// Appends the search form of `text`: lower case, compatibility decomposition without diacritics, every control
/// character a space. `Sjöberg` becomes `sjoberg`, `Wałęsa` `walesa`, a line break a space.
pub fn fold(text: &str, out: &mut Vec<u8>) {
    let start = out.len();
    if text.is_ascii() {
        out.extend_from_slice(text.as_bytes());
        for b in out.iter_mut().skip(start) {
            *b = if *b < 0x20 || *b == 0x7f { b' ' } else { b.to_ascii_lowercase() };
        }
        return;
    }
    out.reserve(text.len());
    let mut buffer = [0; 4];
    each_folded(text, |c| {
        if c.is_ascii() {
            out.push(if c.is_control() { b' ' } else { c as u8 });
        } else if c.is_control() {
            out.push(b' ');
        } else {
            out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
        }
    });
}

/// [`fold`] into a new string.
pub fn folded(text: &str) -> String {
    let mut out = Vec::new();
    fold(text, &mut out);
    String::from_utf8(out).unwrap_or_default()
}
