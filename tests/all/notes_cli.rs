//! Notes from the command line: counted, exported, compared, and put to the figures.

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lookitup::record::{Condition, Verdict};
use lookitup::review::{Act, Key, NotesFile, Stamp, answer_hash};
use serde_json::{Value, json};

use super::cli::{Ran, attempt, file, jsonl, lookitup};
use super::schemas::validator;
use super::store::folder;

/// A notes file that is written line by line.
struct Book {
    file: NotesFile,
    by: String,
}

impl Book {
    fn new(path: impl Into<PathBuf>, by: &str) -> Self {
        Self { file: NotesFile::open(path).unwrap(), by: by.to_owned() }
    }

    fn say(&mut self, key: Key, answer: &str, act: Act) {
        let n = self.file.notes().len();
        let at = Timestamp::from_millisecond(1_763_028_000_000 + n as i64).unwrap();
        let stamp = Stamp { id: format!("{}-{n}", self.by), at, by: self.by.clone() };
        self.file.say(stamp, key, answer, act).unwrap();
    }

    /// Codes the pair of a question whose answers are `no` and `with`.
    fn code(&mut self, id: &str, answers: [&str; 2], codes: &[&str], note: &str) {
        let act = Act::Coded {
            primary: codes.first().map(|c| (*c).to_owned()),
            others: codes.iter().skip(1).map(|c| (*c).to_owned()).collect(),
            note: note.to_owned(),
            codebook: 1,
            settles: Vec::new(),
        };
        self.say(Key::pair(id, "m", 1), &pair(answers), act);
    }
}

fn pair([no, with]: [&str; 2]) -> String {
    format!("{}/{}", answer_hash(Some(no)), answer_hash(Some(with)))
}

/// The answers of a question: right ones are `the ID`.
fn answers(id: &str, right: [bool; 2]) -> [String; 2] {
    right.map(|right| if right { format!("the {id}") } else { format!("not {id}") })
}

const ROWS: [(&str, [bool; 2]); 8] = [
    ("q1", [true, false]),
    ("q2", [true, false]),
    ("q3", [true, false]),
    ("q4", [false, false]),
    ("q5", [false, true]),
    ("q6", [true, true]),
    ("q7", [true, true]),
    ("q8", [true, false]),
];

fn results(folder: &tempfile::TempDir, name: &str) -> PathBuf {
    let lines: Vec<Value> = ROWS
        .iter()
        .flat_map(|(id, right)| {
            let [no, with] = answers(id, *right);
            [attempt(id, "no_search", &no, 0.5), attempt(id, "with_search", &with, 0.9)]
        })
        .collect();
    file(folder, name, &lines)
}

fn usual(path: impl Into<PathBuf>) -> Book {
    let mut book = Book::new(path, "ann");
    let plan = "stratified broken=all unresolved=1 seed=1 | ";
    let mark = Act::Mark { plan: plan.into(), position: 0, of: 5 };
    book.say(Key::pair("q1", "m", 1), "", mark);
    for (at, codes, note) in [
        (0, &["bad-query", "over-trust"][..], "first"),
        (1, &["bad-query"], ""),
        (2, &["stale-source"], ""),
        (3, &["bad-query"], ""),
        (4, &[], "only a note"),
    ] {
        let (id, right) = ROWS[at];
        let [no, with] = answers(id, right);
        book.code(id, [&no, &with], codes, note);
    }
    book.say(Key::pair("q6", "m", 1), &pair(["the q6", "the q6"]), Act::Deferred { note: "later".into() });
    book.code("q7", ["the q7", "what it was before"], &["over-trust"], "");
    book.code("gone", ["a", "b"], &["over-trust"], "");
    book
}

fn ok(folder: &Path, args: &[&str]) -> Ran {
    let ran = lookitup(folder, args);
    assert_eq!(ran.code, 0, "{args:?}: {}", ran.err);
    ran
}

fn as_json(ran: &Ran, schema: &str) -> Value {
    let value: Value = serde_json::from_str(&ran.out).unwrap();
    let wrong: Vec<String> =
        validator(schema).iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    value
}

