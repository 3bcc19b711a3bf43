//! What several tests need.

pub(crate) mod bench;
pub(crate) mod pty;
