//! The state itself.

use std::sync::Arc;

use crate::keymap::{Context, Key, Keymap};
use crate::query::SortKey;
use crate::record::Scorer;
use crate::stats::{Bins, Errors, Summary};
use crate::store::{PairRow, Table};
use crate::view::Column;

use super::layout::{Areas, PaneChoice};
use super::reask::{Asking, Job};
use super::{BinsRequest, Detail, Filter, HitMap, Overlay, Records, Rows, Session};

/// Which pane keys go to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Focus {
    /// The list.
    #[default]
    List,
    /// The detail.
    Detail,
}

/// How a message is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something was done.
    Note,
    /// Something failed.
    Failure,
}

/// A message in the bar, gone with the next key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// How it is meant.
    pub tone: Tone,
    /// The words.
    pub text: String,
}

/// The rows shown and their figures.
#[derive(Debug, Default)]
pub struct View {
    /// Number of the newest request.
    pub wanted: u64,
    /// Number of the request that the rows answer.
    pub shown: u64,
    /// The rows.
    pub rows: Rows,
    /// Whether the rows are all of them.
    pub complete: bool,
    /// Figures of the rows; those of the rows before until new ones come.
    pub summary: Option<Arc<Summary>>,
    /// Bins of the rows, when the bins dialog is open.
    pub bins: Option<(BinsRequest, Arc<Bins>)>,
}

/// Where the list stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// Position of the selected row among the rows shown.
    pub cursor: usize,
    /// Position of the first visible row.
    pub top: usize,
    /// The pair that the user chose last: it is selected again whenever it is shown.
    pub chosen: Option<u32>,
    /// First column shown, when the columns are wider than the pane.
    pub left: usize,
}

/// Everything the screen shows.
#[derive(Debug)]
pub struct Model {
    /// Columns and lines of the terminal.
    pub size: (u16, u16),
    /// What is open.
    pub table: Arc<Table>,
    /// The rows and figures.
    pub view: View,
    /// The list.
    pub place: Place,
    /// The detail.
    pub detail: Detail,
    /// Which pane has the keys.
    pub focus: Focus,
    /// The filter.
    pub filter: Filter,
    /// Dialogs, the topmost last.
    pub overlays: Vec<Overlay>,
    /// What asking needs to know.
    pub asking: Arc<Asking>,
    /// What was asked, the newest last.
    pub jobs: Vec<Job>,
    /// The form was asked for and opens as soon as what it needs is there.
    pub form_waits: bool,
    /// Whether what takes a while at the beginning is ready; without it the detail leaves out what searches lost.
    pub prepared: bool,
    /// Where looking for contradictions stands.
    pub checking: super::Checking,
    /// What people said of rows.
    pub review: super::coding::Review,
    /// The table as graded, while verdicts count as reviewed.
    pub graded: Option<Arc<Table>>,
    /// The session of coding, while there is one.
    pub coding: Option<super::coding::Coding>,
    /// A session to go on with as soon as its rows are there: its plan and place.
    pub(super) coding_waits: Option<(String, crate::review::Key)>,
    /// Leaving was asked for while notes are not on the disk, and that was told.
    pub(super) warned: bool,
    /// The figures screen.
    pub figures: super::Figures,
    /// Records read.
    pub records: Records,
    /// Columns of the list.
    pub columns: Vec<Column>,
    /// The widths that columns were given; the others take what there is room for.
    pub widths: Vec<(Column, u16)>,
    /// Order of the list; empty: as in the files.
    pub sort: Vec<SortKey>,
    /// The scorer.
    pub scorer: Scorer,
    /// What errors count as.
    pub errors: Errors,
    /// What the user chose about the panes.
    pub choice: PaneChoice,
    /// A message.
    pub status: Option<Status>,
    /// Keys and actions.
    pub keymap: Arc<Keymap>,
    /// Keys of a sequence so far.
    pub pending: Vec<Key>,
    /// Names of the themes that can be chosen.
    pub themes: Vec<String>,
    /// The theme in use.
    pub theme: String,
    /// Whether mouse events are asked for.
    pub mouse: bool,
    /// What is open, in words.
    pub label: String,
    /// The paths as given, for deep links.
    pub paths: Vec<String>,
    /// Named views: name, filter, order.
    pub views: Vec<(String, String, Option<String>)>,
    /// What was wrong with the settings.
    pub config_errors: Vec<String>,
    /// A question to open, once it is loaded: id and attempt number.
    pub open: Option<(String, Option<u32>)>,
    /// A row to select again, once it is loaded: question, model, attempt number.
    pub restore: Option<(String, String, u32)>,
    /// What was drawn where, for the mouse.
    pub hits: HitMap,
    /// What is being dragged.
    pub dragging: Option<super::Drag>,
    /// The term that a dialog added to the filter last.
    pub added_term: String,
    /// The filter before a dialog added its term: Esc brings it back.
    pub before_term: Option<String>,
    /// What was shown before only the harmful pairs were.
    pub before_harmful: Option<(super::Toggles, Vec<SortKey>)>,
}

/// What a model begins with.
#[derive(Debug)]
pub struct Start {
    /// Columns and lines of the terminal.
    pub size: (u16, u16),
    /// Keys and actions.
    pub keymap: Arc<Keymap>,
    /// Columns of the list.
    pub columns: Vec<Column>,
    /// The widths that columns were given.
    pub widths: Vec<(Column, u16)>,
    /// Order of the list.
    pub sort: Vec<SortKey>,
    /// The filter's text.
    pub filter: String,
    /// The scorer.
    pub scorer: Scorer,
    /// What errors count as.
    pub errors: Errors,
    /// Names of the themes.
    pub themes: Vec<String>,
    /// The theme in use.
    pub theme: String,
    /// Whether mouse events are asked for.
    pub mouse: bool,
    /// What is open, in words.
    pub label: String,
    /// The paths as given.
    pub paths: Vec<String>,
    /// Named views.
    pub views: Vec<(String, String, Option<String>)>,
    /// What was wrong with the settings.
    pub config_errors: Vec<String>,
    /// A question to open.
    pub open: Option<(String, Option<u32>)>,
    /// The last session with the same files.
    pub session: Session,
}

