//! Whether a log was made with or without search. Nothing standard says so.

use serde_json::{Map, Value};

use crate::record::{CallKind, Condition};

use super::header::Header;
use super::tools;

/// What the header tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// A condition was stated, or a search tool was given; and by what.
    Stated(Condition, &'static str),
    /// The plan consists of steps that give no tools, so there was no search.
    NoTools,
    /// Nothing: only a search among the samples could tell.
    Nothing,
}

/// Solvers that come with Inspect and give a model no tools of their own accord.
const PLAIN: [&str; 9] = [
    "generate",
    "system_message",
    "user_message",
    "assistant_message",
    "prompt_template",
    "chain_of_thought",
    "self_critique",
    "multiple_choice",
    "use_tools",
];

/// Parts of model names and settings that search without being given a tool.
const SEARCHING: [&str; 8] =
    ["search", "sonar", ":online", "deep-research", "grounding", "perplexity", "browsing", "\"tools\""];

/// Under which names a task's metadata or arguments say it.
const SETTINGS: [&str; 12] = [
    "condition",
    "search",
    "web_search",
    "websearch",
    "use_search",
    "use_web_search",
    "with_search",
    "enable_search",
    "search_enabled",
    "allow_search",
    "browsing",
    "search_mode",
];

/// Reads the header: metadata, tags, task arguments, task name, tools of the plan, in this order.
pub(super) fn told(header: &Header) -> Told {
    if let Some(c) = setting(&header.metadata) {
        return Told::Stated(c, "its metadata");
    }
    if let Some(c) = header.tags.iter().find_map(|t| phrase(t)) {
        return Told::Stated(c, "its tags");
    }
    if let Some(c) = setting(&header.task_args) {
        return Told::Stated(c, "its task arguments");
    }
    if let Some(c) = header.task.as_deref().and_then(|t| phrase(t.rsplit('/').next().unwrap_or(t))) {
        return Told::Stated(c, "its task name");
    }
    if header.steps.iter().any(|(_, params)| gives_search(params)) {
        return Told::Stated(Condition::WithSearch, "the search tool in its plan");
    }
    let plain = |solver: &str| PLAIN.contains(&solver.rsplit('/').next().unwrap_or(solver));
    let tools_known = !header.steps.is_empty()
        && header.steps.iter().all(|(solver, params)| plain(solver) && !gives_tools(solver, params));
    if tools_known && !may_search(header) { Told::NoTools } else { Told::Nothing }
}

/// A condition among settings: a word, or yes and no under a name that is about searching.
fn setting(settings: &Map<String, Value>) -> Option<Condition> {
    SETTINGS.iter().find_map(|name| match settings.get(*name)? {
        Value::String(s) => match s.trim().to_ascii_lowercase().as_str() {
            "true" | "on" | "yes" if *name != "condition" => Some(Condition::WithSearch),
            "false" | "off" | "none" | "disabled" if *name != "condition" => Some(Condition::NoSearch),
            word => Condition::parse(word).or_else(|| phrase(word)),
        },
        Value::Bool(true) => Some(Condition::WithSearch),
        Value::Bool(false) => Some(Condition::NoSearch),
        _ => None,
    })
}

/// A condition in the words of a tag or a name (`lookitup_nosearch`, `simpleqa-web-search`).
fn phrase(text: &str) -> Option<Condition> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()) {
        words.extend(camel(word));
    }
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|w| *w != "web").collect();
    let has = |list: &[&[&str]]| list.iter().any(|p| words.windows(p.len()).any(|w| w == *p));
    if has(&[&["evidence", "blocked"], &["evidenceblocked"]]) {
        Some(Condition::EvidenceBlocked)
    } else if has(&[
        &["no", "search"],
        &["nosearch"],
        &["without", "search"],
        &["non", "search"],
        &["search", "off"],
        &["search", "disabled"],
        &["search", "false"],
        &["closed", "book"],
        &["closedbook"],
        &["no", "browsing"],
        &["no", "browse"],
        &["no", "tools"],
        &["notools"],
        &["no", "websearch"],
        &["without", "websearch"],
    ]) {
        Some(Condition::NoSearch)
    } else if has(&[&["search"], &["websearch"], &["withsearch"], &["open", "book"], &["browsing"]]) {
        Some(Condition::WithSearch)
    } else {
        None
    }
}

/// The words of a camel-case word, in lower case.
fn camel(word: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut small = false;
    for c in word.chars() {
        if words.is_empty() || (small && c.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(last) = words.last_mut() {
            last.extend(c.to_lowercase());
        }
        small = c.is_lowercase();
    }
    words
}

/// Whether a step of the plan gives the model a search tool, directly or by an agent inside.
pub(super) fn gives_search(params: &Value) -> bool {
    any_tool(params, &mut |name| tools::kind(name) == Some(CallKind::Search))
}

fn gives_tools(solver: &str, params: &Value) -> bool {
    any_tool(params, &mut |_| true) || (solver == "use_tools" && params.get("tools").is_none())
}

/// Whether any tool named in the parameters is such.
fn any_tool(value: &Value, is: &mut dyn FnMut(&str) -> bool) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(name, inner)| {
            if name == "tools" || name == "tool" { named(inner, is) } else { any_tool(inner, is) }
        }),
        Value::Array(list) => list.iter().any(|v| any_tool(v, is)),
        _ => false,
    }
}

fn named(value: &Value, is: &mut dyn FnMut(&str) -> bool) -> bool {
    match value {
        Value::String(name) => is(name),
        Value::Array(list) => list.iter().any(|v| named(v, is)),
        Value::Object(map) => {
            map.get("name").and_then(Value::as_str).is_some_and(&mut *is)
                || map.get("params").is_some_and(|inner| any_tool(inner, is))
        }
        _ => false,
    }
}

/// Whether the model, or a setting of it, may search by itself.
fn may_search(header: &Header) -> bool {
    let model = header.model.to_ascii_lowercase();
    SEARCHING.iter().any(|w| model.contains(w))
        || header.settings.iter().any(|s| {
            let text = settings_text(s);
            SEARCHING.iter().any(|w| text.contains(w))
        })
}

/// Settings as text, without outputs that a mock model was given.
fn settings_text(settings: &Value) -> String {
    match settings {
        Value::Object(map) => {
            let kept: Map<String, Value> = map
                .iter()
                .filter(|(n, _)| *n != "custom_outputs")
                .map(|(n, v)| (n.clone(), v.clone()))
                .collect();
            Value::Object(kept).to_string().to_ascii_lowercase()
        }
        _ => String::new(),
    }
}
