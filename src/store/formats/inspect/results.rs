//! What a search brought back, and what of it the answer cites.

use serde_json::Value;
use std::collections::HashSet;

use crate::record::{Citation, SearchCall, SearchResult};

use super::messages::text_of;

/// Under which names services put the list of results.
const LISTS: [&str; 12] = [
    "results",
    "organic",
    "organic_results",
    "items",
    "data",
    "web",
    "webPages",
    "value",
    "hits",
    "documents",
    "sources",
    "search_results",
];
const URLS: [&str; 6] = ["url", "link", "href", "uri", "docid", "source_url"];
const TITLES: [&str; 3] = ["title", "name", "heading"];
const DATES: [&str; 6] = ["page_age", "published", "published_date", "publishedDate", "date", "age"];
const SNIPPETS: [&str; 6] = ["snippet", "content", "description", "text", "summary", "body"];
/// Addresses taken from running text, at most.
const LOOSE: usize = 50;

/// The results in a tool message: JSON in any of the usual shapes, else citations, else addresses in the text.
pub(super) fn of_content(content: &Value, out: &mut Vec<SearchResult>) {
    let text = text_of(content);
    if of_text(&text, out) {
        return;
    }
    let before = out.len();
    for part in content.as_array().into_iter().flatten() {
        for cited in part.get("citations").and_then(Value::as_array).into_iter().flatten() {
            let Some(c) = citation(cited) else { continue };
            if !out.iter().any(|r| r.url == c.url) {
                let mut result = SearchResult { url: c.url, title: c.title, ..SearchResult::default() };
                if let Some(quote) = c.quote {
                    result.extra.insert("snippet".to_owned(), Value::String(quote));
                }
                out.push(result);
            }
        }
    }
    if out.len() == before {
        loose(&text, out);
    }
}

/// The results in a text that is JSON; false when it is none.
pub(super) fn of_text(text: &str, out: &mut Vec<SearchResult>) -> bool {
    let text = text.trim();
    if !text.starts_with(['[', '{']) {
        return false;
    }
    let Ok(value) = serde_json::from_str::<Value>(text) else { return false };
    of_value(&value, out, 0);
    true
}

/// The results in a value.
pub(super) fn of_value(value: &Value, out: &mut Vec<SearchResult>, depth: usize) {
    match value {
        Value::Array(list) if depth < 4 => list.iter().for_each(|v| of_value(v, out, depth + 1)),
        Value::String(s) if depth > 0 && is_url(s) => {
            out.push(SearchResult { url: s.clone(), ..SearchResult::default() });
        }
        Value::Object(map) => {
            let string = |names: &[&str]| {
                names.iter().find_map(|n| map.get(*n)?.as_str().filter(|s| !s.is_empty()).map(str::to_owned))
            };
            if let Some(url) = string(&URLS) {
                let mut result = SearchResult {
                    url,
                    title: string(&TITLES),
                    published: string(&DATES),
                    ..SearchResult::default()
                };
                if let Some(snippet) = string(&SNIPPETS) {
                    result.extra.insert("snippet".to_owned(), Value::String(snippet));
                }
                out.push(result);
            } else if depth < 4 {
                for list in LISTS.iter().filter_map(|n| map.get(*n)) {
                    if list.is_array() || list.is_object() {
                        of_value(list, out, depth + 1);
                    }
                }
            }
        }
        _ => {}
    }
}

fn is_url(s: &str) -> bool {
    s.starts_with("https://") || s.starts_with("http://")
}

/// Addresses in running text, each once.
fn loose(text: &str, out: &mut Vec<SearchResult>) {
    let mut seen: HashSet<&str> = HashSet::new();
    let mut rest = text;
    while let Some(at) = rest.find("http") {
        rest = rest.get(at..).unwrap_or_default();
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '\\' | '`' | '|' | ']' | '}'))
            .unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let mut url = word.trim_end_matches(['.', ',', ';', ':', '\'', '!', '?', '*']);
        if !url.contains('(') {
            url = url.split(')').next().unwrap_or(url);
        }
        if is_url(url) && url.len() > "https://".len() && seen.len() < LOOSE && seen.insert(url) {
            out.push(SearchResult { url: url.to_owned(), ..SearchResult::default() });
        }
        rest = if end == 0 { rest.get(4..).unwrap_or_default() } else { after };
    }
}

/// A citation of a page; `None` for one of a document without an address.
pub(super) fn citation(cited: &Value) -> Option<Citation> {
    let string = |name: &str| cited.get(name)?.as_str().filter(|s| !s.is_empty()).map(str::to_owned);
    Some(Citation {
        url: string("url")?,
        title: string("title"),
        quote: string("cited_text"),
        ..Citation::default()
    })
}

/// An address without what does not tell pages apart: fragment, `utm_` parameters, a closing slash.
fn page(url: &str) -> String {
    let url = url.split('#').next().unwrap_or(url);
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let query: Vec<&str> = query.split('&').filter(|p| !p.is_empty() && !p.starts_with("utm_")).collect();
    let mut page = base.trim_end_matches('/').to_owned();
    if !query.is_empty() {
        page.push('?');
        page.push_str(&query.join("&"));
    }
    page
}

/// Marks the results that are cited.
pub(super) fn mark_cited(citations: &[Citation], calls: &mut [SearchCall]) {
    if citations.is_empty() {
        return;
    }
    let cited: HashSet<String> = citations.iter().map(|c| page(&c.url)).collect();
    for result in calls.iter_mut().flat_map(|c| c.results.iter_mut()) {
        if cited.contains(&page(&result.url)) {
            result.cited = Some(true);
        }
    }
}
