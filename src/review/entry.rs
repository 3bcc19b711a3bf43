//! One line of a notes file: something that a person said about a row.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::record::{Attempt, Condition, Verdict};

use super::hash::Fnv;

/// The schema name that every line carries.
pub const NOTE_SCHEMA: &str = "lookitup.note/1";

/// What of a row a line is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum On {
    /// The pair: what search did to the question.
    #[default]
    Pair,
    /// The attempt under one condition.
    Side(Condition),
    /// The question itself, whoever answered it.
    Question,
}

impl On {
    /// The word in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::Side(condition) => condition.name(),
            Self::Question => "question",
        }
    }

    /// Reads the word; `None` for an unknown one.
    pub fn parse(word: &str) -> Option<Self> {
        let sides = Condition::ALL.map(Self::Side);
        [Self::Pair, Self::Question].into_iter().chain(sides).find(|on| on.name() == word)
    }
}

/// What a line is about. It survives re-runs; the hash of the answer beside it tells whether the answer is still the
/// one that was looked at.
///
/// Two keys are the same where they are written the same: the runs that joined a row have no part in it.
#[derive(Debug, Clone, Default)]
pub struct Key {
    /// The question.
    pub question_id: String,
    /// The model as the results name it; empty with [`On::Question`].
    pub model: String,
    /// The pair, one of its sides, or the question.
    pub on: On,
    /// Repeat, from 1; 0 with [`On::Question`].
    pub attempt: u32,
    /// The run that its answers are of. Empty where they name none or are of several, in lines written before runs were
    /// named, and with [`On::Question`].
    pub run: String,
    /// Of a row of several runs the ones that its sides are of: what was said of a side before the other run's joined it
    /// names that side's. Never written.
    pub(super) joined: Vec<String>,
}

impl Key {
    /// A pair.
    pub fn pair(question_id: impl Into<String>, model: impl Into<String>, attempt: u32) -> Self {
        Self { question_id: question_id.into(), model: model.into(), attempt, ..Self::default() }
    }

    /// The same in a run.
    #[must_use]
    pub fn in_run(self, run: impl Into<String>) -> Self {
        Self { run: run.into(), joined: Vec::new(), ..self }
    }

    /// The same of several runs.
    pub(super) fn across(self, runs: [&str; 2]) -> Self {
        let joined = runs.into_iter().filter(|run| !run.is_empty()).map(str::to_owned).collect();
        Self { run: String::new(), joined, ..self }
    }

    /// What it is called in lines that may be about it and name another run than it does, or none.
    pub(super) fn aliases(&self) -> impl Iterator<Item = Self> {
        let open = (!self.run.is_empty()).then_some("");
        open.into_iter().chain(self.joined.iter().map(String::as_str)).map(|run| self.clone().in_run(run))
    }

    /// Whether the run that a line so called names, if any, may be that of `row`.
    pub fn is_run_of(&self, row: &Self) -> bool {
        self.run.is_empty() || self.run == row.run || row.joined.contains(&self.run)
    }

    /// Whether what is called so may be what `row` is called: the same but for the run, which a line may leave open.
    pub fn covers(&self, row: &Self) -> bool {
        (self.question_id == row.question_id && self.model == row.model)
            && (self.on == row.on && self.attempt == row.attempt)
            && self.is_run_of(row)
    }

    fn written(&self) -> (&str, &str, On, u32, &str) {
        (&self.question_id, &self.model, self.on, self.attempt, &self.run)
    }

    /// A question.
    pub fn question(id: impl Into<String>) -> Self {
        Self { question_id: id.into(), on: On::Question, ..Self::default() }
    }

    /// The same row, one side of it.
    #[must_use]
    pub fn side(&self, condition: Condition) -> Self {
        Self { on: On::Side(condition), ..self.clone() }
    }

    /// A number for it that is the same in every run of the program and on every machine: what samples are drawn by.
    /// The run has no part in it, so that plans of before runs were named draw the same rows.
    pub fn ident(&self) -> u64 {
        let mut hash = Fnv::new();
        for part in [self.question_id.as_str(), &self.model, self.on.name()] {
            hash.add(part.as_bytes());
            hash.add(&[0]);
        }
        hash.add(&self.attempt.to_le_bytes());
        hash.end()
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.written() == other.written()
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.written().hash(state);
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        self.written().cmp(&other.written())
    }
}

/// What was said.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// The row was read and coded.
    Coded {
        /// The first thing that went wrong; `None` where only a note was written.
        primary: Option<String>,
        /// Other codes that apply.
        others: Vec<String>,
        /// Free text; may be empty.
        note: String,
        /// The version of the codebook that the codes are of.
        codebook: u32,
        /// The lines of other codings in view of which it was said, where these contradicted each other: it settles what
        /// they are about.
        settles: Vec<String>,
    },
    /// The row is left for later.
    Deferred {
        /// What was written so far; may be empty.
        note: String,
    },
    /// What stood is taken back.
    Cleared {
        /// Which slot of the key.
        what: SlotKind,
        /// The line that no longer counts: an undo, or of an undo a redo. `None`: the slot becomes empty.
        undoes: Option<String>,
    },
    /// A person's verdict, which beats the scorer's.
    Verdict {
        /// Right, wrong, or ungraded for "not to be judged".
        verdict: Verdict,
        /// Why.
        reason: String,
    },
    /// Another accepted answer of the question.
    Reference {
        /// The answer.
        text: String,
        /// Why; may be empty.
        reason: String,
    },
    /// Where a session stands; the key is the row's.
    Mark {
        /// The plan in its written form, and what it was drawn from.
        plan: String,
        /// The place in it, from 0.
        position: u64,
        /// How many it has.
        of: u64,
    },
}

