//! The order in which attempts are written, so that reading them makes the same pairs.
//!
//! Which attempts of different runs stand side by side depends on the order in which they were read (`store::pairs`), so
//! they are written in that order. Attempts without run id count as one run for each file, of which there is only one
//! afterwards; where that would make another pair of them, the file's name becomes their run.

use std::collections::{HashMap, HashSet};

use crate::store::{AttemptRow, PairRow, Table};

/// Which attempts, in which order, and under which runs.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Attempts with their pairs.
    pub(super) attempts: Vec<(u32, u32)>,
    /// The number of pairs.
    pub(super) pairs: usize,
    /// Names for the attempts without run id, by file; empty when they need none.
    runs: HashMap<u16, String>,
}

impl Order {
    /// The attempts of these pairs as they were read.
    pub(super) fn as_read(table: &Table, pairs: &[u32]) -> Self {
        let mut order = Self::by_pair(table, pairs);
        order.attempts.sort_unstable();
        order
    }

    /// The attempts of these pairs, those of a pair together.
    pub(super) fn by_pair(table: &Table, pairs: &[u32]) -> Self {
        let mut pairs = pairs.to_vec();
        pairs.sort_unstable();
        pairs.dedup();
        // Rows of one question, model and number: only among them attempts look for each other.
        let mut groups: HashMap<(u32, u16, u16), Group, foldhash::fast::RandomState> = HashMap::default();
        let mut attempts = Vec::new();
        let mut clash = false;
        for &pair in &pairs {
            let Some(row) = table.pairs.get(pair as usize) else { continue };
            let group = groups.entry((row.question, row.model, row.attempt)).or_default();
            for (at, a) in sides(table, row) {
                attempts.push((at, pair));
                clash |= group.take(a, pair);
            }
        }
        let runs = if clash { names(table) } else { HashMap::new() };
        Self { attempts, pairs: pairs.len(), runs }
    }

    /// Whether attempts without run id are given one.
    pub(super) fn names_runs(&self) -> bool {
        !self.runs.is_empty()
    }

    /// The run of attempts of a file that have none.
    pub(super) fn run(&self, file: u16) -> Option<&str> {
        self.runs.get(&file).map(String::as_str)
    }
}

#[derive(Default)]
struct Group {
    /// The row of the attempts so far.
    row: Option<u32>,
    /// Whether there are others than attempts without run id, all in one row.
    mixed: bool,
    /// The file of the attempts without run id.
    file: Option<u16>,
    /// Whether they come from more than one.
    files: bool,
}

impl Group {
    /// Takes an attempt; whether attempts without run id would be taken for one run that are not.
    fn take(&mut self, a: &AttemptRow, row: u32) -> bool {
        self.mixed |= a.run != 0 || *self.row.get_or_insert(row) != row;
        self.files |= a.run == 0 && *self.file.get_or_insert(a.file) != a.file;
        self.mixed && self.files
    }
}

fn sides<'t>(table: &'t Table, row: &PairRow) -> impl Iterator<Item = (u32, &'t AttemptRow)> {
    row.sides.into_iter().filter_map(|at| Some((at, table.attempts.get(at as usize)?)))
}

/// A name for each file that no run has.
fn names(table: &Table) -> HashMap<u16, String> {
    let mut taken: HashSet<String> = table.names.runs.iter().map(|(_, w)| w.to_owned()).collect();
    let mut names = HashMap::new();
    for (file, info) in (0..).zip(table.files.iter()) {
        let base = info.path.file_name().unwrap_or(info.path.as_os_str()).to_string_lossy();
        let base = crate::text::sanitize_line(&base).into_owned();
        let mut name = base.clone();
        let mut n = 2;
        while !taken.insert(name.clone()) {
            name = format!("{base} ({n})");
            n += 1;
        }
        names.insert(file, name);
    }
    names
}
