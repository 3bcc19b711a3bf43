//! Leaves that look at the folded texts: words, ids, questions, references, answers, queries.

use std::collections::HashSet;
use std::ops::Range;

use memchr::memmem::Finder;
use regex::bytes::Regex;

use crate::record::Condition;
use crate::store::table::{MEMBER, PART};
use crate::store::{NO, PairRow, TextBlock, Texts};

use super::ast::{Op, Pattern, Test, Value};
use super::bits::Bits;
use super::eval::{Context, Found};
use super::fields::Base;
use super::form::form;
use super::spread::spread;

/// A piece of text for one thread.
const PIECE_BYTES: usize = 512 << 10;

/// Which texts are looked at: parts of a question's, parts of an attempt's, one bit a part.
#[derive(Clone, Copy, Default)]
struct Places {
    question: u8,
    attempt: u8,
    /// A text that is the whole of a question's id counts too.
    whole_id: bool,
    /// Only attempts of this condition.
    side: Option<Condition>,
}

const ID: u8 = 1;
const QUESTION: u8 = 2;
const REFS: u8 = 4;
const ANSWER: u8 = 1;
const QUERIES: u8 = 2;

impl Places {
    /// Where words are looked for.
    const WORDS: Self =
        Self { question: QUESTION | REFS, attempt: ANSWER | QUERIES, whole_id: true, side: None };

    fn of(test: &Test) -> Self {
        let (question, attempt) = match test.field.base {
            Base::Id => (ID, 0),
            Base::Question => (QUESTION, 0),
            Base::Ref => (REFS, 0),
            Base::Answer => (0, ANSWER),
            Base::Query => (0, QUERIES),
            _ => (0, 0),
        };
        Self { question, attempt, whole_id: false, side: test.field.side }
    }
}

/// What is looked for in a text.
enum Sought {
    /// Anything at all.
    Any,
    /// A substring.
    Part(Finder<'static>),
    /// A whole member: a reference, a query, or a part that has no members.
    Whole(Finder<'static>),
    Regex(Regex),
    /// One of many whole members.
    OneOf(HashSet<Vec<u8>>),
}

/// From so many values on, one pass for all of them is quicker than one for each.
const MANY: usize = 4;

impl Sought {
    /// What a test looks for, of which any will do.
    fn all_of(test: &Test) -> Vec<Self> {
        let texts: Vec<String> = test
            .values
            .iter()
            .filter_map(|v| if let Value::Text(text) = v { Some(form(text)) } else { None })
            .collect();
        if texts.len() < MANY || texts.iter().any(String::is_empty) {
            return test.values.iter().filter_map(|v| Self::of(test.op, v)).collect();
        }
        if test.op == Op::Has {
            let any: Vec<String> = texts.iter().map(|t| regex::escape(t)).collect();
            return match Regex::new(&any.join("|")) {
                Ok(regex) => vec![Self::Regex(regex)],
                Err(_) => texts.iter().map(|text| Self::part(text)).collect(),
            };
        }
        vec![Self::OneOf(texts.into_iter().map(String::into_bytes).collect())]
    }

    fn of(op: Op, value: &Value) -> Option<Self> {
        match value {
            Value::Text(text) if op == Op::Has => Some(Self::part(text)),
            Value::Text(text) => Self::whole(text),
            Value::Pattern(pattern) => pattern.folded().ok().map(Self::Regex),
            _ => None,
        }
    }

    fn part(text: &str) -> Self {
        let text = form(text);
        if text.is_empty() { Self::Any } else { Self::Part(Finder::new(text.as_bytes()).into_owned()) }
    }

    fn whole(text: &str) -> Option<Self> {
        let text = form(text);
        (!text.is_empty()).then(|| Self::Whole(Finder::new(text.as_bytes()).into_owned()))
    }

    /// Whether an item's text has it in one of the `parts`; `hit` is where the needle is first met, if that is known.
    fn is_in(&self, item: &[u8], hit: Option<usize>, parts: u8, whole_id: bool) -> bool {
        match self {
            Self::Any => pieces(item, parts).any(|text| !text.is_empty()),
            Self::OneOf(texts) => pieces(item, parts).any(|text| texts.contains(text)),
            Self::Regex(regex) => pieces(item, parts).any(|text| !text.is_empty() && regex.is_match(text)),
            Self::Part(finder) => {
                let len = finder.needle().len();
                let fits = |at: usize| {
                    parts >> part_at(item, at) & 1 != 0
                        || (whole_id && at == 0 && item.get(len).is_none_or(|&b| b == PART))
                };
                // A hit that is known need not be looked for again: where hits are dense, that is half of the work.
                hit.is_some_and(fits) || finds(finder, item, hit.map_or(0, |at| at + 1)).any(fits)
            }
            Self::Whole(finder) => {
                let len = finder.needle().len();
                finds(finder, item, hit.unwrap_or(0)).any(|at| {
                    let edge = |b: Option<&u8>| b.is_none_or(|&b| b == PART || b == MEMBER);
                    edge(at.checked_sub(1).and_then(|before| item.get(before)))
                        && edge(item.get(at + len))
                        && parts >> part_at(item, at) & 1 != 0
                })
            }
        }
    }
}

/// Every place from `from` on where the needle begins, overlapping ones too.
fn finds<'a>(
    finder: &'a Finder<'static>,
    item: &'a [u8],
    mut from: usize,
) -> impl Iterator<Item = usize> + 'a {
    std::iter::from_fn(move || {
        let at = from + finder.find(item.get(from..)?)?;
        from = at + 1;
        Some(at)
    })
}

