//! The parser of streams beside one that others wrote: the same events for every stream, however it is cut.

use std::convert::Infallible;

use futures_util::{StreamExt as _, stream};
use lookitup::provider::Sse;
use sse_stream::SseByteStream;

use super::recorded::{Recording, recordings};
use super::streams::{both, frames};

/// The data of each event, as the other parser reads it.
fn theirs(bytes: &[u8], piece: usize) -> Vec<String> {
    let pieces: Vec<_> = bytes.chunks(piece).map(Ok::<_, Infallible>).collect();
    let mut events = SseByteStream::new(stream::iter(pieces));
    super::runtime().block_on(async {
        let mut all = Vec::new();
        while let Some(event) = events.next().await {
            // An event without data is none by the standard; the other one hands it out all the same.
            all.extend(event.unwrap().data);
        }
        all
    })
}

fn ours(bytes: &[u8], piece: usize) -> Vec<String> {
    let mut sse = Sse::new(lookitup::provider::FRAME_BYTES);
    let mut all = Vec::new();
    for piece in bytes.chunks(piece) {
        sse.feed(piece, &mut |data| all.push(data.to_owned())).unwrap();
    }
    all
}

#[test]
fn every_stream_has_the_events_that_another_parser_finds() {
    let mut all: Vec<(String, Vec<u8>)> =
        both().iter().map(|(d, events)| (format!("own {d:?}"), frames(events))).collect();
    all.extend(recordings().into_iter().filter(Recording::is_stream).map(|r| (r.name, r.bytes)));
    all.push((
        "several lines".into(),
        b"\xef\xbb\xbfdata: a\r\ndata:b\rdata\n\n: c\n\nid: 1\ndata:  d\n\n".to_vec(),
    ));
    for (name, bytes) in all {
        for piece in [1, 7, 1_400, usize::MAX] {
            assert_eq!(ours(&bytes, piece), theirs(&bytes, piece), "{name} in pieces of {piece}");
        }
    }
}
