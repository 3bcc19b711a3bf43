//! One piece of a file made into columns of its own, by one thread; [`super::build`] puts the pieces together.
//!
//! Dictionaries and questions are numbered within the piece, so that the one thread that merges has little to do.

use std::borrow::Cow;

use hashbrown::HashTable;

use super::dict::Dict;
use super::fields::Fields;
use super::known::Known;
use super::print::{print, print64};
use super::short::{Given, Short, ShortAttempt, ShortQuestion, read, read_slowly};
use super::table::{AttemptRow, END, MEMBER, NO, Names, PART, Severity};
use crate::record::{Condition, State};
use crate::score::{Refs, scored};
use crate::text::{fold, fold_untrusted, head, sanitize, sanitize_line};

/// Bytes of one answer, query, question or reference that are kept for searching. What lies beyond is found by a
/// search through the file.
pub(super) const TEXT_KEPT: usize = 1 << 16;

/// What a thread has to know to read a piece.
pub(super) struct Context<'a> {
    /// Number of the file.
    pub(super) file: u16,
    /// The condition named with `--as`.
    pub(super) named: Option<Condition>,
    /// References of the question files.
    pub(super) known: &'a Known,
}

/// A problem of a line.
#[derive(Debug, PartialEq)]
pub(super) struct LineProblem {
    /// Lines before it in the piece.
    pub(super) line: u64,
    pub(super) severity: Severity,
    pub(super) message: String,
}

/// A question as met in a piece.
#[derive(Debug, PartialEq)]
pub(super) struct LocalQuestion {
    /// Hash of its id.
    pub(super) id_hash: u64,
    /// Hash of its text for telling texts apart; 0 without text.
    pub(super) text_hash: u32,
    pub(super) split: u16,
    pub(super) topic: u16,
    pub(super) key_date: u16,
    /// Its line in a question file; length 0 when an attempt named it.
    pub(super) offset: u64,
    pub(super) len: u32,
    /// Lines before it in the piece.
    pub(super) line: u64,
}

/// The columns of a piece.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    /// Lines that begin in the piece.
    pub(super) lines: u64,
    pub(super) questions: Vec<LocalQuestion>,
    pub(super) question_text: Vec<u8>,
    pub(super) question_ends: Vec<u32>,
    /// `pair` holds the number of the question in `questions`, the words are numbers in `names`.
    pub(super) attempts: Vec<AttemptRow>,
    pub(super) attempt_text: Vec<u8>,
    pub(super) attempt_ends: Vec<u32>,
    /// Lines before each attempt, for problems that only merging finds.
    pub(super) attempt_lines: Vec<u32>,
    /// Attempts that had no reference to be compared with.
    pub(super) unscored: Vec<u32>,
    pub(super) names: Names,
    pub(super) problems: Vec<LineProblem>,
    /// References of the questions, for [`Known`]: only of questions with a line of their own.
    pub(super) references: Vec<Vec<String>>,
    /// What is wrong with a last line that has no line end and may still be completed.
    pub(super) tail: Option<String>,
    /// Where reading can go on: after the last line that was used.
    pub(super) end: u64,
    /// Why the piece could not be read.
    pub(super) failed: Option<Failed>,
}

/// Why a piece could not be read.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Failed {
    /// The file became shorter.
    Cut,
    /// The system's words.
    Io(String),
}

impl Parsed {
    /// Empties it, keeping the memory.
    fn clear(&mut self) {
        self.lines = 0;
        self.questions.clear();
        self.question_text.clear();
        self.question_ends.clear();
        self.attempts.clear();
        self.attempt_text.clear();
        self.attempt_ends.clear();
        self.attempt_lines.clear();
        self.unscored.clear();
        self.names = Names::default();
        self.problems.clear();
        self.references.clear();
        self.tail = None;
        self.end = 0;
        self.failed = None;
    }

    /// The text of a question.
    pub(super) fn question_item(&self, at: usize) -> &[u8] {
        item(&self.question_text, &self.question_ends, at)
    }
}

fn item<'t>(text: &'t [u8], ends: &[u32], at: usize) -> &'t [u8] {
    let start = at.checked_sub(1).and_then(|p| ends.get(p)).map_or(0, |&e| e as usize);
    let end = ends.get(at).map_or(start, |&e| e as usize);
    text.get(start..end).unwrap_or_default()
}

/// What distinguishes questions within a piece.
struct Key<'a> {
    id: Cow<'a, str>,
    question: Option<Cow<'a, str>>,
    references: Given<'a>,
    /// Made when the first attempt needs them.
    refs: Option<Refs>,
}

/// The last word of a field: most lines repeat it.
#[derive(Default)]
struct Memo(String, u16);

impl Memo {
    fn word(&mut self, dict: &mut Dict, word: Option<&str>) -> u16 {
        let Some(word) = word else { return 0 };
        if word != self.0 {
            self.1 = dict.intern(&sanitize_line(word));
            self.0.clear();
            self.0.push_str(word);
        }
        self.1
    }
}

