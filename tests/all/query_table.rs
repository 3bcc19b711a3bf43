//! Small tables for the tests of filters and sorting, with their records in memory.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lookitup::query::{self, Expr, Records, Settings};
use lookitup::record::{Attempt, Condition, Question, SearchCall, State, Transition};
use lookitup::score::{Refs, scored};
use lookitup::store::cow::CowVec;
use lookitup::store::table::{END, MEMBER, PART};
use lookitup::store::{AttemptRow, NO, Names, PairRow, QuestionRow, Table, TextBlock, Texts};
use lookitup::text;

/// Records and the table made from them.
#[derive(Debug)]
pub(crate) struct Data {
    pub(crate) questions: Vec<Question>,
    pub(crate) attempts: Vec<Attempt>,
    /// The stored lines of the attempts.
    pub(crate) lines: Vec<String>,
    pub(crate) table: Table,
}

/// Texts in blocks of a few items, so that there is more than one.
#[derive(Default)]
struct Blocks(Vec<TextBlock>, u32);

impl Blocks {
    fn push(&mut self, parts: &[Vec<&str>]) {
        if self.1.is_multiple_of(7) {
            self.0.push(TextBlock { first: self.1, ..TextBlock::default() });
        }
        let block = self.0.last_mut().unwrap();
        for (i, members) in parts.iter().enumerate() {
            if i > 0 {
                block.text.push(PART);
            }
            for (j, member) in members.iter().enumerate() {
                if j > 0 {
                    block.text.push(MEMBER);
                }
                text::fold(member, &mut block.text);
            }
        }
        block.text.push(END);
        block.ends.push(block.text.len() as u32);
        self.1 += 1;
    }

    fn done(self) -> Texts {
        Texts(self.0.into_iter().map(Arc::new).collect())
    }
}

impl Data {
    /// A table of questions and attempts; `write` makes an attempt's stored line.
    pub(crate) fn new(
        questions: Vec<Question>,
        attempts: Vec<Attempt>,
        write: impl Fn(&Attempt) -> String,
    ) -> Self {
        let mut names = Names::default();
        let mut rows = Vec::new();
        let mut question_texts = Blocks::default();
        for q in &questions {
            rows.push(QuestionRow {
                offset: 0,
                len: 1,
                file: 0,
                split: names.splits.intern(q.split.as_deref().unwrap_or_default()),
                topic: names.topics.intern(q.topic.as_deref().unwrap_or_default()),
                key_date: names.key_dates.intern(q.key_date.as_deref().unwrap_or_default()),
                first_pair: NO,
                text_hash: 0,
            });
            let refs = q.references.iter().map(String::as_str).collect();
            question_texts.push(&[vec![&q.id], vec![&q.question], refs]);
        }
        let mut attempt_rows = Vec::new();
        let mut attempt_texts = Blocks::default();
        let mut pairs: Vec<PairRow> = Vec::new();
        let mut known: HashMap<(u32, u16, u16), u32> = HashMap::new();
        for a in &attempts {
            let question = questions.iter().position(|q| q.id == a.question_id).unwrap() as u32;
            let model = names.models.intern(&a.model);
            let run = names.runs.intern(a.run_id.as_deref().unwrap_or_default());
            let pair = *known.entry((question, model, a.attempt as u16)).or_insert_with(|| {
                let first = &mut rows[question as usize].first_pair;
                pairs.push(PairRow {
                    question,
                    sides: [NO; 3],
                    next: *first,
                    model,
                    run,
                    attempt: a.attempt as u16,
                    transitions: [Transition::Unpaired; 4],
                });
                *first = pairs.len() as u32 - 1;
                *first
            });
            pairs[pair as usize].sides[a.condition as usize] = attempt_rows.len() as u32;
            let refs = Refs::new(&questions[question as usize].references);
            attempt_rows.push(AttemptRow {
                offset: 0,
                len: 0,
                print: 0,
                pair,
                confidence: AttemptRow::pack_confidence(a.confidence),
                latency_ms: a.latency_ms.map_or(NO, |ms| ms as u32),
                cost: AttemptRow::pack_cost(a.cost_usd),
                tokens: a.usage.total().map_or(NO, |n| n as u32),
                file: 0,
                model,
                run,
                attempt: a.attempt as u16,
                provider: names.providers.intern(a.provider.as_deref().unwrap_or_default()),
                source: names.sources.intern(a.source.as_deref().unwrap_or_default()),
                stop: names.stops.intern(a.stop.as_deref().unwrap_or_default()),
                error: names.errors.intern(a.error.as_ref().map_or("", |e| e.kind.as_str())),
                split: names.splits.intern(a.split.as_deref().unwrap_or_default()),
                condition: a.condition,
                state: State::of_attempt(a),
                scored: scored(a.answer.as_deref(), &refs, a.correct),
                calls: a.calls() as u8,
                opened: 0,
            });
            let answer = a.answer.as_deref().unwrap_or_default();
            let queries = a.search_calls.iter().flat_map(SearchCall::all_queries).collect();
            attempt_texts.push(&[vec![answer], queries]);
        }
        let mut table = Table {
            names: Arc::new(names),
            attempts: attempt_rows.into_iter().collect(),
            attempt_texts: attempt_texts.done(),
            questions: rows.into_iter().collect(),
            question_texts: question_texts.done(),
            pairs: CowVec::default(),
            ..Table::default()
        };
        for pair in &mut pairs {
            pair.transitions = lookitup::record::Scorer::ALL.map(|s| table.transition(pair, s));
        }
        table.pairs = pairs.into_iter().collect();
        let lines = attempts.iter().map(write).collect();
        Self { questions, attempts, lines, table }
    }

