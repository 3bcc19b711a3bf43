//! What is exported comes back the same.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lookitup::app::Effect;
use lookitup::export::{COLUMNS, Format, Job, Target, TargetError};
use lookitup::record::Scorer;
use lookitup::store::{Input, OpenOptions, Reader, Store, Table};
use lookitup::view;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::cli::lookitup;
use super::common::{beside, root};
use super::store::{folder, line, open, problems, write};
use crate::support::bench::Bench;
use crate::support::pty::Pty;

/// Writes every pair.
fn export(table: &Table, reader: &Reader, format: Format) -> Vec<u8> {
    let pairs: Vec<u32> = (0..table.pairs.len() as u32).collect();
    let mut out = Vec::new();
    Job { table, reader, pairs: &pairs, scorer: Scorer::Normalized }.write(format, &mut out).unwrap();
    out
}

/// All that is known of a table's rows, under every scorer, and every record; `runs` whether runs count.
fn facts(table: &Table, reader: &Reader, runs: bool) -> Vec<String> {
    let mut all = Vec::new();
    for pair in 0..table.pairs.len() as u32 {
        let bundle = reader.bundle(table, pair).unwrap();
        let row = *table.pairs.get(pair as usize).unwrap();
        let mut text = String::new();
        for scorer in Scorer::ALL {
            let mut json = view::row_json(table, pair, &bundle, scorer).unwrap();
            // Each attempt keeps those of its own, which follow.
            for own in ["question", "references"] {
                json[own] = Value::Null;
            }
            if !runs {
                json["run"] = Value::Null;
            }
            writeln!(text, "{json}").unwrap();
        }
        for at in row.sides.into_iter().filter(|&at| table.attempts.get(at as usize).is_some()) {
            let mut record = json!(reader.complete(table, pair, at).unwrap());
            if !runs {
                record.as_object_mut().unwrap().shift_remove("run_id");
            }
            writeln!(text, "{record}").unwrap();
        }
        all.push(text);
    }
    all.sort();
    all
}

fn same(store: &Store, table: &Table, folder: &tempfile::TempDir) {
    let want = facts(table, &store.reader(), true);
    for (format, name) in [(Format::Jsonl, "out.jsonl"), (Format::Parquet, "out.parquet")] {
        let bytes = export(table, &store.reader(), format);
        let (again, read) = open(&[write(folder, name, &bytes)]);
        assert_eq!(read.problems.errors, 0, "{name}: {:?}", problems(&read));
        assert_eq!(facts(&read, &again.reader(), true), want, "{name}");
        // And once more: nothing creeps in.
        assert!(export(&read, &again.reader(), format) == bytes, "{name} differs the second time");
    }
}

#[test]
fn the_sample_comes_back_the_same_and_stays_marked() {
    let store = Store::open(lookitup::store::sample(), OpenOptions::default(), || ());
    let table = store.wait();
    let folder = folder();
    // Topics and key dates are the questions' own, and not in what this compares.
    same(&store, &table, &folder);
    let (_again, read) = open(&[folder.path().join("out.parquet")]);
    assert_eq!(read.mark(), Some("SIMULATED"));
    let md = String::from_utf8(export(&table, &store.reader(), Format::Md)).unwrap();
    assert!(md.contains("SIMULATED"));
    let csv = String::from_utf8(export(&table, &store.reader(), Format::Csv)).unwrap();
    let mut csv = csv::Reader::from_reader(csv.as_bytes());
    let at = COLUMNS.iter().position(|c| c.0 == "source").unwrap();
    assert_eq!(
        csv.records().filter(|r| &r.as_ref().unwrap()[at] == "simulated").count(),
        table.attempts.len()
    );
}

#[test]
fn golden_files_come_back_the_same() {
    for name in ["haiku", "edge"] {
        let Some(path) = beside(&format!("golden/{name}.results.jsonl")) else { return };
        let (store, table) = open(&[path]);
        same(&store, &table, &folder());
    }
}

