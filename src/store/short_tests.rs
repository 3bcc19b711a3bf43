//! The fast way and the slow way read every line alike.

use std::borrow::Cow;

use proptest::prelude::*;

use super::*;
use crate::store::fields::Fields;
use crate::store::store_tests::shared;
use crate::text::{sanitize, sanitize_line};

/// What both ways must agree on, as text.
fn told(short: Result<Short<'_>, String>) -> String {
    let line = |s: &Option<Cow<'_, str>>| s.as_ref().map(|s| sanitize_line(s).into_owned());
    match short {
        Err(e) => format!("left out: {e}"),
        Ok(Short::Question(q)) => format!(
            "question {:?} {:?} {:?} {:?} {:?} {:?}",
            sanitize_line(&q.id),
            sanitize(&q.question),
            q.references.list(),
            line(&q.split),
            line(&q.topic),
            line(&q.key_date)
        ),
        Ok(Short::Attempt(a)) => format!(
            "attempt {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {:?} {:?}",
            sanitize_line(&a.id),
            a.question.as_deref().map(sanitize),
            a.references.list(),
            line(&a.run),
            line(&a.split),
            line(&a.provider),
            line(&a.model),
            line(&a.source),
            line(&a.stop),
            line(&a.error),
            a.condition,
            a.attempt,
            a.answer.as_deref().map(sanitize),
            AttemptRow::pack_confidence(a.confidence),
            a.latency_ms,
            AttemptRow::pack_cost(a.cost_usd),
            a.tokens,
            a.correct,
            a.calls,
            a.opened,
            a.queries.iter().map(|q| sanitize(q)).collect::<Vec<_>>(),
            a.doubts
        ),
    }
}

use crate::store::table::AttemptRow;

/// Whether the fast way took the line; panics when the slow way reads it otherwise.
fn agree(line: &str) -> bool {
    let mut fields = Fields::default();
    if fields.scan(line).is_none() {
        return false;
    }
    let fast = told(from_fields(&mut fields, None));
    let slow = told(read_slowly(line.as_bytes(), None));
    assert_eq!(fast, slow, "line {line}");
    true
}

#[test]
fn every_line_of_the_shared_files_is_read_fast_and_alike() {
    let files = [
        "golden/haiku.results.jsonl",
        "golden/edge.results.jsonl",
        "starter/sample.results.jsonl",
        "starter/static.jsonl",
        "starter/dynamic.jsonl",
    ];
    for name in files {
        let Some(path) = shared(name) else { return };
        let text = std::fs::read_to_string(path).unwrap();
        for line in text.lines() {
            assert!(agree(line), "{name} falls back: {line}");
        }
    }
}

#[test]
fn odd_spellings_are_read_alike() {
    let base = r#""question_id":"q","model":"m","condition":"no_search""#;
    let odd = [
        r#""answer":1.50"#,
        r#""answer":1e999"#,
        r#""answer":-0"#,
        r#""answer":["a"]"#,
        r#""answer":true"#,
        r#""answer":"","raw":"Answer: x""#,
        r#""answer":null,"raw":"Answer: x\nConfidence: 80%""#,
        r#""answer":null,"confidence":null,"raw":"Answer: x\nConfidence: 80%""#,
        r#""raw":"Answer: x","error":{"type":"overloaded_error"}"#,
        r#""confidence":"85%""#,
        r#""confidence":85"#,
        r#""confidence":1.7"#,
        r#""confidence":-2"#,
        r#""confidence":NaN"#,
        r#""confidence":NaN,"answer":NaN,"error":NaN"#,
        r#""confidence":NaN,"confidence":0.5"#,
        r#""confidence":0.5,"confidence":-Infinity"#,
        r#""confidence":1e999,"raw":"Answer: x\nConfidence: 80%""#,
        r#""confidence":null,"answer":NaN"#,
        r#""confidence":"NaN""#,
        r#""confidence":true"#,
        r#""confidence":" ""#,
        r#""references":"a | b |  | c""#,
        r#""references":[1.50, 2, null, true, "x | y", ["z"]]"#,
        r#""references":{"a":1}"#,
        r#""references":7"#,
        r#""correct":"C""#,
        r#""correct":"I""#,
        r#""correct":1"#,
        r#""correct":0.0"#,
        r#""correct":"maybe""#,
        r#""latency_ms":"1234""#,
        r#""latency_ms":-5"#,
        r#""latency_ms":Infinity"#,
        r#""cost_usd":9.5e-05"#,
        r#""attempt":70000"#,
        r#""attempt":"2""#,
        r#""attempt":1.5"#,
        r#""attempt":-1"#,
        r#""attempt":0"#,
        r#""error":"""#,
        r#""error":false"#,
        r#""error":"rate_limited""#,
        r#""error":"Something went wrong.""#,
        r#""error":{}"#,
        r#""error":{"code":429}"#,
        r#""error":{"kind":"a"},"error":null"#,
        r#""usage":{"input_tokens":"12","output_tokens":3.4}"#,
        r#""usage":{"input_tokens":1},"usage":{"output_tokens":2}"#,
        r#""usage":[1]"#,
        r#""search_calls":null"#,
        r#""search_calls":["one","",2,null,[3]]"#,
        r#""search_calls":[{"query":"a","queries":[]},{"queries":["b",null,""],"query":"c"},{"query":{"q":1}}]"#,
        r#""search_calls":[{"kind":"open_page","url":"u"},{"kind":null},{"kind":"web_search"},{"kind":"new"}]"#,
        r#""search_calls":[{"query":"a"}],"search_calls":[]"#,
        r#""question":"a\u0000b\ud83d\ude00\ud83d c""#,
        r#""question":"\x and \q""#,
        r#""run_id":12345678901234567890"#,
        r#""run_id":{"a":1}"#,
        r#""stop":"max_tokens""#,
        r#""question_id":null"#,
        r#""question_id":17"#,
        r#""question_id":1e3"#,
        r#""model":null"#,
        r#""condition":"maybe""#,
        r#""condition":null"#,
        "\"question\":\"tab\there and \u{1b} and \u{202e}\"",
    ];
    let mut fast = 0;
    for more in odd {
        fast += u32::from(agree(&format!("{{{base},{more}}}")));
        fast += u32::from(agree(&format!(" {{ {more} , {base} }} ")));
    }
    // Few enough go the slow way for this to be about both.
    assert!(fast > 80, "{fast}");
}

