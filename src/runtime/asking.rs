//! Asks models: a thread of its own for the network, so that neither a slow host nor a fast stream holds a key.
//!
//! Records are written before anything else is told of their end.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::watch;

use crate::app::Msg;
use crate::app::reask::{Asking, Errand, News, Whom};
use crate::config::paths::config_dir;
use crate::provider::{
    Client, Dialect, Event, Kind, Limits, Live, Models, Provider, Replay, Reply, line_of,
    start as start_asking,
};
use crate::runner::{Task, created_at, run_id};
use crate::store::Journal;

/// Time between two pieces of a replayed answer, about as fast as models write.
const PACE: Duration = Duration::from_millis(40);

/// What the form has to know, and what is wrong with the user's file of models.
pub(super) fn settle() -> (Asking, Option<String>) {
    let file = config_dir().map(|d| d.join("models.toml"));
    let (models, wrong) = match Models::load(file.as_deref()) {
        Ok(models) => (models, None),
        Err(e) => (Models::built_in(), Some(e.to_string())),
    };
    let names = Dialect::ALL.iter().map(|d| d.name().to_owned());
    let own = models.servers.iter().map(|s| s.name.clone());
    let mut whom: Vec<Whom> = Vec::new();
    for name in names.chain(own) {
        let known = whom.iter().any(|w| w.name == name);
        if let Some(endpoint) = models.endpoint(&name, &variable).filter(|_| !known) {
            let ready = endpoint.ready().map_err(|f| f.message);
            let key_variable = endpoint.key_variable.clone();
            whom.push(Whom { name, host: endpoint.host(), key_variable, ready });
        }
    }
    let now = Timestamp::now();
    let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
    (Asking { models, whom, today, run_id: run_id(now, std::process::id()) }, wrong)
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

enum Command {
    Ask(Box<Errand>),
    Stop(u32),
}

/// The way to the network's thread, which starts with the first request.
#[derive(Debug)]
pub(super) struct Network {
    commands: Option<UnboundedSender<Command>>,
    journal: Option<PathBuf>,
    out: UnboundedSender<Msg>,
}

impl std::fmt::Debug for Command {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ask(_) => "Ask",
            Self::Stop(_) => "Stop",
        })
    }
}

impl Network {
    pub(super) const fn new(journal: Option<PathBuf>, out: UnboundedSender<Msg>) -> Self {
        Self { commands: None, journal, out }
    }

    /// Begins an errand.
    ///
    /// # Errors
    /// No thread can be had, in words.
    pub(super) fn ask(&mut self, errand: Box<Errand>) -> Result<(), String> {
        if self.commands.is_none() {
            let (send, commands) = unbounded_channel();
            let (out, journal) = (self.out.clone(), self.journal.clone());
            let thread = std::thread::Builder::new().name("network".into());
            thread.spawn(move || serve(commands, &out, journal)).map_err(|e| e.to_string())?;
            self.commands = Some(send);
        }
        let sent = self.commands.as_ref().map(|c| c.send(Command::Ask(errand)));
        if sent.is_some_and(|s| s.is_ok()) { Ok(()) } else { Err("the network's thread has ended".into()) }
    }

    /// Stops an errand; what came so far is kept.
    pub(super) fn stop(&self, job: u32) {
        let _ = self.commands.as_ref().map(|c| c.send(Command::Stop(job)));
    }
}

fn serve(mut commands: UnboundedReceiver<Command>, out: &UnboundedSender<Msg>, journal: Option<PathBuf>) {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(e) => {
            let _ = out.send(Msg::Failed(format!("nothing can be asked: {e}")));
            return;
        }
    };
    let journal = journal.map(Journal::new);
    runtime.block_on(async move {
        let limits = Limits::default();
        let client = Client::new(&limits);
        let models = Arc::new(settle().0.models);
        let mut stops: HashMap<u32, watch::Sender<bool>> = HashMap::new();
        while let Some(command) = commands.recv().await {
            match command {
                Command::Stop(job) => {
                    if let Some(stop) = stops.get(&job) {
                        stop.send_replace(true);
                    }
                }
                Command::Ask(errand) => {
                    stops.retain(|_, stop| !stop.is_closed());
                    let (stop, stopped) = watch::channel(false);
                    stops.insert(errand.job, stop);
                    let live = client.clone().map(|client| {
                        models
                            .endpoint(&errand.provider, &variable)
                            .map(|endpoint| Live::new(endpoint, client, limits.clone(), models.clone()))
                    });
                    let live = match live {
                        Ok(live) => live,
                        Err(fault) => {
                            let _ = out.send(Msg::Failed(fault.to_string()));
                            None
                        }
                    };
                    let run =
                        Run { errand: *errand, live, stopped, out: out.clone(), journal: journal.clone() };
                    tokio::spawn(run.all());
                }
            }
        }
    });
}

/// One errand on its way.
struct Run {
    errand: Errand,
    live: Option<Live>,
    stopped: watch::Receiver<bool>,
    out: UnboundedSender<Msg>,
    journal: Option<Journal>,
}

impl Run {
    fn tell(&self, news: News) {
        let _ = self.out.send(Msg::Job(self.errand.job, news));
    }

    async fn all(mut self) {
        let tasks = std::mem::take(&mut self.errand.tasks);
        for (at, (task, kept)) in tasks.into_iter().enumerate() {
            let replay = kept.is_some();
            let provider: Option<Arc<dyn Provider>> = match kept {
                Some(attempt) => Some(Arc::new(Replay::new(attempt, PACE))),
                None => self.live.clone().map(|live| Arc::new(live) as Arc<dyn Provider>),
            };
            let Some(provider) = provider else { break };
            let reply = self.one(at, provider, &task).await;
            let hopeless = reply.kind().is_some_and(Kind::ends_all);
            self.keep(at, task, &reply, replay).await;
            if hopeless || *self.stopped.borrow() {
                break;
            }
        }
        self.tell(News::Over);
    }

    async fn one(&self, at: usize, provider: Arc<dyn Provider>, task: &Task) -> Reply {
        let mut running = start_asking(provider, task.ask.clone());
        let mut told = false;
        let mut stopped = self.stopped.clone();
        loop {
            tokio::select! {
                event = running.events.recv() => match event {
                    Some(Event::End(reply)) => return *reply,
                    Some(event) => self.tell(News::Event(at, event)),
                    None => return running.finish().await,
                },
                () = told_to(&mut stopped), if !told => {
                    told = true;
                    running.cancel();
                }
            }
        }
    }

    /// Writes the record, then tells of it.
    async fn keep(&self, at: usize, task: Task, reply: &Reply, replay: bool) {
        let mut given = task.given;
        given.created_at = Some(created_at(Timestamp::now()));
        let record = Box::new(reply.attempt(&given));
        if replay {
            return self.tell(News::Record(at, record));
        }
        let saved = match self.journal.clone() {
            None => Err("there is no folder to keep it in".to_owned()),
            Some(journal) => {
                let line = line_of(&record);
                let path = journal.path().to_owned();
                match tokio::task::spawn_blocking(move || journal.append(&[line])).await {
                    Ok(Ok(())) => Ok(path),
                    Ok(Err(e)) => Err(format!("{}: {e}", path.display())),
                    Err(e) => Err(e.to_string()),
                }
            }
        };
        self.tell(News::Record(at, record));
        self.tell(News::Saved(at, saved));
    }
}

/// Comes back when the job is to stop; when nobody can say so any more, too.
async fn told_to(stop: &mut watch::Receiver<bool>) {
    _ = stop.wait_for(|stop| *stop).await;
}
