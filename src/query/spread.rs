//! Work cut into pieces, done on a few threads, given up when it is no longer wanted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The work was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cancelled;

/// Stops here when nobody waits for the result any more.
pub(super) fn check(cancel: &AtomicBool) -> Result<(), Cancelled> {
    if cancel.load(Ordering::Relaxed) { Err(Cancelled) } else { Ok(()) }
}

/// Runs `work` on every piece, each thread with a state of its own, and hands the states back.
///
/// One thread means this one: nothing is started for it.
pub(super) fn spread<P: Send, S: Send>(
    threads: usize,
    pieces: Vec<P>,
    cancel: &AtomicBool,
    start: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, P) + Sync,
) -> Result<Vec<S>, Cancelled> {
    let threads = threads.min(pieces.len()).max(1);
    let queue = Mutex::new(pieces.into_iter());
    let run = || {
        let mut state = start();
        loop {
            check(cancel)?;
            let piece = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
            match piece {
                Some(piece) => work(&mut state, piece),
                None => return Ok(state),
            }
        }
    };
    if threads == 1 {
        return run().map(|state| vec![state]);
    }
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut states = vec![run()];
        for other in others {
            match other.join() {
                Ok(state) => states.push(state),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        states.into_iter().collect()
    })
}

#[cfg(test)]
#[path = "spread_tests.rs"]
mod tests;
