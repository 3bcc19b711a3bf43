//! The wire of both dialects: recorded and hand-made answers through the reader and through the real client.

mod cut;
mod faults;
mod keys;
mod models;
mod oracle;
mod recorded;
mod replay;
mod requests;
pub(crate) mod server;
pub(crate) mod streams;

use std::sync::Arc;
use std::time::Duration;

use lookitup::provider::{Ask, Client, Dialect, Endpoint, Event, Limits, Live, Models, Reply, start};
use lookitup::record::Condition;

/// A key of the right form that opens nothing; it must show up nowhere but in the request's header.
const CANARY: &str = "sk-canary-0123456789abcdef-never-shown";

/// Limits under which no test waits for anybody.
fn quick() -> Limits {
    Limits {
        idle: Duration::from_secs(20),
        whole: Duration::from_secs(20),
        second: Duration::from_micros(50),
        retries: 0,
        ..Limits::default()
    }
}

fn endpoint(dialect: Dialect, base: &str) -> Endpoint {
    let base = match dialect {
        Dialect::OpenAi => format!("{base}/v1"),
        Dialect::Anthropic => base.to_owned(),
    };
    let env = |name: &str| match name {
        "OPENAI_API_KEY" | "ANTHROPIC_API_KEY" => Some(CANARY.to_owned()),
        _ if name == dialect.base_variable() => Some(base.clone()),
        _ => None,
    };
    Endpoint::of(dialect, &env)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn question(dialect: Dialect) -> Ask {
    let model = if dialect == Dialect::OpenAi { "gpt-4.1" } else { "claude-haiku-4-5" };
    Ask::new(model, Condition::WithSearch, "Who?")
}

/// Asks through the real client; the events before the last, and the reply.
fn ask(dialect: Dialect, base: &str, limits: Limits, question: Ask) -> (Vec<Event>, Reply) {
    let client = Client::new(&limits).unwrap();
    let live = Live::new(endpoint(dialect, base), client, limits, Arc::new(Models::built_in()));
    runtime().block_on(async {
        let mut running = start(Arc::new(live), question);
        let mut events = Vec::new();
        loop {
            match running.events.recv().await.expect("the last event is the end") {
                Event::End(reply) => {
                    assert!(running.events.recv().await.is_none(), "nothing follows the end");
                    return (events, *reply);
                }
                event => events.push(event),
            }
        }
    })
}

/// What the events say the answer is.
fn shown(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::Text(piece) => text.push_str(piece),
            Event::Replaced(whole) => text.clone_from(whole),
            _ => {}
        }
    }
    text
}
