//! Putting the pieces of files together into one table.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use hashbrown::HashTable;

use super::chunk::{LocalQuestion, Parsed};
use super::dict::Dict;
use super::grow::Growing;
use super::known::Known;
use super::pairs::{Pairs, settle};
use super::print::print64;
use super::source::Source;
use super::table::{
    END, FileInfo, NO, Names, PART, Problem, Problems, Progress, QuestionRow, Severity, Table,
};

/// A table in the making: takes pieces in the order in which they stand in their files, and can be shared at any
/// moment.
#[derive(Debug, Default)]
pub(super) struct Builder {
    pub(super) table: Table,
    question_texts: Growing,
    attempt_texts: Growing,
    by_id: HashTable<u32>,
    pairs: Pairs,
    /// Attempts that had nothing to be compared with.
    unscored: Vec<u32>,
    /// Lines read of each file.
    lines: Vec<u64>,
    /// Questions whose references were found to differ, by file.
    differing: HashSet<(u32, u16)>,
    /// Dictionaries that ran over.
    full: HashSet<&'static str>,
    /// Questions that were given rows without attempts.
    bare: u32,
}

/// Questions that room is made for in advance.
const MOST_EXPECTED: usize = 1 << 20;

/// Numbers in the table's dictionaries for the numbers of a piece.
struct Words {
    models: Vec<u16>,
    runs: Vec<u16>,
    providers: Vec<u16>,
    splits: Vec<u16>,
    topics: Vec<u16>,
    key_dates: Vec<u16>,
    sources: Vec<u16>,
    stops: Vec<u16>,
    errors: Vec<u16>,
}

fn word(words: &[u16], n: u16) -> u16 {
    words.get(usize::from(n)).copied().unwrap_or(0)
}

impl Builder {
    /// An empty table of a generation.
    pub(super) fn new(generation: u32) -> Self {
        Self { table: Table { generation, ..Table::default() }, ..Self::default() }
    }

    /// Adds a file; its number. `None` when there are too many.
    pub(super) fn add_file(&mut self, info: FileInfo, source: Arc<Source>) -> Option<u16> {
        let n = u16::try_from(self.table.files.len()).ok()?;
        Arc::make_mut(&mut self.table.files).push(info);
        Arc::make_mut(&mut self.table.sources.0).push(source);
        self.lines.push(0);
        Some(n)
    }

    /// Tells the new length of a file.
    pub(super) fn resize(&mut self, file: u16, bytes: u64) {
        if let Some(info) = Arc::make_mut(&mut self.table.files).get_mut(usize::from(file)) {
            info.bytes = bytes;
        }
    }

    /// The path of a file.
    pub(super) fn path(&self, file: u16) -> PathBuf {
        self.table.files.get(usize::from(file)).map(|f| f.path.clone()).unwrap_or_default()
    }

    /// Counts a problem.
    pub(super) fn problem(&mut self, problem: Problem) {
        Arc::make_mut(&mut self.table.problems).add(problem);
    }

    /// Forgets a problem that was none in the end.
    pub(super) fn withdraw(&mut self, problem: &Problem) {
        let problems: &mut Problems = Arc::make_mut(&mut self.table.problems);
        match problem.severity {
            Severity::Error => problems.errors = problems.errors.saturating_sub(1),
            Severity::Warning => problems.warnings = problems.warnings.saturating_sub(1),
        }
        if let Some(at) = problems.list.iter().rposition(|p| p == problem) {
            problems.list.remove(at);
        }
    }

    fn line_problem(&mut self, file: u16, line: u64, severity: Severity, message: String) {
        let problem = Problem { severity, path: self.path(file), line, entry: None, message };
        self.problem(problem);
    }

    /// Lines read of a file.
    pub(super) fn lines(&self, file: u16) -> u64 {
        self.lines.get(usize::from(file)).copied().unwrap_or(0)
    }

