//! The arguments of the commands that print or write rows.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::record::Errors;
use crate::view::Column;

use super::args::{InputArgs, JudgeArgs, column, errors};

/// `list`.
#[derive(Debug, Args)]
#[command(after_help = LIST_EXAMPLES)]
pub struct ListArgs {
    /// What is opened.
    #[command(flatten)]
    pub input: InputArgs,
    /// How it is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// What `correct` is, in jsonl without --columns, for a side that was asked but has no verdict
    ///
    /// Such a side is in error, or nothing says whether it is right. drop: `correct` is null. wrong: `correct` is false.
    /// Neither the transition, nor which rows are printed, nor the other formats change by it.
    #[arg(
        long,
        value_name = "HOW",
        default_value = "drop",
        value_parser = errors(),
        help_heading = "Judging"
    )]
    pub errors: Errors,
    /// Only rows that match
    #[arg(long, short, value_name = "EXPR", allow_hyphen_values = true, help_heading = "Rows")]
    pub filter: Option<String>,
    /// Order: fields, the first counts most, '-' for descending
    #[arg(long, short, value_name = "KEY,-KEY", allow_hyphen_values = true, help_heading = "Rows")]
    pub sort: Option<String>,
    /// At most this many rows
    #[arg(long, short = 'n', value_name = "N", help_heading = "Rows")]
    pub limit: Option<usize>,
    /// Columns by name [default: eight for a table, every one for csv, the documented row for jsonl]
    #[arg(long, short, value_name = "COLUMN,…", value_delimiter = ',', value_parser = column(), help_heading = "Output")]
    pub columns: Vec<Column>,
    /// How rows are printed
    #[arg(long, value_name = "FORMAT", default_value = "table", value_enum, help_heading = "Output")]
    pub format: ListFormat,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE|-", default_value = "-", hide_default_value = true, value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub out: PathBuf,
}

const LIST_EXAMPLES: &str = "\
Examples:
  lookitup list run.jsonl --filter 'transition:broken conf>=0.9' --sort -conf
  lookitup list results/ data/ --filter 'outcome:harmful model:haiku' --format jsonl | jq -r .question_id
  lookitup list run.jsonl --columns id,question,conf,dconf,calls --limit 20
  lookitup list run.jsonl --scorer contains --format csv > rows.csv
  lookitup list run.jsonl --format parquet --out rows.parquet
  lookitup list a.eval b.eval --as no_search=a.eval --as with_search=b.eval";

/// How `list` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// Columns for reading
    Table,
    /// One JSON object a line (data/schema/row.schema.json)
    Jsonl,
    /// Comma-separated values, safe for spreadsheets
    Csv,
    /// A Markdown table
    #[value(alias = "markdown")]
    Md,
    /// Columns in a file, for data frames (data/parquet.md)
    Parquet,
}

/// `export`.
#[derive(Debug, Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub struct ExportArgs {
    /// What is opened.
    #[command(flatten)]
    pub input: InputArgs,
    /// How it is judged.
    #[command(flatten)]
    pub judge: JudgeArgs,
    /// Only pairs that match, with all their attempts
    #[arg(long, short, value_name = "EXPR", allow_hyphen_values = true, help_heading = "Rows")]
    pub filter: Option<String>,
    /// How attempts are written
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", value_enum, help_heading = "Output")]
    pub format: ExportFormat,
    /// Write to this file instead of standard output; never one of the input files
    #[arg(long, short, value_name = "FILE|-", default_value = "-", hide_default_value = true, value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub out: PathBuf,
    /// Write the questions to this file, too: topics, key dates and further fields, which attempts have no room for
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Output")]
    pub questions: Option<PathBuf>,
}

const EXPORT_EXAMPLES: &str = "\
Examples:
  lookitup export run.jsonl questions.jsonl --filter 'transition:broken' --out broken.jsonl
  lookitup export results/ data/ --format parquet --out run.parquet --questions questions.jsonl
  lookitup export run.jsonl --filter 'outcome:harmful conf>=0.9' --format md --out harmful.md
  lookitup export a.eval b.eval | jq -r .answer
JSON lines and Parquet can be opened again and lose nothing; CSV and Markdown are for reading.
Exit code: 0 done, 1 the file cannot be written, 2 usage, 3 nothing could be read.";

/// How `export` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExportFormat {
    /// A record a line (data/schema/attempt.schema.json)
    Jsonl,
    /// Comma-separated values, safe for spreadsheets
    Csv,
    /// A page for reading
    #[value(alias = "markdown")]
    Md,
    /// A column a field, for data frames (data/parquet.md)
    Parquet,
}
