//! Streams that are cut, re-chunked and reframed: the same result, or a clean "the stream ended before the answer".

use lookitup::provider::{Dialect, Intake, Kind, Reply};

use super::recorded::{Recording, recordings};
use super::streams::{both, frames};

/// Streams that are small enough to be cut at every byte.
const SMALL: usize = 2_600;

/// A reply from pieces, with how it ended.
fn read<'a>(dialect: Dialect, pieces: impl IntoIterator<Item = &'a [u8]>) -> Reply {
    let mut intake = Intake::new(dialect);
    let fed = pieces.into_iter().try_for_each(|p| intake.feed(p));
    let ended = fed.and_then(|()| intake.end());
    intake.reply(ended.as_ref().err())
}

fn streams() -> Vec<(String, Dialect, Vec<u8>)> {
    let mut all: Vec<_> =
        both().into_iter().map(|(d, events)| (format!("own {d:?}"), d, frames(&events))).collect();
    all.extend(recordings().into_iter().filter(Recording::is_stream).map(|r| (r.name, r.dialect, r.bytes)));
    all
}

/// A small generator of the same numbers every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

#[test]
fn a_stream_cut_anywhere_is_whole_or_says_that_it_is_not() {
    for (name, dialect, bytes) in streams() {
        let whole = read(dialect, [bytes.as_slice()]);
        let mut dice = Dice(bytes.len() as u64 | 1);
        let cuts: Vec<usize> = if bytes.len() <= SMALL || name.starts_with("own") {
            (0..bytes.len()).collect()
        } else {
            // Around the ends of lines, where framing could go wrong, and anywhere.
            let ends = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at);
            let ends: Vec<usize> = ends.flat_map(|at| [at, at + 1]).collect();
            let step = ends.len() / 120 + 1;
            ends.into_iter().step_by(step).chain((0..60).map(|_| dice.below(bytes.len()))).collect()
        };
        for cut in cuts {
            let reply = read(dialect, [&bytes[..cut]]);
            let is_end = reply.error == whole.error && reply.stop == whole.stop && reply.raw == whole.raw;
            if is_end && reply.usage == whole.usage {
                assert_eq!(reply, whole, "{name} cut at {cut}");
                continue;
            }
            let kind = reply.kind();
            // A stream that reports an error may be cut between the report and its repetition.
            assert!(kind == Some(Kind::Dropped) || whole.error.is_some(), "{name} cut at {cut}: {kind:?}");
            assert!(kind.is_some(), "{name} cut at {cut}: {reply:?}");
            assert!(whole.raw.starts_with(&reply.raw), "{name} cut at {cut}");
            assert!(reply.search_calls.len() <= whole.search_calls.len(), "{name} cut at {cut}");
            assert_eq!((reply.answer, reply.confidence), (None, None), "{name} cut at {cut}: never scored");
        }
    }
}

#[test]
fn a_stream_in_other_pieces_is_the_same() {
    for (name, dialect, bytes) in streams() {
        let whole = read(dialect, [bytes.as_slice()]);
        let mut dice = Dice(bytes.len() as u64 | 1);
        if bytes.len() <= 40_000 {
            assert_eq!(read(dialect, bytes.chunks(1)), whole, "{name} byte by byte");
        }
        for longest in [3, 40, 3_000] {
            let mut pieces = Vec::new();
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let (piece, after) = rest.split_at((1 + dice.below(longest)).min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            assert_eq!(read(dialect, pieces), whole, "{name} in pieces up to {longest}");
        }
    }
}

#[test]
fn other_line_ends_comments_and_a_mark_at_the_start_change_nothing() {
    for (name, dialect, bytes) in streams() {
        let whole = read(dialect, [bytes.as_slice()]);
        let text = String::from_utf8(bytes).unwrap().replace("\r\n", "\n");
        for (how, other) in [
            ("CRLF", text.replace('\n', "\r\n")),
            ("CR", text.replace('\n', "\r")),
            ("comments", text.replace("\n\n", "\n: OPENROUTER PROCESSING\n\n:\n\n")),
            ("other fields", text.replace("\n\n", "\nid: 7\nretry: 1\ndatabase: x\nx\n\n")),
            ("byte order mark", format!("\u{feff}{text}")),
            (
                "data alone",
                text.lines().filter(|l| !l.starts_with("event:")).flat_map(|l| [l, "\n"]).collect(),
            ),
            ("done", format!("{}\n\ndata: [DONE]\n\n", text.trim_end())),
        ] {
            assert_eq!(read(dialect, [other.as_bytes()]), whole, "{name}: {how}");
            assert_eq!(read(dialect, other.as_bytes().chunks(7)), whole, "{name}: {how} in pieces");
        }
    }
}
