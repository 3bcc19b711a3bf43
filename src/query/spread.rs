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
mod tests {
    use super::{AtomicBool, Cancelled, Ordering, spread};

    #[test]
    fn every_piece_is_done_once_whatever_the_threads() {
        for threads in [0, 1, 3, 50] {
            let pieces: Vec<u64> = (0..1000).collect();
            let never = AtomicBool::new(false);
            let states = spread(threads, pieces, &never, || 0, |sum, piece| *sum += piece).unwrap();
            assert_eq!(states.iter().sum::<u64>(), 499_500);
            assert_eq!(spread(threads, Vec::<u8>::new(), &never, || 1, |_, _| {}), Ok(vec![1]));
        }
    }

    #[test]
    fn no_piece_is_begun_after_the_work_was_given_up() {
        for threads in [1, 3] {
            let cancel = AtomicBool::new(false);
            let work = |done: &mut u32, piece: u32| {
                if piece == 10 {
                    cancel.store(true, Ordering::Relaxed);
                }
                *done += 1;
            };
            assert_eq!(spread(threads, (0..1_000_000).collect(), &cancel, || 0, work), Err(Cancelled));
        }
    }
}
