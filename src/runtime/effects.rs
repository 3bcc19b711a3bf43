//! Carries out effects.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::mpsc::Sender;

use tokio::sync::mpsc::UnboundedSender;

use crate::app::reask::News;
use crate::app::{Effect, Model, Msg};
use crate::store::Store;

use super::asking::Network;
use super::checking::Checker;
use super::clipboard::Clip;
use super::fetch::{self, Job};
use super::looks::Looks;
use super::noting::Noting;
use super::worker::Worker;
use super::{Session, browser, state, terminal};

/// What the loop does after an effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Then {
    /// Goes on.
    Go,
    /// Goes on; this is on its way and the next frame may wait for it.
    Expect(Expected),
    /// Gives the terminal back until continued.
    Suspend,
    /// Gives the terminal to an editor for this text.
    Edit(String),
    /// Ends.
    Stop,
}

/// What a frame may wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// The rows that pass a filter, in their order.
    Rows,
    /// What stands in them.
    Records,
}

impl Expected {
    /// Whether a message is what is expected.
    pub(super) const fn is(self, msg: &Msg) -> bool {
        match self {
            Self::Rows => matches!(msg, Msg::Answer(..)),
            Self::Records => matches!(msg, Msg::Records(..)),
        }
    }
}

/// What effects are carried out with.
#[derive(Debug)]
pub(super) struct Hands {
    store: Arc<Store>,
    worker: Worker,
    reader: Sender<Job>,
    clip: Clip,
    checker: Checker,
    network: Network,
    noting: Noting,
    out: UnboundedSender<Msg>,
    paths: Vec<String>,
    /// Where attempts asked again are kept, and what is exported.
    folder: Option<std::path::PathBuf>,
    keep: bool,
    /// Views that the settings hold: they are not kept a second time.
    configured: state::Views,
}

impl Hands {
    pub(super) fn new(session: &Session, store: Arc<Store>, out: UnboundedSender<Msg>) -> io::Result<Self> {
        Ok(Self {
            worker: Worker::start(store.reader(), out.clone())?,
            reader: fetch::start(store.reader(), store.clone(), out.clone())?,
            checker: Checker::new(store.reader(), out.clone()),
            clip: Clip::new(session.config.clipboard),
            network: Network::new(session.journal.clone(), out.clone()),
            noting: Noting::start(session.notes.clone(), person(&session.config), out.clone())?,
            store,
            out,
            paths: session.paths.clone(),
            folder: session.journal.as_deref().and_then(std::path::Path::parent).map(Into::into),
            keep: session.config.state,
            configured: state::configured(&session.config),
        })
    }

