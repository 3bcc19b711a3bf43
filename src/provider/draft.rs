//! An answer in the making: what both dialects' readers write into, and what becomes a [`super::Reply`].

use std::collections::{BTreeMap, HashSet};

use serde_json::{Map, Value};

use super::domains::same_page;
use super::event::{Event, Shown, line, shown_citation, shown_result};
use super::fault::Fault;
use crate::record::{CallKind, Citation, SearchCall, SearchResult, Usage};
use crate::text::sanitize;

/// Where a piece of text stands: round, item, part.
pub(super) type Place = (u32, u64, u64);

#[derive(Debug, Default, Clone)]
struct Part {
    text: String,
    /// Whether it belongs to the answer, and is not a remark made before it.
    is_answer: bool,
}

/// The answer so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// What happened and has not been handed on.
    pub(super) events: Vec<Event>,
    /// The model, as the server names it.
    pub(super) model: Option<String>,
    /// The answer's id.
    pub(super) response_id: Option<String>,
    /// The request's id, from a header or an error body.
    pub(super) request_id: Option<String>,
    pub(super) usage: Usage,
    /// The provider's word for the end.
    pub(super) stop: Option<String>,
    pub(super) error: Option<Fault>,
    pub(super) notes: Vec<String>,
    /// What the provider says beyond the record's fields.
    pub(super) extra: Map<String, Value>,
    parts: BTreeMap<Place, Part>,
    citations: BTreeMap<(Place, u64), Citation>,
    cited: HashSet<String>,
    calls: Vec<(String, SearchCall)>,
    shown: Shown,
    has_output: bool,
}

impl Draft {
    fn emit(&mut self, event: Event) {
        self.has_output |= event.is_output();
        self.events.push(event);
    }

    /// Whether anything of an answer came.
    pub(super) const fn has_output(&self) -> bool {
        self.has_output
    }

    /// The server answers, and names the model.
    pub(super) fn accepted(&mut self, model: Option<&str>, id: Option<&str>) {
        let is_news = self.model.is_none() && self.response_id.is_none();
        if let Some(model) = model.filter(|m| !m.is_empty()) {
            self.model = Some(model.to_owned());
        }
        if let Some(id) = id.filter(|id| !id.is_empty()) {
            self.response_id = Some(id.to_owned());
        }
        if is_news {
            let model = self.model.as_deref().map(line);
            self.emit(Event::Accepted { model });
        }
    }

