//! The key shows up in the request's header and nowhere else.

use lookitup::provider::{Dialect, Endpoint, Given, Key, Kind};
use serde_json::json;

use super::server::{Server, answer, stream};
use super::streams::{anthropic, frames, openai};
use super::{CANARY, ask, endpoint, question, quick};

#[test]
fn a_server_that_sends_the_key_back_does_not_get_it_into_anything() {
    let mut echo_openai = openai();
    let mut echo_anthropic = anthropic();
    for events in [&mut echo_openai, &mut echo_anthropic] {
        let text = serde_json::to_string(events).unwrap();
        let text = text
            .replace("jump record", &format!("Bearer {CANARY}"))
            .replace("High jump", &format!("t {CANARY}"))
            .replace("https://a.org/x", &format!("https://a.org/x?key={CANARY}"))
            .replace("öberg", &format!("öberg {CANARY}"));
        *events = serde_json::from_str(&text).unwrap();
    }
    let masked = format!("{}****{}", &CANARY[..9], &CANARY[CANARY.len() - 4..]);
    let error = json!({"error":{"type":"authentication_error","message":
        format!("Incorrect API key {CANARY} or {masked}; Authorization: Bearer {CANARY}")}});
    let page = format!("<html><title>{CANARY}</title>{CANARY}</html>");
    for (dialect, steps) in [
        (Dialect::OpenAi, stream(&frames(&echo_openai))),
        (Dialect::Anthropic, stream(&frames(&echo_anthropic))),
        (Dialect::OpenAi, stream(&frames(&echo_openai[..14]))),
        (Dialect::OpenAi, answer(401, &[], error.to_string().as_bytes())),
        (Dialect::Anthropic, stream(format!("data: {error}\n\n").as_bytes())),
        (Dialect::Anthropic, stream(format!("data: {{broken {CANARY}\n\n").as_bytes())),
        (Dialect::OpenAi, answer(502, &[], page.as_bytes())),
        (Dialect::OpenAi, answer(200, &[], page.as_bytes())),
        (Dialect::OpenAi, answer(302, &[("location", &format!("https://{CANARY}.org/{CANARY}"))], b"")),
        (Dialect::Anthropic, answer(500, &[("x-request-id", CANARY)], CANARY.as_bytes())),
    ] {
        let server = Server::new(move |_, _| steps.clone());
        let (events, reply) = ask(dialect, &server.base, quick(), question(dialect));
        let given = Given { question_id: "q".into(), ..Given::default() };
        let all = format!("{events:?} {reply:?} {}", lookitup::provider::line_of(&reply.attempt(&given)));
        assert!(!all.contains(CANARY), "{all}");
        assert!(!all.contains(&masked), "{all}");
        assert!(server.requests()[0].head.contains(CANARY));
    }
}

#[test]
fn debug_prints_no_key() {
    let endpoint = endpoint(Dialect::OpenAi, "http://127.0.0.1:1");
    assert!(!format!("{endpoint:?}").contains("canary"));
    assert!(!format!("{:?}", Key::new(CANARY)).contains("canary"));
    assert!(format!("{endpoint:?}").contains("has_key: true"));
    let secret = "https://user:hunter2@host/v1?token=hunter2";
    let endpoint = Endpoint::custom("mine", Dialect::OpenAi, secret, "", &|_| None);
    assert!(!format!("{endpoint:?} {:?}", endpoint.ready()).contains("hunter2"));
}

#[test]
fn a_dummy_key_does_not_blot_out_words() {
    let env = |name: &str| (name == "MY_KEY").then(|| "x".to_owned());
    let body = frames(&openai());
    let server = Server::new(move |_, _| stream(&body));
    let endpoint = Endpoint::custom("mine", Dialect::OpenAi, &server.base, "MY_KEY", &env);
    let client = lookitup::provider::Client::new(&quick()).unwrap();
    let live = lookitup::provider::Live::new(endpoint, client, quick(), std::sync::Arc::default());
    let reply = super::runtime().block_on(async {
        lookitup::provider::start(std::sync::Arc::new(live), question(Dialect::OpenAi)).finish().await
    });
    assert!(reply.search_calls[1].url.as_deref().unwrap().ends_with("/x"));
    assert_eq!(reply.error, None);
}

#[test]
fn without_a_key_nothing_is_sent() {
    let server = Server::new(|_, _| answer(200, &[], b"{}"));
    let base = server.base.clone();
    let endpoint =
        Endpoint::of(Dialect::Anthropic, &|name| (name == "ANTHROPIC_BASE_URL").then(|| base.clone()));
    assert!(!endpoint.is_ready());
    let client = lookitup::provider::Client::new(&quick()).unwrap();
    let live = lookitup::provider::Live::new(endpoint, client, quick(), std::sync::Arc::default());
    let reply = super::runtime().block_on(async {
        lookitup::provider::start(std::sync::Arc::new(live), question(Dialect::Anthropic)).finish().await
    });
    assert_eq!(reply.kind(), Some(Kind::NoKey));
    assert!(reply.error.unwrap().message.contains("ANTHROPIC_API_KEY"));
    assert_eq!((reply.request, reply.total_ms), (None, None));
    assert!(server.requests().is_empty());
}

#[test]
fn what_acts_on_a_terminal_is_made_visible_in_events_and_errors() {
    let mut events = openai();
    let text = serde_json::to_string(&events).unwrap();
    let text = text
        .replace("jump record", "jump\\u001b[2J\\u202e record")
        .replace("Confi", "\\u001b]0;x\\u0007Confi");
    events = serde_json::from_str(&text).unwrap();
    let body = frames(&events);
    let server = Server::new(move |_, _| stream(&body));
    let (events, reply) = ask(Dialect::OpenAi, &server.base, quick(), question(Dialect::OpenAi));
    let bad = |c: char| matches!(c, '\u{1b}' | '\u{7}' | '\u{202e}' | '\r');
    let shown = super::shown(&events);
    assert!(!shown.contains(bad) && shown.contains('␛'), "{shown:?}");
    assert!(reply.raw.contains('\u{1b}'), "the record keeps what came; reading it makes it safe");
    for event in &events {
        if let lookitup::provider::Event::SearchQuery { queries, .. } = event {
            assert!(!queries.concat().contains(bad));
        }
    }
    let error = json!({"error":{"message":"bad \u{1b}[31mkey\r\n\u{202e}"}});
    let server = Server::new(move |_, _| answer(400, &[], error.to_string().as_bytes()));
    let (_, reply) = ask(Dialect::OpenAi, &server.base, quick(), question(Dialect::OpenAi));
    assert!(!reply.error.unwrap().message.contains(bad));
}
