//! The bytes of a file as the `parquet` crate asks for them.

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};

use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use super::super::ReadSeek;

/// Bytes read at once.
const STEP: usize = 1 << 16;

/// A file that is read from several places in turn.
#[derive(Clone)]
pub(super) struct Bytes {
    file: Arc<Mutex<Box<dyn ReadSeek>>>,
    len: u64,
}

impl Bytes {
    pub(super) fn new(file: Box<dyn ReadSeek>, len: u64) -> Self {
        Self { file: Arc::new(Mutex::new(file)), len }
    }

    /// Fills as much of `buffer` as one read gives.
    fn read_at(&self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(at))?;
        file.read(buffer)
    }
}

impl Length for Bytes {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Bytes {
    type T = io::BufReader<Place>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(io::BufReader::with_capacity(STEP, Place { bytes: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<::bytes::Bytes> {
        // A length that was changed must not ask for memory that the file cannot fill.
        if start.checked_add(length as u64).is_none_or(|end| end > self.len) {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} lie beyond the end")));
        }
        let mut out = Vec::with_capacity(length);
        Place { bytes: self.clone(), at: start }.take(length as u64).read_to_end(&mut out)?;
        if out.len() < length {
            return Err(ParquetError::EOF("the file became shorter".to_owned()));
        }
        Ok(out.into())
    }
}

/// A place in the file, from which reading goes on.
pub(super) struct Place {
    bytes: Bytes,
    at: u64,
}

impl Read for Place {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.bytes.read_at(self.at, buffer)?;
        self.at += n as u64;
        Ok(n)
    }
}
