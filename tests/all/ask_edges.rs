//! `ask` where something is missing, breaks or is named otherwise: the real program against a server on this machine.

use std::path::Path;

use serde_json::Value;

use crate::ask::{ID, both, command, home, records, run, told};
use crate::wire::server::{Server, Step, answer, stream, stream_head};
use crate::wire::streams::{self, frames};

#[test]
fn without_a_key_json_is_one_record_that_says_so() {
    let home = home();
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/schema/attempt.schema.json");
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let cases: [(&[&str], &str, &str); 4] = [
        (&[], "openai", "with_search"),
        (&["--condition", "both", "--repeat", "3"], "openai", "no_search"),
        (&["--provider", "anthropic"], "anthropic", "with_search"),
        (&["--model", "paper-anthropic"], "anthropic", "with_search"),
    ];
    for (more, provider, condition) in cases {
        let asked = run(home.path(), None, &[&["ask", ID, "--json"], more].concat());
        assert_eq!(asked.code, 4, "{more:?}: {}", asked.err);
        let all = records(&asked.out);
        assert_eq!(all.len(), 1, "{more:?}: {}", asked.out);
        assert!(schema.is_valid(&all[0]), "{}", all[0]);
        let seen =
            [&all[0]["provider"], &all[0]["condition"], &all[0]["error"]["kind"], &all[0]["question_id"]];
        assert_eq!(seen, [provider, condition, "no_key", ID]);
        assert!(all[0]["answer"].is_null() && all[0].get("request").is_none_or(Value::is_null));
        assert!(asked.err.contains("_API_KEY"), "{}", asked.err);
    }
    assert!(!home.path().join("own/data").exists(), "what was not asked is not kept");
}

#[test]
fn a_preset_can_be_named_in_place_of_its_model() {
    let server = both();
    let home = home();
    let args = ["ask", ID, "--model", "paper-anthropic", "--no-save", "--json"];
    let asked = run(home.path(), Some(&server.base), &args);
    assert_eq!(asked.code, 0, "{}", asked.err);
    let sent: Value = serde_json::from_str(&server.requests().pop().unwrap().body).unwrap();
    assert_eq!(sent["model"], "claude-haiku-4-5-20251001");
    assert_eq!(sent["temperature"], 0.0, "with the settings of the preset");
    let asked = run(
        home.path(),
        Some(&server.base),
        &["ask", ID, "--provider", "openai", "--model", "paper-anthropic", "--no-save"],
    );
    assert_eq!((asked.code, asked.out.as_str()), (2, ""));
    assert!(asked.err.contains("paper-anthropic is one of anthropic"), "{}", asked.err);
}

#[test]
fn a_new_pair_is_compared_with_the_stored_one() {
    let server = both();
    let home = home();
    let args = ["ask", ID, "--provider", "anthropic", "--condition", "both", "--no-save"];
    let asked = run(home.path(), Some(&server.base), &args);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(asked.out.contains("transition  ✗→✗ unresolved  within this pair"), "{}", asked.out);
    assert!(
        asked.out.contains("stored      ✓→✗ broken  by sim-large; the new pair differs"),
        "{}",
        asked.out
    );
    assert_eq!(asked.out.matches("stored  ").count(), 1, "once, when the pair is whole: {}", asked.out);
}

#[test]
fn one_that_fails_does_not_cost_the_other_repeats() {
    let server = Server::new(|_, n| match n {
        1..=3 => {
            answer(500, &[("retry-after-ms", "1")], br#"{"error":{"message":"oops","type":"server_error"}}"#)
        }
        _ => stream(&frames(&streams::openai())),
    });
    let home = home();
    let args = ["ask", ID, "--provider", "openai", "--repeat", "3", "--json", "--save", "r.jsonl"];
    let asked = run(home.path(), Some(&server.base), &args);
    assert_eq!(asked.code, 4, "{}", asked.err);
    let kinds: Vec<Value> = records(&asked.out).iter().map(|r| r["error"]["kind"].clone()).collect();
    assert_eq!(kinds, [Value::Null, "server_error".into(), Value::Null]);
    assert_eq!(std::fs::read_to_string(home.path().join("r.jsonl")).unwrap(), asked.out);
}

#[test]
fn a_connection_that_is_reset_is_unreachable_before_and_partial_after() {
    let home = home();
    let server = Server::new(|_, _| vec![Step::Abort]);
    let args = ["ask", ID, "--provider", "openai", "--json", "--no-save"];
    let asked = run(home.path(), Some(&server.base), &args);
    let record = &records(&asked.out)[0];
    assert_eq!((asked.code, record["error"]["kind"].as_str()), (4, Some("dropped")), "nothing ever came");
    assert_eq!(server.requests().len(), 3, "and it was tried again");
}

#[test]
fn doctor_names_servers_of_ones_own() {
    let server = both();
    let home = home();
    std::fs::create_dir_all(home.path().join("own/config")).unwrap();
    let own = format!(
        "[[server]]\nname = \"mine\"\ndialect = \"openai\"\nbase_url = \"{}/v1\"\n\n\
         [[server]]\nname = \"theirs\"\ndialect = \"anthropic\"\nbase_url = \"https://other.example\"\nkey_env = \"THEIR_KEY\"\n",
        server.base
    );
    std::fs::write(home.path().join("own/config/models.toml"), own).unwrap();
    let doctor = run(home.path(), None, &["doctor"]);
    let host = server.base.trim_start_matches("http://");
    let line = |name: &str| doctor.out.lines().find(|l| l.starts_with(name)).unwrap_or_default().to_owned();
    assert!(line("mine ").contains(&format!("{host}: can be asked, needs no key")), "{}", doctor.out);
    assert!(line("theirs ").contains("other.example: set THEIR_KEY"), "{}", doctor.out);
    let asked =
        run(home.path(), None, &["ask", ID, "--provider", "mine", "--model", "m", "--no-save", "--json"]);
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert_eq!(records(&asked.out)[0]["provider"], "mine");
}

#[test]
fn what_acts_on_a_terminal_never_reaches_it() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}evil\u{2066}\u{85}\u{2028}\r\r\nAnswer: \u{1b}[31mX\u{9b}1m\nConfidence: 87%";
    let server = Server::new(move |_, _| {
        let mut events = streams::anthropic();
        events[6]["delta"]["partial_json"] = "{\"que".into();
        events[10]["content_block"]["content"][0]["title"] = evil.into();
        events[10]["content_block"]["content"][0]["url"] = "https://\u{1b}[2J.example/".into();
        let at = |e: &Value| e["delta"]["text"] == "Patrik Sj";
        events.iter_mut().find(|e| at(e)).unwrap()["delta"]["text"] = evil.into();
        stream(&frames(&events))
    });
    let home = home();
    for more in [&["--no-stream"][..], &[], &["--json"]] {
        let args = [&["ask", ID, "--provider", "anthropic", "--no-save"], more].concat();
        let asked = told(command(home.path(), Some(&server.base), &args).output().unwrap());
        let all = asked.out + &asked.err;
        let bad =
            all.chars().find(|&c| (c.is_control() && c != '\n') || "\u{202e}\u{2066}\u{2028}".contains(c));
        assert_eq!(bad, None, "{more:?}: {all:?}");
    }
    let half = Server::new(|_, _| vec![stream_head(), Step::Send(b"<title>\x1b[2JLogin</title>".to_vec())]);
    let asked = run(home.path(), Some(&half.base), &["ask", ID, "--provider", "openai", "--no-save"]);
    assert!(asked.out.contains("Login") && !asked.out.contains('\u{1b}'), "{:?}", asked.out);
}

