//! Records that were read for the screen, few at a time.

use std::collections::{HashMap, HashSet};

use crate::store::Bundle;

/// The attempts of a row by condition: what a record was read for.
pub type Sides = [u32; 3];

/// A record that was read, or why it could not be.
#[derive(Debug)]
pub struct Read {
    /// The row.
    pub pair: u32,
    /// The attempts that the row had then.
    pub sides: Sides,
    /// Bytes of its lines in the files.
    pub bytes: usize,
    /// The record, or why there is none.
    pub record: Result<Bundle, String>,
}

/// Records by row, bounded in bytes: what is far from the row read last is forgotten first.
#[derive(Debug, Default)]
pub struct Records {
    held: HashMap<u32, Read>,
    asked: HashSet<(u32, Sides)>,
    bytes: usize,
}

/// Bytes of lines that are held; a screenful is kept whatever its size.
const HELD: usize = 16 << 20;
/// Rows that are kept whatever their size.
const SCREENFUL: usize = 160;

impl Records {
    /// The record of a row, if it was read for the attempts that the row has now.
    pub fn get(&self, pair: u32, sides: Sides) -> Option<&Result<Bundle, String>> {
        self.held.get(&pair).filter(|r| r.sides == sides).map(|r| &r.record)
    }

    /// Which of the rows must be asked for; they count as asked from here on.
    pub fn missing(&mut self, rows: impl Iterator<Item = (u32, Sides)>) -> Vec<u32> {
        rows.filter(|&(p, s)| self.get(p, s).is_none() && self.asked.insert((p, s))).map(|(p, _)| p).collect()
    }

    /// Takes what came.
    pub fn put(&mut self, read: Read) {
        self.asked.remove(&(read.pair, read.sides));
        if self.bytes + read.bytes > HELD && self.held.len() >= SCREENFUL {
            let mut far: Vec<u32> = self.held.keys().copied().collect();
            far.sort_unstable_by_key(|k| k.abs_diff(read.pair));
            for key in far.drain(SCREENFUL / 2..) {
                self.bytes -= self.held.remove(&key).map_or(0, |r| r.bytes);
            }
        }
        self.bytes += read.bytes;
        if let Some(old) = self.held.insert(read.pair, read) {
            self.bytes -= old.bytes;
        }
    }

    /// Rows that will not be read after all may be asked for again.
    pub fn dropped(&mut self, rows: &[u32]) {
        self.asked.retain(|(pair, _)| !rows.contains(pair));
    }

    /// Forgets everything: rows were numbered anew.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
