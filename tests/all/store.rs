//! Opening files: what becomes rows, what becomes pairs, what can be read back.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use lookitup::record::{Attempt, Condition, Question, Scorer, State, Transition};
use lookitup::store::{Brief, Input, NO, OpenOptions, Reader, Severity, Store, Table, sample, table_of};

use super::common::beside;

/// A folder for the files of a test.
pub(crate) fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// Writes a file and gives its path.
pub(crate) fn write(folder: &tempfile::TempDir, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

pub(crate) fn open(paths: &[impl AsRef<Path>]) -> (Store, std::sync::Arc<Table>) {
    open_with(paths, OpenOptions::default())
}

/// What a list shows of a row is what its whole record says, however it was read.
pub(crate) fn assert_briefs(store: &Store, table: &Table) {
    let reader = store.reader();
    for pair in 0..table.pairs.len() as u32 {
        let whole = reader.bundle(table, pair).map(|b| Brief::from(&b));
        assert_eq!(reader.brief(table, pair), whole, "row {pair}");
    }
}

pub(crate) fn open_with(paths: &[impl AsRef<Path>], options: OpenOptions) -> (Store, std::sync::Arc<Table>) {
    let inputs = paths.iter().map(|p| Input::Path(p.as_ref().to_owned())).collect();
    let store = Store::open(inputs, options, || ());
    let table = store.wait();
    (store, table)
}

/// The problems, with paths reduced to file names.
pub(crate) fn problems(table: &Table) -> Vec<String> {
    let name = |p: &Path| p.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let list = table.problems.list.iter();
    list.map(|p| {
        let severity = if p.severity == Severity::Error { "error" } else { "warning" };
        let line = if p.line > 0 { format!(":{}", p.line) } else { String::new() };
        format!("{severity} {}{line}: {}", name(&p.path), p.message)
    })
    .collect()
}

pub(crate) fn counts(table: &Table, scorer: Scorer) -> [usize; 7] {
    Transition::ALL.map(|t| table.pairs.iter().filter(|p| p.transitions[scorer as usize] == t).count())
}

/// An attempt line with the usual fields; `more` is added as it stands.
pub(crate) fn line(id: &str, condition: &str, more: &str) -> String {
    let comma = if more.is_empty() { "" } else { "," };
    format!(r#"{{"question_id":"{id}","model":"m","condition":"{condition}"{comma}{more}}}"#)
}

/// Each row as `id model run attempt: sides`, the sides by the answers of their attempts.
pub(crate) fn rows(table: &Table, reader: &Reader) -> Vec<String> {
    let mut out = Vec::new();
    for row in table.pairs.iter() {
        let side = |at: u32| {
            if at == NO {
                return "-".to_owned();
            }
            assert_eq!(
                table.pairs.get(table.attempts.get(at as usize).unwrap().pair as usize).unwrap().question,
                row.question
            );
            reader.attempt(table, at).unwrap().answer.clone().unwrap_or_default()
        };
        out.push(format!(
            "{} {}: {} {} {}",
            table.question_id(row.question).unwrap(),
            row.attempt,
            side(row.sides[0]),
            side(row.sides[1]),
            side(row.sides[2])
        ));
    }
    out
}

#[test]
fn golden_files_have_the_counts_of_the_independent_implementation() {
    let Some(path) = beside("golden/haiku.results.jsonl") else { return };
    let (_store, table) = open(&[path]);
    assert_eq!(problems(&table), Vec::<String>::new());
    // corrected, preserved, broken, unresolved, not searched, unpaired, incomplete
    for scorer in [Scorer::Recorded, Scorer::Strict, Scorer::Normalized] {
        assert_eq!(counts(&table, scorer), [246, 218, 26, 117, 176, 288, 0]);
    }
    for name in ["haiku", "edge"] {
        let Some(path) = beside(&format!("golden/{name}.results.jsonl")) else { return };
        let Some(expected) = beside(&format!("golden/{name}.expected.json")) else { return };
        let expected: serde_json::Value = serde_json::from_slice(&std::fs::read(expected).unwrap()).unwrap();
        let (_store, table) = open(&[path]);
        for (key, want) in expected.as_object().unwrap() {
            let (model, split) = key.split_once('/').unwrap();
            let model = table.names.models.find(model).unwrap();
            let split = table.names.splits.find(split).unwrap();
            let of = |t: Transition| {
                let rows = table.pairs.iter().filter(|p| p.model == model && table.split(p) == split);
                rows.filter(|p| p.transitions[Scorer::Recorded as usize] == t).count() as u64
            };
            for t in ["corrected", "preserved", "broken", "unresolved", "not_searched"] {
                let want = want["transitions"]["counts"][t].as_u64().unwrap();
                assert_eq!(of(Transition::parse(t).unwrap()), want, "{name} {key} {t}");
            }
            let attempts = table.attempts.iter().filter(|a| a.model == model && a.split == split).count();
            assert_eq!(attempts as u64, want["attempts"].as_u64().unwrap());
        }
    }
}

#[test]
fn the_sample_opens_whole_and_reads_back() {
    let store = Store::open(sample(), OpenOptions::default(), || ());
    let table = store.wait();
    let reader = store.reader();
    assert_eq!(problems(&table), Vec::<String>::new());
    assert_eq!(table.mark(), Some("SIMULATED"));
    assert_eq!(
        table.files.iter().map(|f| f.kind).collect::<Vec<_>>(),
        ["questions", "questions", "attempts"]
    );
    for pair in 0..table.pairs.len() as u32 {
        assert_eq!(reader.cached(&table, pair), None);
        let bundle = reader.bundle(&table, pair).unwrap();
        let row = table.pairs.get(pair as usize).unwrap();
        assert_eq!(table.question_id(row.question), Some(bundle.question.id.as_str()));
        assert_eq!(
            table.question_texts.part(row.question, 1).unwrap(),
            lookitup::text::folded(&bundle.question.question)
        );
        assert!(bundle.question.meta.contains_key("verified_by"));
        for (side, at) in bundle.sides.iter().zip(row.sides) {
            let Some(attempt) = side else { continue };
            let a = table.attempts.get(at as usize).unwrap();
            assert_eq!(attempt.question_id, bundle.question.id);
            assert_eq!(Some(attempt.model.as_str()), table.names.models.word(a.model));
            assert_eq!(attempt.condition, a.condition);
            assert_eq!(attempt.calls(), usize::from(a.calls));
            assert_eq!(State::of_attempt(attempt), a.state);
            let raw = reader.raw_line(&table, at).unwrap();
            assert!(raw.starts_with('{') && raw.ends_with('}'));
        }
        assert_eq!(reader.cached(&table, pair), Some(bundle));
    }
}

#[test]
fn every_thread_count_gives_the_same_table() {
    let Some(path) = beside("golden/edge.results.jsonl") else { return };
    // Long enough for several pieces and threads.
    let text = std::fs::read_to_string(path).unwrap();
    let mut long = String::new();
    for copy in 0..30 {
        long.push_str(&text.replace("\"question_id\": \"", &format!("\"question_id\": \"{copy}-")));
    }
    let folder = folder();
    let path = write(&folder, "long.jsonl", long);
    let all = [1, 2, 7].map(|threads| {
        let (store, table) =
            open_with(&[&path], OpenOptions { threads: Some(threads), ..OpenOptions::default() });
        let rows = rows(&table, &store.reader());
        let lines: Vec<_> =
            table.attempts.iter().map(|a| (a.offset, a.len, a.print, a.pair, a.scored)).collect();
        (rows, lines, problems(&table))
    });
    assert_eq!(all[0].0.len(), all[1].0.len());
    assert!(all[0] == all[1] && all[1] == all[2]);
}

#[test]
fn tables_of_records_go_the_way_of_files() {
    let question = Question {
        id: "Q1".into(),
        question: "Who?".into(),
        references: vec!["Ada".into()],
        split: Some("static".into()),
        ..Question::default()
    };
    let attempt = |condition, answer: &str| Attempt {
        question_id: "Q1".into(),
        model: "m".into(),
        condition,
        attempt: 1,
        answer: Some(answer.into()),
        ..Attempt::default()
    };
    let attempts = [attempt(Condition::NoSearch, "Bob"), attempt(Condition::WithSearch, "ada")];
    let (table, reader) = table_of(&[question.clone()], &attempts);
    assert_eq!(problems(&table), Vec::<String>::new());
    assert_eq!(rows(&table, &reader), ["Q1 1: Bob ada -"]);
    assert_eq!(*reader.question(&table, 0).unwrap(), question);
    assert_eq!(reader.attempt(&table, 1).unwrap().answer.as_deref(), Some("ada"));
    assert_eq!(counts(&table, Scorer::Normalized), [0, 0, 0, 0, 1, 0, 0]);
    // Questions alone can be browsed.
    let (table, reader) = table_of(&[question], &[]);
    assert_eq!(rows(&table, &reader), ["Q1 1: - - -"]);
    assert_eq!(counts(&table, Scorer::Normalized), [0, 0, 0, 0, 0, 1, 0]);
}

#[test]
fn two_files_are_joined_by_question() {
    let folder = folder();
    let no: Vec<_> = (1..=3)
        .map(|n| line(&format!("q{n}"), "no_search", &format!(r#""run_id":"a","answer":"n{n}""#)))
        .collect();
    let with: Vec<_> = (1..=3)
        .rev()
        .map(|n| line(&format!("q{n}"), "with_search", &format!(r#""run_id":"b","answer":"w{n}""#)))
        .collect();
    let a = write(&folder, "a.jsonl", no.join("\n"));
    let b = write(&folder, "b.jsonl", with.join("\r\n"));
    let questions = write(
        &folder,
        "q.jsonl",
        concat!(
            r#"{"id":"q1","question":"One?","references":"n1 | x","split":"static","topic":"t","key_date":1988,"extra":[1]}"#,
            "\n",
            r#"{"id":"q2","question":"Two?","references":["w2"],"split":"static"}"#,
            "\n",
        ),
    );
    // The questions come last, and are read first all the same.
    let (store, table) = open(&[&a, &b, &questions]);
    assert_eq!(problems(&table), Vec::<String>::new());
    let reader = store.reader();
    assert_eq!(rows(&table, &reader), ["q1 1: n1 w1 -", "q2 1: n2 w2 -", "q3 1: n3 w3 -"]);
    let bits: Vec<u8> = table.attempts.iter().map(|a| a.scored).collect();
    assert_eq!(bits, [0xee, 0xe0, 0, 0, 0xee, 0xe0]);
    let q = reader.question(&table, 0).unwrap();
    assert_eq!(
        (q.references.as_slice(), q.key_date.as_deref()),
        (["n1".to_owned(), "x".to_owned()].as_slice(), Some("1988"))
    );
    assert_eq!(q.meta["extra"][0], 1);
    assert_eq!(table.names.topics.word(table.questions.get(0).unwrap().topic), Some("t"));
    // A question that no file has is put together from its attempts.
    let q3 = reader.question(&table, 2).unwrap();
    assert_eq!((q3.id.as_str(), q3.question.as_str()), ("q3", ""));
}

#[test]
fn a_run_pairs_with_itself_first_and_with_others_in_order() {
    let a = |run: &str, condition, n: u32, answer: &str| Attempt {
        question_id: "q".into(),
        run_id: Some(run.into()),
        model: "m".into(),
        condition,
        attempt: n,
        answer: Some(answer.into()),
        ..Attempt::default()
    };
    let (no, with, blocked) = (Condition::NoSearch, Condition::WithSearch, Condition::EvidenceBlocked);
    let check = |attempts: &[Attempt], want: &[&str]| {
        let (table, reader) = table_of(&[], attempts);
        assert_eq!(rows(&table, &reader), want);
        problems(&table)
    };
    // Within a run, in any order; repeats by their numbers.
    assert!(
        check(
            &[a("r", with, 1, "w1"), a("r", no, 2, "n2"), a("r", no, 1, "n1"), a("r", with, 2, "w2")],
            &["q 1: n1 w1 -", "q 2: n2 w2 -"]
        )
        .is_empty()
    );
    // Across runs when alone; a later one of the same condition is a repeat of its own.
    assert!(
        check(
            &[a("r", no, 1, "n"), a("s", with, 1, "w"), a("t", with, 1, "x")],
            &["q 1: n w -", "q 1: - x -"]
        )
        .is_empty()
    );
    assert!(
        check(
            &[a("r", no, 1, "n"), a("s", with, 1, "w"), a("t", with, 1, "x"), a("u", no, 1, "y")],
            &["q 1: n w -", "q 1: y x -"]
        )
        .is_empty()
    );
    // The own run comes first even when another was there before it: from either side.
    assert!(
        check(
            &[a("r", no, 1, "n"), a("s", with, 1, "w"), a("r", with, 1, "v")],
            &["q 1: n v -", "q 1: - w -"]
        )
        .is_empty()
    );
    assert!(
        check(&[a("r", no, 1, "n"), a("s", with, 1, "w"), a("s", no, 1, "m")], &["q 1: n - -", "q 1: m w -"])
            .is_empty()
    );
    // Evidence blocked is a third side: of the same run, of another, or alone until somebody comes.
    assert!(
        check(&[a("r", no, 1, "n"), a("r", with, 1, "w"), a("r", blocked, 1, "b")], &["q 1: n w b"])
            .is_empty()
    );
    assert!(
        check(
            &[a("r", no, 1, "n"), a("r", with, 1, "w"), a("s", blocked, 1, "b"), a("t", blocked, 1, "c")],
            &["q 1: n w b", "q 1: - - c"]
        )
        .is_empty()
    );
    assert!(
        check(&[a("s", blocked, 1, "b"), a("r", no, 1, "n"), a("r", with, 1, "w")], &["q 1: n w b"])
            .is_empty()
    );
    // Numbers have to be the same.
    assert!(check(&[a("r", no, 1, "n"), a("s", with, 2, "w")], &["q 1: n - -", "q 2: - w -"]).is_empty());
    // The same once more is a repeat, and is told.
    let told = check(
        &[
            a("r", no, 1, "n"),
            a("r", with, 1, "w"),
            a("r", no, 1, "m"),
            a("r", with, 1, "v"),
            a("r", no, 2, "o"),
        ],
        &["q 1: n w -", "q 2: m v -", "q 3: o - -"],
    );
    assert_eq!(
        told,
        [
            "warning attempts.jsonl:3: question q, no_search, attempt 1: this run has one already; counted as attempt 2",
            "warning attempts.jsonl:4: question q, with_search, attempt 1: this run has one already; counted as attempt 2",
            "warning attempts.jsonl:5: question q, no_search, attempt 2: this run has one already; counted as attempt 3",
        ]
    );
}

#[test]
fn a_text_is_taken_though_references_differ() {
    let folder = folder();
    let lines = [
        line("q1", "no_search", r#""answer":"a","references":["1"]"#),
        line("q1", "with_search", r#""answer":"b","references":["2"],"question":"When?""#),
        line("q1", "with_search", r#""answer":"c","references":["2"],"question":"Who?""#),
    ];
    let (store, table) = open(&[write(&folder, "a.jsonl", lines.join("\n"))]);
    assert_eq!(rows(&table, &store.reader()), ["q1 1: a b -", "q1 1: - c -"]);
}

#[test]
fn a_pair_joins_an_attempt_with_blocked_evidence_of_another_file() {
    let folder = folder();
    let blocked = line("q1", "evidence_blocked", r#""answer":"c""#);
    let both = [line("q1", "no_search", r#""answer":"a""#), line("q1", "with_search", r#""answer":"b""#)];
    let files = [write(&folder, "a.jsonl", blocked), write(&folder, "b.jsonl", both.join("\n"))];
    let (store, table) = open(&files);
    assert_eq!(rows(&table, &store.reader()), ["q1 1: a b c"]);
}

#[test]
fn without_run_ids_each_file_is_a_run() {
    let folder = folder();
    let both = |a: &str| {
        format!(
            "{}\n{}\n",
            line("q", "no_search", &format!(r#""answer":"{a}n""#)),
            line("q", "with_search", &format!(r#""answer":"{a}w""#))
        )
    };
    let (a, b) = (write(&folder, "a.jsonl", both("a")), write(&folder, "b.jsonl", both("b")));
    let (store, table) = open(&[a, b]);
    assert_eq!(problems(&table), Vec::<String>::new());
    assert_eq!(rows(&table, &store.reader()), ["q 1: an aw -", "q 1: bn bw -"]);
}

#[test]
fn a_question_with_very_many_attempts_takes_no_square_time() {
    let mut text = String::new();
    for n in 0..60_000 {
        text.push_str(&line(
            "q",
            if n % 2 == 0 { "no_search" } else { "with_search" },
            &format!(r#""answer":"{n}""#),
        ));
        text.push('\n');
    }
    let folder = folder();
    let path = write(&folder, "many.jsonl", text);
    let (store, table) = open(&[path]);
    assert_eq!((table.attempts.len(), table.pairs.len()), (60_000, 30_000));
    assert_eq!(table.problems.warnings, 59_998);
    assert_eq!(table.problems.list.len(), 1_000);
    let last = table.pairs.get(29_999).unwrap();
    assert_eq!(last.attempt, 30_000);
    let bundle = store.reader().bundle(&table, 29_999).unwrap();
    assert_eq!(bundle.sides[1].as_ref().unwrap().answer.as_deref(), Some("59999"));
}

#[test]
fn the_same_id_with_another_text_is_another_question() {
    let folder = folder();
    let path = write(
        &folder,
        "a.jsonl",
        [
            line("q", "no_search", r#""question":"Who is it?","answer":"a""#),
            line("q", "with_search", r#""question":"who is it","answer":"b""#),
            line("q", "no_search", r#""question":"Who was it?","answer":"c""#),
            line("q", "with_search", r#""question":"Who was it?","answer":"d""#),
            line("q", "evidence_blocked", r#""answer":"e""#),
            line("Q", "no_search", r#""answer":"f""#),
        ]
        .join("\n"),
    );
    let (store, table) = open(&[path]);
    assert_eq!(rows(&table, &store.reader()), ["q 1: a b e", "q 1: c d -", "Q 1: f - -"]);
    assert_eq!(
        problems(&table),
        ["warning a.jsonl:3: question q has another text here than before; kept as a question of its own"]
    );
    let reader = store.reader();
    assert_eq!(reader.question(&table, 0).unwrap().question, "Who is it?");
    assert_eq!(reader.question(&table, 1).unwrap().question, "Who was it?");
}

#[test]
fn references_that_come_late_still_count() {
    let folder = folder();
    let a = write(&folder, "a.jsonl", line("q", "no_search", r#""run_id":"r","answer":"Ada""#));
    let b = write(
        &folder,
        "b.jsonl",
        line("q", "with_search", r#""run_id":"s","answer":"Bob","question":"Who?","references":["Ada"]"#),
    );
    let (store, table) = open(&[&a, &b]);
    assert_eq!(table.attempts.iter().map(|a| a.scored).collect::<Vec<_>>(), [0xee, 0xe0]);
    assert_eq!(table.question_texts.part(0, 1), Some("who?"));
    assert_eq!(store.reader().question(&table, 0).unwrap().references, ["Ada"]);
    // Each is scored by its own where it has some, and the difference is told once.
    let c = write(
        &folder,
        "c.jsonl",
        [
            line("q", "no_search", r#""run_id":"t","answer":"Bob","references":["Bob"]"#),
            line("q", "with_search", r#""run_id":"t","answer":"Ada","references":["Bob"]"#),
        ]
        .join("\n"),
    );
    let (_store, table) = open(&[&a, &b, &c]);
    assert_eq!(table.attempts.iter().map(|a| a.scored).collect::<Vec<_>>(), [0xee, 0xe0, 0xee, 0xe0]);
    assert_eq!(
        problems(&table),
        [
            "warning c.jsonl:1: the references of question q differ from those read before; each attempt is scored by its own"
        ]
    );
}

#[test]
fn an_answer_is_looked_for_in_the_raw_text() {
    let folder = folder();
    let path = write(
        &folder,
        "a.jsonl",
        [
            line("a", "no_search", r#""raw":"Answer: Ada\nConfidence: 80%","references":["Ada"]"#),
            line(
                "b",
                "no_search",
                r#""answer":null,"confidence":0.5,"raw":"{\"answer\":\"Ada\",\"confidence\":0.9}""#,
            ),
            line(
                "c",
                "no_search",
                r#""answer":null,"raw":"Answer: Ada","error":{"kind":"overloaded","message":"busy"}"#,
            ),
            line("d", "no_search", r#""answer":null,"raw":"Answer: Ad","stop":"max_tokens""#),
            line("e", "no_search", r#""answer":null,"stop":"refusal""#),
            line("f", "no_search", r#""answer":null"#),
        ]
        .join("\n"),
    );
    let (store, table) = open(&[path]);
    assert_eq!(problems(&table), Vec::<String>::new());
    let rows: Vec<_> = table.attempts.iter().map(|a| (a.state, a.confidence())).collect();
    assert_eq!(
        rows,
        [
            (State::Answered, Some(0.8)),
            (State::Answered, Some(0.5)),
            (State::Error, None),
            (State::Truncated, None),
            (State::Refused, None),
            (State::NoAnswer, None),
        ]
    );
    assert_eq!(table.attempts.get(0).unwrap().scored, 0xee);
    assert_eq!(table.names.errors.word(table.attempts.get(2).unwrap().error), Some("overloaded"));
    assert_eq!(store.reader().attempt(&table, 1).unwrap().answer.as_deref(), Some("Ada"));
}

#[test]
fn searching_finds_what_is_anywhere_in_a_record() {
    let folder = folder();
    let mut text = String::from("not a record with needle\n");
    let mut want = Vec::new();
    for n in 0..3_000u32 {
        let needle = n % 97 == 5;
        let url = if needle { "https://example.org/Needle" } else { "https://example.org/hay" };
        let filler = "x".repeat(200 + (n as usize * 7) % 1_000);
        text.push_str(&line(
            &format!("q{n}"),
            "with_search",
            &format!(r#""raw":"{filler}","search_calls":[{{"query":"a","results":[{{"url":"{url}"}}]}}]"#),
        ));
        text.push_str(if n % 3 == 0 { "\n\n" } else { "\r\n" });
        if n % 500 == 0 {
            text.push_str("{\"needle\": broken\n");
        }
        if needle {
            want.push(n);
        }
    }
    let path = write(&folder, "a.jsonl", &text);
    let (store, table) = open(&[path]);
    assert_eq!(table.attempts.len(), 3_000);
    let find = |pattern: &str| {
        let mut found = Vec::new();
        let whole = store.reader().scan(
            &table,
            &regex::bytes::Regex::new(pattern).unwrap(),
            &AtomicBool::new(false),
            &mut |hits| {
                found.extend_from_slice(hits);
            },
        );
        assert!(whole);
        found
    };
    assert_eq!(find("(?i)needle"), want);
    assert_eq!(find("q29[0-9][0-9]\"").len(), 100);
    // A match across lines is none, and hides none.
    assert_eq!(find(r"(?s)with_search.*").len(), 3_000);
    assert_eq!(find(r#"\}\s+\{"question_id":"q1""#), Vec::<u32>::new());
    assert_eq!(find("nowhere"), Vec::<u32>::new());
    let cancelled = store.reader().scan(
        &table,
        &regex::bytes::Regex::new("q").unwrap(),
        &AtomicBool::new(true),
        &mut |_| (),
    );
    assert!(!cancelled);
}

#[test]
fn a_row_of_the_list_says_what_the_record_says() {
    let folder = tempfile::tempdir().unwrap();
    let questions = folder.path().join("q.jsonl");
    std::fs::write(
        &questions,
        r#"{"id":"a","question":"Who, as in the file of questions?","references":["x"]}"#,
    )
    .unwrap();
    let attempts = folder.path().join("a.jsonl");
    let long = "word ".repeat(2_000);
    let lines = [
        r#"{"question_id":"a","model":"m","condition":"no_search","answer":" said first "}"#.to_owned(),
        format!(r#"{{"question_id":"a","model":"m","condition":"with_search","answer":"{long}","question":"Who?"}}"#),
        r#"{"question_id":"b","model":"m","condition":"no_search","raw":"{\"answer\":\"1981\",\"confidence\":0.9}","question":"When?"}"#.to_owned(),
        r#"{"question_id":"b","model":"m","condition":"with_search","error":{"kind":"overloaded"}}"#.to_owned(),
        r#"{"question_id":"b","model":"m","attempt":2,"condition":"with_search","answer":"x\u001b[0m","references":["x | y"]}"#.to_owned(),
        r#"{"question_id":"c","model":"m","condition":"with_search","answer":NaN,"question":"Ünï\ud83d\ude00?","references":["é","ß"]}"#.to_owned(),
    ];
    std::fs::write(&attempts, lines.join("\n")).unwrap();
    let (store, table) = open(&[questions, attempts]);
    assert!(table.pairs.len() >= 4);
    assert_briefs(&store, &table);
    let sample = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    let (store, table) = open(&[sample]);
    assert!(table.pairs.len() > 200);
    assert_briefs(&store, &table);
}
