//! What happens to files while they are open.
//!
//! A file that only grew is read on. One that was cut, replaced or rewritten has everything read anew, under a new
//! generation: nothing that was known of it can be relied on.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher, event::AccessKind};

use super::handle::Command;
use super::load::{Loader, Loading};
use super::page::read_attempt_line;
use super::plan::{Planned, Stamp, Watched};
use super::print::print;
use super::sniff::Kind;
use super::table::Table;

/// Bytes at the beginning of a file that show whether it was rewritten.
const HEAD: usize = 1 << 12;
/// Indexed lines that are looked at again before a file counts as grown.
const PROBES: u32 = 64;

/// What a look found.
pub(super) enum Found {
    /// Nothing that matters.
    Nothing,
    /// Files that grew, by their places among the loaded files and their new states, and files that are new.
    More(Vec<(usize, Stamp)>, Vec<Planned>),
    /// Anything else.
    Other,
}

/// Watches files.
pub(super) struct Follow {
    watched: Watched,
    watcher: Option<RecommendedWatcher>,
    /// Whether a look is asked for already, so that a flood of events makes one.
    asked: Arc<AtomicBool>,
    /// Lengths and hashes of the beginnings of the loaded files.
    heads: Vec<(usize, Option<u32>)>,
}

impl Follow {
    pub(super) fn new(watched: Watched) -> Self {
        Self { watched, watcher: None, asked: Arc::default(), heads: Vec::new() }
    }

    /// Begins to watch what was loaded. Where the system cannot watch, changes are only found by asking.
    pub(super) fn watch(&mut self, loader: &Loader<'_>, tell: &Sender<Command>) {
        self.added(loader);
        let mut paths = HashSet::new();
        let given = loader.files.iter().filter(|f| f.planned.on_disk).map(|f| &f.planned.path);
        for path in given.chain(self.watched.refused.iter().map(|(p, _)| p)) {
            paths.extend(fs::canonicalize(path));
            paths.insert(std::path::absolute(path).unwrap_or_else(|_| path.clone()));
        }
        let real = |p: &PathBuf| fs::canonicalize(p).unwrap_or_else(|_| p.clone());
        let folders: HashSet<PathBuf> = self.watched.folders.iter().map(real).collect();
        let parents = paths.iter().filter_map(|p| p.parent()).map(Path::to_owned);
        let watched: HashSet<PathBuf> = folders.iter().cloned().chain(parents).collect();
        if watched.is_empty() {
            return;
        }
        let (asked, tell) = (Arc::clone(&self.asked), tell.clone());
        let handler = move |event: notify::Result<Event>| {
            let ours = event.is_ok_and(|e| {
                matters(e.kind)
                    && e.paths
                        .iter()
                        .any(|p| paths.contains(p) || p.parent().is_some_and(|f| folders.contains(f)))
            });
            if ours && !asked.swap(true, Ordering::AcqRel) {
                // Nobody listens any more when everything is being closed.
                let _ = tell.send(Command::Look);
            }
        };
        let Ok(mut watcher) = notify::recommended_watcher(handler) else { return };
        for path in watched {
            // A folder that cannot be watched leaves the others watched.
            let _ = watcher.watch(&path, RecursiveMode::NonRecursive);
        }
        self.watcher = Some(watcher);
    }

    /// Looks what has changed.
    pub(super) fn look(&mut self, loader: &Loader<'_>) -> Found {
        self.asked.store(false, Ordering::Release);
        let mut grown = Vec::new();
        for (at, file) in loader.files.iter().enumerate() {
            if file.cut {
                return Found::Other;
            }
            if !file.planned.on_disk {
                continue;
            }
            // A file that is gone can still be read as long as it is open.
            let Ok(meta) = fs::metadata(&file.planned.path) else { continue };
            let (now, before) = (Stamp::of(&meta), file.planned.stamp);
            if now == before {
                continue;
            }
            let plain = file.planned.packed.is_none() && !matches!(file.planned.kind, Kind::Foreign(_));
            let only_more = plain && now.identity == before.identity && now.len > before.len;
            let same_head = self.heads.get(at).is_some_and(|(len, hash)| *hash == head(file, *len));
            if !only_more || !same_head || !intact(&loader.builder.table, file.file) {
                return Found::Other;
            }
            grown.push((at, now));
        }
        let changed = |(path, before): &(PathBuf, Option<Stamp>)| {
            fs::metadata(path).ok().map(|m| Stamp::of(&m)) != *before
        };
        if self.watched.refused.iter().any(changed) {
            return Found::Other;
        }
        let fresh = self.watched.fresh(&loader.options);
        if fresh.iter().any(|f| matches!(f.kind, Kind::Questions))
            || (!fresh.is_empty() && loader.builder.has_bare_rows())
        {
            return Found::Other;
        }
        if grown.is_empty() && fresh.is_empty() { Found::Nothing } else { Found::More(grown, fresh) }
    }

    /// Takes note of files that were added.
    pub(super) fn added(&mut self, loader: &Loader<'_>) {
        for file in loader.files.iter().skip(self.heads.len()) {
            // Of no more than was there when it was read.
            let len = HEAD.min(file.end as usize);
            self.heads.push((len, head(file, len)));
        }
    }
}

/// Opening, reading and closing change nothing.
const fn matters(kind: EventKind) -> bool {
    !matches!(kind, EventKind::Access(AccessKind::Open(_) | AccessKind::Read | AccessKind::Close(_)))
}

/// The hash of the first bytes of a file as it is now.
fn head(file: &Loading, len: usize) -> Option<u32> {
    let mut bytes = vec![0; len];
    let n = file.planned.source.read_at(&mut bytes, 0).ok()?;
    bytes.truncate(n);
    Some(print(&bytes))
}

/// Whether lines here and there in a file are still those that were indexed, the last one among them.
fn intact(table: &Table, file: u16) -> bool {
    let total = table.attempts.len() as u32;
    let same = |at: u32| {
        let row = table.attempts.get(at as usize).filter(|row| row.file == file);
        row.is_none_or(|row| read_attempt_line(table, row).is_ok())
    };
    let last =
        (0..total).rev().find(|at| table.attempts.get(*at as usize).is_some_and(|row| row.file == file));
    (0..total).step_by((total / PROBES).max(1) as usize).chain(last).all(same)
}
