//! Asking one question again: the form, and what runs.
//!
//! Owns what the user wants asked and what has been told of it so far. Sends nothing: that is an effect.

mod errand;
mod form;
mod job;
mod open;

pub use errand::{Asking, Errand, News, Whom};
pub use form::{Field, Form, Wish};
pub use job::{Job, Progress, Standing, Step};
