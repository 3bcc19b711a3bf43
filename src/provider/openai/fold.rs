//! Reading the events, or the one object, of a Responses answer. Whatever is unknown is passed over.

use std::collections::HashSet;

use serde_json::Value;

use crate::provider::draft::{Draft, Place};
use crate::provider::fault::{Fault, Kind};
use crate::provider::said;
use crate::record::{CallKind, Citation, SearchResult, Usage};

/// The reader of one answer.
#[derive(Debug, Default)]
pub(in crate::provider) struct Fold {
    /// A terminal event came.
    done: bool,
    /// Items that are remarks before the answer.
    remarks: HashSet<u64>,
    refusal: String,
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

fn number(value: &Value, key: &str) -> u64 {
    value.get(key).and_then(Value::as_u64).unwrap_or(0)
}

impl Fold {
    /// Whether the answer is over.
    pub(in crate::provider) const fn is_done(&self) -> bool {
        self.done
    }

    /// Takes one event, or a whole answer.
    pub(in crate::provider) fn take(&mut self, event: &Value, draft: &mut Draft) {
        let place: Place = (1, number(event, "output_index"), number(event, "content_index"));
        let is_answer = !self.remarks.contains(&place.1);
        match text(event, "type").unwrap_or_default() {
            "response.created" | "response.in_progress" | "response.queued" => {
                if let Some(response) = event.get("response") {
                    draft.accepted(text(response, "model"), text(response, "id"));
                }
            }
            "response.output_item.added" | "response.output_item.done" => {
                if let Some(item) = event.get("item") {
                    self.item(place.1, item, draft);
                }
            }
            "response.web_search_call.in_progress"
            | "response.web_search_call.searching"
            | "response.web_search_call.completed" => {
                let id = call_id(text(event, "item_id"), place.1);
                let at = draft.call(&id, CallKind::Search);
                let word = text(event, "type").and_then(|t| t.rsplit('.').next());
                draft.status(at, word.unwrap_or_default());
            }
            "response.output_text.delta" => {
                draft.add_text(place, text(event, "delta").unwrap_or_default(), is_answer);
            }
            "response.output_text.done" => {
                if let Some(whole) = text(event, "text") {
                    draft.set_text(place, whole, is_answer);
                }
            }
            "response.content_part.done" => {
                if let Some(part) = event.get("part") {
                    self.part(place, part, is_answer, draft);
                }
            }
            "response.output_text.annotation.added" => {
                if let Some(annotation) = event.get("annotation") {
                    let n = event.get("annotation_index").and_then(Value::as_u64);
                    let n = n.unwrap_or_else(|| draft.citations_at(place));
                    cite(place, n, annotation, draft);
                }
            }
            "response.refusal.delta" => self.refusal.push_str(text(event, "delta").unwrap_or_default()),
            "response.refusal.done" => {
                if let Some(whole) = text(event, "refusal") {
                    whole.clone_into(&mut self.refusal);
                }
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                draft.reason(text(event, "delta").unwrap_or_default());
            }
            "response.completed" | "response.incomplete" | "response.failed" => {
                self.finish(event.get("response").unwrap_or(&Value::Null), draft);
                if draft.stop.is_none() {
                    let word = text(event, "type").and_then(|t| t.rsplit('.').next());
                    draft.stop = word.map(str::to_owned);
                }
            }
            "error" => self.error(event, draft),
            _ if event.get("output").is_some_and(Value::is_array) => self.finish(event, draft),
            _ if event.get("error").is_some_and(|e| !e.is_null()) => self.error(event, draft),
            _ => {}
        }
    }

    fn error(&mut self, event: &Value, draft: &mut Draft) {
        let unknown = || Fault::new(Kind::Server, "the stream reports an error without a reason");
        draft.error = Some(said::of_json(event, None).unwrap_or_else(unknown));
        self.done = true;
    }

    /// An item, as far as it is known.
    fn item(&mut self, index: u64, item: &Value, draft: &mut Draft) {
        match text(item, "type").unwrap_or_default() {
            "web_search_call" => search(index, item, draft),
            "message" => {
                if text(item, "phase") == Some("commentary") {
                    self.remarks.insert(index);
                }
                let is_answer = !self.remarks.contains(&index);
                let parts = item.get("content").and_then(Value::as_array);
                for (at, part) in parts.into_iter().flatten().enumerate() {
                    self.part((1, index, at as u64), part, is_answer, draft);
                }
            }
            _ => {}
        }
    }

    fn part(&mut self, place: Place, part: &Value, is_answer: bool, draft: &mut Draft) {
        if let Some(refusal) = text(part, "refusal") {
            refusal.clone_into(&mut self.refusal);
        }
        // Servers for older models give a part's text under this type too.
        if !matches!(text(part, "type"), Some("output_text" | "text")) {
            return;
        }
        if let Some(whole) = text(part, "text") {
            draft.set_text(place, whole, is_answer);
        }
        let annotations = part.get("annotations").and_then(Value::as_array);
        for (n, annotation) in annotations.into_iter().flatten().enumerate() {
            cite(place, n as u64, annotation, draft);
        }
    }

