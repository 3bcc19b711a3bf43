//! The words of the domain: questions, attempts, calls, verdicts, transitions.
//!
//! Owns plain serde types and their meaning. Does no IO and no scoring.

mod attempt;
mod outcome;
mod question;
mod source;

pub use attempt::{
    Attempt, CallKind, Citation, Condition, ErrorInfo, SCHEMA, SearchCall, SearchResult, Step, Usage,
};
pub use outcome::{Errors, Group, Scorer, State, Transition, Verdict};
pub use question::Question;
pub use source::{is_made_up, mark_of_data};
