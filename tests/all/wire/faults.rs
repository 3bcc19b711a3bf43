//! A server, and a network, that fail in every way.

use std::time::Duration;

use lookitup::provider::{Ask, Dialect, Event, Kind, Limits, start};
use lookitup::record::Condition;
use serde_json::{Value, json};

use super::server::{Server, Step, answer, stream, stream_head};
use super::streams::{anthropic, both, frames, openai};
use super::{ask, endpoint, question, quick, runtime, shown};

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

/// The kind of failure that one answer gives.
fn kind_of(dialect: Dialect, steps: Vec<Step>, limits: Limits) -> Option<Kind> {
    let server = Server::new(move |_, _| steps.clone());
    ask(dialect, &server.base, limits, question(dialect)).1.kind()
}

fn error(kind: &str, code: &str) -> Vec<u8> {
    json!({"type":"error","error":{"type":kind,"code":code,"message":"words"}}).to_string().into_bytes()
}

#[test]
fn every_status_has_its_kind() {
    for (status, kind, code, expected) in [
        (400, "invalid_request_error", "", Kind::BadRequest),
        (401, "authentication_error", "", Kind::BadKey),
        (401, "invalid_request_error", "invalid_api_key", Kind::BadKey),
        (402, "billing_error", "", Kind::NoQuota),
        (403, "permission_error", "", Kind::Permission),
        (404, "invalid_request_error", "model_not_found", Kind::ModelUnknown),
        (404, "not_found_error", "", Kind::NotFound),
        (408, "", "", Kind::Timeout),
        (409, "conflict_error", "", Kind::Server),
        (413, "request_too_large", "", Kind::TooLarge),
        (429, "rate_limit_error", "", Kind::RateLimited),
        (429, "tokens", "rate_limit_exceeded", Kind::RateLimited),
        (429, "insufficient_quota", "insufficient_quota", Kind::NoQuota),
        (429, "rate_limit_error", "organization_spend_limit_reached", Kind::NoQuota),
        (500, "server_error", "", Kind::Server),
        (502, "", "", Kind::Server),
        (503, "", "slow_down", Kind::Overloaded),
        (504, "timeout_error", "", Kind::Timeout),
        (529, "overloaded_error", "", Kind::Overloaded),
    ] {
        for dialect in Dialect::ALL {
            let got = kind_of(dialect, answer(status, JSON, &error(kind, code)), quick());
            assert_eq!(got, Some(expected), "{status} {kind} {code}");
        }
    }
}

#[test]
fn bodies_that_are_no_json_still_say_something() {
    let page =
        b"<!doctype html><html><head><title>502 Bad Gateway</title></head><body>secret path</body></html>";
    let server = Server::new(|_, _| answer(502, &[("content-type", "text/html")], page));
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), question(Dialect::OpenAi));
    let fault = reply.error.unwrap();
    assert_eq!((fault.kind, fault.message.as_str()), (Kind::Server, "HTTP 502, a web page: 502 Bad Gateway"));
    let server = Server::new(|_, _| answer(200, &[("content-type", "text/html")], page));
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), question(Dialect::OpenAi));
    assert_eq!(reply.kind(), Some(Kind::NotTheApi), "a proxy's page under a good status");
    assert_eq!(
        kind_of(
            Dialect::Anthropic,
            answer(
                500,
                &[],
                b"data: {\"error\":{\"message\":\"m\",\"code\":\"slow_down\"}}\n\ndata: [DONE]\n\n"
            ),
            quick()
        ),
        Some(Kind::Overloaded)
    );
    assert_eq!(kind_of(Dialect::Anthropic, answer(429, &[], b""), quick()), Some(Kind::RateLimited));
    assert_eq!(kind_of(Dialect::OpenAi, answer(200, JSON, b""), quick()), Some(Kind::NotTheApi));
    assert_eq!(kind_of(Dialect::OpenAi, answer(200, JSON, b"{\"output\":["), quick()), Some(Kind::Dropped));
    assert_eq!(kind_of(Dialect::OpenAi, answer(200, JSON, b"{\"hello\":1}"), quick()), Some(Kind::NotTheApi));
    assert_eq!(kind_of(Dialect::OpenAi, answer(200, JSON, b"[1]"), quick()), Some(Kind::NotTheApi));
    let packed =
        answer(200, &[("content-encoding", "gzip"), ("content-type", "application/json")], b"\x1f\x8b\x08");
    assert_eq!(kind_of(Dialect::OpenAi, packed, quick()), Some(Kind::NotTheApi));
    let garbled = stream(b"data: {\"type\":\"response.created\"}\n\ndata: {not json\n\n");
    assert_eq!(kind_of(Dialect::OpenAi, garbled, quick()), Some(Kind::Garbled));
}

