//! Writes notes: a thread of its own, since every note waits for the disk.
//!
//! What could not be written waits in its order and is tried again with everything that comes, and at the end. The screen is
//! told how much is on the disk; only that may look saved.

mod desk;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};

use tokio::sync::mpsc::UnboundedSender;

use crate::app::Msg;
use crate::app::coding::Said;
use crate::review::{Codebook, NotesFile};
use desk::Desk;

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

fn work(path: &Path, by: String, inbox: &Receiver<Command>, out: &UnboundedSender<Msg>) -> Vec<String> {
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
    let mut desk = Desk::new(path, by, out, file);
    desk.serve(inbox);
    desk.end()
}
