//! Whole records, read from their files when somebody looks at them.
//!
//! Every line read is checked against what was indexed: a file may have been cut, replaced or rewritten since, and the
//! text of another record must never appear under this one's name.

use std::sync::{Arc, Mutex, PoisonError};

use super::cache::{Cache, Item, Key};
use super::chunk::text_hash_of;
use super::formats::attempt::{attempt_of, question_of};
use super::mend;
use super::print::print;
use super::table::{AttemptRow, NO, Table};
use crate::record::{Attempt, Question};

/// Attempts of a question that are read to find its text where no question file has it.
const TRIED: usize = 64;

/// Why a record cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file was cut, replaced or rewritten since it was indexed.
    #[error("the file has changed since it was read: reload")]
    Changed,
    /// The table has no such row.
    #[error("there is no {0} in what is open")]
    Gone(&'static str),
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Io(String),
    /// The line is none of ours. Only lines that could be read are indexed, so this is a fault of the program.
    #[error("the record cannot be read: {0}")]
    Parse(String),
}

/// A row of the list with everything.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// The question.
    pub question: Arc<Question>,
    /// The attempts by condition ([`crate::record::Condition`] as a number).
    pub sides: [Option<Arc<Attempt>>; 3],
}

/// Reads records of tables. Clones share a cache of the records read last.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    cache: Arc<Mutex<Cache>>,
}

impl Reader {
    fn cached_item(&self, key: Key) -> Option<Item> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).get(key)
    }

    fn keep(&self, key: Key, item: Item, bytes: usize) {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner).put(key, item, bytes);
    }

    /// An attempt, whole.
    pub fn attempt(&self, table: &Table, attempt: u32) -> Result<Arc<Attempt>, ReadError> {
        let row = table.attempts.get(attempt as usize).ok_or(ReadError::Gone("such attempt"))?;
        let key = Key::attempt(table.generation, attempt);
        if let Some(Item::Attempt(known)) = self.cached_item(key) {
            return Ok(known);
        }
        let record = Arc::new(read_attempt(table, row)?);
        self.keep(key, Item::Attempt(Arc::clone(&record)), row.len as usize);
        Ok(record)
    }

    /// A question: from its file, else put together from its attempts.
    pub fn question(&self, table: &Table, question: u32) -> Result<Arc<Question>, ReadError> {
        let row = table.questions.get(question as usize).ok_or(ReadError::Gone("such question"))?;
        let key = Key::question(table.generation, question, row.len);
        if let Some(Item::Question(known)) = self.cached_item(key) {
            return Ok(known);
        }
        let record = Arc::new(if row.len > 0 {
            read_question(table, question)?
        } else {
            self.put_together(table, question)?
        });
        self.keep(key, Item::Question(Arc::clone(&record)), row.len.max(256) as usize);
        Ok(record)
    }

    /// A row of the list with everything.
    pub fn bundle(&self, table: &Table, pair: u32) -> Result<Bundle, ReadError> {
        let row = table.pairs.get(pair as usize).ok_or(ReadError::Gone("such row"))?;
        let question = self.question(table, row.question)?;
        let mut sides = [None, None, None];
        for (side, &at) in sides.iter_mut().zip(&row.sides) {
            if at != NO {
                *side = Some(self.attempt(table, at)?);
            }
        }
        Ok(Bundle { question, sides })
    }

    /// A row of the list with everything, if all of it was read lately. Reads no file.
    pub fn cached(&self, table: &Table, pair: u32) -> Option<Bundle> {
        let row = table.pairs.get(pair as usize)?;
        let len = table.questions.get(row.question as usize)?.len;
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let Item::Question(question) = cache.get(Key::question(table.generation, row.question, len))? else {
            return None;
        };
        let mut sides = [None, None, None];
        for (side, &at) in sides.iter_mut().zip(&row.sides) {
            if at != NO {
                let Item::Attempt(attempt) = cache.get(Key::attempt(table.generation, at))? else {
                    return None;
                };
                *side = Some(attempt);
            }
        }
        Some(Bundle { question, sides })
    }

    /// The line of an attempt as its file has it, bytes that are no UTF-8 replaced. Not sanitised.
    pub fn raw_line(&self, table: &Table, attempt: u32) -> Result<String, ReadError> {
        let row = table.attempts.get(attempt as usize).ok_or(ReadError::Gone("such attempt"))?;
        let line = read_attempt_line(table, row)?;
        Ok(String::from_utf8(line).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()))
    }

    fn put_together(&self, table: &Table, question: u32) -> Result<Question, ReadError> {
        let mut record = Question {
            id: table.question_id(question).unwrap_or_default().to_owned(),
            ..Question::default()
        };
        let row = table.questions.get(question as usize);
        let part = |n: usize| table.question_texts.part(question, n).is_some_and(|p| !p.is_empty());
        let (mut text, mut references) = (part(1), part(2));
        for at in attempts_of(table, question).take(TRIED) {
            if !text && !references && record.split.is_some() {
                break;
            }
            let attempt = self.attempt(table, at)?;
            if text && let Some(found) = &attempt.question {
                record.question.clone_from(found);
                text = false;
            }
            if references && let Some(found) = &attempt.references {
                record.references.clone_from(found);
                references = false;
            }
            record.split = record.split.or_else(|| attempt.split.clone());
        }
        if let Some(row) = row {
            let word = |n: u16, dict: &super::dict::Dict| dict.word(n).map(str::to_owned);
            record.topic = word(row.topic, &table.names.topics);
            record.key_date = word(row.key_date, &table.names.key_dates);
        }
        Ok(record)
    }
}

