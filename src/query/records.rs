//! The stored records, as far as a filter needs them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use regex::bytes::Regex;

use crate::record::{Attempt, Question};
use crate::store::{Reader, Table};

/// Reads stored records: implemented by the reader of the open files, and by tests.
///
/// A record that cannot be read fits no test.
pub trait Records: Sync {
    /// The attempt with this number.
    fn attempt(&self, table: &Table, attempt: u32) -> Option<Arc<Attempt>>;

    /// The question with this number, with its `meta` where a data file has it.
    fn question(&self, table: &Table, question: u32) -> Option<Arc<Question>>;

    /// The attempt's line as stored.
    fn raw_line(&self, table: &Table, attempt: u32) -> Option<String>;

    /// Tells the attempts whose stored line matches, in file order, in batches; `false` when cancelled.
    fn scan(&self, table: &Table, pattern: &Regex, cancel: &AtomicBool, hits: &mut dyn FnMut(&[u32]))
    -> bool;
}

/// The reader of the open files.
impl Records for Reader {
    fn attempt(&self, table: &Table, attempt: u32) -> Option<Arc<Attempt>> {
        Self::attempt(self, table, attempt).ok()
    }

    fn question(&self, table: &Table, question: u32) -> Option<Arc<Question>> {
        Self::question(self, table, question).ok()
    }

    fn raw_line(&self, table: &Table, attempt: u32) -> Option<String> {
        Self::raw_line(self, table, attempt).ok()
    }

    fn scan(
        &self,
        table: &Table,
        pattern: &Regex,
        cancel: &AtomicBool,
        hits: &mut dyn FnMut(&[u32]),
    ) -> bool {
        Self::scan(self, table, pattern, cancel, hits)
    }
}

/// No stored records: `url`, `domain`, `meta` fit nothing, `text` looks at the columns alone.
impl Records for () {
    fn attempt(&self, _: &Table, _: u32) -> Option<Arc<Attempt>> {
        None
    }

    fn question(&self, _: &Table, _: u32) -> Option<Arc<Question>> {
        None
    }

    fn raw_line(&self, _: &Table, _: u32) -> Option<String> {
        None
    }

    fn scan(&self, _: &Table, _: &Regex, _: &AtomicBool, _: &mut dyn FnMut(&[u32])) -> bool {
        true
    }
}
