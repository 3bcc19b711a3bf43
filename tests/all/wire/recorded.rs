//! Every recorded answer, through the real client from a server on this machine.

use std::path::PathBuf;

use lookitup::provider::{Ask, Dialect, Intake, Kind, Reply};
use lookitup::record::{CallKind, Condition};
use serde_json::Value;

use super::server::{Server, answer};
use super::{ask, question, quick, shown};
use crate::common::beside;

/// A recording and what is written of it.
pub(super) struct Recording {
    pub(super) name: String,
    pub(super) row: Value,
    pub(super) bytes: Vec<u8>,
    pub(super) dialect: Dialect,
}

impl Recording {
    pub(super) fn is_stream(&self) -> bool {
        self.row["streaming"] == true
    }

    fn number(&self, path: &str) -> Option<u64> {
        self.row.pointer(path).and_then(Value::as_u64)
    }

    fn text(&self, path: &str) -> Option<&str> {
        self.row.pointer(path).and_then(Value::as_str)
    }
}

pub(super) fn recordings() -> Vec<Recording> {
    let Some(index) = beside("recordings/index.jsonl") else { return Vec::new() };
    let folder: PathBuf = index.parent().unwrap().to_path_buf();
    let text = std::fs::read_to_string(&index).unwrap();
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let name = row["file"].as_str().unwrap().to_owned();
            let dialect = Dialect::parse(row["provider"].as_str().unwrap()).unwrap();
            Recording { bytes: std::fs::read(folder.join(&name)).unwrap(), name, row, dialect }
        })
        .collect()
}

/// Holds a reply against what the index says of its recording.
fn compare(r: &Recording, reply: &Reply) {
    let name = &r.name;
    let tail = r.text("/text_tail").unwrap_or_default();
    assert!(reply.raw.ends_with(tail), "{name}: {:?} does not end in {tail:?}", reply.raw);
    assert!(!tail.is_empty() || reply.raw.is_empty(), "{name}: there should be no text");
    // The index counts every step of OpenAI's search tool. With Anthropic, the second half of a paused turn begins with the
    // result of a call that stands in the first half.
    let is_counted = |c: &&lookitup::record::SearchCall| {
        r.dialect == Dialect::OpenAi || (c.kind == CallKind::Search && c.query.is_some())
    };
    let searches = reply.search_calls.iter().filter(is_counted).count() as u64;
    assert_eq!(Some(searches), r.number("/searches"), "{name}: searches");
    if let Some(actions) = r.row["actions"].as_object() {
        assert_eq!(reply.search_calls.len() as u64, actions.values().filter_map(Value::as_u64).sum::<u64>());
        for (action, count) in actions {
            let kind: CallKind = serde_json::from_value(action.clone().into()).unwrap();
            let have = reply.search_calls.iter().filter(|c| c.kind == kind).count() as u64;
            assert_eq!(Some(have), count.as_u64(), "{name}: {action}");
        }
    }
    assert_eq!(reply.usage.input_tokens, r.number("/usage/input_tokens"), "{name}: input");
    assert_eq!(reply.usage.output_tokens, r.number("/usage/output_tokens"), "{name}: output");
    let billed = r.number("/usage/server_tool_use/web_search_requests");
    if billed.is_some() {
        assert_eq!(reply.usage.search_requests, billed, "{name}: searches billed");
    }
    let reasoning = r
        .number("/usage/output_tokens_details/reasoning_tokens")
        .or_else(|| r.number("/usage/output_tokens_details/thinking_tokens"));
    assert_eq!(reply.usage.reasoning_tokens, reasoning, "{name}: reasoning");
    let cited =
        r.number("/citations/web_search_result_location").or_else(|| r.number("/annotations/url_citation"));
    assert_eq!(reply.citations.len() as u64, cited.unwrap_or(0), "{name}: citations");
    if let Some(counts) = r.row["n_results"].as_array() {
        let searched = reply.search_calls.iter().filter(|c| c.kind == CallKind::Search && c.error.is_none());
        let have: Vec<u64> = searched.map(|c| c.results.len() as u64).collect();
        let want: Vec<u64> = counts.iter().filter_map(Value::as_u64).collect();
        assert_eq!(have.iter().sum::<u64>(), want.iter().sum::<u64>(), "{name}: results {have:?} {want:?}");
    }
    if let Some(most) = r.number("/max_queries") {
        let have = reply.search_calls.iter().map(|c| c.all_queries().count()).max();
        assert_eq!(have, Some(most as usize), "{name}: queries");
    }
    if let Some(status) = r.text("/status") {
        assert_eq!(reply.stop.as_deref(), Some(status), "{name}: stop");
    }
    if let Some(model) = r.text("/model").filter(|_| r.row["error"].is_null()) {
        assert_eq!(reply.model_echo.as_deref(), Some(model), "{name}: model");
    }
    match r.row.get("error") {
        Some(error) => {
            let kind = reply.kind().unwrap_or_else(|| panic!("{name}: no error"));
            assert_eq!(kind, expected(error, r.number("/http_status")), "{name}: {error}");
        }
        None if is_refusal(r) => assert_eq!(reply.kind(), Some(Kind::Refusal), "{name}"),
        None => assert_eq!(reply.error, None, "{name}"),
    }
}

fn is_refusal(r: &Recording) -> bool {
    r.row["refusal"] == true || r.text("/status") == Some("refusal")
}

