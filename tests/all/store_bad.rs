//! Bad input: the good records are shown, the bad ones counted and listed with their places.

use lookitup::record::{Condition, Scorer};
use lookitup::store::OpenOptions;

use super::store::{folder, line, open, open_with, problems, rows, write};

const GOOD: &str = r#"{"question_id":"q1","model":"m","condition":"no_search","answer":"a"}"#;

#[test]
fn files_that_cannot_be_opened_say_what_they_are() {
    let folder = folder();
    let good = write(&folder, "good.jsonl", GOOD);
    let others: &[(&str, &[u8], &str)] = &[
        ("empty.jsonl", b"", "warning empty.jsonl: empty: nothing to show yet"),
        ("blank.jsonl", b" \n\n", "warning blank.jsonl: empty: nothing to show yet"),
        ("pic.png", b"\x89PNG\r\n\x1a\n\0\0\0", "error pic.png: binary data of an unknown kind; CAN"),
        ("t.csv", b"id,answer,model\n1,2,3\n", "error t.csv: CSV; CAN"),
        ("t.txt", b"Hello\nworld\n", "error t.txt: text of an unknown kind; CAN"),
        ("a.json", b"[{\"question_id\":\"q\"}]", "error a.json: a JSON array: write one record a line; CAN"),
        ("b.json", b"{\"a\":1}\n", "error b.json: JSON of an unknown kind; CAN"),
        ("c.html", b"<html></html>", "error c.html: XML or HTML; CAN"),
        (
            "d.zip",
            b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
            "error d.zip: a zip archive that is no Inspect log; CAN",
        ),
        ("e.jsonl", b"\xff\xfe{\0", "error e.jsonl: UTF-16 text: save it as UTF-8; CAN"),
        ("f.parquet", b"PARExxxx", "error f.parquet: an encrypted Parquet file; CAN"),
    ];
    const CAN: &str =
        "results, questions (JSON lines, also .gz and .zst; Parquet) and Inspect logs can be opened";
    let mut paths = vec![good];
    paths.extend(others.iter().map(|(name, bytes, _)| write(&folder, name, bytes)));
    paths.push(folder.path().join("missing.jsonl"));
    let (_store, table) = open(&paths);
    assert_eq!(table.attempts.len(), 1);
    let mut want: Vec<String> = others.iter().map(|o| o.2.replace("CAN", CAN)).collect();
    want.push("error missing.jsonl: cannot be opened: no such file or directory".to_owned());
    assert_eq!(problems(&table), want);
    assert_eq!((table.problems.errors, table.problems.warnings), (10, 2));
}

#[test]
fn nothing_at_all_is_an_empty_table_that_says_why() {
    let folder = folder();
    write(&folder, "readme.txt", "nothing of ours");
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let (_store, table) = open(&[folder.path()]);
    assert!(table.progress.done && table.pairs.is_empty());
    let name = folder.path().file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(
        problems(&table),
        [format!(
            "error {name}: nothing in this folder can be opened (readme.txt); \
         results, questions (JSON lines, also .gz and .zst; Parquet) and Inspect logs can be opened"
        )]
    );
    let (_store, table) = open(&[folder.path().join("sub")]);
    assert_eq!(table.problems.errors, 1);
}

#[test]
fn folders_are_walked_and_what_is_not_ours_is_counted_once() {
    let folder = folder();
    let sub = folder.path().join("sub");
    std::fs::create_dir(&sub).unwrap();
    write(&folder, "b.jsonl", line("b", "no_search", ""));
    write(&folder, ".hidden.jsonl", line("h", "no_search", ""));
    std::fs::write(sub.join("a.jsonl"), line("a", "no_search", "")).unwrap();
    for n in 0..7 {
        write(&folder, &format!("note{n}.csv"), "words");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path(), sub.join("loop")).unwrap();
    // Given once more by name: still read once.
    let again = folder.path().join("b.jsonl");
    let (store, table) = open(&[folder.path(), &again]);
    assert_eq!(rows(&table, &store.reader()), ["b 1:  - -", "a 1:  - -"]);
    let name = folder.path().file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(
        problems(&table),
        [format!(
            "warning {name}: 7 other files left out: note0.csv, note1.csv, note2.csv, note3.csv, note4.csv, …"
        )]
    );
}

