//! `report`: every figure, as a file or on standard output.

use std::collections::{BTreeSet, HashSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::{Args, ValueEnum, ValueHint};

use crate::export::Target;
use crate::figures::Id;
use crate::query;
use crate::record::Errors;
use crate::report::{self, Chapter, FileStamp, Provenance, Reviewing, svg};
use crate::review::{Change, Why, overlay};
use crate::stats::{self, By, Options};
use crate::store::{Table, digest_file};

use super::args::{InputArgs, JudgeArgs, errors};
use super::noted::{Noted, NotesArgs};
use super::open::{Opened, filter_error};
use super::{Error, Io, exit};

/// `report`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ReportArgs {
    /// What is opened.
    #[command(flatten)]
    pub input: InputArgs,
    /// How it is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// Leave attempts without a verdict out of accuracy, or count them as wrong
    #[arg(long, value_name = "HOW", default_value = "drop", value_parser = errors(), help_heading = "Judging")]
    pub errors: Errors,
    /// Only rows that match
    #[arg(long, short, value_name = "EXPR", allow_hyphen_values = true, help_heading = "Rows")]
    pub filter: Option<String>,
    /// What the figures are worked out for, one by one
    #[arg(long, value_name = "WHAT", default_value = "model", value_enum, help_heading = "Rows")]
    pub by: Groups,
    /// With the verdicts of people and the answers that they accepted besides; as graded stands beside it
    #[arg(long, help_heading = "Judging")]
    pub reviewed: bool,
    /// Where the notes are, with --reviewed.
    #[command(flatten)]
    pub notes: NotesArgs,
    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "md", value_enum, help_heading = "Output")]
    pub format: ReportFormat,
    /// Write into this folder, made if need be, or this file, if it ends like the format [default: standard output, for svg ./figures]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, help_heading = "Output")]
    pub out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  lookitup report                                       the sample, as Markdown
  lookitup report run.jsonl --format json --scorer recorded | jq '.[].gating.best'
  lookitup report a.eval b.eval --filter 'split:static' --format html --out report/
  lookitup report run.jsonl --by run --format csv > figures.csv
  lookitup report run.jsonl --format svg --out figures/ one file a figure, light and dark
  lookitup report run.jsonl --reviewed --format html --out report/
The filter chooses rows as they were graded, with --reviewed too.";

/// What makes a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Groups {
    /// Each model on each split
    Model,
    /// Each run of each model on each split
    Run,
    /// Everything together
    All,
}

impl From<Groups> for By {
    fn from(groups: Groups) -> Self {
        match groups {
            Groups::Model => Self::Model,
            Groups::Run => Self::Run,
            Groups::All => Self::All,
        }
    }
}

/// How `report` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Tables for reading
    #[value(alias = "markdown")]
    Md,
    /// One line a number
    Csv,
    /// One object a model and split (data/schema/report.schema.json)
    Json,
    /// One picture a figure, light and dark
    Svg,
    /// One page with everything in it
    Html,
}

impl ReportFormat {
    const fn file(self) -> &'static str {
        match self {
            Self::Md => "report.md",
            Self::Csv => "report.csv",
            Self::Json => "report.json",
            Self::Html => "report.html",
            Self::Svg => "",
        }
    }
}

pub(super) fn run(args: &ReportArgs, io: &mut Io) -> Result<u8, Error> {
    let source = args.filter.as_deref().unwrap_or_default();
    let filter = query::parse(source).map_err(|e| filter_error("--filter", source, &e))?;
    if !args.reviewed && (args.notes.notes.is_some() || args.notes.codebook.is_some()) {
        return Err(Error::Usage("--notes and --codebook go with --reviewed".to_owned()));
    }
    let opened = Opened::new(&args.input, args.judge, io)?;
    let never = AtomicBool::new(false);
    let (table, scorer) = (&opened.table, opened.judge.scorer);
    let settings = query::Settings { scorer };
    let rows = query::run(table, &opened.reader, &filter, &settings, &never, &mut |_| {}).unwrap_or_default();
    let options = Options {
        scorer,
        errors: args.errors,
        by: args.by.into(),
        prices: super::ask::models()?.search_prices(),
    };
    let groups = stats::groups(table, &rows, &options, &never).unwrap_or_default();
    let mut provenance = Provenance::of(table, &rows, &filter.to_string(), scorer, args.errors, &never)
        .ok_or_else(|| Error::Unreadable("the files could not be read again for their hashes".to_owned()))?;
    if rows.is_empty() {
        io.note("note: no row matches, so there is no figure");
    }
    let after = if args.reviewed {
        let noted = Noted::open(&args.notes, opened.notes.as_deref(), io)?;
        let (after, reviewing) = reviewed(&opened, &noted, &rows, &options)?;
        provenance.reviewed = Some(reviewing);
        Some(after)
    } else {
        None
    };
    if args.format == ReportFormat::Json {
        let value = match &after {
            Some(after) => report::json_beside(after, &groups, &provenance),
            None => report::json(&groups, &provenance),
        };
        return deliver(args, table, &format!("{value:#}\n"), io);
    }
    let chapters = match &after {
        Some(after) => report::chapters_beside(after, &groups, args.errors),
        None => report::chapters(&groups, args.errors),
    };
    match args.format {
        ReportFormat::Md => deliver(args, table, &report::markdown(&chapters, &provenance), io),
        ReportFormat::Csv => deliver(args, table, &report::csv(&chapters, &provenance), io),
        ReportFormat::Html => deliver(args, table, &report::html(&chapters, &provenance), io),
        ReportFormat::Svg => pictures(args, table, &chapters, &provenance, io),
        ReportFormat::Json => Ok(exit::DONE),
    }
}

