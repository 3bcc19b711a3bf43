//! `export`: the attempts behind the rows, as files that can be read again.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use crate::export::{self, Format, Job, Target, TargetError};
use crate::query;
use crate::store::Table;
use crate::text::several;

use super::args::{ExportArgs, ExportFormat};
use super::open::{Opened, filter_error};
use super::{Error, Io, exit};

pub(super) fn run(args: &ExportArgs, io: &mut Io) -> Result<u8, Error> {
    let source = args.filter.as_deref().unwrap_or_default();
    let filter = query::parse(source).map_err(|e| filter_error("--filter", source, &e))?;
    let format = match args.format {
        ExportFormat::Jsonl => Format::Jsonl,
        ExportFormat::Csv => Format::Csv,
        ExportFormat::Md => Format::Md,
        ExportFormat::Parquet => Format::Parquet,
    };
    no_bytes_on_a_terminal(format == Format::Parquet, &args.out, io)?;
    let opened = Opened::new(&args.input, args.judge, io)?;
    let table = &opened.table;
    let settings = query::Settings { scorer: args.judge.scorer };
    let never = AtomicBool::new(false);
    let pairs =
        query::run(table, &opened.reader, &filter, &settings, &never, &mut |_| {}).unwrap_or_default();
    let job = Job { table, reader: &opened.reader, pairs: &pairs, scorer: args.judge.scorer };
    let (told, path) = to_target(&args.out, table, io, |io| Ok(job.write(format, &mut io.out)?))?;
    if let Some(file) = &args.questions {
        let (questions, path) = to_target(file, table, io, |io| questions(&opened, &pairs, io))?;
        let path = path.map_or_else(|| "standard output".to_owned(), |p| p.display().to_string());
        io.note(format_args!("{} written to {path}", several(questions, "question")));
    } else if loses(table) && matches!(format, Format::Jsonl | Format::Parquet) {
        io.note(
            "note: attempts have no topic, key date or further fields of their questions: --questions FILE \
             writes these, to be opened with the attempts",
        );
    }
    if told.named_runs {
        io.note("note: attempts of several files have no run_id: the name of each file stands as theirs");
    }
    if let Some(path) = path {
        let (attempts, pairs) = (several(told.attempts, "attempt"), several(told.pairs, "pair"));
        io.note(format_args!("{attempts} of {pairs} written to {}", path.display()));
        if inside(&path, &args.input.paths, table) {
            io.note("note: it lies in a folder that is opened whole: it will be read with the files there");
        }
    }
    Ok(exit::DONE)
}

/// Refuses to write what no terminal can show to one.
pub(super) fn no_bytes_on_a_terminal(bytes: bool, out: &Path, io: &Io) -> Result<(), Error> {
    if bytes && io.tty && out == Path::new("-") {
        return Err(Error::Usage("Parquet is nothing for a terminal: name a file with --out".to_owned()));
    }
    Ok(())
}

/// Has `work` print into a file, which gets its name at the end, or to standard output for `-`. What it gave, and
/// where the file is.
pub(super) fn to_target<T>(
    out: &Path,
    table: &Table,
    io: &mut Io,
    work: impl FnOnce(&mut Io) -> Result<T, Error>,
) -> Result<(T, Option<PathBuf>), Error> {
    if out == Path::new("-") {
        return Ok((work(io)?, None));
    }
    let target = Target::open(out, table)?;
    let file = std::io::BufWriter::with_capacity(1 << 16, target.file().try_clone()?);
    let before = (std::mem::replace(&mut io.out, Box::new(file)), io.tty, io.color);
    (io.tty, io.color) = (false, false);
    let done = work(io).and_then(|done| Ok(io.out.flush().map(|()| done)?));
    (io.out, io.tty, io.color) = before;
    Ok((done?, Some(target.keep()?)))
}

/// The questions of these pairs, a line each.
fn questions(opened: &Opened, pairs: &[u32], io: &mut Io) -> Result<usize, Error> {
    let row = |&pair: &u32| opened.table.pairs.get(pair as usize);
    let mut all: Vec<u32> = pairs.iter().filter_map(row).map(|p| p.question).collect();
    all.sort_unstable();
    all.dedup();
    for &question in &all {
        let record = opened.question(question)?;
        serde_json::to_writer(&mut io.out, &*record).map_err(std::io::Error::from)?;
        io.out.write_all(b"\n")?;
    }
    Ok(all.len())
}

/// Whether question files say more than attempts have room for.
fn loses(table: &Table) -> bool {
    !table.names.topics.is_empty() || !table.names.key_dates.is_empty()
}

/// Whether a file lies in a folder that is opened as a whole.
fn inside(path: &Path, given: &[PathBuf], table: &Table) -> bool {
    let Ok(real) = std::fs::canonicalize(path) else { return false };
    if path.file_name().is_some_and(|n| n.to_string_lossy().contains(crate::store::EXPORTED)) {
        return false;
    }
    let here = ["results".into(), "data".into()];
    let folders = if given.is_empty() { &here[..] } else { given };
    folders.iter().any(|folder: &PathBuf| {
        folder.is_dir()
            && table.files.iter().any(|f| f.path.starts_with(folder))
            && std::fs::canonicalize(folder).is_ok_and(|f| real.starts_with(f))
    })
}

impl From<TargetError> for Error {
    fn from(error: TargetError) -> Self {
        match error {
            TargetError::Io(path, source) => {
                let words = std::io::Error::new(source.kind(), format!("{path}: {source}"));
                Self::Output(words)
            }
            usage => Self::Usage(usage.to_string()),
        }
    }
}

impl From<export::Error> for Error {
    fn from(error: export::Error) -> Self {
        match error {
            export::Error::Read(source) => {
                Self::Record { what: "a record could not be read".to_owned(), source }
            }
            export::Error::Write(e) => Self::Output(e),
        }
    }
}
