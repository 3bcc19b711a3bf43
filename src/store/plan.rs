//! What is to be opened: paths and folders made into files of known kinds.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::sniff::{HEAD, Kind, sniff};
use super::source::Source;
use super::spool::decoded_head;
use super::table::{Problem, Severity};
use super::{EXPORTED, Input, OpenOptions};
use crate::record::Condition;

/// Files that a folder may give.
const MOST: usize = 60_000;
/// Names of files that are not ours, told in a problem.
const NAMED: usize = 5;

/// What tells one state of a file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) len: u64,
    pub(super) modified: Option<SystemTime>,
    /// Device and inode where there are such things.
    pub(super) identity: (u64, u64),
}

impl Stamp {
    pub(super) fn of(meta: &Metadata) -> Self {
        Self { len: meta.len(), modified: meta.modified().ok(), identity: identity(meta) }
    }
}

#[cfg(unix)]
fn identity(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64) {
    (0, 0)
}

/// A file that is open and known.
pub(super) struct Planned {
    /// As given by the user.
    pub(super) path: PathBuf,
    /// Whether there is a path that can be looked at again.
    pub(super) on_disk: bool,
    pub(super) source: Arc<Source>,
    pub(super) stamp: Stamp,
    /// What it holds, once decompressed.
    pub(super) kind: Kind,
    /// How it is compressed.
    pub(super) packed: Option<Kind>,
    /// The condition named with `--as`.
    pub(super) named: Option<Condition>,
}

/// Everything that is to be opened.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) files: Vec<Planned>,
    pub(super) problems: Vec<Problem>,
    pub(super) watched: Watched,
}

/// What may become something to open later.
#[derive(Default)]
pub(super) struct Watched {
    /// Folders given, to look for new files in.
    pub(super) folders: Vec<PathBuf>,
    /// Paths given that could not be opened, and the state they were in.
    pub(super) refused: Vec<(PathBuf, Option<Stamp>)>,
    /// Files of the folders that were left out, and the state they were in.
    left_out: HashMap<PathBuf, Stamp>,
    /// Files that are open.
    taken: HashSet<PathBuf>,
}

impl Plan {
    /// Looks at every input.
    pub(super) fn of(inputs: &[Input], options: &OpenOptions) -> Self {
        let mut plan = Self::default();
        for input in inputs {
            match input {
                Input::Embedded { name, bytes } => plan.embedded(name, bytes),
                Input::Path(path) => plan.path(path, options),
                Input::Journal(path) if path.exists() => plan.path(path, options),
                Input::Journal(path) => plan.watched.refused.push((path.clone(), None)),
            }
        }
        for (condition, path) in &options.conditions {
            if !plan.files.iter().any(|f| same_path(&f.path, path)) {
                let name = condition.name();
                plan.problem(
                    path,
                    Severity::Warning,
                    format!("named with --as {name}=, but not among the files opened"),
                );
            }
        }
        plan
    }

    fn problem(&mut self, path: &Path, severity: Severity, message: String) {
        self.problems.push(Problem { severity, path: path.to_owned(), line: 0, entry: None, message });
    }

    fn embedded(&mut self, name: &'static str, bytes: &'static [u8]) {
        let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
        let path = PathBuf::from(name);
        let kind = sniff(head, bytes.len() as u64, &path);
        self.files.push(Planned {
            path,
            on_disk: false,
            source: Arc::new(Source::Bytes(bytes.into())),
            stamp: Stamp { len: bytes.len() as u64, modified: None, identity: (0, 0) },
            kind,
            packed: None,
            named: None,
        });
    }

    fn path(&mut self, path: &Path, options: &OpenOptions) {
        let meta = match fs::metadata(path) {
            Ok(meta) => meta,
            Err(e) => {
                self.watched.refused.push((path.to_owned(), None));
                return self.problem(path, Severity::Error, format!("cannot be opened: {}", words(&e)));
            }
        };
        if meta.is_dir() {
            return self.folder(path, options);
        }
        if !meta.is_file() {
            let message = "no regular file: save what it gives to a file and open that".to_owned();
            return self.problem(path, Severity::Error, message);
        }
        match self.watched.look(path, options) {
            Ok(Some(planned)) => self.files.push(planned),
            Ok(None) => {}
            Err(refusal) => {
                self.watched.refused.push((path.to_owned(), Some(Stamp::of(&meta))));
                self.problem(path, refusal.severity, refusal.message);
            }
        }
    }

    fn folder(&mut self, folder: &Path, options: &OpenOptions) {
        self.watched.folders.push(folder.to_owned());
        let before = self.files.len();
        let mut others = Vec::new();
        let mut bad = Vec::new();
        for (path, stamp) in files_in(folder, &mut bad) {
            if self.files.len() >= MOST {
                others.push(path);
                continue;
            }
            match self.watched.look(&path, options) {
                Ok(Some(planned)) => self.files.push(planned),
                Ok(None) => {}
                Err(Refusal { severity, message, unreadable }) => {
                    if unreadable {
                        self.problem(&path, severity, message);
                    } else {
                        others.push(path.clone());
                    }
                    self.watched.left_out.insert(path, stamp);
                }
            }
        }
        for (path, message) in bad {
            self.problem(&path, Severity::Error, message);
        }
        self.tell_others(folder, before == self.files.len(), &others);
    }

