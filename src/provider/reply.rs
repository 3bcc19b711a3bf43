//! What came of asking, and the record it becomes.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::fault::{Fault, Kind};
use crate::record::{Attempt, Citation, Condition, SCHEMA, SearchCall, Usage};
use crate::score::{Doubt, parse_answer};
use crate::text::sanitize_line;

/// Where a reply comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Source {
    /// A model answered just now.
    #[default]
    Live,
    /// A stored answer was shown again.
    Replay,
}

impl Source {
    /// The word in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Replay => "replay",
        }
    }
}

/// All that came. Texts are as the provider sent them, but for keys; they are made safe when a record is read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Reply {
    /// Whom it comes from: the endpoint's name.
    pub provider: String,
    /// Live or replayed.
    pub source: Source,
    /// The model that was asked.
    pub model: String,
    /// The model, as the server names it.
    pub model_echo: Option<String>,
    /// How it was asked.
    pub condition: Condition,
    /// The answer's text, its parts joined with nothing between.
    pub raw: String,
    /// The short answer read from it; `None` where there is none, or the reply is not whole.
    pub answer: Option<String>,
    /// The confidence stated, 0 to 1.
    pub confidence: Option<f64>,
    /// What is doubtful about them.
    pub doubts: Vec<Doubt>,
    /// The search timeline.
    pub search_calls: Vec<SearchCall>,
    /// The sources cited, in the order of the text.
    pub citations: Vec<Citation>,
    /// Tokens and searches, as the provider reported them; empty where the end did not come.
    pub usage: Usage,
    /// US dollars, tokens and searches together; `None` where usage or price is not known.
    pub cost_usd: Option<f64>,
    /// The provider's own word for the end.
    pub stop: Option<String>,
    /// Why it is not whole.
    pub error: Option<Fault>,
    /// From the request to the first output, milliseconds.
    pub first_ms: Option<f64>,
    /// From the request that was answered to its end, milliseconds: tries before it and the waits for them are left out.
    pub total_ms: Option<f64>,
    /// The request's id at the provider, for its support.
    pub request_id: Option<String>,
    /// What the person was told on the way.
    pub notes: Vec<String>,
    /// The body as it was sent. Holds no key.
    pub request: Option<Value>,
    /// What else the provider said of the end, by its names.
    pub extra: serde_json::Map<String, Value>,
}

/// What an attempt record needs and a provider does not know.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Given {
    /// The question's id.
    pub question_id: String,
    /// The run.
    pub run_id: Option<String>,
    /// The split.
    pub split: Option<String>,
    /// The question's text.
    pub question: Option<String>,
    /// Accepted answers.
    pub references: Option<Vec<String>>,
    /// Repeat, from 1.
    pub attempt: u32,
    /// RFC 3339.
    pub created_at: Option<String>,
}

impl Reply {
    /// Whether the answer is whole.
    pub fn is_whole(&self) -> bool {
        self.error.is_none()
            && !matches!(
                self.stop.as_deref(),
                Some(
                    "max_tokens" | "incomplete" | "model_context_window_exceeded" | "pause_turn" | "refusal"
                )
            )
    }

    /// Reads answer and confidence out of `text`. Of an answer that a limit cut only whole lines are read, of one that
    /// broke off or failed nothing: half a number is another number.
    pub(super) fn read(&mut self, text: &str) {
        if self.error.is_some() {
            return;
        }
        let whole_lines = text.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let text = if self.is_whole() { text } else { whole_lines };
        let mut spoken = parse_answer(text);
        if spoken.confidence.is_none() && self.is_whole() && text != self.raw {
            // A model may state its confidence before it searches again.
            let whole = parse_answer(&self.raw);
            spoken.confidence = whole.confidence;
            spoken.answer = spoken.answer.or(whole.answer);
        }
        self.answer = spoken.answer;
        self.confidence = spoken.confidence;
        self.doubts = spoken.doubts;
    }

    /// Whether search was offered and not used.
    pub fn made_no_search(&self) -> bool {
        self.condition != Condition::NoSearch
            && !self.search_calls.iter().any(|c| c.kind == crate::record::CallKind::Search)
    }

    /// The model for the record: the server's name for it, where that is the asked model or a snapshot of it.
    pub fn record_model(&self) -> &str {
        match self.model_echo.as_deref() {
            Some(echo) if echo.starts_with(self.model.as_str()) => echo,
            _ => &self.model,
        }
    }

    /// The attempt record.
    pub fn attempt(&self, given: &Given) -> Attempt {
        let mut extra = self.extra.clone();
        if let Some(first) = self.first_ms {
            extra.insert("first_token_ms".into(), json!(first));
        }
        if let Some(id) = &self.request_id {
            extra.insert("request_id".into(), json!(id));
        }
        if let Some(echo) = self.model_echo.as_deref().filter(|e| *e != self.record_model()) {
            extra.insert("model_echo".into(), json!(echo));
        }
        if !self.notes.is_empty() {
            extra.insert("notes".into(), json!(self.notes));
        }
        Attempt {
            schema: SCHEMA.to_owned(),
            run_id: given.run_id.clone(),
            question_id: given.question_id.clone(),
            split: given.split.clone(),
            question: given.question.clone(),
            references: given.references.clone(),
            provider: Some(self.provider.clone()),
            model: self.record_model().to_owned(),
            condition: self.condition,
            attempt: given.attempt.max(1),
            answer: self.answer.clone(),
            confidence: self.confidence,
            raw: Some(self.raw.clone()),
            search_calls: self.search_calls.clone(),
            citations: self.citations.clone(),
            usage: self.usage.clone(),
            cost_usd: self.cost_usd,
            latency_ms: self.total_ms,
            stop: self.stop.clone(),
            error: self.error.as_ref().map(Fault::info),
            source: Some(self.source.name().to_owned()),
            created_at: given.created_at.clone(),
            request: self.request.clone(),
            extra,
            ..Attempt::default()
        }
    }

    /// A reply that failed before anything came.
    pub(super) fn failed(fault: Fault) -> Self {
        Self { error: Some(fault), ..Self::default() }
    }

    /// The class of the failure, if it failed.
    pub fn kind(&self) -> Option<Kind> {
        self.error.as_ref().map(|e| e.kind)
    }
}

/// An attempt record as one line of JSON, without its line end. Characters that act on a terminal without being seen are
/// written as escapes: the values stay exact, and the line can be shown.
pub fn line_of(attempt: &Attempt) -> String {
    let line = serde_json::to_string(attempt).unwrap_or_default();
    let is_shown =
        |c: char| matches!(c, ' '..='~') || sanitize_line(c.encode_utf8(&mut [0; 4])).starts_with(c);
    let Some(first) = line.find(|c| !is_shown(c)) else { return line };
    let (plain, rest) = line.split_at(first);
    let mut out = String::with_capacity(line.len() + 16);
    out.push_str(plain);
    for c in rest.chars() {
        if is_shown(c) {
            out.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}
