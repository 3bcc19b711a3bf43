//! The records that were read last.

use std::collections::HashMap;
use std::sync::Arc;

use crate::record::{Attempt, Question};

/// Records kept.
const MOST: usize = 512;
/// Records kept however large they are: a question and its sides.
const LEAST: usize = 4;
/// Bytes of lines whose records are kept. A record takes a few times its line.
const BYTES: usize = 8 << 20;

/// What a record is kept under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    generation: u32,
    row: u32,
    /// For a question the length of its line, which changes when its file is found; for an attempt nothing.
    line: Option<u32>,
}

impl Key {
    pub(super) const fn attempt(generation: u32, row: u32) -> Self {
        Self { generation, row, line: None }
    }

    pub(super) const fn question(generation: u32, row: u32, len: u32) -> Self {
        Self { generation, row, line: Some(len) }
    }
}

/// A record.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Attempt(Arc<Attempt>),
    Question(Arc<Question>),
}

#[derive(Debug)]
struct Kept {
    item: Item,
    bytes: usize,
    used: u64,
}

/// Least recently used records go first. Room is made for an eighth at a time, so that looking for the oldest costs
/// little.
#[derive(Debug, Default)]
pub(super) struct Cache {
    kept: HashMap<Key, Kept, foldhash::fast::RandomState>,
    bytes: usize,
    clock: u64,
}

impl Cache {
    pub(super) fn get(&mut self, key: Key) -> Option<Item> {
        self.clock += 1;
        let kept = self.kept.get_mut(&key)?;
        kept.used = self.clock;
        Some(kept.item.clone())
    }

    pub(super) fn put(&mut self, key: Key, item: Item, bytes: usize) {
        self.clock += 1;
        let new = Kept { item, bytes, used: self.clock };
        self.bytes += bytes;
        if let Some(old) = self.kept.insert(key, new) {
            self.bytes -= old.bytes;
        }
        if self.kept.len() > MOST || (self.bytes > BYTES && self.kept.len() > LEAST) {
            self.make_room();
        }
    }

    fn make_room(&mut self) {
        let mut ages: Vec<(u64, usize)> = self.kept.values().map(|k| (k.used, k.bytes)).collect();
        ages.sort_unstable();
        let (mut count, mut bytes, mut limit) = (self.kept.len(), self.bytes, 0);
        for (used, size) in ages {
            if count <= LEAST || (count <= MOST - MOST / 8 && bytes <= BYTES - BYTES / 8) {
                break;
            }
            (count, bytes, limit) = (count - 1, bytes - size, used);
        }
        self.kept.retain(|_, k| k.used > limit);
        self.bytes = bytes;
    }
}
