//! The order in which attempts are written, so that reading them makes the same pairs.
//!
//! Attempts of one run find each other wherever they stand. A run that is a guest in the row of another finds its place
//! by order alone (`store::pairs`), and attempts without run id count as one run for each file, of which there is only
//! one afterwards. Both matter only among rows of one question, model and number.

use std::collections::{HashMap, HashSet};

use crate::store::{AttemptRow, PairRow, Table};

type Key = (u32, u16, u16);

/// In which order, and under which runs.
#[derive(Debug, Default)]
pub(super) struct Order {
    pub(super) pairs: Vec<u32>,
    /// Names for the attempts without run id, by file; empty when they need none.
    runs: HashMap<u16, String>,
}

impl Order {
    pub(super) fn of(table: &Table, pairs: &[u32]) -> Self {
        let mut pairs = pairs.to_vec();
        pairs.sort_unstable();
        pairs.dedup();
        let mut groups: HashMap<Key, Group, foldhash::fast::RandomState> = HashMap::default();
        let mut clash = false;
        for &pair in &pairs {
            let Some(row) = table.pairs.get(pair as usize) else { continue };
            let group = groups.entry(key(row)).or_insert(Group { first: pair, without_run: None });
            for a in sides(table, row).filter(|a| a.run == 0) {
                let (file, at) = *group.without_run.get_or_insert((a.file, pair));
                clash |= file != a.file && at != pair;
            }
        }
        // A row with a guest comes first: later there may be other rows that would take the guest.
        pairs.sort_by_cached_key(|&pair| {
            let row = table.pairs.get(pair as usize);
            let first = row.and_then(|r| groups.get(&key(r))).map_or(pair, |g| g.first);
            (first, !row.is_some_and(|r| has_guest(table, r)), pair)
        });
        let runs = if clash { names(table) } else { HashMap::new() };
        Self { pairs, runs }
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

struct Group {
    first: u32,
    /// File and row of the first attempt without run id.
    without_run: Option<(u16, u32)>,
}

fn key(row: &PairRow) -> Key {
    (row.question, row.model, row.attempt)
}

fn sides<'t>(table: &'t Table, row: &PairRow) -> impl Iterator<Item = &'t AttemptRow> {
    row.sides.into_iter().filter_map(|at| table.attempts.get(at as usize))
}

fn has_guest(table: &Table, row: &PairRow) -> bool {
    let mut runs = sides(table, row).map(|a| (a.run, if a.run == 0 { a.file } else { 0 }));
    let first = runs.next();
    runs.any(|run| Some(run) != first)
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
