//! The rows that the list shows: pair numbers in the order shown.

use std::sync::Arc;

/// Pair numbers in the order shown.
#[derive(Debug, Clone)]
pub enum Rows {
    /// Every pair of a table, in its order: nothing is stored.
    All(u32),
    /// A filtered set in table order.
    Filtered(Arc<Vec<u32>>),
    /// Any other order.
    Sorted(Arc<Vec<u32>>),
}

impl Default for Rows {
    fn default() -> Self {
        Self::All(0)
    }
}

impl Rows {
    /// How many rows.
    pub fn len(&self) -> usize {
        match self {
            Self::All(n) => *n as usize,
            Self::Filtered(v) | Self::Sorted(v) => v.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pair at a position.
    pub fn get(&self, position: usize) -> Option<u32> {
        match self {
            Self::All(n) => u32::try_from(position).ok().filter(|p| p < n),
            Self::Filtered(v) | Self::Sorted(v) => v.get(position).copied(),
        }
    }

    /// The position of a pair.
    pub fn position(&self, pair: u32) -> Option<usize> {
        match self {
            Self::All(n) => (pair < *n).then_some(pair as usize),
            Self::Filtered(v) => v.binary_search(&pair).ok(),
            Self::Sorted(v) => v.iter().position(|&p| p == pair),
        }
    }

    /// The position of a pair, or of the one that took its place: the next in table order, else the last. In a sorted
    /// list there is no such neighbour, so `fallback` (a position) is clamped instead.
    pub fn nearest(&self, pair: u32, fallback: usize) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let last = self.len() - 1;
        Some(match self {
            Self::All(_) => (pair as usize).min(last),
            Self::Filtered(v) => v.partition_point(|&p| p < pair).min(last),
            Self::Sorted(_) => self.position(pair).unwrap_or_else(|| fallback.min(last)),
        })
    }
}