/// The part that the byte at `at` is in. Parts beyond the seventh do not exist.
fn part_at(item: &[u8], at: usize) -> u32 {
    memchr::memchr_iter(PART, item.get(..at).unwrap_or_default()).count().min(7) as u32
}

/// The members of those of an item's parts that `parts` has a bit for.
fn pieces(item: &[u8], parts: u8) -> impl Iterator<Item = &[u8]> {
    cut_at(PART, item)
        .enumerate()
        .filter(move |(part, _)| *part < 8 && parts >> part & 1 != 0)
        .flat_map(|(_, text)| cut_at(MEMBER, text))
}

/// The stretches between the marks.
fn cut_at(mark: u8, text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = memchr::memchr(mark, text);
        rest = end.and_then(|end| text.get(end + 1..));
        text.get(..end.unwrap_or(text.len()))
    })
}

/// A word or phrase.
pub(super) fn word(ctx: &Context, word: &str, mask: &Bits) -> Found {
    let sought = Sought::part(word);
    // An empty phrase is in every text, and in a question without any.
    if matches!(sought, Sought::Any) { Ok(mask.clone()) } else { find(ctx, Places::WORDS, &sought, mask) }
}

/// A regular expression over the texts that words are looked for in.
pub(super) fn pattern(ctx: &Context, pattern: &Pattern, mask: &Bits) -> Found {
    match pattern.folded() {
        Ok(regex) => find(ctx, Places::WORDS, &Sought::Regex(regex), mask),
        Err(_) => Ok(Bits::none(mask.len())),
    }
}

/// A test of a field of text.
pub(super) fn test(ctx: &Context, test: &Test, mask: &Bits) -> Found {
    let places = Places::of(test);
    let mut out = Bits::none(mask.len());
    let mut left = mask.clone();
    let none = test.values.contains(&Value::None);
    for sought in Sought::all_of(test) {
        let found = find(ctx, places, &sought, &left)?;
        left.remove(&found);
        out.add(&found);
    }
    if test.op == Op::Differs {
        // There is a text, and it is none of those found.
        return find(ctx, places, &Sought::Any, &left);
    }
    if none {
        let some = find(ctx, places, &Sought::Any, &left)?;
        left.remove(&some);
        out.add(&left);
    }
    Ok(out)
}

/// The rows of `mask` in whose texts something is found.
fn find(ctx: &Context, places: Places, sought: &Sought, mask: &Bits) -> Found {
    let mut out = Bits::none(mask.len());
    let mut left = mask.clone();
    if places.question != 0 {
        if few(&left) {
            out = ctx.rows(&left, |_, pair| in_question(ctx, places, sought, pair))?;
        } else {
            for found in
                scan(ctx, &ctx.table.question_texts, places.question, places.whole_id, sought, |q, out| {
                    mark_pairs(ctx, q, out);
                })?
            {
                out.add(&found);
            }
            out.keep(&left);
        }
        left.remove(&out);
    }
    if places.attempt != 0 && !left.is_empty() {
        if few(&left) {
            out.add(&ctx.rows(&left, |_, pair| in_attempts(ctx, places, sought, pair))?);
        } else {
            for mut found in scan(ctx, &ctx.table.attempt_texts, places.attempt, false, sought, |a, out| {
                if let Some(row) = ctx.table.attempts.get(a as usize)
                    && places.side.is_none_or(|s| s == row.condition)
                {
                    out.set(row.pair);
                }
            })? {
                found.keep(&left);
                out.add(&found);
            }
        }
    }
    Ok(out)
}

