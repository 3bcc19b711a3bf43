//! The three shapes in which a search is stored.

use serde_json::{Value, json};

use super::super::tools::kind;
use super::{attempt, sample};
use crate::record::{Attempt, CallKind};

/// An attempt whose model said these messages.
fn said(messages: Value) -> Attempt {
    let mut s = sample("q1", "Ada");
    s["output"] = json!({"model": "gpt-x", "choices": [{"message": messages.as_array().unwrap().last().unwrap(), "stop_reason": "stop"}]});
    s["messages"] = messages;
    attempt(&s)
}

#[test]
fn client_tools_are_matched_with_what_they_brought() {
    let a = said(json!([
        {"role": "user", "content": "Who?"},
        {"role": "assistant", "content": "", "id": "m1", "tool_calls": [
            {"id": "1", "function": "tavily_search", "arguments": {"query": "ada"}, "type": "function"},
            {"id": "2", "function": "mcp__brave__brave_web_search", "arguments": "{\"q\": \"lovelace\"}", "type": "function"},
            {"id": "3", "function": "python", "arguments": {"code": "1"}, "type": "function"},
            {"id": "4", "function": "web_fetch", "arguments": {"url": "https://a.org/x"}, "type": "function"}]},
        {"role": "tool", "tool_call_id": "2", "content": [{"type": "text", "text": "{\"web\": {\"results\": [{\"link\": \"https://b.org\", \"name\": \"B\", \"age\": \"2 days\"}]}}"}]},
        {"role": "tool", "tool_call_id": "1", "content": "See (https://a.org/x), and https://a.org/y. Again https://a.org/x"},
        {"role": "tool", "tool_call_id": "4", "content": "text of the page at https://c.org"},
        {"role": "assistant", "content": "", "id": "m2", "tool_calls": [
            {"id": "5", "function": "search", "arguments": {}, "parse_error": "not JSON", "type": "function"},
            {"id": "6", "function": "web_search", "arguments": {"queries": ["one", {"query": "two"}, ""]}, "type": "function"}]},
        {"role": "tool", "tool_call_id": "5", "content": "", "error": {"type": "parsing", "message": "bad"}},
        {"role": "tool", "tool_call_id": "6", "content": "", "error": {"type": "timeout", "message": "slow"}},
        {"role": "assistant", "content": "Ada", "id": "m3"}]));
    assert_eq!((a.calls(), a.search_calls.len()), (4, 5));
    assert_eq!(a.search_calls.iter().map(|c| c.n).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let urls = |n: usize| a.search_calls[n].results.iter().map(|r| r.url.as_str()).collect::<Vec<_>>();
    assert_eq!(
        (a.search_calls[0].query.as_deref(), urls(0)),
        (Some("ada"), vec!["https://a.org/x", "https://a.org/y"])
    );
    let second = &a.search_calls[1];
    assert_eq!((second.query.as_deref(), urls(1)), (Some("lovelace"), vec!["https://b.org"]));
    assert_eq!(
        (second.results[0].title.as_deref(), second.results[0].published.as_deref()),
        (Some("B"), Some("2 days"))
    );
    let open = &a.search_calls[2];
    assert_eq!((open.kind, open.url.as_deref()), (CallKind::OpenPage, Some("https://a.org/x")));
    assert!(open.results.is_empty());
    assert_eq!(
        (a.search_calls[3].status.as_deref(), a.search_calls[3].error.as_deref()),
        (Some("error"), Some("parsing"))
    );
    let failed = &a.search_calls[4];
    assert_eq!(
        (failed.query.as_deref(), failed.queries.clone()),
        (Some("one"), vec!["one".to_owned(), "two".to_owned()])
    );
    assert_eq!((failed.error.as_deref(), &failed.extra["error_message"]), (Some("timeout"), &json!("slow")));
    assert_eq!(a.answer.as_deref(), Some("Ada"));
}

#[test]
fn openai_tool_use_has_its_action_in_the_arguments() {
    let use_ = |name: &str, arguments: &str| json!({"type": "tool_use", "tool_type": "web_search", "id": "ws", "name": name, "arguments": arguments, "result": ""});
    let a = said(json!([{"role": "assistant", "id": "m", "content": [
        {"type": "reasoning", "reasoning": "let me look"},
        use_("search", r#"{"type": "search", "query": "ada", "queries": ["ada", "lovelace"], "sources": [{"type": "url", "url": "https://a.org/p?utm_source=openai"}]}"#),
        use_("open_page", r#"{"type": "open_page", "url": "https://a.org/p"}"#),
        use_("find_in_page", r#"{"type": "find_in_page", "url": "https://a.org/p", "pattern": "born"}"#),
        use_("web_search", ""),
        {"type": "text", "text": "Ada ", "citations": [{"type": "url", "url": "https://a.org/p/", "title": "P", "cited_text": [0, 3]}]},
        {"type": "text", "text": "Lovelace", "citations": [
            {"type": "url", "url": "https://a.org/p/", "title": "P", "cited_text": [0, 3]},
            {"type": "document", "title": "no address"}]}]}]));
    assert_eq!(a.raw.as_deref(), Some("Ada Lovelace"));
    assert_eq!((a.calls(), a.search_calls.len()), (2, 4));
    assert_eq!(a.search_calls[0].all_queries().collect::<Vec<_>>(), ["ada", "lovelace"]);
    assert_eq!(a.search_calls[0].results[0].cited, Some(true));
    assert_eq!(
        (a.search_calls[1].kind, a.search_calls[1].url.as_deref()),
        (CallKind::OpenPage, Some("https://a.org/p"))
    );
    assert_eq!(
        (a.search_calls[2].kind, a.search_calls[2].query.as_deref()),
        (CallKind::FindInPage, Some("born"))
    );
    // A search of which nothing is told is still one.
    assert_eq!((a.search_calls[3].kind, a.search_calls[3].query.as_deref()), (CallKind::Search, None));
    assert_eq!(a.citations.len(), 1);
    assert_eq!((a.citations[0].title.as_deref(), a.citations[0].quote.as_deref()), (Some("P"), None));
}

#[test]
fn anthropic_tool_use_has_results_or_an_error_code() {
    let use_ = |name: &str, arguments: &str, result: &str| json!({"type": "tool_use", "tool_type": "web_search", "id": "s", "name": name, "arguments": arguments, "result": result});
    let results = r#"[{"type": "web_search_result", "url": "https://a.org/1", "title": "One", "page_age": "April 30, 2025", "encrypted_content": "x"}, {"url": "https://a.org/2", "title": "Two", "page_age": null}]"#;
    let mut failed = use_("web_search", r#"{"query": "c"}"#, "");
    failed["error"] = json!("too_many_requests");
    let a = said(json!([{"role": "assistant", "content": [
        use_("web_search", r#"{"query": "a"}"#, results),
        use_("web_search", r#"{"query": "b"}"#, "max_uses_exceeded"),
        use_("web_search", r#"{"query": "b"}"#, r#"{"type": "web_search_tool_result_error", "error_code": "unavailable"}"#),
        failed,
        use_("web_fetch", r#"{"url": "https://a.org/2"}"#, "…"),
        {"type": "tool_use", "tool_type": "code_execution", "id": "c", "name": "bash", "arguments": "{}", "result": "https://x.org"},
        {"type": "text", "text": "Ada", "citations": [{"type": "url", "url": "https://a.org/2", "title": "Two", "cited_text": "Ada was"}]}]}]));
    assert_eq!((a.calls(), a.search_calls.len()), (4, 5));
    let first = &a.search_calls[0].results;
    assert_eq!(
        (first.len(), first[0].published.as_deref(), first[0].cited),
        (2, Some("April 30, 2025"), None)
    );
    assert_eq!((first[1].published.as_deref(), first[1].cited), (None, Some(true)));
    assert!(first[0].extra.is_empty());
    let errors: Vec<_> = a.search_calls.iter().map(|c| c.error.as_deref()).collect();
    assert_eq!(
        errors,
        [None, Some("max_uses_exceeded"), Some("unavailable"), Some("too_many_requests"), None]
    );
    assert_eq!(a.search_calls[4].kind, CallKind::OpenPage);
    assert_eq!(a.citations[0].quote.as_deref(), Some("Ada was"));
}

#[test]
fn what_the_input_brought_along_is_no_search_of_the_model() {
    let a = said(json!([
        {"role": "assistant", "source": "input", "content": "", "tool_calls": [{"id": "1", "function": "web_search", "arguments": {"query": "example"}}]},
        {"role": "tool", "tool_call_id": "1", "content": "[]"},
        {"role": "user", "content": "Who?"},
        {"role": "assistant", "source": "generate", "content": "Ada"}]));
    assert_eq!(a.search_calls.len(), 0);
}

#[test]
fn an_output_that_is_not_among_the_messages_counts_too() {
    let mut s = sample("q1", "Ada");
    s["messages"] =
        json!([{"role": "user", "content": "Who?"}, {"role": "assistant", "id": "m1", "content": "wait"}]);
    s["output"]["choices"][0]["message"] = json!({"role": "assistant", "id": "m2", "content": [
        {"type": "tool_use", "tool_type": "web_search", "id": "w", "name": "web_search", "arguments": "{\"query\":\"q\"}", "result": ""},
        {"type": "text", "text": "Ada"}]});
    assert_eq!(attempt(&s).calls(), 1);
    s["messages"][1]["id"] = json!("m2");
    s["messages"][1]["content"] = s["output"]["choices"][0]["message"]["content"].clone();
    assert_eq!(attempt(&s).calls(), 1);
}

#[test]
fn attachments_are_put_back_in_both_notations() {
    for scheme in ["attachment", "tc"] {
        let mut s = sample("q1", "Ada");
        s["input"] = json!(format!("{scheme}://0a"));
        s["attachments"] = json!({"0a": "A long question?", "0b": "Ada at length"});
        s["output"]["choices"][0]["message"]["content"] = json!(format!("{scheme}://0b"));
        let a = attempt(&s);
        assert_eq!(a.question.as_deref(), Some("A long question?"), "{scheme}");
        assert_eq!(a.raw.as_deref(), Some("Ada at length"));
    }
    let mut s = sample("q1", "Ada");
    s["input"] = json!("attachment://gone");
    assert_eq!(attempt(&s).question.as_deref(), Some("attachment://gone"));
}

#[test]
fn tools_are_known_by_name() {
    for name in [
        "web_search",
        "WebSearch",
        "inspect_ai/web_search",
        "mcp__exa__web_search_exa",
        "google-search",
        "wikipedia_search",
    ] {
        assert_eq!(kind(name), Some(CallKind::Search), "{name}");
    }
    for name in [
        "file_search",
        "code_search",
        "search_files",
        "grep",
        "submit",
        "python",
        "tool_search",
        "memory_search",
    ] {
        assert_eq!(kind(name), None, "{name}");
    }
    assert_eq!(kind("fetch"), Some(CallKind::OpenPage));
    assert_eq!(kind("find_in_page"), Some(CallKind::FindInPage));
}
