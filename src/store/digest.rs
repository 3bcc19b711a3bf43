//! What a file's bytes come to: to say later which bytes a report was made from.

use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::source::Source;
use super::table::Table;

/// Bytes read at a time.
const PIECE: usize = 1 << 20;

/// The SHA-256 of a table's file as it lies on disk (compressed and foreign ones as they are), in lower-case
/// hexadecimal, and its length in bytes; of compiled-in data their own.
///
/// # Errors
/// When the file cannot be read any more.
pub fn digest(table: &Table, file: usize) -> io::Result<(String, u64)> {
    let info = table.files.get(file).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    if let Some(Source::Bytes(own)) = table.sources.get(file as u16).map(AsRef::as_ref) {
        return of(own.as_ref());
    }
    digest_file(&info.path)
}

/// The same of any file.
///
/// # Errors
/// When the file cannot be read.
pub fn digest_file(path: &Path) -> io::Result<(String, u64)> {
    of(File::open(path)?)
}

fn of(mut from: impl io::Read) -> io::Result<(String, u64)> {
    let mut hash = Sha256::new();
    let mut bytes = 0_u64;
    let mut buffer = vec![0; PIECE];
    loop {
        let n = from.read(&mut buffer)?;
        let Some(piece) = buffer.get(..n).filter(|b| !b.is_empty()) else { break };
        hash.update(piece);
        bytes += piece.len() as u64;
    }
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        let _ = write!(hex, "{byte:02x}");
    }
    Ok((hex, bytes))
}
