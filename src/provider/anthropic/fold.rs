//! Reading the events, or the one object, of a Messages answer. Whatever is unknown is passed over.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::block::Block;
use super::counts::Counts;
use crate::provider::draft::{Draft, Place};
use crate::provider::fault::{Fault, Kind};
use crate::provider::said;
use crate::record::{CallKind, Citation, SearchResult};

/// The reader of one answer, over as many rounds as it takes.
#[derive(Debug)]
pub(in crate::provider) struct Fold {
    round: u32,
    done: bool,
    /// A message began in this round.
    begun: bool,
    blocks: BTreeMap<u64, Block>,
    /// The usage of earlier rounds, and of this one.
    earlier: Counts,
    counts: Counts,
    /// The content of the rounds that are over.
    turns: Vec<Vec<Box<RawValue>>>,
}

/// The blocks and citations of an event, as bytes.
#[derive(Debug, Default, Deserialize)]
struct Raws {
    #[serde(default)]
    content_block: Option<Box<RawValue>>,
    #[serde(default)]
    delta: Option<RawDelta>,
    #[serde(default)]
    content: Option<Vec<Box<RawValue>>>,
}

#[derive(Debug, Default, Deserialize)]
struct RawDelta {
    #[serde(default)]
    citation: Option<Box<RawValue>>,
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}

impl Default for Fold {
    fn default() -> Self {
        Self {
            round: 1,
            done: false,
            begun: false,
            blocks: BTreeMap::new(),
            earlier: Counts::default(),
            counts: Counts::default(),
            turns: Vec::new(),
        }
    }
}

impl Fold {
    /// Whether this round is over.
    pub(in crate::provider) const fn is_done(&self) -> bool {
        self.done
    }

    /// Begins the next round of a paused turn: the assistant's turns so far.
    pub(in crate::provider) fn next_round(&mut self) -> &[Vec<Box<RawValue>>] {
        let blocks = std::mem::take(&mut self.blocks);
        self.turns.push(blocks.values().map(Block::whole).collect());
        self.earlier = self.earlier.plus(self.counts);
        self.counts = Counts::default();
        self.round += 1;
        self.done = false;
        self.begun = false;
        &self.turns
    }

    /// Takes one event, or a whole answer. `data` is what `event` was read from.
    pub(in crate::provider) fn take(&mut self, event: &Value, data: &str, draft: &mut Draft) {
        let index = event.get("index").and_then(Value::as_u64).unwrap_or(0);
        match text(event, "type").unwrap_or_default() {
            "message_start" => {
                if std::mem::replace(&mut self.begun, true) {
                    draft.note("the stream began a second time; what came before in this round is left out");
                    self.blocks.clear();
                    self.counts = Counts::default();
                    draft.forget_round(self.round);
                }
                let message = event.get("message").unwrap_or(&Value::Null);
                draft.accepted(text(message, "model"), text(message, "id"));
                self.counts.update(message.get("usage").unwrap_or(&Value::Null));
            }
            "content_block_start" => {
                let raw = serde_json::from_str::<Raws>(data).ok().and_then(|r| r.content_block);
                if let (Some(raw), Some(block)) = (raw, event.get("content_block")) {
                    self.start(index, raw, block, draft);
                }
            }
            "content_block_delta" => self.delta(index, event, data, draft),
            "content_block_stop" => self.stop(index, draft),
            "message_delta" => {
                Self::ending(event.get("delta").unwrap_or(&Value::Null), draft);
                self.counts.update(event.get("usage").unwrap_or(&Value::Null));
            }
            "message_stop" => self.finish(draft),
            "message" => self.whole(event, data, draft),
            "error" => self.error(event, draft),
            _ if event.get("error").is_some_and(|e| !e.is_null()) => self.error(event, draft),
            _ if event.get("content").is_some_and(Value::is_array) => self.whole(event, data, draft),
            _ => {}
        }
    }

    fn error(&mut self, event: &Value, draft: &mut Draft) {
        let unknown = || Fault::new(Kind::Server, "the stream reports an error without a reason");
        if let Some(id) = text(event, "request_id") {
            draft.request_id = Some(id.to_owned());
        }
        draft.error = Some(said::of_json(event, None).unwrap_or_else(unknown));
        self.done = true;
    }

    const fn place(&self, index: u64) -> Place {
        (self.round, index, 0)
    }

    fn call_id(&self, id: Option<&str>, index: u64) -> String {
        id.filter(|id| !id.is_empty())
            .map_or_else(|| format!("round {} block {index}", self.round), str::to_owned)
    }

    fn start(&mut self, index: u64, raw: Box<RawValue>, block: &Value, draft: &mut Draft) {
        let kind = text(block, "type").unwrap_or_default();
        match kind {
            "text" => {
                if let Some(begin) = text(block, "text").filter(|t| !t.is_empty()) {
                    draft.add_text(self.place(index), begin, true);
                }
                let citations = block.get("citations").and_then(Value::as_array);
                for (n, citation) in citations.into_iter().flatten().enumerate() {
                    cite(self.place(index), n as u64, citation, draft);
                }
            }
            "thinking" => draft.reason(text(block, "thinking").unwrap_or_default()),
            "server_tool_use" => {
                draft.remarks_end();
                let id = self.call_id(text(block, "id"), index);
                let at = draft.call(&id, tool_kind(block));
                input(at, tool_kind(block), block.get("input").unwrap_or(&Value::Null), draft);
            }
            _ if kind.ends_with("_tool_result") => {
                draft.remarks_end();
                let id = self.call_id(text(block, "tool_use_id"), index);
                let kind = if kind.starts_with("web_search") { CallKind::Search } else { CallKind::Other };
                let at = draft.call(&id, kind);
                result(at, block.get("content").unwrap_or(&Value::Null), draft);
            }
            _ => {}
        }
        self.blocks.insert(index, Block::new(raw, block));
    }

