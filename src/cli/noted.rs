//! The notes and the codebook of what is open, and what is wrong with them.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use crate::query::{self, Expr};
use crate::review::{Codebook, Notes, NotesFile, codebook_of, load_codebook};
use crate::store::Table;
use crate::text::{sanitize_line, several};
use crate::view;

use super::args::{InputArgs, JudgeArgs};
use super::open::{Opened, filter_error};
use super::{Error, Io};

/// Bad lines that are printed; the others are counted.
const SHOWN: usize = 20;

/// Where notes are.
#[derive(Debug, Clone, Default, Args)]
pub struct NotesArgs {
    /// The notes [default: those that the screen keeps of the same PATHs, in ./results or the user's data folder]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Notes")]
    pub notes: Option<PathBuf>,
    /// The codebook [default: codebook.toml beside the notes, else the one that ships]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Notes")]
    pub codebook: Option<PathBuf>,
}

/// What is looked at of what people said.
#[derive(Debug, Args)]
pub struct SaidArgs {
    /// What is opened.
    #[command(flatten)]
    pub input: InputArgs,
    /// How it is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// Where the notes are.
    #[command(flatten)]
    pub notes: NotesArgs,
    /// Only what this person said
    #[arg(long, value_name = "NAME", help_heading = "Notes")]
    pub person: Option<String>,
    /// Only rows that match
    #[arg(long, short, value_name = "EXPR", allow_hyphen_values = true, help_heading = "Rows")]
    pub filter: Option<String>,
}

impl SaidArgs {
    /// Opens the input and the notes, and reads the filter.
    pub(super) fn open(&self, io: &mut Io) -> Result<(Opened, Noted, Expr), Error> {
        let source = self.filter.as_deref().unwrap_or_default();
        let filter = query::parse(source).map_err(|e| filter_error("--filter", source, &e))?;
        let opened = Opened::new(&self.input, self.judge, io)?;
        let noted = Noted::open(&self.notes, opened.notes.as_deref(), io)?;
        noted.must_know(self.person.as_deref())?;
        Ok((opened, noted, filter))
    }
}

/// Notes that were read.
pub(super) struct Noted {
    file: NotesFile,
    pub(super) book: Codebook,
}

impl Noted {
    /// Reads the notes that are named, else those at `usual`, which need not be there yet.
    pub(super) fn open(args: &NotesArgs, usual: Option<&Path>, io: &mut Io) -> Result<Self, Error> {
        let path = args.notes.as_deref().or(usual).ok_or_else(|| {
            Error::Usage("there is no folder that notes are kept in: name a file with --notes".to_owned())
        })?;
        let noted = Self::read(path, args.notes.is_some(), args.codebook.as_deref(), io)?;
        if noted.notes().is_empty() {
            io.note(format_args!("note: nothing was noted yet in {}", shown(path)));
        }
        Ok(noted)
    }

    /// Reads a notes file. `must`: it has to be there.
    pub(super) fn read(path: &Path, must: bool, book: Option<&Path>, io: &mut Io) -> Result<Self, Error> {
        let failed = |e: &dyn std::fmt::Display| Error::Unreadable(format!("{}: {e}", shown(path)));
        if must && !path.exists() {
            return Err(failed(&"there is no such file"));
        }
        let file = NotesFile::open(path).map_err(|e| failed(&e))?;
        bad_lines(&file, io);
        if file.notes().is_empty() && !file.notes().bad().is_empty() {
            return Err(failed(&"no line of it is a note (lookitup.note/1)"));
        }
        let place = book.map_or_else(|| codebook_of(path), Path::to_owned);
        if book.is_some() && !place.exists() {
            return Err(Error::Unreadable(format!("{}: there is no such file", shown(&place))));
        }
        let book = load_codebook(&place)
            .map_err(|e| Error::Unreadable(sanitize_line(&e.to_string()).into_owned()))?;
        Ok(Self { file, book })
    }

    pub(super) const fn notes(&self) -> &Notes {
        self.file.notes()
    }

    pub(super) fn file(&self) -> &Path {
        self.file.path()
    }

    pub(super) fn path(&self) -> String {
        shown(self.file.path())
    }

    /// Fails where a person that was named said nothing: rather a misspelt name than a person without notes.
    pub(super) fn must_know(&self, person: Option<&str>) -> Result<(), Error> {
        let Some(person) = person else { return Ok(()) };
        let known = people(self.notes());
        if known.iter().any(|p| p == person) {
            return Ok(());
        }
        let known: Vec<String> = known.iter().map(|p| sanitize_line(p).into_owned()).collect();
        let who = if known.is_empty() {
            "nobody did".to_owned()
        } else {
            format!("these did: {}", known.join(", "))
        };
        Err(Error::NotFound(format!("{} wrote nothing in {}; {who}", sanitize_line(person), self.path())))
    }
}

/// Everybody who wrote something.
pub(super) fn people(notes: &Notes) -> Vec<String> {
    let all: std::collections::BTreeSet<&str> = notes.in_order().map(|e| e.by.as_str()).collect();
    all.into_iter().map(str::to_owned).collect()
}

/// The mark of rows whose answers no model gave to a person's question.
pub(super) fn mark_of(table: &Table, rows: &[u32]) -> Option<&'static str> {
    let has = |word: &str| rows.iter().any(|&row| view::source(table, row) == Some(word));
    crate::record::mark_of_data(has)
}

pub(super) fn shown(path: &Path) -> String {
    sanitize_line(&path.display().to_string()).into_owned()
}

fn bad_lines(file: &NotesFile, io: &mut Io) {
    let bad = file.notes().bad();
    let path = shown(file.path());
    for line in bad.iter().take(SHOWN) {
        io.note(format_args!("{path}:{}: {} (left out)", line.line, sanitize_line(&line.why.to_string())));
    }
    if bad.len() > SHOWN {
        io.note(format_args!("… {} left out in all", several(bad.len(), "line")));
    }
    if file.is_torn() {
        io.note(format_args!("{path}: the last line is cut, and left out"));
    }
}
