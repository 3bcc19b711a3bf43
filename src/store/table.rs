//! The short columns of everything that is open: what lists, filters, sorts and figures run on.
//!
//! A [`Table`] is immutable once published; the loader publishes newer ones that share most of their storage. Full
//! records are not here: they are read from their file on demand (`store::page`).

use std::path::PathBuf;
use std::sync::Arc;

use crate::record::{Condition, Scorer, State, Transition, Verdict};

use super::cow::CowVec;
use super::dict::Dict;
use super::source::Sources;

/// "No such row" in a `u32` column.
pub const NO: u32 = u32::MAX;

/// Separates the parts of an item's text: question from id, references from question, queries from answer.
pub const PART: u8 = 0x1f;
/// Separates the members of a part: one reference from the next, one query from the next.
pub const MEMBER: u8 = 0x1e;
/// Ends an item's text. None of the three can occur inside, since text is sanitised.
pub const END: u8 = b'\n';

/// A file that is open.
#[derive(Debug, Clone)]
pub struct FileInfo {
    /// As given by the user.
    pub path: PathBuf,
    /// What it holds, for the header and `check` ("attempts", "questions", "Inspect log").
    pub kind: &'static str,
    /// Bytes when last looked at.
    pub bytes: u64,
}

/// One attempt, in 64 bytes.
#[derive(Debug, Clone, Copy)]
pub struct AttemptRow {
    /// Where its line begins in its file (or in the spool made from a foreign or compressed file).
    pub offset: u64,
    /// Length of the line in bytes, without the line end.
    pub len: u32,
    /// Hash of the line's bytes, checked when the record is read.
    pub print: u32,
    /// The pair it belongs to.
    pub pair: u32,
    /// Stated confidence in billionths; [`NO`] when none was stated.
    pub confidence: u32,
    /// Latency in milliseconds; [`NO`] when unknown.
    pub latency_ms: u32,
    /// Cost in 10⁻⁸ US dollars; [`NO`] when unknown.
    pub cost: u32,
    /// Tokens in and out; [`NO`] when unknown.
    pub tokens: u32,
    /// Number in [`Table::files`].
    pub file: u16,
    /// Number in [`Names::models`].
    pub model: u16,
    /// Number in [`Names::runs`].
    pub run: u16,
    /// Attempt number as the file gives it.
    pub attempt: u16,
    /// Number in [`Names::providers`].
    pub provider: u16,
    /// Number in [`Names::sources`].
    pub source: u16,
    /// Number in [`Names::stops`].
    pub stop: u16,
    /// Number in [`Names::errors`] (the error's kind).
    pub error: u16,
    /// Number in [`Names::splits`]: the attempt's own; 0 means "as the question says".
    pub split: u16,
    /// A [`Condition`].
    pub condition: Condition,
    /// A [`State`].
    pub state: State,
    /// What each scorer says: bit n is set when scorer n ([`Scorer`] as a number) finds it right, bit 4 + n when it
    /// can judge at all.
    pub scored: u8,
    /// Search calls.
    pub calls: u8,
    /// Entries of the search timeline that are no calls (opened pages and the like).
    pub opened: u8,
}

impl AttemptRow {
    /// Stated confidence, 0 to 1.
    pub fn confidence(&self) -> Option<f64> {
        (self.confidence != NO).then(|| f64::from(self.confidence) / 1e9)
    }

    /// Packs a confidence for the column; values outside 0–1 are clamped (the loader reports them).
    pub fn pack_confidence(c: Option<f64>) -> u32 {
        match c {
            Some(c) if c.is_finite() => (c.clamp(0.0, 1.0) * 1e9).round() as u32,
            _ => NO,
        }
    }

    /// Cost in US dollars.
    pub fn cost_usd(&self) -> Option<f64> {
        (self.cost != NO).then(|| f64::from(self.cost) / 1e8)
    }

    /// Packs a cost for the column; above 42.9 dollars it saturates.
    pub fn pack_cost(usd: Option<f64>) -> u32 {
        match usd {
            Some(c) if c.is_finite() && c >= 0.0 => (c * 1e8).round().min(f64::from(NO - 1)) as u32,
            _ => NO,
        }
    }

