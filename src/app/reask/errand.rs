//! What the form has to know of the world, what is sent out, and what comes back.

use jiff::civil::Date;

use crate::provider::{Event, Models, Replay};
use crate::record::Attempt;
use crate::runner::Task;

/// Somebody who can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whom {
    /// The name in records.
    pub name: String,
    /// The host.
    pub host: String,
    /// The variable that the key is taken from; empty for none.
    pub key_variable: String,
    /// What stands in the way, in a sentence with what to do.
    pub ready: Result<(), String>,
}

/// What asking needs to know; settled when the program starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Asking {
    /// Models, prices, presets.
    pub models: Models,
    /// Whom to ask.
    pub whom: Vec<Whom>,
    /// Today, for the ends of models.
    pub today: Date,
    /// The run that new attempts belong to.
    pub run_id: String,
}

impl Default for Asking {
    fn default() -> Self {
        Self {
            models: Models::default(),
            whom: Vec::new(),
            today: Date::constant(1970, 1, 1),
            run_id: String::new(),
        }
    }
}

impl Asking {
    /// Names to choose from; the last is the replay.
    pub fn names(&self) -> Vec<&str> {
        self.whom.iter().map(|w| w.name.as_str()).chain([Replay::NAME]).collect()
    }

    /// The one of a name; nobody for the replay.
    pub fn find(&self, name: &str) -> Option<&Whom> {
        self.whom.iter().find(|w| w.name == name)
    }
}

/// What is to be done: requests one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Errand {
    /// The number of the job.
    pub job: u32,
    /// The endpoint's name, or that of the replay.
    pub provider: String,
    /// The requests, each with the stored attempt when it is replayed.
    pub tasks: Vec<(Task, Option<Attempt>)>,
}

/// What is told of a job.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    /// Something happened with a request; not its end.
    Event(usize, Event),
    /// A request ended, and this is its record: a failed or partial one too.
    Record(usize, Box<Attempt>),
    /// A record was written: where, or why not. Replays are never written.
    Saved(usize, Result<std::path::PathBuf, String>),
    /// The job is over.
    Over,
}