fn near(value: &Value, expected: f64) {
    let found = value.as_f64().unwrap();
    assert!((found - expected).abs() < 5e-5, "{found} is not {expected}");
}

#[test]
fn codes_are_counted_by_hand_and_by_the_program_alike() {
    let folder = folder();
    results(&folder, "run.jsonl");
    usual(folder.path().join("a.notes.jsonl"));
    let args = ["codes", "run.jsonl", "--notes", "a.notes.jsonl", "--format", "json"];
    let found = as_json(&ok(folder.path(), &args), "codes");
    let rows = json!({"coded": 5, "deferred": 1, "outdated": 1, "elsewhere": 1, "ambiguous": 0, "without_code": 1, "split_code": 0});
    assert_eq!(found["rows"], rows);
    let columns = json!([{"name": "corrected", "rows": 1}, {"name": "broken", "rows": 3}, {"name": "unresolved", "rows": 1}]);
    assert_eq!(found["columns"], columns);
    let code = |found: &Value, id: &str| {
        found["codes"].as_array().unwrap().iter().find(|c| c["code"] == id).unwrap().clone()
    };
    let bad = code(&found, "bad-query");
    assert_eq!((&bad["cells"]["broken"]["rows"], &bad["cells"]["broken"]["of"]), (&json!(2), &json!(3)));
    near(&bad["cells"]["broken"]["wilson95"][0], 0.2077);
    near(&bad["cells"]["broken"]["wilson95"][1], 0.9385);
    assert_eq!((&bad["all"]["rows"], &bad["all"]["of"]), (&json!(3), &json!(5)));
    near(&bad["all"]["wilson95"][0], 0.2307);
    near(&bad["all"]["wilson95"][1], 0.8824);
    // 4/5 of the rows drawn from are broken, 2 of 3 coded ones with the code; 1/5 unresolved, all with it.
    near(&bad["prevalence"]["share"], 4.0 / 5.0 * 2.0 / 3.0 + 1.0 / 5.0);
    near(&bad["prevalence"]["effective"], 1.0 / (0.64 / 3.0 + 0.04));
    assert_eq!(bad["prevalence"]["covered"], 1.0);
    assert_eq!(found["plan"]["strata"][0], json!({"transition": "broken", "rows": 4, "coded": 3}));
    assert_eq!(found["saturation"], json!({"codes": 3, "since_last_new": 2, "new_per_ten": [3]}));
    near(&found["unseen"]["chance"], 0.7738);
    near(&found["unseen"]["bound95"], 0.4507);
    assert_eq!(code(&found, "over-trust")["all"]["rows"], 0, "it is no primary one");

    let every =
        as_json(&ok(folder.path(), &[&args[..], &["--all-codes", "--by", "model"]].concat()), "codes");
    assert_eq!(code(&every, "over-trust")["cells"]["m"]["rows"], 1);
    let narrow = ok(folder.path(), &[&args[..], &["--filter", "code:bad-query transition:broken"]].concat());
    assert_eq!(as_json(&narrow, "codes")["rows"]["coded"], 2);
    let table = ok(folder.path(), &["codes", "run.jsonl", "--notes", "a.notes.jsonl"]).out;
    for part in [
        "bad query",
        "broken (3)",
        "2 .667",
        "3 .600 [.231 .882]",
        ".733 [",
        "5 rows coded, 1 deferred, 1 outdated",
    ] {
        assert!(table.contains(part), "{part}\n{table}");
    }
    assert!(!table.contains("no answer"), "codes that nobody gave are left out:\n{table}");
    let md = ok(folder.path(), &["codes", "run.jsonl", "--notes", "a.notes.jsonl", "--format", "md"]).out;
    assert!(md.starts_with("# Codes by transition\n\n| code |"), "{md}");
}