    fn tell_others(&mut self, folder: &Path, none: bool, others: &[PathBuf]) {
        // Beside files of ours, a README, a picture or notes are no surprise; what looks like results is.
        let surprising = |p: &&PathBuf| {
            if p.to_string_lossy().ends_with(".notes.jsonl") {
                return false;
            }
            let end = p.extension().and_then(|e| e.to_str()).unwrap_or("").to_ascii_lowercase();
            matches!(end.as_str(), "jsonl" | "ndjson" | "eval" | "csv" | "parquet" | "gz" | "zst")
        };
        let others: Vec<&PathBuf> = others.iter().filter(|p| none || surprising(p)).collect();
        let names: Vec<String> = (others.iter().take(NAMED))
            .filter_map(|p| Some(p.file_name()?.to_string_lossy().into_owned()))
            .collect();
        let more = if others.len() > NAMED { ", …" } else { "" };
        let names = format!("{}{more}", names.join(", "));
        let severity = if none { Severity::Error } else { Severity::Warning };
        let files = crate::text::several(others.len(), "other file");
        match (none, others.is_empty()) {
            (true, true) => {
                self.problem(folder, severity, format!("the folder holds no file; {CAN} be opened"));
            }
            (true, false) => {
                self.problem(
                    folder,
                    severity,
                    format!("nothing in this folder can be opened ({names}); {CAN} be opened"),
                );
            }
            (false, false) => self.problem(folder, severity, format!("{files} left out: {names}")),
            (false, true) => {}
        }
    }
}

/// Why a file is not taken.
struct Refusal {
    severity: Severity,
    message: String,
    /// Whether the system refused.
    unreadable: bool,
}

impl Watched {
    /// Opens a file and finds out what it is; `None` when it is open already.
    fn look(&mut self, path: &Path, options: &OpenOptions) -> Result<Option<Planned>, Refusal> {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if self.taken.contains(&real) {
            return Ok(None);
        }
        let failed = |e: std::io::Error| Refusal {
            severity: Severity::Error,
            message: format!("cannot be read: {}", words(&e)),
            unreadable: true,
        };
        let file = File::open(path).map_err(failed)?;
        let stamp = Stamp::of(&file.metadata().map_err(failed)?);
        let source = Source::File(file);
        let mut head = vec![0; HEAD.min(stamp.len as usize)];
        let n = source.read_at(&mut head, 0).map_err(failed)?;
        head.truncate(n);
        let mut kind = sniff(&head, stamp.len, path);
        let mut packed = None;
        if matches!(kind, Kind::Gzip | Kind::Zstd) {
            packed = Some(kind);
            let (text, more) = decoded_head(kind, &source, HEAD);
            let len = text.len() as u64 + u64::from(more);
            kind = match sniff(&text, len, path) {
                Kind::Gzip | Kind::Zstd => Kind::Other("compressed twice"),
                Kind::Other("empty") if more => Kind::Other("damaged"),
                kind => kind,
            };
        }
        if let Kind::Other(what) = kind {
            return Err(refusal(what, packed));
        }
        let named = options.conditions.iter().find(|(_, p)| same_path(p, path)).map(|(c, _)| *c);
        self.taken.insert(real);
        let source = Arc::new(source);
        Ok(Some(Planned { path: path.to_owned(), on_disk: true, source, stamp, kind, packed, named }))
    }

    /// Files of the folders that were not there before, or were none of ours then.
    pub(super) fn fresh(&mut self, options: &OpenOptions) -> Vec<Planned> {
        let mut found = Vec::new();
        for folder in self.folders.clone() {
            for (path, stamp) in files_in(&folder, &mut Vec::new()) {
                if self.left_out.get(&path) == Some(&stamp) {
                    continue;
                }
                match self.look(&path, options) {
                    Ok(planned) => found.extend(planned),
                    Err(_) => drop(self.left_out.insert(path, stamp)),
                }
            }
        }
        found
    }
}

/// The files of a folder and the folders below, hidden and exported ones left out, by name. What cannot be looked at goes to `bad`.
fn files_in(folder: &Path, bad: &mut Vec<(PathBuf, String)>) -> Vec<(PathBuf, Stamp)> {
    let mut files = Vec::new();
    let mut walked = HashSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // A link back to a folder above would be walked for ever.
        if !walked.insert(fs::canonicalize(&folder).unwrap_or_else(|_| folder.clone())) {
            continue;
        }
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(e) => {
                bad.push((folder, format!("cannot be read: {}", words(&e))));
                continue;
            }
        };
        let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
        paths.retain(|p| {
            let name = p.file_name().unwrap_or_default().as_encoded_bytes();
            !name.starts_with(b".") && memchr::memmem::find(name, EXPORTED.as_bytes()).is_none()
        });
        paths.sort();
        let mut below = Vec::new();
        for path in paths {
            match fs::metadata(&path) {
                Ok(meta) if meta.is_dir() => below.push(path),
                Ok(meta) if meta.is_file() => files.push((path, Stamp::of(&meta))),
                // Sockets and pipes are nobody's results.
                Ok(_) => {}
                Err(e) => bad.push((path, format!("cannot be opened: {}", words(&e)))),
            }
        }
        folders.extend(below.into_iter().rev());
    }
    files
}

const CAN: &str = "results, questions (JSON lines, also .gz and .zst; Parquet) and Inspect logs can";

fn refusal(what: &str, packed: Option<Kind>) -> Refusal {
    let packed = packed.map_or(String::new(), |k| format!(" inside {}", k.name()));
    let (severity, message) = match what {
        "empty" => (Severity::Warning, format!("empty{packed}: nothing to show yet")),
        "binary" => (Severity::Error, format!("binary data of an unknown kind{packed}; {CAN} be opened")),
        what => (Severity::Error, format!("{what}{packed}; {CAN} be opened")),
    };
    Refusal { severity, message, unreadable: false }
}

/// The system's words for an error, without its number.
fn words(e: &std::io::Error) -> String {
    let words = e.to_string();
    words.split(" (os error").next().unwrap_or_default().to_lowercase()
}

fn same_path(a: &Path, b: &Path) -> bool {
    a == b || matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
