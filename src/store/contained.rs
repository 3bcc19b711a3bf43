//! Code of others that may panic on bad input, kept from ending the program.
//!
//! A panic ends the program, by the hook that puts the terminal in order, because it is a fault of ours. Where the
//! fault is a file's, it must cost no more than that file: the hook looks here first.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Does it; a panic on the way becomes its words. Nothing that `work` leaves half done may be used afterwards.
pub(super) fn contained<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = INSIDE.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    INSIDE.set(before);
    done.map_err(|panic| {
        let words = panic.downcast_ref::<String>().map(String::as_str);
        let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it makes no sense");
        crate::text::truncate(&crate::text::sanitize_line(words), 160).into_owned()
    })
}

/// Whether a panic of this thread, now, is a file's fault and is taken care of.
pub fn is_contained() -> bool {
    INSIDE.get()
}
