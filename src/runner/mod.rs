//! From a question and a wish to requests, and from replies back to verdicts.
//!
//! Owns what is asked (conditions, repeats, prompts, blocked domains, attempt numbers, where the record goes) and what
//! came of it beside the stored attempts. Pure: it sends nothing and writes nothing.

pub mod journal;
mod order;
mod outcome;
mod repeats;

pub use journal::{created_at, journal_of, run_id, short_hash};
pub use order::{Order, Subject, Task, first_attempt, next_attempt, stored};
pub use outcome::{Outcome, advice, outcome, partner, stored_transition};
pub use repeats::{Repeats, repeats};

#[cfg(test)]
mod runner_tests;
