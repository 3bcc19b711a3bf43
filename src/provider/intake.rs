//! From the bytes of an answer to events and a reply, without any network: the one way in for streams, whole bodies and
//! tests.

use serde_json::Value;

use super::ask::Dialect;
use super::draft::Draft;
use super::event::{Event, line};
use super::fault::{Fault, Kind};
use super::key::{Key, redact};
use super::reply::Reply;
use super::said::excerpt;
use super::sse::{Sse, TooLong};
use super::{anthropic, openai};

/// Bytes that the data of one event may have. The last event of a stream repeats the whole answer.
pub const FRAME_BYTES: usize = 32 << 20;

/// Bytes that an answer may have, framing included.
pub const ANSWER_BYTES: usize = 256 << 20;

#[derive(Debug)]
enum Fold {
    OpenAi(openai::Fold),
    Anthropic(anthropic::Fold),
}

/// The reader of the events' data.
#[derive(Debug)]
struct Reading {
    fold: Fold,
    draft: Draft,
    key: Option<Key>,
    /// The stream said that nothing follows.
    closed: bool,
    fault: Option<Fault>,
}

/// Reads one answer, over as many requests as it takes.
#[derive(Debug)]
pub struct Intake {
    reading: Reading,
    sse: Sse,
    dialect: Dialect,
    frame_bytes: usize,
    answer_bytes: usize,
    taken: usize,
}

impl Reading {
    fn new(dialect: Dialect, key: Option<Key>) -> Self {
        let fold = match dialect {
            Dialect::OpenAi => Fold::OpenAi(openai::Fold::default()),
            Dialect::Anthropic => Fold::Anthropic(anthropic::Fold::default()),
        };
        Self { fold, draft: Draft::default(), key, closed: false, fault: None }
    }

    const fn is_done(&self) -> bool {
        match &self.fold {
            Fold::OpenAi(f) => f.is_done(),
            Fold::Anthropic(f) => f.is_done(),
        }
    }

    fn frame(&mut self, data: &str) {
        if self.closed || self.fault.is_some() {
            return;
        }
        if data.trim_start().starts_with("[DONE]") {
            self.closed = true;
            return;
        }
        match serde_json::from_str::<Value>(data) {
            Ok(value) => self.take(&value, data),
            Err(e) => {
                let start: String = data.chars().take(80).collect();
                self.fault = Some(Fault::new(Kind::Garbled, format!("an event is no JSON ({e}): {start}")));
            }
        }
    }

    /// A server that sends the request's key back, anywhere, does not get it into a record.
    fn take(&mut self, value: &Value, data: &str) {
        let clean = self.key.as_ref().and_then(|k| k.removed_from(data));
        let again = clean.as_deref().and_then(|c| serde_json::from_str::<Value>(c).ok());
        let (value, data) = match (&again, &clean) {
            (Some(value), Some(data)) => (value, data.as_str()),
            _ => (value, data),
        };
        match &mut self.fold {
            Fold::OpenAi(f) => f.take(value, &mut self.draft),
            Fold::Anthropic(f) => f.take(value, data, &mut self.draft),
        }
    }
}

impl Intake {
    /// For an answer in a dialect.
    pub fn new(dialect: Dialect) -> Self {
        Self::with(dialect, None, FRAME_BYTES, ANSWER_BYTES)
    }

    pub(super) fn with(dialect: Dialect, key: Option<Key>, frame_bytes: usize, answer_bytes: usize) -> Self {
        Self {
            reading: Reading::new(dialect, key),
            sse: Sse::new(frame_bytes),
            dialect,
            frame_bytes,
            answer_bytes,
            taken: 0,
        }
    }