    /// The verdict under a scorer. A scorer other than the recorded one falls back to the recorded verdict where it
    /// has nothing to compare with; the recorded one never falls back.
    pub fn verdict(&self, scorer: Scorer) -> Verdict {
        match self.state {
            State::Error => return Verdict::Error,
            State::Truncated => return Verdict::Truncated,
            State::Refused => return Verdict::Refused,
            State::Paused => return Verdict::Paused,
            State::Answered | State::NoAnswer => {}
        }
        let can = |s: u8| self.scored & (1 << (4 + s)) != 0;
        let own = scorer as u8;
        let by = if can(own) {
            own
        } else if can(Scorer::Recorded as u8) {
            Scorer::Recorded as u8
        } else {
            return Verdict::Ungraded;
        };
        if self.scored & (1 << by) == 0 { Verdict::Wrong } else { Verdict::Right }
    }

    /// The verdict that the file recorded.
    pub fn recorded(&self) -> Option<bool> {
        (self.scored & 0x10 != 0).then_some(self.scored & 1 != 0)
    }
}

/// One question.
#[derive(Debug, Clone, Copy)]
pub struct QuestionRow {
    /// Where its line begins in its data file.
    pub offset: u64,
    /// Length of that line; 0 when no data file has it (its text then comes from its attempts).
    pub len: u32,
    /// Number in [`Table::files`].
    pub file: u16,
    /// Number in [`Names::splits`].
    pub split: u16,
    /// Number in [`Names::topics`].
    pub topic: u16,
    /// Number in [`Names::key_dates`].
    pub key_date: u16,
    /// Its first pair; the others follow by [`PairRow::next`]. [`NO`] when it has none.
    pub first_pair: u32,
    /// Hash of its folded text, to tell questions of one id apart; 0 when the text is not known.
    pub text_hash: u32,
}

/// One row of the list: the attempts of one question, model and attempt number under each condition.
#[derive(Debug, Clone, Copy)]
pub struct PairRow {
    /// Number in [`Table::questions`].
    pub question: u32,
    /// Attempts by condition ([`Condition`] as a number); [`NO`] where that condition was not asked.
    pub sides: [u32; 3],
    /// The next pair of the same question.
    pub next: u32,
    /// Number in [`Names::models`].
    pub model: u16,
    /// Number in [`Names::runs`] (of the first attempt that came).
    pub run: u16,
    /// Attempt number, after duplicates were moved to the next free one.
    pub attempt: u16,
    /// The [`Transition`] under each scorer.
    pub transitions: [Transition; 4],
}

/// Text of consecutive items, folded for search (`text::fold`).
#[derive(Debug, Default)]
pub struct TextBlock {
    /// Index of the first item.
    pub first: u32,
    /// The texts, each ended by [`END`].
    pub text: Vec<u8>,
    /// Where each item's text ends.
    pub ends: Vec<u32>,
}

impl TextBlock {
    /// The text of item `index`, without its end mark.
    pub fn item(&self, index: u32) -> Option<&[u8]> {
        let at = index.checked_sub(self.first)? as usize;
        let end = *self.ends.get(at)? as usize;
        let start = if at == 0 { 0 } else { *self.ends.get(at - 1)? as usize };
        self.text.get(start..end.saturating_sub(1))
    }

    /// The item that the byte at `offset` belongs to.
    pub fn item_at(&self, offset: usize) -> u32 {
        self.first + self.ends.partition_point(|&e| e as usize <= offset) as u32
    }
}

/// The text of all items of a kind.
#[derive(Debug, Clone, Default)]
pub struct Texts(pub Vec<Arc<TextBlock>>);

impl Texts {
    /// The text of item `index`.
    pub fn item(&self, index: u32) -> Option<&[u8]> {
        let at = self.0.partition_point(|b| b.first <= index).checked_sub(1)?;
        self.0.get(at)?.item(index)
    }

    /// Part `n` of item `index`: for a question 0 id, 1 text, 2 references, 3 its id as written where folding changed
    /// it; for an attempt 0 answer, 1 queries (absent when it has none).
    pub fn part(&self, index: u32, n: usize) -> Option<&str> {
        let part = self.item(index)?.split(|&b| b == PART).nth(n)?;
        std::str::from_utf8(part).ok()
    }
}

/// The dictionaries behind the numbers.
#[derive(Debug, Clone, Default)]
pub struct Names {
    /// Models.
    pub models: Dict,
    /// Runs.
    pub runs: Dict,
    /// Providers.
    pub providers: Dict,
    /// Splits.
    pub splits: Dict,
    /// Topics.
    pub topics: Dict,
    /// Key dates.
    pub key_dates: Dict,
    /// Sources (`live`, `simulated`, …).
    pub sources: Dict,
    /// Stop reasons.
    pub stops: Dict,
    /// Error kinds.
    pub errors: Dict,
}

/// How serious a problem is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// A record or file could not be used.
    Error,
    /// It was used, with a doubt.
    Warning,
}

