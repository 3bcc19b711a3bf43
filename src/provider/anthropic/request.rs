//! The body of a Messages request, and of the one that continues a paused turn.

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use crate::provider::Ask;
use crate::provider::raw::Fields;

/// The body. Only what was asked for is set: most current models refuse sampling parameters.
pub(in crate::provider) fn body(ask: &Ask) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(ask.model));
    body.insert("max_tokens".into(), json!(ask.max_output_tokens.unwrap_or(Ask::OUTPUT_TOKENS).max(1)));
    if let Some(text) = &ask.instructions {
        body.insert("system".into(), json!(text));
    }
    body.insert("messages".into(), json!([{"role": "user", "content": ask.prompt}]));
    if ask.searches() {
        let mut tool = Map::new();
        tool.insert("type".into(), json!("web_search_20250305"));
        tool.insert("name".into(), json!("web_search"));
        tool.insert("max_uses".into(), json!(ask.max_searches.max(1)));
        // Both lists together are refused.
        if !ask.blocked().is_empty() {
            tool.insert("blocked_domains".into(), json!(ask.blocked()));
        } else if !ask.allowed_domains.is_empty() {
            tool.insert("allowed_domains".into(), json!(ask.allowed_domains));
        }
        body.insert("tools".into(), json!([tool]));
        body.insert("tool_choice".into(), json!({"type": "auto"}));
    }
    if let Some(effort) = &ask.effort {
        body.insert("output_config".into(), json!({"effort": effort}));
    }
    if let Some(temperature) = ask.temperature {
        body.insert("temperature".into(), json!(temperature));
    }
    if ask.stream {
        body.insert("stream".into(), json!(true));
    }
    body.into()
}

/// `body` with the assistant's turns so far after the question: the same request, to be gone on with. The blocks are the
/// bytes that came, since what is encrypted and signed in them must not change.
pub(in crate::provider) fn continued(body: &Value, turns: &[Vec<Box<RawValue>>]) -> Option<String> {
    let mut fields: Fields = serde_json::from_str(&body.to_string()).ok()?;
    let mut messages: Vec<Box<RawValue>> = Vec::new();
    for message in body.get("messages")?.as_array()? {
        messages.push(serde_json::value::to_raw_value(message).ok()?);
    }
    for blocks in turns {
        let mut turn = Fields::default();
        turn.set_text("role", "assistant");
        turn.set("content", serde_json::value::to_raw_value(blocks).ok()?);
        messages.push(turn.to_raw()?);
    }
    fields.set("messages", serde_json::value::to_raw_value(&messages).ok()?);
    fields.to_raw().map(|raw| raw.get().to_owned())
}
