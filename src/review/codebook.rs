//! The codebook: what failures are called, and what they were called before.
//!
//! Judging changes the criteria, so codes are renamed, merged and split while rows already carry them. Each change
//! makes a new version, each coded row remembers the version it was coded under, and [`Codebook::resolve`] says what
//! an old code is today.

mod edit;
mod read;

use std::collections::BTreeSet;

pub use edit::EditError;
pub use read::{LoadError, load, parse, save};

/// The codebook that the program brings along.
const STARTER: &str = include_str!("../../data/codebook.toml");

/// One kind of failure.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Code {
    /// The key that sets it: one character, no space.
    pub key: char,
    /// What notes store: lower-case letters, digits and `-`.
    pub id: String,
    /// What is shown.
    pub name: String,
    /// When it applies.
    pub definition: String,
    /// A case of it; may be empty.
    pub example: String,
}

/// What a new version made of older codes: one of one is a renaming, one of several a merge, several of one a split,
/// none of one a code given up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The version that it led to, 2 or more.
    pub version: u32,
    /// The ids that were.
    pub was: Vec<String>,
    /// The ids that are.
    pub now: Vec<String>,
}

/// Codes and their history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Codebook {
    /// Counted from 1; one more with every change of the codes' meaning or names.
    pub version: u32,
    /// The codes, in the order shown. Keys and ids are unique.
    pub codes: Vec<Code>,
    /// Every renaming, merge and split, in the order of versions.
    pub changes: Vec<Change>,
}

/// What a code of an older version is today.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Today<'a> {
    /// One code.
    Code(&'a Code),
    /// It was split, and the row has to be looked at again to know which of these it is.
    Split(Vec<&'a Code>),
    /// It was given up.
    Dropped,
    /// Neither the codes nor the history know it.
    Unknown,
}

impl Today<'_> {
    /// The id it counts under: today's, or the old one where there is no single one of today.
    pub fn id<'s>(&'s self, old: &'s str) -> &'s str {
        match self {
            Self::Code(code) => &code.id,
            _ => old,
        }
    }
}

impl Codebook {
    /// The codebook that the program brings along, version 1.
    pub fn starter() -> Self {
        // A test holds the file to having no faults; were it broken, an empty codebook is still one.
        parse("data/codebook.toml", STARTER).unwrap_or_else(|_| Self::empty())
    }

    /// A codebook without codes, version 1.
    pub const fn empty() -> Self {
        Self { version: 1, codes: Vec::new(), changes: Vec::new() }
    }

    /// The code of an id of today.
    pub fn get(&self, id: &str) -> Option<&Code> {
        self.codes.iter().find(|c| c.id == id)
    }

    /// The code that a key sets.
    pub fn by_key(&self, key: char) -> Option<&Code> {
        self.codes.iter().find(|c| c.key == key)
    }

    /// What the code that was called `id` in `version` is today. Of a version newer than this codebook, as in a
    /// colleague's notes, the id is taken as it is.
    pub fn resolve(&self, id: &str, version: u32) -> Today<'_> {
        let mut ids = vec![id];
        for change in self.changes.iter().filter(|c| c.version > version) {
            if !ids.iter().any(|id| change.was.iter().any(|w| w == id)) {
                continue;
            }
            ids.retain(|id| !change.was.iter().any(|w| w == id));
            for now in &change.now {
                if !ids.contains(&now.as_str()) {
                    ids.push(now);
                }
            }
        }
        let known: Vec<&Code> = ids.iter().filter_map(|id| self.get(id)).collect();
        match known.as_slice() {
            [one] if ids.len() == 1 => Today::Code(one),
            [] if ids.is_empty() => Today::Dropped,
            [] => Today::Unknown,
            _ => Today::Split(known),
        }
    }

    /// The id that a code counts under: today's, or the old one where there is no single one of today.
    pub fn today<'s>(&'s self, id: &'s str, version: u32) -> &'s str {
        match self.resolve(id, version) {
            Today::Code(code) => &code.id,
            _ => id,
        }
    }

    /// Every id that rows may carry: today's and those of the history.
    pub fn ids(&self) -> BTreeSet<&str> {
        let old = self.changes.iter().flat_map(|c| &c.was).map(String::as_str);
        self.codes.iter().map(|c| c.id.as_str()).chain(old).collect()
    }
}

#[cfg(test)]
#[path = "codebook_tests.rs"]
mod tests;
