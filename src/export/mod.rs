//! Attempts and lists written as files for others: JSON lines, CSV, Markdown, Parquet.
//!
//! JSON lines and Parquet lose nothing: read back they give the same pairs with the same verdicts. CSV and Markdown are
//! for reading. Nothing is written over an input file, and no file is ever half written: see [`Target`].

mod cells;
mod columns;
mod order;
mod parquet;
mod target;

use std::io::{self, Write};

use crate::record::{Attempt, Scorer};
use crate::store::{ReadError, Reader, Table};
use crate::view;

pub use cells::{csv_cell, csv_writer};
pub use columns::{COLUMNS, Kind};
pub use parquet::Writer as ParquetWriter;
pub use target::{Target, TargetError};

use order::Order;

/// How attempts are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A `lookitup.attempt/1` record a line.
    Jsonl,
    /// Comma-separated values, safe for spreadsheets.
    Csv,
    /// A page for reading.
    Md,
    /// A column a field; `data/parquet.md` describes them.
    Parquet,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A record could not be read.
    #[error("a record could not be read")]
    Read(#[from] ReadError),
    /// The output could not be written.
    #[error("cannot write the output")]
    Write(#[from] io::Error),
}

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Told {
    /// Pairs.
    pub pairs: usize,
    /// Their attempts.
    pub attempts: usize,
    /// Whether attempts without run id got the name of their file as one.
    pub named_runs: bool,
}

/// What is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The table of the pairs.
    pub table: &'a Table,
    /// Reads its records.
    pub reader: &'a Reader,
    /// The pairs, in any order; they are written in that of their files.
    pub pairs: &'a [u32],
    /// How answers are judged, for Markdown.
    pub scorer: Scorer,
}

impl Job<'_> {
    /// Writes every attempt of the pairs.
    ///
    /// # Errors
    /// A record cannot be read any more, or the output takes no more. What was written until then is of no use.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> Result<Told, Error> {
        let order = if format == Format::Csv { Order::by_pair } else { Order::as_read };
        let order = &order(self.table, self.pairs);
        match format {
            Format::Jsonl => self.each(order, |record| {
                serde_json::to_writer(&mut *out, &record).map_err(io::Error::from)?;
                Ok(out.write_all(b"\n")?)
            }),
            Format::Csv => {
                let mut csv = csv_writer(out);
                csv.write_record(COLUMNS.iter().map(|c| c.0)).map_err(cells::io_error)?;
                let told = self.each(order, |record| {
                    let cells = columns::values(&record).into_iter().map(columns::readable).map(csv_cell);
                    Ok(csv.write_record(cells).map_err(cells::io_error)?)
                })?;
                csv.flush()?;
                Ok(told)
            }
            Format::Md => self.markdown(out),
            Format::Parquet => {
                let mut parquet = ParquetWriter::new("attempts", &COLUMNS, out)?;
                let told = self.each(order, |record| Ok(parquet.row(columns::values(&record))?))?;
                parquet.finish()?;
                Ok(told)
            }
        }
    }

    /// Hands over every attempt.
    fn each(&self, order: &Order, mut take: impl FnMut(Attempt) -> Result<(), Error>) -> Result<Told, Error> {
        for &(at, pair) in &order.attempts {
            let mut record = self.reader.complete(self.table, pair, at)?;
            if record.run_id.as_deref().is_none_or(str::is_empty)
                && let Some(row) = self.table.attempts.get(at as usize)
                && let Some(run) = order.run(row.file)
            {
                record.run_id = Some(run.to_owned());
            }
            take(record)?;
        }
        Ok(Told { pairs: order.pairs, attempts: order.attempts.len(), named_runs: order.names_runs() })
    }

    fn markdown(&self, out: &mut dyn Write) -> Result<Told, Error> {
        let mut pairs = self.pairs.to_vec();
        pairs.sort_unstable();
        let mut told = Told { pairs: pairs.len(), ..Told::default() };
        let mut last = None;
        for pair in pairs {
            let bundle = self.reader.bundle(self.table, pair)?;
            let question = self.table.pairs.get(pair as usize).map(|p| p.question);
            if question != last {
                let rule = if last.is_some() { "\n---\n\n" } else { "" };
                write!(out, "{rule}{}", view::question_markdown(&bundle.question))?;
                last = question;
            }
            write!(out, "\n{}", view::pair_markdown(self.table, pair, &bundle, self.scorer))?;
            told.attempts += bundle.sides.iter().flatten().count();
        }
        Ok(told)
    }
}