/// Something wrong with the input, at its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// How serious.
    pub severity: Severity,
    /// The file.
    pub path: PathBuf,
    /// Line from 1; 0 when it is the file as a whole.
    pub line: u64,
    /// The entry inside an archive, where there is one.
    pub entry: Option<String>,
    /// What happened and what to do.
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(entry) = &self.entry {
            write!(f, "!{entry}")?;
        }
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        write!(f, ": {}", self.message)
    }
}

/// Problems found so far: every one is counted, the first 1,000 are kept, and more of whole files.
#[derive(Debug, Clone, Default)]
pub struct Problems {
    /// Those kept, in the order found.
    pub list: Vec<Problem>,
    /// Records and files that could not be used.
    pub errors: u64,
    /// Doubts.
    pub warnings: u64,
}

impl Problems {
    /// The number kept.
    pub const KEPT: usize = 1_000;

    /// Counts a problem, and keeps it while there is room.
    pub fn add(&mut self, problem: Problem) {
        match problem.severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        // What is wrong with a file as a whole explains its lines: it is kept when they have filled the list.
        let most = if problem.line == 0 { 2 * Self::KEPT } else { Self::KEPT };
        if self.list.len() < most {
            self.list.push(problem);
        }
    }
}

/// How far loading has come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read.
    pub read: u64,
    /// Bytes to read.
    pub total: u64,
    /// Whether everything that was there has been read (a file may still grow).
    pub done: bool,
}

/// Everything that is open, in columns.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Grows by one whenever everything was read anew (a file was replaced or cut): row numbers of an older
    /// generation mean nothing.
    pub generation: u32,
    /// Open files.
    pub files: Arc<Vec<FileInfo>>,
    /// Their bytes.
    pub sources: Sources,
    /// Dictionaries.
    pub names: Arc<Names>,
    /// Attempts in the order read.
    pub attempts: CowVec<AttemptRow>,
    /// Their texts: answer, queries.
    pub attempt_texts: Texts,
    /// Questions in the order met.
    pub questions: CowVec<QuestionRow>,
    /// Their texts: id, text, references.
    pub question_texts: Texts,
    /// The list's rows.
    pub pairs: CowVec<PairRow>,
    /// What people said of rows: empty until it is put there.
    pub marks: Arc<super::Marks>,
    /// What was wrong.
    pub problems: Arc<Problems>,
    /// How far loading has come.
    pub progress: Progress,
}

impl Table {
    /// The attempt of a pair under a condition.
    pub fn side(&self, pair: &PairRow, condition: Condition) -> Option<&AttemptRow> {
        let at = *pair.sides.get(condition as usize)?;
        if at == NO { None } else { self.attempts.get(at as usize) }
    }

    /// The id of a question, as written.
    pub fn question_id(&self, question: u32) -> Option<&str> {
        self.question_texts.part(question, 3).or_else(|| self.question_texts.part(question, 0))
    }

    /// The number of calls of the pair's with-search attempt.
    pub fn calls(&self, pair: &PairRow) -> Option<u8> {
        self.side(pair, Condition::WithSearch).map(|a| a.calls)
    }

    /// The split of a pair: the question's, else an attempt's own, else "".
    pub fn split(&self, pair: &PairRow) -> u16 {
        let own = self.questions.get(pair.question as usize).map_or(0, |q| q.split);
        if own != 0 {
            return own;
        }
        Condition::ALL
            .into_iter()
            .filter_map(|c| self.side(pair, c))
            .map(|a| a.split)
            .find(|&s| s != 0)
            .unwrap_or(0)
    }

    /// The transition of a pair, worked out anew from its attempts.
    pub fn transition(&self, pair: &PairRow, scorer: Scorer) -> Transition {
        let no = self.side(pair, Condition::NoSearch).map(|a| a.verdict(scorer));
        let with = self.side(pair, Condition::WithSearch);
        Transition::of(no, with.map(|a| a.verdict(scorer)), with.map_or(0, |a| usize::from(a.calls)))
    }

    /// How many answers no scorer can judge, and of how many: they have neither accepted answers nor a recorded verdict.
    pub fn ungraded(&self) -> (usize, usize) {
        let answered = self.attempts.iter().filter(|a| a.state == State::Answered);
        answered.fold((0, 0), |(n, of), a| (n + usize::from(a.scored >> 4 == 0), of + 1))
    }

    /// The mark of what is open, by the `source` of its attempts: `SIMULATED`, `REPLAY` and the like.
    pub fn mark(&self) -> Option<&'static str> {
        crate::record::mark_of_data(|word| self.names.sources.find(word).is_some())
    }
}
