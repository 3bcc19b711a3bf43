//! What can go wrong on the command line, and the exit code of each.

use std::io;

/// Exit codes, as the documentation promises them.
pub mod exit {
    /// Done.
    pub const DONE: u8 = 0;
    /// Found something wrong.
    pub const FOUND: u8 = 1;
    /// Wrong usage.
    pub const USAGE: u8 = 2;
    /// Nothing could be read.
    pub const UNREADABLE: u8 = 3;
    /// The provider refused, or could not be reached.
    pub const REFUSED: u8 = 4;
    /// Interrupted.
    pub const INTERRUPTED: u8 = 130;
}

/// Why a command stopped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The arguments don't make sense; the text says which and why.
    #[error("{0}")]
    Usage(String),
    /// Nothing could be read from the input.
    #[error("{0}")]
    Unreadable(String),
    /// What was named is not there.
    #[error("{0}")]
    NotFound(String),
    /// Nobody can be asked.
    #[error("{0}")]
    Provider(String),
    /// An answer came and could not be kept.
    #[error("{0}")]
    Unsaved(String),
    /// A record could not be read.
    #[error("{what}")]
    Record {
        /// Which.
        what: String,
        /// Why.
        #[source]
        source: crate::store::ReadError,
    },
    /// Output could not be written.
    #[error("cannot write the output")]
    Output(#[from] io::Error),
    /// The screen could not be opened, or failed.
    #[error("{0}")]
    Screen(String),
}

impl Error {
    /// The exit code.
    pub const fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => exit::USAGE,
            Self::Unreadable(_) | Self::Record { .. } => exit::UNREADABLE,
            Self::Provider(_) => exit::REFUSED,
            Self::NotFound(_) | Self::Unsaved(_) | Self::Output(_) | Self::Screen(_) => exit::FOUND,
        }
    }

    /// Whether the reader of the output went away (`| head`): nothing to report.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe)
    }
}
