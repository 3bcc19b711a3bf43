//! Parquet files of attempts, as `export` writes them and as data frames do, and of questions.
//!
//! A row is a record, a column a field by its name in `lookitup.attempt/1`; `data/parquet.md` has the list. Nested fields
//! may be JSON text, as `export` writes them, or lists and structs, as data frames do. The column [`REST`] holds further
//! fields as a JSON object. Columns of other names are kept as fields of the record.
//!
//! A file that was cut or changed must cost no more than itself. The `parquet` crate answers some damage by a panic
//! instead of an error, so it runs inside `store::contained`.

mod bytes;
mod value;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parquet::basic::{ConvertedType as C, LogicalType, TimeUnit, Type as Physical};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::{SchemaDescriptor, Type};
use serde_json::{Map, Value};

use super::attempt::{attempt_of, question_of};
use super::{Foreign, Format, Head, Options, Sink};
use crate::store::contained::contained;
use crate::store::short::{NO_MODEL, is_question};
use crate::store::table::{Problem, Severity};
use bytes::Bytes;

/// The column of fields without a column of their own, a JSON object as text.
pub const REST: &str = "rest";
/// The key of a file's own metadata that says what its rows are.
pub const ROWS: &str = "lookitup.rows";
/// Columns whose text is JSON.
pub const NESTED: [&str; 7] =
    ["references", "search_calls", "citations", "usage", "error", "steps", "request"];
/// Those of them that may be plain text, too.
const LOOSE: [&str; 3] = ["references", "error", "request"];

/// Rows without anything in them after which a file is taken to be damaged: a count of rows is soon made up.
const EMPTY: u32 = 100_000;
/// Rows that are told of one by one.
const TOLD: u64 = 10_000;
/// What to do about a file that is not whole.
const AGAIN: &str = "copy it or write it again";

/// Reader of Parquet files.
pub(super) struct Parquet;

impl Format for Parquet {
    fn name(&self) -> &'static str {
        "Parquet"
    }

    fn recognises(&self, head: &Head<'_>) -> bool {
        head.bytes.starts_with(b"PAR1")
    }

    fn convert(&self, input: Foreign<'_>, options: &Options, sink: &mut dyn Sink) {
        let path = input.path.to_owned();
        let mut rows = Rows { path: &path, options: *options, sink, row: 0, empty: 0, told: 0 };
        // What was handed over before stays: rows are only ever added.
        if let Err(why) = contained(|| rows.read(input)) {
            let row = rows.row;
            rows.told = 0;
            rows.problem(row, Severity::Error, format!("the Parquet file is damaged ({why}): {AGAIN}"));
        }
        if let more @ 1.. = rows.told.saturating_sub(TOLD) {
            rows.told = 0;
            rows.problem(0, Severity::Error, format!("{more} more rows have something wrong with them"));
        }
    }
}

/// A file being read.
struct Rows<'a> {
    path: &'a Path,
    options: Options,
    sink: &'a mut dyn Sink,
    /// Number of the row, from 1.
    row: u64,
    /// Rows without any value so far.
    empty: u32,
    /// Problems so far.
    told: u64,
}