    /// The table as it is now.
    pub(super) fn share(&mut self, progress: Progress) -> Table {
        self.table.question_texts = self.question_texts.share();
        self.table.attempt_texts = self.attempt_texts.share();
        self.table.progress = progress;
        self.table.clone()
    }

    /// Gives every question a row when there are no attempts, so that a file of questions alone can be browsed.
    pub(super) fn add_bare_rows(&mut self) {
        while self.bare < self.table.questions.len() as u32 {
            Pairs::add_bare(&mut self.table, self.bare);
            self.bare += 1;
        }
    }

    /// Whether [`Self::add_bare_rows`] gave any.
    pub(super) fn has_bare_rows(&self) -> bool {
        self.bare > 0
    }

    /// Makes room for as many questions as there will be when `share` is the part of everything that was read so far.
    pub(super) fn make_room(&mut self, share: f64) {
        let so_far = self.by_id.len();
        let more = ((so_far as f64 / share.max(1e-6)) as usize).saturating_sub(so_far);
        let texts = &self.question_texts;
        let rehash = |&n: &u32| print64(exact_id(texts.item(n).unwrap_or_default()));
        // Growing step by step would hash every id several times.
        self.by_id.reserve(more.min(MOST_EXPECTED), rehash);
    }

    /// Takes the next piece of a file.
    pub(super) fn merge(&mut self, parsed: &Parsed, file: u16) {
        let before = self.lines(file);
        for problem in &parsed.problems {
            self.line_problem(file, before + problem.line + 1, problem.severity, problem.message.clone());
        }
        let words = self.words(&parsed.names, file);
        let questions: Vec<u32> = (parsed.questions.iter().enumerate())
            .map(|(at, local)| self.question(local, parsed.question_item(at), file, before, &words))
            .collect();
        let first = self.table.attempts.len() as u32;
        self.attempt_texts.append(&parsed.attempt_text, &parsed.attempt_ends);
        for ((at, row), line) in (first..).zip(&parsed.attempts).zip(&parsed.attempt_lines) {
            let mut row = *row;
            let question = questions.get(row.pair as usize).copied().unwrap_or(NO);
            row.pair = NO;
            row.model = word(&words.models, row.model);
            row.run = word(&words.runs, row.run);
            row.provider = word(&words.providers, row.provider);
            row.split = word(&words.splits, row.split);
            row.source = word(&words.sources, row.source);
            row.stop = word(&words.stops, row.stop);
            row.error = word(&words.errors, row.error);
            self.table.attempts.push(row);
            let number = self.pairs.place(&mut self.table, question, at);
            if number != row.attempt {
                let id = self.table_id(question);
                let message = format!(
                    "question {id}, {}, attempt {}: this run has one already; counted as attempt {number}",
                    row.condition.name(),
                    row.attempt
                );
                self.line_problem(file, before + u64::from(*line) + 1, Severity::Warning, message);
            }
        }
        self.unscored.extend(parsed.unscored.iter().map(|n| n + first));
        if let Some(lines) = self.lines.get_mut(usize::from(file)) {
            *lines += parsed.lines;
        }
    }

    fn table_id(&self, question: u32) -> String {
        shown(exact_id(self.question_texts.item(question).unwrap_or_default()))
    }

    /// Takes the references of a piece of a question file.
    pub(super) fn learn(parsed: &Parsed, known: &mut Known) {
        let own = parsed.questions.iter().enumerate().filter(|(_, q)| q.len > 0);
        for ((at, question), references) in own.zip(&parsed.references) {
            let item = parsed.question_item(at);
            let item = item.strip_suffix(&[END]).unwrap_or(item);
            known.add(&shown(exact_id(item)), question.text_hash, references);
        }
    }

