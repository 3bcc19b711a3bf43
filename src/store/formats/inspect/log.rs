//! A log as a whole: what it is recognised by, its header, its condition, and its samples in turn.

use std::borrow::Cow;
use std::io::{Read, SeekFrom};
use std::path::Path;

use memchr::memmem;

use crate::record::Condition;
use crate::store::table::{Problem, Severity};
use crate::text::sanitize_line;

use super::super::{Foreign, Head, ReadSeek, Sink};
use super::archive::{Archive, Limits};
use super::condition::{self, Told};
use super::header::Header;
use super::parts::{self, PART_LIMIT, Parts};
use super::sample::{self, Made};
use super::stored::{InText, InZip, Samples};

/// The most bytes of a log in one JSON text, which is held in memory as a whole: 1 GiB.
const TEXT_LIMIT: u64 = 1 << 30;

/// Whether a file begins as a zip with members of a log.
pub(super) fn is_zip(head: &Head<'_>) -> bool {
    let has = |word: &[u8]| memmem::find(head.bytes, word).is_some();
    let named = head.path.extension().is_some_and(|e| e.eq_ignore_ascii_case("eval"));
    (head.bytes.starts_with(b"PK\x03\x04")
        && (named || has(b"_journal/") || has(b"header.json") || has(b"samples/")))
        || (head.bytes.starts_with(b"PK\x05\x06") && named)
}

/// Whether a text begins as a log: an object with an object `eval` that has a `task`.
pub(super) fn is_json(bytes: &[u8]) -> bool {
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if start.trim_ascii_start().first() != Some(&b'{') || memmem::find(start, b"\"eval\"").is_none() {
        return false;
    }
    let text = parts::text(start);
    let mut found = false;
    // The text is cut: what comes before the cut is handed over all the same, and `eval` may reach past it.
    let end = parts::members(
        &text,
        "",
        &mut |name, part| {
            found |= name == "eval" && Parts::of(part.get()).is_ok_and(|eval| eval.text("task").is_some());
        },
        &mut |_| false,
    );
    found || (end.is_err_and(|e| e.is_eof()) && begins_eval(&text))
}

/// Whether a cut text has a member `eval` among its first, with a task in it.
fn begins_eval(text: &str) -> bool {
    let Some(at) = text.find("\"eval\"") else { return false };
    let (before, rest) = text.split_at(at);
    let nested = before.matches('{').count() != before.matches('}').count() + 1;
    !nested && rest.trim_start_matches("\"eval\"").trim_start().starts_with(':') && rest.contains("\"task\"")
}

/// Everything that is known while a log's samples are read.
struct Run<'s> {
    path: &'s Path,
    sink: &'s mut dyn Sink,
    header: Header,
    samples: u64,
    searched: u64,
    /// Samples that could not be read.
    broken: u64,
    /// Confidences written as exactly 1, and as more than 1.
    ones: u64,
    percentages: u64,
}

/// Reads a log.
pub(super) fn convert(input: Foreign<'_>, asked: Option<Condition>, limits: Limits, sink: &mut dyn Sink) {
    let Foreign { path, len, mut bytes } = input;
    let failed = |message: String, sink: &mut dyn Sink| {
        sink.problem(problem(path, Severity::Error, None, &message));
    };
    let mut start = Vec::new();
    let rewound = (&mut bytes).take(4).read_to_end(&mut start).and_then(|_| bytes.seek(SeekFrom::Start(0)));
    if let Err(e) = rewound {
        return failed(e.to_string(), sink);
    }
    if start.starts_with(b"PK") {
        match Archive::open(bytes, len, limits) {
            Ok(archive) => zipped(path, archive, asked, sink),
            Err(e) => failed(format!("no readable zip ({e})"), sink),
        }
    } else {
        match whole_text(bytes, len) {
            Ok(text) => in_text(path, &text, asked, sink),
            Err(e) => failed(e, sink),
        }
    }
}

/// The text of a log in one piece; twice in memory only when it has to be mended.
fn whole_text(bytes: Box<dyn ReadSeek>, len: u64) -> Result<String, String> {
    let mut all = Vec::with_capacity(len.min(TEXT_LIMIT) as usize + 1);
    bytes.take(TEXT_LIMIT + 1).read_to_end(&mut all).map_err(|e| e.to_string())?;
    if all.len() as u64 > TEXT_LIMIT {
        return Err(
            "a JSON log of more than 1 GiB is not read; convert it to .eval with `inspect log convert`"
                .to_owned(),
        );
    }
    let mended = match parts::text(&all) {
        Cow::Borrowed(text) if text.len() == all.len() => None,
        text => Some(text.into_owned()),
    };
    match mended {
        Some(text) => Ok(text),
        None => String::from_utf8(all).map_err(|e| e.to_string()),
    }
}

