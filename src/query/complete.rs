//! What may be written at the cursor: fields with their help, values with how often they occur.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use crate::record::{Condition, Scorer};
use crate::store::{PairRow, Table};

use super::ast::Op;
use super::columns::{dict, name_numbers, number, present};
use super::fields::{Base, FIELDS, Field, FieldInfo, Kind, SIDES, Unit};
use super::form::form;
use super::parse::{ends_word, find_field, name_len, operator};
use super::print::write_quoted;
use super::spread::spread;
use super::values::{ends_value, is_plain_value};

/// What may be written at the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Completions {
    /// The bytes that an item's text takes the place of.
    pub replace: Range<usize>,
    /// What may stand there, the likeliest first.
    pub items: Vec<Item>,
    /// Whether the counts are of the first rows only: there are at least so many.
    pub partial: bool,
}

/// One proposal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// The text to put in.
    pub text: String,
    /// What it means; may be empty.
    pub note: String,
    /// The rows that have it, when that is known.
    pub count: Option<u64>,
}

/// At most so many proposals.
const MOST: usize = 50;
/// Proposals of values for a word that names no field yet, per field.
const PER_FIELD: usize = 3;
/// Rows that are counted at most: completing is done between two keys, on the thread that draws.
const COUNTED: usize = 200_000;
/// Below this many rows counting is done on one thread.
const ROWS_WORTH_A_THREAD: usize = 1 << 16;

/// Proposals for the text at `cursor` (a byte; one inside a character counts as before it).
///
/// Counts are of the whole table under `scorer`; of a large one of its first rows, and then they are marked as such. The
/// work is one pass over those rows for each field concerned.
pub fn complete(table: &Table, text: &str, cursor: usize, scorer: Scorer) -> Completions {
    let mut cursor = cursor.min(text.len());
    while !text.is_char_boundary(cursor) {
        cursor -= 1;
    }
    let partial = table.pairs.len() > COUNTED;
    match place(text, cursor) {
        Place::Nothing => Completions { replace: cursor..cursor, items: Vec::new(), partial },
        Place::Term(replace) => {
            let typed = text.get(replace.start..cursor).unwrap_or_default();
            Completions { items: terms(table, typed, scorer), replace, partial }
        }
        Place::Value(field, op, replace) => {
            let typed = text.get(replace.start..cursor).unwrap_or_default();
            let typed = form(typed.trim_start_matches(['"', '“']));
            let mut items =
                if op == Op::Matches { Vec::new() } else { values(table, &field, &typed, scorer) };
            items.truncate(MOST);
            Completions { replace, items, partial }
        }
    }
}

// ---- where the cursor is

enum Place {
    /// In a word, or where one may begin.
    Term(Range<usize>),
    /// In a value of a field.
    Value(Field, Op, Range<usize>),
    /// In a phrase or a regular expression.
    Nothing,
}

fn place(text: &str, cursor: usize) -> Place {
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let word = rest.trim_start();
        at = text.len() - word.len();
        if at >= cursor {
            let before = text.get(..cursor).and_then(|t| t.chars().next_back());
            if before.is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | '-' | '!')) {
                // Right behind a closing quote, slash or parenthesis.
                return Place::Nothing;
            }
            // Behind the space before the next term, or at its very beginning.
            let end = if at == cursor { at + word.find(ends_word).unwrap_or(word.len()) } else { cursor };
            let opens = word.starts_with(['(', ')', '"', '“']);
            return Place::Term(cursor..if opens { cursor } else { end });
        }
        let sign = word.starts_with(['(', ')']) || (word.starts_with(['-', '!']) && word.len() > 1);
        if sign {
            at += 1;
            continue;
        }
        if word.starts_with(['"', '“']) || word.starts_with("~/") {
            let end = at + quoted_len(word);
            if cursor < end || !closed(word) {
                return Place::Nothing;
            }
            at = end;
            continue;
        }
        let name = word.get(..name_len(word)).unwrap_or_default();
        let after = word.get(name.len()..).unwrap_or_default();
        let field = find_field(name);
        let gap = if field.is_some() { after.len() - after.trim_start().len() } else { 0 };
        let sign = operator(after.get(gap..).unwrap_or_default()).filter(|&(op, len)| {
            !name.is_empty() && !after.starts_with("://") && (gap == 0 || op != Op::Has) && {
                at + name.len() + gap + len <= cursor
            }
        });
        let Some((op, len)) = sign else {
            let end = at + word.find(ends_word).unwrap_or(word.len()).max(1);
            if cursor <= end {
                return Place::Term(at..end);
            }
            at = end;
            continue;
        };
        at += name.len() + gap + len;
        if let Some(range) = value_place(text, &mut at, cursor) {
            return field.map_or(Place::Nothing, |field| Place::Value(field, op, range));
        }
    }
}