    pub(super) fn carry_out(&mut self, effect: Effect, model: &mut Model, looks: &mut Looks) -> Then {
        match effect {
            Effect::Query(request) => {
                // While files are read nobody waits for the rows of a newer table; nor for a worker that only begins.
                let then =
                    if request.refresh || !model.prepared { Then::Go } else { Then::Expect(Expected::Rows) };
                self.worker.ask(request);
                return then;
            }
            Effect::Fetch(wanted) => {
                let then = if wanted.now.is_empty() { Then::Go } else { Then::Expect(Expected::Records) };
                let _ = self.reader.send(Job { table: model.table.clone(), wanted });
                return then;
            }
            Effect::Ask(errand) => {
                let job = errand.job;
                if let Err(why) = self.network.ask(errand) {
                    self.tell(Msg::Job(job, News::Over));
                    self.tell(Msg::Failed(why));
                }
            }
            Effect::Check(request) => self.checker.ask(*request),
            Effect::StopChecking => self.checker.stop(),
            Effect::StopAsking(job) => self.network.stop(job),
            Effect::Note(said) => self.noting.note(said),
            Effect::Undo(back) => self.noting.undo(back),
            Effect::Draft(said) => self.noting.draft(said),
            Effect::Review(table, notes) => self.review(table, notes),
            Effect::Count(request) => {
                super::counting::start(*request, self.store.reader(), &self.out);
            }
            Effect::KeepCodebook(book) => self.noting.keep_book(book),
            Effect::Edit(text) => return Then::Edit(text),
            Effect::Export(wanted) => {
                super::exporting::start(*wanted, self.store.reader(), self.folder.clone(), self.out.clone());
            }
            Effect::Copy(text) => {
                let result = self.clip.copy(&text);
                self.tell(Msg::Copied(result));
            }
            Effect::OpenUrl(url) => match browser::open(&url) {
                Ok(()) => self.tell(Msg::Note(format!("opening {url}"))),
                Err(why) => {
                    let copied = self.clip.copy(&url);
                    self.tell(match copied {
                        Ok(how) => Msg::Note(format!("{why}: {how}")),
                        Err(e) => Msg::Failed(format!("{why}; {e}")),
                    });
                }
            },
            Effect::Theme(name) => {
                if let Err(why) = looks.change(&name) {
                    self.tell(Msg::Failed(why));
                }
            }
            Effect::Mouse(on) => {
                if let Err(e) = terminal::mouse(on) {
                    self.tell(Msg::Failed(format!("the mouse could not be switched: {e}")));
                }
            }
            Effect::Reload => {
                self.store.reload();
            }
            Effect::Save(session) => {
                if self.keep
                    && let Err(e) = state::save(&self.paths, &session)
                {
                    self.tell(Msg::Failed(format!("the session could not be kept: {e}")));
                }
            }
            Effect::SaveViews(mut views) => {
                views.retain(|v| !self.configured.contains(v));
                if self.keep
                    && let Err(e) = state::save_views(&views)
                {
                    self.tell(Msg::Failed(format!("the view could not be kept: {e}")));
                }
            }
            Effect::Suspend if super::signals::can_stop() => return Then::Suspend,
            Effect::Suspend => self.tell(Msg::Failed("there is no shell here to come back from".into())),
            Effect::Quit => return Then::Stop,
        }
        Then::Go
    }

    /// Puts people's verdicts to a table, in a thread: it reads the records that they are about.
    fn review(&self, graded: Arc<crate::store::Table>, notes: Arc<crate::review::Notes>) {
        let (reader, out) = (self.store.reader(), self.out.clone());
        let work = move || {
            let overlay = crate::review::overlay(&graded, &reader, &notes);
            let reviewed = crate::app::Reviewed { graded, judgements: notes.judgements(), overlay };
            let _ = out.send(Msg::Reviewed(Box::new(reviewed)));
        };
        if let Err(e) = std::thread::Builder::new().name("review".into()).spawn(work) {
            self.tell(Msg::Failed(format!("verdicts could not be put to the table: {e}")));
        }
    }

    /// Waits until what was said is on the disk. What could not be written is told to the terminal, which is the shell's
    /// again: it is there nowhere else.
    pub(super) fn finish(&mut self) {
        let lines = self.noting.finish();
        let lost: Vec<&String> = lines.iter().filter(|l| !l.contains("\"kind\":\"mark\"")).collect();
        if !lost.is_empty() {
            let mut err = io::stderr().lock();
            let n = crate::text::several(lost.len(), "note");
            let _ = writeln!(err, "lookitup: {n} could not be written; add the lines to the file of notes:");
            for line in lost {
                let _ = writeln!(err, "{}", crate::text::sanitize_line(line));
            }
        }
    }

    /// Keeps the session when the program is ended from outside.
    pub(super) fn save(&self, model: &Model) {
        if self.keep {
            let _ = state::save(&self.paths, &crate::app::Session::of(model));
        }
    }

    fn tell(&self, msg: Msg) {
        let _ = self.out.send(msg);
    }
}

/// Whose notes are written: the person of the settings, else whom the system knows.
fn person(config: &crate::config::Config) -> String {
    let variable = |name: &str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
    let name = config.name.clone().or_else(|| variable("USER")).or_else(|| variable("LOGNAME"));
    crate::text::sanitize_line(name.as_deref().unwrap_or("me").trim()).into_owned()
}
