//! What is sent.

use lookitup::provider::{Ask, Auth, Dialect, Endpoint, Given, Kind, domains_of, normalized};
use lookitup::record::{Attempt, Citation, Condition, SearchCall, SearchResult};
use serde_json::{Value, json};

use super::server::{Server, answer, stream};
use super::streams::{both, frames};
use super::{CANARY, ask, quick};
use crate::schemas::validator;

/// The body that a question is sent as, and the head it came with.
fn sent(dialect: Dialect, asked: Ask) -> (Value, String) {
    let server = Server::new(|_, _| answer(400, &[], b"{}"));
    let (_, reply) = ask(dialect, &server.base, quick(), asked);
    let request = server.requests().remove(0);
    let body: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(reply.request.as_ref(), Some(&body), "the record has the body as sent");
    (body, request.head.to_lowercase())
}

#[test]
fn openai_bodies_have_only_what_was_asked_for() {
    let (body, head) = sent(Dialect::OpenAi, Ask::new("gpt-5-mini", Condition::NoSearch, "Who?"));
    assert_eq!(body, json!({"model": "gpt-5-mini", "input": "Who?", "store": false, "stream": true}));
    assert!(head.starts_with("post /v1/responses http/1.1"), "{head}");
    assert!(head.contains(&format!("authorization: bearer {CANARY}")));
    assert!(head.contains("content-type: application/json"));
    let asked = Ask {
        instructions: Some("Be short.".into()),
        max_searches: 3,
        effort: Some("low".into()),
        temperature: Some(0.5),
        max_output_tokens: Some(9),
        stream: false,
        blocked_domains: vec!["a.org".into()],
        ..Ask::new("gpt-4o", Condition::EvidenceBlocked, "Who?")
    };
    let (body, _) = sent(Dialect::OpenAi, asked.clone());
    assert_eq!(
        body,
        json!({"model": "gpt-4o", "instructions": "Be short.", "input": "Who?",
            "tools": [{"type": "web_search", "filters": {"blocked_domains": ["a.org"]}}], "tool_choice": "auto",
            "max_tool_calls": 3, "include": ["web_search_call.action.sources"], "reasoning": {"effort": "low"},
            "temperature": 0.5, "max_output_tokens": 16, "store": false})
    );
    let (body, _) = sent(Dialect::OpenAi, Ask { condition: Condition::WithSearch, ..asked });
    assert_eq!(body["tools"], json!([{"type": "web_search"}]), "nothing is blocked under another condition");
}

#[test]
fn anthropic_bodies_have_only_what_was_asked_for() {
    let (body, head) = sent(Dialect::Anthropic, Ask::new("claude-haiku-4-5", Condition::NoSearch, "Who?"));
    let messages = json!([{"role": "user", "content": "Who?"}]);
    assert_eq!(
        body,
        json!({"model": "claude-haiku-4-5", "max_tokens": 8192, "messages": messages, "stream": true})
    );
    assert!(head.starts_with("post /v1/messages http/1.1"), "{head}");
    assert!(head.contains(&format!("x-api-key: {CANARY}")) && head.contains("anthropic-version: 2023-06-01"));
    let asked = Ask {
        temperature: Some(0.0),
        blocked_domains: vec!["a.org".into()],
        stream: false,
        ..Ask::new("claude-haiku-4-5", Condition::EvidenceBlocked, "Who?")
    };
    let (body, _) = sent(Dialect::Anthropic, asked);
    let tool = json!({"type": "web_search_20250305", "name": "web_search", "max_uses": 2, "blocked_domains": ["a.org"]});
    assert_eq!(
        body,
        json!({"model": "claude-haiku-4-5", "max_tokens": 8192, "messages": messages, "tools": [tool],
            "tool_choice": {"type": "auto"}, "temperature": 0.0})
    );
}

#[test]
fn endpoints_come_from_the_environment() {
    let none = |_: &str| None;
    let openai = Endpoint::of(Dialect::OpenAi, &none);
    assert_eq!(
        (openai.base_url.as_str(), openai.host().as_str()),
        ("https://api.openai.com/v1", "api.openai.com")
    );
    let fault = openai.ready().unwrap_err();
    assert_eq!((fault.kind, fault.message.as_str()), (Kind::NoKey, "set OPENAI_API_KEY to ask openai"));
    let blank = |name: &str| Some(if name.ends_with("KEY") { "  ".to_owned() } else { String::new() });
    let anthropic = Endpoint::of(Dialect::Anthropic, &blank);
    assert_eq!(anthropic.base_url, "https://api.anthropic.com");
    assert_eq!(anthropic.ready().unwrap_err().kind, Kind::NoKey, "an empty variable is an unset one");
    for (base, kind) in [
        ("http://example.org/v1", Some(Kind::BadAddress)),
        ("https://user:pw@example.org", Some(Kind::BadAddress)),
        ("ftp://example.org", Some(Kind::BadAddress)),
        ("nonsense", Some(Kind::BadAddress)),
        ("http://localhost:11434/v1", None),
        ("http://[::1]:8080", None),
        ("http://127.0.0.1:1/v1/", None),
        ("https://example.org/", None),
    ] {
        let local = Endpoint::custom("mine", Dialect::Anthropic, base, "", &none);
        assert_eq!(local.ready().err().map(|f| f.kind), kind, "{base}");
    }
    let odd = |_: &str| Some("sk-ключ".to_owned());
    let fault = Endpoint::of(Dialect::OpenAi, &odd).ready().unwrap_err();
    assert_eq!(fault.kind, Kind::BadKey);
    assert!(!fault.message.contains("ключ"));
}

