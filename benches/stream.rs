//! Answers that arrive in many small pieces, through the parser and both dialects.
//!
//! `cargo bench --bench stream`; beside it the floor, a scan of the same bytes for line ends, and the framing alone beside
//! that of the crate `sse-stream`.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod made;

use std::convert::Infallible;

use futures_util::{FutureExt as _, StreamExt as _, stream};
use lookitup::provider::{Dialect, FRAME_BYTES, Intake, Sse};
use sse_stream::SseByteStream;

/// Bytes that the network hands over at once.
const CHUNK: usize = 1_400;

fn main() {
    println!(
        "{:>9} {:>10} {:>12} {:>9} {:>12} {:>12} {:>6}  dialect",
        "deltas", "MB", "events/s", "× floor", "framing/s", "sse-stream/s", "ratio"
    );
    for deltas in [1_000, 20_000, 200_000] {
        for dialect in Dialect::ALL {
            let bytes = answer(dialect, deltas);
            let floor = made::best(5, || memchr::memchr_iter(b'\n', &bytes).count());
            let time = made::best(5, || {
                let mut intake = Intake::new(dialect);
                let mut events = 0;
                for chunk in bytes.chunks(CHUNK) {
                    intake.feed(chunk).unwrap();
                    events += intake.events().len();
                }
                intake.end().unwrap();
                let reply = intake.reply(None);
                assert_eq!(reply.raw.len(), deltas * 5 + 16);
                assert!(events >= deltas / 2);
                reply
            });
            let own = made::best(5, || {
                let (mut sse, mut events) = (Sse::new(FRAME_BYTES), 0);
                for chunk in bytes.chunks(CHUNK) {
                    sse.feed(chunk, &mut |_| events += 1).unwrap();
                }
                events
            });
            let other = made::best(5, || {
                let all = SseByteStream::new(stream::iter(bytes.chunks(CHUNK).map(Ok::<_, Infallible>)));
                all.fold(0, |n, event| std::future::ready(n + u64::from(event.is_ok())))
                    .now_or_never()
                    .unwrap()
            });
            println!(
                "{deltas:>9} {:>10.1} {:>12.0} {:>9.0} {:>12.0} {:>12.0} {:>6.2}  {}",
                bytes.len() as f64 / 1e6,
                deltas as f64 / time.as_secs_f64(),
                time.as_secs_f64() / floor.as_secs_f64().max(1e-9),
                deltas as f64 / own.as_secs_f64(),
                deltas as f64 / other.as_secs_f64(),
                other.as_secs_f64() / own.as_secs_f64(),
                dialect.name()
            );
        }
    }
}

/// A stream of an answer of so many pieces.
fn answer(dialect: Dialect, deltas: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut frame = |name: &str, data: &str| {
        out.extend_from_slice(format!("event: {name}\ndata: {data}\n\n").as_bytes());
    };
    match dialect {
        Dialect::OpenAi => {
            frame(
                "response.created",
                r#"{"type":"response.created","response":{"id":"r","model":"m","output":[]}}"#,
            );
            for _ in 0..deltas {
                let data = r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"word "}"#;
                frame("response.output_text.delta", data);
            }
            let data = r#"{"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"\nConfidence: 87%"}"#;
            frame("response.output_text.delta", data);
            let data = r#"{"type":"response.completed","response":{"id":"r","model":"m","status":"completed","output":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#;
            frame("response.completed", data);
        }
        Dialect::Anthropic => {
            let data = r#"{"type":"message_start","message":{"id":"m","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}"#;
            frame("message_start", data);
            let data =
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
            frame("content_block_start", data);
            for _ in 0..deltas {
                let data = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word "}}"#;
                frame("content_block_delta", data);
            }
            let data = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"\nConfidence: 87%"}}"#;
            frame("content_block_delta", data);
            frame("content_block_stop", r#"{"type":"content_block_stop","index":0}"#);
            let data =
                r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}}"#;
            frame("message_delta", data);
            frame("message_stop", r#"{"type":"message_stop"}"#);
        }
    }
    out
}
