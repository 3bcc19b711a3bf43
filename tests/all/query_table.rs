//! Small tables for the tests of filters and sorting, with their records in memory.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lookitup::query::{self, Expr, Records, Settings};
use lookitup::record::{Attempt, Condition, Question};
use lookitup::store::{Keep, NO, Reader, Table, table_of};

/// Records and the table made from them.
pub(crate) struct Data {
    pub(crate) questions: Vec<Question>,
    pub(crate) attempts: Vec<Attempt>,
    /// The stored lines of the attempts.
    pub(crate) lines: Vec<String>,
    pub(crate) table: Table,
    /// The store's own reader of the same records.
    pub(crate) reader: Reader,
}

impl Data {
    /// A table of questions and attempts, and the records as the store reads them; `write` makes the line that an
    /// attempt is taken to be stored in.
    pub(crate) fn new(
        questions: &[Question],
        attempts: &[Attempt],
        write: impl Fn(&Attempt) -> String,
    ) -> Self {
        let (table, reader) = table_of(questions, attempts);
        let attempts: Vec<Attempt> = (0..table.attempts.len() as u32)
            .map(|i| Attempt::clone(&reader.attempt(&table, i).unwrap()))
            .collect();
        let questions = (0..table.questions.len() as u32)
            .map(|i| Question::clone(&reader.question(&table, i).unwrap()))
            .collect();
        let lines = attempts.iter().map(write).collect();
        Self { questions, attempts, lines, table, reader }
    }

    /// The rows that a filter, given as text, lets through.
    pub(crate) fn rows(&self, filter: &str) -> Vec<u32> {
        self.run(&query::parse(filter).unwrap_or_else(|e| panic!("{filter}: {e}")))
    }

    pub(crate) fn run(&self, filter: &Expr) -> Vec<u32> {
        self.run_with(filter, Settings::default())
    }

    /// Runs a filter, and checks what it told on the way, and that the store's reader gives the same.
    pub(crate) fn run_with(&self, filter: &Expr, settings: Settings) -> Vec<u32> {
        let rows = self.run_over(self, filter, settings);
        assert_eq!(rows, self.run_over(&self.reader, filter, settings), "{filter} by the store's reader");
        rows
    }

    fn run_over(&self, records: &dyn Records, filter: &Expr, settings: Settings) -> Vec<u32> {
        let mut told = Vec::new();
        let mut calls = 0;
        let rows =
            query::run(&self.table, records, filter, &settings, &AtomicBool::new(false), &mut |rows| {
                assert!(rows.is_sorted());
                told.extend_from_slice(rows);
                calls += 1;
            });
        let rows = rows.unwrap();
        assert!(rows.is_sorted());
        if calls > 0 {
            told.sort_unstable();
            assert_eq!(told, rows, "partial results of {filter}");
        }
        rows
    }

    /// The attempts of a pair that are there.
    pub(crate) fn sides(&self, row: u32) -> Vec<&Attempt> {
        let pair = self.table.pairs.get(row as usize).unwrap();
        pair.sides.iter().filter(|&&a| a != NO).map(|&a| &self.attempts[a as usize]).collect()
    }

    pub(crate) fn side(&self, row: u32, condition: Condition) -> Option<&Attempt> {
        self.sides(row).into_iter().find(|a| a.condition == condition)
    }

    pub(crate) fn question_of(&self, row: u32) -> &Question {
        &self.questions[self.table.pairs.get(row as usize).unwrap().question as usize]
    }
}

impl Records for Data {
    fn attempt(&self, _: &Table, attempt: u32) -> Option<Arc<Attempt>> {
        Some(Arc::new(self.attempts.get(attempt as usize)?.clone()))
    }

    fn question(&self, _: &Table, question: u32) -> Option<Arc<Question>> {
        Some(Arc::new(self.questions.get(question as usize)?.clone()))
    }

    fn raw_line(&self, _: &Table, attempt: u32) -> Option<String> {
        self.lines.get(attempt as usize).cloned()
    }

    fn scan(
        &self,
        _: &Table,
        pattern: &regex::bytes::Regex,
        keep: Keep<'_>,
        cancel: &AtomicBool,
        hits: &mut dyn FnMut(&[u32]),
    ) -> bool {
        let fits = |i: &u32| {
            let line = self.lines[*i as usize].as_bytes();
            pattern.is_match(line) && keep(*i, line)
        };
        let found: Vec<u32> = (0..self.lines.len() as u32).filter(fits).collect();
        for batch in found.chunks(5) {
            if cancel.load(Ordering::Relaxed) {
                return false;
            }
            hits(batch);
        }
        true
    }
}

/// Writes a record as JSON, every character beyond ASCII escaped, `/` and `<` too.
pub(crate) fn escaped(a: &Attempt) -> String {
    let mut out = String::new();
    for c in serde_json::to_string(a).unwrap().chars() {
        match c {
            '/' => out.push_str("\\/"),
            '<' => out.push_str("\\u003c"),
            c if c.is_ascii() => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04X}").unwrap();
                }
            }
        }
    }
    out
}

pub(crate) fn plain(a: &Attempt) -> String {
    serde_json::to_string(a).unwrap()
}
