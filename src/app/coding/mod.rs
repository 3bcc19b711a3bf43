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
mod sheet;

use std::sync::Arc;

use tui_textarea::TextArea;

use crate::record::{Condition, Verdict};
use crate::review::{Act, Codebook, Draw, Entry, Key, Neighbours, Notes, Suggestion};

use super::Line;

pub use counts::Counts;
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

/// The notes as they stand in their file.
#[derive(Debug, Clone)]
pub struct NotesNews {
    /// The notes.
    pub notes: Arc<Notes>,
    /// The codebook.
    pub book: Arc<Codebook>,
    /// The person whose notes are written here.
    pub by: String,
    /// Notes that a program which is gone had not saved.
    pub left: Vec<Entry>,
    /// Where they are, for people.
    pub place: String,
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
    /// Mean seconds between one coded row and the next, of this person's last ones.
    pub pace: Option<f64>,
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
            pace: None,
            neighbours: None,
        }
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
}

impl Coding {
    /// The row being read.
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