/// The class of an error, worked out from its own words another way than the program does.
fn expected(error: &Value, status: Option<u64>) -> Kind {
    let of = |key: &str| error[key].as_str().unwrap_or_default();
    match (of("code"), of("type"), status) {
        ("insufficient_quota", ..) => Kind::NoQuota,
        ("invalid_api_key", ..) | (_, "authentication_error", _) => Kind::BadKey,
        ("model_not_found", ..) | (_, "not_found_error", _) => Kind::ModelUnknown,
        ("rate_limit_exceeded", ..) => Kind::RateLimited,
        ("context_length_exceeded", ..) => Kind::TooLarge,
        _ if !matches!(of("param"), "" | "input") => Kind::RefusedParameter,
        _ if of("message").contains("does not support effort") => Kind::RefusedParameter,
        _ => Kind::BadRequest,
    }
}

#[test]
fn recorded_answers_are_read_as_recorded() {
    let mut seen = 0;
    for r in recordings() {
        let status = r.row["http_status"]
            .as_u64()
            .map_or_else(|| if r.row["error"].is_null() || r.is_stream() { 200 } else { 400 }, |s| s as u16);
        let content = if r.is_stream() { "text/event-stream" } else { "application/json" };
        let body = r.bytes.clone();
        let server = Server::new(move |_, _| answer(status, &[("content-type", content)], &body));
        let mut asked = question(r.dialect);
        asked.stream = r.is_stream();
        // A pause is another test's business: this server has no second answer.
        let limits = lookitup::provider::Limits { rounds: 1, ..quick() };
        let (events, reply) = ask(r.dialect, &server.base, limits, asked);
        compare(&r, &reply);
        assert_eq!(shown(&events), lookitup::text::sanitize(&reply.raw), "{}: what was shown", r.name);
        seen += 1;
    }
    println!("{seen} recordings");
}

#[test]
fn recorded_answers_say_which_result_is_cited() {
    for r in recordings().iter().filter(|r| r.dialect == Dialect::Anthropic) {
        let mut intake = Intake::new(r.dialect);
        if r.is_stream() {
            intake.feed(&r.bytes).unwrap();
        } else {
            _ = intake.body(&r.bytes);
        }
        let reply = intake.reply(None);
        let cited =
            reply.search_calls.iter().flat_map(|c| &c.results).filter(|x| x.cited == Some(true)).count();
        assert_eq!(cited > 0, !reply.citations.is_empty(), "{}", r.name);
    }
}

#[test]
fn documented_errors_and_items_are_read() {
    let Some(index) = beside("recordings/documented/index.jsonl") else { return };
    let text = std::fs::read_to_string(&index).unwrap();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let name = row["file"].as_str().unwrap();
        let body = std::fs::read(index.parent().unwrap().parent().unwrap().join(name)).unwrap();
        let file = name.rsplit('/').next().unwrap();
        let dialect = if file.starts_with("openai") { Dialect::OpenAi } else { Dialect::Anthropic };
        let text = String::from_utf8(body.clone()).unwrap();
        let whole = if file.ends_with(".item.json") {
            format!(
                r#"{{"id":"resp_1","object":"response","status":"completed","model":"m","output":[{text}]}}"#
            )
        } else if file.ends_with(".block.json") {
            format!(
                r#"{{"id":"msg_1","type":"message","model":"m","content":[{text}],"stop_reason":"end_turn"}}"#
            )
        } else {
            text
        };
        let status = row["http_status"].as_u64().unwrap() as u16;
        let server = Server::new(move |_, _| {
            answer(status, &[("content-type", "application/json")], whole.as_bytes())
        });
        let asked = Ask { stream: false, ..Ask::new("some-model", Condition::WithSearch, "Who?") };
        let (_, reply) = ask(dialect, &server.base, quick(), asked);
        let call = reply.search_calls.first();
        match file {
            "anthropic_429_tokens_per_minute.json" => assert_eq!(reply.kind(), Some(Kind::RateLimited)),
            "anthropic_500_api_error.json" => {
                assert_eq!(reply.kind(), Some(Kind::Server));
                assert_eq!(reply.request_id.as_deref(), Some("req_011CbGwJbzjfDGN6vNFPYMGA"));
            }
            _ if file.starts_with("anthropic_529") => assert_eq!(reply.kind(), Some(Kind::Overloaded)),
            _ if file.starts_with("openai_400_temperature") => {
                assert_eq!(reply.kind(), Some(Kind::RefusedParameter));
                assert_eq!(reply.error.unwrap().parameter.as_deref(), Some("temperature"));
            }
            _ if file.starts_with("anthropic_web_search_tool_result_error") => {
                assert_eq!(call.unwrap().error.as_deref(), Some("max_uses_exceeded"));
                assert!(reply.notes.iter().any(|n| n.starts_with("search cap reached")));
            }
            "openai_web_search_call_open_page_null_url.item.json" => {
                assert_eq!(call.map(|c| (c.kind, c.url.clone())), Some((CallKind::OpenPage, None)));
            }
            "openai_web_search_call_find_in_page_no_url.item.json" => {
                assert_eq!(call.unwrap().kind, CallKind::FindInPage);
                assert_eq!(call.unwrap().extra["pattern"], "og:image");
            }
            "openai_web_search_call_no_action.item.json" => {
                assert_eq!(call.map(|c| (c.kind, c.query.clone())), Some((CallKind::Search, None)));
            }
            other => panic!("{other} has no expectation here"),
        }
    }
}
