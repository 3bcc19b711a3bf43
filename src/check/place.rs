//! From a record to the line of its file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use crate::store::{NO, Reader, Table};

use super::Report;

/// A record, by its number in the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    attempt: u32,
}

impl At {
    /// An attempt; `None` where there is none.
    pub(super) fn attempt(table: &Table, attempt: u32) -> Option<Self> {
        (attempt != NO && (attempt as usize) < table.attempts.len()).then_some(Self { attempt })
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