impl Rows<'_> {
    fn problem(&mut self, row: u64, severity: Severity, message: String) {
        self.told += 1;
        if self.told > TOLD {
            return;
        }
        let path: PathBuf = self.path.to_owned();
        self.sink.problem(Problem { severity, path, line: row, entry: None, message });
    }

    fn read(&mut self, input: Foreign<'_>) {
        let reader = match SerializedFileReader::new(Bytes::new(input.bytes, input.len)) {
            Ok(reader) => reader,
            Err(e) => {
                let why = short(&e);
                let message =
                    format!("the Parquet file is cut or damaged, its end says where its columns are ({why})");
                return self.problem(0, Severity::Error, message);
            }
        };
        let about = reader.metadata().file_metadata();
        let kind = about.key_value_metadata().and_then(|all| all.iter().find(|kv| kv.key == ROWS));
        let has = |name: &str| about.schema().get_fields().iter().any(|f| f.name() == name);
        if kind.is_some_and(|kv| kv.value.as_deref() == Some("pairs")) {
            let message = "a list of pairs, which cannot be read back: 'export' writes attempts".to_owned();
            return self.problem(0, Severity::Warning, message);
        }
        if !(has("question_id") || has("id") && has("question")) {
            let message =
                "a Parquet file without a column question_id: it holds no attempts; left out".to_owned();
            return self.problem(0, Severity::Warning, message);
        }
        let (projection, left_out) = readable(about.schema());
        if projection.get_fields().is_empty() {
            let message = "a Parquet file without a column that can be read: left out".to_owned();
            return self.problem(0, Severity::Warning, message);
        }
        for name in left_out {
            let name = crate::text::sanitize_line(&name).into_owned();
            let message = format!("the column {name} is of a type that is not read: left out");
            self.problem(0, Severity::Warning, message);
        }
        let nanoseconds = nanoseconds(about.schema());
        for group in 0..reader.num_row_groups() {
            let first = self.row;
            if let Err(why) = self.group(&reader, group, &projection, &nanoseconds) {
                let last = first.saturating_add_signed(reader.metadata().row_group(group).num_rows());
                let from = self.row + 1;
                self.told = 0;
                self.problem(from, Severity::Error, format!("rows {from} to {last} cannot be read ({why})"));
                self.row = last.max(self.row);
            }
            if self.sink.cancelled() {
                return;
            }
        }
    }

    fn group(
        &mut self,
        reader: &SerializedFileReader<Bytes>,
        group: usize,
        projection: &Type,
        nanoseconds: &[String],
    ) -> Result<(), String> {
        let about = reader.metadata().row_group(group);
        // The reader believes the count of rows, and goes on for as long.
        let differs = |c: &&ColumnChunkMetaData| {
            c.column_descr().max_rep_level() == 0 && c.num_values() != about.num_rows()
        };
        if about.num_rows() < 0 || about.columns().iter().any(|c| differs(&c)) {
            return Err(format!("its columns are not equally long: {AGAIN}"));
        }
        let group = reader.get_row_group(group).map_err(|e| short(&e))?;
        for row in group.get_row_iter(Some(projection.clone())).map_err(|e| short(&e))? {
            let row = row.map_err(|e| short(&e))?;
            self.row += 1;
            let mut fields = Map::new();
            let mut doubts = Vec::new();
            for (name, field) in row.get_column_iter() {
                let value = match value::of(field) {
                    Value::Null => continue,
                    Value::Number(n) if nanoseconds.contains(name) => value::nanoseconds(&n),
                    value => value,
                };
                if let Some(value) = nested(name, value, &mut doubts) {
                    fields.insert(name.clone(), value);
                }
            }
            if fields.is_empty() {
                self.empty += 1;
                if self.empty > EMPTY {
                    return Err(format!("they are empty: {AGAIN}"));
                }
            }
            self.record(with_rest(fields), doubts);
            if self.sink.cancelled() {
                break;
            }
        }
        Ok(())
    }

    fn record(&mut self, fields: Map<String, Value>, mut doubts: Vec<String>) {
        let row = self.row;
        let value = Value::Object(fields);
        if is_question(&value) {
            match question_of(value) {
                Ok(question) => self.sink.question(&question),
                Err(e) => self.problem(row, Severity::Error, format!("{e}; the row is left out")),
            }
        } else {
            match attempt_of(value, self.options.condition) {
                Ok((attempt, more)) => {
                    // Where there is no model the indexer says so, too, which is enough.
                    doubts.extend(more.into_iter().filter(|d| d != NO_MODEL));
                    self.sink.attempt(&attempt, None);
                }
                Err(e) => self.problem(row, Severity::Error, format!("{e}; the row is left out")),
            }
        }
        for doubt in doubts {
            self.problem(row, Severity::Warning, doubt);
        }
    }
}

