//! Whatever a writer of JSON escapes, a text that is there is found, and nothing is sure that is not there.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::{Needle, any_in_json, key_in_json, lower};

/// A JSON string with each character written in one of its ways, chosen by `ways`.
fn written(text: &str, ways: &[u8]) -> String {
    let mut out = String::from("\"");
    for (i, c) in text.chars().enumerate() {
        let way = ways.get(i % ways.len().max(1)).copied().unwrap_or(0);
        let short = match c {
            '"' => Some("\\\""),
            '\\' => Some("\\\\"),
            '/' => Some("\\/"),
            '\n' => Some("\\n"),
            '\t' => Some("\\t"),
            '\r' => Some("\\r"),
            '\u{8}' => Some("\\b"),
            '\u{c}' => Some("\\f"),
            _ => None,
        };
        let must = c < ' ' || c == '"' || c == '\\';
        match (way % 4, short) {
            (0, _) | (1, None) if !must => out.push(c),
            (0 | 1, Some(short)) => out.push_str(short),
            (way, _) => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ =
                        if way == 2 { write!(out, "\\u{unit:04x}") } else { write!(out, "\\u{unit:04X}") };
                }
            }
        }
    }
    out.push('"');
    out
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-fnrtu0-9\\\\\"/kKſẞßÅåΣσς東😀\u{1}\n é]{0,12}",
        prop::sample::select(&["Kelvin", "straße", "u00e9", "\\n", "\\\\u0041", "nnn", "ΑΣ", "\u{212a}"][..])
            .prop_map(str::to_owned),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_text_that_is_there_is_found(
        before in text(), needle in text(), after in text(), ways in prop::collection::vec(any::<u8>(), 1..9),
        upper in any::<bool>(),
    ) {
        let there = if upper { needle.to_uppercase() } else { needle.clone() };
        let whole = format!("{before}{there}{after}");
        let line = written(&whole, &ways);
        prop_assert_eq!(&serde_json::from_str::<String>(&line).unwrap(), &whole);
        let is_there = lower(&whole).contains(&lower(&needle));
        if is_there {
            prop_assert!(any_in_json([lower(&needle).as_str()]).unwrap().is_match(line.as_bytes()), "{}", line);
        }
        if Needle::new(&lower(&needle)).unwrap().is_surely_in(line.as_bytes()) && !needle.is_empty() {
            // The quotes around the text are no part of it, and cannot be found either.
            prop_assert!(is_there, "{:?} in {}", needle, line);
        }
    }

    #[test]
    fn what_is_sure_is_there(whole in text(), needle in text(), ways in prop::collection::vec(any::<u8>(), 1..9)) {
        let line = written(&whole, &ways);
        if !needle.is_empty() && Needle::new(&lower(&needle)).unwrap().is_surely_in(line.as_bytes()) {
            prop_assert!(lower(&whole).contains(&lower(&needle)), "{:?} in {}", needle, line);
        }
    }

    #[test]
    fn a_name_is_found(name in text(), ways in prop::collection::vec(any::<u8>(), 1..9)) {
        let line = format!("{{\"x\":1, {}: 2}}", written(&name, &ways));
        prop_assert!(key_in_json(&name).unwrap().is_match(line.as_bytes()), "{}", line);
    }
}
