//! What the model put out at the end of a sample, what it cost, and why there is nothing.

use serde_json::Value;

use crate::record::{ErrorInfo, Usage};

use super::messages::text_of;

/// What the model put out last.
#[derive(Default)]
pub(super) struct Output {
    pub(super) model: String,
    pub(super) message: Option<Value>,
    pub(super) text: Option<String>,
    pub(super) stop: Option<String>,
    pub(super) stop_details: Value,
    pub(super) refused: bool,
    pub(super) error: Option<String>,
}

impl Output {
    pub(super) fn of(mut output: Value) -> Self {
        let string = |output: &Value, name: &str| output.get(name).and_then(Value::as_str).map(str::to_owned);
        let mut choice =
            output.get_mut("choices").and_then(|c| c.get_mut(0)).map(Value::take).unwrap_or_default();
        let message = choice.get_mut("message").map(Value::take);
        let content = message.as_ref().and_then(|m| m.get("content")).unwrap_or(&Value::Null);
        let text = match text_of(content) {
            text if text.is_empty() => string(&output, "completion"),
            text => Some(text),
        };
        Self {
            model: string(&output, "model").unwrap_or_default(),
            text: text.filter(|t| !t.is_empty()),
            stop: string(&choice, "stop_reason"),
            stop_details: choice.get("stop_details").cloned().unwrap_or_default(),
            refused: content
                .as_array()
                .is_some_and(|parts| parts.iter().any(|p| p.get("refusal") == Some(&Value::Bool(true)))),
            error: string(&output, "error").filter(|e| !e.is_empty()),
            message,
        }
    }

    /// The stop reason in the log's own word. A text marked as a refusal is one, whatever the reason says; a sample
    /// that ended at a limit before anything was put out is named after the limit.
    pub(super) fn stop(&self, limit: &Value) -> Option<String> {
        if self.refused && self.stop.as_deref().is_none_or(|s| s == "stop") {
            return Some("refusal".to_owned());
        }
        self.stop.clone().or_else(|| Some(format!("{}_limit", limit.get("type")?.as_str()?)))
    }

    /// The model that answered, where its name is not just the one asked for.
    pub(super) fn other_model(&self, asked: &str) -> Value {
        let same = self.model == asked || asked.split_once('/').is_some_and(|(_, name)| name == self.model);
        if same || self.model.is_empty() { Value::Null } else { Value::String(self.model.clone()) }
    }
}

/// Why there is no answer: the sample's error, else the model's when it put nothing out and was not just filtered.
pub(super) fn error(sample: &Value, output: &Output) -> Option<ErrorInfo> {
    if let Some(message) = sample.get("message").and_then(Value::as_str).or(sample.as_str()) {
        return Some(ErrorInfo { kind: error_kind(message), message: message.to_owned() });
    }
    let filtered = output.stop.as_deref() == Some("content_filter") || output.refused;
    match &output.error {
        Some(message) if output.text.is_none() && !filtered => {
            Some(ErrorInfo { kind: "model_error".to_owned(), message: message.clone() })
        }
        _ => None,
    }
}

/// A short class from an exception as Python prints it: `RateLimitError("…")`.
fn error_kind(message: &str) -> String {
    let name: String =
        message.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_' || *c == '.').collect();
    let name = name.rsplit('.').next().unwrap_or_default();
    let known = [
        ("RateLimit", "rate_limited"),
        ("Overloaded", "overloaded"),
        ("Timeout", "timeout"),
        ("Cancelled", "cancelled"),
        ("Authentication", "bad_key"),
    ];
    match known.iter().find(|(part, _)| name.contains(part)) {
        Some((_, kind)) => (*kind).to_owned(),
        None if message.get(name.len()..).is_some_and(|rest| rest.starts_with('(')) && !name.is_empty() => {
            name.to_owned()
        }
        None => "error".to_owned(),
    }
}

/// Tokens and cost over all models of the sample. Inspect counts tokens read from and written to a cache apart; here
/// they are part of the tokens read.
pub(super) fn usage(models: &Value) -> (Usage, Option<f64>) {
    let mut sum = Usage::default();
    let mut cost = None;
    let mut written = None;
    for usage in models.as_object().into_iter().flat_map(|m| m.values()) {
        let count = |name: &str| usage.get(name).and_then(Value::as_u64);
        let cached = count("input_tokens_cache_read");
        let stored = count("input_tokens_cache_write");
        if let Some(fresh) = count("input_tokens") {
            add(&mut sum.input_tokens, Some(fresh + cached.unwrap_or(0) + stored.unwrap_or(0)));
        }
        add(&mut sum.output_tokens, count("output_tokens"));
        add(&mut sum.reasoning_tokens, count("reasoning_tokens"));
        add(&mut sum.cached_tokens, cached);
        add(&mut written, stored);
        if let Some(dollars) = usage.get("total_cost").and_then(Value::as_f64) {
            cost = Some(cost.unwrap_or(0.0) + dollars);
        }
    }
    if let Some(n) = written {
        sum.extra.insert("cache_write_tokens".to_owned(), Value::from(n));
    }
    (sum, cost)
}

fn add(sum: &mut Option<u64>, more: Option<u64>) {
    if let Some(more) = more {
        *sum = Some(sum.unwrap_or(0).saturating_add(more));
    }
}
