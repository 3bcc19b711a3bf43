//! Dialogs over the screen.

use crate::record::Condition;
use crate::stats::Binning;
use crate::view::Column;

use super::reask::Form;
use super::{BinsRequest, Line, Menu};

/// A dialog.
#[derive(Debug)]
pub enum Overlay {
    /// A list to choose from.
    Menu(Menu),
    /// Confidence bins.
    Bins(BinsDialog),
    /// The figures; their state is [`super::Figures`], which outlasts the screen.
    Figures,
    /// Coding; its state is [`super::coding::Coding`], the evidence stays on the screen.
    Code,
    /// The note on the row that is being coded.
    Note(super::coding::NoteDialog),
    /// A line of text that is asked for.
    Ask(super::coding::AskDialog),
    /// Codes counted.
    Counts(Box<super::coding::Counts>),
    /// Which columns, in which order.
    Columns(ColumnsDialog),
    /// Text to read: help.
    Text(TextDialog),
    /// Problems and contradictions; where looking for them stands is [`super::Checking`].
    Problems(TextDialog),
    /// The name of a view to save.
    SaveView(Line),
    /// How to ask a question again.
    Reask(Box<Form>),
    /// A question being asked, by the number of its job.
    Job(u32),
}

impl Overlay {
    /// Whether letters are text here.
    pub fn types(&self) -> bool {
        match self {
            Self::Menu(menu) => menu.typing,
            Self::SaveView(_) | Self::Reask(_) | Self::Note(_) | Self::Ask(_) => true,
            Self::Bins(_)
            | Self::Figures
            | Self::Code
            | Self::Counts(_)
            | Self::Columns(_)
            | Self::Text(_)
            | Self::Problems(_)
            | Self::Job(_) => false,
        }
    }
}

/// The bins dialog. The bins themselves are in the view: they follow the filter.
#[derive(Debug, Clone, Copy)]
pub struct BinsDialog {
    /// Which bins.
    pub request: BinsRequest,
    /// The bin under the cursor.
    pub cursor: usize,
}

impl Default for BinsDialog {
    fn default() -> Self {
        Self { request: BinsRequest { condition: Condition::NoSearch, binning: Binning::Ten }, cursor: 9 }
    }
}

/// The columns dialog.
#[derive(Debug)]
pub struct ColumnsDialog {
    /// Every column, chosen ones first and in order.
    pub columns: Vec<(Column, bool)>,
    /// The column under the cursor.
    pub cursor: usize,
}

impl ColumnsDialog {
    /// A dialog over the columns now shown.
    pub fn new(shown: &[Column]) -> Self {
        let rest = Column::ALL.iter().copied().filter(|c| !shown.contains(c)).map(|c| (c, false));
        Self { columns: shown.iter().map(|&c| (c, true)).chain(rest).collect(), cursor: 0 }
    }

    /// The columns chosen, in order.
    pub fn chosen(&self) -> Vec<Column> {
        self.columns.iter().filter(|(_, on)| *on).map(|(c, _)| *c).collect()
    }

    /// Moves the column under the cursor up or down.
    pub fn carry(&mut self, by: isize) {
        let to = self.cursor.saturating_add_signed(by).min(self.columns.len().saturating_sub(1));
        if self.cursor < self.columns.len() {
            self.columns.swap(self.cursor, to);
            self.cursor = to;
        }
    }
}

/// How a line of a text dialog is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextKind {
    /// A heading.
    Heading,
    /// Plain text.
    Plain,
    /// A key and what it does.
    Key,
    /// An error.
    Error,
    /// A doubt.
    Warning,
}

/// Text to read.
#[derive(Debug)]
pub struct TextDialog {
    /// Its title.
    pub title: String,
    /// Lines: how they are meant, the key (else empty), the text.
    pub lines: Vec<(TextKind, String, String)>,
    /// First line shown; of problems the line under the cursor.
    pub scroll: usize,
}

impl TextDialog {
    /// Scrolls, stopping at the ends.
    pub fn step(&mut self, by: isize) {
        self.scroll = self.scroll.saturating_add_signed(by).min(self.lines.len().saturating_sub(1));
    }
}
