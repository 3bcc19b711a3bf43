//! The zip container of a log: its members by name, and their bytes within limits.
//!
//! Nothing is ever extracted to the file system, so a member's name cannot lead anywhere. Sizes that the zip states
//! are not trusted: bytes are counted as they are inflated.

use std::cell::RefCell;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::rc::Rc;

use std::collections::HashMap;
use zip::ZipArchive;
use zip::read::read_zipfile_from_stream;

use super::super::ReadSeek;

/// How much may be inflated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The most bytes that one member may inflate to.
    pub(super) member: u64,
    /// All members together may inflate to this many times the file's length …
    pub(super) ratio: u64,
    /// … or to this many bytes, whichever is more.
    pub(super) floor: u64,
}

impl Limits {
    /// 256 MiB a member; 200 times the file or 1 GiB in all. Real logs inflate to seven to thirty times their size.
    pub(super) const LOG: Self = Self { member: 256 << 20, ratio: 200, floor: 1 << 30 };
}

/// The file's bytes, shared between this module and the zip reader.
#[derive(Clone)]
struct Shared(Rc<RefCell<Place>>);

/// A buffered file that knows where it is, so that a short step forward, as from one member to the next, stays within
/// the buffer.
struct Place {
    bytes: BufReader<Box<dyn ReadSeek>>,
    at: u64,
}

impl Shared {
    fn new(bytes: Box<dyn ReadSeek>) -> Self {
        Self(Rc::new(RefCell::new(Place { bytes: BufReader::with_capacity(64 << 10, bytes), at: 0 })))
    }
}

impl Read for Shared {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let place = &mut *self.0.try_borrow_mut().map_err(io::Error::other)?;
        let n = place.bytes.read(out)?;
        place.at += n as u64;
        Ok(n)
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = &mut *self.0.try_borrow_mut().map_err(io::Error::other)?;
        let step = match to {
            SeekFrom::Start(n) => i64::try_from(i128::from(n) - i128::from(place.at)).ok(),
            SeekFrom::Current(n) => Some(n),
            SeekFrom::End(_) => None,
        };
        match step.filter(|&s| i128::from(place.at) + i128::from(s) >= 0) {
            Some(step) => {
                place.bytes.seek_relative(step)?;
                place.at = place.at.saturating_add_signed(step);
            }
            None => place.at = place.bytes.seek(to)?,
        }
        Ok(place.at)
    }
}

/// The members of a log and how to get at them.
pub(super) struct Archive {
    /// Names in the order of the directory. Of members with the same name only the last is there.
    pub(super) names: Vec<String>,
    /// Whether the zip has its directory; without one, as in a log that was cut, the members were found one by one.
    pub(super) whole: bool,
    source: Source,
    pub(super) limits: Limits,
    left: u64,
}

/// Where members are found.
enum Source {
    /// By the zip's directory.
    Directory(ZipArchive<Shared>),
    /// By the places of their own headers.
    Places(Shared, Vec<u64>),
}

impl Archive {
    /// Reads the directory of a zip that is `len` bytes long, or finds its members one by one where it has none.
    ///
    /// # Errors
    /// When not even one member is found.
    pub(super) fn open(bytes: Box<dyn ReadSeek>, len: u64, limits: Limits) -> Result<Self, String> {
        let left = len.saturating_mul(limits.ratio).max(limits.floor);
        let mut shared = Shared::new(bytes);
        let (names, source, whole) = match ZipArchive::new(shared.clone()) {
            Ok(zip) => {
                let names = (0..zip.len())
                    .map(|i| match zip.name_for_index(i) {
                        Some(Ok(name)) => name.into_owned(),
                        _ => String::new(),
                    })
                    .collect();
                (names, Source::Directory(zip), true)
            }
            Err(reason) => {
                let (names, places) = walk(&mut shared);
                if names.is_empty() {
                    return Err(reason.to_string());
                }
                (names, Source::Places(shared, places), false)
            }
        };
        Ok(Self { names, whole, source, limits, left })
    }

    /// The number of the member with this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// Inflates member `index` into `out`, which is emptied first.
    ///
    /// # Errors
    /// When the member is damaged, or larger than a log's member may be.
    pub(super) fn read(&mut self, index: usize, out: &mut Vec<u8>) -> Result<(), String> {
        out.clear();
        let cap = self.limits.member.min(self.left);
        let read = match &mut self.source {
            Source::Directory(zip) => zip
                .by_index(index)
                .map_err(|e| e.to_string())
                .and_then(|file| inflate(file, cap, out).map_err(|e| e.to_string())),
            Source::Places(bytes, places) => read_at(bytes, places.get(index).copied(), cap, out),
        };
        self.left = self.left.saturating_sub(out.len() as u64);
        if out.len() as u64 > cap {
            *out = Vec::new();
            return Err(if cap < self.limits.member {
                format!(
                    "the log inflates to more than {} times its size; the rest is not read",
                    self.limits.ratio
                )
            } else {
                format!("it inflates to more than {} MiB, the most that is read of one member", cap >> 20)
            });
        }
        read
    }
}

/// Reads a member by the place of its header.
fn read_at(bytes: &mut Shared, place: Option<u64>, cap: u64, out: &mut Vec<u8>) -> Result<(), String> {
    let place = place.ok_or("no such member")?;
    bytes.seek(SeekFrom::Start(place)).map_err(|e| e.to_string())?;
    match read_zipfile_from_stream(bytes) {
        Ok(Some(file)) => inflate(file, cap, out).map_err(|e| e.to_string()),
        Ok(None) => Err("no member where one was".to_owned()),
        Err(e) => Err(e.to_string()),
    }
}

/// Reads to the end, and one byte past the cap at most.
fn inflate(file: impl Read, cap: u64, out: &mut Vec<u8>) -> io::Result<()> {
    file.take(cap.saturating_add(1)).read_to_end(out).map(drop)
}

/// Goes from the header of one member to the next, as far as that leads.
fn walk(bytes: &mut Shared) -> (Vec<String>, Vec<u64>) {
    let mut names: Vec<String> = Vec::new();
    let mut places: Vec<u64> = Vec::new();
    let mut known: HashMap<String, usize> = HashMap::new();
    let mut next = 0;
    while bytes.seek(SeekFrom::Start(next)).is_ok() {
        // Dropping a member moves on to its end.
        let name = match read_zipfile_from_stream(bytes) {
            Ok(Some(file)) => file.name().map(std::borrow::Cow::into_owned).unwrap_or_default(),
            _ => break,
        };
        let index = *known.entry(name.clone()).or_insert(names.len());
        if let Some(place) = places.get_mut(index) {
            *place = next;
        } else {
            names.push(name);
            places.push(next);
        }
        match bytes.stream_position() {
            Ok(end) if end > next => next = end,
            _ => break,
        }
    }
    (names, places)
}
