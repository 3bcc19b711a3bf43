//! CSV that spreadsheets can be given.

use std::io::{self, Write};

use serde_json::Value;

/// A writer of CSV with the line ends of RFC 4180.
pub fn csv_writer<W: Write>(out: W) -> csv::Writer<W> {
    csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(out)
}

/// What went wrong in a CSV writer. Every row has the same number of cells, so it is the output.
pub(super) fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(io) => io,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A value as a CSV cell. Texts that a spreadsheet would take for a formula get a `'` in front.
pub fn csv_cell(value: Value) -> String {
    let text = match value {
        Value::Null => return String::new(),
        Value::String(s) => s,
        Value::Array(items) => {
            let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            words.join(" | ")
        }
        // A negative number is a number and must stay one.
        other => return other.to_string(),
    };
    crate::text::cell_text(&text).into_owned()
}