#[derive(Default)]
struct Memos {
    model: Memo,
    run: Memo,
    provider: Memo,
    split: Memo,
    topic: Memo,
    key_date: Memo,
    source: Memo,
    stop: Memo,
    error: Memo,
}

struct Reading<'a, 'c> {
    context: &'c Context<'c>,
    out: Parsed,
    keys: Vec<Key<'a>>,
    by_id: HashTable<u32>,
    last: usize,
    memos: Memos,
}

/// Reads the lines of `bytes`, which begin at `offset` of the file. `last` tells that the file ends here.
/// `out` is emptied and filled again.
pub(super) fn parse(bytes: &[u8], offset: u64, last: bool, context: &Context<'_>, mut out: Parsed) -> Parsed {
    out.clear();
    let mut reading = Reading {
        context,
        out,
        keys: Vec::new(),
        by_id: HashTable::new(),
        last: usize::MAX,
        memos: Memos::default(),
    };
    let mut fields = Fields::default();
    let mut at = 0;
    while at < bytes.len() {
        let rest = bytes.get(at..).unwrap_or_default();
        let found = memchr::memchr(b'\n', rest);
        let full = rest.get(..found.unwrap_or(rest.len())).unwrap_or_default();
        let (skipped, line) = trim(full, offset + at as u64 == 0);
        let place = offset + (at + skipped) as u64;
        if !line.is_empty() {
            let text = simdutf8::basic::from_utf8(line).ok();
            let short = match text {
                Some(text) => read(text, context.named, &mut fields),
                None => read_slowly(line, context.named),
            };
            fields.queries = reading.take(short, line, place, found.is_none() && last);
        }
        if reading.out.tail.is_some() {
            break;
        }
        at += full.len() + usize::from(found.is_some());
        reading.out.lines += 1;
    }
    // A line that may be completed is read again, with its white space and byte order mark.
    reading.out.end = offset + at as u64;
    reading.out
}

/// Takes white space, the carriage return and a byte order mark at the beginning of a file off a line.
fn trim(line: &[u8], first: bool) -> (usize, &[u8]) {
    let bare = match line.strip_prefix(b"\xef\xbb\xbf") {
        Some(bare) if first => bare,
        _ => line,
    };
    let bare = bare.trim_ascii_start();
    (line.len() - bare.len(), bare.trim_ascii_end())
}

