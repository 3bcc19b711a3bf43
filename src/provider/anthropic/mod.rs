//! The Anthropic Messages API: the request's body, and its answers, streamed or whole, read into a draft. A paused turn is
//! handed back byte for byte.

mod block;
mod counts;
mod fold;
mod request;

pub(super) use fold::Fold;
pub(super) use request::{body, continued};
