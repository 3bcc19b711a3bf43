//! Reads records for the screen in a thread of its own: a slow disk never holds a key.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::mpsc::UnboundedSender;

use crate::app::Msg;
use crate::store::{ReadError, Reader, Store, Table};

/// What to read.
#[derive(Debug)]
pub(super) enum Job {
    /// Records of pairs.
    Records(Arc<Table>, Vec<u32>),
    /// The line of an attempt as it stands in its file.
    Raw(Arc<Table>, u32),
}

/// Starts the thread. When a file turns out to be changed, everything is read anew.
pub(super) fn start(
    reader: Reader,
    store: Arc<Store>,
    out: UnboundedSender<Msg>,
) -> std::io::Result<Sender<Job>> {
    let (ask, jobs): (Sender<Job>, Receiver<Job>) = channel();
    std::thread::Builder::new().name("records".into()).spawn(move || {
        for job in jobs {
            #[cfg(debug_assertions)]
            assert!(std::env::var_os("LOOKITUP_TEST_PANIC").is_none(), "asked for by LOOKITUP_TEST_PANIC");
            let (msg, changed) = match job {
                Job::Records(table, pairs) => {
                    let mut changed = false;
                    let records = pairs
                        .into_iter()
                        .map(|pair| {
                            let read = reader.bundle(&table, pair);
                            changed |= matches!(read, Err(ReadError::Changed));
                            (pair, read.map_err(|e| e.to_string()))
                        })
                        .collect();
                    (Msg::Records(records), changed)
                }
                Job::Raw(table, attempt) => {
                    let read = reader.raw_line(&table, attempt);
                    let changed = matches!(read, Err(ReadError::Changed));
                    (Msg::RawLine(attempt, read.map_err(|e| e.to_string())), changed)
                }
            };
            if changed {
                store.reload();
            }
            if out.send(msg).is_err() {
                return;
            }
        }
    })?;
    Ok(ask)
}
