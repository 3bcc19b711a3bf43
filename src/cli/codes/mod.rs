//! `codes`: what went wrong, counted.

mod count;
mod print;

use std::sync::atomic::AtomicBool;

use clap::{Args, ValueEnum};

use crate::query;
use crate::review::Axis;

use super::noted::SaidArgs;
use super::open::Opened;
use super::{Error, Io, exit};

/// `codes`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct CodesArgs {
    /// What is looked at.
    #[command(flatten)]
    pub said: SaidArgs,
    /// What the columns are
    #[arg(long, value_name = "WHAT", default_value = "transition", value_enum, help_heading = "Counting")]
    pub by: Columns,
    /// Count every code of a row, not the primary one alone
    #[arg(long, help_heading = "Counting")]
    pub all_codes: bool,
    /// How counts are printed
    #[arg(long, value_name = "FORMAT", default_value = "table", value_enum, help_heading = "Output")]
    pub format: CodesFormat,
}

const EXAMPLES: &str = "\
Examples:
  lookitup codes                                        of the sample, or of ./results and ./data
  lookitup codes run.jsonl --notes run.notes.jsonl --by model
  lookitup codes run.jsonl --all-codes --filter 'split:static' --format md
  lookitup codes run.jsonl --person ann --format json | jq '.saturation'
Shares are of the coded rows of a column, with 95 % Wilson intervals. Where rows were drawn at random, by plan, the
prevalence among all rows drawn from stands beside them, weighted back by stratum. Rows whose answers changed since they
were coded are told and not counted.
Exit code: 0 done, 1 nobody of that name, 2 usage, 3 nothing could be read.";

/// The columns of the counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Columns {
    /// What search did
    Transition,
    /// The model
    Model,
    /// The split
    Split,
}

impl Columns {
    const fn axis(self) -> Axis {
        match self {
            Self::Transition => Axis::Transition,
            Self::Model => Axis::Model,
            Self::Split => Axis::Split,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Transition => "transition",
            Self::Model => "model",
            Self::Split => "split",
        }
    }
}

/// How `codes` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum CodesFormat {
    /// Columns for reading
    Table,
    /// One line a code and column
    Csv,
    /// A Markdown page
    #[value(alias = "markdown")]
    Md,
    /// One JSON object (data/schema/codes.schema.json)
    Json,
}

pub(super) fn run(args: &CodesArgs, io: &mut Io) -> Result<u8, Error> {
    let (mut opened, noted, filter) = args.said.open(io)?;
    opened.mark(noted.notes(), &noted.book, args.said.person.as_deref());
    let rows = rows(&opened, &filter);
    let counts = count::count(args, &opened, &noted, &filter.to_string(), &rows)?;
    let text = match args.format {
        CodesFormat::Table => print::table(&counts, io.width),
        CodesFormat::Csv => print::csv(&counts),
        CodesFormat::Md => print::markdown(&counts),
        CodesFormat::Json => format!("{:#}\n", print::json(&counts)),
    };
    io.out.write_all(text.as_bytes())?;
    Ok(exit::DONE)
}

/// The rows that a filter shows.
pub(super) fn rows(opened: &Opened, filter: &query::Expr) -> Vec<u32> {
    let settings = query::Settings { scorer: opened.judge.scorer };
    let never = AtomicBool::new(false);
    query::run(&opened.table, &opened.reader, filter, &settings, &never, &mut |_| {}).unwrap_or_default()
}
