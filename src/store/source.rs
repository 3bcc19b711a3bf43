//! The bytes behind a table: open files, spools, compiled-in data, all read by position.
//!
//! Files are read, never mapped. In pieces of a MiB that is as fast (the bytes stay in the second-level cache until
//! they are parsed), and a file that is cut while it is open gives a short read instead of a signal.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Bytes that can be read by position from any thread.
#[derive(Debug)]
pub(super) enum Source {
    /// An open file. It goes on giving its bytes when its name is given to another file.
    File(File),
    /// Bytes in memory.
    Bytes(Cow<'static, [u8]>),
}

impl Source {
    /// Fills as much of `buffer` as there is; less only at the end.
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let file = match self {
            Self::File(file) => file,
            Self::Bytes(bytes) => {
                let rest = usize::try_from(offset).ok().and_then(|at| bytes.get(at..)).unwrap_or_default();
                let n = rest.len().min(buffer.len());
                if let (Some(to), Some(from)) = (buffer.get_mut(..n), rest.get(..n)) {
                    to.copy_from_slice(from);
                }
                return Ok(n);
            }
        };
        let mut got = 0;
        while let Some(rest) = buffer.get_mut(got..).filter(|r| !r.is_empty()) {
            match read_some(file, rest, offset + got as u64) {
                Ok(0) => break,
                Ok(n) => got += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(got)
    }
}

#[cfg(unix)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_some(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// The sources of a table's files, by file number. A table keeps them open for as long as it lives, so its rows stay
/// readable after the files were opened anew.
#[derive(Debug, Clone, Default)]
pub struct Sources(pub(super) Arc<Vec<Arc<Source>>>);

impl Sources {
    pub(super) fn get(&self, file: u16) -> Option<&Arc<Source>> {
        self.0.get(usize::from(file))
    }
}
