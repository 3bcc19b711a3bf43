//! The real binary, its output and its exit codes.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::common::{beside, root};
use super::schemas::validator;

/// What a run printed and how it ended.
pub(crate) struct Ran {
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) code: i32,
}

pub(crate) fn lookitup(folder: &Path, args: &[&str]) -> Ran {
    let Output { status, stdout, stderr } = command(folder, args).output().unwrap();
    Ran {
        out: String::from_utf8(stdout).unwrap(),
        err: String::from_utf8(stderr).unwrap(),
        code: status.code().unwrap_or(-1),
    }
}

/// The binary, with an environment of its own.
fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lookitup"));
    command
        .args(args)
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder)
        .env("TERM", "xterm-256color")
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::null());
    command
}

pub(crate) fn file(folder: &tempfile::TempDir, name: &str, lines: &[Value]) -> PathBuf {
    let path = folder.path().join(name);
    let mut out = std::fs::File::create(&path).unwrap();
    for line in lines {
        writeln!(out, "{line}").unwrap();
    }
    path
}

pub(crate) fn attempt(id: &str, condition: &str, answer: &str, confidence: f64) -> Value {
    let calls = if condition == "with_search" {
        json!([{"n": 1, "kind": "search", "query": "a query", "status": "ok", "results": []}])
    } else {
        json!([])
    };
    json!({"schema": "lookitup.attempt/1", "question_id": id, "question": format!("What is {id}?"),
           "references": [format!("the {id}")], "model": "m", "condition": condition, "attempt": 1, "answer": answer,
           "confidence": confidence, "search_calls": calls, "source": "live"})
}

