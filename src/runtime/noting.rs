//! Writes notes: a thread of its own, since every note waits for the disk.

//!
//! What could not be written waits in its order and is tried again with everything that comes, and at the end. The screen is
//! told how much is on the disk; only that may look saved.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedSender;

use crate::app::Msg;
use crate::app::coding::{Lines, NotesNews, Said, Undone};
use crate::review::{
    Act, Codebook, DraftFile, Entry, Left, NotesFile, Stamp, codebook, drafts_left, entry_id,
};

enum Command {
    Note(Vec<Said>),
    Undo(bool),
    Draft(Option<Box<Said>>),
    Book(Box<Codebook>),
}

/// The way to the thread. It ends when this is dropped, after what was asked of it.
#[derive(Debug)]
pub(super) struct Noting {
    commands: Option<Sender<Command>>,
    thread: Option<std::thread::JoinHandle<Vec<String>>>,
}

impl Noting {
    /// Starts the thread, which reads the notes first.
    pub(super) fn start(
        path: Option<PathBuf>,
        by: String,
        out: UnboundedSender<Msg>,
    ) -> std::io::Result<Self> {
        let Some(path) = path else {
            let why = "there is no folder to keep notes in: make ./results, or set HOME";
            let _ = out.send(Msg::NotesShut(why.to_owned()));
            return Ok(Self { commands: None, thread: None });
        };
        let (commands, inbox) = channel();
        let thread =
            std::thread::Builder::new().name("notes".into()).spawn(move || work(&path, by, &inbox, &out))?;
        Ok(Self { commands: Some(commands), thread: Some(thread) })
    }

    /// Writes something. Nothing at all: tries again what could not be written.
    pub(super) fn note(&self, said: Vec<Said>) {
        self.send(Command::Note(said));
    }

    /// Takes the last thing back, or says it again.
    pub(super) fn undo(&self, back: bool) {
        self.send(Command::Undo(back));
    }

    /// Keeps something aside, or no longer.
    pub(super) fn draft(&self, said: Option<Box<Said>>) {
        self.send(Command::Draft(said));
    }

    /// Keeps a codebook.
    pub(super) fn keep_book(&self, book: Box<Codebook>) {
        self.send(Command::Book(book));
    }

    fn send(&self, command: Command) {
        if let Some(commands) = &self.commands {
            let _ = commands.send(command);
        }
    }

    /// Waits until everything is on the disk: the program ends next. What is not, as the lines that it would have been.
    pub(super) fn finish(&mut self) -> Vec<String> {
        self.commands = None;
        self.thread.take().and_then(|thread| thread.join().ok()).unwrap_or_default()
    }
}

/// A number that no other program at this moment has.
fn random() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

fn stamp(by: &str) -> Stamp {
    let at = Timestamp::now();
    Stamp { id: entry_id(at, random()), at, by: by.to_owned() }
}

/// What the thread works with.
struct Desk<'a> {
    path: &'a Path,
    by: String,
    out: &'a UnboundedSender<Msg>,
    file: NotesFile,
    book: Arc<Codebook>,
    /// What is to be written, the oldest first; more than what came last only where the disk did not take it.
    waiting: VecDeque<Waiting>,
    /// How many were written.
    written: u64,
    /// Why the oldest is not.
    failing: Option<String>,
    /// Drafts that gone programs left.
    taken: Vec<Left>,
    draft: DraftFile,
    /// How often the file had been read anew, how many lines it had, and how many of them bad, when last told.
    told: Option<(u64, usize, usize)>,
}

struct Waiting {
    stamp: Stamp,
    said: Said,
    /// Kept aside as well, once it could not be written.
    aside: Option<DraftFile>,
}

