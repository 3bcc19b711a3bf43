//! Reads records for the screen in a thread of its own: a slow disk never holds a key.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::mpsc::UnboundedSender;

use crate::app::{Found, Msg, Read, Wanted};
use crate::store::{ReadError, Reader, Store, Table};

/// Rows whose records are wanted.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) table: Arc<Table>,
    pub(super) wanted: Wanted,
}

/// Starts the thread. When a file turns out to be changed, everything is read anew.
pub(super) fn start(
    reader: Reader,
    store: Arc<Store>,
    out: UnboundedSender<Msg>,
) -> std::io::Result<Sender<Job>> {
    let (ask, jobs): (Sender<Job>, Receiver<Job>) = channel();
    std::thread::Builder::new().name("records".into()).spawn(move || {
        let mut reloaded = None;
        while let Ok(mut job) = jobs.recv() {
            #[cfg(debug_assertions)]
            assert!(std::env::var_os("LOOKITUP_TEST_PANIC").is_none(), "asked for by LOOKITUP_TEST_PANIC");
            // Only what is on the screen now is worth reading: rows that were passed are dropped.
            for newer in jobs.try_iter() {
                let passed = std::mem::replace(&mut job, newer);
                if out.send(Msg::Dropped(passed.wanted)).is_err() {
                    return;
                }
            }
            let Job { table, wanted } = job;
            for rows in [wanted.now, wanted.ahead].into_iter().filter(|r| !r.is_empty()) {
                let mut changed = false;
                let found = Found {
                    brief: read(&table, rows.brief, |p| reader.brief(&table, p), &mut changed),
                    whole: read(&table, rows.whole, |p| reader.bundle(&table, p), &mut changed),
                };
                // Once for a table: a second reading of the same change would find nothing new.
                if changed && reloaded != Some(table.generation) {
                    reloaded = Some(table.generation);
                    store.reload();
                }
                if out.send(Msg::Records(table.generation, found)).is_err() {
                    return;
                }
            }
        }
    })?;
    Ok(ask)
}

fn read<T>(
    table: &Table,
    pairs: Vec<u32>,
    of: impl Fn(u32) -> Result<T, ReadError>,
    changed: &mut bool,
) -> Vec<Read<T>> {
    let one = |pair| {
        let sides = table.pairs.get(pair as usize).map_or([crate::store::NO; 3], |p| p.sides);
        let lines = sides.iter().filter_map(|&a| table.attempts.get(a as usize));
        let bytes = lines.map(|a| a.len as usize).sum();
        let record = of(pair);
        *changed |= matches!(record, Err(ReadError::Changed));
        Read { pair, sides, bytes, record: record.map_err(|e| e.to_string()) }
    };
    pairs.into_iter().map(one).collect()
}