    fn delta(&mut self, index: u64, event: &Value, data: &str, draft: &mut Draft) {
        let place = self.place(index);
        let (Some(block), Some(delta)) = (self.blocks.get_mut(&index), event.get("delta")) else { return };
        match text(delta, "type").unwrap_or_default() {
            "text_delta" => {
                let piece = text(delta, "text").unwrap_or_default();
                block.add_text(piece);
                draft.add_text(place, piece, true);
            }
            "input_json_delta" => block.add_input(text(delta, "partial_json").unwrap_or_default()),
            "thinking_delta" => {
                let piece = text(delta, "thinking").unwrap_or_default();
                block.add_thinking(piece);
                draft.reason(piece);
            }
            "signature_delta" => block.add_signature(text(delta, "signature").unwrap_or_default()),
            "citations_delta" => {
                let raw = serde_json::from_str::<Raws>(data).ok().and_then(|r| r.delta?.citation);
                if let (Some(raw), Some(citation)) = (raw, delta.get("citation")) {
                    block.add_citation(raw);
                    cite(place, draft.citations_at(place), citation, draft);
                }
            }
            _ => {}
        }
    }

    /// A block is over: a tool's input is known now.
    fn stop(&self, index: u64, draft: &mut Draft) {
        let Some(block) = self.blocks.get(&index).filter(|b| !b.input.is_empty()) else { return };
        let Ok(start) = serde_json::from_str::<Value>(block.whole().get()) else { return };
        if text(&start, "type") == Some("server_tool_use") {
            let at = draft.call(&self.call_id(text(&start, "id"), index), tool_kind(&start));
            input(at, tool_kind(&start), &block.input_value().unwrap_or(Value::Null), draft);
        }
    }

    fn ending(delta: &Value, draft: &mut Draft) {
        if let Some(reason) = text(delta, "stop_reason") {
            draft.stop = Some(reason.to_owned());
        }
        if let Some(details) = delta.get("stop_details").filter(|d| d.is_object()) {
            draft.extra.insert("stop_details".into(), details.clone());
        }
    }

    /// The round is over.
    fn finish(&mut self, draft: &mut Draft) {
        self.done = true;
        draft.flush();
        let mut usage = self.earlier.plus(self.counts).usage();
        if usage.search_requests.is_none() {
            // Servers that leave the count out still show the searches.
            usage.search_requests = Some(draft.searches()).filter(|n| *n > 0);
        }
        draft.used(usage);
        if draft.stop.as_deref() == Some("refusal") {
            let why = draft.extra.get("stop_details").and_then(|d| text(d, "explanation"));
            let why = why.unwrap_or("the provider gave no reason").to_owned();
            draft.error = Some(Fault::new(Kind::Refusal, why));
        }
    }

    /// An answer that was not streamed: the same steps, all at once.
    fn whole(&mut self, message: &Value, data: &str, draft: &mut Draft) {
        draft.accepted(text(message, "model"), text(message, "id"));
        self.begun = true;
        let raws = serde_json::from_str::<Raws>(data).ok().and_then(|r| r.content).unwrap_or_default();
        let blocks = message.get("content").and_then(Value::as_array);
        for (index, (raw, block)) in raws.into_iter().zip(blocks.into_iter().flatten()).enumerate() {
            self.start(index as u64, raw, block, draft);
        }
        Self::ending(message, draft);
        self.counts.update(message.get("usage").unwrap_or(&Value::Null));
        self.finish(draft);
    }
}

fn tool_kind(block: &Value) -> CallKind {
    match text(block, "name") {
        Some("web_search") => CallKind::Search,
        Some("web_fetch") => CallKind::OpenPage,
        _ => CallKind::Other,
    }
}

/// What a tool was asked.
fn input(at: usize, kind: CallKind, input: &Value, draft: &mut Draft) {
    if let Some(query) = text(input, "query").filter(|_| kind == CallKind::Search) {
        draft.queries(at, vec![query.to_owned()]);
    }
    if let Some(url) = text(input, "url").filter(|_| kind == CallKind::OpenPage) {
        draft.page(at, kind, Some(url), None);
    }
}

/// What a tool gave: a list of results, an error, or another tool's business.
fn result(at: usize, content: &Value, draft: &mut Draft) {
    if let Some(results) = content.as_array() {
        draft.status(at, "ok");
        draft.results(at, results.iter().filter_map(found).collect());
    } else if let Some(code) = text(content, "error_code") {
        draft.call_failed(at, code);
        if code == "max_uses_exceeded" {
            draft.note("search cap reached: the model wanted to search more often than it may");
        }
    } else {
        draft.status(at, "ok");
    }
}

fn found(result: &Value) -> Option<SearchResult> {
    Some(SearchResult {
        url: text(result, "url")?.to_owned(),
        title: text(result, "title").map(str::to_owned),
        published: text(result, "page_age").map(str::to_owned),
        ..SearchResult::default()
    })
}

fn cite(place: Place, n: u64, citation: &Value, draft: &mut Draft) {
    let Some(url) = text(citation, "url") else { return };
    let citation = Citation {
        url: url.to_owned(),
        title: text(citation, "title").map(str::to_owned),
        quote: text(citation, "cited_text").map(str::to_owned),
        ..Citation::default()
    };
    draft.cite(place, n, citation);
}
