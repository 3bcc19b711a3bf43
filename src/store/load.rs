//! Reading everything that is to be opened: first the questions, then the attempts.
//!
//! The beginning is read right here, so that the first rows are there before a thread has been started. The rest is
//! cut into pieces that threads turn into columns; they are merged here in the order in which they stand in the
//! files, whoever is done first, so that the table never depends on timing.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::OpenOptions;
use super::build::Builder;
use super::chunk::{Context, Failed, Parsed};
use super::formats::Options;
use super::known::Known;
use super::piece::{self, Piece};
use super::plan::{Plan, Planned, Stamp};
use super::rescore::rescore;
use super::sniff::Kind;
use super::source::Source;
use super::spool::{self, Work};
use super::table::{FileInfo, Problem, Progress, Severity, Table};
use crate::record::Condition;

/// Bytes of the first pieces.
const FIRST: u64 = 1 << 16;
/// Bytes of the others, at most.
const PIECE: u64 = 1 << 20;
/// Pieces that a thread gets at least, so that none waits long for the other's last one.
const SHARES: u64 = 8;
/// Bytes that are read before threads are started.
const ALONE: u64 = 1 << 18;
/// Bytes after which a newer table is published at the latest.
const OFTEN: u64 = 256 << 20;

/// A file that is open.
pub(super) struct Loading {
    pub(super) planned: Planned,
    /// Its number in the table.
    pub(super) file: u16,
    /// What is indexed: the file itself, or the spool made of it.
    source: Arc<Source>,
    /// How far the spool is.
    spool: Option<Arc<spool::Progress>>,
    /// The spool, until it is being written.
    to: Option<std::fs::File>,
    /// Where reading goes on when it grows.
    pub(super) end: u64,
    /// The problem of a last line that may still be completed.
    pending: Option<Problem>,
    /// Whether it became shorter while it was read.
    pub(super) cut: bool,
}

/// Everything that is open, and how to read it.
pub(super) struct Loader<'s> {
    pub(super) builder: Builder,
    pub(super) files: Vec<Loading>,
    pub(super) options: OpenOptions,
    known: Arc<Known>,
    stop: &'s AtomicBool,
    /// Bytes merged, and how many it takes for the next table to be published.
    bytes: u64,
    due: u64,
    /// Bytes up to which no threads are started.
    alone: u64,
    /// Bytes of a piece after that.
    piece: u64,
}

/// Takes each newer table.
pub(super) type Publish<'p> = dyn FnMut(Table) + 'p;

enum Event {
    Parsed(usize, Box<Parsed>),
    Spooled,
}

/// What a thread is to read.
struct Job {
    number: usize,
    piece: Piece,
    source: Arc<Source>,
    file: u16,
    named: Option<Condition>,
}

enum Next {
    Job(usize, Piece),
    Wait,
    End,
}

/// A walk through files, each from a position on.
struct Walk {
    files: Vec<(usize, u64)>,
    at: usize,
    position: u64,
}

impl Walk {
    fn new(files: Vec<(usize, u64)>) -> Self {
        let position = files.first().map_or(0, |f| f.1);
        Self { files, at: 0, position }
    }

    fn advance(&mut self) {
        self.at += 1;
        self.position = self.files.get(self.at).map_or(0, |f| f.1);
    }
}

impl<'s> Loader<'s> {
    /// Opens what was planned; reads nothing yet.
    pub(super) fn new(generation: u32, plan: Plan, options: &OpenOptions, stop: &'s AtomicBool) -> Self {
        let mut loader = Self {
            builder: Builder::new(generation),
            files: Vec::new(),
            options: options.clone(),
            known: Arc::default(),
            stop,
            bytes: 0,
            due: 0,
            alone: ALONE,
            piece: PIECE,
        };
        for problem in plan.problems {
            loader.builder.problem(problem);
        }
        for planned in plan.files {
            loader.add(planned);
        }
        loader
    }

