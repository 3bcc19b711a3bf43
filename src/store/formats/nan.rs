//! JSON as Python writes it, made readable for a strict parser.
//!
//! Python's `json` writes `NaN`, `Infinity` and `-Infinity` where a number is not finite, and escapes half a
//! surrogate pair as it stands. Strict parsers refuse the whole text for either.

use std::borrow::Cow;

use memchr::memmem;

/// The text with every `NaN`, `Infinity` and `-Infinity` outside of strings replaced by `null`; borrowed when there is
/// none.
pub(crate) fn without_nan(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    if memmem::find(bytes, b"NaN").is_none() && memmem::find(bytes, b"Infinity").is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr3(b'"', b'N', b'I', bytes.get(at..).unwrap_or_default()) {
        let here = at + found;
        let rest = bytes.get(here..).unwrap_or_default();
        if rest.first() == Some(&b'"') {
            at = end_of_string(bytes, here + 1);
            continue;
        }
        let Some(word) = [&b"NaN"[..], b"Infinity"].into_iter().find(|w| rest.starts_with(w)) else {
            at = here + 1;
            continue;
        };
        let negative = here > copied && bytes.get(here - 1) == Some(&b'-');
        out.push_str(text.get(copied..here - usize::from(negative)).unwrap_or_default());
        out.push_str("null");
        at = here + word.len();
        copied = at;
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// The place after the quote that ends the string whose content begins at `at`.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found;
        if bytes.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// The text with every escaped half of a surrogate pair replaced by an escaped U+FFFD; borrowed when there is none.
pub(crate) fn without_lone_surrogates(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = memchr::memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
        let here = at + found;
        match surrogate(bytes, here) {
            Some(unit) if unit < 0xdc00 && surrogate(bytes, here + 6).is_some_and(|low| low >= 0xdc00) => {
                at = here + 12;
            }
            Some(_) => {
                out.push_str(text.get(copied..here).unwrap_or_default());
                out.push_str("\\ufffd");
                at = here + 6;
                copied = at;
            }
            None => at = here + 2,
        }
    }
    if copied == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    Cow::Owned(out)
}

/// The surrogate that is escaped at `at`, as `\uD83D`.
fn surrogate(bytes: &[u8], at: usize) -> Option<u16> {
    let digits = bytes.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let unit = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    (0xd800..0xe000).contains(&unit).then_some(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_become_null_and_strings_stay() {
        let text = r#"{"a":NaN,"NaN":"NaN \" NaN","b":[-Infinity,Infinity],"c":"\\","d":NaN}"#;
        assert_eq!(without_nan(text), r#"{"a":null,"NaN":"NaN \" NaN","b":[null,null],"c":"\\","d":null}"#);
        assert!(matches!(without_nan(r#"{"a":"NaN"}"#), Cow::Borrowed(_)));
        assert!(matches!(without_nan(r#"{"a":1}"#), Cow::Borrowed(_)));
        assert_eq!(without_nan("NaN"), "null");
        assert_eq!(without_nan("-Infinity"), "null");
        assert_eq!(without_nan("[\"open NaN"), "[\"open NaN");
    }

    #[test]
    fn halves_of_pairs_are_replaced() {
        assert_eq!(
            without_lone_surrogates(r#""\ud83d\ude00 \ud83d x \ude00""#),
            r#""\ud83d\ude00 \ufffd x \ufffd""#
        );
        assert_eq!(without_lone_surrogates(r#""\\ud83d""#), r#""\\ud83d""#);
        assert!(matches!(without_lone_surrogates("\"plain \\n é\""), Cow::Borrowed(_)));
        assert_eq!(without_lone_surrogates("\\ud83d"), "\\ufffd");
        assert_eq!(without_lone_surrogates("\\"), "\\");
    }
}