pub(crate) fn jsonl(ran: &Ran) -> Vec<Value> {
    ran.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn golden_transitions() {
    let Some(path) = beside("golden/haiku.results.jsonl") else { return };
    let row = validator("row");
    for (transition, rows) in
        [("broken", 26), ("corrected", 246), ("preserved", 218), ("unresolved", 117), ("not_searched", 176)]
    {
        let filter = format!("transition:{transition}");
        let ran =
            lookitup(root(), &["list", path.to_str().unwrap(), "--filter", &filter, "--format", "jsonl"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        let lines = jsonl(&ran);
        assert_eq!(lines.len(), rows, "{transition}");
        for line in &lines {
            row.validate(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            assert_eq!(line["transition"], transition);
        }
    }
}

#[test]
fn the_sample_says_that_it_is_simulated() {
    let empty = tempfile::tempdir().unwrap();
    let ran = lookitup(empty.path(), &["list", "--limit", "3", "--format", "jsonl"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("SIMULATED sample data"), "{}", ran.err);
    assert_eq!(jsonl(&ran).len(), 3);
    assert!(jsonl(&ran).iter().all(|row| row["source"] == "simulated"));
    let md = lookitup(empty.path(), &["show", "Q4S1C3R5"]);
    assert_eq!(md.code, 0, "{}", md.err);
    assert!(md.out.contains("SIMULATED") && md.out.contains("# Who held"), "{}", md.out);
}

#[test]
fn every_row_of_the_sample_has_what_is_promised() {
    let empty = tempfile::tempdir().unwrap();
    let row = validator("row");
    let ran = lookitup(empty.path(), &["list", "--format", "jsonl"]);
    let lines = jsonl(&ran);
    assert_eq!(lines.len(), 336);
    for line in &lines {
        row.validate(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    }
    let dropped = lines.iter().filter(|l| l["with"]["correct"].is_null()).count();
    let ran = lookitup(empty.path(), &["list", "--format", "jsonl", "--errors", "wrong"]);
    let counted = jsonl(&ran);
    assert!(dropped > 0);
    assert!(counted.iter().all(|l| l["with"]["correct"].is_boolean()));
}

#[test]
fn folders_here_are_found_and_only_when_they_hold_ours() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    std::fs::write(folder.path().join("data/table.csv"), "a,b\n1,2\n").unwrap();
    let ran = lookitup(folder.path(), &["list", "--limit", "1"]);
    assert!(ran.err.contains("SIMULATED sample"), "{}", ran.err);
    std::fs::create_dir(folder.path().join("results")).unwrap();
    file(&folder, "results/run.jsonl", &[attempt("x", "no_search", "the x", 0.5)]);
    let ran = lookitup(folder.path(), &["list", "--format", "jsonl"]);
    assert_eq!(jsonl(&ran).len(), 1, "{}", ran.err);
    assert!(!ran.err.contains("SIMULATED"), "{}", ran.err);
}

#[test]
fn usage_errors_are_2_and_show_the_place() {
    let empty = tempfile::tempdir().unwrap();
    let ran = lookitup(empty.path(), &["list", "--filter", "conf>=0.9 nofield:x"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.out.is_empty());
    let lines: Vec<&str> = ran.err.lines().collect();
    assert!(lines[0].starts_with("lookitup: --filter: "), "{}", ran.err);
    assert_eq!(lines[1], "  conf>=0.9 nofield:x");
    assert_eq!(lines[2].find('^'), lines[1].find("nofield"), "{}", ran.err);
    for args in [
        &["list", "--format", "xlsx"][..],
        &["list", "--sort", "nofield"],
        &["list", "--columns", "nope"],
        &["list", "--as", "maybe=a.jsonl"],
        &["list", "--scorer", "kind"],
        &["nosuchflag", "--x"],
        &["show"],
    ] {
        let ran = lookitup(empty.path(), args);
        assert_eq!(ran.code, 2, "{args:?}: {}", ran.err);
        assert!(!ran.err.is_empty());
    }
}

#[test]
fn nothing_readable_is_3_and_a_bad_line_costs_only_itself() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [("empty.jsonl", &b""[..]), ("binary.jsonl", &[0, 159, 146, 150, 0, 1, 2][..])] {
        std::fs::write(folder.path().join(name), bytes).unwrap();
        let ran = lookitup(folder.path(), &["list", name]);
        assert_eq!(ran.code, 3, "{name}: {}", ran.err);
        assert!(ran.err.contains(name), "{}", ran.err);
    }
    let ran = lookitup(folder.path(), &["list", "missing.jsonl"]);
    assert_eq!(ran.code, 3, "{}", ran.err);
    assert!(ran.err.contains("missing.jsonl"), "{}", ran.err);

    let path = file(&folder, "half.jsonl", &[attempt("x", "no_search", "the x", 0.5)]);
    let mut out = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    writeln!(out, "{{\"broken\": \n{}", attempt("x", "with_search", "y", 0.9)).unwrap();
    let ran = lookitup(folder.path(), &["list", "half.jsonl", "--format", "jsonl"]);
    assert_eq!(ran.code, 0);
    assert_eq!(jsonl(&ran)[0]["transition"], "broken");
    assert!(ran.err.contains("half.jsonl:2: "), "{}", ran.err);
}

#[test]
fn many_problems_are_counted_and_the_first_printed() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "{\"no\n".repeat(50);
    text.push_str(&attempt("x", "no_search", "the x", 0.5).to_string());
    std::fs::write(folder.path().join("bad.jsonl"), text).unwrap();
    let ran = lookitup(folder.path(), &["list", "bad.jsonl"]);
    assert_eq!(ran.code, 0);
    assert_eq!(ran.err.lines().filter(|l| l.starts_with("bad.jsonl:")).count(), 20, "{}", ran.err);
    assert!(ran.err.contains("50 problems"), "{}", ran.err);
}

#[test]
fn a_row_has_what_is_promised() {
    let folder = tempfile::tempdir().unwrap();
    file(
        &folder,
        "a.jsonl",
        &[attempt("x", "no_search", "The X", 0.8), attempt("x", "with_search", "y", 0.95)],
    );
    let ran = lookitup(folder.path(), &["list", "a.jsonl", "--format", "jsonl"]);
    assert!(ran.err.is_empty(), "{}", ran.err);
    let rows = jsonl(&ran);
    assert_eq!(rows.len(), 1);
    validator("row").validate(&rows[0]).unwrap_or_else(|e| panic!("{e}"));
    let row = &rows[0];
    assert_eq!(row["question_id"], "x");
    assert_eq!(row["question"], "What is x?");
    assert_eq!(row["references"], json!(["the x"]));
    assert_eq!((&row["transition"], &row["outcome"]), (&json!("broken"), &json!("harmful")));
    assert_eq!((&row["dconf"], &row["calls"]), (&json!(0.15), &json!(1)));
    assert_eq!(row["no"]["correct"], true);
    assert_eq!(row["with"]["correct"], false);
    let strict = lookitup(folder.path(), &["list", "a.jsonl", "--format", "jsonl", "--scorer", "strict"]);
    assert_eq!(jsonl(&strict)[0]["transition"], "unresolved");
}

#[test]
fn columns_order_and_limit() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Vec::new();
    for (id, confidence) in [("a", 0.2), ("b", 0.9), ("c", 0.5)] {
        lines.push(attempt(id, "no_search", "no", confidence));
    }
    file(&folder, "a.jsonl", &lines);
    let args =
        ["list", "a.jsonl", "--sort", "-conf", "--limit", "2", "--columns", "id,conf", "--format", "jsonl"];
    let ran = lookitup(folder.path(), &args);
    assert_eq!(
        jsonl(&ran),
        [
            json!({"question_id": "b", "conf.no": 0.9, "conf.with": null}),
            json!({"question_id": "c", "conf.no": 0.5, "conf.with": null})
        ]
    );
}

#[test]
fn csv_is_safe_for_spreadsheets_and_markdown_for_its_table() {
    let folder = tempfile::tempdir().unwrap();
    let answers = ["=1+1", "+1", "-1", "@x", "\tx", "a | b\nc", "\"quoted\", with comma"];
    let lines: Vec<Value> = answers
        .iter()
        .enumerate()
        .map(|(n, answer)| attempt(&format!("q{n}"), "no_search", answer, 0.5))
        .collect();
    file(&folder, "a.jsonl", &lines);
    let ran = lookitup(folder.path(), &["list", "a.jsonl", "--format", "csv"]);
    let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
    let at = reader.headers().unwrap().iter().position(|h| h == "answer.no").unwrap();
    let cells: Vec<String> = reader.records().map(|r| r.unwrap()[at].to_owned()).collect();
    assert_eq!(cells.len(), answers.len());
    for (cell, answer) in cells.iter().zip(answers).take(5) {
        assert_eq!(cell, &format!("'{answer}"));
    }
    assert!(cells[6].contains("\"quoted\", with comma"));
    let ran = lookitup(folder.path(), &["list", "a.jsonl", "--format", "md", "--columns", "id,answer.no"]);
    assert_eq!(ran.out.lines().count(), answers.len() + 2, "{}", ran.out);
    assert!(ran.out.lines().all(|l| l.replace("\\|", "").matches('|').count() == 3), "{}", ran.out);
}

#[test]
fn hostile_text_never_reaches_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let evil = "a\u{1b}[31mred\u{1b}]52;c;AAAA\u{7}\u{202e}txet\u{2066}\u{9b}31m\u{7f}\u{0}\rb\u{feff}";
    let mut no = attempt(evil, "no_search", evil, 0.5);
    for field in ["question", "run_id", "model", "raw", "stop", "source", "split", "created_at", "provider"] {
        no[field] = json!(evil);
    }
    no["references"] = json!([evil]);
    no["error"] = json!({"kind": evil, "message": evil});
    no["extra"] = json!({evil: [evil]});
    no["request"] = json!({"model": evil});
    no["citations"] = json!([{"url": evil, "title": evil, "quote": evil}]);
    let mut with = attempt(evil, "with_search", evil, 0.5);
    with["model"] = json!(evil);
    with["search_calls"] = json!([{"n": 1, "kind": "search", "query": evil, "queries": [evil], "status": evil,
        "error": evil, "results": [{"url": evil, "title": evil, "published": evil, "x": evil}], evil: evil}]);
    let question = json!({"id": evil, "question": evil, "references": [evil], "topic": evil, "key_date": evil, "note": evil, evil: evil});
    let lines = [no, with];
    file(&folder, "a.jsonl", &lines);
    file(&folder, "q.jsonl", &[question]);
    let listed = lookitup(folder.path(), &["list", "a.jsonl", "--format", "jsonl"]);
    let id = jsonl(&listed)[0]["question_id"].as_str().unwrap().to_owned();
    let mut texts = String::new();
    for args in [
        &["list"][..],
        &["list", "--format", "jsonl"],
        &["list", "--format", "csv"],
        &["list", "--format", "md"],
        &["check"],
        &["check", "--format", "json"],
        &["show", &id],
        &["show", &id, "--format", "json"],
    ] {
        let args: Vec<&str> = args.iter().copied().chain(["a.jsonl", "q.jsonl"]).collect();
        let ran = lookitup(folder.path(), &args);
        assert!(!ran.out.is_empty(), "{args:?}: {}", ran.err);
        let bad = |c: char| {
            (c.is_control() && c != '\n' && c != '\t')
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{200e}' | '\u{200f}')
        };
        // The line ends of CSV.
        for text in [&ran.out.replace("\r\n", "\n"), &ran.err] {
            assert_eq!(text.chars().find(|&c| bad(c)), None, "{args:?}: {text:?}");
        }
        // JSON could carry them escaped, and a reader of it would let them loose.
        for escaped in ["\\u001b", "\\u202e", "\\u009b", "\\u0000", "\\u0007"] {
            assert!(!ran.out.to_lowercase().contains(escaped), "{args:?}: {escaped}");
        }
        texts.push_str(&ran.out);
    }
    assert!(texts.contains("[31mred"), "the text itself must still be there");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(2_000);
    let lines: Vec<Value> = (0..500).map(|n| attempt(&format!("q{n}"), "no_search", &long, 0.5)).collect();
    file(&folder, "a.jsonl", &lines);
    for format in ["jsonl", "csv", "md", "table"] {
        let mut child = command(folder.path(), &["list", "a.jsonl", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(0), "{format}");
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{format}");
    }
}

#[test]
fn piped_tables_are_plain_and_fit() {
    let folder = tempfile::tempdir().unwrap();
    let long = "word ".repeat(100);
    file(&folder, "a.jsonl", &[attempt("a-rather-long-identifier", "no_search", &long, 0.5)]);
    let ran = lookitup(folder.path(), &["list", "a.jsonl"]);
    assert!(!ran.out.contains('\u{1b}'));
    assert!(ran.out.contains("a-rather-long-identifier"));
    for line in ran.out.lines() {
        assert!(lookitup::text::width(line) <= 120, "{line}");
    }
    let mut narrow = command(folder.path(), &["list", "a.jsonl"]);
    let narrow = narrow.env("COLUMNS", "90").output().unwrap();
    for line in String::from_utf8(narrow.stdout).unwrap().lines() {
        assert!(lookitup::text::width(line) <= 90, "{line}");
    }
}

#[test]
fn check_finds_contradictions() {
    let folder = tempfile::tempdir().unwrap();
    let mut lines = Vec::new();
    for n in 0..30 {
        let id = format!("q{n}");
        lines.push(attempt(&id, "no_search", &format!("the q{n}"), 0.5));
        lines.push(attempt(&id, "with_search", "no", 0.2 + 0.01 * f64::from(n)));
    }
    let fine = file(&folder, "fine.jsonl", &lines);
    let ran = lookitup(folder.path(), &["check", fine.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "every no-search confidence is the same: {}", ran.out);
    assert!(ran.out.contains("all 30 stated confidences are 0.5"), "{}", ran.out);

    lines[0]["confidence"] = json!(0.25);
    lines[2]["confidence"] = json!(1.0);
    let mut other = lines[7].clone();
    other["references"] = json!(["something else"]);
    other["attempt"] = json!(2);
    let mut other_no = lines[6].clone();
    other_no["attempt"] = json!(2);
    let mut searched = lines[8].clone();
    searched["search_calls"] = json!([{"kind": "search", "query": "q"}]);
    lines[8] = searched;
    let twice = lines[4].clone();
    lines.remove(11);
    lines.push(other_no);
    lines.push(other);
    lines.push(twice);
    file(&folder, "bad.jsonl", &lines);
    let ran = lookitup(folder.path(), &["check", "bad.jsonl", "--format", "json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    validator("check").validate(&report).unwrap_or_else(|e| panic!("{e}"));
    let lines_of = |kind: &str| -> Vec<u64> {
        let findings = report["findings"].as_array().unwrap();
        findings.iter().filter(|f| f["kind"] == kind).map(|f| f["line"].as_u64().unwrap_or(0)).collect()
    };
    assert_eq!(lines_of("searched-without-tool"), [9], "{}", ran.out);
    assert_eq!(lines_of("doubtful"), [61, 62], "references that differ, and an attempt twice: {}", ran.out);
    assert!(lines_of("missing-side").contains(&11), "{}", ran.out);
}

#[test]
fn check_tests_the_figures_that_a_publication_prints() {
    let folder = tempfile::tempdir().unwrap();
    let paper = root().join("data/paper.toml");
    let ran = lookitup(folder.path(), &["check", "--tables", paper.to_str().unwrap()]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("paper.toml:16: GPT-5 mini / static: accuracy without search"), "{}", ran.out);
    assert!(ran.out.ends_with("8 contradictions, 0 notes: 29 figures in 3 groups\n"), "{}", ran.out);
    let ran = lookitup(folder.path(), &["check", "--tables", paper.to_str().unwrap(), "--format", "json"]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    validator("check").validate(&report).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(report["kinds"]["accuracy-out-of-reach"], 2);

    let head = "schema = \"lookitup.tables/1\"\n[[table]]\nsource = \"t\"\nmodel = \"m\"\n";
    std::fs::write(folder.path().join("fine.toml"), format!("{head}questions = 5\n")).unwrap();
    let ran = lookitup(folder.path(), &["check", "--tables", "fine.toml"]);
    assert_eq!((ran.code, ran.out.as_str()), (0, "nothing contradicts, 0 notes: 1 figure in 1 group\n"));
    std::fs::write(folder.path().join("bad.toml"), format!("{head}question = 5\n")).unwrap();
    let ran = lookitup(folder.path(), &["check", "--tables", "bad.toml"]);
    assert_eq!((ran.code, ran.out.as_str()), (3, ""));
    assert!(ran.err.contains("bad.toml:5: unknown figure \"question\"; did you mean"), "{}", ran.err);
    assert_eq!(lookitup(folder.path(), &["check", "--tables", "none.toml"]).code, 3);
    assert_eq!(lookitup(folder.path(), &["check", "x.jsonl", "--tables", "fine.toml"]).code, 2);
}

#[test]
fn check_is_content_with_the_sample_and_the_golden_files() {
    let empty = tempfile::tempdir().unwrap();
    let ran = lookitup(empty.path(), &["check"]);
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    if let Some(path) = beside("golden/haiku.results.jsonl") {
        let ran = lookitup(empty.path(), &["check", path.to_str().unwrap()]);
        assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    }
}

#[test]
fn show_is_one_question_or_one_attempt() {
    let folder = tempfile::tempdir().unwrap();
    let mut second = attempt("x:1", "no_search", "other", 0.4);
    second["attempt"] = json!(2);
    file(&folder, "a.jsonl", &[attempt("x:1", "no_search", "the x:1", 0.8), second]);
    let whole = lookitup(folder.path(), &["show", "x:1", "a.jsonl", "--format", "json"]);
    assert_eq!(whole.code, 0, "{}", whole.err);
    let whole: Value = serde_json::from_str(&whole.out).unwrap();
    assert_eq!(whole["pairs"].as_array().unwrap().len(), 2);
    assert_eq!(whole["pairs"][0]["no"]["answer"], "the x:1");
    let one = lookitup(folder.path(), &["show", "X:1:2", "a.jsonl", "--format", "json"]);
    let one: Value = serde_json::from_str(&one.out).unwrap();
    assert_eq!(one["pairs"].as_array().unwrap().len(), 1);
    assert_eq!(one["pairs"][0]["attempt"], 2);
    let none = lookitup(folder.path(), &["show", "y", "a.jsonl"]);
    assert_eq!((none.code, none.out.as_str()), (1, ""));
    assert!(none.err.contains("'y'"), "{}", none.err);
}

#[test]
fn doctor_never_prints_a_key() {
    let empty = tempfile::tempdir().unwrap();
    let mut doctor = command(empty.path(), &["doctor"]);
    let ran = doctor
        .env("OPENAI_API_KEY", "sk-secret-value")
        .env("ANTHROPIC_BASE_URL", "https://user:hidden@example.org")
        .output()
        .unwrap();
    let out = String::from_utf8(ran.stdout).unwrap() + &String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.code(), Some(0), "{out}");
    assert!(!out.contains("secret") && !out.contains("hidden"), "{out}");
    let line = |name: &str| out.lines().find(|l| l.contains(name)).unwrap_or_default().to_owned();
    assert!(line("OPENAI_API_KEY").contains("set") && !line("OPENAI_API_KEY").contains("not set"), "{out}");
    assert!(line("ANTHROPIC_API_KEY").contains("not set"), "{out}");
}

#[test]
fn keys_config_themes_and_completions_print() {
    let empty = tempfile::tempdir().unwrap();
    for (args, word) in [
        (&["keys"][..], "quit"),
        (&["keys", "--markdown"], "| Keys |"),
        (&["config"], "# "),
        (&["themes"], "dark"),
        (&["themes", "list"], "light"),
        (&["themes", "show", "dark"], "["),
        (&["completions", "bash"], "lookitup"),
        (&["completions", "zsh"], "lookitup"),
        (&["completions", "fish"], "lookitup"),
        (&["--version"], env!("CARGO_PKG_VERSION")),
    ] {
        let ran = lookitup(empty.path(), args);
        assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
        assert!(ran.out.contains(word), "{args:?}: {}", ran.out);
        assert!(!ran.out.contains('\u{1b}'), "{args:?}");
    }
    assert_eq!(lookitup(empty.path(), &["themes", "show", "no-such-theme"]).code, 2);
}
