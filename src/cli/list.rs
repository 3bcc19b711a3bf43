//! `list`: a row a pair, for reading or for scripts.

use std::sync::atomic::AtomicBool;

use serde_json::{Map, Value};

use crate::export::{Kind, ParquetWriter, csv_cell, csv_writer};
use crate::query;
use crate::record::Errors;
use crate::record::Transition;
use crate::store::Brief;
use crate::view::{self, Column};

use super::args::{ListArgs, ListFormat};
use super::export::{no_bytes_on_a_terminal, to_target};
use super::open::{Opened, filter_error};
use super::text_table::TextTable;
use super::{Error, Io, exit};

/// Rows that are looked at before the widths of a table are settled.
const SAMPLE_ROWS: usize = 500;

pub(super) fn run(args: &ListArgs, io: &mut Io) -> Result<u8, Error> {
    let source = args.filter.as_deref().unwrap_or_default();
    let filter = query::parse(source).map_err(|e| filter_error("--filter", source, &e))?;
    let order = args.sort.as_deref().unwrap_or_default();
    let order = query::parse_sort(order).map_err(|e| filter_error("--sort", order, &e))?;
    no_bytes_on_a_terminal(args.format == ListFormat::Parquet, &args.out, io)?;
    let opened = Opened::new(&args.input, args.judge, io)?;
    let rows = rows(&opened, &filter, &order, args.limit);
    to_target(&args.out, &opened.table, io, |io| match args.format {
        ListFormat::Table => table(&opened, &rows, &args.columns, io),
        ListFormat::Md => markdown(&opened, &rows, &args.columns, io),
        ListFormat::Jsonl => jsonl(&opened, &rows, args, io),
        ListFormat::Csv => csv(&opened, &rows, &args.columns, io),
        ListFormat::Parquet => parquet(&opened, &rows, &args.columns, io),
    })?;
    Ok(exit::DONE)
}

fn rows(opened: &Opened, filter: &query::Expr, order: &[query::SortKey], limit: Option<usize>) -> Vec<u32> {
    let never = AtomicBool::new(false);
    let settings = query::Settings { scorer: opened.judge.scorer };
    let table = &opened.table;
    let found = query::run(table, &opened.reader, filter, &settings, &never, &mut |_| {});
    let mut rows = found.unwrap_or_default();
    query::sort(table, &mut rows, order, opened.judge.scorer, &never);
    rows.truncate(limit.unwrap_or(usize::MAX));
    rows
}

fn chosen<'c>(columns: &'c [Column], otherwise: &'c [Column]) -> &'c [Column] {
    if columns.is_empty() { otherwise } else { columns }
}

fn table(opened: &Opened, rows: &[u32], columns: &[Column], io: &mut Io) -> Result<(), Error> {
    let columns = chosen(columns, &Column::DEFAULT);
    let line = |&pair: &u32| -> Result<Vec<String>, Error> {
        let brief = Brief::from(&opened.bundle(pair)?);
        let scorer = opened.judge.scorer;
        Ok(columns.iter().map(|&c| view::cell(&opened.table, pair, Some(&brief), c, scorer)).collect())
    };
    let (first, rest) = rows.split_at(rows.len().min(SAMPLE_ROWS));
    let first = first.iter().map(line).collect::<Result<Vec<_>, _>>()?;
    let layout = TextTable::fit(columns, &first, io.width);
    let head = layout.head();
    if io.color {
        writeln!(io.out, "\x1b[1m{head}\x1b[0m")?;
    } else {
        writeln!(io.out, "{head}")?;
    }
    for (pair, cells) in rows.iter().zip(first.into_iter().map(Ok).chain(rest.iter().map(line))) {
        let text = layout.line(&cells?);
        match paint(opened, *pair).filter(|_| io.color) {
            Some(sgr) => writeln!(io.out, "\x1b[{sgr}m{text}\x1b[0m")?,
            None => writeln!(io.out, "{text}")?,
        }
    }
    if io.tty {
        io.out.flush()?;
        let all = opened.table.pairs.len();
        io.note(format_args!(
            "{} of {} · scorer {}",
            rows.len(),
            crate::text::several(all, "row"),
            opened.judge.scorer.name()
        ));
    }
    Ok(())
}

/// Colour of a row on a terminal; the glyph says the same without it.
fn paint(opened: &Opened, pair: u32) -> Option<&'static str> {
    let row = opened.table.pairs.get(pair as usize)?;
    match row.transitions.get(opened.judge.scorer as usize)? {
        Transition::Corrected => Some("32"),
        Transition::Broken => Some("31"),
        Transition::Unpaired | Transition::NotSearched | Transition::Incomplete => Some("2"),
        Transition::Preserved | Transition::Unresolved => None,
    }
}

