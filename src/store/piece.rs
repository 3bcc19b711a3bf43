//! Cutting a file into pieces of whole lines without looking at what comes before.
//!
//! A line belongs to the piece in which it begins.

use super::chunk::{Context, Failed, LineProblem, Parsed, parse};
use super::source::Source;
use super::table::Severity;

/// Bytes that a line may have.
pub(super) const LONGEST: usize = 64 << 20;
/// Bytes read beyond the end of a piece at first; then twice as many each time.
const STEP: usize = 1 << 12;
/// A buffer that grew beyond this is given back.
const KEPT: usize = 4 << 20;

/// A piece of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    /// Where it begins; lines that begin earlier belong to the piece before.
    pub(super) start: u64,
    /// Where it ends.
    pub(super) end: u64,
    /// Length of the file as far as it is to be read.
    pub(super) limit: u64,
    /// Whether the file ends at `limit`.
    pub(super) last: bool,
}

/// Reads and parses a piece. `buffer` is kept from piece to piece; `out` is emptied and filled again.
pub(super) fn read(
    source: &Source,
    piece: Piece,
    context: &Context<'_>,
    buffer: &mut Vec<u8>,
    out: Parsed,
) -> Parsed {
    let parsed = match lines(source, piece, buffer) {
        Ok(Lines { begin, from, to, too_long }) => {
            let bytes = buffer.get(from..to).unwrap_or_default();
            let at_end = piece.last && begin + to as u64 == piece.limit;
            let mut parsed = parse(bytes, begin + from as u64, at_end, context, out);
            if too_long {
                parsed.problems.push(LineProblem {
                    line: parsed.lines,
                    severity: Severity::Error,
                    message: "the line is longer than 64 MiB; it is left out".to_owned(),
                });
                parsed.lines += 1;
                parsed.end = piece.limit;
            }
            parsed
        }
        Err(failed) => {
            let mut parsed = parse(&[], piece.start, false, context, out);
            parsed.failed = Some(failed);
            parsed
        }
    };
    if buffer.capacity() > KEPT {
        *buffer = Vec::new();
    }
    parsed
}

/// The part of the buffer that holds the piece's lines.
struct Lines {
    /// Where the buffer begins in the file.
    begin: u64,
    from: usize,
    to: usize,
    /// Whether a line too long follows.
    too_long: bool,
}

fn lines(source: &Source, piece: Piece, buffer: &mut Vec<u8>) -> Result<Lines, Failed> {
    // The byte before tells whether a line begins right at the start.
    let begin = piece.start.saturating_sub(1);
    let len = piece.end.saturating_sub(begin) as usize;
    fill(source, begin, buffer, 0, len)?;
    let from = if piece.start == 0 {
        0
    } else {
        match memchr::memchr(b'\n', buffer.get(..len).unwrap_or_default()) {
            // A newline at the very end begins the next piece's line.
            Some(at) if at + 1 < len => at + 1,
            _ => return Ok(Lines { begin, from: 0, to: 0, too_long: false }),
        }
    };
    let mut to = len;
    if buffer.get(len.wrapping_sub(1)) == Some(&b'\n') {
        return Ok(Lines { begin, from, to, too_long: false });
    }
    // The last line goes on beyond the piece.
    let line = memchr::memrchr(b'\n', buffer.get(..len).unwrap_or_default()).map_or(from, |at| at + 1);
    let mut step = STEP;
    while begin + (to as u64) < piece.limit {
        if to - line > LONGEST {
            return Ok(Lines { begin, from, to: line, too_long: true });
        }
        let more = step.min((piece.limit - begin) as usize - to);
        fill(source, begin, buffer, to, to + more)?;
        if let Some(at) = memchr::memchr(b'\n', buffer.get(to..to + more).unwrap_or_default()) {
            to += at + 1;
            break;
        }
        to += more;
        step = (step * 2).min(KEPT);
    }
    if to - line > LONGEST {
        return Ok(Lines { begin, from, to: line, too_long: true });
    }
    Ok(Lines { begin, from, to, too_long: false })
}

/// Reads the bytes from `from` to `to` after `begin` into the same place of the buffer.
fn fill(source: &Source, begin: u64, buffer: &mut Vec<u8>, from: usize, to: usize) -> Result<(), Failed> {
    if buffer.len() < to {
        buffer.resize(to, 0);
    }
    let part = buffer.get_mut(from..to).unwrap_or_default();
    let len = part.len();
    match source.read_at(part, begin + from as u64) {
        Ok(n) if n == len => Ok(()),
        Ok(_) => Err(Failed::Cut),
        Err(e) => Err(Failed::Io(e.to_string())),
    }
}
