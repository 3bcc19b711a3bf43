//! Leaves that read stored records: `url`, `domain`, `meta.NAME`, `text`, and the message of `error`.
//!
//! A pattern over the raw lines finds candidates, the record itself decides: so the result does not depend on whether
//! a file was scanned or only the few rows left were read.

use regex::bytes::Regex;

use crate::record::{Attempt, Condition, Question, State};
use crate::store::{AttemptRow, NO};
use crate::text::host;

use super::ast::{Op, Test, Value};
use super::bits::Bits;
use super::columns;
use super::eval::{Context, Emit, Found, told};
use super::fields::Base;
use super::lookup::{self, Sought};
use super::needle::{Needle, addresses_in_json, any_in_json, key_in_json};
use super::raw;
use super::spread::{Cancelled, check, spread};
use super::texts;

/// With fewer attempts left than one in so many, each is read; otherwise the files are scanned.
const SCAN_FROM: usize = 256;
/// Records read between two looks at whether the result is still wanted.
const BATCH: usize = 32;

/// The rows of `mask` that pass a test of stored records.
pub(super) fn test(ctx: &Context, test: &Test, mask: &Bits, emit: Emit) -> Found {
    let none = test.values.contains(&Value::None);
    if test.op == Op::Differs {
        let is = Test { op: Op::Is, ..test.clone() };
        let mut out = positive(ctx, &Leaf::any(test), mask, None)?;
        out.remove(&positive(ctx, &Leaf::new(&is), &out, None)?);
        return Ok(told(out, emit));
    }
    if none {
        let mut out = mask.clone();
        out.remove(&positive(ctx, &Leaf::any(test), mask, None)?);
        out.add(&positive(ctx, &Leaf::new(test), mask, None)?);
        return Ok(told(out, emit));
    }
    positive(ctx, &Leaf::new(test), mask, emit)
}

/// A test made ready: some value of the record must fit.
struct Leaf<'a> {
    test: &'a Test,
    sought: Vec<Sought>,
    needles: Vec<Needle>,
    any: bool,
}

impl<'a> Leaf<'a> {
    fn new(test: &'a Test) -> Self {
        let sought: Vec<Sought> = test.values.iter().filter_map(|v| Sought::new(test.op, v)).collect();
        let needles = sought.iter().filter_map(|s| Needle::new(s.part()?)).collect();
        Self { test, sought, needles, any: false }
    }

    /// There is a value.
    fn any(test: &'a Test) -> Self {
        Self { test, sought: vec![Sought::Any], needles: Vec::new(), any: true }
    }

    fn base(&self) -> Base {
        self.test.field.base
    }

    /// A pattern that every line with a fitting value matches.
    fn pattern(&self) -> Option<Regex> {
        let field = &self.test.field;
        let literals: Option<Vec<&str>> = self.sought.iter().map(Sought::literal).collect();
        match (field.base, literals) {
            // A name is in many lines, a longer text in few; but a number is written in many ways.
            (Base::Meta, Some(literals)) if literals.iter().all(|l| tells(l)) => any_in_json(literals),
            (Base::Meta, _) => key_in_json(field.name.rsplit('.').next().unwrap_or_default()),
            (_, Some(literals)) => any_in_json(literals),
            (Base::Url | Base::Domain, None) => addresses_in_json(),
            (_, None) => None,
        }
    }

    /// Whether an attempt can have a value at all.
    fn concerns(&self, row: &AttemptRow) -> bool {
        self.test.field.side.is_none_or(|s| s == row.condition)
            && (self.base() != Base::Error || row.state == State::Error || row.error != 0)
    }

    fn fits(&self, text: &str, number: Option<f64>) -> bool {
        self.sought.iter().any(|s| s.fits(text, number))
    }

    /// Whether an attempt has a fitting value. The line must match the pattern, as those that a scan finds do, though
    /// it was not scanned for: else the way in which rows were looked at could show.
    fn fits_attempt(&self, ctx: &Context, at: u32, pattern: Option<&Regex>) -> bool {
        match pattern {
            Some(pattern) => ctx.records.raw_line(ctx.table, at).is_some_and(|line| {
                pattern.is_match(line.as_bytes()) && self.fits_line(ctx, at, line.as_bytes())
            }),
            None => ctx.records.attempt(ctx.table, at).is_some_and(|a| self.fits_record(&a)),
        }
    }

