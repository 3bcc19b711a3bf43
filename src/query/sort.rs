//! The order of rows: several keys, missing values last whichever way a key runs, file order where all are equal.

use std::sync::atomic::AtomicBool;

use crate::record::{Condition, Scorer, Transition};
use crate::store::dict::Dict;
use crate::store::table::PART;
use crate::store::{NO, PairRow, Table};

use super::columns::{dict, name_numbers, number, transition};
use super::error::{ParseError, did_you_mean, nearest};
use super::fields::{Base, Field};
use super::form::form;
use super::radix::sort_by_keys;
use super::spread::{Cancelled, check};

/// What rows can be sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is described in SORT_FIELDS")]
pub enum SortField {
    Order,
    Id,
    Question,
    Split,
    Topic,
    KeyDate,
    Model,
    Run,
    Attempt,
    Transition,
    Conf,
    ConfWith,
    Dconf,
    Calls,
    Latency,
    Cost,
    Tokens,
    Answer,
    AnswerWith,
}

impl SortField {
    /// The name used on the command line and in files.
    pub fn name(self) -> &'static str {
        SORT_FIELDS.iter().find(|(f, ..)| *f == self).map_or("order", |(_, name, _)| name)
    }
}

/// Every sort field with its name and help.
pub static SORT_FIELDS: &[(SortField, &str, &str)] = &[
    (SortField::Order, "order", "the order of the files"),
    (SortField::Id, "id", "the question's id"),
    (SortField::Question, "question", "the question's text"),
    (SortField::Split, "split", "the split"),
    (SortField::Topic, "topic", "the topic"),
    (SortField::KeyDate, "key_date", "the date that the answer hangs on"),
    (SortField::Model, "model", "the model"),
    (SortField::Run, "run", "the run"),
    (SortField::Attempt, "attempt", "the number of the attempt"),
    (SortField::Transition, "transition", "corrected, preserved, broken, unresolved, not searched"),
    (SortField::Conf, "conf", "confidence without search"),
    (SortField::ConfWith, "conf.with", "confidence with search"),
    (SortField::Dconf, "dconf", "confidence with search minus without"),
    (SortField::Calls, "calls", "search calls"),
    (SortField::Latency, "latency", "time of the request, with search where there is such a side"),
    (SortField::Cost, "cost", "cost, with search where there is such a side"),
    (SortField::Tokens, "tokens", "tokens, with search where there is such a side"),
    (SortField::Answer, "answer", "the answer without search"),
    (SortField::AnswerWith, "answer.with", "the answer with search"),
];

/// One key of a sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SortKey {
    /// By what.
    pub field: SortField,
    /// From the greatest down.
    pub descending: bool,
}

impl std::fmt::Display for SortKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.descending { "-" } else { "" }, self.field.name())
    }
}