#[test]
fn redirects_are_not_followed() {
    let elsewhere = Server::new(|_, _| answer(200, JSON, b"{}"));
    let to = format!("{}/v1/responses", elsewhere.base);
    for status in [301, 302, 307, 308] {
        let to = to.clone();
        let server = Server::new(move |_, _| answer(status, &[("location", &to)], b""));
        let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), question(Dialect::OpenAi));
        assert_eq!(reply.kind(), Some(Kind::NotTheApi), "{status}");
    }
    assert!(elsewhere.requests().is_empty(), "the key must not travel");
}

#[test]
fn no_connection_is_told_from_a_broken_one() {
    let free = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let (_, reply) = ask(Dialect::OpenAi, &free, quick(), question(Dialect::OpenAi));
    assert_eq!(reply.kind(), Some(Kind::Unreachable));
    for (dialect, events) in both() {
        assert_eq!(kind_of(dialect, vec![Step::Reset], quick()), Some(Kind::Dropped), "before an answer");
        let all = frames(&events);
        let head =
            b"HTTP/1.1 200 OK\r\ncontent-length: 999999\r\ncontent-type: text/event-stream\r\n\r\n".to_vec();
        let half = all[..all.len() * 3 / 4].to_vec();
        let server =
            Server::new(move |_, _| vec![Step::Send(head.clone()), Step::Send(half.clone()), Step::Reset]);
        let (events, reply) = ask(dialect, &server.base, quick(), question(dialect));
        assert_eq!(reply.kind(), Some(Kind::Dropped));
        assert!(!reply.search_calls.is_empty() && reply.answer.is_none());
        assert_eq!(shown(&events), reply.raw);
    }
}

#[test]
fn a_connection_that_is_reset_keeps_what_came() {
    for (dialect, events) in both() {
        let all = frames(&events);
        let server = Server::new(move |_, _| {
            vec![stream_head(), Step::Send(all[..all.len() * 4 / 5].to_vec()), Step::Abort]
        });
        let (events, reply) = ask(dialect, &server.base, Limits { retries: 2, ..quick() }, question(dialect));
        assert_eq!((reply.kind(), reply.answer.as_deref()), (Some(Kind::Dropped), None));
        assert!(reply.search_calls[0].query.is_some() && !shown(&events).is_empty());
        assert_eq!(server.requests().len(), 1, "what was shown is not asked anew");
    }
}

#[test]
fn a_connection_that_breaks_after_the_last_event_changes_nothing() {
    for (dialect, events) in both() {
        let mut steps = vec![Step::Send(b"HTTP/1.1 200 OK\r\ncontent-length: 999999\r\n\r\n".to_vec())];
        steps.extend([Step::Send(frames(&events)), Step::Reset]);
        assert_eq!(kind_of(dialect, steps, quick()), None);
    }
}

#[test]
fn silence_is_a_time_out() {
    let short = Limits { idle: Duration::from_millis(30), whole: Duration::from_millis(30), ..quick() };
    assert_eq!(kind_of(Dialect::OpenAi, vec![Step::Stall], short.clone()), Some(Kind::Timeout));
    let mut events = anthropic();
    events.truncate(22);
    let steps = vec![stream_head(), Step::Send(frames(&events)), Step::Stall];
    let server = Server::new(move |_, _| steps.clone());
    let (_, reply) = ask(Dialect::Anthropic, &server.base, short.clone(), question(Dialect::Anthropic));
    assert_eq!(reply.kind(), Some(Kind::Timeout));
    assert_eq!((reply.raw.as_str(), reply.answer.is_none()), ("I will look that up.Patrik Sjöberg", true));
    // A body that stalls under an error's status is still that error.
    let head = b"HTTP/1.1 401 No\r\ncontent-length: 500\r\n\r\n".to_vec();
    assert_eq!(kind_of(Dialect::OpenAi, vec![Step::Send(head), Step::Stall], short), Some(Kind::BadKey));
}

#[test]
fn a_trickle_of_single_bytes_is_an_answer() {
    for (dialect, events) in both() {
        assert_eq!(kind_of(dialect, vec![stream_head(), Step::Trickle(frames(&events))], quick()), None);
    }
}

#[test]
fn what_is_too_long_or_endless_ends() {
    let tight = Limits { frame_bytes: 10_000, answer_bytes: 50_000, ..quick() };
    let line = vec![b'x'; 4_096];
    let endless_line = vec![stream_head(), Step::Send(b"data: ".to_vec()), Step::Forever(line)];
    assert_eq!(kind_of(Dialect::OpenAi, endless_line, tight.clone()), Some(Kind::TooLarge));
    let ping = b"data: {\"type\":\"ping\"}\n\n".to_vec();
    let endless = vec![stream_head(), Step::Forever(ping)];
    assert_eq!(kind_of(Dialect::Anthropic, endless, tight.clone()), Some(Kind::TooLarge));
    let endless_body = vec![
        Step::Send(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"output\":[".to_vec()),
        Step::Forever(b"1,".repeat(1_000)),
    ];
    assert_eq!(kind_of(Dialect::OpenAi, endless_body, tight), Some(Kind::TooLarge));
}

