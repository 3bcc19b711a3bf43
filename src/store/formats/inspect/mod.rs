//! Logs of Inspect AI: `.eval` (a zip) and their `.json` twins.
//!
//! An epoch of a sample is an attempt. Samples are read one at a time from `samples/*`, whatever else the log has: a
//! log that was killed lacks its header and its summaries, and reductions lose answers. Events are never read: all
//! that an attempt needs stands in the sample itself.
//!
//! What a field becomes:
//! - id, epoch → `question_id` (a number as its digits), `attempt`; input → `question` (of messages the last user
//!   text); target → `references`; output → `raw`; `total_time` → `latency_ms` (wall clock); `model_usage`, summed →
//!   `usage` and `cost_usd`; `metadata` → fields of the record (those that would hide one of its own: under
//!   `metadata`), `metadata.split` → `split`.
//! - scores → `correct`, by the log's first scorer; a value that is neither right nor wrong (`P`, 0.5, NaN) leaves the
//!   attempt ungraded. All scores with their history stay under `scores`, the scorer's name under `scorer`.
//! - answer: the scorer's, else what can be read out of the text, else the text. Confidence: the `confidence` in a
//!   score's metadata, else among its values, else what the text states.
//! - tool calls → `search_calls`, client-side ones by the names in [`tools`].
//!
//! Left out: tracebacks, encrypted page content, the texts of opened pages, steps of other tools.

mod archive;
mod condition;
mod header;
mod log;
mod messages;
mod output;
mod parts;
mod results;
mod sample;
mod scores;
mod stored;
mod tools;

#[cfg(test)]
mod tests;

use super::{Foreign, Format, Head, Options, Sink};

/// Reader of Inspect logs.
pub(super) struct Inspect;

impl Format for Inspect {
    fn name(&self) -> &'static str {
        "Inspect log"
    }

    fn recognises(&self, head: &Head<'_>) -> bool {
        log::is_zip(head) || log::is_json(head.bytes)
    }

    fn convert(&self, input: Foreign<'_>, options: &Options, sink: &mut dyn Sink) {
        log::convert(input, options.condition, archive::Limits::LOG, sink);
    }
}