fn work(path: &Path, by: String, inbox: &Receiver<Command>, out: &UnboundedSender<Msg>) -> Vec<String> {
    let failed = |what: &str, e: &dyn std::fmt::Display| {
        let _ = out.send(Msg::Failed(format!("{what}: {e}")));
    };
    let file = loop {
        match NotesFile::open(path) {
            Ok(file) => break file,
            // Nothing may be written into what cannot be read. Every time that somebody asks it is tried again.
            Err(e) => {
                let why = format!("notes cannot be kept in {}: {e}", path.display());
                if out.send(Msg::NotesShut(why)).is_err() || inbox.recv().is_err() {
                    return Vec::new();
                }
            }
        }
    };
    let book = codebook::load(&crate::review::codebook_of(path)).unwrap_or_else(|e| {
        failed("the codebook is not read, the one that ships is used", &e);
        Codebook::starter()
    });
    if let Some(bad) = file.notes().bad().first() {
        let lines = crate::text::several(file.notes().bad().len(), "line");
        failed(&format!("{}:{}: {lines} of the notes not used", path.display(), bad.line), &bad.why);
    }
    // A note that was saved in the last moment before its program was killed left its draft behind.
    let (taken, settled): (Vec<Left>, Vec<Left>) = drafts_left(path).into_iter().partition(|l| {
        let saved = file.notes().coding_by(&l.entry.key, &l.entry.by);
        saved.is_none_or(|c| c.entry.act != l.entry.act && c.entry.at < l.entry.at)
    });
    for left in settled {
        let _ = left.discard();
    }
    let mut desk = Desk {
        path,
        by,
        out,
        file,
        book: Arc::new(book),
        waiting: VecDeque::new(),
        written: 0,
        failing: None,
        taken,
        draft: DraftFile::new(path, u64::from(std::process::id())),
        told: None,
    };
    let left = desk.taken.iter().map(|l| l.entry.clone()).collect();
    let mut is_open = desk.tell(left, None);
    while is_open {
        let Ok(command) = inbox.recv() else { break };
        // All that is there is taken before anything is told: keys may come faster than a disk.
        let (mut draft, mut news, mut undone) = (None, false, None);
        for command in std::iter::once(command).chain(std::iter::from_fn(|| inbox.try_recv().ok())) {
            match command {
                Command::Note(said) => {
                    desk.write(said);
                    news = true;
                }
                Command::Undo(back) => {
                    undone = desk.undo(back).or(undone);
                    news = true;
                }
                Command::Book(new) => {
                    desk.keep(*new);
                    news = true;
                }
                // Of many the last one counts.
                Command::Draft(said) => draft = Some(said),
            }
        }
        if let Some(draft) = draft {
            desk.keep_aside(draft);
        }
        if news {
            is_open = desk.tell(Vec::new(), undone);
        }
    }
    desk.write(Vec::new());
    desk.waiting.iter().map(|w| desk.entry(w).to_line()).collect()
}