fn markdown(opened: &Opened, rows: &[u32], columns: &[Column], io: &mut Io) -> Result<(), Error> {
    // Markdown travels: every row says where its answers come from.
    let mut all = Column::DEFAULT.to_vec();
    all.push(Column::Source);
    let columns = chosen(columns, &all);
    let titles: Vec<&str> = columns.iter().map(|c| c.title()).collect();
    writeln!(io.out, "| {} |", titles.join(" | "))?;
    let rules: Vec<&str> = columns.iter().map(|c| if c.right() { "---:" } else { "---" }).collect();
    writeln!(io.out, "| {} |", rules.join(" | "))?;
    for &pair in rows {
        let brief = Brief::from(&opened.bundle(pair)?);
        let cells: Vec<String> = columns
            .iter()
            .map(|&c| view::inline(&view::cell(&opened.table, pair, Some(&brief), c, opened.judge.scorer)))
            .collect();
        writeln!(io.out, "| {} |", cells.join(" | "))?;
    }
    Ok(())
}

fn jsonl(opened: &Opened, rows: &[u32], args: &ListArgs, io: &mut Io) -> Result<(), Error> {
    let columns = args.columns.as_slice();
    for &pair in rows {
        let bundle = opened.bundle(pair)?;
        let scorer = opened.judge.scorer;
        let value = if columns.is_empty() {
            let mut row = view::row_json(&opened.table, pair, &bundle, scorer).unwrap_or(Value::Null);
            if args.errors == Errors::Wrong {
                errors_are_wrong(&mut row);
            }
            row
        } else {
            let fields = columns.iter().flat_map(|&c| view::fields(&opened.table, pair, &bundle, c, scorer));
            Value::Object(fields.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
        };
        writeln!(io.out, "{value}")?;
    }
    Ok(())
}

/// `--errors wrong`: a side that was asked and has no verdict counts as wrong.
fn errors_are_wrong(row: &mut Value) {
    for side in ["no", "with", "blocked"] {
        if let Some(correct @ Value::Null) = row.get_mut(side).and_then(|s| s.get_mut("correct")) {
            *correct = Value::Bool(false);
        }
    }
}

fn csv(opened: &Opened, rows: &[u32], columns: &[Column], io: &mut Io) -> Result<(), Error> {
    let columns = chosen(columns, &Column::ALL);
    let mut out = csv_writer(&mut io.out);
    let heads = columns.iter().flat_map(|c| c.field_names());
    out.write_record(heads).map_err(csv_error)?;
    for &pair in rows {
        let cells = values(opened, pair, columns)?.into_iter().map(csv_cell);
        out.write_record(cells).map_err(csv_error)?;
    }
    out.flush()?;
    Ok(())
}

fn csv_error(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(io) => Error::Output(io),
        other => Error::Output(std::io::Error::other(format!("{other:?}"))),
    }
}

fn parquet(opened: &Opened, rows: &[u32], columns: &[Column], io: &mut Io) -> Result<(), Error> {
    let mut columns = chosen(columns, &Column::ALL).to_vec();
    // Two columns of one name make no file.
    let mut seen = Vec::new();
    columns.retain(|c| {
        !seen.contains(c) && {
            seen.push(*c);
            true
        }
    });
    let heads: Vec<(&str, Kind)> =
        columns.iter().flat_map(|c| c.field_names().iter().map(|name| (*name, kind(*c)))).collect();
    let mut out = ParquetWriter::new("pairs", &heads, &mut io.out)?;
    for &pair in rows {
        out.row(values(opened, pair, &columns)?)?;
    }
    Ok(out.finish()?)
}

/// What the plain values of a column are.
const fn kind(column: Column) -> Kind {
    match column {
        Column::Conf | Column::Dconf | Column::Cost => Kind::Float,
        Column::Latency | Column::Tokens | Column::Calls | Column::Attempt => Kind::Int,
        Column::References => Kind::Json,
        _ => Kind::Text,
    }
}

fn values(opened: &Opened, pair: u32, columns: &[Column]) -> Result<Vec<Value>, Error> {
    let bundle = opened.bundle(pair)?;
    let fields =
        columns.iter().flat_map(|&c| view::fields(&opened.table, pair, &bundle, c, opened.judge.scorer));
    Ok(fields.map(|(_, value)| value).collect())
}
