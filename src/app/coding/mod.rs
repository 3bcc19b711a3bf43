//! Coding: going through rows, saying what went wrong with each.
//!
//! What was said is kept by the runtime in the notes file; the model holds the notes as they stand, the sheet of the row
//! that is being read, and the session: a plan's rows and the place in them.

mod act;
mod counts;
mod judge;
mod notes;
mod panel;
mod plan;
mod say;
mod sheet;
mod undo;

use std::collections::VecDeque;
use std::sync::Arc;

use tui_textarea::TextArea;

use crate::record::{Condition, Verdict};
use crate::review::{Act, Codebook, Draw, Entry, Key, Neighbours, Notes, Suggestion};

use super::Line;

pub use counts::{CountRequest, Counts};
pub use panel::Label;
pub use plan::PlanChoice;
pub use sheet::Sheet;

/// Something to be written into the notes, in the runtime's hand: it knows the time.
#[derive(Debug, Clone, PartialEq)]
pub struct Said {
    /// What it is about.
    pub key: Key,
    /// The hash of the answer that was looked at.
    pub answer: String,
    /// What is said.
    pub act: Act,
}

/// What the notes file says now.
#[derive(Debug, Clone)]
pub enum Lines {
    /// All of it.
    All(Arc<Notes>),
    /// Lines that came to those that were told before.
    More(Vec<Entry>),
}

/// What became of an undo or a redo.
#[derive(Debug, Clone, PartialEq)]
pub struct Undone {
    /// Whether it was an undo.
    pub back: bool,
    /// The line that counts no longer, or counts again; `None` where there was none.
    pub of: Option<Entry>,
}

/// The notes as they stand in their file.
#[derive(Debug, Clone)]
pub struct NotesNews {
    /// The notes.
    pub lines: Lines,
    /// The codebook.
    pub book: Arc<Codebook>,
    /// The person whose notes are written here.
    pub by: String,
    /// Notes that a program which is gone had not saved.
    pub left: Vec<Entry>,
    /// Where they are, for people.
    pub place: String,
    /// How many of the things that were to be written are, since the program began.
    pub written: u64,
    /// Why the next one is not, where it could not be.
    pub failing: Option<String>,
    /// What became of an undo.
    pub undone: Option<Undone>,
}

/// Something that is on its way to the disk.
#[derive(Debug)]
pub(super) struct Unwritten {
    said: Said,
    /// The row that was coded.
    row: Option<u32>,
}

/// What is known of notes.
#[derive(Debug)]
pub struct Review {
    /// The notes.
    pub notes: Arc<Notes>,
    /// The codebook.
    pub book: Arc<Codebook>,
    /// The person at the keys.
    pub by: String,
    /// Where the notes are kept; empty until they were read.
    pub place: String,
    /// Whether what others said is hidden.
    pub blind: bool,
    /// Notes left unsaved, taken up when their row is coded next.
    pub left: Vec<Entry>,
    /// Rows that this person coded, and deferred.
    pub done: std::collections::HashSet<u32>,
    /// The rows that this person coded last, and when, in milliseconds.
    times: VecDeque<(Key, i64)>,
    /// What is on its way to the disk, the oldest first.
    unwritten: VecDeque<Unwritten>,
    /// How many things are on the disk.
    written: u64,
    /// Why what is on its way does not get there.
    pub failing: Option<String>,
    /// Why no notes can be kept.
    shut: Option<String>,
    /// How many lines on verdicts and accepted answers the figures as reviewed were asked for with.
    judged: usize,
    /// Whether it is the codebook that is in the editor.
    pub(super) editing: bool,
    /// How often codes were counted.
    counting: u64,
    /// References of all questions, made ready when the first row is coded.
    neighbours: Option<Arc<Neighbours>>,
}

impl Default for Review {
    fn default() -> Self {
        Self {
            notes: Arc::default(),
            book: Arc::new(Codebook::starter()),
            by: String::new(),
            place: String::new(),
            blind: false,
            left: Vec::new(),
            done: std::collections::HashSet::new(),
            times: VecDeque::new(),
            unwritten: VecDeque::new(),
            written: 0,
            failing: None,
            shut: None,
            judged: 0,
            editing: false,
            counting: 0,
            neighbours: None,
        }
    }
}

impl Review {
    /// Nothing known yet; what others said may be hidden from the beginning.
    pub(super) fn hiding(blind: bool) -> Self {
        Self { blind, ..Self::default() }
    }
}

/// A session of coding.
#[derive(Debug)]
pub struct Coding {
    /// The plan as it is written into the notes: `PLAN | FILTER`.
    pub plan: String,
    /// The rows in the order to be read.
    pub rows: Vec<Draw>,
    /// The place among them.
    pub at: usize,
    /// What is said of the row so far.
    pub sheet: Sheet,
    /// What the record hints at; `None` until the record is read.
    pub hints: Option<Vec<Suggestion>>,
    /// A sheet that was taken back before it was saved.
    dropped: Option<Sheet>,
    /// What the rows are called, while the files are read anew and numbers mean nothing.
    names: Option<Vec<(Key, Option<f64>)>>,
}

impl Coding {
    /// The row being read; `None` while the files are read anew.
    pub fn row(&self) -> Option<u32> {
        self.rows.get(self.at).map(|d| d.row)
    }
}

/// The note that is being written.
#[derive(Debug)]
pub struct NoteDialog {
    /// The text.
    pub area: TextArea<'static>,
}

/// What a line of text is asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    /// The reason for a verdict on the attempt under a condition.
    Reason(Condition, Verdict),
    /// Another accepted answer of the question.
    Reference,
}

/// A line of text that is asked for.
#[derive(Debug)]
pub struct AskDialog {
    /// What for.
    pub asked: Asked,
    /// The text.
    pub line: Line,
}
