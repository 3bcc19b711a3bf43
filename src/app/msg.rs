//! What can happen, and what must be done.

use std::sync::Arc;

use crossterm::event::MouseEvent;

use crate::check::Report;
use crate::keymap::Key;
use crate::query::{Expr, SortKey};
use crate::record::{Condition, Scorer};
use crate::stats::{Binning, Bins, Errors, Group, Summary};
use crate::store::Table;

use super::reask::{Asking, Errand, News};
use super::{CheckRequest, Found, GroupsRequest, Rows, Session, Toggles, Wanted};

/// Something that happened.
#[derive(Debug)]
pub enum Msg {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted: one edit.
    Paste(String),
    /// The mouse did something.
    Mouse(MouseEvent),
    /// The terminal has a new size, in cells.
    Resize(u16, u16),
    /// The loader published a newer table.
    Table(Arc<Table>),
    /// Rows, figures or bins of a request.
    Answer(Box<Answer>),
    /// Records that were asked for, of a generation of the table.
    Records(u32, Found),
    /// Rows that were asked for and will not be read: newer ones were asked for.
    Dropped(Wanted),
    /// Something is told of a job.
    Job(u32, News),
    /// A text that was edited elsewhere, or why it was not; nothing when it was left as it was.
    Edited(Result<Option<String>, String>),
    /// Looking for contradictions ended, by the number of its request: with what was found, or why it could not be.
    Checked(u64, Result<Report, String>),
    /// The notes as they are in their file now.
    Notes(Box<super::coding::NotesNews>),
    /// Notes cannot be kept, and why.
    NotesShut(String),
    /// A table as people reviewed it.
    Reviewed(Box<Reviewed>),
    /// Codes were counted, by the number of the request, or why they could not be.
    Counted(u64, Result<Vec<crate::review::Tally>, String>),
    /// What takes a while at the beginning is ready.
    Prepared(Arc<Asking>),
    /// Copying ended: how it went, in words.
    Copied(Result<String, String>),
    /// Something to tell the user.
    Note(String),
    /// Something went wrong outside.
    Failed(String),
}

/// Something to do.
#[derive(Debug)]
pub enum Effect {
    /// Work out rows and figures.
    Query(Box<Request>),
    /// Read the records of these pairs.
    Fetch(Wanted),
    /// Look for contradictions; what is running for an older request stops.
    Check(Box<CheckRequest>),
    /// Stop looking for contradictions.
    StopChecking,
    /// Ask a model.
    Ask(Box<Errand>),
    /// Stop a job.
    StopAsking(u32),
    /// Have a text edited in the user's editor.
    Edit(String),
    /// Write the attempts of the rows shown to a file.
    Export(Box<Exported>),
    /// Write these into the notes file.
    Note(Vec<super::coding::Said>),
    /// Take back the last thing that this person said (`true`), or say again what was taken back last.
    Undo(bool),
    /// Keep this aside until it is saved; nothing: it is.
    Draft(Option<Box<super::coding::Said>>),
    /// Put people's verdicts to a table.
    Review(Arc<Table>, Arc<crate::review::Notes>),
    /// Count codes.
    Count(Box<super::coding::CountRequest>),
    /// Keep this codebook.
    KeepCodebook(Box<crate::review::Codebook>),
    /// Put text on the clipboard.
    Copy(String),
    /// Open an address in the browser; only `http` and `https` ever get here.
    OpenUrl(String),
    /// Change the theme.
    Theme(String),
    /// Switch mouse capture.
    Mouse(bool),
    /// Read all files anew.
    Reload,
    /// Remember the session (selection, filter, sort, columns).
    Save(Box<Session>),
    /// Remember the named views: name, filter, order.
    SaveViews(Vec<(String, String, Option<String>)>),
    /// Stop the process until it is continued.
    Suspend,
    /// Leave.
    Quit,
}

/// Rows to be written to a file.
#[derive(Debug, Clone)]
pub struct Exported {
    /// Their table.
    pub table: Arc<Table>,
    /// The rows.
    pub rows: Rows,
    /// The scorer.
    pub scorer: Scorer,
}

/// A question to the worker.
#[derive(Debug, Clone)]
pub struct Request {
    /// Number; a newer request makes older ones moot.
    pub id: u64,
    /// The table to look at.
    pub table: Arc<Table>,
    /// The filter; `None`: everything.
    pub filter: Option<Arc<Expr>>,
    /// Which transitions are let through.
    pub toggles: Toggles,
    /// The order; empty: table order.
    pub sort: Vec<SortKey>,
    /// The scorer.
    pub scorer: Scorer,
    /// What errors count as.
    pub errors: Errors,
    /// Bins, when the bins dialog is open.
    pub bins: Option<BinsRequest>,
    /// Every figure group by group, when the figures are open.
    pub groups: Option<GroupsRequest>,
    /// Only the table is newer than in the request before: what is running may finish first.
    pub refresh: bool,
}

/// Which bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinsRequest {
    /// Whose confidence.
    pub condition: Condition,
    /// Which edges.
    pub binning: Binning,
}

/// What people's verdicts made of a table.
#[derive(Debug)]
pub struct Reviewed {
    /// The table that they were put to.
    pub graded: Arc<Table>,
    /// [`crate::review::Notes::judgements`] of the notes that were put to it.
    pub judgements: usize,
    /// The result.
    pub overlay: crate::review::Overlay,
}

/// The worker's answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The request's number.
    pub id: u64,
    /// The generation of the table that the rows belong to.
    pub generation: u32,
    /// The rows.
    pub rows: Rows,
    /// False while more rows of the same request may follow.
    pub complete: bool,
    /// Whether the request was one for a newer table alone.
    pub refresh: bool,
    /// Figures of the rows; `None` until they are worked out.
    pub summary: Option<Arc<Summary>>,
    /// Bins, when asked for.
    pub bins: Option<(BinsRequest, Arc<Bins>)>,
    /// Figures, when asked for.
    pub groups: Option<(GroupsRequest, Arc<Vec<Group>>)>,
}
