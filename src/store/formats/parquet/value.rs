//! Parquet's values as JSON.

use parquet::data_type::Decimal;
use parquet::record::Field;
use serde_json::{Map, Number, Value};

/// A field as JSON. Depth is that of the schema, which the crate has walked before.
pub(super) fn of(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(b) => Value::Bool(*b),
        Field::Byte(n) => Value::from(*n),
        Field::Short(n) => Value::from(*n),
        Field::Int(n) | Field::TimeMillis(n) => Value::from(*n),
        Field::Long(n) | Field::TimeMicros(n) => Value::from(*n),
        Field::UByte(n) => Value::from(*n),
        Field::UShort(n) => Value::from(*n),
        Field::UInt(n) => Value::from(*n),
        Field::ULong(n) => Value::from(*n),
        Field::Float16(n) => single(f32::from(*n)),
        Field::Float(n) => single(*n),
        Field::Double(n) => double(*n),
        Field::Decimal(n) => decimal(n),
        Field::Str(s) => Value::String(s.clone()),
        Field::Bytes(bytes) => Value::String(String::from_utf8_lossy(bytes.data()).into_owned()),
        Field::Date(days) => moment(i128::from(*days) * 86_400_000_000_000, "%Y-%m-%d"),
        Field::TimestampMillis(n) => time(i128::from(*n) * 1_000_000),
        Field::TimestampMicros(n) => time(i128::from(*n) * 1_000),
        Field::Group(row) => {
            // Every struct of a list has every member: what is null was not there.
            let members = row.get_column_iter().map(|(name, field)| (name.clone(), of(field)));
            Value::Object(members.filter(|(_, v)| !v.is_null()).collect())
        }
        Field::ListInternal(list) => Value::Array(list.elements().iter().map(of).collect()),
        Field::MapInternal(map) => {
            let entry = |(key, value): &(Field, Field)| {
                let key = match of(key) {
                    Value::String(s) => s,
                    other => other.to_string(),
                };
                (key, of(value))
            };
            Value::Object(map.entries().iter().map(entry).collect::<Map<_, _>>())
        }
    }
}

/// A moment in nanoseconds.
pub(super) fn nanoseconds(n: &Number) -> Value {
    n.as_i64().map_or(Value::Null, |n| time(i128::from(n)))
}

fn time(nanoseconds: i128) -> Value {
    let Ok(at) = jiff::Timestamp::from_nanosecond(nanoseconds) else { return Value::Null };
    Value::String(at.to_string())
}

fn moment(nanoseconds: i128, form: &str) -> Value {
    let Ok(at) = jiff::Timestamp::from_nanosecond(nanoseconds) else { return Value::Null };
    Value::String(at.strftime(form).to_string())
}

/// A number in single precision as it would be written, 0.92 and not 0.9200000166893005.
fn single(n: f32) -> Value {
    double(n.to_string().parse().unwrap_or_else(|_| f64::from(n)))
}

/// NaN is how data frames write that there is nothing.
fn double(n: f64) -> Value {
    if n.is_infinite() { Value::String(n.to_string()) } else { Value::from(n) }
}

fn decimal(n: &Decimal) -> Value {
    let bytes = n.data();
    if bytes.len() > 16 || bytes.is_empty() {
        return Value::Null;
    }
    let negative = bytes.first().is_some_and(|b| b & 0x80 != 0);
    let unscaled = bytes.iter().fold(if negative { -1 } else { 0 }, |all: i128, &b| all << 8 | i128::from(b));
    if n.scale() == 0
        && let Ok(whole) = i64::try_from(unscaled)
    {
        return Value::from(whole);
    }
    // By way of the digits: 1234e-2 is the nearest number to 12.34, a quotient of two need not be.
    format!("{unscaled}e{}", i64::from(n.scale()).saturating_neg()).parse().map_or(Value::Null, double)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_what_a_person_would_write() {
        assert_eq!(of(&Field::Float(0.92)), Value::from(0.92));
        assert_eq!(of(&Field::Double(f64::NAN)), Value::Null);
        assert_eq!(of(&Field::Double(f64::INFINITY)), Value::from("inf"));
        let decimal = |n: i64, scale| of(&Field::Decimal(Decimal::from_i64(n, 18, scale)));
        assert_eq!(decimal(-1234, 2), Value::from(-12.34));
        assert_eq!(decimal(7, 0), Value::from(7));
    }

    #[test]
    fn moments_are_written_as_rfc_3339() {
        assert_eq!(of(&Field::TimestampMillis(0)), Value::from("1970-01-01T00:00:00Z"));
        assert_eq!(of(&Field::TimestampMicros(1_500_000)), Value::from("1970-01-01T00:00:01.5Z"));
        assert_eq!(of(&Field::Date(-1)), Value::from("1969-12-31"));
        assert_eq!(of(&Field::TimestampMillis(i64::MAX)), Value::Null);
        assert_eq!(nanoseconds(&Number::from(1)), Value::from("1970-01-01T00:00:00.000000001Z"));
    }
}
