//! From files to columns: opening, indexing, reading records.
//!
//! Owns every byte that is read from result and question files. Does no filtering and draws nothing.

mod brief;
mod build;
mod cache;
mod chunk;
mod complete;
mod contained;
pub mod cow;
pub mod dict;
mod digest;
mod fields;
mod find;
mod follow;
pub mod formats;
mod grow;
mod handle;
mod journal;
mod json;
mod known;
mod load;
mod marks;
mod mend;
mod page;
mod pairs;
mod piece;
mod plan;
mod print;
mod rescore;
mod sample;
mod short;
mod sniff;
mod source;
mod spool;
pub mod table;
mod values;

use std::path::{Path, PathBuf};

use crate::record::Condition;

pub use brief::Brief;
pub use contained::is_contained;
pub use digest::{digest, digest_file};
pub use find::Keep;
pub use handle::Store;
pub use journal::Journal;
pub use marks::{Mark, Marks};
pub use page::{Bundle, ReadError, Reader};
pub use sample::{sample, table_of};
pub use source::Sources;
pub use table::{
    AttemptRow, FileInfo, NO, Names, PairRow, Problem, Problems, Progress, QuestionRow, Severity, Table,
    TextBlock, Texts,
};

/// What the names of exported files have in them. A folder that is opened whole leaves such files out: what they hold
/// is there already. Named, they are opened like any other.
pub const EXPORTED: &str = ".export.";

/// Something to open.
#[derive(Debug, Clone)]
pub enum Input {
    /// A file, or a folder to be searched for files of ours.
    Path(PathBuf),
    /// A file that records are appended to: it need not be there yet, and is read when it comes.
    Journal(PathBuf),
    /// Bytes compiled into the program.
    Embedded {
        /// Shown in place of a path.
        name: &'static str,
        /// The file's bytes.
        bytes: &'static [u8],
    },
}

/// How to open.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Conditions named with `--as CONDITION=FILE`; they beat what the files say.
    pub conditions: Vec<(Condition, PathBuf)>,
    /// Whether to watch the files: growth is read on, any other change reads everything anew.
    pub follow: bool,
    /// Whether reading gives way to everything else on this machine: for a screen, whose keys come first.
    pub gentle: bool,
    /// Threads that parse; one a core when not given.
    pub threads: Option<usize>,
}

/// Whether a file or folder holds anything that can be opened.
pub fn holds_records(path: &Path) -> bool {
    path.exists()
        && !plan::Plan::of(&[Input::Path(path.to_owned())], &OpenOptions::default()).files.is_empty()
}

#[cfg(test)]
mod store_tests;
