//! What the thread of notes works with, and what it does with each thing that it is told.

use std::collections::VecDeque;
use std::hash::{BuildHasher as _, Hasher as _};
use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use jiff::Timestamp;
use tokio::sync::mpsc::UnboundedSender;

use super::Command;
use crate::app::Msg;
use crate::app::coding::{Lines, NotesNews, Said, Undone};
use crate::review::{
    Act, Codebook, DraftFile, Entry, Left, NotesFile, Stamp, codebook, drafts_left, entry_id,
};

/// A number that no other program at this moment has.
fn random() -> u64 {
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

fn stamp(by: &str) -> Stamp {
    let at = Timestamp::now();
    Stamp { id: entry_id(at, random()), at, by: by.to_owned() }
}

/// What the thread works with.
pub(super) struct Desk<'a> {
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

impl<'a> Desk<'a> {
    /// Begins with what is on the disk: notes, codebook, drafts of programs that are gone.
    pub(super) fn new(path: &'a Path, by: String, out: &'a UnboundedSender<Msg>, file: NotesFile) -> Self {
        let failed = |what: &str, e: &dyn std::fmt::Display| {
            let _ = out.send(Msg::Failed(format!("{what}: {e}")));
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
        Self {
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
        }
    }

    /// Does what it is told until nobody tells or listens any more.
    pub(super) fn serve(&mut self, inbox: &Receiver<Command>) {
        let left = self.taken.iter().map(|l| l.entry.clone()).collect();
        let mut is_open = self.tell(left, None);
        while is_open {
            let Ok(command) = inbox.recv() else { break };
            // All that is there is taken before anything is written or told: keys may come faster than a disk, and
            // what is not on it when the program is killed is lost.
            let (mut draft, mut news, mut undone) = (None, false, None);
            for command in std::iter::once(command).chain(std::iter::from_fn(|| inbox.try_recv().ok())) {
                match command {
                    Command::Note(said) => {
                        self.queue(said);
                        news = true;
                    }
                    Command::Undo(back) => {
                        undone = self.undo(back).or(undone);
                        news = true;
                    }
                    Command::Book(new) => {
                        // Notes said before it go to the disk before it.
                        self.write();
                        self.keep(*new);
                        news = true;
                    }
                    // Of many the last one counts.
                    Command::Draft(said) => draft = Some(said),
                }
            }
            if news {
                self.write();
            }
            // After what was written: a draft that goes is in the notes then.
            if let Some(draft) = draft {
                self.keep_aside(draft);
            }
            if news {
                is_open = self.tell(Vec::new(), undone);
            }
        }
    }

    /// Tries once more what could not be written. What is still not, as the lines that it would have been.
    pub(super) fn end(mut self) -> Vec<String> {
        self.write();
        self.waiting.iter().map(|w| self.entry(w).to_line()).collect()
    }

    fn failed(&self, what: &str, e: &dyn std::fmt::Display) {
        let _ = self.out.send(Msg::Failed(format!("{what}: {e}")));
    }

    fn queue(&mut self, said: Vec<Said>) {
        for said in said {
            self.waiting.push_back(Waiting { stamp: stamp(&self.by), said, aside: None });
        }
    }

    /// Writes what waits. What cannot be written keeps all that comes after it waiting.
    fn write(&mut self) {
        let mut wrote = self.write_first(self.waiting.len());
        // A disk that is nearly full may take some of it. Another program that holds the file lets none through.
        if self.waiting.len() > 1 && wrote.as_ref().is_err_and(|e| e.kind() != ErrorKind::WouldBlock) {
            wrote = Ok(());
            while wrote.is_ok() && !self.waiting.is_empty() {
                wrote = self.write_first(1);
            }
        }
        self.failing = wrote.err().map(|e| format!("{}: {e}", self.path.display()));
        if self.failing.is_some() {
            self.save_waiting();
        }
    }

    /// Writes the first of what waits, all or none, with one wait for the disk.
    fn write_first(&mut self, n: usize) -> std::io::Result<()> {
        let first = self.waiting.iter().take(n);
        let said =
            first.map(|w| (w.stamp.clone(), w.said.key.clone(), w.said.answer.clone(), w.said.act.clone()));
        let wrote = self.file.say_all(said.collect());
        // It may be there although it could not be read again.
        if wrote.is_err() {
            let is_read = self.file.refresh().is_ok();
            let is_there = |w: &Waiting| self.file.notes().has(&w.stamp.id);
            if !(is_read && self.waiting.iter().take(n).all(is_there)) {
                return wrote;
            }
        }
        for Waiting { said, aside, .. } in self.waiting.drain(..n).collect::<Vec<_>>() {
            self.written += 1;
            if let Some(mut aside) = aside {
                let _ = aside.clear();
            }
            self.settle(&said);
        }
        Ok(())
    }

    /// A draft that was left behind is settled by what its row is given now.
    fn settle(&mut self, said: &Said) {
        self.taken.retain(|l| {
            let settled = l.entry.key.covers(&said.key) && !matches!(said.act, Act::Mark { .. });
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
        self.write();
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

#[cfg(test)]
#[path = "desk_tests.rs"]
mod tests;
