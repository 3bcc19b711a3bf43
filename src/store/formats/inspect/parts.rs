//! JSON objects taken apart without reading what is inside: the parts of a log and of a sample.

use std::borrow::Cow;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::super::nan::without_nan;
use crate::store::mend;

/// Parts larger than this many bytes are left out: as generic values they could take sixteen times that.
pub(super) const PART_LIMIT: usize = 16 << 20;
/// No object of a log has as many members as this; only so many are kept of one.
const MEMBERS: usize = 1_000;

/// The members of an object, each as the text it was written in.
#[derive(Debug, Default)]
pub(super) struct Parts<'a>(Vec<(String, &'a RawValue)>);

impl<'a> Parts<'a> {
    /// Takes an object apart.
    ///
    /// # Errors
    /// When the text is damaged, or no object.
    pub(super) fn of(object: &'a str) -> serde_json::Result<Self> {
        let mut parts = Vec::with_capacity(32);
        let mut keep = |name, part| {
            if parts.len() < MEMBERS {
                parts.push((name, part));
            }
        };
        members(object, "", &mut keep, &mut |_| false)?;
        Ok(Self(parts))
    }

    /// The text of a part; of several with the same name the last one.
    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.0.iter().rev().find(|(n, _)| n == name).map(|(_, part)| part.get())
    }

    /// A part as a value: `Null` when it is absent, or cannot be kept.
    pub(super) fn value(&self, name: &str) -> Value {
        self.text(name).map_or(Value::Null, value)
    }

    /// A part that is a string.
    pub(super) fn string(&self, name: &str) -> Option<String> {
        match self.value(name) {
            Value::String(s) => Some(s),
            _ => None,
        }
    }

    /// A part that is a number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.value(name).as_f64()
    }

    /// Members that were taken apart already.
    pub(super) fn from(parts: Vec<(String, &'a RawValue)>) -> Self {
        Self(parts)
    }

    /// Adds a part, or replaces it.
    pub(super) fn put(&mut self, name: &str, part: &'a RawValue) {
        self.0.push((name.to_owned(), part));
    }
}

/// The text of a member, readable for a strict parser.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => without_nan(text),
        Err(_) => Cow::Owned(without_nan(&String::from_utf8_lossy(bytes)).into_owned()),
    }
}

/// Text as a value, halves of surrogate pairs and the like forgiven; `Null` when it is too large or damaged.
pub(super) fn value(text: &str) -> Value {
    if text.len() > PART_LIMIT {
        return Value::Null;
    }
    serde_json::from_str(text)
        .or_else(|_| mend::parse(text.as_bytes()).map(|mended| mended.value))
        .unwrap_or(Value::Null)
}

/// Calls `each` for every element of an array, one at a time, until it returns false. What is no array has none.
///
/// # Errors
/// When the text is cut or damaged, or `each` ended it; the elements before have been handed over.
pub(super) fn elements<'a>(
    array: &'a str,
    each: &mut dyn FnMut(&'a RawValue) -> bool,
) -> serde_json::Result<()> {
    if !array.trim_start().starts_with('[') {
        return Ok(());
    }
    serde_json::Deserializer::from_str(array).deserialize_seq(Elements(each))
}

/// Calls `each` for every member of an object but the one named `streamed`: if that one is an array, its elements go
/// to `element`, until that returns false, which ends everything.
///
/// # Errors
/// When the text is cut or damaged, or no object, or `element` ended it; what came before has been handed over.
pub(super) fn members<'a>(
    object: &'a str,
    streamed: &str,
    each: &mut dyn FnMut(String, &'a RawValue),
    element: &mut dyn FnMut(&'a RawValue) -> bool,
) -> serde_json::Result<()> {
    let mut json = serde_json::Deserializer::from_str(object);
    json.deserialize_map(Members { streamed, each, element })
}

struct Elements<'f, 'a>(&'f mut dyn FnMut(&'a RawValue) -> bool);

impl<'a> Visitor<'a> for Elements<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = seq.next_element::<&RawValue>()? {
            if !(self.0)(element) {
                return Err(A::Error::custom("ended"));
            }
        }
        Ok(())
    }
}

impl<'a> DeserializeSeed<'a> for Elements<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'a>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

struct Members<'f, 'a> {
    streamed: &'f str,
    each: &'f mut dyn FnMut(String, &'a RawValue),
    element: &'f mut dyn FnMut(&'a RawValue) -> bool,
}

impl<'a> Visitor<'a> for Members<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            if name == self.streamed {
                map.next_value_seed(Elements(&mut *self.element))?;
            } else {
                (self.each)(name, map.next_value()?);
            }
        }
        Ok(())
    }
}