    /// The number of a question, made when it is new.
    fn question(&mut self, local: &LocalQuestion, item: &[u8], file: u16, before: u64, words: &Words) -> u32 {
        let bare = item.strip_suffix(&[END]).unwrap_or(item);
        let id = exact_id(bare);
        let [mut first, mut same, mut untold] = [NO; 3];
        for &n in self.by_id.iter_hash(local.id_hash) {
            let old = self.question_texts.item(n).unwrap_or_default();
            if exact_id(old) != id {
                continue;
            }
            let hash = self.table.questions.get(n as usize).map_or(0, |q| q.text_hash);
            first = first.min(n);
            if hash == local.text_hash
                || (hash != 0 && local.text_hash != 0 && !differ(part(old, 1), part(bare, 1)))
            {
                same = same.min(n);
            } else if hash == 0 {
                untold = untold.min(n);
            }
        }
        let found = match (local.text_hash, same) {
            (0, _) => first,
            (_, NO) => untold,
            (_, same) => same,
        };
        if found != NO {
            self.meet(found, local, bare, file, before, words);
            return found;
        }
        if first != NO {
            let id = shown(id);
            let message =
                format!("question {id} has another text here than before; kept as a question of its own");
            self.line_problem(file, before + local.line + 1, Severity::Warning, message);
        }
        let n = self.question_texts.len();
        self.question_texts.push(item);
        self.table.questions.push(QuestionRow {
            offset: local.offset,
            len: local.len,
            file,
            split: word(&words.splits, local.split),
            topic: word(&words.topics, local.topic),
            key_date: word(&words.key_dates, local.key_date),
            first_pair: NO,
            text_hash: local.text_hash,
        });
        let texts = &self.question_texts;
        let rehash = |&n: &u32| print64(exact_id(texts.item(n).unwrap_or_default()));
        self.by_id.insert_unique(local.id_hash, n, rehash);
        n
    }

    /// Adds what a line says of a question that is already there.
    fn meet(&mut self, n: u32, local: &LocalQuestion, item: &[u8], file: u16, before: u64, words: &Words) {
        let line = before + local.line + 1;
        if local.len > 0
            && let Some(q) = self.table.questions.get_mut(n as usize)
        {
            if q.len > 0 && q.file == file {
                let message = format!("question {} came before in this file", shown(exact_id(item)));
                self.line_problem(file, line, Severity::Warning, message);
            } else if q.len == 0 {
                // The record is checked against this when it is read.
                q.text_hash = local.text_hash;
                (q.offset, q.len, q.file) = (local.offset, local.len, file);
                q.split = word(&words.splits, local.split);
                q.topic = word(&words.topics, local.topic);
                q.key_date = word(&words.key_dates, local.key_date);
            }
        }
        let old = self.question_texts.item(n).unwrap_or_default();
        if old == item {
            return;
        }
        let [id, text, references, exact] = parts(old);
        let [_, new_text, new_references, _] = parts(item);
        let other = !references.is_empty() && !new_references.is_empty() && references != new_references;
        // Taken with other references, too: without a text the question would take any other text for its own.
        let told = text.is_empty() && !new_text.is_empty();
        let more = told || (references.is_empty() && !new_references.is_empty());
        let mut new = Vec::new();
        if more {
            let text = if told { new_text } else { text };
            for (at, part) in [id, text, pick(references, new_references), exact].into_iter().enumerate() {
                if at < 3 || !part.is_empty() {
                    if at > 0 {
                        new.push(PART);
                    }
                    new.extend_from_slice(part);
                }
            }
            new.push(END);
        }
        if other && self.differing.insert((n, file)) {
            let id = shown(exact_id(item));
            let message = format!(
                "the references of question {id} differ from those read before; each attempt is scored by its own"
            );
            self.line_problem(file, line, Severity::Warning, message);
        }
        if !more {
            return;
        }
        self.question_texts.replace(n, new);
        if told && let Some(q) = self.table.questions.get_mut(n as usize) {
            q.text_hash = local.text_hash;
        }
    }

