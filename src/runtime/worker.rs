//! The worker: filter, order, figures, off the screen's thread. The newest request wins.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use crate::app::{Answer, Msg, Request, Rows};
use crate::query::{self, Settings};
use crate::stats;
use crate::store::Reader;

/// Time between one table's figures and the next, while files are read.
const FIGURES: Duration = Duration::from_millis(250);

/// Handle to the worker.
#[derive(Debug, Clone, Default)]
pub(super) struct Worker {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    next: Mutex<Option<Box<Request>>>,
    came: Condvar,
    cancel: AtomicBool,
}

impl Worker {
    /// Starts the thread. It ends with the process: it holds nothing that needs closing.
    pub(super) fn start(reader: Reader, out: UnboundedSender<Msg>) -> std::io::Result<Self> {
        let worker = Self::default();
        let shared = worker.shared.clone();
        std::thread::Builder::new().name("query".into()).spawn(move || {
            // Some milliseconds that the first frame does not wait for.
            crate::text::prepare();
            let (asking, wrong) = super::asking::settle();
            if out.send(Msg::Prepared(Arc::new(asking))).is_err() {
                return;
            }
            if let Some(wrong) = wrong {
                let _ = out.send(Msg::Failed(wrong));
            }
            let mut figured = Instant::now();
            loop {
                let request = shared.take();
                // While files are read a newer table comes every few milliseconds; figures of each would take the
                // processor from the reading.
                let figures = request.table.progress.done
                    || (request.filter.is_some() && !request.refresh)
                    || figured.elapsed() > FIGURES;
                let Some(answers) = run(&request, &reader, figures, &shared.cancel, &out) else { continue };
                if figures {
                    figured = Instant::now();
                }
                if out.send(Msg::Answer(Box::new(answers))).is_err() {
                    return;
                }
            }
        })?;
        Ok(worker)
    }

    /// Hands over a request; what is running for an older one stops.
    pub(super) fn ask(&self, request: Box<Request>) {
        let mut next = self.shared.next.lock().unwrap_or_else(PoisonError::into_inner);
        if !request.refresh {
            self.shared.cancel.store(true, Ordering::SeqCst);
        }
        *next = Some(request);
        self.shared.came.notify_one();
    }
}

impl Shared {
    fn take(&self) -> Request {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(request) = next.take() {
                self.cancel.store(false, Ordering::SeqCst);
                return *request;
            }
            next = self.came.wait(next).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Rows first, then figures, so that the list never waits for the header. `None`: a newer request came.
fn run(
    request: &Request,
    reader: &Reader,
    figures: bool,
    cancel: &AtomicBool,
    out: &UnboundedSender<Msg>,
) -> Option<Answer> {
    let table = &*request.table;
    let answer = |rows: Rows, complete: bool| Answer {
        id: request.id,
        generation: table.generation,
        rows,
        complete,
        refresh: request.refresh,
        summary: None,
        bins: None,
        groups: None,
    };
    let send = |a: Answer| out.send(Msg::Answer(Box::new(a))).is_ok();
    let passes = |pair: u32| {
        let t = table.pairs.get(pair as usize).and_then(|p| p.transitions.get(request.scorer as usize));
        t.is_some_and(|&t| request.toggles.passes(t))
    };
    let settings = Settings { scorer: request.scorer };
    let everything = request.filter.is_none() && request.toggles.0 == 0;
    let mut rows = match &request.filter {
        None => (0..table.pairs.len() as u32).filter(|&p| everything || passes(p)).collect(),
        Some(expr) => {
            // The first hits of a long search are shown at once, then each time that their number has doubled.
            let mut so_far: Vec<u32> = Vec::new();
            let mut told = 0;
            let mut partial = |found: &[u32]| {
                so_far.extend(found.iter().copied().filter(|&p| passes(p)));
                if request.sort.is_empty() && so_far.len() > told * 2 {
                    told = so_far.len();
                    so_far.sort_unstable();
                    send(answer(Rows::Filtered(Arc::new(so_far.clone())), false));
                }
            };
            let mut rows = query::run(table, reader, expr, &settings, cancel, &mut partial)?;
            rows.retain(|&p| passes(p));
            rows
        }
    };
    if !request.sort.is_empty() && !query::sort(table, &mut rows, &request.sort, request.scorer, cancel) {
        return None;
    }
    let shown = if everything && request.sort.is_empty() {
        Rows::All(table.pairs.len() as u32)
    } else if request.sort.is_empty() {
        Rows::Filtered(Arc::new(std::mem::take(&mut rows)))
    } else {
        Rows::Sorted(Arc::new(std::mem::take(&mut rows)))
    };
    if !figures {
        return Some(answer(shown, true));
    }
    send(answer(shown.clone(), true));
    if cancel.load(Ordering::SeqCst) {
        return None;
    }
    let counted: &[u32] = match &shown {
        Rows::All(_) => &rows,
        Rows::Filtered(v) | Rows::Sorted(v) => v,
    };
    let mut last = answer(shown.clone(), true);
    last.summary = Some(Arc::new(stats::summary(table, counted, request.scorer, request.errors)));
    if let Some(bins) = request.bins {
        let found = stats::bins(table, counted, request.scorer, bins.condition, bins.binning);
        last.bins = Some((bins, Arc::new(found)));
    }
    if let Some(groups) = &request.groups {
        // The header need not wait for them.
        send(last.clone());
        let options = stats::Options {
            scorer: request.scorer,
            errors: request.errors,
            by: groups.by,
            prices: (*groups.prices).clone(),
        };
        let found = stats::groups(table, counted, &options, cancel)?;
        last.groups = Some((groups.clone(), Arc::new(found)));
    }
    Some(last)
}