#[test]
fn exports_are_safe_and_hold_verdicts_and_added_answers() {
    let folder = folder();
    results(&folder, "run.jsonl");
    let mut book = usual(folder.path().join("a.notes.jsonl"));
    book.by = "@bob".into();
    book.code("q8", ["the q8", "not q8"], &["bad-query"], "=HYPERLINK(\"x\")\u{1b}[31m\u{202e}");
    let verdict = Act::Verdict { verdict: Verdict::Right, reason: "+same".into() };
    book.say(Key::pair("q1", "m", 1).side(Condition::WithSearch), &answer_hash(Some("not q1")), verdict);
    book.say(Key::question("q4"), "", Act::Reference { text: "not q4".into(), reason: "=is too".into() });
    let args = ["notes", "run.jsonl", "--notes", "a.notes.jsonl", "--format"];
    let run = |format: &str| ok(folder.path(), &[&args[..], &[format]].concat());

    let csv = run("csv").out;
    assert!(!csv.contains('\u{1b}') && !csv.contains('\u{202e}'));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let heads = reader.headers().unwrap().clone();
    let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    let cell = |id: &str, name: &str| {
        let row = records.iter().find(|r| &r[0] == id).unwrap();
        row[heads.iter().position(|h| h == name).unwrap()].to_owned()
    };
    assert!(records.iter().flatten().all(|c| !c.starts_with(['=', '+', '-', '@', '\t', '\r'])), "{csv}");
    assert_eq!(records.len(), 8);
    assert!(cell("q8", "note").starts_with("'=HYPERLINK") && cell("q8", "by") == "'@bob");
    assert_eq!((cell("q1", "reviewed"), cell("q1", "transition")), ("preserved".into(), "broken".into()));
    assert_eq!(cell("q1", "overrides"), "with_search: right by @bob: +same");
    assert_eq!(cell("q4", "added"), "not q4 by @bob: =is too");
    assert_eq!((cell("q7", "changed"), cell("q6", "state")), ("true".into(), "deferred".into()));
    assert_eq!(
        (cell("q2", "weight"), cell("q5", "weight"), cell("q2", "source")),
        ("1".into(), String::new(), "live".into())
    );

    let lines = jsonl(&run("jsonl"));
    let schema = validator("coded");
    for line in &lines {
        schema.validate(line).unwrap_or_else(|e| panic!("{e}: {line}"));
    }
    assert_eq!(lines.len(), 8);
    assert_eq!(lines[3]["added"][0]["reference"], "not q4");
    assert_eq!(lines[3]["reviewed"], "preserved");

    let md = run("md").out;
    for part in [
        "# Coded rows\n",
        "- code: **bad query**",
        "- override, with\\_search: right by @bob",
        "| no search |",
        "accepted as well: not q4",
    ] {
        assert!(md.contains(part) || md.contains(&part.replace('\\', "")), "{part}\n{md}");
    }
    assert!(!md.contains('\u{1b}'));
    let table = run("table").out;
    assert!(table.lines().count() == 9 && !table.contains('\u{1b}'), "{table}");
    let one = ok(folder.path(), &[&args[..], &["jsonl", "--person", "@bob"]].concat());
    let ids: Vec<Value> = jsonl(&one).iter().map(|l| l["question_id"].clone()).collect();
    assert_eq!(ids, ["q1", "q4", "q8"]);
    assert_eq!(jsonl(&one)[0]["state"], "reviewed");
    let out = ok(folder.path(), &[&args[..], &["csv", "--out", "out.csv"]].concat());
    assert_eq!(
        (out.out.as_str(), std::fs::read_to_string(folder.path().join("out.csv")).unwrap()),
        ("", csv)
    );
    let input = lookitup(folder.path(), &[&args[..], &["csv", "--out", "run.jsonl"]].concat());
    assert_eq!(input.code, 2, "{}", input.err);
}