impl<'a> Reading<'a, '_> {
    /// Takes what a line gave; gives back the list of queries to be filled again.
    fn take(
        &mut self,
        short: Result<Short<'a>, String>,
        line: &[u8],
        offset: u64,
        cut: bool,
    ) -> Vec<Cow<'a, str>> {
        match short {
            Ok(Short::Attempt(attempt)) => self.attempt(attempt, line, offset),
            Ok(Short::Question(question)) => {
                self.question(&question, line, offset);
                Vec::new()
            }
            Err(message) if cut => {
                self.out.tail = Some(message);
                Vec::new()
            }
            Err(message) => {
                self.problem(Severity::Error, format!("{message}; the line is left out"));
                Vec::new()
            }
        }
    }

    fn problem(&mut self, severity: Severity, message: String) {
        self.out.problems.push(LineProblem { line: self.out.lines, severity, message });
    }

    fn attempt(&mut self, a: ShortAttempt<'a>, line: &[u8], offset: u64) -> Vec<Cow<'a, str>> {
        for doubt in a.doubts {
            self.problem(Severity::Warning, doubt);
        }
        let question = self.local_question(a.id, a.question, a.references);
        let answer = a.answer.as_deref().map(sanitize);
        let answer = answer.as_deref();
        let has_answer = answer.is_some_and(|a| !a.trim().is_empty());
        let refs = self.keys.get(question).and_then(|k| k.refs.as_ref());
        if refs.is_none() {
            self.out.unscored.push(self.out.attempts.len() as u32);
        }
        let scored = scored(answer, refs.unwrap_or(&Refs::default()), a.correct);
        let out = &mut self.out;
        fold(head(answer.unwrap_or_default(), TEXT_KEPT), &mut out.attempt_text);
        for (n, query) in a.queries.iter().enumerate() {
            out.attempt_text.push(if n == 0 { PART } else { MEMBER });
            fold_untrusted(query, TEXT_KEPT, &mut out.attempt_text);
        }
        out.attempt_text.push(END);
        out.attempt_ends.push(out.attempt_text.len() as u32);
        out.attempt_lines.push(out.lines as u32);
        let (names, memos) = (&mut out.names, &mut self.memos);
        let most = f64::from(NO - 1);
        out.attempts.push(AttemptRow {
            offset,
            len: line.len() as u32,
            print: print(line),
            pair: question as u32,
            confidence: AttemptRow::pack_confidence(a.confidence),
            latency_ms: a.latency_ms.map_or(NO, |ms| ms.round().min(most) as u32),
            cost: AttemptRow::pack_cost(a.cost_usd),
            tokens: a.tokens.map_or(NO, |t| t.min(u64::from(NO - 1)) as u32),
            file: self.context.file,
            model: memos.model.word(&mut names.models, a.model.as_deref()),
            run: memos.run.word(&mut names.runs, a.run.as_deref()),
            attempt: a.attempt.min(u32::from(u16::MAX)) as u16,
            provider: memos.provider.word(&mut names.providers, a.provider.as_deref()),
            source: memos.source.word(&mut names.sources, a.source.as_deref()),
            error: memos.error.word(&mut names.errors, a.error.as_deref()),
            split: memos.split.word(&mut names.splits, a.split.as_deref()),
            condition: a.condition,
            state: State::of(a.error.as_deref(), a.stop.as_deref(), has_answer),
            stop: memos.stop.word(&mut names.stops, a.stop.as_deref()),
            scored,
            calls: a.calls.min(255) as u8,
            opened: a.opened.min(255) as u8,
        });
        let mut queries = a.queries;
        queries.clear();
        queries
    }

    fn question(&mut self, q: &ShortQuestion<'_>, line: &[u8], offset: u64) {
        let references = q.references.list();
        let n = self.add_question(&q.id, Some(&q.question), &references);
        self.keys.push(Key {
            id: Cow::Borrowed(""),
            question: None,
            references: Given::default(),
            refs: None,
        });
        let (names, memos) = (&mut self.out.names, &mut self.memos);
        if let Some(local) = self.out.questions.get_mut(n) {
            local.offset = offset;
            local.len = line.len() as u32;
            local.split = memos.split.word(&mut names.splits, q.split.as_deref());
            local.topic = memos.topic.word(&mut names.topics, q.topic.as_deref());
            local.key_date = memos.key_date.word(&mut names.key_dates, q.key_date.as_deref());
        }
        self.out.references.push(references.into_iter().map(Cow::into_owned).collect());
    }

    /// The number within the piece of the question that an attempt names.
    fn local_question(
        &mut self,
        id: Cow<'a, str>,
        question: Option<Cow<'a, str>>,
        references: Given<'a>,
    ) -> usize {
        let same = |k: &Key<'_>| k.id == id && k.question == question && k.references == references;
        if self.keys.get(self.last).is_some_and(same) {
            return self.last;
        }
        let hash = print64(id.as_bytes());
        let found = self.by_id.find(hash, |&n| self.keys.get(n as usize).is_some_and(same));
        if let Some(&n) = found {
            self.last = n as usize;
            return self.last;
        }
        let list = references.list();
        let n = self.add_question(&id, question.as_deref(), &list);
        let refs = if list.is_empty() {
            let local = self.out.questions.get(n);
            let hash = local.map_or(0, |q| q.text_hash);
            self.context.known.references(&sanitize_line(&id), hash).map(Refs::new)
        } else {
            Some(Refs::new(&list))
        };
        self.keys.push(Key { id, question, references, refs });
        let keys = &self.keys;
        let rehash = |&n: &u32| keys.get(n as usize).map_or(0, |k| print64(k.id.as_bytes()));
        self.by_id.insert_unique(hash, n as u32, rehash);
        self.last = n;
        n
    }

    fn add_question(&mut self, id: &str, question: Option<&str>, references: &[Cow<'_, str>]) -> usize {
        let out = &mut self.out;
        let id = sanitize_line(id);
        let text = &mut out.question_text;
        let start = text.len();
        fold(&id, text);
        let differs = text.get(start..) != Some(id.as_bytes());
        text.push(PART);
        let from = text.len();
        fold_untrusted(question.unwrap_or_default(), TEXT_KEPT, text);
        let text_hash = text_hash(text.get(from..).unwrap_or_default());
        text.push(PART);
        for (n, reference) in references.iter().enumerate() {
            if n > 0 {
                text.push(MEMBER);
            }
            fold(head(reference, TEXT_KEPT), text);
        }
        if differs {
            text.push(PART);
            text.extend_from_slice(id.as_bytes());
        }
        text.push(END);
        out.question_ends.push(text.len() as u32);
        out.questions.push(LocalQuestion {
            id_hash: print64(id.as_bytes()),
            text_hash,
            split: 0,
            topic: 0,
            key_date: 0,
            offset: 0,
            len: 0,
            line: out.lines,
        });
        out.questions.len() - 1
    }
}

/// A hash of a folded text; 0 for no text.
fn text_hash(folded: &[u8]) -> u32 {
    if folded.is_empty() { 0 } else { print(folded).max(1) }
}

/// The hash of a question's text, as [`super::QuestionRow`] keeps it.
pub(super) fn text_hash_of(question: &str) -> u32 {
    let mut folded = Vec::new();
    fold_untrusted(question, TEXT_KEPT, &mut folded);
    text_hash(&folded)
}