/// The value of a column whose text is JSON; other values as they are. Nothing, and a doubt, for text that is none.
fn nested(name: &str, value: Value, doubts: &mut Vec<String>) -> Option<Value> {
    let Value::String(text) = &value else { return Some(value) };
    if !NESTED.contains(&name) {
        return Some(value);
    }
    match serde_json::from_str(text) {
        Ok(parsed) => Some(parsed),
        Err(_) if LOOSE.contains(&name) => Some(value),
        Err(_) if text.trim().is_empty() => None,
        Err(e) => {
            doubts.push(format!("{name} is not JSON ({e}): read as not given"));
            None
        }
    }
}

/// Puts the fields of [`REST`] beside the others, which go before.
fn with_rest(mut fields: Map<String, Value>) -> Map<String, Value> {
    let parsed = match fields.get(REST) {
        Some(Value::String(text)) => serde_json::from_str::<Map<String, Value>>(text).ok(),
        Some(Value::Object(rest)) => Some(rest.clone()),
        _ => None,
    };
    if let Some(rest) = parsed {
        fields.shift_remove(REST);
        for (name, value) in rest {
            fields.entry(name).or_insert(value);
        }
    }
    fields
}

/// The schema without the columns that the reader has no value for, and their names.
fn readable(schema: &Type) -> (Type, Vec<String>) {
    let (good, bad): (Vec<_>, Vec<_>) = schema.get_fields().iter().cloned().partition(is_readable);
    let names = bad.iter().map(|f| f.name().to_owned()).collect();
    let built = Type::group_type_builder(schema.name()).with_fields(good).build();
    (built.unwrap_or_else(|_| schema.clone()), names)
}

fn is_readable(field: &Arc<Type>) -> bool {
    if field.is_group() {
        return !field.get_fields().is_empty() && field.get_fields().iter().all(is_readable);
    }
    let converted = field.get_basic_info().converted_type();
    match field.get_physical_type() {
        Physical::INT32 => matches!(
            converted,
            C::NONE
                | C::INT_8
                | C::INT_16
                | C::INT_32
                | C::UINT_8
                | C::UINT_16
                | C::UINT_32
                | C::DATE
                | C::TIME_MILLIS
                | C::DECIMAL
        ),
        Physical::INT64 => matches!(
            converted,
            C::NONE
                | C::INT_64
                | C::UINT_64
                | C::TIME_MICROS
                | C::TIMESTAMP_MILLIS
                | C::TIMESTAMP_MICROS
                | C::DECIMAL
        ),
        Physical::BYTE_ARRAY => {
            matches!(converted, C::NONE | C::UTF8 | C::ENUM | C::JSON | C::BSON | C::DECIMAL)
        }
        Physical::FIXED_LEN_BYTE_ARRAY => matches!(converted, C::NONE | C::DECIMAL),
        Physical::BOOLEAN | Physical::INT96 | Physical::FLOAT | Physical::DOUBLE => true,
    }
}

/// The columns of moments in nanoseconds, which the reader takes for plain numbers.
fn nanoseconds(schema: &Type) -> Vec<String> {
    let descriptor = SchemaDescriptor::new(Arc::new(schema.clone()));
    let is = |t: &LogicalType| matches!(t, LogicalType::Timestamp(t) if t.unit == TimeUnit::NANOS);
    let columns = descriptor.columns().iter().filter(|c| c.logical_type_ref().is_some_and(is));
    columns.filter(|c| c.path().parts().len() == 1).map(|c| c.name().to_owned()).collect()
}

/// The crate's words for an error, which may quote what it read, and what to do.
fn short(e: &ParquetError) -> String {
    let words = match e {
        ParquetError::General(words) | ParquetError::EOF(words) | ParquetError::NYI(words) => words.clone(),
        e => e.to_string(),
    };
    if let Some((_, codec)) = words.split_once("Disabled feature at compile time: ") {
        return format!(
            "they are compressed with {codec}, which is not read: write them with zstd, snappy or gzip"
        );
    }
    let words = crate::text::sanitize_line(&words);
    format!("{}: {AGAIN}", crate::text::truncate(&words, 160))
}