#[test]
fn a_filter_chooses_and_the_questions_can_come_along() {
    let folder = folder();
    let args =
        ["--filter", "transition:broken model:sim-large", "--out", "b.jsonl", "--questions", "q.jsonl"];
    let ran = lookitup(folder.path(), &[&["export"][..], &args].concat());
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("written to b.jsonl") && ran.err.contains("SIMULATED"), "{}", ran.err);
    let list = |paths: &[&str], filter: &str| {
        let args = [
            &[
                "list",
                "--format",
                "jsonl",
                "--columns",
                "transition,id,topic,key_date,conf",
                "--filter",
                filter,
            ],
            paths,
        ];
        let ran = lookitup(folder.path(), &args.concat());
        assert_eq!(ran.code, 0, "{}", ran.err);
        let mut lines: Vec<String> = ran.out.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let before = list(&[], "transition:broken model:sim-large");
    assert!(before.len() > 1);
    assert_eq!(list(&["b.jsonl", "q.jsonl"], ""), before);
}

#[test]
fn what_other_files_say_is_filled_in() {
    let folder = folder();
    let a = [
        line("q1", "no_search", r#""answer":"1981""#),
        line("q1", "with_search", r#""answer":"1980","attempt":1,"mine":[{"a":null}]"#),
        // The same again: counted as the second.
        line("q1", "no_search", r#""answer":"1980","attempt":1"#),
        line("q1", "evidence_blocked", r#""references":["own"],"answer":"own""#),
    ];
    let question =
        r#"{"id":"q1","split":"static","question":"When?","references":["1981","in 1981"],"topic":"t"}"#;
    let paths = [write(&folder, "a.jsonl", a.join("\n")), write(&folder, "q.jsonl", question)];
    let (store, table) = open(&paths);
    let lines = String::from_utf8(export(&table, &store.reader(), Format::Jsonl)).unwrap();
    let lines: Vec<Value> = lines.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let numbers: Vec<&Value> = lines.iter().map(|l| &l["attempt"]).collect();
    assert_eq!(numbers, [1, 1, 2, 1]);
    assert!(lines.iter().all(|l| l["schema"] == "lookitup.attempt/1" && l["question"] == "When?"));
    assert!(lines.iter().all(|l| l["split"] == "static"));
    assert_eq!(lines[0]["references"], json!(["1981", "in 1981"]));
    assert_eq!(lines[3]["references"], json!(["own"]));
    assert_eq!(lines[1]["mine"], json!([{"a": null}]));
    same(&store, &table, &folder);
}

#[test]
fn files_without_run_ids_stay_apart() {
    let folder = folder();
    let of = |answer: &str| {
        let answer = format!(r#""answer":"{answer}""#);
        line("q1", "no_search", &answer) + "\n" + &line("q1", "with_search", &answer)
    };
    let paths = [write(&folder, "a.jsonl", of("a")), write(&folder, "b.jsonl", of("b"))];
    let (store, table) = open(&paths);
    assert_eq!(table.pairs.len(), 2);
    let want = facts(&table, &store.reader(), false);
    let (again, read) = open(&[write(&folder, "out.jsonl", export(&table, &store.reader(), Format::Jsonl))]);
    assert_eq!(facts(&read, &again.reader(), false), want);
    let runs: Vec<&str> = read.names.runs.iter().map(|(_, w)| w).collect();
    assert_eq!(runs, ["a.jsonl", "b.jsonl"]);
    let ran = lookitup(folder.path(), &["export", "a.jsonl", "b.jsonl", "-o", "c.jsonl"]);
    assert!(ran.err.contains("the name of each file stands as theirs"), "{}", ran.err);
}

#[test]
fn csv_is_as_rfc_4180_says_and_safe_for_spreadsheets() {
    let folder = folder();
    let evil = ["=1+1", "+1", "-1", "@x", "\tx", "a\n\"b\", c", "-0.5 of it", "＝1"];
    let lines: Vec<String> = (evil.iter().enumerate())
        .map(|(n, a)| {
            line(&format!("={n}"), "no_search", &format!(r#""answer":{},"cost_usd":0.5,"x":"=2""#, json!(a)))
        })
        .collect();
    let (store, table) = open(&[write(&folder, "a.jsonl", lines.join("\n"))]);
    let csv = String::from_utf8(export(&table, &store.reader(), Format::Csv)).unwrap();
    assert!(csv.starts_with("schema,run_id,question_id,") && csv.ends_with("\r\n"));
    assert_eq!(csv.matches("\r\n").count(), evil.len() + 1);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads = reader.headers().unwrap().clone();
    assert!(heads.iter().eq(COLUMNS.iter().map(|c| c.0)));
    let at = |name: &str| heads.iter().position(|h| h == name).unwrap();
    for (record, answer) in reader.records().zip(evil) {
        let record = record.unwrap();
        let quoted = if answer.starts_with('a') { answer.to_owned() } else { format!("'{answer}") };
        assert_eq!(record[at("answer")], quoted);
        assert!(record.iter().all(|c| !c.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{record:?}");
        assert_eq!(&record[at("rest")], r#"{"x":"=2"}"#);
        assert_eq!(&record[at("cost_usd")], "0.5");
    }
}

#[test]
fn files_are_written_whole_and_never_over_an_input() {
    let folder = folder();
    let input = line("q1", "no_search", r#""answer":"a""#);
    let path = write(&folder, "a.jsonl", &input);
    std::os::unix::fs::symlink(&path, folder.path().join("link.jsonl")).unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    for out in ["a.jsonl", "./a.jsonl", "link.jsonl", "sub/../a.jsonl", "sub"] {
        for command in ["export", "list"] {
            let ran = lookitup(folder.path(), &[command, "a.jsonl", "--format", "jsonl", "--out", out]);
            assert_eq!(ran.code, 2, "{out}: {}", ran.err);
            assert!(ran.err.contains("input file") || ran.err.contains("is a folder"), "{}", ran.err);
        }
    }
    let ran = lookitup(folder.path(), &["export", "a.jsonl", "--out", "none/b.jsonl"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.err.contains("none/b.jsonl"), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), input);
    // What fails half way leaves the old file and nothing else.
    let old = write(&folder, "b.jsonl", "old");
    let (store, table) = open(&[&path]);
    let target = Target::open(&old, &table).unwrap();
    std::io::Write::write_all(&mut target.file(), b"half").unwrap();
    drop(target);
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    assert!(matches!(Target::open(&path, &table), Err(TargetError::Input(_))));
    // An old file is replaced, with the rights of any new one.
    let ran = lookitup(folder.path(), &["export", "a.jsonl", "--out", "b.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(std::fs::read(&old).unwrap(), export(&table, &store.reader(), Format::Jsonl));
    let mode =
        |p: &Path| std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(p).unwrap().permissions());
    assert_eq!(mode(&old), mode(&path));
    let left: Vec<PathBuf> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(left.len(), 4, "{left:?}");
    // A pipe is written to as it is.
    let ran = lookitup(folder.path(), &["export", "a.jsonl", "--out", "/dev/null"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    // Both are asked for what they cannot do before anything is read.
    for args in
        [&["export", "a.jsonl", "--format", "xlsx"][..], &["export", "a.jsonl", "--filter", "nofield:x"]]
    {
        assert_eq!(lookitup(folder.path(), args).code, 2);
    }
    assert_eq!(lookitup(folder.path(), &["export", "missing.jsonl"]).code, 3);
}

#[test]
fn a_list_as_parquet_is_for_data_frames() {
    let folder = folder();
    let ran = lookitup(folder.path(), &["list", "--format", "parquet", "--out", "rows.parquet"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let file = std::fs::File::open(folder.path().join("rows.parquet")).unwrap();
    let reader = parquet::file::serialized_reader::SerializedFileReader::new(file).unwrap();
    let rows: Vec<parquet::record::Row> = reader.into_iter().map(Result::unwrap).collect();
    let ran = lookitup(folder.path(), &["list", "--format", "csv"]);
    let mut csv = csv::Reader::from_reader(ran.out.as_bytes());
    let heads = csv.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
    assert_eq!((rows.len(), records.len()), (336, 336));
    for (row, record) in rows.iter().zip(&records) {
        for ((name, field), (head, cell)) in row.get_column_iter().zip(heads.iter().zip(record)) {
            assert_eq!(name, head);
            use parquet::record::Field;
            match field {
                Field::Null => assert_eq!(cell, "", "{name}"),
                Field::Double(n) => assert_eq!(cell.parse(), Ok(*n), "{name}"),
                Field::Long(n) => assert_eq!(cell.parse(), Ok(*n), "{name}"),
                Field::Str(s) if name == "references" => {
                    let list: Vec<String> = serde_json::from_str(s).unwrap();
                    assert_eq!(cell.trim_start_matches('\''), list.join(" | "));
                }
                Field::Str(s) => assert_eq!(cell.trim_start_matches('\''), s, "{name}"),
                other => panic!("{name}: {other}"),
            }
        }
    }
    let ran = lookitup(folder.path(), &["list", "rows.parquet"]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("'export' writes attempts"), "{}", ran.err);
}

#[test]
fn parquet_of_a_data_frame_is_read() {
    let (store, table) = open(&[root().join("tests/data/foreign.parquet")]);
    let told = problems(&table);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].starts_with("error foreign.parquet:3: no question_id"), "{told:?}");
    assert!(told[1].starts_with("error foreign.parquet:5: unknown condition \"perhaps\""), "{told:?}");
    assert_eq!(table.files[0].kind, "Parquet");
    assert_eq!((table.pairs.len(), table.attempts.len()), (3, 4));
    let reader = store.reader();
    let with = reader.attempt(&table, 1).unwrap();
    assert_eq!(with.calls(), 2);
    let queries: Vec<&str> = with.search_calls.iter().filter_map(|c| c.query.as_deref()).collect();
    assert_eq!(queries, ["mens high jump record 1988", "Ωmega 'quoted' = record"]);
    let cited: Vec<Option<bool>> = with.search_calls[0].results.iter().map(|r| r.cited).collect();
    assert_eq!(cited, [Some(true), None]);
    assert_eq!((with.usage.input_tokens, with.usage.output_tokens), (Some(100), None));
    assert_eq!((with.cost_usd, with.correct), (Some(1.0), Some(false)));
    assert_eq!(with.created_at.as_deref(), Some("2026-11-30T05:12:00Z"));
    assert_eq!(with.extra["rater"], "=1+1");
    assert_eq!(with.extra["tags"], json!({"a": 1}));
    let no = reader.attempt(&table, 0).unwrap();
    assert_eq!(no.confidence, Some(0.92));
    assert!(!no.extra.contains_key("rater"));
    assert_eq!(reader.attempt(&table, 2).unwrap().error.as_ref().unwrap().kind, "rate_limited");
    assert_eq!(reader.attempt(&table, 3).unwrap().confidence, None);
    same(&store, &table, &folder());
    let (_store, table) = open(&[root().join("tests/data/lz4.parquet")]);
    assert!(problems(&table)[0].contains("compressed with lz4, which is not read: write them with zstd"));
}

#[test]
fn questions_as_parquet_and_files_of_something_else() {
    use lookitup::export::{Kind, ParquetWriter};
    let folder = folder();
    let table_of = |name: &str, columns: &[(&str, Kind)], rows: &[Vec<Value>]| {
        let mut out = Vec::new();
        let mut parquet = ParquetWriter::new("attempts", columns, &mut out).unwrap();
        for row in rows {
            parquet.row(row.clone()).unwrap();
        }
        parquet.finish().unwrap();
        write(&folder, name, out)
    };
    let text = ["id", "question", "key_date", "source_page"].map(|n| (n, Kind::Text));
    let columns = [&text[..], &[("references", Kind::Json)]].concat();
    let row = vec![json!("q1"), json!("When?"), json!("1988"), json!("p. 3"), json!(["1981"])];
    let questions = table_of("q.parquet", &columns, &[row]);
    let attempts = write(&folder, "a.jsonl", line("q1", "no_search", r#""answer":"1981""#));
    let (store, table) = open(&[attempts, questions]);
    assert_eq!(problems(&table), Vec::<String>::new());
    let question = store.reader().question(&table, 0).unwrap();
    assert_eq!((question.question.as_str(), question.key_date.as_deref()), ("When?", Some("1988")));
    assert_eq!(question.meta["source_page"], "p. 3");
    assert_eq!(table.attempts.get(0).unwrap().verdict(Scorer::Normalized).correct(), Some(true));

    let other = table_of("prices.parquet", &[("price", Kind::Float)], &[vec![json!(1.5)]]);
    let (_store, table) = open(&[other]);
    assert_eq!(
        problems(&table),
        [
            "warning prices.parquet: a Parquet file without a column question_id: it holds no attempts; left out"
        ]
    );
    let columns = ["question_id", "model", "condition", "answer", "search_calls"].map(|n| (n, Kind::Text));
    let good = ["q1", "m", "no_search", "a", "[]"].map(Value::from).to_vec();
    let mut bad = good.clone();
    bad[2] = json!("with_search");
    bad[4] = json!("[{");
    let (store, table) = open(&[table_of("half.parquet", &columns, &[good, bad])]);
    assert_eq!(table.attempts.len(), 2);
    let told = problems(&table);
    assert!(told[0].starts_with("warning half.parquet:2: search_calls is not JSON (EOF"), "{told:?}");
    assert_eq!(store.reader().attempt(&table, 1).unwrap().calls(), 0);
}

#[test]
fn a_cut_or_damaged_parquet_file_costs_no_more_than_itself() {
    let store = Store::open(lookitup::store::sample(), OpenOptions::default(), || ());
    let table = store.wait();
    let pairs: Vec<u32> = (0..12).collect();
    let mut bytes = Vec::new();
    let job = Job { table: &table, reader: &store.reader(), pairs: &pairs, scorer: Scorer::Normalized };
    job.write(Format::Parquet, &mut bytes).unwrap();
    let folder = folder();
    let good = write(&folder, "good.jsonl", line("q1", "no_search", r#""answer":"a""#));
    let look = |bytes: &[u8], what: &str| {
        let path = write(&folder, "x.parquet", bytes);
        let (_store, table) = open(&[good.clone(), path]);
        assert!(!table.attempts.is_empty(), "{what}");
        let found = problems(&table);
        let told = |p: &String| {
            ["copy it or write it again", "without a column", "left out"].iter().any(|w| p.contains(w))
        };
        assert!(found.iter().filter(|p| p.starts_with("error x.parquet")).all(told), "{what}: {found:?}");
        (table.attempts.len(), found)
    };
    let (all, told) = look(&bytes, "whole");
    assert_eq!((all, told.len()), (25, 0));
    for cut in (4..bytes.len()).step_by(97).chain(bytes.len() - 9..bytes.len()) {
        let (n, told) = look(&bytes[..cut], "cut");
        assert_eq!((n, told.len()), (1, 1), "{told:?}");
        assert!(told[0].contains("the Parquet file is cut or damaged"), "{told:?}");
    }
    // The end says where everything is: damage there does most.
    let end = bytes.len().saturating_sub(1_500);
    let step = |usual: usize| if std::env::var_os("EVERY_BYTE").is_some() { 1 } else { usual };
    for at in (4..end).step_by(step(211)).chain((end..bytes.len()).step_by(step(11))) {
        for change in [0xff, 0x01, 0x80] {
            let mut broken = bytes.clone();
            broken[at] ^= change;
            look(&broken, &format!("{at} changed by {change:#x}"));
        }
    }
}

#[test]
fn exported_files_are_left_out_of_folders() {
    let folder = folder();
    write(&folder, "a.jsonl", line("q1", "no_search", r#""answer":"a""#));
    let ran = lookitup(folder.path(), &["export", ".", "--out", "b.export.jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(!ran.err.contains("read with the files"), "{}", ran.err);
    let (_store, table) = open(&[folder.path()]);
    assert_eq!(table.attempts.len(), 1);
    let (_store, table) = open(&[folder.path().join("b.export.jsonl")]);
    assert_eq!(table.attempts.len(), 1);
    let ran = lookitup(folder.path(), &["export", ".", "--out", "c.jsonl"]);
    assert!(ran.err.contains("it will be read with the files there"), "{}", ran.err);
}

#[test]
fn the_documented_columns_are_those_written() {
    let text = std::fs::read_to_string(root().join("data/parquet.md")).unwrap();
    let documented: Vec<(String, String)> = text
        .lines()
        .filter_map(|l| l.strip_prefix("| `"))
        .map(|l| (l.split('`').next().unwrap().to_owned(), l.split('|').nth(1).unwrap().trim().to_owned()))
        .collect();
    let kinds = ["text", "whole number", "number", "true or false", "JSON"];
    let written: Vec<_> =
        COLUMNS.iter().map(|(n, k)| ((*n).to_owned(), kinds[*k as usize].to_owned())).collect();
    assert_eq!(documented, written);
}

#[test]
fn the_screen_writes_what_the_filter_shows() {
    let mut bench = Bench::sample((100, 30));
    bench.press("3 :");
    bench.type_text("write the attempts");
    bench.press("enter");
    let exported = bench.left.iter().find_map(|e| match e {
        Effect::Export(wanted) => Some(wanted.rows.len()),
        _ => None,
    });
    assert_eq!(exported, Some(bench.model.view.rows.len()));
    assert!(bench.text().contains("writing"));
    bench.press("/");
    bench.type_text("nothinglikethis");
    bench.press("enter :");
    bench.type_text("write the attempts");
    bench.left.clear();
    bench.press("enter");
    assert!(!bench.left.iter().any(|e| matches!(e, Effect::Export(_))));

    let home = folder();
    std::fs::create_dir(home.path().join("results")).unwrap();
    let path = write(&home, "a.jsonl", line("q1", "no_search", r#""answer":"a""#));
    let mut pty = Pty::start(&[path.to_str().unwrap()], (120, 30), home.path(), &[]);
    pty.shows("q1");
    pty.send(":");
    pty.send("write the attempts");
    pty.send("\r");
    pty.shows("1 attempt of 1 pair written to results/lookitup-");
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    let written = std::fs::read_dir(home.path().join("results")).unwrap().next().unwrap().unwrap().path();
    assert!(written.to_str().unwrap().ends_with(".export.jsonl"), "{written:?}");
    let (_store, table) = open(&[written]);
    assert_eq!(table.attempts.len(), 1);
}

// ---- any files

fn odd() -> impl Strategy<Value = String> {
    let words = [
        "",
        " ",
        "1981",
        "=1+1",
        "\u{202e}x",
        "é\u{301}",
        "ſtraße",
        "\u{0}\u{1b}[31m",
        "𝒳\u{1f469}\u{200d}\u{1f52c}",
        "a\nb\r\n",
        "null",
        "{\"a\":1}",
        "[1]",
        "\u{feff}",
        "NaN",
    ];
    prop_oneof![proptest::sample::select(words.to_vec()).prop_map(str::to_owned), ".{0,6}"]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<f64>().prop_map(|n| json!(n)),
        (0.0..1.0).prop_map(|n: f64| json!(n)),
        any::<i64>().prop_map(|n| json!(n)),
        any::<u64>().prop_map(|n| json!(n)),
        Just(json!("@NaN@")),
        Just(json!("@1e999@")),
    ]
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        odd().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::vec((odd(), inner), 0..3)
                .prop_map(|all| Value::Object(all.into_iter().collect())),
        ]
    })
}

/// A line with the fields that matter for pairing well filled, and anything in the others.
fn attempt() -> impl Strategy<Value = Value> {
    let pick = |words: &'static [&'static str]| proptest::sample::select(words);
    let key = (
        pick(&["q1", "q2", "Q=ü"]),
        pick(&["m", "n", ""]),
        pick(&["no_search", "with_search", "with_search", "evidence_blocked"]),
        prop_oneof![3 => 1..3u32, 1 => 1..70_000u32],
        pick(&["", "", "r1", "r2"]),
        pick(&["", "", "When?", "when", "Who?"]),
    );
    let names: &'static [&'static str] = &[
        "answer",
        "answer",
        "answer",
        "confidence",
        "confidence",
        "raw",
        "references",
        "split",
        "provider",
        "search_calls",
        "citations",
        "usage",
        "cost_usd",
        "latency_ms",
        "stop",
        "error",
        "steps",
        "source",
        "created_at",
        "request",
        "correct",
        "rest",
        "mine",
        "=x",
        "entry",
        "topic",
        "schema",
    ];
    let fields = prop::collection::vec((pick(names), anything()), 0..8);
    let usual = prop::collection::vec(
        prop_oneof![
            odd().prop_map(|a| ("answer", json!(a))),
            (0.0..=1.0).prop_map(|c: f64| ("confidence", json!(c))),
            Just(("confidence", json!("80%"))),
            Just(("confidence", json!("@NaN@"))),
            odd().prop_map(|a| ("references", json!([a, "1981"]))),
            odd().prop_map(|q| (
                "search_calls",
                json!([q, {"query": q, "kind": "search", "results": [q, {"url": q, "x": null}]}])
            )),
            Just(("raw", json!("{\"answer\": \"1981\", \"confidence\": 0.4}"))),
            Just(("error", json!({"kind": "rate_limited", "message": "m"}))),
            Just(("correct", json!("C"))),
        ],
        0..5,
    );
    (key, fields, usual).prop_map(|((id, model, condition, number, run, text), fields, usual)| {
        let mut line = json!({"question_id": id, "model": model, "condition": condition, "attempt": number});
        for (name, value) in fields.into_iter().chain(usual) {
            line[name] = value;
        }
        for (name, value) in [("run_id", run), ("question", text)] {
            if !value.is_empty() {
                line[name] = json!(value);
            }
        }
        line
    })
}

fn text(lines: &[Value]) -> String {
    let text: String = lines.iter().flat_map(|l| [l.to_string(), "\n".to_owned()]).collect();
    text.replace("\"@NaN@\"", "NaN").replace("\"@1e999@\"", "1e999")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_files_come_back_the_same(
        files in prop::collection::vec(prop::collection::vec(attempt(), 0..7), 1..4),
        questions in prop::option::of(pick_references()),
    ) {
        let folder = folder();
        let mut inputs: Vec<Input> = Vec::new();
        for (n, lines) in files.iter().enumerate() {
            inputs.push(Input::Path(write(&folder, &format!("{n}.jsonl"), text(lines))));
        }
        if let Some(references) = questions {
            let q = json!({"id": "q1", "question": "When?", "split": "s", "references": references});
            inputs.push(Input::Path(write(&folder, "q.jsonl", format!("{q}\n"))));
        }
        let store = Store::open(inputs, OpenOptions::default(), || ());
        let table = store.wait();
        if table.attempts.is_empty() {
            return Ok(());
        }
        let named = String::from_utf8(export(&table, &store.reader(), Format::Jsonl)).unwrap();
        let want = facts(&table, &store.reader(), false);
        for (format, name) in [(Format::Jsonl, "out.jsonl"), (Format::Parquet, "out.parquet")] {
            let bytes = export(&table, &store.reader(), format);
            let (again, read) = open(&[write(&folder, name, &bytes)]);
            prop_assert_eq!(read.problems.errors, 0);
            prop_assert_eq!(&facts(&read, &again.reader(), false), &want, "{}\n{}", name, named);
        }
        for format in [Format::Csv, Format::Md] {
            export(&table, &store.reader(), format);
        }
    }
}

fn pick_references() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(odd(), 0..3)
}