fn in_text(path: &Path, text: &str, asked: Option<Condition>, sink: &mut dyn Sink) {
    let mut parts = Vec::new();
    let known = std::cell::Cell::new(false);
    // Where the header comes first, as it does, the samples need not be passed over for it. A cut log has it too; going
    // through its samples tells where the cut is.
    let _ = parts::members(
        text,
        "samples",
        &mut |name, part| {
            known.set(known.get() || name == "plan");
            parts.push((name, part));
        },
        &mut |_| !known.get(),
    );
    let header = Header::of(&Parts::from(parts));
    run(path, header, &mut InText(text), asked, sink);
}

fn zipped(path: &Path, mut archive: Archive, asked: Option<Condition>, sink: &mut dyn Sink) {
    let mut bytes = Vec::new();
    let mut header = None;
    for name in ["header.json", "_journal/start.json"] {
        let Some(index) = archive.find(name) else { continue };
        let read = archive.read(index, &mut bytes).and_then(|()| {
            let text = parts::text(&bytes);
            Parts::of(&text).map(|log| Header::of(&log)).map_err(|e| e.to_string())
        });
        match read {
            Ok(found) => {
                header = Some(found);
                break;
            }
            Err(e) => sink.problem(problem(path, Severity::Warning, Some(name), &e)),
        }
    }
    if !archive.whole {
        let message =
            "the zip has no directory: it was cut, or is being written; what could be found in it is shown";
        sink.problem(problem(path, Severity::Warning, None, message));
    }
    let header = header.unwrap_or_else(|| {
        let message = "neither header.json nor _journal/start.json can be read: run and model are unknown";
        sink.problem(problem(path, Severity::Warning, None, message));
        Header::default()
    });
    let ids = header.sample_ids.clone();
    run(path, header, &mut InZip::new(archive, &ids), asked, sink);
}

fn run(
    path: &Path,
    header: Header,
    samples: &mut dyn Samples,
    asked: Option<Condition>,
    sink: &mut dyn Sink,
) {
    let told = condition::told(&header);
    let mut run = Run { path, sink, header, samples: 0, searched: 0, broken: 0, ones: 0, percentages: 0 };
    let condition = match (asked, told) {
        (Some(c), _) | (None, Told::Stated(c, _)) => c,
        (None, Told::NoTools) => Condition::NoSearch,
        (None, Told::Nothing) => match run.look_for_searches(samples) {
            Some(true) => Condition::WithSearch,
            Some(false) => return run.ask(),
            None => return,
        },
    };
    let end = samples.each(&mut |place, sample| {
        if run.sink.cancelled() {
            return false;
        }
        match sample.and_then(|s| sample::attempt(s, &run.header, condition)) {
            Ok(Made { attempt, written, left_out }) => {
                run.samples += 1;
                run.searched += u64::from(attempt.calls() > 0);
                run.ones += u64::from(written == Some(1.0));
                run.percentages += u64::from(written.is_some_and(|c| c > 1.0));
                run.sink.attempt(&attempt, Some(place));
                if !left_out.is_empty() {
                    let message = format!(
                        "left out, being larger than {} MiB: {}",
                        PART_LIMIT >> 20,
                        left_out.join(", ")
                    );
                    run.report(Severity::Warning, Some(place), &message);
                }
            }
            Err(e) => {
                run.broken += 1;
                run.report(Severity::Error, Some(place), &e);
            }
        }
        true
    });
    if run.sink.cancelled() {
        return;
    }
    if let Some(e) = end {
        run.broken += 1;
        run.report(Severity::Error, None, &e);
    }
    run.doubts(asked, told, condition);
}

