//! A content block being put together from its pieces, in the bytes that it came in.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::provider::raw::Fields;

/// One content block.
#[derive(Debug)]
pub(super) struct Block {
    /// The block as it began.
    start: Box<RawValue>,
    /// Pieces of JSON of a tool's input.
    pub(super) input: String,
    has_pieces: bool,
    /// Text so far.
    pub(super) text: Option<String>,
    thinking: Option<String>,
    signature: Option<String>,
    citations: Vec<Box<RawValue>>,
}

impl Block {
    /// A block that begins; most hold their whole content already.
    pub(super) fn new(start: Box<RawValue>, value: &Value) -> Self {
        let text = |key| value.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            start,
            input: String::new(),
            has_pieces: false,
            text: text("text"),
            thinking: text("thinking"),
            signature: text("signature"),
            citations: Vec::new(),
        }
    }

    pub(super) fn add_text(&mut self, piece: &str) {
        self.has_pieces = true;
        self.text.get_or_insert_default().push_str(piece);
    }

    pub(super) fn add_input(&mut self, piece: &str) {
        self.has_pieces = true;
        self.input.push_str(piece);
    }

    pub(super) fn add_thinking(&mut self, piece: &str) {
        self.has_pieces = true;
        self.thinking.get_or_insert_default().push_str(piece);
    }

    pub(super) fn add_signature(&mut self, piece: &str) {
        self.has_pieces = true;
        self.signature.get_or_insert_default().push_str(piece);
    }

    pub(super) fn add_citation(&mut self, citation: Box<RawValue>) {
        self.has_pieces = true;
        self.citations.push(citation);
    }

    /// The tool's input.
    pub(super) fn input_value(&self) -> Option<Value> {
        serde_json::from_str(&self.input).ok()
    }

    /// The block, for handing back: as it came if it came whole, else with what the pieces add up to.
    pub(super) fn whole(&self) -> Box<RawValue> {
        if !self.has_pieces {
            return self.start.clone();
        }
        let Ok(mut fields) = serde_json::from_str::<Fields>(self.start.get()) else {
            return self.start.clone();
        };
        let texts = [("text", &self.text), ("thinking", &self.thinking), ("signature", &self.signature)];
        for (name, text) in texts {
            if let Some(text) = text {
                fields.set_text(name, text);
            }
        }
        if let Some(input) = RawValue::from_string(self.input.clone()).ok().filter(|_| !self.input.is_empty())
        {
            fields.set("input", input);
        }
        if !self.citations.is_empty()
            && let Ok(citations) = serde_json::value::to_raw_value(&self.citations)
        {
            fields.set("citations", citations);
        }
        fields.to_raw().unwrap_or_else(|| self.start.clone())
    }
}