/// The value that the cursor is in, of the list that begins at `at`; else `at` is put behind the list.
fn value_place(text: &str, at: &mut usize, cursor: usize) -> Option<Range<usize>> {
    loop {
        let rest = text.get(*at..).unwrap_or_default();
        let value = rest.trim_start();
        let start = text.len() - value.len();
        if start > cursor {
            return Some(cursor..cursor);
        }
        let quoted = value.starts_with(['"', '“']) || value.starts_with('/');
        let len = if quoted { quoted_len(value) } else { value.find(ends_value).unwrap_or(value.len()) };
        let end = start + len;
        if cursor <= end && !(quoted && cursor == end && closed(value)) {
            return Some(start..end);
        }
        let tail = text.get(end..).unwrap_or_default();
        let gap = tail.len() - tail.trim_start().len();
        if tail.trim_start().starts_with(',') && end + gap < cursor {
            *at = end + gap + 1;
        } else {
            *at = end;
            return None;
        }
    }
}

/// The length of the quoted text or regular expression that `text` begins with, up to its end or that of the text.
fn quoted_len(text: &str) -> usize {
    quoted_end(text).unwrap_or(text.len())
}

fn closed(text: &str) -> bool {
    quoted_end(text).is_some()
}

fn quoted_end(text: &str) -> Option<usize> {
    let open = text.find(['"', '“', '/'])?;
    let close = match text.get(open..)?.chars().next()? {
        '“' => '”',
        c => c,
    };
    let mut escaped = false;
    text.char_indices().skip_while(|&(at, _)| at <= open).find_map(|(at, c)| {
        let ends = c == close && !escaped;
        escaped = c == '\\' && !escaped;
        ends.then_some(at + c.len_utf8())
    })
}

// ---- terms

fn terms(table: &Table, typed: &str, scorer: Scorer) -> Vec<Item> {
    let lower = typed.to_ascii_lowercase();
    let mut items = Vec::new();
    for info in FIELDS {
        let begins = info.name.starts_with(&lower) || info.also.iter().any(|a| a.starts_with(&lower));
        if begins {
            let tail = if info.base == Base::Meta { "." } else { ":" };
            items.push(Item { text: format!("{}{tail}", info.name), note: info.help.into(), count: None });
        }
        // The sides are offered once the name is there, so that they do not crowd the list.
        if info.sides && lower.starts_with(info.name) {
            for (suffix, condition) in SIDES {
                let name = format!("{}.{suffix}", info.name);
                if name.starts_with(&lower) {
                    items.push(Item {
                        text: format!("{name}:"),
                        note: side_help(info, condition),
                        count: None,
                    });
                }
            }
        }
    }
    let form = form(typed);
    if form.chars().count() >= 2 {
        for info in FIELDS {
            let wanted = match info.kind {
                Kind::Name => !matches!(info.base, Base::Error),
                Kind::Choice(_) => {
                    matches!(info.base, Base::Transition | Base::Outcome | Base::Condition | Base::Verdict)
                }
                _ => false,
            };
            if wanted {
                let found = values(table, &info.base.into(), &form, scorer);
                items.extend(
                    found
                        .into_iter()
                        .filter(|i| i.text != "none")
                        .take(PER_FIELD)
                        .map(|item| Item { text: format!("{}:{}", info.name, item.text), ..item }),
                );
            }
        }
    }
    items.truncate(MOST);
    items
}

fn side_help(info: &FieldInfo, condition: Condition) -> String {
    let side = match condition {
        Condition::NoSearch => "without search",
        Condition::WithSearch => "with search",
        Condition::EvidenceBlocked => "with the evidence blocked",
    };
    format!("{} of the attempt {side}", info.name)
}

// ---- values

/// The values of a field that `typed` (folded) is part of, those that begin with it first, then by count.
fn values(table: &Table, field: &Field, typed: &str, scorer: Scorer) -> Vec<Item> {
    match field.kind() {
        Kind::Choice(words) => {
            let typed = typed.replace([' ', '-'], "_");
            let fits: Vec<bool> = words.iter().map(|w| w.contains(&typed)).collect();
            if !fits.contains(&true) {
                return Vec::new();
            }
            let counts = count(table, words.len(), |row, pair, counts| {
                let here = present(table, field, row, pair, scorer);
                for (bit, n) in counts.iter_mut().enumerate() {
                    *n += u64::from(here >> bit & 1);
                }
            });
            // The field's own order says more than the counts.
            let mut items: Vec<(bool, Item)> = words
                .iter()
                .zip(counts)
                .zip(fits)
                .filter(|(_, fits)| *fits)
                .map(|((w, n), _)| {
                    (
                        !w.starts_with(&typed),
                        Item { text: (*w).into(), note: String::new(), count: said(table, n) },
                    )
                })
                .collect();
            items.sort_by_key(|(inside, _)| *inside);
            items.into_iter().map(|(_, item)| item).collect()
        }
        Kind::Name | Kind::Date => names(table, field, typed),
        Kind::Number(Unit::Count) if matches!(field.base, Base::Calls | Base::Attempt) => {
            small_numbers(table, field, typed)
        }
        _ => Vec::new(),
    }
}

