//! The fields of an attempt as columns.

use serde_json::{Map, Value};

use crate::record::Attempt;
use crate::store::formats::parquet::REST;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Text,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// True or false.
    Bool,
    /// A list or an object, as JSON text.
    Json,
}

/// The columns of attempts, in the order of the record.
pub const COLUMNS: [(&str, Kind); 26] = [
    ("schema", Kind::Text),
    ("run_id", Kind::Text),
    ("question_id", Kind::Text),
    ("split", Kind::Text),
    ("question", Kind::Text),
    ("references", Kind::Json),
    ("provider", Kind::Text),
    ("model", Kind::Text),
    ("condition", Kind::Text),
    ("attempt", Kind::Int),
    ("answer", Kind::Text),
    ("confidence", Kind::Float),
    ("raw", Kind::Text),
    ("search_calls", Kind::Json),
    ("citations", Kind::Json),
    ("usage", Kind::Json),
    ("cost_usd", Kind::Float),
    ("latency_ms", Kind::Float),
    ("stop", Kind::Text),
    ("error", Kind::Json),
    ("steps", Kind::Json),
    ("source", Kind::Text),
    ("created_at", Kind::Text),
    ("request", Kind::Json),
    ("correct", Kind::Bool),
    (REST, Kind::Json),
];

/// The values of an attempt's columns; what has no column of its own is an object under [`REST`].
pub(super) fn values(record: &Attempt) -> Vec<Value> {
    // Records are plain data: they always make an object.
    let mut fields = match serde_json::to_value(record) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let own = COLUMNS.iter().filter(|c| c.0 != REST);
    let mut values: Vec<Value> =
        own.map(|(name, _)| fields.get_mut(*name).map(Value::take).unwrap_or_default()).collect();
    // A record may have a field that is called like this column itself: it is found inside.
    let rest = record.extra.clone();
    values.push(if rest.is_empty() { Value::Null } else { Value::Object(rest) });
    values
}

/// A value for a reader of CSV: lists of words stay lists, everything deeper is JSON text.
pub(super) fn readable(value: Value) -> Value {
    match &value {
        Value::Array(items) if items.iter().all(Value::is_string) => value,
        Value::Array(_) | Value::Object(_) => Value::String(value.to_string()),
        _ => value,
    }
}