impl Run<'_> {
    fn report(&mut self, severity: Severity, entry: Option<&str>, message: &str) {
        self.sink.problem(problem(self.path, severity, entry, message));
    }

    /// Whether any sample holds a search; counts the samples. `None` when cancelled.
    fn look_for_searches(&mut self, samples: &mut dyn Samples) -> Option<bool> {
        let mut found = false;
        let mut cancelled = false;
        samples.each(&mut |_, sample| {
            cancelled = self.sink.cancelled();
            self.samples += 1;
            if let Ok(sample) = sample {
                // Only what has a tool in it is worth a closer look.
                let tool = |name| {
                    memmem::find(sample.text(name).unwrap_or_default().as_bytes(), b"\"tool_").is_some()
                };
                found = (tool("messages") || tool("output"))
                    && sample::attempt(sample, &self.header, Condition::WithSearch)
                        .is_ok_and(|made| made.attempt.calls() > 0);
            }
            !found && !cancelled
        });
        if cancelled {
            return None;
        }
        if found {
            self.samples = 0;
        }
        Some(found)
    }

    /// Says that the condition must be given, and how.
    fn ask(&mut self) {
        if self.samples == 0 {
            return self.empty();
        }
        let file = shell_word(&self.path.display().to_string());
        let task = self.header.task.as_deref().map(|t| format!(" ({t})")).unwrap_or_default();
        let message = format!(
            "with or without search? Neither metadata, tags, task name{task}, plan nor anything in its {} tells, so none \
             is shown. Pass --as no_search={file} or --as with_search={file}",
            crate::text::several(self.samples, "sample")
        );
        self.report(Severity::Error, None, &message);
    }

    /// Says that there is nothing to show.
    fn empty(&mut self) {
        let message = match self.header.status.as_deref() {
            None | Some("started") => "no sample is finished yet",
            _ => "it holds no samples (they are left out when a run is made with --no-log-samples)",
        };
        self.report(Severity::Warning, None, message);
    }

    /// Says what is doubtful about a log that was read.
    fn doubts(&mut self, asked: Option<Condition>, told: Told, condition: Condition) {
        let of = self.header.planned.map(|n| format!(" of {n}")).unwrap_or_default();
        let n = self.samples;
        if n == 0 && self.broken == 0 {
            return self.empty();
        }
        let has = crate::text::counted(self.header.planned.unwrap_or(n), format!("{n}{of}"), "sample");
        match self.header.status.as_deref() {
            None => {
                self.warn(&format!("the run was killed or is still going: its log has {has}"));
            }
            Some("success") => {}
            Some(word) => {
                let word = word.to_owned();
                self.warn(&format!("the run's status is {word}: its log has {has}"));
            }
        }
        if self.header.invalidated {
            self.warn("the log was declared invalid by its authors");
        }
        if self.ones > 0 && self.percentages > 0 {
            let (ones, above) = (self.ones, crate::text::several(self.percentages, "value"));
            self.warn(&format!(
                "confidence: {above} above 1 read as a percentage, and {ones} of exactly 1 as certainty"
            ));
        }
        if asked.is_some() {
            return;
        }
        let file = shell_word(&self.path.display().to_string());
        let tool = self.header.steps.iter().any(|(_, params)| condition::gives_search(params));
        match told {
            Told::NoTools => self.warn(&format!(
                "taken as no_search, since no step of its plan gives the model a tool; if that is wrong, pass --as \
                 with_search={file}"
            )),
            Told::Stated(_, by) if condition == Condition::NoSearch && self.searched > 0 => {
                let searched = self.searched;
                self.warn(&format!(
                    "taken as no_search by {by}, yet {searched} of {n} samples searched; if that is wrong, pass --as \
                     with_search={file}"
                ));
            }
            Told::Stated(_, by) if condition != Condition::NoSearch && self.searched == 0 && n > 0 && !tool => self.warn(&format!(
                "taken as {} by {by}, yet its plan has no search tool and no sample searched; if that is wrong, pass \
                 --as no_search={file}",
                condition.name()
            )),
            _ => {}
        }
    }

    fn warn(&mut self, message: &str) {
        self.report(Severity::Warning, None, message);
    }
}

/// A problem of the log. Names of members, tasks and scorers are anybody's, so what is said with them is made visible.
fn problem(path: &Path, severity: Severity, entry: Option<&str>, message: &str) -> Problem {
    let entry = entry.map(|e| sanitize_line(e).into_owned());
    Problem { severity, path: path.to_owned(), line: 0, entry, message: sanitize_line(message).into_owned() }
}

/// A path as one word of a command line.
fn shell_word(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%~".contains(c);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', "'\\''")) }
}
