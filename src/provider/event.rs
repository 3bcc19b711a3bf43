//! What happens while a question is asked, as it happens.

use serde_json::Value;

use super::Reply;
use crate::record::{CallKind, Citation, SearchResult, Usage};
use crate::text::{sanitize, sanitize_line};

/// Something that happened. Every text in it is safe to show; the text as it came is in the [`Reply`].
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The request goes out (again after a [`Event::RetryWait`]).
    Sent {
        /// The host that is asked, or `replay`.
        host: String,
        /// The body, which holds no key.
        request: Value,
    },
    /// The server began to answer.
    Accepted {
        /// The model, as the server names it.
        model: Option<String>,
    },
    /// The first output is there: text, a search, or reasoning.
    FirstOutput {
        /// Milliseconds since the request went out.
        ms: f64,
    },
    /// A search, or another step of the search tool, began.
    SearchStarted {
        /// Its number in the attempt, from 1; the following events carry it too.
        n: u32,
        /// What it is, as far as it is known yet.
        kind: CallKind,
    },
    /// What is searched for is known.
    SearchQuery {
        /// Number of the call.
        n: u32,
        /// The queries, at least one.
        queries: Vec<String>,
    },
    /// The call turned out to open a page, or to look for something in one.
    Page {
        /// Number of the call.
        n: u32,
        /// Which of the two.
        kind: CallKind,
        /// The page, where the provider tells it.
        url: Option<String>,
        /// What is looked for.
        pattern: Option<String>,
    },
    /// A search came back. OpenAI gives addresses alone, and none unless it has them.
    SearchResults {
        /// Number of the call.
        n: u32,
        /// What came back.
        results: Vec<SearchResult>,
    },
    /// A search failed; the answer goes on.
    SearchError {
        /// Number of the call.
        n: u32,
        /// The provider's code; `max_uses_exceeded` is the search cap.
        code: String,
    },
    /// More of the answer.
    Text(String),
    /// All of the answer so far, where what was shown before turned out to be otherwise.
    Replaced(String),
    /// A source that the answer cites, each address once.
    Citation(Citation),
    /// More of what the model thinks, where the provider shows it.
    Reasoning(String),
    /// Tokens and searches so far.
    Usage(Usage),
    /// The provider paused a long turn, and is asked to go on.
    Continued {
        /// The round that begins, from 2.
        round: u32,
    },
    /// The request will be sent again after a wait.
    RetryWait {
        /// The number of the coming try, from 2.
        attempt: u32,
        /// Seconds left; the event comes every second, counting down.
        seconds: u64,
        /// Why.
        why: String,
    },
    /// Something that the person should know: a parameter left out, the search cap reached, no search made.
    Note(String),
    /// It is over. Always the last event, and always sent.
    End(Box<Reply>),
}

impl Event {
    /// Whether it shows something of the answer: after it nothing may be asked anew by itself.
    pub const fn is_output(&self) -> bool {
        matches!(
            self,
            Self::SearchStarted { .. }
                | Self::SearchQuery { .. }
                | Self::Page { .. }
                | Self::SearchResults { .. }
                | Self::SearchError { .. }
                | Self::Text(_)
                | Self::Replaced(_)
                | Self::Citation(_)
                | Self::Reasoning(_)
        )
    }
}

/// A line that is safe to show.
pub(super) fn line(text: &str) -> String {
    sanitize_line(text).into_owned()
}

/// A result that is safe to show.
pub(super) fn shown_result(r: &SearchResult) -> SearchResult {
    SearchResult {
        url: line(&r.url),
        title: r.title.as_deref().map(line),
        published: r.published.as_deref().map(line),
        cited: r.cited,
        extra: serde_json::Map::new(),
    }
}

/// A citation that is safe to show.
pub(super) fn shown_citation(c: &Citation) -> Citation {
    Citation {
        url: line(&c.url),
        title: c.title.as_deref().map(line),
        quote: c.quote.as_deref().map(|q| sanitize(q).into_owned()),
        extra: serde_json::Map::new(),
    }
}

/// Text that arrives in pieces, made safe to show. What the next piece could change is held back.
#[derive(Debug, Default)]
pub(super) struct Shown {
    held: String,
}

impl Shown {
    /// Takes a piece; gives what can be shown.
    pub(super) fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let keep = self.held.trim_end_matches(is_open_ended).len();
        let rest = self.held.split_off(keep);
        let whole = std::mem::replace(&mut self.held, rest);
        sanitize(&whole).into_owned()
    }

    /// Gives what was held back.
    pub(super) fn finish(&mut self) -> String {
        sanitize(&std::mem::take(&mut self.held)).into_owned()
    }
}

/// Characters that mean something else depending on what follows: CR, flags, their tags, variation selectors.
const fn is_open_ended(c: char) -> bool {
    matches!(c, '\r' | '\u{1f3f4}' | '\u{e0000}'..='\u{e01ef}' | '\u{fe00}'..='\u{fe0f}')
}