/// The countdowns of the retries, each as its seconds.
fn waits(events: &[Event]) -> Vec<(u32, u64)> {
    let waits = events.iter().filter_map(|e| match e {
        Event::RetryWait { attempt, seconds, .. } => Some((*attempt, *seconds)),
        _ => None,
    });
    waits.collect()
}

#[test]
fn waits_that_the_server_asks_for_are_counted_down() {
    let limits = Limits { retries: 2, ..quick() };
    for (headers, expected) in [
        (vec![("retry-after", "3")], vec![3, 2, 1]),
        (vec![("retry-after", "1.5")], vec![2, 1]),
        (vec![("retry-after-ms", "2000"), ("retry-after", "9")], vec![2, 1]),
        (vec![("retry-after", "Sun, 06 Nov 1994 08:49:37 GMT")], vec![]),
        (vec![("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "2s")], vec![2, 1]),
        (vec![("x-ratelimit-remaining-tokens", "7"), ("x-ratelimit-reset-tokens", "6m0s")], vec![1]),
        (
            vec![
                ("anthropic-ratelimit-requests-remaining", "0"),
                ("anthropic-ratelimit-requests-reset", "2020-01-01T00:00:00Z"),
            ],
            vec![],
        ),
    ] {
        let owned: Vec<(String, String)> = headers.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect();
        let server = Server::new(move |_, n| {
            let headers: Vec<(&str, &str)> = owned.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
            if n == 0 {
                answer(429, &headers, &error("rate_limit_error", ""))
            } else {
                stream(&frames(&openai()))
            }
        });
        let (events, reply) = ask(Dialect::OpenAi, &server.base, limits.clone(), question(Dialect::OpenAi));
        assert_eq!(reply.error, None, "{headers:?}");
        let seconds: Vec<u64> = waits(&events)
            .iter()
            .map(|(attempt, s)| {
                assert_eq!(*attempt, 2);
                *s
            })
            .collect();
        assert_eq!(seconds, expected, "{headers:?}");
        assert_eq!(server.requests().len(), 2);
    }
}

#[test]
fn tries_end_where_they_cannot_help() {
    let limits = Limits { retries: 2, ..quick() };
    for (status, headers, body, requests) in [
        (529, vec![], error("overloaded_error", ""), 3),
        (500, vec![], error("api_error", ""), 3),
        (500, vec![("x-should-retry", "false")], error("api_error", ""), 1),
        (400, vec![("x-should-retry", "true")], error("invalid_request_error", ""), 3),
        (401, vec![], error("authentication_error", ""), 1),
        (429, vec![("x-should-retry", "true")], error("insufficient_quota", "insufficient_quota"), 1),
        (429, vec![("retry-after", "3600")], error("rate_limit_error", ""), 1),
        (
            429,
            vec![],
            br#"{"error":{"message":"OpenAIException - You exceeded your current quota","code":"429"}}"#
                .to_vec(),
            1,
        ),
    ] {
        let server = Server::new({
            let headers = headers.clone();
            move |_, _| answer(status, &headers, &body)
        });
        let (_, reply) = ask(Dialect::Anthropic, &server.base, limits.clone(), question(Dialect::Anthropic));
        assert!(reply.error.is_some());
        assert_eq!(server.requests().len(), requests, "{status} {headers:?}");
    }
    // An error within a stream before any output may be tried again; after output nothing is.
    let overloaded = json!({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}});
    for (shown_first, requests) in [(1, 3), (4, 1)] {
        let mut events: Vec<Value> = anthropic()[..shown_first].to_vec();
        events.push(overloaded.clone());
        let server = Server::new(move |_, _| stream(&frames(&events)));
        let (_, reply) = ask(Dialect::Anthropic, &server.base, limits.clone(), question(Dialect::Anthropic));
        assert_eq!(reply.kind(), Some(Kind::Overloaded));
        assert_eq!(server.requests().len(), requests);
    }
}

#[test]
fn a_refused_temperature_is_left_out_and_said() {
    let refusal = json!({"error":{"message":"Unsupported parameter: 'temperature' is not supported with this model.","type":"invalid_request_error","param":"temperature","code":null}});
    let anthropic_refusal = json!({"type":"error","error":{"type":"invalid_request_error","message":"temperature: Extra inputs are not permitted"}});
    for (dialect, refusal, good) in
        [(Dialect::OpenAi, refusal, openai()), (Dialect::Anthropic, anthropic_refusal, anthropic())]
    {
        let server = Server::new(move |request, _| {
            if request.body.contains("temperature") {
                answer(400, JSON, refusal.to_string().as_bytes())
            } else {
                stream(&frames(&good))
            }
        });
        let asked = Ask { temperature: Some(0.0), ..Ask::new("a-new-model", Condition::WithSearch, "Who?") };
        let (events, reply) = ask(dialect, &server.base, quick(), asked);
        assert_eq!(reply.error, None);
        assert_eq!(server.requests().len(), 2);
        let note = "temperature 0 left out: a-new-model refuses it";
        assert!(
            reply.notes.iter().any(|n| n == note) && events.contains(&Event::Note(note.into())),
            "{:?}",
            reply.notes
        );
        assert!(
            reply.request.unwrap().get("temperature").is_none(),
            "the record has what was sent in the end"
        );
        // Known to refuse it: not even tried.
        let model = if dialect == Dialect::OpenAi { "gpt-5-mini-2025-08-07" } else { "claude-sonnet-5-5" };
        let asked = Ask { temperature: Some(0.0), ..Ask::new(model, Condition::WithSearch, "Who?") };
        let (_, reply) = ask(dialect, &server.base, quick(), asked);
        assert_eq!((server.requests().len(), reply.error), (3, None));
        assert!(reply.notes.iter().any(|n| n.contains("left out")));
    }
}

#[test]
fn stopping_keeps_what_came() {
    for (dialect, events) in both() {
        let half = frames(&events[..13]);
        let steps = vec![stream_head(), Step::Send(half), Step::Stall];
        let server = Server::new(move |_, _| steps.clone());
        let client = lookitup::provider::Client::new(&quick()).unwrap();
        let models = std::sync::Arc::new(lookitup::provider::Models::built_in());
        let live = lookitup::provider::Live::new(endpoint(dialect, &server.base), client, quick(), models);
        let reply = runtime().block_on(async {
            let mut running = start(std::sync::Arc::new(live), question(dialect));
            loop {
                match running.events.recv().await.unwrap() {
                    Event::Text(_) | Event::SearchResults { .. } => running.cancel(),
                    Event::End(reply) => return reply,
                    _ => {}
                }
            }
        });
        assert_eq!(reply.kind(), Some(Kind::Cancelled));
        assert!(reply.search_calls[0].query.is_some(), "{dialect:?}");
        assert_eq!((reply.answer.clone(), reply.cost_usd), (None, None));
        assert!(reply.request.is_some() && reply.total_ms.is_some());
    }
}

#[test]
fn stopping_ends_a_wait_and_a_silence_at_once() {
    let endless = Limits {
        retries: 2,
        second: Duration::from_secs(3_600),
        idle: Duration::from_secs(3_600),
        ..quick()
    };
    for steps in [answer(429, &[("retry-after", "60")], b""), vec![Step::Stall]] {
        let server = Server::new(move |_, _| steps.clone());
        let client = lookitup::provider::Client::new(&endless).unwrap();
        let models = std::sync::Arc::new(lookitup::provider::Models::built_in());
        let live = lookitup::provider::Live::new(
            endpoint(Dialect::OpenAi, &server.base),
            client,
            endless.clone(),
            models,
        );
        let reply = runtime().block_on(async {
            let running = start(std::sync::Arc::new(live), question(Dialect::OpenAi));
            running.cancel();
            running.finish().await
        });
        assert_eq!(reply.kind(), Some(Kind::Cancelled));
    }
}

#[test]
fn a_server_that_refuses_the_domain_filter_is_named() {
    let refusal = json!({"error":{"message":"Unknown parameter: 'tools[0].filters.blocked_domains'.","type":"invalid_request_error","param":"tools[0].filters.blocked_domains","code":"unknown_parameter"}});
    let server = Server::new(move |_, _| answer(400, JSON, refusal.to_string().as_bytes()));
    let asked = Ask {
        condition: Condition::EvidenceBlocked,
        blocked_domains: vec!["a.org".into()],
        ..question(Dialect::OpenAi)
    };
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), asked);
    assert_eq!(reply.kind(), Some(Kind::RefusedParameter));
    assert!(reply.error.unwrap().parameter.unwrap().contains("blocked_domains"));
    assert_eq!(server.requests().len(), 1);
    let asked = Ask::new("gpt-4.1-nano", Condition::WithSearch, "Who?");
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), asked);
    assert_eq!(
        (reply.kind(), server.requests().len()),
        (Some(Kind::RefusedParameter), 1),
        "known to have no search"
    );
}
