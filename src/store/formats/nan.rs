//! JSON as Python writes it, made readable for a strict parser.
//!
//! Python's `json` writes `NaN`, `Infinity` and `-Infinity` where a number is not finite; a strict parser refuses the
//! whole text for one of them. This is for large texts of which only parts are read; a single line is mended as a whole
//! (`store::mend`).

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
}