#[test]
fn added_answers_become_a_patch_of_the_question_file() {
    let folder = folder();
    results(&folder, "run.jsonl");
    let mut book = Book::new(folder.path().join("a.notes.jsonl"), "ann");
    for (id, text) in [("q1", "one \"more\""), ("elsewhere", "x")] {
        book.say(Key::question(id), "", Act::Reference { text: text.into(), reason: String::new() });
    }
    let data = "{\"id\":\"q1\",\"question\":\"?\",\"references\":[\"the q1\"]}\n{\"id\":\"q2\",\"question\":\"?\",\"references\":[]}\n";
    std::fs::write(folder.path().join("data.jsonl"), data).unwrap();
    let args = ["notes", "run.jsonl", "--notes", "a.notes.jsonl", "--patch", "data.jsonl"];
    let diff = ok(folder.path(), &args);
    assert!(diff.out.starts_with("--- a/data.jsonl\n+++ b/data.jsonl\n"), "{}", diff.out);
    assert!(diff.err.contains("1 answer added") && diff.err.contains("elsewhere"), "{}", diff.err);
    let whole = ok(folder.path(), &[&args[..], &["--whole"]].concat()).out;
    assert_eq!(whole, data.replace("[\"the q1\"]", "[\"the q1\", \"one \\\"more\\\"\"]"));
    assert_eq!(lookitup(folder.path(), &[&args[..], &["--out", "data.jsonl"]].concat()).code, 2);
    assert_eq!(
        lookitup(folder.path(), &["notes", "run.jsonl", "--notes", "a.notes.jsonl", "--patch", "none"]).code,
        3
    );
    assert_eq!(std::fs::read_to_string(folder.path().join("data.jsonl")).unwrap(), data);
}

#[test]
fn two_people_are_compared_in_two_files_and_in_one() {
    let folder = folder();
    // Both give the code 4 times, the first alone once, the second alone twice, neither 3 times.
    let table = [(true, true, 4), (true, false, 1), (false, true, 2), (false, false, 3)];
    let rows: Vec<(bool, bool)> = table.iter().flat_map(|&(a, b, n)| vec![(a, b); n]).collect();
    let code = |yes: bool| if yes { ["bad-query"] } else { ["over-trust"] };
    let one_path = folder.path().join("both.notes.jsonl");
    for (by, path) in [("ann", "a.notes.jsonl"), ("bob", "b.notes.jsonl")] {
        let mut own = Book::new(folder.path().join(path), by);
        let mut both = Book::new(&one_path, by);
        for (n, (a, b)) in rows.iter().enumerate() {
            let yes = if by == "ann" { *a } else { *b };
            for book in [&mut own, &mut both] {
                book.code(&format!("q{n}"), ["x", "y"], &code(yes), "");
            }
        }
        // On other answers, and alone.
        own.code("changed", [by, "y"], &["bad-query"], "");
        own.code(by, ["x", "y"], &["bad-query"], "");
    }
    let two = as_json(
        &ok(folder.path(), &["agreement", "a.notes.jsonl", "b.notes.jsonl", "--format", "json"]),
        "agreement",
    );
    assert_eq!(
        two["rows"],
        json!({"both": 10, "first_alone": 1, "second_alone": 1, "other_answer": 1, "settled": 0})
    );
    for found in [&two["primary"], &two["codes"][0]] {
        near(&found["raw"], 0.7);
        // Chance: .5 × .6 + .5 × .4; for AC1 2 × .55 × .45.
        near(&found["kappa"]["value"], 0.4);
        near(&found["ac1"]["value"], (0.7 - 0.495) / 0.505);
        let ends = &found["kappa"]["interval95"];
        assert!(ends[0].as_f64().unwrap() < 0.4 && ends[1].as_f64().unwrap() > 0.4);
    }
    assert_eq!(two["disagreements"].as_array().unwrap().len(), 3);
    let args = ["agreement", "both.notes.jsonl", "--person", "ann", "--person", "bob"];
    let one = as_json(&ok(folder.path(), &[&args[..], &["--format", "json"]].concat()), "agreement");
    assert_eq!((&one["primary"], &one["disagreements"]), (&two["primary"], &two["disagreements"]));
    let text = ok(folder.path(), &args).out;
    assert!(text.contains(".700") && text.contains(".400 [") && text.contains("to settle: 3 rows"), "{text}");
    results(&folder, "run.jsonl");
    let md =
        ok(folder.path(), &["agreement", "a.notes.jsonl", "b.notes.jsonl", "run.jsonl", "--format", "md"])
            .out;
    assert!(md.contains("What is q4?") && md.contains("- ann: **bad query**"), "{md}");
    // One file is one person, unless two are named; and they have to be there.
    let ran = lookitup(folder.path(), &["agreement", "both.notes.jsonl"]);
    assert!(ran.code == 2 && ran.err.contains("ann, bob"), "{}", ran.err);
    for (args, code) in [
        (&["agreement", "both.notes.jsonl", "--person", "ann"][..], 2),
        (&["agreement", "both.notes.jsonl", "--person", "ann", "--person", "eve"], 1),
        (&["agreement", "a.notes.jsonl", "none.notes.jsonl"], 3),
    ] {
        assert_eq!(lookitup(folder.path(), args).code, code, "{args:?}");
    }
}