    /// Adds a file; its place in `files`.
    pub(super) fn add(&mut self, planned: Planned) -> Option<usize> {
        let info =
            FileInfo { path: planned.path.clone(), kind: planned.kind.name(), bytes: planned.stamp.len };
        let (mut source, mut spool, mut to) = (planned.source.clone(), None, None);
        if planned.packed.is_some() || matches!(planned.kind, Kind::Foreign(_)) {
            match spool::temporary() {
                Ok((file, reader)) => {
                    source = Arc::new(reader);
                    spool = Some(Arc::default());
                    to = Some(file);
                }
                Err(e) => {
                    let message = format!("no temporary file can be made to unpack it: {e}");
                    self.file_problem(&planned, message);
                    return None;
                }
            }
        }
        let Some(file) = self.builder.add_file(info, source.clone()) else {
            self.file_problem(&planned, "more than 65,535 files: left out".to_owned());
            return None;
        };
        self.files.push(Loading { planned, file, source, spool, to, end: 0, pending: None, cut: false });
        Some(self.files.len() - 1)
    }

    fn file_problem(&mut self, planned: &Planned, message: String) {
        let path = planned.path.clone();
        self.builder.problem(Problem { severity: Severity::Error, path, line: 0, entry: None, message });
    }

    /// Reads everything and publishes the table now and then, at last with `done`.
    pub(super) fn read(&mut self, publish: &mut Publish<'_>) {
        let of = |questions: bool| -> Vec<(usize, u64)> {
            let files = self.files.iter().enumerate();
            let wanted = files.filter(|(_, f)| matches!(f.planned.kind, Kind::Questions) == questions);
            wanted.map(|(at, _)| (at, 0)).collect()
        };
        let (questions, attempts) = (of(true), of(false));
        self.pass(questions, true, publish);
        self.pass(attempts, false, publish);
        self.finish(publish);
    }

    /// Reads on in files that grew, given by their places in `files` and new states, and in files that are new.
    pub(super) fn grow(&mut self, grown: &[(usize, Stamp)], fresh: Vec<Planned>, publish: &mut Publish<'_>) {
        let mut walk = Vec::new();
        for &(at, stamp) in grown {
            if let Some(file) = self.files.get_mut(at) {
                file.planned.stamp = stamp;
                walk.push((at, file.end));
                let pending = file.pending.take();
                self.builder.resize(file.file, stamp.len);
                if let Some(problem) = pending {
                    self.builder.withdraw(&problem);
                }
            }
        }
        walk.extend(fresh.into_iter().filter_map(|planned| Some((self.add(planned)?, 0))));
        // What came is little as a rule: it is read right here, and told once.
        self.alone = self.bytes + ALONE;
        self.due = self.bytes + OFTEN;
        self.pass(walk, false, publish);
        self.finish(publish);
    }

    fn finish(&mut self, publish: &mut Publish<'_>) {
        if self.stop.load(Ordering::Relaxed) {
            return;
        }
        rescore(&mut self.builder, self.stop);
        if self.builder.table.attempts.is_empty() {
            self.builder.add_bare_rows();
        }
        let progress = Progress { done: true, ..self.progress() };
        publish(self.builder.share(progress));
    }

    fn progress(&self) -> Progress {
        let total = self.files.iter().map(|f| match &f.spool {
            None => f.planned.stamp.len,
            Some(spool) => match spool.get() {
                (available, true) => available,
                (available, false) => available.max(f.planned.stamp.len),
            },
        });
        Progress { read: self.bytes, total: total.sum::<u64>().max(self.bytes), done: false }
    }

    fn next(&self, walk: &mut Walk) -> Next {
        while let Some((at, file)) = walk.files.get(walk.at).and_then(|f| Some((f.0, self.files.get(f.0)?))) {
            let (available, finished) = match &file.spool {
                None => (file.planned.stamp.len, true),
                Some(spool) => spool.get(),
            };
            let start = walk.position;
            let size = if start < FIRST || self.bytes < self.alone { FIRST } else { self.piece };
            if start < available && (finished || available - start >= FIRST.min(size)) {
                let end = available.min(start + size);
                walk.position = end;
                return Next::Job(at, Piece { start, end, limit: available, last: finished });
            }
            if !finished {
                return Next::Wait;
            }
            walk.advance();
        }
        Next::End
    }

