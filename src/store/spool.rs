//! Files that have to be made readable first: decompressed, or converted from a foreign format.
//!
//! The lines go to a temporary file without a name, which is then indexed like any other while it is still being
//! written. Memory stays bounded whatever comes; so does the disk, against archives made to burst.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::formats::{Foreign, Format, Options, Sink};
use super::sniff::Kind;
use super::source::Source;
use super::table::{Problem, Severity};
use crate::record::{Attempt, Question};

/// Decompressed bytes above which the ratio is looked at.
const SMALL: u64 = 64 << 20;
/// Decompressed bytes a compressed byte may give.
const RATIO: u64 = 1_000;
/// Bytes that a spool may have.
const LARGEST: u64 = 16 << 30;
/// Bytes written at once.
const BATCH: usize = 1 << 18;

/// How far a spool has come. Lines up to `available` are whole.
#[derive(Debug, Default)]
pub(super) struct Progress {
    available: AtomicU64,
    finished: AtomicBool,
    problems: Mutex<Vec<Problem>>,
}

impl Progress {
    /// Bytes that can be read, and whether no more will come.
    pub(super) fn get(&self) -> (u64, bool) {
        // In this order: what was written before the end was told must be seen with it.
        let finished = self.finished.load(Ordering::Acquire);
        (self.available.load(Ordering::Acquire), finished)
    }

    /// The problems met so far.
    pub(super) fn take_problems(&self) -> Vec<Problem> {
        std::mem::take(&mut self.problems.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn problem(&self, problem: Problem) {
        self.problems.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
    }
}

/// A reader over a source, from its beginning.
pub(super) struct SourceReader<'a> {
    source: &'a Source,
    at: u64,
}

impl<'a> SourceReader<'a> {
    pub(super) const fn new(source: &'a Source) -> Self {
        Self { source, at: 0 }
    }

    const fn read_so_far(&self) -> u64 {
        self.at
    }
}

impl Read for SourceReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read_at(buffer, self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

/// A decompressor of the right kind. Several members or frames in one file count as one text.
pub(super) fn decoder<'a, R: Read + 'a>(kind: Kind, bytes: R) -> io::Result<Box<dyn Read + 'a>> {
    let buffered = BufReader::with_capacity(1 << 16, bytes);
    Ok(match kind {
        Kind::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(buffered)?),
        _ => Box::new(flate2::bufread::MultiGzDecoder::new(buffered)),
    })
}

/// The first bytes of a compressed file's text, at most `most`, and whether there may be more.
pub(super) fn decoded_head(kind: Kind, source: &Source, most: usize) -> (Vec<u8>, bool) {
    let mut head = Vec::new();
    let mut more = true;
    if let Ok(mut decoder) = decoder(kind, SourceReader::new(source)) {
        let mut buffer = [0; 1 << 13];
        while head.len() < most {
            match decoder.read(&mut buffer) {
                Ok(0) => {
                    more = false;
                    break;
                }
                Ok(n) => head.extend_from_slice(buffer.get(..n).unwrap_or_default()),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }
    head.truncate(most);
    (head, more)
}

/// A temporary file without a name.
pub(super) fn temporary() -> io::Result<(File, Source)> {
    let file = tempfile::tempfile()?;
    let reader = file.try_clone()?;
    Ok((file, Source::File(reader)))
}

/// What is spooled and how.
pub(super) struct Work<'a> {
    /// As given by the user.
    pub(super) path: PathBuf,
    /// The bytes as they are on disk.
    pub(super) source: Arc<Source>,
    /// How they are compressed.
    pub(super) packed: Option<Kind>,
    /// The format of what they hold.
    pub(super) format: Option<(&'static dyn Format, Options)>,
    /// Where the lines go.
    pub(super) to: File,
    pub(super) progress: Arc<Progress>,
    pub(super) stop: &'a AtomicBool,
    /// Called whenever there is more to read, and at the end.
    pub(super) tell: &'a dyn Fn(),
}

impl Work<'_> {
    /// Does it, to the end or until stopped.
    pub(super) fn run(self) {
        let failed = match self.format {
            None => self.decompress(),
            Some((format, options)) => self.convert(format, options),
        };
        let Self { path, progress, tell, .. } = self;
        if let Err(e) = failed {
            let message = format!("{e}; what came before is shown");
            progress.problem(Problem { severity: Severity::Error, path, line: 0, entry: None, message });
        }
        progress.finished.store(true, Ordering::Release);
        tell();
    }

    fn decompress(&self) -> io::Result<()> {
        let kind = self.packed.unwrap_or(Kind::Gzip);
        let mut spool = Spool::new(self, true);
        unpack(kind, &self.source, self.stop, |bytes| spool.write(bytes))?;
        spool.finish()
    }

    fn convert(&self, format: &dyn Format, options: Options) -> io::Result<()> {
        let (bytes, len): (Box<dyn super::formats::ReadSeek>, u64) = match (self.packed, &*self.source) {
            (Some(kind), source) => {
                let mut plain = tempfile::tempfile()?;
                unpack(kind, source, self.stop, |bytes| plain.write_all(bytes))?;
                let len = plain.stream_position()?;
                plain.rewind()?;
                (Box::new(plain), len)
            }
            (None, Source::File(file)) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(0))?;
                let len = file.metadata()?.len();
                (Box::new(file), len)
            }
            (None, Source::Bytes(bytes)) => {
                (Box::new(io::Cursor::new(bytes.clone().into_owned())), bytes.len() as u64)
            }
        };
        let mut sink = Lines { spool: Spool::new(self, false), failed: None };
        format.convert(Foreign { path: &self.path, len, bytes }, &options, &mut sink);
        if let Some(e) = sink.failed {
            return Err(e);
        }
        sink.spool.finish()
    }
}

