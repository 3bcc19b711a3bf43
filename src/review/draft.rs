//! The note that is being written, kept aside until it is saved: what a program that is killed leaves of it.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};

use super::entry::Entry;

/// The draft of one program. Its file is beside the notes, hidden, and locked while the program runs.
///
/// A draft that is saved should keep its id: a note that was saved in the last moment is then not there twice.
#[derive(Debug)]
pub struct DraftFile {
    path: PathBuf,
    /// The lock goes with it.
    held: Option<File>,
}

/// A draft whose program is gone.
#[derive(Debug, Clone, PartialEq)]
pub struct Left {
    /// Where it is; [`Left::discard`] removes it.
    pub path: PathBuf,
    /// The line as it would have been written.
    pub entry: Entry,
}

impl DraftFile {
    /// The draft of a program beside a notes file. `tag` is a number that no other running program has.
    pub fn new(notes: &Path, tag: u64) -> Self {
        let name = format!("{}{tag}.json", head(notes));
        Self { path: notes.with_file_name(name), held: None }
    }

    /// Keeps the line as it would be written now. The file is at every moment the old draft or the new one.
    ///
    /// # Errors
    /// The folder cannot be made or the file not written.
    pub fn save(&mut self, entry: &Entry) -> io::Result<()> {
        let folder = self.path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        // A file system without locks lets others take the draft for left behind, which loses nothing.
        let _ = flock(file.as_file(), FlockOperation::NonBlockingLockExclusive);
        file.write_all(entry.to_line().as_bytes())?;
        file.as_file().sync_data()?;
        self.held = Some(file.persist(&self.path)?);
        Ok(())
    }

    /// Removes the draft: the note is saved, or given up.
    ///
    /// # Errors
    /// The file is there and cannot be removed.
    pub fn clear(&mut self) -> io::Result<()> {
        self.held = None;
        remove(&self.path)
    }
}

impl Left {
    /// Removes it, once its note is saved or given up.
    ///
    /// # Errors
    /// The file is there and cannot be removed.
    pub fn discard(self) -> io::Result<()> {
        remove(&self.path)
    }
}

/// The drafts beside a notes file whose programs are gone, the oldest first.
pub fn drafts_left(notes: &Path) -> Vec<Left> {
    let folder = notes.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let head = head(notes);
    let mut left: Vec<Left> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|file| Some(file.ok()?.path()))
        .filter(|path| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with(&head)))
        .filter_map(|path| {
            let file = File::open(&path).ok()?;
            let lives =
                flock(&file, FlockOperation::NonBlockingLockShared) == Err(rustix::io::Errno::WOULDBLOCK);
            let entry = Entry::parse(fs::read_to_string(&path).ok()?.trim()).ok()?;
            (!lives).then_some(Left { path, entry })
        })
        .collect();
    left.sort_by(|a, b| (a.entry.at, &a.path).cmp(&(b.entry.at, &b.path)));
    left
}

/// What the names of drafts beside a notes file begin with.
fn head(notes: &Path) -> String {
    let name = notes.file_name().unwrap_or_default().to_string_lossy();
    format!(".{}.draft.", name.strip_suffix(".jsonl").unwrap_or(&name))
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}
