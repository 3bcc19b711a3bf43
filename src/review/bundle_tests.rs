use jiff::Timestamp;

use super::*;
use crate::record::{Condition, Verdict};
use crate::review::{Notes, Stamp};

fn say(notes: &mut Notes, key: &Key, act: Act) {
    let at: Timestamp = "2025-11-13T10:00:00Z".parse().unwrap();
    let entry =
        notes.entry(Stamp { id: notes.len().to_string(), at, by: "ann".into() }, key.clone(), "h", act);
    notes.add(entry).unwrap();
}

fn with_rows(check: impl FnOnce(&[Exported<'_>], &Codebook)) {
    let mut notes = Notes::default();
    let (q, r) = (Key::pair("q", "m", 1), Key::pair("r", "m", 2));
    let others = vec!["over-trust".to_owned(), "bad-query".into()];
    let note = "=SUM(A1) said\n\"it\" | *so*".to_owned();
    say(
        &mut notes,
        &q,
        Act::Coded { primary: Some("bad-query".into()), others, note, codebook: 1, settles: vec![] },
    );
    say(&mut notes, &r, Act::Deferred { note: "later".into() });
    let side = q.side(Condition::WithSearch);
    say(&mut notes, &side, Act::Verdict { verdict: Verdict::Right, reason: "same".into() });
    let mut book = Codebook::starter();
    let mut poor = book.get("bad-query").unwrap().clone();
    poor.id = "poor-query".into();
    book.change("bad-query", poor).unwrap();
    let question = Question {
        id: "q".into(),
        question: "Who <b>was</b> it?".into(),
        references: vec!["-1".into(), "B".into()],
        ..Question::default()
    };
    let with = Attempt { answer: Some("@x".into()), confidence: Some(0.95), ..Attempt::default() };
    let row = |key| Exported {
        key,
        question: &question,
        no: None,
        with: Some(&with),
        transition: Transition::Broken,
        reviewed: Transition::Preserved,
        coding: notes.coding(key),
        verdicts: notes.verdict(&key.side(Condition::WithSearch)).into_iter().collect(),
        added: Vec::new(),
        is_changed: *key == r,
        weight: Some(2.5),
    };
    check(&[row(&q), row(&r)], &book);
}

#[test]
fn csv_is_safe_in_a_spreadsheet_and_reads_back() {
    with_rows(|rows, book| {
        let text = to_csv(rows, book);
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), COLUMNS);
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let cell = |row: usize, name: &str| {
            records[row].get(COLUMNS.iter().position(|c| *c == name).unwrap()).unwrap().to_owned()
        };
        assert_eq!(cell(0, "note"), "'=SUM(A1) said\n\"it\" | *so*");
        assert_eq!(cell(0, "answer.with"), "'@x");
        assert_eq!(cell(0, "references"), "'-1 | B");
        assert_eq!((cell(0, "primary"), cell(0, "others")), ("poor-query".into(), "over-trust".into()));
        assert_eq!((cell(0, "at"), cell(0, "weight")), ("2025-11-13T10:00:00.000Z".into(), "2.5".into()));
        assert_eq!(cell(0, "overrides"), "with_search: right by ann: same");
        assert_eq!(
            (cell(1, "state"), cell(1, "codebook"), cell(1, "changed")),
            ("deferred".into(), String::new(), "true".into())
        );
        assert_eq!(cell(1, "conf.with"), "0.95");
    });
    assert_eq!(to_csv(&[], &Codebook::starter()).lines().count(), 1);
}

#[test]
fn json_lines_hold_the_notes_as_written() {
    with_rows(|rows, book| {
        let lines: Vec<Value> =
            to_jsonl(rows, book).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["primary"], "poor-query");
        assert_eq!(lines[0]["line"]["primary"], "bad-query");
        assert_eq!(lines[0]["reviewed"], "preserved");
        assert_eq!(lines[0]["no"], Value::Null);
        assert_eq!(lines[0]["overrides"][0]["reason"], "same");
        assert_eq!(lines[1]["state"], "deferred");
    });
}

#[test]
fn markdown_reads_as_it_was_meant() {
    with_rows(|rows, book| {
        let text = to_markdown("Broken", rows, book, |row| format!("## body of {}", row.key.question_id));
        for part in [
            "# Broken\n\n1 coded row, 1 deferred, codebook version 2.\n",
            "| bad query | The query is too vague",
            " | 1 |\n",
            "\n# Who &lt;b&gt;was&lt;/b&gt; it?\n",
            "- code: **bad query**\n- also: over-trust of search\n",
            "- graded broken, reviewed **preserved**\n",
            "- override, with_search: right by ann: same\n",
            "\n> =SUM(A1) said\n> \"it\" \\| \\*so\\*\n",
            "\n## body of q\n",
            "- code: deferred\n",
            "- **the answers changed since this was written**\n",
        ] {
            assert!(text.contains(part), "{part}\n---\n{text}");
        }
    });
}