/// Decompresses everything, within the limits.
fn unpack(
    kind: Kind,
    source: &Source,
    stop: &AtomicBool,
    mut write: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let read = AtomicU64::new(0);
    let mut decoder = decoder(kind, Counted { reader: SourceReader::new(source), read: &read })?;
    let mut buffer = vec![0; BATCH];
    let mut written: u64 = 0;
    while !stop.load(Ordering::Relaxed) {
        let n = match decoder.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e)
                if e.kind() == io::ErrorKind::UnexpectedEof || e.to_string().contains("incomplete frame") =>
            {
                return Err(io::Error::other("the compressed data is cut"));
            }
            Err(e) => return Err(io::Error::other(format!("the compressed data is damaged ({e})"))),
        };
        written += n as u64;
        if written > LARGEST || (written > SMALL && written / RATIO > read.load(Ordering::Relaxed).max(1)) {
            return Err(io::Error::other(
                "it expands without end, more than 1,000 times its size: unpacking was stopped",
            ));
        }
        write(buffer.get(..n).unwrap_or_default())?;
    }
    Ok(())
}

/// Tells how many compressed bytes were used.
struct Counted<'a> {
    reader: SourceReader<'a>,
    read: &'a AtomicU64,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.read.store(self.reader.read_so_far(), Ordering::Relaxed);
        Ok(n)
    }
}

/// Writes lines to the temporary file and tells how far whole lines go.
struct Spool<'a> {
    to: &'a File,
    progress: &'a Progress,
    tell: &'a dyn Fn(),
    stop: &'a AtomicBool,
    batch: Vec<u8>,
    written: u64,
    /// Up to where lines are whole.
    whole: u64,
    /// Whether what is written may end within a line.
    loose: bool,
}

impl<'a> Spool<'a> {
    fn new(work: &'a Work<'a>, loose: bool) -> Self {
        Self {
            to: &work.to,
            progress: &work.progress,
            tell: work.tell,
            stop: work.stop,
            batch: Vec::new(),
            written: 0,
            whole: 0,
            loose,
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let before = self.written + self.batch.len() as u64;
        if !self.loose {
            self.whole = before + bytes.len() as u64;
        } else if let Some(at) = memchr::memrchr(b'\n', bytes) {
            self.whole = before + at as u64 + 1;
        }
        self.batch.extend_from_slice(bytes);
        if self.batch.len() >= BATCH || self.written == 0 {
            self.flush()?;
            self.progress.available.store(self.whole, Ordering::Release);
            (self.tell)();
        }
        if self.written > LARGEST {
            return Err(io::Error::other("it gives more than 16 GiB of records"));
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.write_all(&self.batch)?;
        self.written += self.batch.len() as u64;
        self.batch.clear();
        Ok(())
    }

    fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.progress.available.store(self.written, Ordering::Release);
        Ok(())
    }
}

impl Drop for Spool<'_> {
    fn drop(&mut self) {
        // What came before a failure is shown, too.
        if self.flush().is_ok() {
            self.progress.available.store(self.written, Ordering::Release);
        }
    }
}

/// Takes the records of a foreign format.
struct Lines<'a> {
    spool: Spool<'a>,
    failed: Option<io::Error>,
}

impl Lines<'_> {
    fn line<T: serde::Serialize>(&mut self, record: &T, entry: Option<&str>) {
        if self.failed.is_some() {
            return;
        }
        let mut line = match serde_json::to_vec(record) {
            Ok(line) => line,
            Err(e) => {
                self.failed = Some(io::Error::other(e));
                return;
            }
        };
        if let (Some(entry), Some(b'}')) = (entry, line.last()) {
            line.pop();
            line.extend_from_slice(b",\"entry\":");
            line.extend_from_slice(serde_json::Value::from(entry).to_string().as_bytes());
            line.push(b'}');
        }
        line.push(b'\n');
        self.failed = self.spool.write(&line).err();
    }
}

impl Sink for Lines<'_> {
    fn attempt(&mut self, attempt: &Attempt, entry: Option<&str>) {
        self.line(attempt, entry);
    }

    fn question(&mut self, question: &Question) {
        self.line(question, None);
    }

    fn problem(&mut self, problem: Problem) {
        self.spool.progress.problem(problem);
    }

    fn cancelled(&self) -> bool {
        self.failed.is_some() || self.spool.stop.load(Ordering::Relaxed)
    }
}