    /// The whole answer, which wins over its pieces.
    fn finish(&mut self, response: &Value, draft: &mut Draft) {
        self.done = true;
        draft.accepted(text(response, "model"), text(response, "id"));
        let output = response.get("output").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        if !matches!(text(response, "status"), Some("failed" | "cancelled")) {
            self.settle(output, draft);
        }
        for (index, item) in output.iter().enumerate() {
            self.item(index as u64, item, draft);
        }
        draft.flush();
        draft.stop = text(response, "status").map(str::to_owned);
        Self::usage(response, draft);
        if let Some(reason) = response.pointer("/incomplete_details/reason").and_then(Value::as_str) {
            draft.extra.insert("incomplete_reason".into(), reason.into());
            if reason == "content_filter" {
                draft.error = Some(Fault::new(Kind::Refusal, "stopped by the provider's content filter"));
            }
        }
        if !self.refusal.is_empty() {
            draft.error = Some(Fault::new(Kind::Refusal, self.refusal.clone()));
        }
        if response.get("error").is_some_and(|e| !e.is_null()) {
            draft.error = said::of_json(response, None).or_else(|| draft.error.take());
        }
        if draft.stop.as_deref() == Some("failed") && draft.error.is_none() {
            draft.error = Some(Fault::new(Kind::Server, "the provider gave no reason"));
        }
    }

    /// Puts the parts where the whole answer has them: servers that count the items of a stream otherwise would have
    /// their text read twice.
    fn settle(&mut self, output: &[Value], draft: &mut Draft) {
        let messages = output.iter().enumerate().filter(|(_, item)| text(item, "type") == Some("message"));
        let is_text = |part: &Value| matches!(text(part, "type"), Some("output_text" | "text"));
        let mut parts = Vec::new();
        let mut cites = false;
        let mut remarks = HashSet::new();
        for (index, item) in messages {
            let is_remark = text(item, "phase") == Some("commentary");
            if is_remark {
                remarks.insert(index as u64);
            }
            let content = item.get("content").and_then(Value::as_array);
            for (at, part) in content.into_iter().flatten().enumerate().filter(|(_, part)| is_text(part)) {
                let whole = text(part, "text").unwrap_or_default().to_owned();
                cites |= part.get("annotations").and_then(Value::as_array).is_some_and(|a| !a.is_empty());
                parts.push(((1, index as u64, at as u64), whole, !is_remark));
            }
        }
        if parts.iter().any(|(_, whole, _)| !whole.is_empty()) {
            self.remarks = remarks;
            draft.settle(parts, cites);
        }
    }

    fn usage(response: &Value, draft: &mut Draft) {
        let Some(usage) = response.get("usage").filter(|u| u.is_object()) else { return };
        let of = |path: &str| usage.pointer(path).and_then(Value::as_u64);
        // The provider's own count is what it bills; the calls are at least as many.
        let billed = response.pointer("/tool_usage/web_search/num_requests").and_then(Value::as_u64);
        let counted = Some(draft.searches()).filter(|n| *n > 0);
        let mut used = Usage {
            input_tokens: of("/input_tokens"),
            output_tokens: of("/output_tokens"),
            reasoning_tokens: of("/output_tokens_details/reasoning_tokens"),
            cached_tokens: of("/input_tokens_details/cached_tokens"),
            search_requests: billed.or(counted),
            ..Usage::default()
        };
        if let Some(written) = of("/input_tokens_details/cache_write_tokens").filter(|n| *n > 0) {
            used.extra.insert("cache_write_tokens".into(), written.into());
        }
        draft.used(used);
    }
}

fn call_id(id: Option<&str>, index: u64) -> String {
    id.filter(|id| !id.is_empty()).map_or_else(|| format!("item {index}"), str::to_owned)
}

/// A step of the search tool. The query is told only when it is over; older tools do not tell it at all.
fn search(index: u64, item: &Value, draft: &mut Draft) {
    let id = call_id(text(item, "id"), index);
    let action = item.get("action").filter(|a| a.is_object());
    let kind = match action.and_then(|a| text(a, "type")) {
        None | Some("search") => CallKind::Search,
        Some("open_page") => CallKind::OpenPage,
        Some("find_in_page") => CallKind::FindInPage,
        Some(_) => CallKind::Other,
    };
    let at = draft.call(&id, kind);
    // xAI's form of an action.
    let arguments = text(item, "arguments").and_then(|a| serde_json::from_str::<Value>(a).ok());
    let empty = Value::Null;
    let action = action.or(arguments.as_ref()).unwrap_or(&empty);
    if kind != CallKind::Search {
        draft.page(at, kind, text(action, "url"), text(action, "pattern"));
    }
    let several = action.get("queries").and_then(Value::as_array);
    let mut queries: Vec<String> =
        several.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    if queries.is_empty() {
        queries.extend(text(action, "query").map(str::to_owned));
    }
    draft.queries(at, queries);
    if let Some(sources) = action.get("sources").and_then(Value::as_array) {
        draft.results(at, sources.iter().filter_map(source).collect());
    }
    match text(item, "status") {
        Some("failed") => {
            draft.status(at, "failed");
            draft.call_failed(at, item.pointer("/error/code").and_then(Value::as_str).unwrap_or("failed"));
        }
        Some(word) => draft.status(at, word),
        None => {}
    }
}

/// An address, or the name of a data service of the provider's own.
fn source(source: &Value) -> Option<SearchResult> {
    let url = text(source, "url").or_else(|| text(source, "name"))?;
    let title = text(source, "title").map(str::to_owned);
    Some(SearchResult { url: url.to_owned(), title, ..SearchResult::default() })
}

fn cite(place: Place, n: u64, annotation: &Value, draft: &mut Draft) {
    let Some(url) = text(annotation, "url") else { return };
    let mut citation = Citation {
        url: url.to_owned(),
        title: text(annotation, "title").map(str::to_owned),
        ..Citation::default()
    };
    for key in ["start_index", "end_index"] {
        if let Some(value) = annotation.get(key).filter(|v| v.is_number()) {
            citation.extra.insert(key.to_owned(), value.clone());
        }
    }
    draft.cite(place, n, citation);
}
