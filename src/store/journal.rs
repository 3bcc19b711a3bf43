//! Appending records: what is told to be written is on the disk, whole, whatever happens next.
//!
//! One writer at a time holds the file's lock, and only while it writes, so that several programs can share a file. A
//! line that an earlier writer could not finish never reaches a reader.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};

/// How often a lock that another program holds is asked for, and the time in between: five seconds in all.
const TRIES: u32 = 250;
const BETWEEN: Duration = Duration::from_millis(20);
/// Bytes read at once when the last line end is looked for.
const BLOCK: u64 = 4_096;

/// A file of records that are only ever added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    path: PathBuf,
    keeps: bool,
}

impl Journal {
    /// The journal at a path, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), keeps: false }
    }

    /// A journal in which text that is no record may stand: where the file ends in some, it becomes a line of its own
    /// instead of a reason not to write. For files by a name that nothing else has.
    pub fn keeping(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), keeps: true }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds lines, each a record without its line end. When it comes back they are on the disk.
    ///
    /// # Errors
    /// The file cannot be made, locked within five seconds, or written. Nothing of the lines is in it then.
    pub fn append(&self, lines: &[impl AsRef<str>]) -> io::Result<()> {
        if lines.iter().any(|l| l.as_ref().contains('\n')) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a record is one line"));
        }
        let folder = self.path.parent().filter(|f| !f.as_os_str().is_empty());
        if let Some(folder) = folder {
            fs::create_dir_all(folder)?;
        }
        let is_new = !self.path.exists();
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&self.path)?;
        lock(&file)?;
        let start = mend(&mut file, self.keeps)?;
        let mut bytes = Vec::with_capacity(lines.iter().map(|l| l.as_ref().len() + 1).sum());
        for line in lines {
            bytes.extend_from_slice(line.as_ref().as_bytes());
            bytes.push(b'\n');
        }
        if let Err(e) = file.write_all(&bytes).and_then(|()| file.sync_data()) {
            // A full disk: what fitted must not stay.
            let _ = file.set_len(start);
            return Err(e);
        }
        // A new name is on the disk only once its folder is.
        if is_new && let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

fn lock(file: &File) -> io::Result<()> {
    for _ in 0..TRIES {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(()),
            Err(rustix::io::Errno::WOULDBLOCK | rustix::io::Errno::INTR) => std::thread::sleep(BETWEEN),
            // Some file systems have no locks: better unlocked than not at all.
            Err(rustix::io::Errno::NOTSUP | rustix::io::Errno::NOSYS | rustix::io::Errno::NOLCK) => {
                return Ok(());
            }
            Err(e) => return Err(e.into()),
        }
    }
    Err(io::Error::new(io::ErrorKind::WouldBlock, "another program is writing it and does not stop"))
}

/// Ends a last line that has no line end: a record that is whole gets one, what is left of one goes. Where writing
/// begins.
fn mend(file: &mut File, keeps: bool) -> io::Result<u64> {
    let len = file.metadata()?.len();
    let whole = end_of_lines(file, len)?;
    if whole == len {
        return Ok(len);
    }
    let mut rest = Vec::new();
    file.seek(SeekFrom::Start(whole))?;
    file.read_to_end(&mut rest)?;
    // Only what can be the beginning of a record may go, or zeros that a crash left; anything else is somebody's text.
    let foreign = !rest.starts_with(b"{") && rest.iter().any(|&b| b != 0);
    let whole_record = serde_json::from_slice::<serde_json::Map<String, serde_json::Value>>(&rest).is_ok();
    if whole_record || (foreign && keeps) {
        file.write_all(b"\n")?;
        return Ok(len + 1);
    }
    if foreign {
        let why = "it ends in something that is no record, and such files are not written to";
        return Err(io::Error::new(io::ErrorKind::InvalidData, why));
    }
    file.set_len(whole)?;
    Ok(whole)
}

/// The place after the last line end.
fn end_of_lines(file: &mut File, len: u64) -> io::Result<u64> {
    let mut end = len;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        block.resize((end - start) as usize, 0);
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(&mut block)?;
        if let Some(at) = memchr::memrchr(b'\n', &block) {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

#[cfg(test)]
#[path = "journal_tests.rs"]
mod tests;