impl Model {
    /// A model that shows nothing yet.
    pub fn new(start: Start) -> Self {
        let mut model = Self {
            size: start.size,
            table: Arc::new(Table::default()),
            view: View::default(),
            place: Place::default(),
            detail: Detail::default(),
            focus: Focus::List,
            filter: Filter::new(&start.filter, start.session.toggles, start.session.history.clone()),
            overlays: Vec::new(),
            asking: Arc::default(),
            jobs: Vec::new(),
            form_waits: false,
            prepared: true,
            checking: super::Checking::default(),
            review: super::coding::Review::hiding(start.session.blind),
            graded: None,
            coding: None,
            coding_waits: None,
            warned: false,
            figures: super::Figures::default(),
            records: Records::default(),
            columns: start.columns,
            widths: start.widths,
            sort: start.sort,
            scorer: start.scorer,
            errors: start.errors,
            choice: PaneChoice { share: start.session.share, ..PaneChoice::default() },
            status: None,
            keymap: start.keymap,
            pending: Vec::new(),
            themes: start.themes,
            theme: start.theme,
            mouse: start.mouse,
            label: start.label,
            paths: start.paths,
            views: start.views,
            config_errors: start.config_errors,
            open: start.open,
            restore: start.session.selected,
            hits: HitMap::default(),
            dragging: None,
            added_term: String::new(),
            before_term: None,
            before_harmful: None,
        };
        if let Some(first) = model.config_errors.first() {
            let more = model.config_errors.len() - 1;
            let tail =
                if more > 0 { format!(" (and {more} more: press the problems key)") } else { String::new() };
            model.status = Some(Status { tone: Tone::Failure, text: format!("{first}{tail}") });
        }
        model
    }

    /// Where the panes are; `None` when the terminal is too small.
    pub fn areas(&self) -> Option<Areas> {
        let mut choice = self.choice;
        choice.panel = self.coding.as_ref().map_or(0, |_| self.panel_height());
        choice.detail_only |= choice.panel > 0;
        super::layout::areas(self.size.0, self.size.1, choice)
    }

    /// How many rows the list shows at once (at least one).
    pub fn visible(&self) -> usize {
        self.areas().map_or(1, |a| usize::from(a.rows.height)).max(1)
    }

    /// The selected pair.
    pub fn selected(&self) -> Option<u32> {
        self.view.rows.get(self.place.cursor)
    }

    /// The pair that the detail shows: the selected one, or a repeat of it that the filter hides.
    pub fn shown(&self) -> Option<u32> {
        if let Some(coding) = &self.coding {
            return coding.row();
        }
        self.detail.peek.or_else(|| self.selected())
    }

    /// A pair's columns.
    pub fn pair(&self, pair: u32) -> Option<&PairRow> {
        self.table.pairs.get(pair as usize)
    }

    /// The record of a pair, once it has been read for the attempts that the pair has now.
    pub fn record(&self, pair: u32) -> Option<&Result<crate::store::Bundle, String>> {
        self.records.whole.get(pair, self.pair(pair)?.sides)
    }

    /// The texts of a row of the list, if they were read.
    pub fn brief(&self, pair: u32) -> Option<&crate::store::Brief> {
        self.records.brief.get(pair, self.pair(pair)?.sides)?.as_ref().ok()
    }

    /// What tells a pair from every other across runs of the program: question, model, attempt number.
    pub fn key_of(&self, pair: u32) -> Option<(String, String, u32)> {
        let row = self.pair(pair)?;
        let id = self.table.question_id(row.question)?.to_owned();
        let model = self.table.names.models.word(row.model).unwrap_or("").to_owned();
        Some((id, model, u32::from(row.attempt)))
    }

    /// [`Self::key_of`] the selected pair.
    pub fn selected_key(&self) -> Option<(String, String, u32)> {
        self.key_of(self.selected()?)
    }

    /// The contexts that keys are looked up in, innermost first.
    pub fn contexts(&self) -> Vec<Context> {
        if let Some(top) = self.overlays.last() {
            return if matches!(top, Overlay::Reask(_)) {
                vec![Context::Form, Context::Dialog]
            } else if matches!(top, Overlay::Code) {
                vec![Context::Code, Context::Dialog, Context::Global]
            } else if matches!(top, Overlay::Figures) {
                vec![Context::Figures, Context::Dialog, Context::Global]
            } else if top.types() {
                vec![Context::Input, Context::Dialog]
            } else {
                vec![Context::Dialog, Context::Global]
            };
        }
        if self.filter.editing.is_some() {
            return vec![Context::Filter, Context::Input];
        }
        match self.focus {
            Focus::List => vec![Context::List, Context::Global],
            Focus::Detail => vec![Context::Detail, Context::Global],
        }
    }

    /// Says something in the bar.
    pub fn say(&mut self, text: impl Into<String>) {
        self.status = Some(Status { tone: Tone::Note, text: text.into() });
    }

    /// Says in the bar that something failed.
    pub fn fail(&mut self, text: impl Into<String>) {
        self.status = Some(Status { tone: Tone::Failure, text: text.into() });
    }
}