fn attempts_of(table: &Table, question: u32) -> impl Iterator<Item = u32> + '_ {
    let first = table.questions.get(question as usize).map_or(NO, |q| q.first_pair);
    let row = |at: u32| table.pairs.get(at as usize);
    std::iter::successors(row(first), move |p| row(p.next)).flat_map(|p| p.sides).filter(|&at| at != NO)
}

fn read_bytes(table: &Table, file: u16, offset: u64, len: u32) -> Result<Vec<u8>, ReadError> {
    let source = table.sources.get(file).ok_or(ReadError::Gone("such file"))?;
    let mut line = vec![0; len as usize];
    match source.read_at(&mut line, offset) {
        Ok(n) if n == line.len() => Ok(line),
        Ok(_) => Err(ReadError::Changed),
        Err(e) => Err(ReadError::Io(e.to_string())),
    }
}

/// The line of an attempt, if it is still the one that was indexed.
pub(super) fn read_attempt_line(table: &Table, row: &AttemptRow) -> Result<Vec<u8>, ReadError> {
    let line = read_bytes(table, row.file, row.offset, row.len)?;
    if print(&line) == row.print { Ok(line) } else { Err(ReadError::Changed) }
}

fn read_attempt(table: &Table, row: &AttemptRow) -> Result<Attempt, ReadError> {
    let line = read_attempt_line(table, row)?;
    let mended = mend::parse(&line).map_err(ReadError::Parse)?;
    // The row knows the condition, whether the file tells it or the user did.
    let (attempt, _) = attempt_of(mended.value, Some(row.condition)).map_err(ReadError::Parse)?;
    Ok(attempt)
}

fn read_question(table: &Table, question: u32) -> Result<Question, ReadError> {
    let row = table.questions.get(question as usize).ok_or(ReadError::Gone("such question"))?;
    let line = read_bytes(table, row.file, row.offset, row.len)?;
    let record = mend::parse(&line).and_then(|m| question_of(m.value)).map_err(|_| ReadError::Changed)?;
    let same = table.question_id(question) == Some(record.id.as_str())
        && text_hash_of(&record.question) == row.text_hash;
    if same { Ok(record) } else { Err(ReadError::Changed) }
}

/// The references of a question as written: from its file, else from the first of its attempts that brings some.
pub(super) fn references_of(table: &Table, question: u32) -> Vec<String> {
    let own = table.questions.get(question as usize).is_some_and(|q| q.len > 0);
    if own
        && let Ok(record) = read_question(table, question)
        && !record.references.is_empty()
    {
        return record.references;
    }
    let mut records = attempts_of(table, question)
        .filter_map(|at| read_attempt(table, table.attempts.get(at as usize)?).ok());
    records.find_map(|a| a.references).unwrap_or_default()
}