    /// Whether an attempt has a fitting value, by its stored line where that is enough.
    fn fits_line(&self, ctx: &Context, at: u32, line: &[u8]) -> bool {
        let each = &mut |text: &str, number: Option<f64>| self.fits(text, number);
        let known = match self.base() {
            Base::Text if self.needles.iter().any(|n| n.is_surely_in(line)) => Some(true),
            Base::Url => raw::any_url(line, |url| each(url, None)),
            Base::Domain => raw::any_url(line, |url| host(url).is_some_and(|host| each(host, None))),
            Base::Meta => raw::meta(line, &self.test.field.name)
                .map(|map| lookup::at_path(&map, &self.test.field.name, each)),
            _ => None,
        };
        known.unwrap_or_else(|| ctx.records.attempt(ctx.table, at).is_some_and(|a| self.fits_record(&a)))
    }

    fn fits_record(&self, a: &Attempt) -> bool {
        let mut each = |text: &str, number: Option<f64>| self.fits(text, number);
        match self.base() {
            Base::Url => lookup::urls(a).any(|url| each(url, None)),
            Base::Domain => lookup::urls(a).filter_map(host).any(|host| each(host, None)),
            Base::Error => a.error.as_ref().is_some_and(|e| each(&e.kind, None) || each(&e.message, None)),
            Base::Meta => lookup::meta_of_attempt(a, &self.test.field.name, &mut each),
            Base::Text => serde_json::to_value(a).is_ok_and(|v| lookup::strings(&v, &mut each)),
            _ => false,
        }
    }

    fn fits_question(&self, q: &Question) -> bool {
        let mut each = |text: &str, number: Option<f64>| self.fits(text, number);
        match self.base() {
            Base::Meta => lookup::meta_of_question(q, &self.test.field.name, &mut each),
            Base::Text => serde_json::to_value(q).is_ok_and(|v| lookup::strings(&v, &mut each)),
            _ => false,
        }
    }
}

fn positive(ctx: &Context, leaf: &Leaf, mask: &Bits, mut emit: Emit) -> Found {
    let mut left = mask.clone();
    let mut out = Bits::none(mask.len());
    if leaf.sought.is_empty() {
        return Ok(out);
    }
    // What the columns know comes first: it is there at once.
    let known = known(ctx, leaf, mask)?;
    take(&mut left, &mut out, &known, &mut emit);
    if matches!(leaf.base(), Base::Meta | Base::Text) {
        let found = questions(ctx, leaf, &left)?;
        take(&mut left, &mut out, &found, &mut emit);
    }
    attempts(ctx, leaf, &mut left, &mut out, &mut emit)?;
    Ok(out)
}

fn take(left: &mut Bits, out: &mut Bits, found: &Bits, emit: &mut Emit) {
    left.remove(found);
    out.add(found);
    if let Some(emit) = emit
        && !found.is_empty()
    {
        emit(&found.rows());
    }
}

/// The rows that the columns alone find.
fn known(ctx: &Context, leaf: &Leaf, mask: &Bits) -> Found {
    match leaf.base() {
        Base::Error if leaf.any => ctx.rows(mask, |_, pair| {
            Condition::ALL.into_iter().filter_map(|c| ctx.table.side(pair, c)).any(|row| leaf.concerns(row))
        }),
        Base::Error => {
            let values = leaf.test.values.iter().filter(|v| **v != Value::None).cloned().collect();
            columns::names(ctx, &Test { values, ..leaf.test.clone() }, mask)
        }
        Base::Text => {
            let mut out = Bits::none(mask.len());
            for value in &leaf.test.values {
                match value {
                    Value::Text(text) if leaf.test.op == Op::Has => out.add(&texts::word(ctx, text, mask)?),
                    Value::Pattern(pattern) => out.add(&texts::pattern(ctx, pattern, mask)?),
                    _ => {}
                }
            }
            Ok(out)
        }
        _ => Ok(Bits::none(mask.len())),
    }
}

