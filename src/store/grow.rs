//! Texts that grow, in blocks of about a MiB.

use std::collections::HashMap;
use std::sync::Arc;

use super::table::{TextBlock, Texts};

/// Bytes at which a block is closed.
const FULL: usize = 1 << 20;

/// Texts of items that are still being added.
#[derive(Debug, Default)]
pub(super) struct Growing {
    closed: Texts,
    open: TextBlock,
    replaced: HashMap<u32, Vec<u8>>,
}

impl Growing {
    /// How many items there are.
    pub(super) fn len(&self) -> u32 {
        self.open.first + self.open.ends.len() as u32
    }

    /// Adds one item, its end mark included.
    pub(super) fn push(&mut self, item: &[u8]) {
        self.make_room(item.len());
        self.open.text.extend_from_slice(item);
        self.open.ends.push(self.open.text.len() as u32);
    }

    /// Adds several items at once.
    pub(super) fn append(&mut self, text: &[u8], ends: &[u32]) {
        self.make_room(text.len());
        let base = self.open.text.len() as u32;
        self.open.text.extend_from_slice(text);
        self.open.ends.extend(ends.iter().map(|e| e + base));
    }

    fn make_room(&mut self, more: usize) {
        if !self.open.text.is_empty() && self.open.text.len() + more > FULL {
            self.close();
        }
        if self.open.text.is_empty() {
            self.reopen(more);
        }
        // From the second block on they are made full size at once: growing them would riddle the heap with holes.
        if self.open.text.capacity() == 0
            && let Some(before) = self.closed.0.last()
        {
            let items = before.ends.len();
            self.open.text.reserve_exact(FULL.max(more));
            self.open.ends.reserve_exact(items + items / 8);
        }
    }

    fn close(&mut self) {
        let first = self.len();
        let mut block = std::mem::replace(&mut self.open, TextBlock { first, ..TextBlock::default() });
        if !block.ends.is_empty() {
            trim(&mut block.text);
            trim(&mut block.ends);
            self.closed.0.push(Arc::new(block));
        }
    }

    /// Goes on with the last block where it is small, so that many small additions don't leave many small blocks.
    fn reopen(&mut self, more: usize) {
        if self.closed.0.last().is_some_and(|b| b.text.len() + more <= FULL / 2)
            && let Some(last) = self.closed.0.pop()
        {
            self.open = Arc::try_unwrap(last).unwrap_or_else(|shared| TextBlock {
                first: shared.first,
                text: shared.text.clone(),
                ends: shared.ends.clone(),
            });
        }
    }

    /// The text of an item, without its end mark.
    pub(super) fn item(&self, index: u32) -> Option<&[u8]> {
        if let Some(item) = self.replaced.get(&index) {
            return item.split_last().map(|(_, item)| item);
        }
        if index >= self.open.first { self.open.item(index) } else { self.closed.item(index) }
    }

    /// Gives an item another text, its end mark included.
    pub(super) fn replace(&mut self, index: u32, item: Vec<u8>) {
        self.replaced.insert(index, item);
    }

    /// The texts so far, to be shared.
    pub(super) fn share(&mut self) -> Texts {
        self.close();
        if !self.replaced.is_empty() {
            let replaced = std::mem::take(&mut self.replaced);
            for block in &mut self.closed.0 {
                let items = block.first..block.first + block.ends.len() as u32;
                if replaced.keys().any(|at| items.contains(at)) {
                    *block = Arc::new(rebuilt(block, &replaced));
                }
            }
        }
        self.closed.clone()
    }
}

/// Gives back room that is worth it.
fn trim<T>(list: &mut Vec<T>) {
    if list.capacity() - list.len() > list.len() / 8 {
        list.shrink_to_fit();
    }
}

fn rebuilt(block: &TextBlock, replaced: &HashMap<u32, Vec<u8>>) -> TextBlock {
    let mut new = TextBlock { first: block.first, ..TextBlock::default() };
    let mut start = 0;
    for (at, &end) in (block.first..).zip(&block.ends) {
        let old = block.text.get(start..end as usize).unwrap_or_default();
        new.text.extend_from_slice(replaced.get(&at).map_or(old, Vec::as_slice));
        new.ends.push(new.text.len() as u32);
        start = end as usize;
    }
    new.text.shrink_to_fit();
    new
}
