//! The notes file: read, read on, and added to; never rewritten.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::store::Journal;

use super::entry::{Act, Entry, Key};
use super::notes::Notes;
use super::state::Stamp;

/// What notes files end in.
const END: &str = ".notes.jsonl";
/// Bytes before the place read up to that are compared, to tell a file that grew from one that was rewritten.
const SEAM: u64 = 256;

/// Where the notes on results of this name are: `FOLDER/NAME.notes.jsonl`.
pub fn notes_path(folder: &Path, name: &str) -> PathBuf {
    let name: String = name.chars().map(|c| if matches!(c, '/' | '\\' | '\0') { '-' } else { c }).collect();
    let name = name.trim_start_matches('.').trim_end_matches(".jsonl");
    folder.join(format!("{}{END}", if name.is_empty() { "results" } else { name }))
}

/// A notes file and what it says. Several programs may have the same one open: each sees what the others wrote at its
/// next [`NotesFile::refresh`] or [`NotesFile::append`].
#[derive(Debug)]
pub struct NotesFile {
    journal: Journal,
    notes: Notes,
    read: Read,
    anew: u64,
    writes: u64,
}

/// How far the file was read.
#[derive(Debug, Default)]
struct Read {
    /// Device and number of the file.
    file: Option<(u64, u64)>,
    /// Bytes, up to a line's end.
    bytes: u64,
    lines: u64,
    /// The last bytes before that place.
    seam: Vec<u8>,
    /// What stands behind that place: a line that is not ended yet.
    tail: Vec<u8>,
}

impl NotesFile {
    /// Reads a notes file, which need not be there yet.
    ///
    /// # Errors
    /// It is there and cannot be read.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let mut file = Self {
            journal: Journal::keeping(path),
            notes: Notes::default(),
            read: Read::default(),
            anew: 0,
            writes: 0,
        };
        file.refresh()?;
        Ok(file)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.journal.path()
    }

    /// What it says.
    pub const fn notes(&self) -> &Notes {
        &self.notes
    }

    /// How often it was read from its beginning. Where this stays the same, lines were added and nothing else happened.
    pub const fn anew(&self) -> u64 {
        self.anew
    }

    /// How often lines were added here: how often somebody waited for the disk.
    pub const fn writes(&self) -> u64 {
        self.writes
    }

    /// Whether its last line is cut, by a program that was stopped while it wrote. The next line written takes its
    /// place.
    pub fn is_torn(&self) -> bool {
        !self.read.tail.is_empty()
            && std::str::from_utf8(&self.read.tail).map_or(true, |t| Entry::parse(t).is_err())
    }

    /// Reads what was added since, and everything anew where the file is another one (a merge, an edit). Whether
    /// anything is different.
    ///
    /// # Errors
    /// The file cannot be read; what was read before stays.
    pub fn refresh(&mut self) -> io::Result<bool> {
        let mut file = match File::open(self.path()) {
            Ok(file) => file,
            Err(e) if e.kind() == io::ErrorKind::NotFound => {
                let was = !self.notes.is_empty() || self.read.bytes > 0;
                (self.notes, self.read) = (Notes::default(), Read::default());
                self.anew += u64::from(was);
                return Ok(was);
            }
            Err(e) => return Err(e),
        };
        let meta = file.metadata()?;
        let is_same = self.read.file == Some((meta.dev(), meta.ino())) && self.continues(&mut file)?;
        let (mut notes, mut read) = if is_same {
            (None, Read::default())
        } else {
            (Some(Notes::default()), Read { file: Some((meta.dev(), meta.ino())), ..Read::default() })
        };
        let place = if is_same { &mut self.read } else { &mut read };
        file.seek(SeekFrom::Start(place.bytes))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let changed = !is_same || bytes != place.tail;
        if changed {
            take(&bytes, place, notes.as_mut().unwrap_or(&mut self.notes));
        }
        if let Some(notes) = notes {
            (self.notes, self.read) = (notes, read);
            self.anew += 1;
        }
        Ok(changed)
    }

    /// Whether the file still has what was read of it.
    fn continues(&self, file: &mut File) -> io::Result<bool> {
        let from = self.read.bytes - self.read.seam.len() as u64;
        file.seek(SeekFrom::Start(from))?;
        let mut there = Vec::new();
        file.by_ref().take(self.read.seam.len() as u64).read_to_end(&mut there)?;
        Ok(there == self.read.seam)
    }

    /// Adds lines. When it comes back they are on the disk, and in [`NotesFile::notes`] with what others added.
    ///
    /// # Errors
    /// The file cannot be written (nothing of the lines is in it then) or read.
    pub fn append(&mut self, entries: &[Entry]) -> io::Result<()> {
        let lines: Vec<String> = entries.iter().map(Entry::to_line).collect();
        self.journal.append(&lines)?;
        self.writes += 1;
        self.refresh()?;
        Ok(())
    }

    /// Says something about a row: a line after everything that is in the file now. The id is the stamp's.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn say(&mut self, stamp: Stamp, key: Key, answer: &str, act: Act) -> io::Result<()> {
        self.say_all(vec![(stamp, key, answer.to_owned(), act)])
    }

    /// Says several things, each with the hash of the answer that was looked at, one after the other: either all of
    /// them are in the file then, or none is.
    ///
    /// # Errors
    /// The file cannot be read or written.
    pub fn say_all(&mut self, said: Vec<(Stamp, Key, String, Act)>) -> io::Result<()> {
        if said.is_empty() {
            return Ok(());
        }
        self.refresh()?;
        let mut entries: Vec<Entry> = Vec::with_capacity(said.len());
        for (stamp, key, answer, act) in said {
            let mut entry = self.notes.entry(stamp, key, answer, act);
            if let Some(before) = entries.last() {
                entry.prev = Some(before.id.clone());
            }
            entries.push(entry);
        }
        self.append(&entries)
    }
}

/// Takes the lines of `bytes`, which stand behind the place read up to.
fn take(bytes: &[u8], read: &mut Read, notes: &mut Notes) {
    let mut rest = bytes;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let (line, after) = rest.split_at(end + 1);
        read.lines += 1;
        let line = if read.lines == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line };
        notes.take(read.lines, String::from_utf8_lossy(line).trim_end());
        rest = after;
    }
    let taken = bytes.len() - rest.len();
    read.bytes += taken as u64;
    read.tail = rest.to_vec();
    let mut seam = std::mem::take(&mut read.seam);
    seam.extend_from_slice(bytes.get(..taken).unwrap_or_default());
    seam.drain(..seam.len().saturating_sub(SEAM as usize));
    read.seam = seam;
    // An editor may leave out the last line's end. What is not whole yet is no fault.
    if let Ok(entry) = std::str::from_utf8(rest).map_err(drop).and_then(|t| Entry::parse(t).map_err(drop)) {
        let _ = notes.add(entry);
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
