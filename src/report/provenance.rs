//! Where the numbers of a report come from.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::record::{Condition, Errors, Scorer, Verdict, is_made_up, mark_of_data};
use crate::store::{self, Table};

/// A file that was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileStamp {
    /// As given.
    pub path: String,
    /// What it holds.
    pub kind: &'static str,
    /// Its length in bytes.
    pub bytes: u64,
    /// SHA-256 of its bytes in hexadecimal; `None` when it could not be read again.
    pub sha256: Option<String>,
}

/// What review did to the figures, where they are as reviewed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reviewing {
    /// The notes.
    pub notes: FileStamp,
    /// Everybody whose verdicts and answers count, sorted.
    pub people: Vec<String>,
    /// Attempts of the rows shown with a person's verdict.
    pub verdicts: u64,
    /// Of those, the ones that the scorer had judged otherwise.
    pub overridden: u64,
    /// Attempts of the rows shown that only an added answer makes right.
    pub accepted: u64,
    /// Answers that were added to questions that are open.
    pub answers: u64,
    /// Rows shown whose transition is another one.
    pub rows: u64,
    /// Verdicts that do not count: on answers that are others now.
    pub outdated: u64,
    /// Verdicts on attempts that are not open.
    pub elsewhere: u64,
}

impl Reviewing {
    fn json(&self) -> Value {
        json!({
            "notes": { "path": self.notes.path, "bytes": self.notes.bytes, "sha256": self.notes.sha256 },
            "people": self.people,
            "verdicts": self.verdicts,
            "overridden": self.overridden,
            "accepted": self.accepted,
            "answers_added": self.answers,
            "rows_changed": self.rows,
            "outdated": self.outdated,
            "elsewhere": self.elsewhere,
        })
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let count = crate::text::count;
        let hash = self.notes.sha256.as_deref().unwrap_or("not there");
        let people = if self.people.is_empty() { "nobody".to_owned() } else { self.people.join(", ") };
        vec![
            ("Reviewed by", people),
            ("Notes", format!("{} ({} bytes, SHA-256 {hash})", self.notes.path, count(self.notes.bytes))),
            (
                "Verdicts of people",
                format!(
                    "{} on attempts of these rows, {} of them against the scorer; {} on answers that are others now and \
                     {} on attempts that are not open do not count",
                    count(self.verdicts),
                    count(self.overridden),
                    count(self.outdated),
                    count(self.elsewhere)
                ),
            ),
            (
                "Answers accepted besides",
                format!(
                    "{}, which make {} right",
                    count(self.answers),
                    crate::text::several(self.accepted, "attempt")
                ),
            ),
            ("Rows with another transition", count(self.rows)),
        ]
    }
}

/// What a reader has to know to make the same report. It holds no time: the same input gives the same report.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// The program and its version.
    pub program: String,
    /// The files, in the order read.
    pub files: Vec<FileStamp>,
    /// The filter; empty: everything.
    pub filter: String,
    /// The scorer.
    pub scorer: Scorer,
    /// What errors count as.
    pub errors: Errors,
    /// Rows that the filter shows, and all there are.
    pub rows: (u64, u64),
    /// Attempts of those rows that are neither right nor wrong, by why.
    pub left_out: Vec<(&'static str, u64)>,
    /// Lines and files that could not be read.
    pub unreadable: u64,
    /// Lines that were read with a doubt.
    pub doubtful: u64,
    /// The sources of the attempts: `live`, `simulated`, …
    pub sources: Vec<String>,
    /// Whether anything among them was simulated or replayed.
    pub simulated: bool,
    /// What review did; `None`: the figures are as graded.
    pub reviewed: Option<Reviewing>,
}

impl Provenance {
    /// The provenance of figures over `rows`. Reads every file once for its hash; `None` when `cancel` was set.
    pub fn of(
        table: &Table,
        rows: &[u32],
        filter: &str,
        scorer: Scorer,
        errors: Errors,
        cancel: &AtomicBool,
    ) -> Option<Self> {
        let mut files = Vec::new();
        for (at, file) in table.files.iter().enumerate() {
            if cancel.load(Ordering::Relaxed) {
                return None;
            }
            let digest = store::digest(table, at).ok();
            files.push(FileStamp {
                path: crate::text::sanitize_line(&file.path.display().to_string()).into_owned(),
                kind: file.kind,
                bytes: digest.as_ref().map_or(file.bytes, |d| d.1),
                sha256: digest.map(|d| d.0),
            });
        }
        let (left_out, sources) = attempts(table, rows, scorer);
        Some(Self {
            program: concat!("lookitup ", env!("CARGO_PKG_VERSION")).to_owned(),
            files,
            filter: filter.to_owned(),
            scorer,
            errors,
            rows: (rows.len() as u64, table.pairs.len() as u64),
            left_out,
            unreadable: table.problems.errors,
            doubtful: table.problems.warnings,
            simulated: sources.iter().any(|w| is_made_up(w)),
            sources,
            reviewed: None,
        })
    }

