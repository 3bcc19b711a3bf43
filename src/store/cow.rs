//! A growing vector whose clones share their storage.

use std::sync::Arc;

const SHIFT: usize = 13;
const CHUNK: usize = 1 << SHIFT;

/// Append-mostly vector in chunks of 8,192 items. A clone copies one pointer a chunk; writing to a chunk that a clone
/// still holds copies that chunk alone. So the loader can publish what it has at any moment for next to nothing.
#[derive(Debug)]
pub struct CowVec<T> {
    chunks: Vec<Arc<Vec<T>>>,
    len: usize,
}

impl<T> Clone for CowVec<T> {
    fn clone(&self) -> Self {
        Self { chunks: self.chunks.clone(), len: self.len }
    }
}

impl<T> Default for CowVec<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Clone> CowVec<T> {
    /// Number of items.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The item at `at`.
    pub fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at >> SHIFT)?.get(at & (CHUNK - 1))
    }

    /// The item at `at`, to be changed.
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        Arc::make_mut(self.chunks.get_mut(at >> SHIFT)?).get_mut(at & (CHUNK - 1))
    }

    /// Appends an item.
    pub fn push(&mut self, item: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => {
                let last = Arc::make_mut(last);
                if last.len() == last.capacity() {
                    last.reserve_exact(if last.len() < 64 { 64 } else { last.len().min(CHUNK - last.len()) });
                }
                last.push(item);
            }
            _ => {
                // A small first chunk keeps small files small; later ones are filled for sure.
                let mut chunk = Vec::with_capacity(if self.chunks.is_empty() { 16 } else { CHUNK });
                chunk.push(item);
                self.chunks.push(Arc::new(chunk));
            }
        }
        self.len += 1;
    }

    /// All items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.chunks.iter().flat_map(|c| c.iter())
    }

    /// The chunks, each with the index of its first item: for scans that stop between chunks.
    pub fn chunks(&self) -> impl Iterator<Item = (usize, &[T])> + '_ {
        self.chunks.iter().enumerate().map(|(i, c)| (i << SHIFT, c.as_slice()))
    }
}

impl<T: Clone> FromIterator<T> for CowVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut out = Self::default();
        for item in items {
            out.push(item);
        }
        out
    }
}
