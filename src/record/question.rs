//! A question of a data file.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One line of `data/*.jsonl`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// Identifier that attempts refer to.
    pub id: String,
    /// `static` (asked under both conditions) or `dynamic` (only with search), or the author's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<String>,
    /// The question as asked.
    pub question: String,
    /// Accepted variants of the answer.
    #[serde(default)]
    pub references: Vec<String>,
    /// The date that the answer depends on, as written (`1988`, `2025-09`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_date: Option<String>,
    /// The day on which the references were true (dynamic split).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub true_on: Option<String>,
    /// Topic, when the author gave one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub topic: Option<String>,
    /// Every other field, kept as it came; `meta.NAME` in the filter language.
    #[serde(flatten)]
    pub meta: Map<String, Value>,
}