/// The rows whose question has a fitting value in its own record.
fn questions(ctx: &Context, leaf: &Leaf, left: &Bits) -> Found {
    let mut out = Bits::none(left.len());
    for (first, rows) in ctx.table.questions.chunks() {
        for (n, row) in rows.iter().enumerate() {
            // Without a line of its own a question has nothing that its attempts do not have.
            if row.len == 0 || row.first_pair == NO {
                continue;
            }
            let at = (first + n) as u32;
            let mut pair = row.first_pair;
            let mut wanted = false;
            while pair != NO && !wanted {
                wanted = left.has(pair);
                pair = ctx.table.pairs.get(pair as usize).map_or(NO, |p| p.next);
            }
            if wanted {
                check(ctx.cancel)?;
                if ctx.records.question(ctx.table, at).is_some_and(|q| leaf.fits_question(&q)) {
                    texts::mark_pairs(ctx, at, &mut out);
                }
            }
        }
    }
    out.keep(left);
    Ok(out)
}

/// Moves the rows from `left` to `out` that have an attempt with a fitting value.
fn attempts(
    ctx: &Context,
    leaf: &Leaf,
    left: &mut Bits,
    out: &mut Bits,
    emit: &mut Emit,
) -> Result<(), Cancelled> {
    let wanted = left.clone();
    let mut candidates = Vec::new();
    left.for_each(|pair| {
        if let Some(row) = ctx.table.pairs.get(pair as usize) {
            let concerned =
                |&&at: &&u32| ctx.table.attempts.get(at as usize).is_some_and(|a| leaf.concerns(a));
            candidates.extend(row.sides.iter().filter(concerned));
        }
    });
    if candidates.is_empty() {
        return Ok(());
    }
    let pattern = leaf.pattern();
    let few = candidates.len() * SCAN_FROM < ctx.table.attempts.len() + 16 * SCAN_FROM;
    let mut found = |rows: &mut Vec<u32>| {
        rows.sort_unstable();
        rows.dedup();
        rows.retain(|&row| left.has(row));
        for &row in rows.iter() {
            out.set(row);
            left.unset(row);
        }
        if let Some(emit) = emit
            && !rows.is_empty()
        {
            emit(rows);
        }
    };
    let Some(pattern) = pattern.as_ref().filter(|_| !few) else {
        for some in candidates.chunks(BATCH * 32) {
            found(&mut fitting(ctx, leaf, pattern.as_ref(), some)?);
        }
        return Ok(());
    };
    // Rows that are found while the scan goes on are looked at again; to share what is left would cost more.
    let wanted = &wanted;
    let keep = |at: u32, line: &[u8]| {
        let row = ctx.table.attempts.get(at as usize);
        row.is_some_and(|row| wanted.has(row.pair) && leaf.concerns(row)) && leaf.fits_line(ctx, at, line)
    };
    let mut hits = |attempts: &[u32]| {
        let pair = |&at: &u32| ctx.table.attempts.get(at as usize).map(|row| row.pair);
        found(&mut attempts.iter().filter_map(pair).collect());
    };
    if ctx.records.scan(ctx.table, pattern, &keep, ctx.cancel, &mut hits) { Ok(()) } else { Err(Cancelled) }
}

/// The rows of those among `attempts` that have a fitting value.
fn fitting(
    ctx: &Context,
    leaf: &Leaf,
    pattern: Option<&Regex>,
    attempts: &[u32],
) -> Result<Vec<u32>, Cancelled> {
    // Reading a record takes long enough to be worth a thread, whatever the size of the table.
    let threads = if attempts.len() > 4 * BATCH { 2 } else { 1 };
    let pieces: Vec<&[u32]> = attempts.chunks(BATCH).collect();
    let found = spread(threads, pieces, ctx.cancel, Vec::new, |rows: &mut Vec<u32>, piece| {
        for &at in piece {
            if let Some(row) = ctx.table.attempts.get(at as usize)
                && rows.last() != Some(&row.pair)
                && leaf.fits_attempt(ctx, at, pattern)
            {
                rows.push(row.pair);
            }
        }
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// Whether a literal is rare enough to look for, and no part of a number.
fn tells(literal: &str) -> bool {
    literal.len() > 3
        && !matches!(literal, "true" | "false")
        && literal.contains(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | 'e' | '+' | '-')))
}