#[test]
fn a_report_as_reviewed_stands_beside_the_one_as_graded() {
    let folder = folder();
    results(&folder, "run.jsonl");
    let mut book = usual(folder.path().join("a.notes.jsonl"));
    let side = |id: &str| Key::pair(id, "m", 1).side(Condition::WithSearch);
    let verdict = |verdict| Act::Verdict { verdict, reason: "r".into() };
    book.say(side("q1"), &answer_hash(Some("not q1")), verdict(Verdict::Right));
    book.say(side("q2"), &answer_hash(Some("not q2")), verdict(Verdict::Wrong));
    book.say(side("q3"), &answer_hash(Some("an older one")), verdict(Verdict::Right));
    book.say(side("gone"), "-", verdict(Verdict::Right));
    book.say(Key::question("q4"), "", Act::Reference { text: "not q4".into(), reason: String::new() });
    let args = ["report", "run.jsonl", "--reviewed", "--notes", "a.notes.jsonl", "--format"];
    let run = |format: &str| ok(folder.path(), &[&args[..], &[format]].concat()).out;
    let found = as_json(&ok(folder.path(), &[&args[..], &["json"]].concat()), "report");
    let group = found.as_object().unwrap().values().next().unwrap();
    let counts = |at: &Value| {
        ["corrected", "preserved", "broken", "unresolved"]
            .map(|t| at["transitions"]["counts"][t].as_u64().unwrap())
    };
    // q1 is preserved now; of q4 both answers are accepted.
    assert_eq!(counts(&group["as_graded"]), [1, 2, 4, 1]);
    assert_eq!(counts(group), [1, 4, 3, 0]);
    assert_eq!(
        (&group["as_graded"]["with_search"]["correct"], &group["with_search"]["correct"]),
        (&json!(3), &json!(5))
    );
    assert_eq!(
        (&group["as_graded"]["no_search"]["correct"], &group["no_search"]["correct"]),
        (&json!(6), &json!(7))
    );
    assert_eq!(group["as_graded"]["harm"]["of_searched"]["part"], 4);
    let told = &group["provenance"]["reviewed"];
    let numbers =
        ["verdicts", "overridden", "accepted", "answers_added", "rows_changed", "outdated", "elsewhere"];
    assert_eq!(numbers.map(|n| told[n].as_u64().unwrap()), [2, 1, 2, 1, 2, 1, 1]);
    assert_eq!((&told["people"], told["notes"]["sha256"].as_str().unwrap().len()), (&json!(["ann"]), 64));
    let md = run("md");
    assert!(
        md.contains("### As graded and as reviewed") && md.contains("| broken | 4 | – | 3 | – | −1 |"),
        "{md}"
    );
    assert!(
        md.contains("- Verdicts of people: 2 on attempts of these rows, 1 of them against the scorer"),
        "{md}"
    );
    assert!(run("csv").contains(",as-reviewed,broken,as reviewed,3,"));
    let html = run("html");
    assert!(html.contains("As graded and as reviewed") && html.contains("Reviewed by"));
    let plain = ok(folder.path(), &["report", "run.jsonl", "--format", "json"]);
    let plain = as_json(&plain, "report");
    let plain = plain.as_object().unwrap().values().next().unwrap();
    assert_eq!(counts(plain), [1, 2, 4, 1]);
    assert!(plain.get("as_graded").is_none() && plain["provenance"].get("reviewed").is_none());
    assert_eq!(lookitup(folder.path(), &["report", "run.jsonl", "--notes", "a.notes.jsonl"]).code, 2);
}

