//! Records that were read for the screen, few at a time: what the list shows of many rows, and a few rows whole.

use std::collections::{HashMap, HashSet};

use crate::store::{Brief, Bundle};

/// The attempts of a row by condition: what a record was read for.
pub type Sides = [u32; 3];

/// A record that was read, or why it could not be.
#[derive(Debug, Clone)]
pub struct Read<T> {
    /// The row.
    pub pair: u32,
    /// The attempts that the row had then.
    pub sides: Sides,
    /// Bytes of its lines in the files.
    pub bytes: usize,
    /// The record, or why there is none.
    pub record: Result<T, String>,
}

/// Rows whose records are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wants {
    /// Those shown in the list.
    pub brief: Vec<u32>,
    /// Those shown whole.
    pub whole: Vec<u32>,
}

impl Wants {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.brief.is_empty() && self.whole.is_empty()
    }
}

/// What is wanted of the files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wanted {
    /// What the screen lacks.
    pub now: Wants,
    /// What the next keys may ask for.
    pub ahead: Wants,
}

impl Wanted {
    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.now.is_empty() && self.ahead.is_empty()
    }
}

/// What was read of what was wanted.
#[derive(Debug, Clone, Default)]
pub struct Found {
    /// Rows of the list.
    pub brief: Vec<Read<Brief>>,
    /// Whole rows.
    pub whole: Vec<Read<Bundle>>,
}

/// The records that are held.
#[derive(Debug, Default)]
pub struct Records {
    /// Rows of the list.
    pub brief: Held<Brief>,
    /// Whole rows.
    pub whole: Held<Bundle>,
}

impl Records {
    /// Takes what came.
    pub fn put(&mut self, found: Found) {
        found.brief.into_iter().for_each(|read| self.brief.put(read));
        found.whole.into_iter().for_each(|read| self.whole.put(read));
    }

    /// Rows that will not be read after all may be asked for again.
    pub fn dropped(&mut self, wanted: &Wanted) {
        for rows in [&wanted.now, &wanted.ahead] {
            self.brief.dropped(&rows.brief);
            self.whole.dropped(&rows.whole);
        }
    }

    /// Forgets everything: rows were numbered anew.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

/// Records of a kind by row, bounded in bytes: what is far from the row read last is forgotten first.
#[derive(Debug)]
pub struct Held<T> {
    rows: HashMap<u32, Read<T>>,
    asked: HashSet<(u32, Sides)>,
    bytes: usize,
}

impl<T> Default for Held<T> {
    fn default() -> Self {
        Self { rows: HashMap::new(), asked: HashSet::new(), bytes: 0 }
    }
}

/// Bytes of lines that are held; a screenful is kept whatever its size.
const BYTES: usize = 16 << 20;
/// Rows that are kept whatever their size.
const SCREENFUL: usize = 160;

impl<T> Held<T> {
    /// The record of a row, if it was read for the attempts that the row has now.
    pub fn get(&self, pair: u32, sides: Sides) -> Option<&Result<T, String>> {
        self.rows.get(&pair).filter(|r| r.sides == sides).map(|r| &r.record)
    }

    /// Which of the rows must be asked for; they count as asked from here on.
    pub fn missing(&mut self, rows: impl Iterator<Item = (u32, Sides)>) -> Vec<u32> {
        rows.filter(|&(p, s)| self.get(p, s).is_none() && self.asked.insert((p, s))).map(|(p, _)| p).collect()
    }

    /// The same, but only once so many are missing.
    pub fn missing_of(&mut self, rows: impl Iterator<Item = (u32, Sides)>, least: usize) -> Vec<u32> {
        let missing = |r: &(u32, Sides)| self.get(r.0, r.1).is_none() && !self.asked.contains(r);
        let rows: Vec<(u32, Sides)> = rows.filter(missing).collect();
        if rows.len() < least { Vec::new() } else { self.missing(rows.into_iter()) }
    }

    fn put(&mut self, read: Read<T>) {
        self.asked.remove(&(read.pair, read.sides));
        if self.bytes + read.bytes > BYTES && self.rows.len() >= SCREENFUL {
            let mut far: Vec<u32> = self.rows.keys().copied().collect();
            far.sort_unstable_by_key(|k| k.abs_diff(read.pair));
            for key in far.drain(SCREENFUL / 2..) {
                self.bytes -= self.rows.remove(&key).map_or(0, |r| r.bytes);
            }
        }
        self.bytes += read.bytes;
        if let Some(old) = self.rows.insert(read.pair, read) {
            self.bytes -= old.bytes;
        }
    }

    fn dropped(&mut self, rows: &[u32]) {
        self.asked.retain(|(pair, _)| !rows.contains(pair));
    }
}