    /// Takes the next bytes of a stream, cut anywhere.
    ///
    /// # Errors
    /// An event cannot be read or is too long, or the answer is. What came before is kept.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        self.taken = self.taken.saturating_add(bytes.len());
        if self.taken > self.answer_bytes {
            return Err(Fault::new(Kind::TooLarge, format!("more than {} bytes came", self.answer_bytes)));
        }
        let Self { reading, sse, .. } = self;
        let fed = sse.feed(bytes, &mut |data| reading.frame(data));
        if let Some(fault) = reading.fault.take() {
            reading.closed = true;
            return Err(fault);
        }
        fed.map_err(|e: TooLong| Fault::new(Kind::TooLarge, e.to_string()))
    }

    /// The stream ended.
    ///
    /// # Errors
    /// It ended before the answer did.
    pub fn end(&mut self) -> Result<(), Fault> {
        if let Some(data) = self.sse.finish() {
            // An event that only lacks its closing line counts; half an event is no event.
            if !self.reading.closed
                && let Ok(value) = serde_json::from_str::<Value>(&data)
            {
                self.reading.take(&value, &data);
            }
        }
        if self.is_done() {
            return Ok(());
        }
        Err(Fault::new(Kind::Dropped, "the stream ended before the answer was complete"))
    }

    /// Takes an answer that is one object.
    ///
    /// # Errors
    /// It is something else.
    pub fn body(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        match serde_json::from_str::<Value>(text) {
            Ok(value) => self.reading.take(&value, text),
            Err(e) if e.is_eof() && text.trim_start().starts_with('{') => {
                return Err(Fault::new(Kind::Dropped, "the answer broke off"));
            }
            Err(_) => return Err(Fault::new(Kind::NotTheApi, excerpt(text, 200))),
        }
        if self.is_done() {
            return Ok(());
        }
        Err(Fault::new(Kind::NotTheApi, format!("the answer has no known shape; {}", excerpt(text, 200))))
    }

    /// What happened since the last call.
    pub fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.reading.draft.events)
    }

    /// Whether the answer, or this round of it, is over.
    pub const fn is_done(&self) -> bool {
        self.reading.is_done()
    }

    /// Whether nothing more can come.
    pub(super) const fn is_closed(&self) -> bool {
        self.reading.closed
    }

    pub(super) const fn draft(&self) -> &Draft {
        &self.reading.draft
    }

    pub(super) const fn draft_mut(&mut self) -> &mut Draft {
        &mut self.reading.draft
    }

    /// Begins anew, for another try. What the person was told stays.
    pub(super) fn restart(&mut self) {
        let key = self.reading.key.take();
        let notes = std::mem::take(&mut self.reading.draft.notes);
        let events = self.events();
        self.reading = Reading::new(self.dialect, key);
        self.reading.draft.notes = notes;
        self.reading.draft.events = events;
        self.sse = Sse::new(self.frame_bytes);
    }

    /// The body that continues a paused turn; `None` where the turn is not paused.
    pub(super) fn next_round(&mut self, body: &Value) -> Option<String> {
        let Fold::Anthropic(fold) = &mut self.reading.fold else { return None };
        if self.reading.draft.stop.as_deref() != Some("pause_turn") || self.reading.draft.error.is_some() {
            return None;
        }
        let next = anthropic::continued(body, fold.next_round())?;
        self.reading.closed = false;
        self.reading.draft.stop = None;
        self.sse = Sse::new(self.frame_bytes);
        Some(next)
    }

    /// A failure without keys and without anything that acts on a terminal.
    pub(super) fn safe(&self, fault: &Fault) -> Fault {
        let clean = |text: &str| line(&redact(text, self.reading.key.as_ref()));
        Fault {
            message: clean(&fault.message),
            parameter: fault.parameter.as_deref().map(clean),
            request_id: fault.request_id.as_deref().map(clean),
            ..fault.clone()
        }
    }

    /// What came of it. `ending` says why it ended, where that was no regular end.
    pub fn reply(&mut self, ending: Option<&Fault>) -> Reply {
        self.reading.draft.flush();
        let draft = &self.reading.draft;
        let key = self.reading.key.as_ref();
        let clean = |text: String| key.and_then(|k| k.removed_from(&text)).unwrap_or(text);
        let error = draft.error.as_ref().or(ending).map(|f| self.safe(f));
        let of_error = error.as_ref().and_then(|e| e.request_id.clone());
        let mut reply = Reply {
            model_echo: draft.model.clone(),
            raw: clean(draft.text()),
            search_calls: draft.calls(),
            citations: draft.citations(),
            usage: draft.usage.clone(),
            stop: draft.stop.clone(),
            request_id: draft.request_id.clone().map(clean).or(of_error),
            error,
            notes: draft.notes.clone(),
            extra: draft.extra.clone(),
            ..Reply::default()
        };
        if draft.is_all_answer() {
            // The usual case, without a second copy of what may be long.
            let raw = std::mem::take(&mut reply.raw);
            reply.read(&raw);
            reply.raw = raw;
        } else {
            reply.read(&clean(draft.answer_text()));
        }
        reply
    }
}
