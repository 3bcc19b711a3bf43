//! The OpenAI Responses API: the request's body, and its answers, streamed or whole, read into a draft.

mod fold;
mod request;

pub(super) use fold::Fold;
pub(super) use request::body;