/// The groups as reviewed, and what review did to them.
fn reviewed(
    opened: &Opened,
    noted: &Noted,
    rows: &[u32],
    options: &Options,
) -> Result<(Vec<stats::Group>, Reviewing), Error> {
    let found = overlay(&opened.table, &opened.reader, noted.notes());
    if let Some((_, source)) = found.unread.into_iter().next() {
        return Err(Error::Record {
            what: "a record that was reviewed could not be read".to_owned(),
            source,
        });
    }
    let never = AtomicBool::new(false);
    let groups = stats::groups(&found.table, rows, options, &never).unwrap_or_default();
    let shown: HashSet<u32> = rows.iter().copied().collect();
    let changes: Vec<&Change> = found.changes.iter().filter(|c| shown.contains(&c.pair)).collect();
    let of = |why: Why, differs: bool| {
        let own = |c: &&&Change| c.why == why && (c.differs(options.scorer) || !differs);
        changes.iter().filter(own).count() as u64
    };
    let transition = |table: &Table, row: u32| {
        table.pairs.get(row as usize).and_then(|p| p.transitions.get(options.scorer as usize).copied())
    };
    let moved = |row: &&u32| transition(&opened.table, **row) != transition(&found.table, **row);
    let people: BTreeSet<String> = changes
        .iter()
        .map(|c| &c.line)
        .chain(&found.references)
        .map(|e| crate::text::sanitize_line(&e.by).into_owned())
        .collect();
    let digest = digest_file(noted.file()).ok();
    let reviewing = Reviewing {
        notes: FileStamp {
            path: noted.path(),
            kind: "notes",
            bytes: digest.as_ref().map_or(0, |d| d.1),
            sha256: digest.map(|d| d.0),
        },
        people: people.into_iter().collect(),
        verdicts: of(Why::Person, false),
        overridden: of(Why::Person, true),
        accepted: of(Why::Reference, true),
        answers: found.references.len() as u64,
        rows: rows.iter().filter(moved).count() as u64,
        outdated: found.outdated.len() as u64,
        elsewhere: found.elsewhere.len() as u64,
    };
    Ok((groups, reviewing))
}

/// To standard output, or into the folder.
fn deliver(args: &ReportArgs, table: &Table, text: &str, io: &mut Io) -> Result<u8, Error> {
    match &args.out {
        None => io.out.write_all(text.as_bytes())?,
        Some(out) => {
            let file = place(out, args.format.file());
            write(table, &file, text)?;
            io.note(format_args!("written: {}", file.display()));
        }
    }
    Ok(exit::DONE)
}

/// The file that is meant: the path itself where it ends as the report's name does, else the report in that folder.
fn place(out: &Path, name: &str) -> PathBuf {
    let ending = |path: &Path| path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    if ending(out) == ending(Path::new(name)) && !out.is_dir() { out.to_owned() } else { out.join(name) }
}

fn pictures(
    args: &ReportArgs,
    table: &Table,
    chapters: &[Chapter<'_>],
    provenance: &Provenance,
    io: &mut Io,
) -> Result<u8, Error> {
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("figures"));
    let mut written = 0;
    let stems = report::file_stems(chapters.iter().map(|c| c.name.as_str()));
    for (chapter, stem) in chapters.iter().zip(stems) {
        for figure in &chapter.figures {
            for colours in [svg::Colours::Light, svg::Colours::Dark] {
                let caption = report::caption(chapter, provenance);
                let Some(picture) = svg::svg(figure, &caption, colours) else { continue };
                let name = format!("{stem}.{}.{}.svg", figure.id.name(), colours.name());
                write(table, &folder.join(name), &picture)?;
                written += 1;
            }
        }
    }
    let tables: Vec<&str> = Id::ALL
        .into_iter()
        .filter(|id| matches!(id, Id::Summary | Id::Calibration | Id::Invocation | Id::Cost | Id::Repeats))
        .map(Id::name)
        .collect();
    io.note(format_args!(
        "written: {} to {}; {} are tables and in the other formats",
        crate::text::several(written, "picture"),
        folder.display(),
        tables.join(", ")
    ));
    Ok(exit::DONE)
}

/// Writes a whole file or none, and never over one that is open.
fn write(table: &Table, file: &Path, text: &str) -> Result<(), Error> {
    let failed = |e: std::io::Error| {
        Error::Output(std::io::Error::new(e.kind(), format!("{} could not be written: {e}", file.display())))
    };
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.is_file() {
        return Err(Error::Usage(format!("{} is a file: --out takes a folder", folder.display())));
    }
    std::fs::create_dir_all(folder).map_err(failed)?;
    let target = Target::open(file, table)?;
    target.file().write_all(text.as_bytes()).map_err(failed)?;
    target.keep().map_err(failed)?;
    Ok(())
}