/// Whether so few rows are left that looking at each is quicker than going through all texts.
fn few(left: &Bits) -> bool {
    left.count() * 8 < left.len()
}

fn in_question(ctx: &Context, places: Places, sought: &Sought, pair: &PairRow) -> bool {
    let item = ctx.table.question_texts.item(pair.question);
    item.is_some_and(|item| sought.is_in(item, None, places.question, places.whole_id))
}

fn in_attempts(ctx: &Context, places: Places, sought: &Sought, pair: &PairRow) -> bool {
    Condition::ALL.into_iter().zip(pair.sides).any(|(condition, attempt)| {
        attempt != NO
            && places.side.is_none_or(|s| s == condition)
            && ctx
                .table
                .attempt_texts
                .item(attempt)
                .is_some_and(|i| sought.is_in(i, None, places.attempt, false))
    })
}

/// Puts every pair of a question in.
pub(super) fn mark_pairs(ctx: &Context, question: u32, out: &mut Bits) {
    let mut at = ctx.table.questions.get(question as usize).map_or(NO, |q| q.first_pair);
    while at != NO {
        out.set(at);
        at = ctx.table.pairs.get(at as usize).map_or(NO, |p| p.next);
    }
}

/// Goes through all texts of a kind on all threads; `mark` is told of every item that has what is sought.
fn scan(
    ctx: &Context,
    texts: &Texts,
    parts: u8,
    whole_id: bool,
    sought: &Sought,
    mark: impl Fn(u32, &mut Bits) + Sync,
) -> Result<Vec<Bits>, super::spread::Cancelled> {
    let rows = ctx.table.pairs.len();
    spread(
        ctx.threads,
        cut(texts),
        ctx.cancel,
        || Bits::none(rows),
        |out, (block, items)| match sought {
            Sought::Part(finder) | Sought::Whole(finder) => {
                candidates(block, items, finder, |at, item, hit| {
                    if sought.is_in(item, Some(hit), parts, whole_id) {
                        mark(at, out);
                    }
                });
            }
            Sought::Any | Sought::Regex(_) | Sought::OneOf(_) => {
                for at in items {
                    let at = block.first + at as u32;
                    if block.item(at).is_some_and(|item| sought.is_in(item, None, parts, whole_id)) {
                        mark(at, out);
                    }
                }
            }
        },
    )
}

/// Texts in pieces of about [`PIECE_BYTES`], each as a range of its block's items.
fn cut(texts: &Texts) -> Vec<(&TextBlock, Range<usize>)> {
    let mut out = Vec::new();
    for block in &texts.0 {
        let items = block.ends.len();
        let pieces = block.text.len().div_ceil(PIECE_BYTES).max(1);
        let step = items.div_ceil(pieces).max(1);
        out.extend((0..items).step_by(step).map(|from| (&**block, from..(from + step).min(items))));
    }
    out
}

/// Calls `each` once for every item of a piece that has the needle somewhere, with the first place of it.
fn candidates(
    block: &TextBlock,
    items: Range<usize>,
    finder: &Finder,
    mut each: impl FnMut(u32, &[u8], usize),
) {
    let end_of = |item: usize| block.ends.get(item).map_or(0, |&e| e as usize);
    let start_of = |item: usize| item.checked_sub(1).map_or(0, end_of);
    let stop = items.end.checked_sub(1).map_or(0, end_of);
    let mut item = items.start;
    let mut at = start_of(item);
    while let Some(found) = block.text.get(at..stop).and_then(|text| finder.find(text)) {
        item = gallop(&block.ends, item, at + found);
        let (start, end) = (start_of(item), end_of(item));
        if let Some(text) = block.text.get(start..end.saturating_sub(1)) {
            each(block.first + item as u32, text, (at + found).saturating_sub(start));
        }
        // Never backwards, whatever the ends say.
        at = end.max(at + found + 1);
        item += 1;
    }
}

/// The first item from `item` on that ends behind `offset`: near when hits are dense, and never far to look for.
fn gallop(ends: &[u32], item: usize, offset: usize) -> usize {
    let mut step = 1;
    let mut low = item;
    while ends.get(low + step).is_some_and(|&e| e as usize <= offset) {
        low += step;
        step *= 2;
    }
    let window = ends.get(low..(low + step + 1).min(ends.len())).unwrap_or_default();
    low + window.partition_point(|&e| e as usize <= offset)
}