    fn pass(&mut self, files: Vec<(usize, u64)>, learn: bool, publish: &mut Publish<'_>) {
        let (tell, events) = channel();
        let known = Arc::clone(&self.known);
        let mut learned = learn.then(Known::default);
        let stop = self.stop;
        let spools: Vec<_> = files.iter().filter_map(|&(at, _)| self.unpacking(at)).collect();
        let mut walk = Walk::new(files);
        thread::scope(|scope| {
            if !spools.is_empty() {
                let tell = tell.clone();
                scope.spawn(move || unpack_all(spools, stop, &tell));
            }
            if self.read_alone(&mut walk, &known, &mut learned, &events, publish) {
                self.read_together(scope, &mut walk, &known, &mut learned, (tell, events), publish);
            }
        });
        for file in &self.files {
            for problem in file.spool.iter().flat_map(|s| s.take_problems()) {
                self.builder.problem(problem);
            }
        }
        if let Some(learned) = learned {
            self.known = Arc::new(learned);
        }
    }

    fn unpacking(&mut self, at: usize) -> Option<Unpacking> {
        let file = self.files.get_mut(at)?;
        let format = match file.planned.kind {
            Kind::Foreign(format) => Some((format, Options { condition: file.planned.named })),
            _ => None,
        };
        Some(Unpacking {
            path: file.planned.path.clone(),
            source: Arc::clone(&file.planned.source),
            packed: file.planned.packed,
            format,
            to: file.to.take()?,
            progress: Arc::clone(file.spool.as_ref()?),
        })
    }

    /// Reads the beginning; whether there is more.
    fn read_alone(
        &mut self,
        walk: &mut Walk,
        known: &Known,
        learned: &mut Option<Known>,
        events: &Receiver<Event>,
        publish: &mut Publish<'_>,
    ) -> bool {
        let mut buffer = Vec::new();
        let mut parsed = Parsed::default();
        while self.bytes < self.alone && !self.stop.load(Ordering::Relaxed) {
            match self.next(walk) {
                Next::End => return false,
                Next::Wait => drop(events.recv()),
                Next::Job(at, piece) => {
                    let Some(file) = self.files.get(at) else { return false };
                    let context = Context { file: file.file, named: file.planned.named, known };
                    parsed = piece::read(&file.source, piece, &context, &mut buffer, parsed);
                    self.take(at, piece, &parsed, learned, publish);
                }
            }
        }
        !self.stop.load(Ordering::Relaxed)
    }

