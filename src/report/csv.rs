//! The report as CSV: one line a number.

use crate::figures::{Cell, flat};

use super::{Chapter, Provenance};

/// The titles of the columns.
const HEAD: [&str; 9] = ["group", "figure", "row", "column", "value", "text", "rows", "filter", "source"];

/// The whole report, one line a cell of every figure's table: long form, which every tool can turn. `rows` and `filter`
/// belong to the cells that count rows; `source` says of every line where the answers come from.
///
/// RFC 4180; texts that a spreadsheet would take for a formula get a `'` in front.
pub fn csv(chapters: &[Chapter<'_>], provenance: &Provenance) -> String {
    let mut out = ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = out.write_record(HEAD);
    let source = provenance.sources.join(" ");
    for chapter in chapters {
        for figure in &chapter.figures {
            let table = flat(figure);
            for row in &table.rows {
                let label = row.first().map_or("", |c| c.text.as_str());
                for (title, cell) in table.columns.iter().zip(row).skip(1) {
                    let mark = cell.mark.and_then(|m| figure.marks.get(m));
                    let line = [
                        safe(&chapter.name),
                        figure.id.name().to_owned(),
                        safe(label),
                        safe(title),
                        value(cell),
                        safe(&cell.text),
                        mark.map_or_else(String::new, |m| m.n.to_string()),
                        mark.map_or_else(String::new, |m| safe(&m.term)),
                        safe(&source),
                    ];
                    let _ = out.write_record(line);
                }
            }
        }
    }
    out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

fn value(cell: &Cell) -> String {
    cell.value.map_or_else(String::new, |v| v.to_string())
}

fn safe(text: &str) -> String {
    crate::text::cell_text(text).into_owned()
}
