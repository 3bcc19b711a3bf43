//! The form that searching compares.

use super::letters::each_folded;
use super::sanitize::sanitize;
use super::width::head;

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

/// [`fold`] of what [`sanitize`] makes of `text`, of which at most `most` bytes are taken: in one pass where there is
/// nothing but printable ASCII, as in most texts.
pub fn fold_untrusted(text: &str, most: usize, out: &mut Vec<u8>) {
    let start = out.len();
    if text.len() <= most {
        out.extend_from_slice(text.as_bytes());
        let mut odd = false;
        for b in out.iter_mut().skip(start) {
            odd |= !matches!(*b, b' '..=b'~');
            *b = b.to_ascii_lowercase();
        }
        if !odd {
            return;
        }
        out.truncate(start);
    }
    fold(head(&sanitize(text), most), out);
}

/// [`fold`] into a new string.
pub fn folded(text: &str) -> String {
    let mut out = Vec::new();
    fold(text, &mut out);
    String::from_utf8(out).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn untrusted_text_is_sanitised_cut_and_folded(text in "[ -~\n\u{202e}łÉ日]{0,80}", most in 0_usize..90) {
            let (mut once, mut twice) = (b"x".to_vec(), b"x".to_vec());
            fold_untrusted(&text, most, &mut once);
            fold(head(&sanitize(&text), most), &mut twice);
            prop_assert_eq!(once, twice);
        }
    }
}