    /// The rows that a filter, given as text, lets through.
    pub(crate) fn rows(&self, filter: &str) -> Vec<u32> {
        self.run(&query::parse(filter).unwrap_or_else(|e| panic!("{filter}: {e}")))
    }

    pub(crate) fn run(&self, filter: &Expr) -> Vec<u32> {
        self.run_with(filter, Settings::default())
    }

    /// Runs a filter, and checks what it told on the way.
    pub(crate) fn run_with(&self, filter: &Expr, settings: Settings) -> Vec<u32> {
        let mut told = Vec::new();
        let mut calls = 0;
        let rows = query::run(&self.table, self, filter, &settings, &AtomicBool::new(false), &mut |rows| {
            assert!(rows.is_sorted());
            told.extend_from_slice(rows);
            calls += 1;
        });
        let rows = rows.unwrap();
        assert!(rows.is_sorted());
        if calls > 0 {
            told.sort_unstable();
            assert_eq!(told, rows, "partial results of {filter}");
        }
        rows
    }

    /// The attempts of a pair that are there.
    pub(crate) fn sides(&self, row: u32) -> Vec<&Attempt> {
        let pair = self.table.pairs.get(row as usize).unwrap();
        pair.sides.iter().filter(|&&a| a != NO).map(|&a| &self.attempts[a as usize]).collect()
    }

    pub(crate) fn side(&self, row: u32, condition: Condition) -> Option<&Attempt> {
        self.sides(row).into_iter().find(|a| a.condition == condition)
    }

    pub(crate) fn question_of(&self, row: u32) -> &Question {
        &self.questions[self.table.pairs.get(row as usize).unwrap().question as usize]
    }
}

impl Records for Data {
    fn attempt(&self, _: &Table, attempt: u32) -> Option<Arc<Attempt>> {
        Some(Arc::new(self.attempts.get(attempt as usize)?.clone()))
    }

    fn question(&self, _: &Table, question: u32) -> Option<Arc<Question>> {
        Some(Arc::new(self.questions.get(question as usize)?.clone()))
    }

    fn raw_line(&self, _: &Table, attempt: u32) -> Option<String> {
        self.lines.get(attempt as usize).cloned()
    }

    fn scan(
        &self,
        _: &Table,
        pattern: &regex::bytes::Regex,
        cancel: &AtomicBool,
        hits: &mut dyn FnMut(&[u32]),
    ) -> bool {
        let found: Vec<u32> = (0..self.lines.len() as u32)
            .filter(|&i| pattern.is_match(self.lines[i as usize].as_bytes()))
            .collect();
        for batch in found.chunks(5) {
            if cancel.load(Ordering::Relaxed) {
                return false;
            }
            hits(batch);
        }
        true
    }
}

/// Writes a record as JSON, every character beyond ASCII escaped, `/` and `<` too.
pub(crate) fn escaped(a: &Attempt) -> String {
    let mut out = String::new();
    for c in serde_json::to_string(a).unwrap().chars() {
        match c {
            '/' => out.push_str("\\/"),
            '<' => out.push_str("\\u003c"),
            c if c.is_ascii() => out.push(c),
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04X}").unwrap();
                }
            }
        }
    }
    out
}

pub(crate) fn plain(a: &Attempt) -> String {
    serde_json::to_string(a).unwrap()
}

/// The attempts of a JSONL file, with a question for each id that they name.
pub(crate) fn from_file(path: &std::path::Path) -> Data {
    let text = std::fs::read_to_string(path).unwrap();
    let attempts: Vec<Attempt> =
        text.lines().filter(|l| !l.trim().is_empty()).map(|l| serde_json::from_str(l).unwrap()).collect();
    let mut questions: Vec<Question> = Vec::new();
    let mut seen = HashSet::new();
    for a in &attempts {
        if seen.insert(a.question_id.clone()) {
            questions.push(Question {
                id: a.question_id.clone(),
                split: a.split.clone(),
                question: a.question.clone().unwrap_or_default(),
                references: a.references.clone().unwrap_or_default(),
                ..Question::default()
            });
        }
    }
    Data::new(questions, attempts, plain)
}
