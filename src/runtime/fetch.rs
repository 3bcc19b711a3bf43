//! Reads records for the screen in a thread of its own: a slow disk never holds a key.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::mpsc::UnboundedSender;

use crate::app::{Msg, Read};
use crate::store::{ReadError, Reader, Store, Table};

/// Rows whose records are wanted.
#[derive(Debug)]
pub(super) struct Job {
    pub(super) table: Arc<Table>,
    pub(super) pairs: Vec<u32>,
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
                if out.send(Msg::Dropped(passed.pairs)).is_err() {
                    return;
                }
            }
            let generation = job.table.generation;
            let mut changed = false;
            let records =
                job.pairs.into_iter().map(|pair| read(&reader, &job.table, pair, &mut changed)).collect();
            // Once for a table: a second reading of the same change would find nothing new.
            if changed && reloaded != Some(generation) {
                reloaded = Some(generation);
                store.reload();
            }
            if out.send(Msg::Records(generation, records)).is_err() {
                return;
            }
        }
    })?;
    Ok(ask)
}

fn read(reader: &Reader, table: &Table, pair: u32, changed: &mut bool) -> Read {
    let sides = table.pairs.get(pair as usize).map_or([crate::store::NO; 3], |p| p.sides);
    let bytes = sides.iter().filter_map(|&a| table.attempts.get(a as usize)).map(|a| a.len as usize).sum();
    let record = reader.bundle(table, pair);
    *changed |= matches!(record, Err(ReadError::Changed));
    Read { pair, sides, bytes, record: record.map_err(|e| e.to_string()) }
}