fn names(table: &Table, field: &Field, typed: &str) -> Vec<Item> {
    let Some(dict) = dict(table, field.base) else { return Vec::new() };
    let fits: Vec<(u16, &str, bool)> = dict
        .iter()
        .filter_map(|(n, word)| {
            let form = form(word);
            form.contains(typed).then(|| (n, word, !form.starts_with(typed)))
        })
        .collect();
    let none = "none".starts_with(typed);
    if fits.is_empty() && !none {
        return Vec::new();
    }
    let counts = count(table, dict.len() + 1, |_, pair, counts| {
        let here = name_numbers(table, field, pair);
        if here == [0; 4]
            && let Some(n) = counts.first_mut()
        {
            *n += 1;
        }
        for (at, &n) in here.iter().enumerate() {
            let again = here.iter().take(at).any(|&m| m == n);
            if n != 0
                && !again
                && let Some(count) = counts.get_mut(usize::from(n))
            {
                *count += 1;
            }
        }
    });
    let of = |n: u16| counts.get(usize::from(n)).copied().unwrap_or(0);
    let mut found: Vec<(bool, std::cmp::Reverse<u64>, &str)> =
        fits.iter().map(|&(n, word, inside)| (inside, std::cmp::Reverse(of(n)), word)).collect();
    // A name that the first rows lack may well be in the others.
    found.retain(|(_, n, _)| said(table, n.0) != Some(0));
    found.sort_unstable();
    let mut items: Vec<Item> = found
        .into_iter()
        .map(|(_, n, word)| Item { text: written(word), note: String::new(), count: said(table, n.0) })
        .collect();
    if none && of(0) > 0 {
        items.push(Item { text: "none".into(), note: "has no value".into(), count: Some(of(0)) });
    }
    items
}

/// Numbers from 0 that are few: calls, attempts.
fn small_numbers(table: &Table, field: &Field, typed: &str) -> Vec<Item> {
    const KINDS: usize = 16;
    let counts = count(table, KINDS, |_, pair, counts| {
        let at = number(table, field, pair).and_then(|n| usize::try_from(n).ok());
        if let Some(n) = at.and_then(|n| counts.get_mut(n)) {
            *n += 1;
        }
    });
    let seen = counts.into_iter().enumerate().filter(|&(_, n)| n > 0);
    seen.map(|(value, n)| Item { text: value.to_string(), note: String::new(), count: Some(n) })
        .filter(|item| item.text.starts_with(typed))
        .collect()
}

/// A value as it is written.
fn written(word: &str) -> String {
    if is_plain_value(word) {
        return word.to_owned();
    }
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_quoted(word, &mut out);
    out
}

/// A count as it may be said: that the first rows of many have none says nothing.
fn said(table: &Table, n: u64) -> Option<u64> {
    (n > 0 || table.pairs.len() <= COUNTED).then_some(n)
}

/// Counts over the rows, at most [`COUNTED`] of them.
fn count(table: &Table, kinds: usize, add: impl Fn(u32, &PairRow, &mut [u64]) + Sync) -> Vec<u64> {
    let threads = if table.pairs.len() < ROWS_WORTH_A_THREAD { 1 } else { 2 };
    let mut left = COUNTED;
    let chunks: Vec<(u32, &[PairRow])> = table
        .pairs
        .chunks()
        .map_while(|(first, rows)| {
            let taken = rows.get(..left.min(rows.len())).filter(|taken| !taken.is_empty())?;
            left -= taken.len();
            Some((first as u32, taken))
        })
        .collect();
    let never = AtomicBool::new(false);
    let counted = spread(
        threads,
        chunks,
        &never,
        || vec![0; kinds],
        |counts: &mut Vec<u64>, (first, rows)| {
            for (row, pair) in (first..).zip(rows) {
                add(row, pair, counts);
            }
        },
    );
    let mut out = vec![0; kinds];
    for part in counted.unwrap_or_default() {
        for (sum, n) in out.iter_mut().zip(part) {
            *sum += n;
        }
    }
    out
}
