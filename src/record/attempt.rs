//! One answer of one model to one question under one condition.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The schema name that every attempt line carries.
pub const SCHEMA: &str = "lookitup.attempt/1";

/// How the model was asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Condition {
    /// Without any search tool.
    #[default]
    NoSearch = 0,
    /// With the provider's web search.
    WithSearch = 1,
    /// With search, the domains cited before excluded.
    EvidenceBlocked = 2,
}

impl Condition {
    /// Every condition, in the order of a pair's sides.
    pub const ALL: [Self; 3] = [Self::NoSearch, Self::WithSearch, Self::EvidenceBlocked];

    /// The name used in files and filters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoSearch => "no_search",
            Self::WithSearch => "with_search",
            Self::EvidenceBlocked => "evidence_blocked",
        }
    }

    /// Reads a condition in any of the spellings that files use; `None` for an unknown word.
    pub fn parse(word: &str) -> Option<Self> {
        let key: String = word
            .trim()
            .chars()
            .map(|c| if c == '-' || c == ' ' { '_' } else { c.to_ascii_lowercase() })
            .collect();
        match key.as_str() {
            "no_search" | "nosearch" | "without_search" | "without" | "no" | "closed_book" | "baseline" => {
                Some(Self::NoSearch)
            }
            "with_search" | "withsearch" | "search" | "with" | "web_search" | "open_book" => {
                Some(Self::WithSearch)
            }
            "evidence_blocked" | "blocked" => Some(Self::EvidenceBlocked),
            _ => None,
        }
    }
}

/// What an entry of `search_calls` did. Only [`CallKind::Search`] counts as a call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallKind {
    /// A web search request, whether it succeeded or failed.
    #[default]
    Search,
    /// A page was opened.
    OpenPage,
    /// Text was looked for in an opened page.
    FindInPage,
    /// Anything a newer tool does.
    Other,
}

/// One entry of an attempt's search timeline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchCall {
    /// Position in the attempt, from 1.
    #[serde(default)]
    pub n: u32,
    /// What was done.
    #[serde(default)]
    pub kind: CallKind,
    /// The query, when the provider told it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Several queries in one call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<String>,
    /// The page, for `open_page` and `find_in_page`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// `ok`, `error`, or the provider's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<String>,
    /// The provider's error code (`max_uses_exceeded` is the search cap speaking).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// What came back.
    #[serde(default)]
    pub results: Vec<SearchResult>,
    /// Unknown fields, kept.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl SearchCall {
    /// The call's queries: `queries` where given, else `query`.
    pub fn all_queries(&self) -> impl Iterator<Item = &str> {
        let single = if self.queries.is_empty() { self.query.as_deref() } else { None };
        self.queries.iter().map(String::as_str).chain(single).filter(|q| !q.is_empty())
    }
}

/// One result of a search.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// Address.
    #[serde(default)]
    pub url: String,
    /// Title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Publication date or age, as the provider wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published: Option<String>,
    /// Whether the answer cites it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cited: Option<bool>,
    /// Unknown fields, kept.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// A source that the answer cites.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// Address.
    #[serde(default)]
    pub url: String,
    /// Title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The quoted text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// Unknown fields, kept.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// Token counts and search requests, as the provider reported them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
    /// Tokens written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_tokens: Option<u64>,
    /// Of the tokens written, those spent on reasoning.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_tokens: Option<u64>,
    /// Of the tokens read, those from the provider's cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_tokens: Option<u64>,
    /// Searches billed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub search_requests: Option<u64>,
    /// Unknown fields, kept.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Usage {
    /// Tokens read plus tokens written; `None` when neither was reported.
    pub fn total(&self) -> Option<u64> {
        match (self.input_tokens, self.output_tokens) {
            (None, None) => None,
            (a, b) => Some(a.unwrap_or(0).saturating_add(b.unwrap_or(0))),
        }
    }
}

/// Why an attempt has no answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ErrorInfo {
    /// Short class (`rate_limited`, `overloaded`, …).
    #[serde(default)]
    pub kind: String,
    /// The provider's words.
    #[serde(default)]
    pub message: String,
}

/// A step of a long trajectory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Round, from 1.
    #[serde(default)]
    pub round: u32,
    /// `reasoning`, `search`, `open_page`, `result`, `answer`.
    #[serde(default)]
    pub kind: String,
    /// What was said or found.
    #[serde(default)]
    pub text: String,
    /// The call it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub call: Option<u32>,
}

/// One line of `results/*.jsonl`, schema [`SCHEMA`].
///
/// Reading tolerates far more than this shape (see `store::formats`); what it cannot place is kept in `extra`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// Always [`SCHEMA`] when written.
    #[serde(default)]
    pub schema: String,
    /// The run it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_id: Option<String>,
    /// The question answered.
    pub question_id: String,
    /// Split, when the file gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// The question's text, when the file gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Accepted answers, when the file gives them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub references: Option<Vec<String>>,
    /// Provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
    /// Model, as the provider names it.
    #[serde(default)]
    pub model: String,
    /// How it was asked.
    pub condition: Condition,
    /// Repeat, from 1.
    #[serde(default = "first")]
    pub attempt: u32,
    /// The short answer; `None` when none could be had.
    pub answer: Option<String>,
    /// Stated confidence, 0 to 1.
    pub confidence: Option<f64>,
    /// The full text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub raw: Option<String>,
    /// The search timeline.
    #[serde(default)]
    pub search_calls: Vec<SearchCall>,
    /// Cited sources.
    #[serde(default)]
    pub citations: Vec<Citation>,
    /// Token counts.
    #[serde(default)]
    pub usage: Usage,
    /// Cost in US dollars, tokens and searches together.
    #[serde(default)]
    pub cost_usd: Option<f64>,
    /// Wall clock of the request, milliseconds.
    #[serde(default)]
    pub latency_ms: Option<f64>,
    /// Why the model stopped, the provider's word.
    #[serde(default)]
    pub stop: Option<String>,
    /// Why there is no answer.
    #[serde(default)]
    pub error: Option<ErrorInfo>,
    /// Long trajectories.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// `live`, `batch`, `import`, `replay`, `simulated`, or the author's word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// When it was made (RFC 3339).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub created_at: Option<String>,
    /// The request as sent, keys never included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<Value>,
    /// A verdict that the file recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correct: Option<bool>,
    /// Unknown fields, kept.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

const fn first() -> u32 {
    1
}

impl Attempt {
    /// The number of calls: entries of kind [`CallKind::Search`], failed ones included.
    pub fn calls(&self) -> usize {
        self.search_calls.iter().filter(|c| c.kind == CallKind::Search).count()
    }
}
