//! Which tools search, and what a call of one asked for.

use serde_json::{Map, Value};

use crate::record::{CallKind, SearchCall};

use super::results;

/// Names of client-side tools that search the web (or a corpus standing in for it), in lower case, `-` and `.` as `_`. A
/// name may be prefixed by its package or server (`inspect_ai/web_search`, `mcp__brave__brave_web_search`).
pub(super) const SEARCH: &[&str] = &[
    "web_search",
    "websearch",
    "search",
    "search_web",
    "search_internet",
    "internet_search",
    "search_online",
    "online_search",
    "search_engine",
    "search_query",
    "browser_search",
    "web_browser_search",
    "google",
    "google_search",
    "google_web_search",
    "google_serper",
    "search_google",
    "bing",
    "bing_search",
    "bing_web_search",
    "search_bing",
    "brave",
    "brave_search",
    "brave_web_search",
    "search_brave",
    "duckduckgo",
    "duckduckgo_search",
    "ddg",
    "ddg_search",
    "ddgs",
    "search_duckduckgo",
    "tavily",
    "tavily_search",
    "tavily_web_search",
    "tavily_search_results_json",
    "search_tavily",
    "exa",
    "exa_search",
    "web_search_exa",
    "search_exa",
    "serper",
    "serper_search",
    "serpapi",
    "serpapi_search",
    "serp_search",
    "searx",
    "searx_search",
    "searxng",
    "searxng_search",
    "searxng_web_search",
    "perplexity",
    "perplexity_search",
    "perplexity_ask",
    "kagi_search",
    "kagi_search_fetch",
    "you_search",
    "jina_search",
    "firecrawl_search",
    "linkup_search",
    "parallel_search",
    "yandex_search",
    "baidu_search",
    "wikipedia",
    "wikipedia_search",
    "wiki_search",
    "search_wikipedia",
    "news_search",
    "search_news",
    "local_knowledge_base_retrieval",
    "retrieve",
    "retrieval_search",
];

/// Names of tools that open a page.
const OPEN: &[&str] = &[
    "open_page",
    "open_url",
    "open_link",
    "open",
    "web_fetch",
    "fetch",
    "fetch_url",
    "fetch_page",
    "fetch_webpage",
    "fetch_content",
    "get_page",
    "get_url",
    "get_webpage",
    "get_contents",
    "get_document",
    "read_page",
    "read_url",
    "read_webpage",
    "visit",
    "visit_page",
    "visit_url",
    "visit_webpage",
    "browse",
    "browse_url",
    "browse_page",
    "goto",
    "navigate",
    "click_link",
    "scrape",
    "scrape_url",
    "scrape_webpage",
    "crawl",
    "web_browser_go",
    "tavily_extract",
    "firecrawl_scrape",
    "exa_contents",
    "crawling_exa",
    "jina_read",
];

/// Names of tools that look for text in an opened page.
const FIND: &[&str] = &["find_in_page", "find", "find_text", "find_on_page", "page_search", "search_in_page"];

const QUERY: [&str; 10] = [
    "query",
    "q",
    "search_query",
    "search_term",
    "queries",
    "search_terms",
    "keywords",
    "question",
    "input",
    "text",
];

/// A tool's name without package, server and case.
fn bare(name: &str) -> String {
    let name = name.rsplit(['/', ':']).next().unwrap_or(name);
    let name = name.rsplit("__").next().unwrap_or(name);
    name.trim().to_ascii_lowercase().replace(['-', '.', ' '], "_")
}

/// What a client-side tool of this name does; `None` for one that has nothing to do with searching.
pub(super) fn kind(name: &str) -> Option<CallKind> {
    let name = bare(name);
    let among = |list: &[&str]| list.contains(&name.as_str());
    if among(SEARCH) {
        Some(CallKind::Search)
    } else if among(OPEN) {
        Some(CallKind::OpenPage)
    } else if among(FIND) {
        Some(CallKind::FindInPage)
    } else {
        None
    }
}

/// A call of a tool that the evaluation brought: one of an assistant message's `tool_calls`.
pub(super) fn client(asked: &Value) -> Option<SearchCall> {
    let name = asked.get("function").and_then(|f| f.as_str().or_else(|| f.get("name")?.as_str()))?;
    let kind = kind(name)?;
    let arguments =
        asked.get("arguments").or_else(|| asked.get("function")?.get("arguments")).unwrap_or(&Value::Null);
    let mut call = SearchCall { kind, ..SearchCall::default() };
    read_arguments(arguments, &mut call);
    call.extra.insert("tool".to_owned(), Value::String(name.to_owned()));
    if let Some(error) = asked.get("parse_error").and_then(Value::as_str).filter(|e| !e.is_empty()) {
        call.status = Some("error".to_owned());
        call.error = Some("parsing".to_owned());
        call.extra.insert("error_message".to_owned(), Value::String(error.to_owned()));
    }
    Some(call)
}