#[test]
fn a_half_wrong_file_shows_its_good_half() {
    let folder = folder();
    let lines = [
        "\u{feff}".to_owned() + GOOD,
        String::new(),
        "not json".to_owned(),
        r#"{"question_id":"q2","model":"m","condition":"no_search""#.to_owned(),
        r#"{"model":"m","condition":"no_search","answer":"x"}"#.to_owned(),
        r#"{"question_id":"q3","model":"m","answer":"x"}"#.to_owned(),
        r#"{"question_id":"q4","model":"m","condition":"sometimes","answer":"x"}"#.to_owned(),
        r#"{"question_id":"q5","condition":"with_search","answer":"x"}"#.to_owned(),
        line("q6", "no_search", r#""confidence":1.7"#),
        line("q7", "no_search", r#""confidence":-2"#),
        line("q8", "no_search", r#""attempt":70000"#),
        "[1,2]".to_owned(),
        "  ".to_owned(),
        r#"{"question":"No id?"}"#.to_owned(),
        line("q9", "no_search", r#""confidence":NaN,"latency_ms":null,"extra":Infinity"#),
    ];
    let mut bytes = lines.join("\r\n").into_bytes();
    bytes.extend_from_slice(
        b"\n{\"question_id\":\"q10\",\"model\":\"m\",\"condition\":\"no_search\",\"answer\":\"\xff\xfe!\"}\n",
    );
    let path = write(&folder, "a.jsonl", bytes);
    let (store, table) = open(&[path]);
    assert_eq!(
        problems(&table),
        [
            "error a.jsonl:3: not JSON (expected ident at column 2); the line is left out",
            "error a.jsonl:4: the line ends in the middle of a record; the line is left out",
            "error a.jsonl:5: no question_id: give each attempt the id of its question; the line is left out",
            "error a.jsonl:6: no condition: add no_search, with_search or evidence_blocked, or open it with --as no_search=FILE; the line is left out",
            "error a.jsonl:7: unknown condition \"sometimes\": write no_search, with_search or evidence_blocked, or open it with --as no_search=FILE; the line is left out",
            "warning a.jsonl:8: no model: attempts of different models cannot be told apart",
            "warning a.jsonl:9: confidence 1.7 is none: write a number from 0 to 1; read as not stated",
            "warning a.jsonl:10: confidence -2 is none: write a number from 0 to 1; read as not stated",
            "warning a.jsonl:11: attempt 70000 is above 65535: counted as 65535",
            "error a.jsonl:12: no JSON object: write one record a line; the line is left out",
            "error a.jsonl:14: no id: give each question one; the line is left out",
            "warning a.jsonl:15: confidence NaN is none: write a number from 0 to 1; read as not stated",
            "warning a.jsonl:16: not UTF-8: the broken bytes are shown as U+FFFD",
        ]
    );
    assert_eq!((table.problems.errors, table.problems.warnings), (7, 6));
    let reader = store.reader();
    let ids: Vec<_> = (0..table.questions.len() as u32).map(|q| table.question_id(q).unwrap()).collect();
    assert_eq!(ids, ["q1", "q5", "q6", "q7", "q8", "q9", "q10"]);
    assert_eq!(reader.attempt(&table, 6).unwrap().answer.as_deref(), Some("\u{fffd}\u{fffd}!"));
    for at in 0..table.attempts.len() as u32 {
        reader.attempt(&table, at).unwrap();
    }
    assert!(table.attempts.iter().skip(2).all(|a| a.confidence().is_none()));
}

#[test]
fn what_is_no_confidence_and_no_attempt_number_is_told_with_its_line() {
    let folder = folder();
    let lines = [
        line("q1", "no_search", r#""confidence":null"#),
        line("q2", "no_search", r#""confidence":NaN"#),
        line("q3", "no_search", r#""confidence":-Infinity,"note":"\ud800""#),
        line("q4", "no_search", r#""confidence":"NaN""#),
        line("q5", "no_search", r#""confidence":1e999"#),
        // Broken escapes and NaN elsewhere send a line the slow way, where null is as silent.
        line("q6", "no_search", r#""confid\u0065nce":null,"cost_usd":NaN"#),
        line("q7", "no_search", r#""confid\u0065nce":NaN"#),
        line("q8", "no_search", r#""attempt":65535"#),
        line("q9", "no_search", r#""attempt":65536"#),
        line("q9", "no_search", r#""att\u0065mpt":99999999999"#),
    ];
    let (_store, table) = open(&[write(&folder, "a.jsonl", lines.join("\n"))]);
    let none = |n: usize, what: &str| {
        format!(
            "warning a.jsonl:{n}: confidence {what} is none: write a number from 0 to 1; read as not stated"
        )
    };
    let found = problems(&table);
    let told = [none(2, "NaN"), none(3, "-Infinity"), none(4, "\"NaN\""), none(5, "1e999"), none(7, "NaN")];
    assert_eq!(found[..5], told);
    assert_eq!(found[5], "warning a.jsonl:9: attempt 65536 is above 65535: counted as 65535");
    let far = found.iter().find(|p| p.contains("a.jsonl:10: attempt 99999999999 is above 65535"));
    assert!(far.is_some(), "{found:?}");
    assert!(table.attempts.iter().all(|a| a.confidence().is_none()));
}

#[test]
fn a_condition_can_be_named_for_a_file() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", "{\"question_id\":\"q\",\"model\":\"m\",\"answer\":\"x\"}\n");
    let options =
        OpenOptions { conditions: vec![(Condition::WithSearch, path.clone())], ..OpenOptions::default() };
    let (store, table) = open_with(&[&path], options);
    assert_eq!(rows(&table, &store.reader()), ["q 1: - x -"]);
    assert_eq!(store.reader().attempt(&table, 0).unwrap().condition, Condition::WithSearch);
    assert!(problems(&table).is_empty());
    let other = write(&folder, "b.jsonl", GOOD);
    let options = OpenOptions { conditions: vec![(Condition::WithSearch, path)], ..OpenOptions::default() };
    let (_store, table) = open_with(&[&other], options);
    assert_eq!(
        problems(&table),
        ["warning a.jsonl: named with --as with_search=, but not among the files opened"]
    );
}

#[test]
fn a_cut_last_line_is_told_and_an_uncut_one_without_line_end_is_read() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", format!("{GOOD}\n{GOOD}"));
    let (_store, table) = open(&[path]);
    assert_eq!(table.attempts.len(), 2);
    let path = write(&folder, "b.jsonl", format!("{GOOD}\n{}", &GOOD[..40]));
    let (_store, table) = open(&[path]);
    assert_eq!(table.attempts.len(), 1);
    assert_eq!(
        problems(&table),
        [
            "error b.jsonl:2: the line ends in the middle of a record; the line is left out unless it is completed"
        ]
    );
}

#[test]
fn a_huge_line_is_left_out_and_the_rest_is_read() {
    let folder = folder();
    let path = folder.path().join("huge.jsonl");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    use std::io::Write;
    let filler = vec![b'x'; 1 << 20];
    let mut long = |megabytes: usize, id: &str| {
        write!(file, r#"{{"question_id":"{id}","model":"m","condition":"no_search","raw":""#).unwrap();
        for _ in 0..megabytes {
            file.write_all(&filler).unwrap();
        }
        file.write_all(b"\"}\n").unwrap();
        writeln!(file, "{GOOD}").unwrap();
    };
    long(3, "three");
    long(65, "too-long");
    long(2, "two");
    file.flush().unwrap();
    drop(file);
    let (store, table) = open(&[&path]);
    assert_eq!(problems(&table)[0], "error huge.jsonl:3: the line is longer than 64 MiB; it is left out");
    assert_eq!(table.problems.errors, 1);
    let ids: Vec<_> = (0..table.questions.len() as u32).map(|q| table.question_id(q).unwrap()).collect();
    assert_eq!(ids, ["three", "q1", "two"]);
    assert_eq!(table.attempts.len(), 5);
    let raw = store.reader().attempt(&table, 0).unwrap().raw.as_ref().map(String::len);
    assert_eq!(raw, Some(3 << 20));
    // A last line that is too long, without end.
    let path = write(&folder, "end.jsonl", [GOOD.as_bytes(), b"\n", &vec![b'{'; 65 << 20]].concat());
    let (_store, table) = open(&[path]);
    assert_eq!(problems(&table), ["error end.jsonl:2: the line is longer than 64 MiB; it is left out"]);
}

#[test]
fn hostile_text_is_made_harmless_in_every_field() {
    let folder = folder();
    let evil = r"\u001b]0;x\u0007\u202eabc\u0000\ud800 e\u0301 👩‍👩‍👧 漢字 العربية \t";
    let more = format!(
        r#""run_id":"{evil}","question":"{evil}","references":["{evil}"],"provider":"{evil}","answer":"{evil}","raw":"{evil}","split":"{evil}",
        "search_calls":[{{"query":"{evil}","status":"{evil}","results":[{{"url":"{evil}","title":"{evil}"}}],"{evil}":"{evil}"}}],
        "citations":[{{"url":"{evil}","quote":"{evil}"}}],"stop":"{evil}","error":null,"source":"{evil}","steps":[{{"text":"{evil}"}}],
        "request":{{"{evil}":["{evil}"]}},"extra":{{"{evil}":"{evil}"}}"#
    );
    let path = write(
        &folder,
        "a.jsonl",
        line(evil, "with_search", &more.replace('\n', ""))
            .replace(r#""model":"m""#, &format!(r#""model":"{evil}""#)),
    );
    let (store, table) = open(&[path]);
    assert_eq!(problems(&table), Vec::<String>::new());
    let harmful = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    crate::store::assert_briefs(&store, &table);
    let attempt = store.reader().attempt(&table, 0).unwrap();
    let whole = format!("{:?}", serde_json::to_value(&*attempt).unwrap());
    assert!(!whole.contains("\\u{1b}") && !whole.contains("\\u{202e}"), "{whole}");
    assert!(attempt.answer.as_ref().is_some_and(|a| !a.contains(harmful) && a.contains("👩‍👩‍👧 漢字 العربية")));
    for dict in [
        &table.names.models,
        &table.names.runs,
        &table.names.providers,
        &table.names.sources,
        &table.names.stops,
    ] {
        assert!(dict.iter().all(|(_, w)| !w.contains(harmful) && !w.contains(['\n', '\t'])));
    }
    let question = store.reader().question(&table, 0).unwrap();
    assert!(!question.question.contains(harmful) && !question.id.contains(harmful));
    assert_eq!(table.question_id(0), Some(question.id.as_str()));
    // Two attempts' texts never run into each other.
    assert_eq!(table.attempt_texts.0[0].ends.len(), 1);
}

#[test]
fn ten_thousand_characters_are_no_trouble() {
    let folder = folder();
    let long = "漢字 é ".repeat(2_000);
    let path = write(
        &folder,
        "a.jsonl",
        line("q", "no_search", &format!(r#""answer":"{long}","references":["{long}"]"#)),
    );
    let (store, table) = open(&[path]);
    assert_eq!(table.attempts.get(0).unwrap().scored, 0xee);
    assert_eq!(store.reader().attempt(&table, 0).unwrap().answer.as_deref(), Some(long.as_str()));
}

#[test]
fn numbers_as_ids_and_other_spellings() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", [
        r#"{"question_id":17,"model":4,"condition":"no-search","answer":1981,"confidence":"85%","references":"1981 | x","latency_ms":"120","correct":"C"}"#,
        r#"{"question_id":"17","model":"4","condition":"With Search","answer":"1,981","confidence":92,"correct":0,"search_calls":null,"attempt":"1","answer":"x","answer":"1981"}"#,
    ].join("\n"));
    let (store, table) = open(&[path]);
    assert_eq!(problems(&table), Vec::<String>::new());
    assert_eq!(rows(&table, &store.reader()), ["17 1: 1981 1981 -"]);
    let all: Vec<_> = table.attempts.iter().map(|a| (a.confidence(), a.recorded(), a.latency_ms)).collect();
    assert_eq!(all, [(Some(0.85), Some(true), 120), (Some(0.92), Some(false), lookitup::store::NO)]);
    assert_eq!(table.pairs.get(0).unwrap().transitions[Scorer::Normalized as usize].name(), "not_searched");
}

#[test]
fn answers_without_anything_to_compare_with_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let line = |id: &str, more: &str| {
        format!(r#"{{"question_id":"{id}","model":"m","condition":"no_search","answer":"x"{more}}}"#)
    };
    let lines = [line("a", ""), line("b", r#","correct":true"#), line("c", r#","references":["x"]"#)];
    std::fs::write(folder.path().join("run.jsonl"), lines.join("\n")).unwrap();
    let ran = crate::cli::lookitup(folder.path(), &["list", "run.jsonl"]);
    assert!(ran.err.contains("1 of 3 answers cannot be graded"), "{}", ran.err);
    std::fs::write(folder.path().join("run.jsonl"), lines.get(1..).unwrap().join("\n")).unwrap();
    let ran = crate::cli::lookitup(folder.path(), &["list", "run.jsonl"]);
    assert!(!ran.err.contains("graded"), "{}", ran.err);
}