impl Act {
    /// The word in files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Coded { .. } => "coded",
            Self::Deferred { .. } => "deferred",
            Self::Cleared { .. } => "cleared",
            Self::Verdict { .. } => "verdict",
            Self::Reference { .. } => "reference",
            Self::Mark { .. } => "mark",
        }
    }
}

/// The kinds of places that lines are about, each with one value at a time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SlotKind {
    /// Coded or deferred.
    Coding,
    /// The verdict.
    Verdict,
    /// One accepted answer.
    Reference(String),
    /// The place in a plan, one a person and plan.
    Mark(String),
}

impl SlotKind {
    /// The word in files.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Coding => "coding",
            Self::Verdict => "verdict",
            Self::Reference(_) => "reference",
            Self::Mark(_) => "mark",
        }
    }
}

/// A place that holds one value: of its lines the last one counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot {
    /// What it is about; of a mark nothing but the person, in `question_id`.
    pub key: Key,
    /// What of it.
    pub kind: SlotKind,
}

/// A line, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Unique among all lines ever, see [`entry_id`].
    pub id: String,
    /// The line that was the last one when this one was written: it comes before this one, whatever the clock says.
    pub prev: Option<String>,
    /// When, to the millisecond.
    pub at: Timestamp,
    /// The person.
    pub by: String,
    /// What it is about.
    pub key: Key,
    /// [`pair_hash`] or [`answer_hash`] of what was looked at; empty with [`On::Question`].
    pub answer: String,
    /// What was said.
    pub act: Act,
    /// Unknown fields, kept.
    pub extra: Map<String, Value>,
}

impl Entry {
    /// Where its value goes.
    pub fn slot(&self) -> Slot {
        let kind = match &self.act {
            Act::Coded { .. } | Act::Deferred { .. } => SlotKind::Coding,
            Act::Verdict { .. } => SlotKind::Verdict,
            Act::Reference { text, .. } => SlotKind::Reference(text.clone()),
            Act::Mark { plan, .. } => SlotKind::Mark(plan.clone()),
            Act::Cleared { what, .. } => what.clone(),
        };
        let key = match kind {
            SlotKind::Mark(_) => Key { question_id: self.by.clone(), ..Key::default() },
            SlotKind::Reference(_) => Key::question(self.key.question_id.as_str()),
            _ => self.key.clone(),
        };
        Slot { key, kind }
    }

    /// The line, without its end.
    pub fn to_line(&self) -> String {
        super::wire::write(self).to_string()
    }

    /// Reads a line.
    ///
    /// # Errors
    /// It is no JSON object, of another schema or kind, or lacks something.
    pub fn parse(line: &str) -> Result<Self, Refused> {
        super::wire::read(line)
    }
}

/// Why a line of a notes file is not taken. It stays in the file as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No JSON object: cut, or something else.
    #[error("not a JSON object")]
    NotJson,
    /// A line of another program, or of a newer one.
    #[error("its schema is \"{0}\" and not lookitup.note/1")]
    Schema(String),
    /// A kind that a newer program writes.
    #[error("unknown kind \"{0}\"")]
    Kind(String),
    /// A field is missing or no such value.
    #[error("{0} is missing or unreadable")]
    Field(&'static str),
    /// Two different lines with one id; one of them counts, the same whichever comes first.
    #[error("the id \"{0}\" is another line's too")]
    SameId(String),
}

/// An id for a new line: `random` keeps two writers apart, `at` lets ids sort by time.
pub fn entry_id(at: Timestamp, random: u64) -> String {
    format!("{:012x}-{random:016x}", at.as_millisecond().max(0))
}

/// The hash of one answer: 16 hexadecimal digits of FNV-1a, 64 bits, over the trimmed text's UTF-8; `-` where there is
/// none. It tells an answer from another one, and is no protection against an author who wants a collision.
pub fn answer_hash(answer: Option<&str>) -> String {
    match answer.map(str::trim).filter(|a| !a.is_empty()) {
        None => "-".to_owned(),
        Some(answer) => {
            let mut hash = Fnv::new();
            hash.add(answer.as_bytes());
            format!("{:016x}", hash.end())
        }
    }
}

/// The hashes of a pair's answers, without search and with it: `HASH/HASH`. Blocking the evidence later does not
/// change it.
pub fn pair_hash(no: Option<&Attempt>, with: Option<&Attempt>) -> String {
    let hash = |a: Option<&Attempt>| answer_hash(a.and_then(|a| a.answer.as_deref()));
    format!("{}/{}", hash(no), hash(with))
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.on {
            On::Question => f.write_str(&self.question_id),
            on => {
                write!(f, "{} · {} · {} · {}", self.question_id, self.model, on.name(), self.attempt)?;
                if self.run.is_empty() { Ok(()) } else { write!(f, " · {}", self.run) }
            }
        }
    }
}

#[cfg(test)]
#[path = "entry_tests.rs"]
mod tests;