/// A call of a provider's own tool: a `tool_use` part of an assistant message.
pub(super) fn native(part: &Value) -> Option<SearchCall> {
    let string = |name: &str| part.get(name).and_then(Value::as_str).unwrap_or_default();
    let name = string("name");
    let arguments = part.get("arguments").unwrap_or(&Value::Null);
    let mut call = SearchCall::default();
    let action = read_arguments(arguments, &mut call);
    call.kind = match string("tool_type") {
        "web_search" | "" => native_kind(action.as_deref().unwrap_or(name)),
        "code_execution" => return None,
        _ => kind(name)?,
    };
    let result = string("result").trim();
    if let Some(error) = part.get("error").and_then(Value::as_str).filter(|e| !e.is_empty()) {
        call.error = Some(error.to_owned());
    } else if let Some(code) = error_code(result) {
        call.error = Some(code);
    } else if call.kind == CallKind::Search {
        results::of_text(result, &mut call.results);
    }
    call.status = Some(if call.error.is_some() { "error" } else { "ok" }.to_owned());
    Some(call)
}

/// What a provider's web search tool did. A name that says nothing is a search: it was the search tool, after all.
fn native_kind(name: &str) -> CallKind {
    match kind(name) {
        Some(kind) => kind,
        None if name.is_empty() || bare(name).contains("search") => CallKind::Search,
        None => CallKind::Other,
    }
}

/// The error in a native search's result: a bare code, or an object that has one.
fn error_code(result: &str) -> Option<String> {
    if !result.is_empty() && result.len() <= 64 && result.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    {
        return Some(result.to_owned());
    }
    if !result.starts_with(['{', '"']) {
        return None;
    }
    match serde_json::from_str(result).ok()? {
        Value::String(code) => error_code(&code),
        Value::Object(map) => Some(map.get("error_code")?.as_str()?.to_owned()),
        _ => None,
    }
}

/// Takes queries, address and sources from a call's arguments, an object or JSON in a string; returns the action's type
/// when there is one.
fn read_arguments(arguments: &Value, call: &mut SearchCall) -> Option<String> {
    let parsed;
    let arguments = match arguments {
        Value::String(s) => match serde_json::from_str::<Value>(s) {
            Ok(value) if !value.is_number() => {
                parsed = value;
                &parsed
            }
            _ => arguments,
        },
        other => other,
    };
    match arguments {
        Value::String(s) if !s.trim().is_empty() => call.query = Some(s.clone()),
        Value::Array(_) => set_queries(arguments, call),
        Value::Object(map) => {
            read_object(map, call);
            return map.get("type").and_then(Value::as_str).map(str::to_owned);
        }
        _ => {}
    }
    None
}

fn read_object(map: &Map<String, Value>, call: &mut SearchCall) {
    if let Some(queries) = map.get("queries") {
        set_queries(queries, call);
    }
    if call.query.is_none()
        && let Some(query) = QUERY.iter().find_map(|name| map.get(*name).filter(|q| !q.is_null()))
    {
        set_queries(query, call);
    }
    call.url = ["url", "link", "uri"].iter().find_map(|n| map.get(*n)?.as_str().map(str::to_owned));
    if let Some(pattern) = map.get("pattern").and_then(Value::as_str) {
        call.query.get_or_insert_with(|| pattern.to_owned());
    }
    if let Some(sources) = map.get("sources") {
        results::of_value(sources, &mut call.results, 0);
    }
}

/// One query, or several: strings, or objects with a query each.
fn set_queries(value: &Value, call: &mut SearchCall) {
    let mut queries: Vec<String> = match value {
        Value::String(s) => vec![s.clone()],
        Value::Array(list) => list
            .iter()
            .filter_map(|q| q.as_str().or_else(|| q.get("query").or_else(|| q.get("q"))?.as_str()))
            .map(str::to_owned)
            .collect(),
        Value::Object(map) => {
            map.get("query").and_then(Value::as_str).map(str::to_owned).into_iter().collect()
        }
        _ => Vec::new(),
    };
    queries.retain(|q| !q.trim().is_empty());
    if queries.len() > 1 {
        call.query = queries.first().cloned();
        call.queries = queries;
    } else if let Some(only) = queries.pop() {
        call.query = Some(only);
    }
}