#[test]
fn base_urls_may_end_in_a_slash_or_a_version() {
    let body = frames(&both()[1].1);
    let server = Server::new(move |_, _| stream(&body));
    for base in [format!("{}/", server.base), format!("{}/v1", server.base), format!("{}/v1/", server.base)] {
        let mut endpoint = Endpoint::custom("mine", Dialect::Anthropic, &base, "", &|_| None);
        endpoint.auth = Auth::Bearer;
        let client = lookitup::provider::Client::new(&quick()).unwrap();
        let live = lookitup::provider::Live::new(endpoint, client, quick(), std::sync::Arc::default());
        let question = Ask::new("local-model", Condition::WithSearch, "Who?");
        let reply = super::runtime().block_on(async {
            lookitup::provider::start(std::sync::Arc::new(live), question).finish().await
        });
        assert_eq!((reply.error, reply.provider.as_str(), reply.cost_usd), (None, "mine", None));
    }
    for request in server.requests() {
        assert!(request.head.starts_with("POST /v1/messages HTTP"), "{}", request.head);
        assert!(!request.head.to_lowercase().contains("authorization"), "no key, no header");
    }
}

#[test]
fn records_are_valid_and_complete() {
    let validator = validator("attempt");
    let given = Given {
        question_id: "E3L4Q5D2".into(),
        run_id: Some("run".into()),
        split: Some("static".into()),
        question: Some("Who?".into()),
        references: Some(vec!["Patrik Sjöberg".into()]),
        attempt: 4,
        created_at: Some("2026-11-30T04:00:00Z".into()),
    };
    for (dialect, events) in both() {
        for cut in [events.len(), 13, 3, 0] {
            let body = frames(&events[..cut]);
            let server = Server::new(move |_, _| stream(&body));
            let model = if dialect == Dialect::OpenAi { "gpt-4.1" } else { "claude-haiku-4-5" };
            let asked = Ask::new(model, Condition::WithSearch, "Who?");
            let (_, reply) = ask(dialect, &server.base, quick(), asked);
            let line = lookitup::provider::line_of(&reply.attempt(&given));
            assert!(!line.contains('\n'));
            let value: Value = serde_json::from_str(&line).unwrap();
            if let Err(e) = validator.validate(&value) {
                panic!("{e}: {value}");
            }
            let again: Attempt = serde_json::from_str(&line).unwrap();
            assert_eq!(again, reply.attempt(&given), "what is written is what is read");
            assert_eq!(again.request.unwrap()["model"], model);
            assert_eq!((value["source"].as_str(), value["attempt"].as_u64()), (Some("live"), Some(4)));
            assert_eq!(value["raw"].as_str(), Some(reply.raw.as_str()));
            assert_eq!(value["error"].is_null(), cut == events.len(), "{value}");
            if cut == events.len() {
                assert!(
                    again.model.starts_with(model) && again.model.len() > model.len(),
                    "the snapshot's name"
                );
                assert_eq!((again.answer.is_some(), again.confidence), (true, Some(0.87)));
                assert!(again.latency_ms.is_some() && again.cost_usd.is_some());
            } else {
                assert_eq!((again.answer, again.confidence), (None, None));
            }
        }
    }
}

#[test]
fn another_model_that_answers_keeps_the_pair_together() {
    let mut events = both()[0].1.clone();
    for event in &mut events {
        if let Some(model) = event.pointer_mut("/response/model") {
            *model = json!("vendor/other-1");
        }
    }
    let body = frames(&events);
    let server = Server::new(move |_, _| stream(&body));
    let asked = Ask::new("gpt-4.1", Condition::WithSearch, "Who?");
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), asked);
    let attempt = reply.attempt(&Given::default());
    assert_eq!((attempt.model.as_str(), &attempt.extra["model_echo"]), ("gpt-4.1", &json!("vendor/other-1")));
}

#[test]
fn domains_to_leave_out_are_those_cited_else_visited() {
    let result = |url: &str, cited| SearchResult { url: url.into(), cited, ..SearchResult::default() };
    let mut attempt = Attempt {
        citations: vec![
            Citation { url: "https://www.Example.org/a?utm_source=openai".into(), ..Citation::default() },
            Citation { url: "https://example.org/b".into(), ..Citation::default() },
        ],
        search_calls: vec![SearchCall {
            results: vec![
                result("https://b.net/x", Some(true)),
                result("http://c.com:8080/", Some(false)),
                result("oai-weather", None),
            ],
            url: Some("https://d.com".into()),
            ..SearchCall::default()
        }],
        ..Attempt::default()
    };
    assert_eq!(domains_of(&attempt), ["example.org", "b.net"]);
    attempt.citations.clear();
    attempt.search_calls[0].results[0].cited = None;
    assert_eq!(domains_of(&attempt), ["b.net", "c.com", "d.com"]);
    assert_eq!(
        normalized(["WHO.int", " https://www.who.int/x ", "no domain", "", "a..b/"]),
        ["who.int", "a..b"]
    );
    let many: Vec<String> = (0..300).map(|n| format!("s{n}.org")).collect();
    assert_eq!(normalized(many.iter().map(String::as_str)).len(), lookitup::provider::MOST_DOMAINS);
}