    /// The mark that data carries which no model gave in answer to a person's question.
    pub fn mark(&self) -> Option<&'static str> {
        mark_of_data(|word| self.sources.iter().any(|s| s == word))
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let files: Vec<Value> = self
            .files
            .iter()
            .map(|f| json!({ "path": f.path, "kind": f.kind, "bytes": f.bytes, "sha256": f.sha256 }))
            .collect();
        let left_out: serde_json::Map<String, Value> =
            self.left_out.iter().map(|(why, n)| ((*why).to_owned(), json!(n))).collect();
        let mut value = json!({
            "program": self.program,
            "simulated": self.simulated,
            "mark": self.mark(),
            "sources": self.sources,
            "files": files,
            "filter": self.filter,
            "scorer": self.scorer.name(),
            "errors": self.errors.name(),
            "rows": { "shown": self.rows.0, "all": self.rows.1 },
            "attempts_without_verdict": left_out,
            "lines_unreadable": self.unreadable,
            "lines_doubtful": self.doubtful,
        });
        if let (Some(fields), Some(reviewed)) = (value.as_object_mut(), &self.reviewed) {
            fields.insert("reviewed".to_owned(), reviewed.json());
        }
        value
    }

    /// As lines of words: name and value.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let count = crate::text::count;
        let mut lines = vec![("Program", self.program.clone())];
        let sources = if self.sources.is_empty() { "not stated".to_owned() } else { self.sources.join(", ") };
        lines.push(("Source of the answers", sources));
        for file in &self.files {
            let hash = file.sha256.as_deref().unwrap_or("could not be read again");
            let size = count(file.bytes);
            lines.push(("File", format!("{} ({}, {size} bytes, SHA-256 {hash})", file.path, file.kind)));
        }
        let filter = if self.filter.is_empty() { "none: everything".to_owned() } else { self.filter.clone() };
        lines.push(("Filter", filter));
        lines.push(("Rows", format!("{} of {}", count(self.rows.0), count(self.rows.1))));
        lines.push(("Scorer", self.scorer.name().to_owned()));
        let errors = match self.errors {
            Errors::Drop => "left out of accuracy",
            Errors::Wrong => "counted as wrong in accuracy",
        };
        lines.push(("Attempts without a verdict", errors.to_owned()));
        let why: Vec<String> = self.left_out.iter().map(|(why, n)| format!("{} {why}", count(*n))).collect();
        lines.push(("Of these rows", if why.is_empty() { "none".to_owned() } else { why.join(", ") }));
        if self.unreadable + self.doubtful > 0 {
            lines.push((
                "Lines",
                format!(
                    "{} could not be read, {} are doubtful",
                    count(self.unreadable),
                    count(self.doubtful)
                ),
            ));
        }
        lines.extend(self.reviewed.iter().flat_map(Reviewing::lines));
        lines
    }
}

/// Attempts without a verdict by why, and where attempts come from.
fn attempts(table: &Table, rows: &[u32], scorer: Scorer) -> (Vec<(&'static str, u64)>, Vec<String>) {
    let kinds = [Verdict::Ungraded, Verdict::Error, Verdict::Truncated, Verdict::Refused, Verdict::Paused];
    let mut counts = [0_u64; 5];
    let mut sources = vec![false; usize::from(u16::MAX) + 1];
    for pair in rows.iter().filter_map(|&r| table.pairs.get(r as usize)) {
        for attempt in Condition::ALL.into_iter().filter_map(|c| table.side(pair, c)) {
            let verdict = attempt.verdict(scorer);
            if let Some(n) = kinds.iter().position(|k| *k == verdict).and_then(|at| counts.get_mut(at)) {
                *n += 1;
            }
            if let Some(seen) = sources.get_mut(usize::from(attempt.source)) {
                *seen = true;
            }
        }
    }
    let left_out = kinds.iter().map(|k| k.name()).zip(counts).filter(|(_, n)| *n > 0).collect();
    let mut words: Vec<String> = table
        .names
        .sources
        .iter()
        .filter(|(n, word)| sources.get(usize::from(*n)).copied().unwrap_or(false) && !word.is_empty())
        .map(|(_, word)| word.to_owned())
        .collect();
    words.sort();
    (left_out, words)
}
