//! Tests what is open for contradictions, in a thread of its own that lives as long as the test.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::mpsc::UnboundedSender;

use crate::app::{CheckRequest, Msg};
use crate::check;
use crate::store::Reader;

/// Starts and stops tests; at most one has not been told to stop.
#[derive(Debug)]
pub(super) struct Checker {
    reader: Reader,
    out: UnboundedSender<Msg>,
    cancel: Arc<AtomicBool>,
}

impl Checker {
    pub(super) fn new(reader: Reader, out: UnboundedSender<Msg>) -> Self {
        Self { reader, out, cancel: Arc::default() }
    }

    /// Starts a test; what is running for an older request stops.
    pub(super) fn ask(&mut self, request: CheckRequest) {
        self.stop();
        // A flag of its own: one that is set again could be missed by the older test.
        self.cancel = Arc::default();
        let (reader, out, cancel) = (self.reader.clone(), self.out.clone(), self.cancel.clone());
        let id = request.id;
        let test = move || {
            let CheckRequest { id, table, scorer } = request;
            if let Some(report) = check::check(&table, &reader, scorer, &cancel) {
                let _ = out.send(Msg::Checked(id, Ok(report)));
            }
        };
        if let Err(e) = std::thread::Builder::new().name("check".into()).spawn(test) {
            let why = format!("contradictions could not be looked for: {e}");
            let _ = self.out.send(Msg::Checked(id, Err(why)));
        }
    }

    /// Stops what is running. It sends nothing more.
    pub(super) fn stop(&self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}
