//! What was said in a sample: text of messages, attachments put back, and the timeline of searches among them.

use std::collections::HashMap;

use memchr::memmem;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::record::{CallKind, Citation, SearchCall};

use super::parts::{self, PART_LIMIT, Parts};
use super::{results, tools};

/// The most attachments that are kept of one sample.
const ATTACHMENTS: usize = 100_000;

/// Long texts that were replaced by a reference, read when one is met.
#[derive(Debug, Default)]
pub(super) struct Attachments<'a>(HashMap<String, &'a RawValue>);

impl<'a> Attachments<'a> {
    /// From the text of an object (by hash) or an array (by position).
    pub(super) fn of(text: &'a str) -> Self {
        let mut kept = HashMap::new();
        let mut keep = |name, part| {
            if kept.len() < ATTACHMENTS {
                kept.insert(name, part);
            }
        };
        // What is damaged stays a reference.
        let _ = if text.trim_start().starts_with('[') {
            let mut place = 0_usize;
            parts::elements(text, &mut |part| {
                keep(place.to_string(), part);
                place += 1;
                true
            })
        } else {
            parts::members(text, "", &mut keep, &mut |_| false)
        };
        Self(kept)
    }

    /// Whether a text refers to attachments at all, in this program's notation or the older one.
    pub(super) fn referred(text: &str) -> bool {
        memmem::find(text.as_bytes(), b"\"attachment://").is_some()
            || memmem::find(text.as_bytes(), b"\"tc://").is_some()
    }

    /// Puts the texts back everywhere in a value. A reference to nothing stays.
    pub(super) fn resolve(&self, value: &mut Value) {
        if self.0.is_empty() {
            return;
        }
        match value {
            Value::String(s) => {
                let key = s.strip_prefix("attachment://").or_else(|| s.strip_prefix("tc://"));
                if let Some(text @ Value::String(_)) =
                    key.and_then(|k| self.0.get(k)).map(|t| parts::value(t.get()))
                {
                    *value = text;
                }
            }
            Value::Array(list) => list.iter_mut().for_each(|v| self.resolve(v)),
            Value::Object(map) => map.values_mut().for_each(|v| self.resolve(v)),
            _ => {}
        }
    }
}

/// The text of a message's content: the string, or its text parts joined with nothing between.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(s) => s.clone(),
        Value::Array(list) => list
            .iter()
            .filter_map(|part| match part {
                Value::String(s) => Some(s.as_str()),
                part if part.get("type").and_then(Value::as_str) == Some("text") => {
                    part.get("text")?.as_str()
                }
                _ => None,
            })
            .collect(),
        _ => String::new(),
    }
}

/// What the messages of a sample hold besides the answer.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Searches and opened pages, numbered from 1 in the order they were asked for.
    pub(super) calls: Vec<SearchCall>,
    /// Sources cited, each once.
    pub(super) citations: Vec<Citation>,
    /// The last thing the user said in the input.
    pub(super) user: Option<String>,
    /// The last thing the model said.
    pub(super) said: Option<String>,
    /// Messages that are too large to be read.
    pub(super) too_large: usize,
    /// Ids of the model's messages, to tell whether the output is among them.
    assistants: Vec<String>,
    /// Client-side calls that wait for their result.
    open: HashMap<String, usize>,
}

impl Heard {
    /// Takes the next message.
    pub(super) fn message(&mut self, message: &Value) {
        let content = message.get("content").unwrap_or(&Value::Null);
        match message.get("role").and_then(Value::as_str) {
            Some("user") => {
                let text = text_of(content);
                if !text.trim().is_empty() {
                    self.user = Some(text);
                }
            }
            // What the input brought along (examples) is nothing that the model did.
            Some("assistant") if message.get("source").and_then(Value::as_str) != Some("input") => {
                self.assistant(message, content);
            }
            Some("tool") => self.tool(message, content),
            _ => {}
        }
    }

    /// Takes the message of the output, unless it was among the messages.
    pub(super) fn output(&mut self, message: &Value) {
        let there = match message.get("id").and_then(Value::as_str) {
            Some(id) => self.assistants.iter().any(|a| a == id),
            None => !self.assistants.is_empty(),
        };
        if !there {
            self.assistant(message, message.get("content").unwrap_or(&Value::Null));
        }
    }

    fn assistant(&mut self, message: &Value, content: &Value) {
        self.assistants.push(message.get("id").and_then(Value::as_str).unwrap_or_default().to_owned());
        let text = text_of(content);
        if !text.trim().is_empty() {
            self.said = Some(text);
        }
        for part in content.as_array().into_iter().flatten() {
            match part.get("type").and_then(Value::as_str) {
                Some("tool_use") => self.call(tools::native(part)),
                Some("text") => self.cite(part),
                _ => {}
            }
        }
        for asked in message.get("tool_calls").and_then(Value::as_array).into_iter().flatten() {
            let Some(call) = tools::client(asked) else { continue };
            if let Some(id) = asked.get("id").and_then(Value::as_str) {
                self.open.insert(id.to_owned(), self.calls.len());
            }
            self.call(Some(call));
        }
    }

    fn call(&mut self, call: Option<SearchCall>) {
        if let Some(mut call) = call {
            call.n = self.calls.len() as u32 + 1;
            self.calls.push(call);
        }
    }

    fn tool(&mut self, message: &Value, content: &Value) {
        let call = message
            .get("tool_call_id")
            .and_then(Value::as_str)
            .and_then(|id| self.open.remove(id))
            .and_then(|at| self.calls.get_mut(at));
        let Some(call) = call else { return };
        if let Some(error) = message.get("error").filter(|e| !e.is_null()) {
            call.status = Some("error".to_owned());
            call.error = Some(
                error.get("type").and_then(Value::as_str).or(error.as_str()).unwrap_or("error").to_owned(),
            );
            if let Some(said) = error.get("message").filter(|m| m.as_str().is_some_and(|m| !m.is_empty())) {
                call.extra.insert("error_message".to_owned(), said.clone());
            }
            return;
        }
        if call.error.is_none() {
            call.status = Some("ok".to_owned());
        }
        if call.kind == CallKind::Search {
            results::of_content(content, &mut call.results);
        }
    }

    fn cite(&mut self, part: &Value) {
        for cited in part.get("citations").and_then(Value::as_array).into_iter().flatten() {
            let Some(citation) = results::citation(cited) else { continue };
            if !self.citations.contains(&citation) {
                self.citations.push(citation);
            }
        }
    }

    /// Marks the results that the answer cites.
    pub(super) fn mark_cited(&mut self) {
        results::mark_cited(&self.citations, &mut self.calls);
    }
}

/// Reads every message of a sample, one at a time.
///
/// # Errors
/// When the text is damaged.
pub(super) fn listen(sample: &Parts<'_>, attachments: &Attachments<'_>) -> serde_json::Result<Heard> {
    let mut heard = Heard::default();
    parts::elements(sample.text("messages").unwrap_or_default(), &mut |message| {
        heard.too_large += usize::from(message.get().len() > PART_LIMIT);
        let mut message = parts::value(message.get());
        attachments.resolve(&mut message);
        heard.message(&message);
        true
    })?;
    Ok(heard)
}