#[test]
fn an_answer_that_cannot_be_kept_is_shown_all_the_same() {
    let server = both();
    let home = home();
    std::fs::write(home.path().join("file"), "").unwrap();
    let args = ["ask", ID, "--provider", "openai", "--repeat", "3", "--save", "file/r.jsonl"];
    let asked = run(home.path(), Some(&server.base), &args);
    assert_eq!(asked.code, 1);
    assert!(asked.out.contains("answer      Patrik Sjöberg"), "{}", asked.out);
    assert!(asked.out.contains("NOT saved   file/r.jsonl"), "{}", asked.out);
    assert!(asked.err.contains("could not be kept in file/r.jsonl"), "{}", asked.err);
    assert_eq!(server.requests().len(), 1, "what cannot be kept is not paid for again");
    let asked = run(home.path(), Some(&server.base), &[&args[..], &["--json"]].concat());
    assert_eq!((asked.code, records(&asked.out).len()), (1, 1));
}

#[test]
fn programs_that_share_a_file_at_the_same_moment_have_runs_of_their_own() {
    let server = both();
    let home = home();
    let args = ["ask", ID, "--provider", "openai", "--repeat", "4", "--json", "--save", "r.jsonl"];
    let all: Vec<_> = (0..3)
        .map(|_| {
            let mut command = command(home.path(), Some(&server.base), &args);
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
        })
        .collect();
    for child in all {
        assert_eq!(told(child.wait_with_output().unwrap()).code, 0);
    }
    let kept = records(&std::fs::read_to_string(home.path().join("r.jsonl")).unwrap());
    let each: std::collections::HashSet<_> =
        kept.iter().map(|r| (r["run_id"].to_string(), r["attempt"].to_string())).collect();
    assert_eq!((kept.len(), each.len()), (12, 12));
    let listed = run(home.path(), None, &["list", "r.jsonl", "--format", "jsonl"]);
    assert_eq!(listed.out.lines().count(), 12);
    assert!(!listed.err.contains("has one already"), "{}", listed.err);
}

#[test]
fn a_question_may_be_long_and_may_not_be_missing() {
    let server = both();
    let home = home();
    let long = format!("Who {}?", "was it really ".repeat(75_000));
    let line = serde_json::json!({"id": "LONG", "question": long, "references": ["Patrik Sjöberg 🏅"]});
    std::fs::write(home.path().join("long.jsonl"), format!("{line}\n")).unwrap();
    let attempt = |id: &str| serde_json::json!({"schema":"lookitup.attempt/1","question_id":id,"model":"m","condition":"with_search","answer":"x"});
    std::fs::write(home.path().join("run.jsonl"), format!("{}\n{}\n", attempt("LONG"), attempt("BARE")))
        .unwrap();
    let args = |id| ["ask", id, "long.jsonl", "run.jsonl", "--provider", "openai", "--no-save"];
    let asked = run(home.path(), Some(&server.base), &args("LONG"));
    assert_eq!(asked.code, 0, "{}", asked.err);
    assert!(asked.out.contains("✓ right"), "{}", asked.out);
    assert!(server.requests()[0].body.contains(&long), "sent as it is");
    let asked = run(home.path(), Some(&server.base), &args("BARE"));
    assert_eq!(asked.code, 2);
    assert!(asked.err.contains("text is not known"), "{}", asked.err);
    assert_eq!(server.requests().len(), 1, "an empty question is not sent");
}
