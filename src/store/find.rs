//! Searching the stored lines themselves, everything in them included.
//!
//! Files are read in pieces by two threads, each piece is searched as a whole, and a hit is given to the attempt whose
//! line it is in. Hits are told in file order, so the first ones are there at once.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, PoisonError};

use regex::bytes::Regex;

use super::page::Reader;
use super::source::Source;
use super::table::Table;

/// Bytes searched at once: little enough to stay in the cache between being read and being searched.
const PIECE: u64 = 512 << 10;
/// Bytes of the first pieces, for first hits at once.
const FIRST: u64 = 64 << 10;
/// Threads that search. Memory is the limit beyond that.
const THREADS: usize = 2;

/// Whether a line is wanted: told the attempt and its raw line.
pub type Keep<'k> = &'k (dyn Fn(u32, &[u8]) -> bool + Sync);

/// Attempts whose lines lie one after the other in a file.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: u32,
    to: u32,
}

impl Reader {
    /// Tells the attempts whose stored line matches, in file order, in batches. `false` when cancelled.
    ///
    /// The expression sees the raw bytes of JSON: escapes as they are written. `^` and `$` need `(?m)`.
    /// Lines are searched as they are now: after a change of the file a hit may be none, which reading it tells.
    pub fn scan(
        &self,
        table: &Table,
        pattern: &Regex,
        cancel: &AtomicBool,
        hits: &mut dyn FnMut(&[u32]),
    ) -> bool {
        self.scan_lines(table, pattern, &|_, _| true, cancel, hits)
    }

    /// As [`Self::scan`], but of the lines that match only those that `keep` wants, which is asked by several threads
    /// at once, with the attempt and its raw line: so that a hit need not be read again to be looked at.
    pub fn scan_lines(
        &self,
        table: &Table,
        pattern: &Regex,
        keep: Keep<'_>,
        cancel: &AtomicBool,
        hits: &mut dyn FnMut(&[u32]),
    ) -> bool {
        let stretches = Mutex::new(Stretches { table, from: 0, given: 0 });
        let (tell, told) = channel();
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                let (tell, stretches) = (tell.clone(), &stretches);
                scope.spawn(move || search(table, (pattern, keep), cancel, stretches, &tell));
            }
            drop(tell);
            let mut early = BTreeMap::new();
            let mut due = 0;
            for (n, found) in told {
                early.insert(n, found);
                while let Some(found) = early.remove(&due) {
                    due += 1;
                    if !found.is_empty() && !cancel.load(Ordering::Relaxed) {
                        hits(&found);
                    }
                }
            }
        });
        !cancel.load(Ordering::Relaxed)
    }
}

fn search(
    table: &Table,
    wanted: (&Regex, Keep<'_>),
    cancel: &AtomicBool,
    stretches: &Mutex<Stretches<'_>>,
    tell: &Sender<(usize, Vec<u32>)>,
) {
    let mut buffer = Vec::new();
    while !cancel.load(Ordering::Relaxed) {
        let claimed = stretches.lock().unwrap_or_else(PoisonError::into_inner).claim();
        let Some((n, stretch)) = claimed else { return };
        let mut found = Vec::new();
        // A file that cannot be read any more has no hits.
        let _ = matches(table, wanted, stretch, &mut buffer, &mut found);
        if tell.send((n, found)).is_err() {
            return;
        }
    }
}

/// Hands out the attempts in stretches of about a piece each.
struct Stretches<'t> {
    table: &'t Table,
    from: u32,
    given: usize,
}

impl Stretches<'_> {
    /// The next stretch and its number. Lines of a file follow each other, but for files that grew while others were
    /// read: a stretch ends there.
    fn claim(&mut self) -> Option<(usize, Stretch)> {
        let from = self.from;
        let first = self.table.attempts.get(from as usize)?;
        let size = if self.given < 2 * THREADS { FIRST } else { PIECE };
        let (mut to, mut last) = (from + 1, first.offset);
        while let Some(row) = self.table.attempts.get(to as usize) {
            if row.file != first.file || row.offset < last || row.offset - first.offset >= size {
                break;
            }
            last = row.offset;
            to += 1;
        }
        self.from = to;
        self.given += 1;
        Some((self.given - 1, Stretch { from, to }))
    }
}

fn matches(
    table: &Table,
    (pattern, keep): (&Regex, Keep<'_>),
    stretch: Stretch,
    buffer: &mut Vec<u8>,
    found: &mut Vec<u32>,
) -> Option<()> {
    let row = |at: u32| table.attempts.get(at as usize);
    let (first, last) = (row(stretch.from)?, row(stretch.to - 1)?);
    let start = first.offset;
    let len = (last.offset + u64::from(last.len) - start) as usize;
    let source: &Source = table.sources.get(first.file)?;
    if buffer.len() < len {
        buffer.resize(len, 0);
    }
    let n = source.read_at(buffer.get_mut(..len)?, start).ok()?;
    let bytes = buffer.get(..n)?;
    let mut at = stretch.from;
    let mut from = 0;
    while at < stretch.to {
        let Some(hit) = pattern.find_at(bytes, from) else { break };
        // The attempt whose line the hit begins in or after.
        let begins = start + hit.start() as u64;
        at = last_before(table, at, stretch.to, begins);
        let a = row(at)?;
        let end = (a.offset - start) as usize + a.len as usize;
        let line = bytes.get((a.offset - start) as usize..end);
        // A match that goes on into the next line hides a shorter one in this line.
        let inside = hit.end() <= end || (hit.start() < end && line.is_some_and(|l| pattern.is_match(l)));
        if inside && begins >= a.offset && line.is_some_and(|l| keep(at, l)) {
            found.push(at);
        }
        at += 1;
        from = row(at).filter(|_| at < stretch.to).map_or(n, |next| (next.offset - start) as usize);
        if from > n {
            break;
        }
    }
    Some(())
}

/// The last attempt from `from` on that begins at or before `offset`.
fn last_before(table: &Table, from: u32, to: u32, offset: u64) -> u32 {
    let (mut low, mut high) = (from, to);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if table.attempts.get(middle as usize).is_some_and(|a| a.offset <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}