impl Desk<'_> {
    fn failed(&self, what: &str, e: &dyn std::fmt::Display) {
        let _ = self.out.send(Msg::Failed(format!("{what}: {e}")));
    }

    /// Writes what waits and what comes. What cannot be written keeps all that comes after it waiting.
    fn write(&mut self, said: Vec<Said>) {
        for said in said {
            self.waiting.push_back(Waiting { stamp: stamp(&self.by), said, aside: None });
        }
        let mut wrote = Ok(());
        while let Some(next) = self.waiting.front() {
            let Said { key, answer, act } = next.said.clone();
            wrote = self.file.say(next.stamp.clone(), key, &answer, act);
            // It may be there although it could not be read again.
            if wrote.is_err() && !(self.file.refresh().is_ok() && self.file.notes().has(&next.stamp.id)) {
                break;
            }
            wrote = Ok(());
            self.written += 1;
            if let Some(Waiting { said, aside, .. }) = self.waiting.pop_front() {
                if let Some(mut aside) = aside {
                    let _ = aside.clear();
                }
                self.settle(&said);
            }
        }
        self.failing = wrote.err().map(|e| format!("{}: {e}", self.path.display()));
        if self.failing.is_some() {
            self.save_waiting();
        }
    }

    /// A draft that was left behind is settled by what its row is given now.
    fn settle(&mut self, said: &Said) {
        self.taken.retain(|l| {
            let settled = l.entry.key == said.key && !matches!(said.act, Act::Mark { .. });
            if settled {
                let _ = l.clone().discard();
            }
            !settled
        });
    }

    /// Keeps codings that could not be written aside, where that is possible.
    fn save_waiting(&mut self) {
        let entries: Vec<Entry> = self.waiting.iter().map(|w| self.entry(w)).collect();
        for (at, (waiting, entry)) in self.waiting.iter_mut().zip(entries).enumerate() {
            if waiting.aside.is_none() && matches!(entry.act, Act::Coded { .. } | Act::Deferred { .. }) {
                let tag = u64::from(std::process::id()) | (self.written + at as u64 + 1) << 32;
                let mut aside = DraftFile::new(self.path, tag);
                if aside.save(&entry).is_ok() {
                    waiting.aside = Some(aside);
                }
            }
        }
    }

    fn entry(&self, waiting: &Waiting) -> Entry {
        let Said { key, answer, act } = waiting.said.clone();
        self.file.notes().entry(waiting.stamp.clone(), key, answer, act)
    }

    fn keep_aside(&mut self, said: Option<Box<Said>>) {
        match said {
            Some(said) => {
                let Said { key, answer, act } = *said;
                let entry = self.file.notes().entry(stamp(&self.by), key, answer, act);
                if let Err(e) = self.draft.save(&entry) {
                    self.failed("the draft could not be kept", &e);
                }
            }
            None => {
                if let Err(e) = self.draft.clear() {
                    self.failed("the draft could not be removed", &e);
                }
            }
        }
    }

    /// Works out what is undone here, where everything that was said before is known.
    fn undo(&mut self, back: bool) -> Option<Undone> {
        self.write(Vec::new());
        if self.failing.is_some() {
            return None;
        }
        let notes = self.file.notes();
        let step = if back { notes.undo(&self.by) } else { notes.redo(&self.by) };
        let Some((of, act)) = step.map(|s| (s.of.clone(), s.act)) else {
            return Some(Undone { back, of: None });
        };
        if let Err(e) = self.file.say(stamp(&self.by), of.key.clone(), &of.answer, act) {
            self.failed(if back { "it could not be undone" } else { "it could not be redone" }, &e);
            return None;
        }
        Some(Undone { back, of: Some(of) })
    }

    /// Keeps a codebook that was made of the one that was told last.
    fn keep(&mut self, new: Codebook) {
        let path = crate::review::codebook_of(self.path);
        match codebook::load(&path) {
            Ok(there) if there != *self.book => {
                let aside = path.with_extension("yours.toml");
                let kept = codebook::save(&aside, &new).map_or_else(
                    |e| format!("and your edit could not be kept: {e}"),
                    |()| format!("your edit is in {}", aside.display()),
                );
                self.failed("another program changed the codebook meanwhile; its codes are used now", &kept);
                self.book = Arc::new(there);
            }
            // One that cannot be read is not overwritten: somebody is writing it by hand.
            Err(e) if path.exists() => {
                self.failed("the codebook is not kept over one that cannot be read", &e);
            }
            _ => match codebook::save(&path, &new) {
                Ok(()) => self.book = Arc::new(new),
                Err(e) => self.failed("the codebook could not be kept", &e),
            },
        }
    }

    /// Tells how things stand. Whether anybody listens.
    fn tell(&mut self, left: Vec<Entry>, undone: Option<Undone>) -> bool {
        let notes = self.file.notes();
        let now = (self.file.anew(), notes.len(), notes.bad().len());
        let lines = match self.told {
            Some((anew, len, bad)) if (anew, bad) == (now.0, now.2) => {
                Lines::More(notes.taken_since(len).to_vec())
            }
            _ => Lines::All(Arc::new(notes.clone())),
        };
        self.told = Some(now);
        let news = NotesNews {
            lines,
            book: self.book.clone(),
            by: self.by.clone(),
            left,
            place: self.path.display().to_string(),
            written: self.written,
            failing: self.failing.clone(),
            undone,
        };
        self.out.send(Msg::Notes(Box::new(news))).is_ok()
    }
}