#[test]
fn bad_lines_are_told_and_cost_no_other() {
    let folder = folder();
    results(&folder, "run.jsonl");
    let path = folder.path().join("a.notes.jsonl");
    usual(&path);
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{text}<<<<<<< HEAD\n{{\"schema\":\"lookitup.attempt/1\"}}\n{{\"cut\":"))
        .unwrap();
    for args in [
        &["codes", "run.jsonl", "--notes", "a.notes.jsonl", "--format", "csv"][..],
        &["notes", "run.jsonl", "--notes", "a.notes.jsonl"],
        &["report", "run.jsonl", "--reviewed", "--notes", "a.notes.jsonl"],
        &["agreement", "a.notes.jsonl", "a.notes.jsonl", "--person", "ann", "--person", "bob"],
    ] {
        let ran = lookitup(folder.path(), args);
        assert!(ran.err.contains("a.notes.jsonl:10: not a JSON object"), "{args:?}: {}", ran.err);
        assert!(ran.err.contains("a.notes.jsonl:11: its schema is \"lookitup.attempt/1\""), "{}", ran.err);
        assert!(ran.err.contains("last line is cut"), "{}", ran.err);
        assert_eq!(ran.code, i32::from(args[0] == "agreement"), "bob wrote nothing");
    }
    assert!(
        ok(folder.path(), &["codes", "run.jsonl", "--notes", "a.notes.jsonl", "--format", "csv"])
            .out
            .contains("bad-query,bad query,broken,2,3,")
    );
    // Not a notes file at all, none, a codebook with faults.
    for named in ["run.jsonl", "none.notes.jsonl", "."] {
        assert_eq!(lookitup(folder.path(), &["codes", "run.jsonl", "--notes", named]).code, 3, "{named}");
    }
    assert_eq!(
        lookitup(folder.path(), &["codes", "run.jsonl", "--notes", "a.notes.jsonl", "--person", "eve"]).code,
        1
    );
    assert_eq!(lookitup(folder.path(), &["codes", "run.jsonl", "--filter", "nofield:x"]).code, 2);
    std::fs::write(folder.path().join("codebook.toml"), "version = 0\n").unwrap();
    let ran = lookitup(folder.path(), &["codes", "run.jsonl", "--notes", "a.notes.jsonl"]);
    assert!(ran.code == 3 && ran.err.contains("codebook.toml:1:"), "{}", ran.err);
}

#[test]
fn notes_are_found_where_the_screen_keeps_them() {
    let folder = folder();
    std::fs::create_dir(folder.path().join("results")).unwrap();
    results(&folder, "results/run.jsonl");
    for args in [&["codes"][..], &["notes"], &["report", "--reviewed"], &["codes", "--format", "csv"]] {
        let ran = ok(folder.path(), args);
        assert!(
            ran.err.contains("nothing was noted yet in results/live.notes.jsonl"),
            "{args:?}: {}",
            ran.err
        );
    }
    let empty = as_json(&ok(folder.path(), &["codes", "--format", "json"]), "codes");
    assert_eq!((&empty["rows"]["coded"], &empty["columns"]), (&json!(0), &json!([])));
    usual(folder.path().join("results/live.notes.jsonl"));
    assert!(ok(folder.path(), &["codes"]).out.contains("5 rows coded"));
    let list = ok(folder.path(), &["list", "--filter", "code:over-trust", "--format", "jsonl"]);
    let ids: Vec<Value> = jsonl(&list).iter().map(|l| l["question_id"].clone()).collect();
    assert_eq!(ids, ["q1", "q7"]);
    // The sample is marked wherever it shows.
    let empty = super::store::folder();
    for args in [&["codes"][..], &["codes", "--format", "md"]] {
        assert!(ok(empty.path(), args).out.contains("SIMULATED"), "{args:?}");
    }
}