    /// Something that the person should know; said once.
    pub(super) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note.clone());
            self.emit(Event::Note(line(&note)));
        }
    }

    /// More reasoning.
    pub(super) fn reason(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.emit(Event::Reasoning(sanitize(piece).into_owned()));
        }
    }

    /// More text.
    pub(super) fn add_text(&mut self, place: Place, piece: &str, is_answer: bool) {
        let part = self.parts.entry(place).or_insert_with(|| Part { text: String::new(), is_answer });
        part.text.push_str(piece);
        let shown = self.shown.push(piece);
        if !shown.is_empty() {
            self.emit(Event::Text(shown));
        }
    }

    /// The whole text of a part, which wins over its pieces.
    pub(super) fn set_text(&mut self, place: Place, whole: &str, is_answer: bool) {
        let part = self.parts.entry(place).or_insert_with(|| Part { text: String::new(), is_answer });
        part.is_answer = is_answer;
        if part.text == whole {
            return;
        }
        if let Some(rest) = whole.strip_prefix(part.text.as_str()) {
            let rest = rest.to_owned();
            self.add_text(place, &rest, is_answer);
            return;
        }
        whole.clone_into(&mut part.text);
        self.shown = Shown::default();
        let all = sanitize(&self.text()).into_owned();
        self.emit(Event::Replaced(all));
    }

    /// All parts as the provider has them in the end, in place of those put together from pieces. `cites`: whether its
    /// citations come with them.
    pub(super) fn settle(&mut self, parts: Vec<(Place, String, bool)>, cites: bool) {
        let before = self.text();
        self.parts =
            parts.into_iter().map(|(place, text, is_answer)| (place, Part { text, is_answer })).collect();
        if cites {
            let parts = &self.parts;
            self.citations.retain(|(place, _), _| parts.contains_key(place));
        }
        let after = self.text();
        if after == before {
            return;
        }
        if let Some(rest) = after.strip_prefix(before.as_str()) {
            let shown = self.shown.push(rest);
            if !shown.is_empty() {
                self.emit(Event::Text(shown));
            }
            return;
        }
        self.shown = Shown::default();
        self.emit(Event::Replaced(sanitize(&after).into_owned()));
    }

    /// Throws everything of a round away: its stream began anew.
    pub(super) fn forget_round(&mut self, round: u32) {
        self.parts.retain(|place, _| place.0 != round);
        self.citations.retain(|(place, _), _| place.0 != round);
        self.shown = Shown::default();
        let all = sanitize(&self.text()).into_owned();
        self.emit(Event::Replaced(all));
    }

    /// Every part, joined with nothing between.
    pub(super) fn text(&self) -> String {
        self.parts.values().map(|p| p.text.as_str()).collect()
    }

    /// The parts that are the answer; all of them where none is marked so.
    pub(super) fn answer_text(&self) -> String {
        let text: String = self.parts.values().filter(|p| p.is_answer).map(|p| p.text.as_str()).collect();
        if text.trim().is_empty() { self.text() } else { text }
    }

    /// Whether no part is a remark, so that the answer's text is the whole text.
    pub(super) fn is_all_answer(&self) -> bool {
        self.parts.values().all(|p| p.is_answer)
    }

    /// Text before this is a remark, not the answer: the model searched after it.
    pub(super) fn remarks_end(&mut self) {
        for part in self.parts.values_mut() {
            part.is_answer = false;
        }
    }

    /// Gives the text that was held back for what might have followed.
    pub(super) fn flush(&mut self) {
        let rest = self.shown.finish();
        if !rest.is_empty() {
            self.emit(Event::Text(rest));
        }
    }

    /// A citation, by its place and its number there.
    pub(super) fn cite(&mut self, place: Place, n: u64, citation: Citation) {
        if self.cited.insert(same_page(&citation.url)) {
            let shown = shown_citation(&citation);
            self.emit(Event::Citation(shown));
        }
        self.citations.insert((place, n), citation);
    }

    /// Citations at a place so far.
    pub(super) fn citations_at(&self, place: Place) -> u64 {
        self.citations.keys().filter(|(p, _)| *p == place).count() as u64
    }

    /// The call of an id, a new one if there is none.
    pub(super) fn call(&mut self, id: &str, kind: CallKind) -> usize {
        if let Some(at) = self.calls.iter().position(|(known, _)| known == id) {
            return at;
        }
        let n = self.calls.len() as u32 + 1;
        self.calls.push((id.to_owned(), SearchCall { n, kind, ..SearchCall::default() }));
        self.emit(Event::SearchStarted { n, kind });
        self.calls.len() - 1
    }

    fn change(&mut self, at: usize, change: impl FnOnce(&mut SearchCall) -> Option<Event>) {
        if let Some(event) = self.calls.get_mut(at).and_then(|(_, call)| change(call)) {
            self.emit(event);
        }
    }

    /// What a call searches for.
    pub(super) fn queries(&mut self, at: usize, queries: Vec<String>) {
        let queries: Vec<String> = queries.into_iter().filter(|q| !q.trim().is_empty()).collect();
        self.change(at, |call| {
            let first = queries.first()?.clone();
            let several = if queries.len() > 1 { queries.clone() } else { Vec::new() };
            if call.query.as_ref() == Some(&first) && call.queries == several {
                return None;
            }
            call.query = Some(first);
            call.queries = several;
            Some(Event::SearchQuery { n: call.n, queries: queries.iter().map(|q| line(q)).collect() })
        });
    }

    /// The call opens a page, or looks for something in one.
    pub(super) fn page(&mut self, at: usize, kind: CallKind, url: Option<&str>, pattern: Option<&str>) {
        self.change(at, |call| {
            if call.kind == kind && call.url.as_deref() == url && call.url.is_some() {
                return None;
            }
            call.kind = kind;
            call.url = url.map(str::to_owned);
            if let Some(pattern) = pattern {
                call.extra.insert("pattern".into(), pattern.into());
            }
            Some(Event::Page { n: call.n, kind, url: url.map(line), pattern: pattern.map(line) })
        });
    }

    /// A call came back.
    pub(super) fn results(&mut self, at: usize, results: Vec<SearchResult>) {
        self.change(at, |call| {
            if results == call.results && !results.is_empty() {
                return None;
            }
            call.results = results;
            Some(Event::SearchResults { n: call.n, results: call.results.iter().map(shown_result).collect() })
        });
    }

    /// The provider's word for the state of a call.
    pub(super) fn status(&mut self, at: usize, word: &str) {
        self.change(at, |call| {
            call.status = Some(match word {
                "completed" => "ok".to_owned(),
                "failed" => "error".to_owned(),
                other => other.to_owned(),
            });
            None
        });
    }

    /// A call failed.
    pub(super) fn call_failed(&mut self, at: usize, code: &str) {
        self.change(at, |call| {
            call.status = Some("error".to_owned());
            call.error = Some(code.to_owned());
            Some(Event::SearchError { n: call.n, code: line(code) })
        });
    }

    /// Searches so far.
    pub(super) fn searches(&self) -> u64 {
        self.calls.iter().filter(|(_, c)| c.kind == CallKind::Search).count() as u64
    }

    /// Codes of the searches that failed.
    pub(super) fn call_errors(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().filter_map(|(_, c)| c.error.as_deref())
    }

    /// The usage is known, or known better.
    pub(super) fn used(&mut self, usage: Usage) {
        if usage != self.usage {
            self.usage = usage.clone();
            self.emit(Event::Usage(usage));
        }
    }

    /// The calls, each result marked by whether the answer cites it.
    pub(super) fn calls(&self) -> Vec<SearchCall> {
        let mut calls: Vec<SearchCall> = self.calls.iter().map(|(_, c)| c.clone()).collect();
        for result in calls.iter_mut().flat_map(|c| &mut c.results) {
            result.cited = Some(self.cited.contains(&same_page(&result.url)));
        }
        calls
    }

    /// The citations, in the order of the text.
    pub(super) fn citations(&self) -> Vec<Citation> {
        self.citations.values().cloned().collect()
    }
}
