use serde_json::json;

use super::*;
use crate::record::{
    Attempt, Condition, ErrorInfo, Question, Scorer, SearchCall, SearchResult, Usage, Verdict,
};
use crate::store::{Brief, Bundle, Reader, Table, table_of};

fn question(id: &str, text: &str, reference: &str) -> Question {
    Question {
        id: id.into(),
        split: Some("static".into()),
        question: text.into(),
        references: vec![reference.into()],
        key_date: Some("1988".into()),
        topic: Some("sport".into()),
        ..Question::default()
    }
}

fn attempt(id: &str, condition: Condition, answer: &str, confidence: f64) -> Attempt {
    let searched = condition == Condition::WithSearch;
    Attempt {
        schema: crate::record::SCHEMA.into(),
        question_id: id.into(),
        model: "m".into(),
        condition,
        attempt: 1,
        answer: Some(answer.into()),
        confidence: Some(confidence),
        search_calls: if searched {
            vec![SearchCall { query: Some("q".into()), ..SearchCall::default() }]
        } else {
            vec![]
        },
        source: Some("live".into()),
        ..Attempt::default()
    }
}

fn broken() -> (Table, Reader, Bundle) {
    let no = Attempt {
        latency_ms: Some(1_400.0),
        cost_usd: Some(0.0001),
        usage: Usage { input_tokens: Some(100), output_tokens: Some(55), ..Usage::default() },
        ..attempt("Q4", Condition::NoSearch, "Patrik Sjöberg", 0.8)
    };
    let with = Attempt {
        cost_usd: Some(1.25),
        usage: Usage { input_tokens: Some(12_400), output_tokens: Some(0), ..Usage::default() },
        ..attempt("Q4", Condition::WithSearch, "Javier | Sotomayor", 0.95)
    };
    let (table, reader) = table_of(&[question("Q4", "Who held\nit?", "Patrik Sjöberg")], &[no, with]);
    let bundle = reader.bundle(&table, 0).unwrap();
    (table, reader, bundle)
}

#[test]
fn cells_of_a_pair() {
    let (table, _reader, bundle) = broken();
    let cell = |c| cell(&table, 0, Some(&Brief::from(&bundle)), c, Scorer::Normalized);
    for (column, text) in [
        (Column::Transition, "✓→✗ broken"),
        (Column::Id, "Q4"),
        (Column::Question, "Who held⏎it?"),
        (Column::References, "Patrik Sjöberg"),
        (Column::AnswerNo, "✓ Patrik Sjöberg"),
        (Column::AnswerWith, "✗ Javier | Sotomayor"),
        (Column::Conf, ".80→.95"),
        (Column::Dconf, "+.15"),
        (Column::Calls, "1"),
        (Column::Model, "m"),
        (Column::Run, "–"),
        (Column::Split, "static"),
        (Column::Topic, "sport"),
        (Column::KeyDate, "1988"),
        (Column::Attempt, "1"),
        (Column::Latency, "1.4s→–"),
        (Column::Cost, "$.0001→$1.25"),
        (Column::Tokens, "155→12.4k"),
        (Column::Verdict, "✓→✗"),
        (Column::Error, "–"),
        (Column::Source, "live"),
    ] {
        assert_eq!(cell(column), text, "{column:?}");
    }
}

#[test]
fn cells_without_a_record_come_from_the_table() {
    let (table, _reader, _) = broken();
    let cell = |c| cell(&table, 0, None, c, Scorer::Normalized);
    assert_eq!(cell(Column::Question), "who held it?");
    assert_eq!(cell(Column::AnswerNo), "✓ patrik sjoberg");
    assert_eq!(cell(Column::Conf), ".80→.95");
}

#[test]
fn a_side_that_was_not_asked_or_failed_says_so() {
    let failed = Attempt {
        answer: None,
        confidence: None,
        error: Some(ErrorInfo { kind: "overloaded".into(), message: "529".into() }),
        ..attempt("a", Condition::WithSearch, "", 0.0)
    };
    let (table, reader) = table_of(&[question("a", "?", "x")], &[failed]);
    let bundle = reader.bundle(&table, 0).unwrap();
    for bundle in [Some(&bundle), None] {
        let brief = bundle.map(Brief::from);
        let cell = |c| cell(&table, 0, brief.as_ref(), c, Scorer::Normalized);
        assert_eq!(cell(Column::AnswerNo), "–");
        assert_eq!(cell(Column::AnswerWith), "! (overloaded)");
        assert_eq!(cell(Column::Conf), "–");
        assert_eq!(cell(Column::Error), "–→overloaded");
        assert_eq!(cell(Column::Verdict), "–→!");
        assert_eq!(cell(Column::Transition), " –  unpaired");
    }
}

#[test]
fn the_row_has_what_is_promised() {
    let (table, _reader, bundle) = broken();
    let row = row_json(&table, 0, &bundle, Scorer::Normalized).unwrap();
    let keys: Vec<&str> = row.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "question_id",
            "split",
            "question",
            "references",
            "model",
            "run",
            "attempt",
            "transition",
            "outcome",
            "dconf",
            "calls",
            "no",
            "with",
            "source"
        ]
    );
    assert_eq!(row["dconf"], 0.15);
    assert_eq!(row["outcome"], "harmful");
    assert_eq!(
        row["with"],
        json!({"answer": "Javier | Sotomayor", "confidence": 0.95, "correct": false, "verdict": "wrong", "calls": 1, "error": null})
    );
    assert!(row_json(&table, 7, &bundle, Scorer::Normalized).is_none());
}

#[test]
fn fields_have_the_names_of_their_column() {
    let (table, _reader, bundle) = broken();
    for column in Column::ALL {
        let names: Vec<&str> =
            fields(&table, 0, &bundle, column, Scorer::Normalized).map(|(name, _)| name).collect();
        assert_eq!(names, column.field_names(), "{column:?}");
    }
}

