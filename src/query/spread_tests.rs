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
