//! Records that were read for the screen, few at a time.

use std::collections::{HashMap, HashSet};

use crate::store::Bundle;

/// Records by pair. Bounded: what is far from the visible window is forgotten first.
#[derive(Debug, Default)]
pub struct Records {
    generation: u32,
    held: HashMap<u32, Result<Bundle, String>>,
    asked: HashSet<u32>,
    raw: HashMap<u32, Result<String, String>>,
}

/// How many records are held.
const HELD: usize = 1_024;

impl Records {
    /// The record of a pair, once it has come.
    pub fn get(&self, pair: u32) -> Option<&Result<Bundle, String>> {
        self.held.get(&pair)
    }

    /// A raw line, once it has come.
    pub fn raw(&self, attempt: u32) -> Option<&Result<String, String>> {
        self.raw.get(&attempt)
    }

    /// Which of the pairs must be asked for; they count as asked from here on.
    pub fn missing(&mut self, pairs: impl Iterator<Item = u32>) -> Vec<u32> {
        pairs.filter(|p| !self.held.contains_key(p) && self.asked.insert(*p)).collect()
    }

    /// Takes what came.
    pub fn put(&mut self, pair: u32, record: Result<Bundle, String>) {
        if self.held.len() >= HELD {
            let mut far: Vec<u32> = self.held.keys().copied().collect();
            far.sort_unstable_by_key(|k| std::cmp::Reverse(k.abs_diff(pair)));
            far.truncate(HELD / 2);
            for key in far {
                self.held.remove(&key);
            }
        }
        self.asked.remove(&pair);
        self.held.insert(pair, record);
    }

    /// Takes a raw line.
    pub fn put_raw(&mut self, attempt: u32, line: Result<String, String>) {
        if self.raw.len() > 8 {
            self.raw.clear();
        }
        self.raw.insert(attempt, line);
    }

    /// Forgets what a newer table may contradict: everything when rows were numbered anew, else the given pairs.
    pub fn outdated(&mut self, generation: u32, changed: impl Fn(u32, &Bundle) -> bool) {
        if generation != self.generation {
            *self = Self { generation, ..Self::default() };
            return;
        }
        self.held.retain(|&pair, record| matches!(record, Ok(bundle) if !changed(pair, bundle)));
        self.asked.clear();
    }
}
