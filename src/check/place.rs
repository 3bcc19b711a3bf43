//! From a record to the line of its file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::store::{NO, Reader, Table};

use super::Report;

/// A record, by its number in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    attempt: u32,
}

impl At {
    /// The number.
    pub(super) const fn number(self) -> u32 {
        self.attempt
    }

    /// An attempt; `None` where there is none.
    pub(super) fn attempt(table: &Table, attempt: u32) -> Option<Self> {
        (attempt != NO && (attempt as usize) < table.attempts.len()).then_some(Self { attempt })
    }
}

/// The row that was read from each line that the loader told of: of an attempt its own, of a question its first.
pub(super) fn rows_of_problems(table: &Table, reader: &Reader) -> BTreeMap<(PathBuf, u64), u32> {
    let mut wanted: BTreeMap<&Path, BTreeSet<u64>> = BTreeMap::new();
    for problem in table.problems.list.iter().filter(|p| p.line > 0 && p.entry.is_none()) {
        wanted.entry(&problem.path).or_default().insert(problem.line);
    }
    // Where those lines begin; records are met in the order of the table.
    let mut begins: BTreeMap<(u16, u64), (&Path, u64)> = BTreeMap::new();
    for (number, info) in (0u16..).zip(table.files.iter()) {
        let Some(lines) = wanted.get(info.path.as_path()) else { continue };
        let Ok(file) = File::open(&info.path) else { continue };
        let mut reading = Lines { file: BufReader::new(file), line: 1, offset: 0 };
        for &line in lines {
            let Some(offset) = reading.begin_of(line) else { break };
            begins.insert((number, offset), (&info.path, line));
        }
    }
    let mut found = BTreeMap::new();
    if begins.is_empty() {
        return found;
    }
    for (at, row) in (0u32..).zip(table.attempts.iter()) {
        if let Some((path, line)) = begins.get(&(row.file, row.offset))
            && is_plain(table, reader, at)
        {
            found.insert(((*path).to_owned(), *line), row.pair);
        }
    }
    for question in table.questions.iter().filter(|q| q.len > 0 && q.first_pair != NO) {
        if let Some((path, line)) = begins.get(&(question.file, question.offset)) {
            found.entry(((*path).to_owned(), *line)).or_insert(question.first_pair);
        }
    }
    found
}

/// Finds lines that come later and later.
struct Lines {
    file: BufReader<File>,
    line: u64,
    offset: u64,
}

impl Lines {
    /// Where a line begins.
    fn begin_of(&mut self, line: u64) -> Option<u64> {
        while self.line < line {
            let buffer = self.file.fill_buf().ok().filter(|b| !b.is_empty())?;
            let end = memchr::memchr(b'\n', buffer);
            let taken = end.map_or(buffer.len(), |end| end + 1);
            self.file.consume(taken);
            self.offset += taken as u64;
            self.line += u64::from(end.is_some());
        }
        Some(self.offset)
    }
}

/// Fills in file and line of every finding that names a record, reading each file once.
pub(super) fn resolve(table: &Table, reader: &Reader, report: &mut Report) {
    // By file and offset, so that one pass over a file answers all.
    let mut wanted: BTreeMap<(u16, u64), Option<u64>> = BTreeMap::new();
    for finding in &mut report.findings {
        let Some(row) = finding.at.and_then(|at| table.attempts.get(at.attempt as usize)) else { continue };
        finding.file = table.files.get(usize::from(row.file)).map(|f| f.path.clone());
        let Some(at) = finding.at else { continue };
        wanted
            .entry((row.file, row.offset))
            .or_insert_with(|| is_plain(table, reader, at.attempt).then_some(0));
    }
    let mut open: Option<(u16, Counter)> = None;
    for (&(file, offset), line) in &mut wanted {
        if line.is_none() {
            continue;
        }
        if open.as_ref().is_none_or(|(n, _)| *n != file) {
            open = table
                .files
                .get(usize::from(file))
                .and_then(|f| File::open(&f.path).ok())
                .map(|f| (file, Counter::new(f)));
        }
        *line = open.as_mut().and_then(|(_, counter)| counter.line_at(offset));
    }
    for finding in &mut report.findings {
        let Some(row) = finding.at.and_then(|at| table.attempts.get(at.attempt as usize)) else { continue };
        finding.line = wanted.get(&(row.file, row.offset)).copied().flatten();
    }
}

/// Whether a record's offset is one in the file itself, and not in what was made from a compressed or foreign file.
fn is_plain(table: &Table, reader: &Reader, attempt: u32) -> bool {
    let Some(row) = table.attempts.get(attempt as usize) else { return false };
    let Some(file) = table.files.get(usize::from(row.file)) else { return false };
    let (Ok(line), Ok(mut file)) = (reader.raw_line(table, attempt), File::open(&file.path)) else {
        return false;
    };
    let mut bytes = vec![0; line.len().min(64)];
    file.seek(SeekFrom::Start(row.offset)).is_ok()
        && file.read_exact(&mut bytes).is_ok()
        && line.as_bytes().starts_with(&bytes)
}

/// Counts lines up to growing offsets.
struct Counter {
    file: File,
    offset: u64,
    line: u64,
    buffer: Vec<u8>,
}

impl Counter {
    fn new(file: File) -> Self {
        Self { file, offset: 0, line: 1, buffer: vec![0; 1 << 16] }
    }

    /// The line that the byte at `offset` is on. Offsets must not go back.
    fn line_at(&mut self, offset: u64) -> Option<u64> {
        while self.offset < offset {
            let want = usize::try_from(offset - self.offset).unwrap_or(usize::MAX).min(self.buffer.len());
            let part = self.buffer.get_mut(..want)?;
            self.file.read_exact(part).ok()?;
            self.line += memchr::memchr_iter(b'\n', part).count() as u64;
            self.offset += want as u64;
        }
        Some(self.line)
    }
}
