//! A stored answer, shown again as if it arrived now: no key, no network, and never taken for a new answer.

use std::time::Duration;

use super::draft::Draft;
use super::event::Event;
use super::fault::{Fault, Kind};
use super::reply::{Reply, Source};
use super::{Ask, Asking, Outlet, Provider};
use crate::record::{Attempt, CallKind};
use crate::text::graphemes;

/// Letters that arrive at once.
const PIECE: usize = 12;

/// A step of a search stands for this many pieces, so that one sees it happen.
const SEARCH: u32 = 8;

/// Replays one attempt.
#[derive(Debug, Clone)]
pub struct Replay {
    attempt: Attempt,
    pace: Duration,
}

impl Replay {
    /// The name in lists and records' `source`.
    pub const NAME: &'static str = "replay";

    /// Replays `attempt`, with `pace` between two pieces of the answer and more between two steps of a search; none at all when it is zero.
    pub const fn new(attempt: Attempt, pace: Duration) -> Self {
        Self { attempt, pace }
    }

    async fn run(&self, outlet: Outlet) -> Reply {
        let mut draft = Draft::default();
        let ended = tokio::select! {
            biased;
            () = outlet.stopped() => false,
            () = self.steps(&mut draft, &outlet) => true,
        };
        draft.flush();
        for event in std::mem::take(&mut draft.events) {
            outlet.send(event).await;
        }
        let a = &self.attempt;
        let mut reply = Reply {
            provider: a.provider.clone().unwrap_or_else(|| Self::NAME.to_owned()),
            source: Source::Replay,
            model: a.model.clone(),
            condition: a.condition,
            raw: draft.text(),
            request: a.request.clone(),
            ..Reply::default()
        };
        if !ended {
            reply.search_calls = draft.calls();
            reply.error = Some(Fault::new(Kind::Cancelled, "stopped by the person"));
            return reply;
        }
        reply.answer.clone_from(&a.answer);
        reply.confidence = a.confidence;
        reply.search_calls.clone_from(&a.search_calls);
        reply.citations.clone_from(&a.citations);
        reply.usage.clone_from(&a.usage);
        reply.stop.clone_from(&a.stop);
        reply.first_ms = a.extra.get("first_token_ms").and_then(serde_json::Value::as_f64);
        reply.total_ms = a.latency_ms;
        reply.error = a.error.as_ref().map(|e| match Kind::parse(&e.kind) {
            Some(kind) => Fault::new(kind, e.message.clone()),
            None => Fault::new(Kind::Other, format!("{}: {}", e.kind, e.message)),
        });
        reply
    }

    async fn tick(&self, pieces: u32, draft: &mut Draft, outlet: &Outlet) {
        for event in std::mem::take(&mut draft.events) {
            outlet.send(event).await;
        }
        if !self.pace.is_zero() {
            tokio::time::sleep(self.pace * pieces).await;
        }
    }

    async fn steps(&self, draft: &mut Draft, outlet: &Outlet) {
        let a = &self.attempt;
        let request = a.request.clone().unwrap_or_default();
        outlet.send(Event::Sent { host: Self::NAME.to_owned(), request }).await;
        draft.note("REPLAY: the stored answer is shown again, no model is asked");
        draft.accepted(Some(&a.model), None);
        self.tick(SEARCH, draft, outlet).await;
        for call in &a.search_calls {
            let at = draft.call(&format!("call {}", call.n), call.kind);
            self.tick(SEARCH, draft, outlet).await;
            if matches!(call.kind, CallKind::OpenPage | CallKind::FindInPage) {
                let pattern = call.extra.get("pattern").and_then(serde_json::Value::as_str);
                draft.page(at, call.kind, call.url.as_deref(), pattern);
            }
            draft.queries(at, call.all_queries().map(str::to_owned).collect());
            self.tick(SEARCH, draft, outlet).await;
            match &call.error {
                Some(code) => draft.call_failed(at, code),
                None => draft.results(at, call.results.clone()),
            }
            if let Some(status) = call.status.as_deref().filter(|_| call.error.is_none()) {
                draft.status(at, status);
            }
            self.tick(SEARCH, draft, outlet).await;
        }
        let text = a.raw.as_deref().or(a.answer.as_deref()).unwrap_or_default();
        for piece in pieces(text) {
            draft.add_text((1, 0, 0), piece, true);
            self.tick(1, draft, outlet).await;
        }
        for (n, citation) in a.citations.iter().enumerate() {
            draft.cite((1, 0, 0), n as u64, citation.clone());
        }
        draft.used(a.usage.clone());
        self.tick(1, draft, outlet).await;
    }
}

impl Provider for Replay {
    fn name(&self) -> &str {
        Self::NAME
    }

    /// Replays; what is asked makes no difference to it.
    fn ask(&self, _ask: Ask, outlet: Outlet) -> Asking<'_> {
        Box::pin(self.run(outlet))
    }
}

/// A text in pieces of whole letters.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut starts: Vec<usize> = graphemes(text).map(|(at, _)| at).step_by(PIECE).collect();
    starts.push(text.len());
    let ends = starts.clone();
    starts.into_iter().zip(ends.into_iter().skip(1)).filter_map(|(from, to)| text.get(from..to))
}