#[test]
fn columns_are_found_by_every_name() {
    for column in Column::ALL {
        assert_eq!(Column::parse(column.id()), Some(column));
        assert!(!column.title().is_empty() && column.width_hint() >= 3);
    }
    assert_eq!(Column::parse("q"), Some(Column::Question));
    assert_eq!(Column::parse("nope"), None);
}

#[test]
fn every_sort_field_can_be_sorted_by() {
    for field in Column::ALL.into_iter().filter_map(Column::sort_field) {
        assert!(crate::query::parse_sort(field).is_ok(), "{field}");
    }
}

#[test]
fn numbers_are_short() {
    use super::cell::{dollars, fraction, seconds, signed, thousands};
    assert_eq!([0.8, 1.0, 0.0, 0.999].map(fraction), [".80", "1.0", ".00", "1.0"]);
    assert_eq!([0.15, -0.05, 0.0, -1.0, 0.001].map(signed), ["+.15", "−.05", "±.00", "−1.0", "±.00"]);
    assert_eq!([400, 9_949, 12_000, 99_600, 185_000].map(seconds), ["0.4s", "9.9s", "12s", "1m40s", "3m05s"]);
    assert_eq!([0.0103, 1.25, 0.0].map(dollars), ["$.0103", "$1.25", "$.0000"]);
    assert_eq!([9_999, 12_400, 1_234_567].map(thousands), ["9999", "12.4k", "1.2M"]);
    let marks: std::collections::BTreeSet<&str> = Verdict::ALL.map(mark).into_iter().collect();
    assert_eq!(marks.len(), Verdict::ALL.len());
    assert!(marks.iter().all(|m| crate::text::width(m) == 1));
}

#[test]
fn ids_are_found_whatever_their_form() {
    let again = Attempt { attempt: 2, ..attempt("a:1", Condition::NoSearch, "x", 0.5) };
    let other = Attempt { attempt: 2, ..attempt("B", Condition::NoSearch, "x", 0.5) };
    let (table, _reader) = table_of(
        &[],
        &[
            attempt("a:1", Condition::NoSearch, "x", 0.5),
            again,
            attempt("B", Condition::NoSearch, "x", 0.5),
            other,
        ],
    );
    assert_eq!(find(&table, "a:1").len(), 1);
    assert_eq!(find(&table, "a:1")[0].pairs.len(), 2);
    assert_eq!(find(&table, "A:1:2")[0].pairs.len(), 1);
    let second = &find(&table, "b:2")[0];
    assert_eq!(table.pairs.get(second.pairs[0] as usize).unwrap().attempt, 2);
    assert_eq!(find(&table, "b").len(), 1);
    for none in ["c", "a", "b:x", ""] {
        assert_eq!(find(&table, none), [], "{none}");
    }
    assert!(find(&table, "b:9")[0].pairs.is_empty());
}

#[test]
fn markdown_tells_everything_and_lets_nothing_out() {
    let (table, _reader, bundle) = broken();
    let page = markdown(&table, 0, &bundle, Scorer::Normalized);
    for part in [
        "# Who held⏎it?",
        "- id: Q4",
        "✓→✗ broken (harmful)",
        "| ✗ Javier \\| Sotomayor |",
        ".95 (+.15)",
        "1. search “q”",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    assert!(!page.contains("SIMULATED"));

    let mut no = attempt("a", Condition::NoSearch, "<b>*x*</b>\n| y", 0.5);
    no.raw = Some("text with ```` four\n```\n# no heading".into());
    no.source = Some("simulated".into());
    let mut with = attempt("a", Condition::WithSearch, "x", 0.5);
    with.search_calls = vec![SearchCall {
        results: vec![
            SearchResult {
                url: "https://example.org/a".into(),
                cited: Some(true),
                ..SearchResult::default()
            },
            SearchResult { url: "javascript:alert(1)> <x".into(), ..SearchResult::default() },
        ],
        ..SearchCall::default()
    }];
    let (table, reader) = table_of(&[question("a", "?", "x")], &[no, with]);
    let bundle = reader.bundle(&table, 0).unwrap();
    let page = markdown(&table, 0, &bundle, Scorer::Normalized);
    assert!(page.contains("**SIMULATED**"));
    assert!(page.contains("&lt;b&gt;\\*x\\*&lt;/b&gt;⏎\\| y"), "{page}");
    assert!(page.contains("`````text\ntext with ```` four\n```\n# no heading\n`````"), "{page}");
    assert!(page.contains("cited <https://example.org/a>"), "{page}");
    assert!(!page.contains("<javascript"), "{page}");
}

#[test]
fn json_has_the_records_whole() {
    let (table, _reader, bundle) = broken();
    let value: serde_json::Value =
        serde_json::from_str(&bundle_json(&table, 0, &bundle, Scorer::Normalized)).unwrap();
    assert_eq!(value["question"]["id"], "Q4");
    let pair = &value["pairs"][0];
    assert_eq!((&pair["transition"], &pair["no"]["verdict"]), (&json!("broken"), &json!("right")));
    assert_eq!(pair["with"]["search_calls"][0]["query"], "q");
    assert_eq!(pair["with"]["usage"]["input_tokens"], 12_400);
}

#[test]
fn inline_text_means_nothing_to_markdown() {
    assert_eq!(inline("end_turn _x_ a*b"), "end_turn \\_x\\_ a\\*b");
    assert_eq!(inline(" [a](b) `c`\n| # <i>&"), "\\[a\\](b) \\`c\\`⏎\\| \\# &lt;i&gt;&amp;");
}