/// Sort keys as they are written: `conf,-dconf`.
pub fn sort_text(keys: &[SortKey]) -> String {
    keys.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Reads sort keys: names of [`SORT_FIELDS`] with commas between, `-` before one that runs downwards.
///
/// # Errors
/// The name that is none, with those it may have been meant for.
pub fn parse_sort(text: &str) -> Result<Vec<SortKey>, ParseError> {
    let mut keys = Vec::new();
    let mut at = 0;
    for part in text.split(',') {
        let start = at + (part.len() - part.trim_start().len());
        at += part.len() + 1;
        let word = part.trim();
        if word.is_empty() && text.trim().is_empty() {
            break;
        }
        let name = word.trim_start_matches(['-', '+']).trim().to_ascii_lowercase();
        let name = match name.as_str() {
            "q" => "question",
            "t" => "transition",
            "conf.no" | "confidence" => "conf",
            "answer.no" => "answer",
            "latency.with" => "latency",
            other => other,
        };
        let Some(&(field, ..)) = SORT_FIELDS.iter().find(|(_, n, _)| *n == name) else {
            let near = nearest(name, SORT_FIELDS.iter().map(|(_, n, _)| *n));
            let all = || SORT_FIELDS.iter().map(|(_, n, _)| *n).collect::<Vec<_>>().join(", ");
            let message = if word.is_empty() {
                "a name is missing".to_owned()
            } else {
                format!("rows cannot be sorted by \"{name}\"")
            };
            let hint = did_you_mean(&near).unwrap_or_else(|| format!("there are {}", all()));
            return Err(ParseError::new(start..start + word.len(), message).hint(hint));
        };
        keys.push(SortKey { field, descending: word.starts_with('-') });
    }
    Ok(keys)
}

/// Sorts rows (numbers in [`Table::pairs`]) by the keys, the first one counting most; rows that no key tells apart
/// come in file order. Returns `false`, with the rows in any order, when `cancel` was set.
pub fn sort(table: &Table, rows: &mut [u32], keys: &[SortKey], scorer: Scorer, cancel: &AtomicBool) -> bool {
    sorted(table, rows, keys, scorer, cancel).is_ok()
}

fn sorted(
    table: &Table,
    rows: &mut [u32],
    keys: &[SortKey],
    scorer: Scorer,
    cancel: &AtomicBool,
) -> Result<(), Cancelled> {
    check(cancel)?;
    rows.sort_unstable();
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    // Each pass keeps the order of the one before, so the key that counts least goes first. Keys are always gathered
    // in file order: in any other the columns would be fetched piecemeal from memory.
    for key in keys.iter().rev() {
        let mut numbers = numbers(table, rows, key.field, scorer, cancel)?;
        if key.descending {
            for n in &mut numbers {
                *n = if *n == NO { NO } else { NO - 1 - *n };
            }
        }
        sort_by_keys(&mut order, &numbers, cancel)?;
    }
    check(cancel)?;
    let sorted: Vec<u32> = order.iter().filter_map(|&place| rows.get(place as usize).copied()).collect();
    for (row, from) in rows.iter_mut().zip(sorted) {
        *row = from;
    }
    Ok(())
}

/// A number for each row that orders as the field does; [`NO`] where the field has no value.
fn numbers(
    table: &Table,
    rows: &[u32],
    field: SortField,
    scorer: Scorer,
    cancel: &AtomicBool,
) -> Result<Vec<u32>, Cancelled> {
    let plain = |base: Base| of_numbers(table, rows, &base.into(), cancel);
    let names = |base: Base| of_names(table, rows, base, cancel);
    let question = |part: usize| {
        of_texts(rows, cancel, |row| {
            let pair = table.pairs.get(row as usize)?;
            part_of(table.question_texts.item(pair.question)?, part)
        })
    };
    let answer = |condition: Condition| {
        of_texts(rows, cancel, |row| {
            let pair = table.pairs.get(row as usize)?;
            let attempt = *pair.sides.get(condition as usize)?;
            if attempt == NO { None } else { part_of(table.attempt_texts.item(attempt)?, 0) }
        })
    };
    match field {
        SortField::Order => each(table, rows, cancel, |row, _| row),
        SortField::Id => question(0),
        SortField::Question => question(1),
        SortField::Split => names(Base::Split),
        SortField::Topic => names(Base::Topic),
        SortField::KeyDate => names(Base::KeyDate),
        SortField::Model => names(Base::Model),
        SortField::Run => names(Base::Run),
        SortField::Attempt => plain(Base::Attempt),
        SortField::Transition => each(table, rows, cancel, |_, pair| match transition(pair, scorer) {
            Transition::Unpaired | Transition::Incomplete => NO,
            t => t as u32,
        }),
        SortField::Conf => plain(Base::Conf),
        SortField::ConfWith => of_numbers(table, rows, &Field::of(Base::Conf, Condition::WithSearch), cancel),
        SortField::Dconf => plain(Base::Dconf),
        SortField::Calls => plain(Base::Calls),
        SortField::Latency => plain(Base::Latency),
        SortField::Cost => plain(Base::Cost),
        SortField::Tokens => plain(Base::Tokens),
        SortField::Answer => answer(Condition::NoSearch),
        SortField::AnswerWith => answer(Condition::WithSearch),
    }
}

/// Rows done between two looks at whether the result is still wanted.
const BATCH: usize = 1 << 14;

fn each(
    table: &Table,
    rows: &[u32],
    cancel: &AtomicBool,
    get: impl Fn(u32, &PairRow) -> u32,
) -> Result<Vec<u32>, Cancelled> {
    let mut out = Vec::with_capacity(rows.len());
    for batch in rows.chunks(BATCH) {
        check(cancel)?;
        out.extend(batch.iter().map(|&row| table.pairs.get(row as usize).map_or(NO, |pair| get(row, pair))));
    }
    Ok(out)
}

fn of_numbers(
    table: &Table,
    rows: &[u32],
    field: &Field,
    cancel: &AtomicBool,
) -> Result<Vec<u32>, Cancelled> {
    // A change of confidence lies between -1e9 and 1e9; everything else is not negative.
    let least = if field.base == Base::Dconf { -1_000_000_000 } else { 0 };
    each(table, rows, cancel, |_, pair| {
        number(table, field, pair).map_or(NO, |n| (n - least).clamp(0, i64::from(NO) - 1) as u32)
    })
}

fn of_names(table: &Table, rows: &[u32], base: Base, cancel: &AtomicBool) -> Result<Vec<u32>, Cancelled> {
    let ranks = dict(table, base).map(ranks).unwrap_or_default();
    let field = base.into();
    each(table, rows, cancel, |_, pair| {
        // The last place is the pair's own, where a field has several.
        let [a, b, c, own] = name_numbers(table, &field, pair);
        let n = [own, a, b, c].into_iter().find(|&n| n != 0).unwrap_or(0);
        ranks.get(usize::from(n)).copied().unwrap_or(NO)
    })
}

/// The place of each word of a dictionary in the order of its folded words, by number; the word that is none has no
/// place.
fn ranks(dict: &Dict) -> Vec<u32> {
    let mut words: Vec<(String, u16)> = dict.iter().map(|(n, w)| (form(w), n)).collect();
    words.sort_unstable();
    let mut out = vec![NO; dict.len() + 1];
    for (rank, (_, n)) in words.into_iter().enumerate() {
        if let Some(place) = out.get_mut(usize::from(n)) {
            *place = rank as u32;
        }
    }
    out
}

/// Ranks of texts: equal texts have equal ranks, empty ones none.
///
/// Texts are told apart eight bytes at a time: comparing whole ones would go to memory for each comparison.
fn of_texts<'a>(
    rows: &[u32],
    cancel: &AtomicBool,
    get: impl Fn(u32) -> Option<&'a [u8]>,
) -> Result<Vec<u32>, Cancelled> {
    let mut texts: Vec<&[u8]> = Vec::with_capacity(rows.len());
    for batch in rows.chunks(BATCH) {
        check(cancel)?;
        texts.extend(batch.iter().map(|&row| get(row).unwrap_or_default()));
    }
    let mut items: Vec<(u64, u32)> = Vec::with_capacity(rows.len());
    items.extend(
        texts.iter().enumerate().filter(|(_, t)| !t.is_empty()).map(|(i, t)| (word_at(t, 0), i as u32)),
    );
    let mut ends = vec![false; items.len() + 1];
    // Stretches of texts that are the same as far as they were looked at, and how far that is.
    let mut open = vec![(0..items.len(), 0)];
    while let Some((stretch, offset)) = open.pop() {
        check(cancel)?;
        let start = stretch.start;
        let Some(part) = items.get_mut(stretch) else { continue };
        part.sort_unstable();
        let mut from = 0;
        for group in part.chunk_by_mut(|a, b| a.0 == b.0) {
            let range = start + from..start + from + group.len();
            from += group.len();
            let next = offset + 8;
            let longer = |i: u32| texts.get(i as usize).is_some_and(|t| t.len() > next);
            if group.len() > 1 && group.iter().any(|&(_, i)| longer(i)) {
                for (word, i) in group {
                    *word = texts.get(*i as usize).map_or(0, |t| word_at(t, next));
                }
                open.push((range, next));
            } else if let Some(end) = ends.get_mut(range.end) {
                *end = true;
            }
        }
    }
    let mut out = vec![NO; rows.len()];
    let mut rank = 0;
    for (place, &(_, i)) in items.iter().enumerate() {
        rank += u32::from(place > 0 && ends.get(place) == Some(&true));
        if let Some(n) = out.get_mut(i as usize) {
            *n = rank;
        }
    }
    Ok(out)
}

/// Part `n` of an item's text.
fn part_of(mut item: &[u8], n: usize) -> Option<&[u8]> {
    for _ in 0..n {
        item = item.get(memchr::memchr(PART, item)? + 1..)?;
    }
    item.get(..memchr::memchr(PART, item).unwrap_or(item.len()))
}

/// Eight bytes as a number that orders as they do; a text's end counts as zero.
fn word_at(text: &[u8], offset: usize) -> u64 {
    let rest = text.get(offset..).unwrap_or_default();
    match rest.first_chunk::<8>() {
        Some(eight) => u64::from_be_bytes(*eight),
        None => rest.iter().enumerate().fold(0, |n, (i, &b)| n | u64::from(b) << (56 - 8 * i)),
    }
}
