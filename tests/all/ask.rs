//! `ask`, `models` and `doctor`: the real program against a server on this machine.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::wire::server::{Server, Step, answer, stream, stream_head};
use crate::wire::streams::{self, frames};

const KEYS: [&str; 2] = ["sk-canary-of-the-first-provider", "sk-ant-canary-of-the-second-one"];

pub(crate) struct Asked {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn command(home: &Path, base: Option<&str>, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_lookitup"));
    command.args(args).current_dir(home).env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    command.env("LOOKITUP_HOME", home.join("own"));
    if let Some(base) = base {
        command.env("OPENAI_API_KEY", KEYS[0]).env("OPENAI_BASE_URL", format!("{base}/v1"));
        command.env("ANTHROPIC_API_KEY", KEYS[1]).env("ANTHROPIC_BASE_URL", base);
    }
    command
}

pub(crate) fn told(output: Output) -> Asked {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let asked = Asked {
        code: output.status.code().unwrap_or(-1),
        out: text(output.stdout),
        err: text(output.stderr),
    };
    assert!(!asked.out.contains("canary") && !asked.err.contains("canary"), "{}{}", asked.out, asked.err);
    asked
}

pub(crate) fn run(home: &Path, base: Option<&str>, args: &[&str]) -> Asked {
    told(command(home, base, args).output().unwrap())
}

pub(crate) fn home() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

pub(crate) fn both() -> Server {
    Server::new(|request, _| {
        let openai = request.head.starts_with("POST /v1/responses");
        stream(&frames(&if openai { streams::openai() } else { streams::anthropic() }))
    })
}

pub(crate) fn records(text: &str) -> Vec<Value> {
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// A question of the sample with a stored answer that cites something.
pub(crate) const ID: &str = "E2W8A5I1";

#[test]
fn each_provider_answers_and_the_record_is_found_again() {
    let server = both();
    for (provider, model) in [("openai", "gpt"), ("anthropic", "claude")] {
        let home = home();
        let asked = run(home.path(), Some(&server.base), &["ask", ID, "--provider", provider]);
        assert_eq!(asked.code, 0, "{}{}", asked.out, asked.err);
        for word in
            ["search 1", "Patrik Sjöberg", "verdict     ✗ wrong", "transition  ✓→✗ broken", "confidence  .87"]
        {
            assert!(asked.out.contains(word), "{provider}, {word}: {}", asked.out);
        }
        let kept = home.path().join("own/data/results/sample.live.results.jsonl");
        let records = records(&std::fs::read_to_string(&kept).unwrap());
        assert_eq!(records.len(), 1);
        assert_eq!(records[0]["provider"], provider);
        assert_eq!(records[0]["question_id"], ID);
        assert!(!records[0].to_string().contains("canary"));
        let listed = run(
            home.path(),
            None,
            &["list", "--filter", &format!("model:{model} id:{ID}"), "--format", "jsonl"],
        );
        assert_eq!(listed.out.lines().count(), 1, "{}", listed.err);
        assert!(listed.err.contains("asked again"));
        let stored =
            run(home.path(), None, &["list", "--filter", &format!("id:{ID} model:sim"), "--format", "jsonl"]);
        assert!(stored.out.lines().count() >= 1);
    }
}

#[test]
fn json_is_records_and_nothing_else_and_repeats_are_numbered_on() {
    let server = both();
    let home = home();
    let args = ["ask", ID, "--provider", "anthropic", "--condition", "both", "--repeat", "2", "--json"];
    let asked = run(home.path(), Some(&server.base), &args);
    assert_eq!(asked.code, 0, "{}", asked.err);
    let seen: Vec<(u64, String)> = records(&asked.out)
        .iter()
        .map(|r| (r["attempt"].as_u64().unwrap(), r["condition"].as_str().unwrap().to_owned()))
        .collect();
    let (no, with) = ("no_search".to_owned(), "with_search".to_owned());
    assert_eq!(seen, [(1, no.clone()), (1, with.clone()), (2, no.clone()), (2, with.clone())]);
    let again = run(home.path(), Some(&server.base), &["ask", ID, "--provider", "anthropic", "--json"]);
    assert_eq!(records(&again.out)[0]["attempt"], 3, "{}", again.out);
    let asked = run(home.path(), Some(&server.base), &[&args[..8], &["--no-save"]].concat());
    assert!(asked.out.contains("flip rate .00, pass@1 .00"), "{}", asked.out);
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/schema/attempt.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    for record in records(&again.out) {
        assert!(schema.is_valid(&record), "{record}");
    }
}

#[test]
fn what_is_blocked_is_sent_and_the_answer_stands_in_the_pairs_own_row() {
    let server = both();
    let home = home();
    let args = ["ask", ID, "--provider", "anthropic", "--condition", "evidence_blocked", "--json"];
    let asked = run(home.path(), Some(&server.base), &args);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert_eq!(records(&asked.out)[0]["condition"], "evidence_blocked");
    let sent = server.requests().pop().unwrap().body;
    assert!(sent.contains("blocked_domains") && sent.contains("wikipedia.org"), "{sent}");
    let own = run(home.path(), Some(&server.base), &[&args[..], &["--block", "only.example"]].concat());
    assert_eq!(own.code, 0);
    let sent = server.requests().pop().unwrap().body;
    assert!(sent.contains("only.example") && !sent.contains("wikipedia.org"), "{sent}");
}

#[test]
fn refusals_of_the_server_have_their_code_and_leave_a_record() {
    let body = br#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#;
    let server = Server::new(|_, _| answer(401, &[("content-type", "application/json")], body));
    let home = home();
    let asked = run(
        home.path(),
        Some(&server.base),
        &["ask", ID, "--provider", "anthropic", "--repeat", "3", "--json"],
    );
    assert_eq!(asked.code, 4);
    let records = records(&asked.out);
    assert_eq!(records.len(), 1, "nothing that cannot help is tried again");
    assert_eq!(records[0]["error"]["kind"], "bad_key");
    assert!(records[0]["answer"].is_null());
    let gone = run(home.path(), Some("http://127.0.0.1:9"), &["models", "--provider", "openai"]);
    assert_eq!(gone.code, 0);
    let told = run(home.path(), Some(&server.base), &["ask", ID, "--provider", "anthropic", "--no-save"]);
    assert!(told.out.contains("bad key: invalid x-api-key"), "{}", told.out);
}

#[test]
fn a_broken_stream_is_a_partial_record() {
    let server = Server::new(|_, _| {
        let all = frames(&streams::anthropic());
        vec![stream_head(), Step::Send(all[..all.len() * 4 / 5].to_vec())]
    });
    let home = home();
    let asked = run(home.path(), Some(&server.base), &["ask", ID, "--provider", "anthropic", "--json"]);
    assert_eq!(asked.code, 1, "{}", asked.err);
    let record = &records(&asked.out)[0];
    assert_eq!(record["error"]["kind"], "dropped");
    assert!(record["answer"].is_null() && record["search_calls"][0]["query"].is_string());
}

#[test]
fn an_interrupt_keeps_what_came() {
    let server = Server::new(|_, _| {
        let all = frames(&streams::anthropic());
        vec![stream_head(), Step::Send(all[..all.len() * 4 / 5].to_vec()), Step::Stall]
    });
    let home = home();
    let mut child = command(home.path(), Some(&server.base), &["ask", ID, "--provider", "anthropic"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Once the first search is told, the answer is on its way.
    let mut out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.starts_with("search 1") {
        line.clear();
        assert_ne!(std::io::BufRead::read_line(&mut out, &mut line).unwrap(), 0);
    }
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut out, &mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.contains("cancelled"), "{rest}");
    let kept =
        std::fs::read_to_string(home.path().join("own/data/results/sample.live.results.jsonl")).unwrap();
    assert_eq!(records(&kept)[0]["error"]["kind"], "cancelled");
}

#[test]
fn without_a_key_one_sentence_says_what_to_do_and_the_replay_works() {
    let home = home();
    let asked = run(home.path(), None, &["ask", ID]);
    assert_eq!(asked.code, 4);
    assert!(
        asked.err.contains("ANTHROPIC_API_KEY") && asked.err.contains("--provider replay"),
        "{}",
        asked.err
    );
    let asked = run(home.path(), None, &["ask", ID, "--provider", "anthropic"]);
    assert_eq!(asked.code, 4);
    assert!(asked.err.contains("set ANTHROPIC_API_KEY"), "{}", asked.err);
    let asked = run(home.path(), None, &["ask", ID, "--provider", "replay", "--condition", "both"]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(asked.out.contains("REPLAY") && asked.out.contains("✓→✗ broken"), "{}", asked.out);
    assert!(!home.path().join("own/data").exists());
    let asked =
        run(home.path(), None, &["ask", ID, "--provider", "replay", "--json", "--save", "kept.jsonl"]);
    assert_eq!(records(&asked.out)[0]["source"], "replay");
    assert_eq!(std::fs::read_to_string(home.path().join("kept.jsonl")).unwrap(), asked.out);
}

#[test]
fn usage_is_checked_before_anything_is_sent() {
    let server = both();
    let home = home();
    let file = home.path().join("run.jsonl");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("results/sample.results.jsonl"), &file).unwrap();
    let before = std::fs::read(&file).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/static.jsonl");
    let data = data.to_str().unwrap();
    let cases: [(&[&str], i32, &str); 7] = [
        (
            &["ask", ID, "run.jsonl", data, "--provider", "anthropic", "--save", "run.jsonl"],
            2,
            "never written to",
        ),
        (&["ask", ID, "run.jsonl", "--provider", "anthropic"], 2, "text is not known"),
        (&["ask", "NOBODY", "run.jsonl", "--provider", "anthropic"], 1, "no question has the id"),
        (&["ask", ID, "--provider", "nobody"], 2, "nobody is called"),
        (&["ask", ID], 2, "choose one with --provider"),
        (&["ask"], 2, "--question"),
        (&["ask", ID, "--provider", "anthropic", "--prompt", "gone.txt"], 3, "gone.txt"),
    ];
    for (args, code, words) in cases {
        let asked = run(home.path(), Some(&server.base), args);
        assert_eq!(asked.code, code, "{args:?}: {}", asked.err);
        assert!(asked.err.contains(words), "{args:?}: {}", asked.err);
    }
    assert!(server.requests().is_empty());
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn a_new_question_can_be_asked_with_a_prompt_of_ones_own() {
    let server = both();
    let home = home();
    std::fs::write(home.path().join("p.txt"), "Tell me: {question}\n").unwrap();
    let args = [
        "ask",
        "--question",
        "Who jumped highest?",
        "--reference",
        "Patrik Sjöberg 🏅",
        "--provider",
        "openai",
        "--prompt",
        "p.txt",
        "--no-save",
    ];
    let asked = run(home.path(), Some(&server.base), &args);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(asked.out.contains("✓ right"), "{}", asked.out);
    assert!(server.requests()[0].body.contains("Tell me: Who jumped highest?"));
    assert!(!home.path().join("own/data").exists());
}

#[test]
fn models_and_doctor_tell_what_is_set_and_never_a_key() {
    let server = both();
    let home = home();
    let models = run(home.path(), None, &["models"]);
    assert!(models.out.contains("claude-haiku-4-5") && models.out.contains("paper-openai"));
    std::fs::create_dir_all(home.path().join("own/config")).unwrap();
    let own = home.path().join("own/config/models.toml");
    std::fs::write(
        &own,
        "[[server]]\nname = \"mine\"\ndialect = \"openai\"\nbase_url = \"http://127.0.0.1:9/v1\"\n",
    )
    .unwrap();
    let models = run(home.path(), None, &["models", "--format", "json"]);
    let all: Value = serde_json::from_str(&models.out).unwrap();
    assert_eq!(all["servers"][0]["name"], "mine");
    assert!(all["models"].as_array().unwrap().len() > 20);
    std::fs::write(&own, "[[server]]\nname = 3\n").unwrap();
    let broken = run(home.path(), None, &["models"]);
    assert_eq!(broken.code, 2);
    assert!(broken.err.contains("models.toml:2"), "{}", broken.err);
    std::fs::remove_file(&own).unwrap();
    let doctor = run(home.path(), Some(&server.base), &["doctor", "--online"]);
    assert!(doctor.out.contains("can be asked") && doctor.out.contains("answers (status"), "{}", doctor.out);
    assert!(server.requests().iter().all(|r| !r.head.contains("canary")));
    let doctor = run(home.path(), None, &["doctor"]);
    assert!(doctor.out.contains("set OPENAI_API_KEY"), "{}", doctor.out);
}

#[test]
fn a_reader_that_goes_away_costs_nothing_of_what_was_asked() {
    let server = both();
    let home = home();
    let mut child = command(home.path(), Some(&server.base), &["ask", ID, "--provider", "anthropic"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    child.wait().unwrap();
    let kept =
        std::fs::read_to_string(home.path().join("own/data/results/sample.live.results.jsonl")).unwrap();
    assert_eq!(records(&kept).len(), 1);
}

#[test]
fn a_record_can_be_shown_and_says_exactly_what_came() {
    let said = "a\u{202e}b\u{9b}2Jc \u{feff}東京 e\u{301} 👩‍👩‍👧";
    let mut events = streams::openai();
    for event in &mut events {
        let text = event.to_string().replace("Patrik Sj", said);
        *event = serde_json::from_str(&text).unwrap();
    }
    let server = Server::new(move |_, _| stream(&frames(&events)));
    let home = home();
    let asked =
        run(home.path(), Some(&server.base), &["ask", ID, "--provider", "openai", "--json", "--no-save"]);
    assert!(!asked.out.contains(['\u{202e}', '\u{9b}', '\u{feff}']), "{}", asked.out);
    let raw = records(&asked.out)[0]["raw"].as_str().unwrap().to_owned();
    assert!(raw.contains(said), "{raw:?}");
}

#[test]
fn nothing_is_added_to_a_file_of_something_else() {
    let server = both();
    let home = home();
    let path = |name: &str| home.path().join(name);
    for (name, text) in
        [("notes.txt", "no line end"), ("other.jsonl", "{\"a\":1}\n"), ("half.json", "{\"a\":")]
    {
        std::fs::write(path(name), text).unwrap();
        let args = ["ask", ID, "--provider", "openai", "--save", name];
        let asked = run(home.path(), Some(&server.base), &args);
        assert_eq!(asked.code, 2, "{name}: {}", asked.err);
        assert!(asked.err.contains("never written to"), "{}", asked.err);
        assert_eq!(std::fs::read_to_string(path(name)).unwrap(), text);
    }
    let folder = run(home.path(), Some(&server.base), &["ask", ID, "--provider", "openai", "--save", "."]);
    assert_eq!(folder.code, 2, "{}", folder.err);
    assert!(server.requests().is_empty());
    // A record that its writer could not finish is ours all the same, and what we wrote may be added to.
    std::fs::write(path("ours.jsonl"), "{\"schema\":\"lookitup.attempt/1\",\"run_id\":\"li").unwrap();
    for n in 1..3 {
        let asked = run(home.path(), None, &["ask", ID, "--provider", "replay", "--save", "ours.jsonl"]);
        assert_eq!(asked.code, 0, "{}", asked.err);
        assert_eq!(records(&std::fs::read_to_string(path("ours.jsonl")).unwrap()).len(), n);
    }
}

#[test]
fn attempts_of_a_snapshot_that_the_server_names_are_numbered_on() {
    let server = both();
    let home = home();
    let args = ["ask", ID, "--provider", "openai", "--model", "gpt-4.1", "--condition", "both", "--json"];
    for n in 1..3 {
        let asked = run(home.path(), Some(&server.base), &args);
        assert_eq!(asked.code, 0, "{}", asked.err);
        for record in records(&asked.out) {
            assert_eq!(record["model"], "gpt-4.1-2025-04-14");
            assert_eq!(record["attempt"], n, "{record}");
        }
    }
}

#[test]
fn a_question_of_ones_own_is_found_again() {
    let server = both();
    let home = home();
    let mut args = vec!["ask", "--question", "Who jumped?", "--reference", "Patrik Sjöberg 🏅"];
    args.extend(["--provider", "openai", "--model", "gpt-4.1", "--json"]);
    for n in 1..3 {
        let asked = run(home.path(), Some(&server.base), &args);
        assert_eq!(records(&asked.out)[0]["attempt"], n, "{}", asked.err);
    }
    let args = ["list", "--filter", "source:live verdict.with:right", "--format", "jsonl"];
    let listed = run(home.path(), None, &args);
    assert_eq!(listed.out.lines().count(), 2, "{}", listed.err);
}

#[test]
fn each_set_of_files_has_its_own_journal() {
    let server = both();
    let home = home();
    let line = serde_json::json!({"schema":"lookitup.attempt/1","question_id":"x","question":"Who?","references":["a"],
        "model":"m","condition":"no_search","attempt":1,"answer":"a","confidence":0.5});
    for folder in ["one/data", "two/data"] {
        std::fs::create_dir_all(home.path().join(folder)).unwrap();
    }
    for name in ["one/data/a.jsonl", "two/data/a.jsonl", "one/b.jsonl", "one/c.jsonl"] {
        std::fs::write(home.path().join(name), format!("{line}\n")).unwrap();
    }
    let rows = |folder: &str, args: &[&str]| {
        let args = [&["list", "--format", "jsonl"], args].concat();
        let mut command = command(home.path(), None, &args);
        told(command.current_dir(home.path().join(folder)).output().unwrap()).out.lines().count()
    };
    let ask = |folder: &str, args: &[&str]| {
        let args = [&["ask", "x"], args, &["--provider", "openai", "--model", "gpt-4.1"]].concat();
        let mut command = command(home.path(), Some(&server.base), &args);
        let asked = told(command.current_dir(home.path().join(folder)).output().unwrap());
        assert_eq!(asked.code, 0, "{}", asked.err);
    };
    // Without ./results the journal is in the user's folder, which every other working folder uses too.
    ask("one", &[]);
    assert_eq!((rows("one", &[]), rows("two", &[])), (2, 1));
    ask("one", &["b.jsonl", "c.jsonl"]);
    let named = rows("one", &["b.jsonl", "c.jsonl"]);
    assert_eq!(named, rows("one", &["./c.jsonl", "b.jsonl"]), "the order makes no other set");
    assert_eq!(rows("one", &["b.jsonl"]), 1);
    // Beside it once it is there, and read once.
    std::fs::create_dir(home.path().join("one/results")).unwrap();
    ask("one", &[]);
    assert!(home.path().join("one/results/live.results.jsonl").exists());
    assert_eq!((rows("one", &[]), rows("one", &["results", "data"])), (2, 2));
}

#[test]
fn what_was_asked_under_one_condition_lacks_nothing() {
    let server = both();
    let home = home();
    for (id, condition) in [(ID, "both"), ("H2P4P9S2", "with_search")] {
        let args = ["ask", id, "--provider", "openai", "--model", "gpt-4.1", "--condition", condition];
        assert_eq!(run(home.path(), Some(&server.base), &args).code, 0);
    }
    let checked = run(home.path(), None, &["check"]);
    assert!(!checked.out.contains("was not asked under"), "{}", checked.out);
}
