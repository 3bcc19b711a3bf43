//! Foreign formats: each is turned into attempt lines that are then indexed like any other file.
//!
//! A format that a newer program brings gets one file here, an implementation of [`Format`], and its place in [`ALL`].
//! A format neither pairs nor scores, and knows nothing of tables.

pub(super) mod attempt;
mod inspect;
mod nan;
pub mod parquet;

use std::io::{Read, Seek};
use std::path::Path;

use crate::record::{Attempt, Condition, Question};

use super::table::Problem;

/// Every foreign format, asked in this order.
pub const ALL: &[&dyn Format] = &[&inspect::Inspect, &parquet::Parquet];

/// Bytes that can be read from anywhere.
pub trait ReadSeek: Read + Seek + Send {}

impl<T: Read + Seek + Send> ReadSeek for T {}

/// What a file begins with, to recognise it by.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    /// The first bytes, at most 64 KiB (all of a shorter file).
    pub bytes: &'a [u8],
    /// Length of the whole file in bytes.
    pub len: u64,
    /// As given by the user. The name is a hint at most: formats are recognised by content.
    pub path: &'a Path,
}

/// A foreign file that is to be converted.
pub struct Foreign<'a> {
    /// As given by the user, for problems.
    pub path: &'a Path,
    /// Length in bytes.
    pub len: u64,
    /// Its bytes, at the beginning. For a file that came compressed they are the decompressed ones.
    pub bytes: Box<dyn ReadSeek>,
}

/// What the user said about a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Options {
    /// The condition named with `--as`; it beats what the file says.
    pub condition: Option<Condition>,
}

/// A reader of one foreign format.
pub trait Format: Sync {
    /// What the file holds, for the header and `check` ("Inspect log").
    fn name(&self) -> &'static str;

    /// Whether a file that begins so is of this format.
    fn recognises(&self, head: &Head<'_>) -> bool;

    /// Hands every record to the sink, in file order. What cannot be used becomes a problem with its place; nothing
    /// ends the conversion but the end of the file or [`Sink::cancelled`], to be asked at least once a record.
    fn convert(&self, input: Foreign<'_>, options: &Options, sink: &mut dyn Sink);
}

/// Where converted records go. Strings need no sanitising: that is done when they are read back.
pub trait Sink {
    /// Takes an attempt; `entry` names the archive member it came from.
    fn attempt(&mut self, attempt: &Attempt, entry: Option<&str>);

    /// Takes a question, for formats that carry a data set apart from the answers.
    fn question(&mut self, question: &Question);

    /// Takes a problem.
    fn problem(&mut self, problem: Problem);

    /// Whether the user has gone on: the conversion should end.
    fn cancelled(&self) -> bool;
}
