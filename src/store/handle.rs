//! The open files as the rest of the program holds them: a thread loads and follows, tables come out.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::follow::{Follow, Found};
use super::load::Loader;
use super::page::Reader;
use super::plan::Plan;
use super::table::Table;
use super::{Input, OpenOptions};

/// Time between one look at changed files and the next, at least.
const REST: Duration = Duration::from_millis(50);

/// What the loading thread is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Command {
    /// Look whether files have changed.
    Look,
    /// Read everything anew.
    Reload,
    /// Go away.
    Stop,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    stop: AtomicBool,
    notify: Box<dyn Fn() + Send + Sync>,
}

struct State {
    table: Arc<Table>,
    /// Reloads asked for and not yet done.
    asked: u32,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, table: Table) {
        let table = Arc::new(table);
        // The old table is let go of outside the lock: that may take a while.
        let old = std::mem::replace(&mut self.state().table, table);
        self.changed.notify_all();
        (self.notify)();
        drop(old);
    }
}

/// Open files. Dropping it ends its threads, without waiting for them.
pub struct Store {
    shared: Arc<Shared>,
    reader: Reader,
    commands: Sender<Command>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

impl Store {
    /// Begins to open: returns at once. A newer table is published now and then while files are read; `notify` is
    /// called after each, from the loading thread.
    pub fn open(inputs: Vec<Input>, options: OpenOptions, notify: impl Fn() + Send + Sync + 'static) -> Self {
        let shared = Arc::new(Shared {
            state: Mutex::new(State { table: Arc::default(), asked: 0 }),
            changed: Condvar::new(),
            stop: AtomicBool::new(false),
            notify: Box::new(notify),
        });
        let (commands, told) = channel();
        let (theirs, again) = (Arc::clone(&shared), commands.clone());
        let thread = thread::Builder::new().name("load".to_owned());
        let started = thread.spawn(move || run(&theirs, &inputs, &options, &told, &again));
        if let Err(e) = started {
            let mut table = Table::default();
            table.progress.done = true;
            Arc::make_mut(&mut table.problems).add(super::Problem {
                severity: super::Severity::Error,
                path: std::path::PathBuf::new(),
                line: 0,
                entry: None,
                message: format!("no thread can be started to read files: {e}"),
            });
            shared.publish(table);
        }
        Self { shared, reader: Reader::default(), commands }
    }

    /// The newest table.
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.shared.state().table)
    }

    /// Waits until everything that was there has been read; the table then.
    pub fn wait(&self) -> Arc<Table> {
        let mut state = self.shared.state();
        while !state.table.progress.done || state.asked > 0 {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        Arc::clone(&state.table)
    }

    /// Reads records of this store's tables, of older ones too.
    pub fn reader(&self) -> Reader {
        self.reader.clone()
    }

    /// Reads everything anew: a new generation.
    pub fn reload(&self) {
        self.shared.state().asked += 1;
        if self.commands.send(Command::Reload).is_err() {
            self.shared.state().asked = 0;
        }
    }

    /// Looks now whether files have changed, without waiting for the system to tell. Needs [`OpenOptions::follow`].
    pub fn look(&self) {
        // Without the thread there is nothing to look at.
        let _ = self.commands.send(Command::Look);
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        // A thread that is gone needs no telling.
        let _ = self.commands.send(Command::Stop);
    }
}

fn run(
    shared: &Shared,
    inputs: &[Input],
    options: &OpenOptions,
    told: &Receiver<Command>,
    again: &Sender<Command>,
) {
    if options.gentle {
        give_way();
    }
    let mut generation = 0;
    while !shared.stop.load(Ordering::Relaxed) {
        let began = Instant::now();
        let mut plan = Plan::of(inputs, options);
        let watched = std::mem::take(&mut plan.watched);
        let mut loader = Loader::new(generation, plan, options, &shared.stop);
        let asked = shared.state().asked;
        loader.read(&mut |table| {
            if table.progress.done {
                let mut state = shared.state();
                state.asked = state.asked.saturating_sub(asked);
            }
            shared.publish(table);
        });
        let mut follow = options.follow.then(|| Follow::new(watched));
        if let Some(follow) = &mut follow {
            follow.watch(&loader, again);
            // What happened while the files were read.
            let _ = again.send(Command::Look);
        }
        // A file that is replaced again and again is not read again and again without a pause.
        let rest = if generation == 0 { began } else { rest_after(began) };
        if !stay(shared, &mut loader, follow.as_mut(), told, rest) {
            return;
        }
        generation += 1;
    }
}

/// Lets other threads run before this one and those that it starts.
fn give_way() {
    // Elsewhere only whole processes have a priority.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), 5);
}

/// Until when changes wait, after work that began then: files that are written without pause must take neither a
/// core nor the screen.
fn rest_after(began: Instant) -> Instant {
    let now = Instant::now();
    now + (now - began).max(REST)
}

/// Stays with what is open until everything is to be read anew; `false` to go away.
fn stay(
    shared: &Shared,
    loader: &mut Loader<'_>,
    mut follow: Option<&mut Follow>,
    told: &Receiver<Command>,
    mut rest: Instant,
) -> bool {
    loop {
        let Ok(mut command) = told.recv() else { return false };
        // Many things happen at once: one look is enough for them.
        while command == Command::Look
            && let Ok(next) = told.recv_timeout(rest.saturating_duration_since(Instant::now()))
        {
            command = next;
        }
        match command {
            Command::Stop => return false,
            Command::Reload => return true,
            Command::Look => {}
        }
        let Some(follow) = &mut follow else { continue };
        let began = Instant::now();
        let found = follow.look(loader);
        rest = rest_after(began);
        match found {
            Found::Nothing => {}
            Found::More(grown, fresh) => {
                loader.grow(&grown, fresh, &mut |table| shared.publish(table));
                follow.added(loader);
                rest = rest_after(began);
            }
            Found::Other => return true,
        }
    }
}
