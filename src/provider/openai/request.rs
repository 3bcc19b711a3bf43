//! The body of a Responses request.

use serde_json::{Map, Value, json};

use crate::provider::Ask;

/// The body. Only what was asked for is set: most current models refuse sampling parameters.
pub(in crate::provider) fn body(ask: &Ask) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), json!(ask.model));
    if let Some(text) = &ask.instructions {
        body.insert("instructions".into(), json!(text));
    }
    body.insert("input".into(), json!(ask.prompt));
    if ask.searches() {
        let mut tool = json!({"type": "web_search"});
        let mut filters = Map::new();
        if !ask.blocked().is_empty() {
            filters.insert("blocked_domains".into(), json!(ask.blocked()));
        } else if !ask.allowed_domains.is_empty() {
            filters.insert("allowed_domains".into(), json!(ask.allowed_domains));
        }
        if let (false, Some(tool)) = (filters.is_empty(), tool.as_object_mut()) {
            tool.insert("filters".into(), filters.into());
        }
        body.insert("tools".into(), json!([tool]));
        body.insert("tool_choice".into(), json!("auto"));
        body.insert("max_tool_calls".into(), json!(ask.max_searches.max(1)));
        body.insert("include".into(), json!(["web_search_call.action.sources"]));
    }
    if let Some(effort) = &ask.effort {
        body.insert("reasoning".into(), json!({"effort": effort}));
    }
    if let Some(temperature) = ask.temperature {
        body.insert("temperature".into(), json!(temperature));
    }
    if let Some(most) = ask.max_output_tokens {
        // The smallest number that the server takes.
        body.insert("max_output_tokens".into(), json!(most.max(16)));
    }
    body.insert("store".into(), json!(false));
    if ask.stream {
        body.insert("stream".into(), json!(true));
    }
    body.into()
}