fn scalar() -> impl Strategy<Value = String> {
    let words = [
        "",
        " ",
        "85%",
        "0.85",
        "a | b",
        "true",
        "C",
        "I",
        "no_search",
        "with search",
        "3.5",
        "max_tokens",
        "Answer: x",
        r"\n",
        r"\u00e9",
        r"\ud83d\ude00",
        r"\ud83d",
        r"\x",
        r"\\",
        r#"\""#,
        r"\u12",
        "é",
        "東京",
        "\u{202e}",
        "\t",
        "\u{1b}",
        "\u{7f}",
    ];
    let string = prop::collection::vec(prop::sample::select(words.to_vec()), 0..3)
        .prop_map(|parts| format!("\"{}\"", parts.concat()));
    let bare = [
        "null",
        "true",
        "false",
        "0",
        "1",
        "-0",
        "85",
        "0.85",
        "1.50",
        "1.7",
        "-2",
        "1e-05",
        "1E3",
        "1e999",
        "70000",
        "12345678901234567890",
        "NaN",
        "Infinity",
        "-Infinity",
    ];
    prop_oneof![string, prop::sample::select(bare.to_vec()).prop_map(str::to_owned)]
}

const KEYS: &[&str] = &[
    "run_id",
    "question_id",
    "id",
    "split",
    "question",
    "references",
    "provider",
    "model",
    "condition",
    "attempt",
    "answer",
    "confidence",
    "raw",
    "cost_usd",
    "latency_ms",
    "stop",
    "source",
    "correct",
    "topic",
    "key_date",
    "error",
    "usage",
    "search_calls",
    "kind",
    "type",
    "code",
    "input_tokens",
    "output_tokens",
    "query",
    "queries",
    "results",
    "other",
    "é",
];

fn value() -> impl Strategy<Value = String> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        let space = prop::sample::select(vec!["", " ", "\t"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(","))),
            (prop::collection::vec((prop::sample::select(KEYS), inner), 0..4), space)
                .prop_map(|(v, s)| object(&v, s)),
        ]
    })
}

fn object(fields: &[(&'static str, String)], space: &str) -> String {
    let fields: Vec<_> =
        fields.iter().map(|(k, v)| format!("{space}\"{k}\"{space}:{space}{v}{space}")).collect();
    format!("{{{}}}", fields.join(","))
}

fn line() -> impl Strategy<Value = String> {
    let fields = prop::collection::vec((prop::sample::select(KEYS), value()), 0..8);
    (fields, any::<bool>(), prop::sample::select(vec!["", " "])).prop_map(|(mut fields, whole, space)| {
        if whole {
            fields.insert(0, ("question_id", "\"q\"".to_owned()));
            fields.push(("condition", "\"no_search\"".to_owned()));
        }
        object(&fields, space)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_lines_are_read_alike(line in line()) {
        agree(&line);
    }

    #[test]
    fn broken_lines_are_read_alike(line in line(), at in any::<prop::sample::Index>(), with in "[\"\\\\{}\\[\\],:0-9eE.\\- ]?") {
        let mut chars: Vec<char> = line.chars().collect();
        let at = at.index(chars.len());
        chars.splice(at..=at, with.chars());
        agree(&chars.into_iter().collect::<String>());
    }

    #[test]
    fn any_text_is_read_or_refused(line in "\\PC*") {
        agree(&line);
        let _ = read_slowly(line.as_bytes(), None);
    }

    #[test]
    fn any_bytes_are_read_or_refused(line in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_slowly(&line, None);
    }
}

#[test]
fn nesting_without_end_is_refused() {
    for open in ["[", "{\"a\":", "{\"question_id\":["] {
        let line = open.repeat(200_000);
        assert!(!agree(&line));
        assert!(read_slowly(line.as_bytes(), None).is_err());
    }
    let deep = format!(
        "{{\"question_id\":\"q\",\"model\":\"m\",\"condition\":\"no_search\",\"x\":{}{}}}",
        "[".repeat(110),
        "]".repeat(110)
    );
    assert!(!agree(&deep));
    assert!(read_slowly(deep.as_bytes(), None).is_ok());
}
