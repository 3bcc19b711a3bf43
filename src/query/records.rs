//! The stored records, as far as a filter needs them.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use regex::bytes::Regex;

use crate::record::{Attempt, Question};
use crate::store::{Keep, Reader, Table};

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

    /// Tells the attempts whose stored line matches and is wanted by `keep`, in file order, in batches; `false` when
    /// cancelled. `keep` may be asked by several threads at once.
    fn scan(
        &self,
        table: &Table,
        pattern: &Regex,
        keep: Keep<'_>,
        cancel: &AtomicBool,
        hits: &mut dyn FnMut(&[u32]),
    ) -> bool;
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
        keep: Keep<'_>,
        cancel: &AtomicBool,
        hits: &mut dyn FnMut(&[u32]),
    ) -> bool {
        self.scan_lines(table, pattern, keep, cancel, hits)
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

    fn scan(&self, _: &Table, _: &Regex, _: Keep<'_>, _: &AtomicBool, _: &mut dyn FnMut(&[u32])) -> bool {
        true
    }
}
