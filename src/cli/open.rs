//! Opening the input of a command, and saying what was wrong with it.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::query::ParseError;
use crate::record::Question;
use crate::review::{self, Codebook, Notes, NotesFile};
use crate::store::{Bundle, Input, OpenOptions, Problem, Reader, Severity, Store, Table};
use crate::text;

use super::args::{InputArgs, JudgeArgs};
use super::inputs::{self, Origin};
use super::{Error, Io};

/// Problems that are printed; the others are counted.
const SHOWN: usize = 20;

/// Everything read, ready to be asked.
pub(super) struct Opened {
    pub(super) table: Arc<Table>,
    pub(super) reader: Reader,
    pub(super) judge: JudgeArgs,
    origin: Origin,
    /// Where attempts asked again are kept.
    pub(super) journal: Option<PathBuf>,
    /// Where notes on what is open are kept.
    pub(super) notes: Option<PathBuf>,
    /// Keeps the files open.
    _store: Store,
}

impl Opened {
    /// Reads the input to its end. Problems go to standard error; it fails when nothing could be read.
    pub(super) fn new(input: &InputArgs, judge: JudgeArgs, io: &mut Io) -> Result<Self, Error> {
        let mut opened = Self::quietly(input, judge, io)?;
        report(&opened.table, opened.origin, io);
        opened.mark_usual(io);
        Ok(opened)
    }

    /// The same for a command that prints the problems itself.
    pub(super) fn quietly(input: &InputArgs, judge: JudgeArgs, io: &mut Io) -> Result<Self, Error> {
        let inputs = inputs::discover(&input.paths, &input.conditions, Path::new("."));
        let origin = inputs.origin;
        let options = OpenOptions { conditions: input.conditions.clone(), ..OpenOptions::default() };
        let store = Store::open(inputs.list, options, || {});
        let table = store.wait();
        if table.attempts.is_empty() && table.questions.is_empty() {
            report(&table, origin, io);
            return Err(Error::Unreadable(
                "nothing could be read: no attempts and no questions in the input".into(),
            ));
        }
        match origin {
            Origin::Sample => {
                io.note("note: SIMULATED sample data, compiled in; name files or folders to open your own");
            }
            Origin::Here => io.note("note: reading ./results and ./data"),
            Origin::Named => {}
        }
        let (journal, notes) = (inputs.journal, inputs.notes);
        let again =
            journal.as_ref().filter(|j| origin != Origin::Here && table.files.iter().any(|f| f.path == **j));
        if let Some(journal) = again {
            io.note(format_args!("note: reading what was asked again, too: {}", journal.display()));
        }
        if table.mark().is_some() && origin != Origin::Sample {
            let words: Vec<&str> = table.names.sources.iter().map(|(_, w)| w).collect();
            io.note(format_args!("note: SIMULATED answers are among these (source: {})", words.join(", ")));
        }
        if let (n @ 1.., of) = table.ungraded() {
            let answers = text::several(of, "answer");
            io.note(format_args!(
                "note: {n} of {answers} cannot be graded, having neither accepted answers nor a recorded verdict; open \
                 the file of their questions, too"
            ));
        }
        Ok(Self { reader: store.reader(), table, judge, origin, journal, notes, _store: store })
    }

    /// Only what was asked again about the files here, which may be nothing.
    pub(super) fn asked_here(judge: JudgeArgs) -> Self {
        let inputs = inputs::discover(&[], &[], Path::new("."));
        let list = inputs.journal.clone().map(Input::Journal).into_iter().collect();
        let store = Store::open(list, OpenOptions::default(), || {});
        let (table, reader) = (store.wait(), store.reader());
        Self {
            table,
            reader,
            judge,
            origin: inputs.origin,
            journal: inputs.journal,
            notes: inputs.notes,
            _store: store,
        }
    }

    /// Puts what the usual notes say to the rows, where there are any. Filters and columns know them; that they cannot be
    /// read stands in the way of nothing else.
    fn mark_usual(&mut self, io: &mut Io) {
        let Some(path) = self.notes.clone().filter(|p| p.exists()) else { return };
        let read = NotesFile::open(&path).map_err(|e| format!("{}: {e}", path.display())).and_then(|file| {
            let book = review::load_codebook(&review::codebook_of(&path)).map_err(|e| e.to_string())?;
            Ok((file, book))
        });
        match read {
            Ok((file, book)) => self.mark(file.notes(), &book, None),
            Err(why) => io.note(format_args!("note: without codes and notes: {}", text::sanitize_line(&why))),
        }
    }

    /// Puts what people said to the rows, so that filters and columns know it. `by`: one person's alone.
    pub(super) fn mark(&mut self, notes: &Notes, book: &Codebook, by: Option<&str>) {
        let marks = review::marks(&self.table, notes, book, by);
        Arc::make_mut(&mut self.table).marks = Arc::new(marks);
    }

    /// The full records of a pair.
    pub(super) fn bundle(&self, pair: u32) -> Result<Bundle, Error> {
        self.reader.bundle(&self.table, pair).map_err(|source| {
            let file = self.file_of(pair).map_or_else(String::new, |f| format!(" of {f}"));
            Error::Record { what: format!("a record{file} could not be read"), source }
        })
    }

    /// The full record of a question.
    pub(super) fn question(&self, question: u32) -> Result<Arc<Question>, Error> {
        self.reader
            .question(&self.table, question)
            .map_err(|source| Error::Record { what: "the question could not be read".to_owned(), source })
    }

    fn file_of(&self, pair: u32) -> Option<String> {
        let row = self.table.pairs.get(pair as usize)?;
        let side = row.sides.iter().find_map(|&s| self.table.attempts.get(s as usize))?;
        Some(self.table.files.get(usize::from(side.file))?.path.display().to_string())
    }
}

/// Prints the first problems and how many there are. What else lies in `./results` and `./data` is no problem to
/// somebody who named nothing.
fn report(table: &Table, origin: Origin, io: &mut Io) {
    let problems = &table.problems;
    let about_file = |p: &Problem| p.line == 0 && p.severity == Severity::Warning;
    let told: Vec<&Problem> =
        problems.list.iter().filter(|p| origin == Origin::Named || !about_file(p)).collect();
    for problem in told.iter().take(SHOWN) {
        let doubt = if problem.severity == Severity::Warning && problem.line > 0 {
            " (used all the same)"
        } else {
            ""
        };
        io.note(format_args!("{}{doubt}", text::sanitize_line(&problem.to_string())));
    }
    let all = problems.errors + problems.warnings;
    if told.len() > SHOWN {
        let (left, doubts) = (problems.errors, problems.warnings);
        io.note(format_args!(
            "… {all} problems in all: {left} left out, {doubts} doubtful; 'check' lists them"
        ));
    }
}

/// A parse error with a caret under its place.
pub(super) fn filter_error(option: &str, source: &str, error: &ParseError) -> Error {
    let mut message = format!("{option}: {}", error.message);
    message.push_str(&caret(source, &error.at));
    if let Some(hint) = error.hint.as_deref().filter(|h| !h.is_empty()) {
        message.push_str("\n  ");
        message.push_str(hint);
    }
    Error::Usage(message)
}

fn caret(source: &str, at: &Range<usize>) -> String {
    let before = source.get(..at.start).unwrap_or(source);
    let inside = source.get(at.start..at.end).unwrap_or_default();
    let indent = text::width(&text::sanitize_line(before));
    let length = text::width(&text::sanitize_line(inside)).max(1);
    format!("\n  {}\n  {:indent$}{}", text::sanitize_line(source), "", "^".repeat(length))
}