    fn words(&mut self, local: &Names, file: u16) -> Words {
        Words {
            models: self.dict(&local.models, |n| &n.models, |n| &mut n.models, "models", file),
            runs: self.dict(&local.runs, |n| &n.runs, |n| &mut n.runs, "runs", file),
            providers: self.dict(&local.providers, |n| &n.providers, |n| &mut n.providers, "providers", file),
            splits: self.dict(&local.splits, |n| &n.splits, |n| &mut n.splits, "splits", file),
            topics: self.dict(&local.topics, |n| &n.topics, |n| &mut n.topics, "topics", file),
            key_dates: self.dict(&local.key_dates, |n| &n.key_dates, |n| &mut n.key_dates, "key dates", file),
            sources: self.dict(&local.sources, |n| &n.sources, |n| &mut n.sources, "sources", file),
            stops: self.dict(&local.stops, |n| &n.stops, |n| &mut n.stops, "stop reasons", file),
            errors: self.dict(&local.errors, |n| &n.errors, |n| &mut n.errors, "error kinds", file),
        }
    }

    fn dict(
        &mut self,
        local: &Dict,
        get: impl Fn(&Names) -> &Dict,
        get_mut: impl Fn(&mut Names) -> &mut Dict,
        what: &'static str,
        file: u16,
    ) -> Vec<u16> {
        let mut numbers = Vec::with_capacity(local.len() + 1);
        numbers.push(0);
        for (_, word) in local.iter() {
            let known = get(&self.table.names).find(word);
            let n = known.unwrap_or_else(|| get_mut(Arc::make_mut(&mut self.table.names)).intern(word));
            if n == 0 && self.full.insert(what) {
                let message = format!("more than 65,535 different {what}: the others are shown as not given");
                self.line_problem(file, 0, Severity::Warning, message);
            }
            numbers.push(n);
        }
        numbers
    }

    /// The attempts that were never compared with references though their question has some by now.
    pub(super) fn take_rescorable(&mut self) -> Vec<u32> {
        let mut unscored = std::mem::take(&mut self.unscored);
        let (table, texts) = (&self.table, &self.question_texts);
        let has_references = |at: &u32| {
            let pair = table.attempts.get(*at as usize).and_then(|a| table.pairs.get(a.pair as usize));
            pair.and_then(|p| texts.item(p.question)).is_some_and(|item| !part(item, 2).is_empty())
        };
        let rescorable = unscored.iter().copied().filter(has_references).collect();
        unscored.retain(|at| !has_references(at));
        self.unscored = unscored;
        rescorable
    }

    /// Gives an attempt another verdict.
    pub(super) fn rescore(&mut self, at: u32, scored: u8) {
        if let Some(a) = self.table.attempts.get_mut(at as usize) {
            a.scored = scored;
            let pair = a.pair;
            settle(&mut self.table, pair);
        }
    }
}

fn parts(item: &[u8]) -> [&[u8]; 4] {
    let mut parts = item.split(|&b| b == PART);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

fn part(item: &[u8], n: usize) -> &[u8] {
    item.split(|&b| b == PART).nth(n).unwrap_or_default()
}

/// The id as written, from a question's text.
fn exact_id(item: &[u8]) -> &[u8] {
    let mut ends = memchr::memchr_iter(PART, item);
    let first = ends.next().unwrap_or(item.len());
    let exact = ends.nth(1).and_then(|third| item.get(third + 1..));
    exact.or_else(|| item.get(..first)).unwrap_or_default()
}

fn pick<'a>(old: &'a [u8], new: &'a [u8]) -> &'a [u8] {
    if old.is_empty() { new } else { old }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Whether two folded texts differ in more than punctuation and spacing.
fn differ(a: &[u8], b: &[u8]) -> bool {
    fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        text.split(|b| b.is_ascii() && !b.is_ascii_alphanumeric()).filter(|w| !w.is_empty())
    }
    a != b && !words(a).eq(words(b))
}
