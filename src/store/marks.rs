//! What people said of rows, as far as lists and filters need it. It comes from outside: a table is read without it.

use std::collections::HashMap;
use std::sync::Arc;

/// What was said of one row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Mark {
    /// Codes by their ids of today, the primary one first.
    pub codes: Vec<Arc<str>>,
    /// The note; may be empty.
    pub note: Arc<str>,
    /// Left for later.
    pub deferred: bool,
    /// People's primary codes differ, and nobody settled it.
    pub disputed: bool,
    /// A person's verdict on a side, or an accepted answer that was added.
    pub reviewed: bool,
}

impl Mark {
    /// Whether it was read and coded, or noted.
    pub fn is_coded(&self) -> bool {
        !self.deferred && (!self.codes.is_empty() || !self.note.is_empty())
    }
}

/// Marks by row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks(pub HashMap<u32, Mark>);

impl Marks {
    /// What was said of a row.
    pub fn get(&self, pair: u32) -> Option<&Mark> {
        // Most tables have none at all.
        if self.0.is_empty() { None } else { self.0.get(&pair) }
    }
}
