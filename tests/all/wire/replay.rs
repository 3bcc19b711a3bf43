//! A stored answer shown again.

use std::sync::Arc;
use std::time::Duration;

use lookitup::provider::{Ask, Event, Given, Kind, Replay, Source, start};
use lookitup::record::{Attempt, CallKind, Citation, Condition, ErrorInfo, SearchCall, SearchResult, Usage};

use super::{runtime, shown};

fn stored() -> Attempt {
    Attempt {
        question_id: "q".into(),
        provider: Some("anthropic".into()),
        model: "claude-haiku-4-5-20251001".into(),
        condition: Condition::WithSearch,
        answer: Some("Patrik Sjöberg".into()),
        confidence: Some(0.87),
        raw: Some("It was 👩‍👩‍👧 Patrik Sjöberg.\r\nConfidence: 87%".into()),
        search_calls: vec![
            SearchCall {
                n: 1,
                query: Some("jump record".into()),
                status: Some("ok".into()),
                results: vec![SearchResult {
                    url: "https://a.org".into(),
                    cited: Some(true),
                    ..SearchResult::default()
                }],
                ..SearchCall::default()
            },
            SearchCall {
                n: 2,
                kind: CallKind::OpenPage,
                url: Some("https://a.org".into()),
                ..SearchCall::default()
            },
            SearchCall { n: 3, error: Some("max_uses_exceeded".into()), ..SearchCall::default() },
        ],
        citations: vec![Citation { url: "https://a.org".into(), ..Citation::default() }],
        usage: Usage { input_tokens: Some(5), ..Usage::default() },
        cost_usd: Some(0.5),
        latency_ms: Some(12.0),
        stop: Some("end_turn".into()),
        ..Attempt::default()
    }
}

fn replay(attempt: Attempt) -> (Vec<Event>, lookitup::provider::Reply) {
    runtime().block_on(async {
        let ask = Ask::new("any", Condition::NoSearch, "");
        let mut running = start(Arc::new(Replay::new(attempt, Duration::ZERO)), ask);
        let mut events = Vec::new();
        loop {
            match running.events.recv().await.unwrap() {
                Event::End(reply) => return (events, *reply),
                event => events.push(event),
            }
        }
    })
}

#[test]
fn a_replay_shows_everything_and_says_what_it_is() {
    let a = stored();
    let (events, reply) = replay(a.clone());
    assert_eq!(shown(&events), "It was 👩‍👩‍👧 Patrik Sjöberg.\nConfidence: 87%");
    assert!(events.iter().any(|e| matches!(e, Event::Note(n) if n.starts_with("REPLAY"))));
    assert!(matches!(&events[0], Event::Sent { host, .. } if host == "replay"));
    assert!(events.contains(&Event::SearchQuery { n: 1, queries: vec!["jump record".into()] }));
    assert!(events.contains(&Event::SearchError { n: 3, code: "max_uses_exceeded".into() }));
    assert!(events.iter().any(|e| matches!(e, Event::Page { n: 2, kind: CallKind::OpenPage, .. })));
    assert_eq!((reply.source, reply.cost_usd), (Source::Replay, None), "a replay costs nothing");
    let again = reply.attempt(&Given { question_id: "q".into(), ..Given::default() });
    assert_eq!(again.source.as_deref(), Some("replay"));
    assert_eq!((again.answer, again.confidence, again.raw), (a.answer, a.confidence, a.raw));
    assert_eq!((again.search_calls, again.citations, again.usage), (a.search_calls, a.citations, a.usage));
    assert_eq!((again.model, again.stop, again.latency_ms), (a.model, a.stop, a.latency_ms));
}

#[test]
fn stored_failures_are_replayed_as_such() {
    for (word, kind) in [("rate_limited", Kind::RateLimited), ("a_word_of_others", Kind::Other)] {
        let error = Some(ErrorInfo { kind: word.into(), message: "m".into() });
        let (_, reply) = replay(Attempt { error, answer: None, ..stored() });
        assert_eq!(reply.kind(), Some(kind));
        assert!(reply.error.unwrap().message.contains(if kind == Kind::Other { word } else { "m" }));
    }
    let (events, reply) = replay(Attempt { raw: None, ..stored() });
    assert_eq!((shown(&events).as_str(), reply.raw.as_str()), ("Patrik Sjöberg", "Patrik Sjöberg"));
}

#[test]
fn a_replay_can_be_stopped() {
    let reply = runtime().block_on(async {
        let ask = Ask::new("any", Condition::NoSearch, "");
        let mut running = start(Arc::new(Replay::new(stored(), Duration::from_secs(3_600))), ask);
        while let Some(event) = running.events.recv().await {
            match event {
                Event::Accepted { .. } => running.cancel(),
                Event::End(reply) => return reply,
                _ => {}
            }
        }
        panic!("no end");
    });
    assert_eq!((reply.kind(), reply.raw.as_str(), reply.answer.clone()), (Some(Kind::Cancelled), "", None));
    assert_eq!(reply.source, Source::Replay);
}
