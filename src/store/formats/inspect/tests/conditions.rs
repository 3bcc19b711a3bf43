//! How a log tells whether it was made with search.

use serde_json::{Value, json};
use zip::CompressionMethod;

use super::super::archive::Limits;
use super::{Kept, header, read_within, sample, zip};
use crate::record::Condition;
use crate::store::table::Severity;

const NO: Condition = Condition::NoSearch;
const WITH: Condition = Condition::WithSearch;

fn log(change: impl Fn(&mut Value), searched: bool, asked: Option<Condition>) -> Kept {
    let mut head = header();
    head["plan"]["steps"] = json!([{"solver": "my_solver", "params": {}}]);
    change(&mut head);
    let mut one = sample("q1", "Ada");
    if searched {
        one["messages"][1]["tool_calls"] =
            json!([{"id": "1", "function": "web_search", "arguments": {"query": "q"}}]);
    }
    let members = [
        ("header.json", head.to_string()),
        ("samples/q1_epoch_1.json", one.to_string()),
        ("samples/q2_epoch_1.json", sample("q2", "Ada").to_string()),
    ];
    let members: Vec<_> = members.iter().map(|(n, t)| (*n, t.as_str())).collect();
    read_within(zip(&members, CompressionMethod::Stored), asked, Limits::LOG)
}

fn told(change: impl Fn(&mut Value)) -> Option<Condition> {
    let kept = log(change, false, None);
    let first = kept.attempts.first().map(|a| a.condition);
    assert!(kept.attempts.iter().all(|a| Some(a.condition) == first));
    assert_eq!(kept.said(Severity::Error).len(), usize::from(first.is_none()), "{:?}", kept.problems);
    first
}

#[test]
fn each_kind_of_evidence_is_understood() {
    type Change = fn(&mut Value);
    let cases: [(Change, Option<Condition>); 24] = [
        (|h| h["eval"]["metadata"] = json!({"condition": "nosearch"}), Some(NO)),
        (|h| h["eval"]["metadata"] = json!({"condition": "with-search"}), Some(WITH)),
        (|h| h["metadata"] = json!({"condition": "evidence_blocked"}), Some(Condition::EvidenceBlocked)),
        (|h| h["eval"]["metadata"] = json!({"web_search": false}), Some(NO)),
        (|h| h["eval"]["metadata"] = json!({"condition": "warm"}), None),
        (|h| h["eval"]["tags"] = json!(["pilot", "no-search"]), Some(NO)),
        (|h| h["eval"]["tags"] = json!(["search"]), Some(WITH)),
        (|h| h["tags"] = json!(["closed_book"]), Some(NO)),
        (|h| h["eval"]["tags"] = json!(["research", "no", "baseline"]), None),
        (|h| h["eval"]["task_args"] = json!({"search": true}), Some(WITH)),
        (|h| h["eval"]["task_args"] = json!({"use_search": "off"}), Some(NO)),
        (|h| h["eval"]["task"] = json!("me/simpleqa_no_web_search"), Some(NO)),
        (|h| h["eval"]["task"] = json!("simpleqaWebSearch"), Some(WITH)),
        (|h| h["eval"]["task"] = json!("research_qa"), None),
        (|h| h["eval"]["task"] = json!("web_search/simpleqa"), None),
        (
            |h| h["plan"]["steps"] = json!([{"solver": "use_tools", "params": {"tools": [{"type": "tool", "name": "web_search", "params": {}}]}}]),
            Some(WITH),
        ),
        (
            |h| h["plan"]["steps"] = json!([{"solver": "agent", "params": {"agent": {"name": "react", "params": {"tools": [{"name": "inspect_ai/web_search"}]}}}}]),
            Some(WITH),
        ),
        // Only built-in steps that give no tools: there was nothing to search with.
        (
            |h| {
                h["plan"]["steps"] =
                    json!([{"solver": "system_message", "params": {}}, {"solver": "generate", "params": {}}]);
            },
            Some(NO),
        ),
        // Tools, but none that searches: it may be one under a name of its own.
        (
            |h| h["plan"]["steps"] = json!([{"solver": "use_tools", "params": {"tools": [{"name": "look"}]}}, {"solver": "generate", "params": {}}]),
            None,
        ),
        (|h| h["plan"]["steps"] = json!([{"solver": "use_tools", "params": {}}]), None),
        (|h| h["plan"]["steps"] = json!([]), None),
        // A model that searches by itself.
        (
            |h| {
                h["eval"]["model"] = json!("perplexity/sonar-pro");
                h["plan"]["steps"] = json!([{"solver": "generate", "params": {}}]);
            },
            None,
        ),
        (
            |h| {
                h["plan"] = json!({"steps": [{"solver": "generate", "params": {}}], "config": {"extra_body": {"web_search_options": {}}}});
            },
            None,
        ),
        (|_| (), None),
    ];
    for (n, (change, expected)) in cases.iter().enumerate() {
        assert_eq!(told(change), *expected, "case {n}");
    }
}

#[test]
fn a_search_among_the_samples_tells() {
    let kept = log(|_| (), true, None);
    assert_eq!(kept.attempts.iter().map(|a| a.condition).collect::<Vec<_>>(), [WITH, WITH]);
    assert!(kept.problems.is_empty(), "{:?}", kept.problems);
}

#[test]
fn what_the_user_says_beats_the_file() {
    let kept = log(|h| h["eval"]["tags"] = json!(["search"]), true, Some(NO));
    assert!(kept.attempts.len() == 2 && kept.attempts.iter().all(|a| a.condition == NO));
    assert!(kept.problems.is_empty(), "{:?}", kept.problems);
}

#[test]
fn what_does_not_fit_together_is_pointed_out() {
    let warning = |kept: Kept| kept.said(Severity::Warning).join("\n");
    let said = warning(log(|h| h["eval"]["tags"] = json!(["nosearch"]), true, None));
    assert!(said.contains("1 of 2 samples searched") && said.contains("--as with_search=run.eval"), "{said}");
    let said = warning(log(|h| h["eval"]["task"] = json!("binary_search"), false, None));
    assert!(said.contains("task name") && said.contains("--as no_search=run.eval"), "{said}");
    let said = warning(log(|h| h["status"] = json!("cancelled"), true, None));
    assert!(said.contains("cancelled: its log has 2 of 3 samples"), "{said}");
    let said = warning(log(|h| h["invalidated"] = json!(true), true, None));
    assert!(said.contains("invalid"), "{said}");
}

#[test]
fn the_question_names_the_file_as_a_shell_takes_it() {
    let mut kept = Kept::default();
    let members =
        [("header.json", header().to_string()), ("samples/q1_epoch_1.json", sample("q1", "Ada").to_string())];
    let bytes = zip(&members, CompressionMethod::Stored);
    let path = std::path::Path::new("my runs/it's.eval");
    let input = crate::store::formats::Foreign {
        path,
        len: bytes.len() as u64,
        bytes: Box::new(std::io::Cursor::new(bytes)),
    };
    super::super::log::convert(input, None, Limits::LOG, &mut kept);
    assert!(
        kept.problems[0].message.contains(r"--as no_search='my runs/it'\''s.eval'"),
        "{}",
        kept.problems[0]
    );
}
