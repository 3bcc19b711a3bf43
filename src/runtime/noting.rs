//! Writes notes: a thread of its own, since every note waits for the disk.

use std::hash::{BuildHasher as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedSender;

use crate::app::Msg;
use crate::app::coding::{NotesNews, Said};
use crate::review::{Codebook, DraftFile, Entry, NotesFile, Stamp, codebook, drafts_left, entry_id};

enum Command {
    Note(Vec<Said>),
    Draft(Option<Box<Said>>),
    Book(Box<Codebook>),
}

/// The way to the thread. It ends when this is dropped, after what was asked of it.
#[derive(Debug)]
pub(super) struct Noting {
    commands: Option<Sender<Command>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Noting {
    /// Starts the thread, which reads the notes first.
    pub(super) fn start(
        path: Option<PathBuf>,
        by: String,
        out: UnboundedSender<Msg>,
    ) -> std::io::Result<Self> {
        let Some(path) = path else { return Ok(Self { commands: None, thread: None }) };
        let (commands, inbox) = channel();
        let thread =
            std::thread::Builder::new().name("notes".into()).spawn(move || write(&path, by, &inbox, &out))?;
        Ok(Self { commands: Some(commands), thread: Some(thread) })
    }

    /// Writes something.
    pub(super) fn note(&self, said: Vec<Said>) {
        self.send(Command::Note(said));
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

    /// Waits until everything is on the disk: the program ends next.
    pub(super) fn finish(&mut self) {
        self.commands = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
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

fn write(path: &Path, by: String, inbox: &Receiver<Command>, out: &UnboundedSender<Msg>) {
    let failed = |what: &str, e: &dyn std::fmt::Display| {
        let _ = out.send(Msg::Failed(format!("{what}: {e}")));
    };
    let book_path = crate::review::codebook_of(path);
    let mut book = match codebook::load(&book_path) {
        Ok(book) => Arc::new(book),
        Err(e) => {
            failed("the codebook is not read, the one that ships is used", &e);
            Arc::new(Codebook::starter())
        }
    };
    let mut file = match NotesFile::open(path) {
        Ok(file) => file,
        // Nothing may be written into what cannot be read.
        Err(e) => return failed(&format!("notes cannot be kept in {}", path.display()), &e),
    };
    let left: Vec<Entry> = drafts_left(path).into_iter().map(|l| l.entry).collect();
    let mut taken = drafts_left(path);
    let mut draft = DraftFile::new(path, u64::from(std::process::id()));
    let news = |file: &NotesFile, book: &Arc<Codebook>, left: Vec<Entry>| {
        Msg::Notes(Box::new(NotesNews {
            notes: Arc::new(file.notes().clone()),
            book: book.clone(),
            by: by.clone(),
            left,
            place: path.display().to_string(),
        }))
    };
    if let Some(bad) = file.notes().bad().first() {
        let n = file.notes().bad().len();
        let lines = crate::text::several(n, "line");
        failed(
            &format!("{}:{}: {lines} of the notes are left as they are", path.display(), bad.line),
            &bad.why,
        );
    }
    if out.send(news(&file, &book, left)).is_err() {
        return;
    }
    while let Ok(command) = inbox.recv() {
        match command {
            Command::Note(said) => {
                let mut wrote = Ok(());
                for Said { key, answer, act } in said {
                    // A draft that was left behind is settled by what its row is given now.
                    taken.retain(|l| {
                        let settled = l.entry.key == key && !matches!(act, crate::review::Act::Mark { .. });
                        if settled {
                            let _ = l.clone().discard();
                        }
                        !settled
                    });
                    wrote = wrote.and_then(|()| file.say(stamp(&by), key, &answer, act));
                }
                if let Err(e) = wrote {
                    failed(
                        &format!("the note could not be written to {}; it is not saved", path.display()),
                        &e,
                    );
                }
            }
            Command::Draft(Some(said)) => {
                let Said { key, answer, act } = *said;
                let entry = file.notes().entry(stamp(&by), key, answer, act);
                if let Err(e) = draft.save(&entry) {
                    failed("the draft could not be kept", &e);
                }
                continue;
            }
            Command::Draft(None) => {
                if let Err(e) = draft.clear() {
                    failed("the draft could not be removed", &e);
                }
                continue;
            }
            Command::Book(new) => match codebook::save(&book_path, &new) {
                Ok(()) => book = Arc::from(new),
                Err(e) => failed("the codebook could not be kept", &e),
            },
        }
        if out.send(news(&file, &book, Vec::new())).is_err() {
            return;
        }
    }
}
