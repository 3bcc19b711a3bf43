//! Rows of JSON values as a Parquet file.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};
use serde_json::Value;

use super::columns::Kind;
use crate::record::SCHEMA;
use crate::store::formats::parquet::ROWS;

/// Rows after which a group is written at the latest.
const MOST_ROWS: usize = 1 << 16;
/// Bytes of text after which a group is written at the latest: what is held in memory at once.
const MOST_BYTES: usize = 32 << 20;

/// The values of a column that are waiting; `None` is null.
enum Values {
    Text(Vec<Option<String>>),
    Int(Vec<Option<i64>>),
    Float(Vec<Option<f64>>),
    Bool(Vec<Option<bool>>),
}

/// Writes a file to something that can only be written on.
pub struct Writer<'w> {
    out: &'w mut dyn Write,
    /// The file's bytes go here first, a group at a time.
    file: SerializedFileWriter<Vec<u8>>,
    columns: Vec<(Kind, Values)>,
    rows: usize,
    bytes: usize,
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<'w> Writer<'w> {
    /// Begins a file. `rows` says in the file itself what a row is.
    ///
    /// # Errors
    /// Never with columns of different names.
    pub fn new(rows: &str, columns: &[(&str, Kind)], out: &'w mut dyn Write) -> io::Result<Self> {
        let fields = columns.iter().map(|(name, kind)| column(name, *kind)).collect::<Result<Vec<_>, _>>();
        let schema = Type::group_type_builder("lookitup").with_fields(fields.map_err(failed)?).build();
        let about = |key: &str, value: &str| KeyValue::new(key.to_owned(), value.to_owned());
        let properties = WriterProperties::builder()
            .set_created_by(concat!("lookitup version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(vec![about(ROWS, rows), about("lookitup.schema", SCHEMA)]))
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .build();
        let schema = Arc::new(schema.map_err(failed)?);
        let file = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties)).map_err(failed)?;
        let columns = columns.iter().map(|(_, kind)| (*kind, Values::of(*kind))).collect();
        Ok(Self { out, file, columns, rows: 0, bytes: 0 })
    }

    /// Adds a row: a value a column. What is of another kind than its column is written as nothing.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn row(&mut self, values: impl IntoIterator<Item = Value>) -> io::Result<()> {
        let mut values = values.into_iter();
        for (kind, column) in &mut self.columns {
            self.bytes += column.push(*kind, values.next().unwrap_or_default());
        }
        self.rows += 1;
        if self.rows >= MOST_ROWS || self.bytes >= MOST_BYTES { self.group() } else { Ok(()) }
    }

    /// Ends the file.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.group()?;
        }
        self.file.finish().map_err(failed)?;
        self.pass_on()
    }

    fn group(&mut self) -> io::Result<()> {
        let mut group = self.file.next_row_group().map_err(failed)?;
        for (_, column) in &mut self.columns {
            match column {
                Values::Text(v) => {
                    let bytes = |text: String| ByteArray::from(text.into_bytes());
                    write::<ByteArrayType, _>(&mut group, v, bytes)
                }
                Values::Int(v) => write::<Int64Type, _>(&mut group, v, |n| n),
                Values::Float(v) => write::<DoubleType, _>(&mut group, v, |n| n),
                Values::Bool(v) => write::<BoolType, _>(&mut group, v, |b| b),
            }
            .map_err(failed)?;
        }
        group.close().map_err(failed)?;
        (self.rows, self.bytes) = (0, 0);
        self.pass_on()
    }

    /// Hands the bytes that are ready to the output. The file's writer counts them itself, so they need not stay.
    fn pass_on(&mut self) -> io::Result<()> {
        self.file.flush()?;
        self.out.write_all(self.file.inner())?;
        self.file.inner_mut().clear();
        Ok(())
    }
}

impl Values {
    const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Text | Kind::Json => Self::Text(Vec::new()),
            Kind::Int => Self::Int(Vec::new()),
            Kind::Float => Self::Float(Vec::new()),
            Kind::Bool => Self::Bool(Vec::new()),
        }
    }

    /// Takes a value; the bytes that it holds on to.
    fn push(&mut self, kind: Kind, value: Value) -> usize {
        match self {
            Self::Int(v) => v.push(value.as_i64()),
            Self::Float(v) => v.push(value.as_f64()),
            Self::Bool(v) => v.push(value.as_bool()),
            Self::Text(v) => {
                let text = match value {
                    Value::Null => None,
                    Value::String(s) if kind == Kind::Text => Some(s),
                    other => Some(other.to_string()),
                };
                let bytes = text.as_ref().map_or(0, String::len);
                v.push(text);
                return bytes;
            }
        }
        8
    }
}

/// A column that may be null. JSON is marked as text: readers differ in what they make of Parquet's own JSON.
fn column(name: &str, kind: Kind) -> Result<TypePtr, ParquetError> {
    let (physical, logical) = match kind {
        Kind::Text | Kind::Json => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        Kind::Int => (Physical::INT64, None),
        Kind::Float => (Physical::DOUBLE, None),
        Kind::Bool => (Physical::BOOLEAN, None),
    };
    let builder = Type::primitive_type_builder(name, physical);
    Ok(Arc::new(builder.with_repetition(Repetition::OPTIONAL).with_logical_type(logical).build()?))
}

/// Writes the next column of a group and empties it.
fn write<T: DataType, V>(
    group: &mut SerializedRowGroupWriter<'_, Vec<u8>>,
    values: &mut Vec<Option<V>>,
    plain: impl Fn(V) -> T::T,
) -> Result<(), ParquetError> {
    let Some(mut column) = group.next_column()? else { return Ok(()) };
    let levels: Vec<i16> = values.iter().map(|v| i16::from(v.is_some())).collect();
    let plain: Vec<T::T> = values.drain(..).flatten().map(plain).collect();
    column.typed::<T>().write_batch(&plain, Some(&levels), None)?;
    column.close()
}

fn failed(e: ParquetError) -> io::Error {
    match e {
        ParquetError::External(e) => io::Error::other(e),
        e => io::Error::other(e.to_string()),
    }
}
