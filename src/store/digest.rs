//! What a file's bytes come to: to say later which bytes a report was made from.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};

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
    let mut hash = Sha256::new();
    let mut bytes = 0_u64;
    let mut buffer = vec![0; PIECE];
    let mut take = |piece: &[u8]| {
        hash.update(piece);
        bytes += piece.len() as u64;
    };
    if let Some(Source::Bytes(own)) = table.sources.get(file as u16).map(AsRef::as_ref) {
        take(own);
    } else {
        let mut file = File::open(&info.path)?;
        loop {
            let n = file.read(&mut buffer)?;
            match buffer.get(..n).filter(|b| !b.is_empty()) {
                Some(piece) => take(piece),
                None => break,
            }
        }
    }
    let mut hex = String::with_capacity(64);
    for byte in hash.finalize() {
        let _ = write!(hex, "{byte:02x}");
    }
    Ok((hex, bytes))
}