    /// Reads the rest with several threads.
    fn read_together<'scope>(
        &mut self,
        scope: &'scope thread::Scope<'scope, '_>,
        walk: &mut Walk,
        known: &Arc<Known>,
        learned: &mut Option<Known>,
        (tell, events): (Sender<Event>, Receiver<Event>),
        publish: &mut Publish<'_>,
    ) {
        let Progress { read, total, .. } = self.progress();
        self.builder.make_room(read as f64 / total as f64);
        let threads = self.options.threads.unwrap_or_else(cores).max(1);
        self.piece = ((total - read) / (threads as u64 * SHARES)).clamp(FIRST, PIECE);
        let (give, jobs) = channel::<Job>();
        let jobs = Arc::new(Mutex::new(jobs));
        // Emptied pieces go back to the threads: their memory is used again instead of going through the allocator.
        let spare = Arc::new(Mutex::new(Vec::new()));
        let mut started = 0;
        let most = threads * 2 + 1;
        let mut ready = BTreeMap::new();
        let (mut given, mut merged, mut ended) = (0, 0, false);
        let mut places = BTreeMap::new();
        while !self.stop.load(Ordering::Relaxed) {
            while !ended && given - merged < most {
                let (at, piece) = match self.next(walk) {
                    Next::Job(at, piece) => (at, piece),
                    Next::Wait => break,
                    Next::End => {
                        ended = true;
                        break;
                    }
                };
                let Some(file) = self.files.get(at) else { break };
                let (source, named) = (Arc::clone(&file.source), file.planned.named);
                if give.send(Job { number: given, piece, source, file: file.file, named }).is_err() {
                    return;
                }
                places.insert(given, (at, piece));
                given += 1;
                if started < threads && started < given {
                    started += 1;
                    let (jobs, known, spare, tell) =
                        (Arc::clone(&jobs), Arc::clone(known), Arc::clone(&spare), tell.clone());
                    scope.spawn(move || work(&jobs, &known, &spare, &tell));
                }
            }
            if ended && given == merged {
                return;
            }
            match events.recv() {
                Ok(Event::Parsed(number, parsed)) => drop(ready.insert(number, parsed)),
                Ok(Event::Spooled) => {}
                Err(_) => return,
            }
            while let Some(parsed) = ready.remove(&merged) {
                if let Some((at, piece)) = places.remove(&merged) {
                    self.take(at, piece, &parsed, learned, publish);
                }
                spare.lock().unwrap_or_else(PoisonError::into_inner).push(*parsed);
                merged += 1;
            }
        }
    }

    fn take(
        &mut self,
        at: usize,
        piece: Piece,
        parsed: &Parsed,
        learned: &mut Option<Known>,
        publish: &mut Publish<'_>,
    ) {
        let Some(file) = self.files.get_mut(at) else { return };
        self.bytes += piece.end - piece.start;
        file.end = file.end.max(parsed.end);
        let path = || file.planned.path.clone();
        if let Some(failed) = &parsed.failed {
            file.cut |= *failed == Failed::Cut;
            let message = match failed {
                Failed::Cut => {
                    "the file became shorter while it was read; what came before is shown".to_owned()
                }
                Failed::Io(words) => format!("cannot be read on: {words}; what came before is shown"),
            };
            self.builder.problem(Problem {
                severity: Severity::Error,
                path: path(),
                line: 0,
                entry: None,
                message,
            });
        }
        let number = file.file;
        self.builder.merge(parsed, number);
        if let Some(message) = &parsed.tail {
            let line = self.builder.lines(number) + 1;
            let message = format!("{message}; the line is left out unless it is completed");
            let problem = Problem { severity: Severity::Error, path: path(), line, entry: None, message };
            file.pending = Some(problem.clone());
            self.builder.problem(problem);
        }
        if let Some(known) = learned {
            Builder::learn(parsed, known);
        }
        let bare = self.files.iter().all(|f| matches!(f.planned.kind, Kind::Questions));
        if self.bytes >= self.due && (bare || !self.builder.table.attempts.is_empty()) {
            self.due = (self.bytes * 4).min(self.bytes + OFTEN);
            if bare {
                self.builder.add_bare_rows();
            }
            let progress = self.progress();
            publish(self.builder.share(progress));
        }
    }
}

/// A file that is to be decompressed or converted.
struct Unpacking {
    path: std::path::PathBuf,
    source: Arc<Source>,
    packed: Option<Kind>,
    format: Option<(&'static dyn super::formats::Format, Options)>,
    to: std::fs::File,
    progress: Arc<spool::Progress>,
}

fn unpack_all(spools: Vec<Unpacking>, stop: &AtomicBool, events: &Sender<Event>) {
    // Nobody listens any more once reading has stopped.
    let tell = || drop(events.send(Event::Spooled));
    for u in spools {
        let Unpacking { path, source, packed, format, to, progress } = u;
        Work { path, source, packed, format, to, progress, stop, tell: &tell }.run();
    }
}

fn work(jobs: &Mutex<Receiver<Job>>, known: &Known, spare: &Mutex<Vec<Parsed>>, events: &Sender<Event>) {
    let mut buffer = Vec::new();
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { number, piece, source, file, named }) = job else { return };
        let spare = spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        let context = Context { file, named, known };
        let parsed = piece::read(&source, piece, &context, &mut buffer, spare);
        if events.send(Event::Parsed(number, Box::new(parsed))).is_err() {
            return;
        }
    }
}

fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
