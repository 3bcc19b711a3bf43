//! Leaves that need the short columns alone: numbers, words of a field, names, dates.

use std::cmp::Ordering;

use crate::record::{Condition, Group, Scorer, Transition, Verdict};
use crate::store::dict::Dict;
use crate::store::{AttemptRow, NO, PairRow, Table};

use super::ast::{Op, Test, Value};
use super::bits::Bits;
use super::dates::Date;
use super::eval::{Context, Found};
use super::fields::{Base, Field, Kind, Unit};
use super::form::form;
use crate::text::sanitize;

/// The rows of `mask` that pass a test of numbers, words of a field, names or dates.
pub(super) fn test(ctx: &Context, test: &Test, mask: &Bits) -> Found {
    match test.field.kind() {
        Kind::Number(unit) => numbers(ctx, test, unit, mask),
        Kind::Choice(_) => choices(ctx, test, mask),
        _ => names(ctx, test, mask),
    }
}

// ---- numbers

/// What a number must be: in one of the intervals (both ends in), in the column's own integer unit.
struct Wanted {
    spans: Vec<(i64, i64)>,
    /// Present, and in none of them.
    outside: bool,
    /// Missing fits.
    none: bool,
}

impl Wanted {
    fn fits(&self, value: Option<i64>) -> bool {
        let Some(v) = value else { return self.none };
        self.spans.iter().any(|&(lo, hi)| lo <= v && v <= hi) != self.outside
    }
}

/// How many of the column's units make one of the field's.
const fn scale(unit: Unit) -> f64 {
    match unit {
        Unit::Share | Unit::Change => 1e9,
        Unit::Count | Unit::Millis => 1.0,
        Unit::Dollars => 1e8,
    }
}

/// The first whole unit at or above `v` and the last at or below it: the same one when `v` is whole but for the
/// rounding of decimals.
fn whole(v: f64, unit: Unit) -> (i64, i64) {
    let v = v * scale(unit);
    let near = v.round();
    if (v - near).abs() < 1e-3 { (near as i64, near as i64) } else { (v.ceil() as i64, v.floor() as i64) }
}

fn wanted(test: &Test, unit: Unit) -> Wanted {
    let mut out = Wanted { spans: Vec::new(), outside: test.op == Op::Differs, none: false };
    for value in &test.values {
        match *value {
            Value::None if test.op == Op::Differs => {}
            Value::None => out.none = true,
            Value::Number(n) => {
                let (up, down) = whole(n, unit);
                out.spans.push(match test.op {
                    Op::Less => (i64::MIN, up.saturating_sub(1)),
                    Op::AtMost => (i64::MIN, down),
                    Op::More => (down.saturating_add(1), i64::MAX),
                    Op::AtLeast => (up, i64::MAX),
                    _ => (up, down),
                });
            }
            Value::Range(from, to) => out.spans.push((
                from.map_or(i64::MIN, |n| whole(n, unit).0),
                to.map_or(i64::MAX, |n| whole(n, unit).1),
            )),
            _ => {}
        }
    }
    out
}

/// A number of an attempt, in the column's unit.
fn of_attempt(base: Base) -> fn(&AttemptRow) -> Option<i64> {
    const fn known(n: u32) -> Option<i64> {
        if n == NO { None } else { Some(n as i64) }
    }
    match base {
        Base::Conf | Base::Dconf => |a| known(a.confidence),
        Base::Latency => |a| known(a.latency_ms),
        Base::Cost => |a| known(a.cost),
        Base::Tokens => |a| known(a.tokens),
        Base::Calls => |a| Some(i64::from(a.calls)),
        _ => |_| None,
    }
}

/// The number that a field of numbers has for a pair, in the column's unit; `None` where it is missing.
pub(super) fn number(table: &Table, field: &Field, pair: &PairRow) -> Option<i64> {
    let get = of_attempt(field.base);
    let side = |c| table.side(pair, c).and_then(get);
    match (field.base, field.side) {
        (Base::Attempt, _) => Some(i64::from(pair.attempt)),
        (Base::Dconf, _) => Some(side(Condition::WithSearch)? - side(Condition::NoSearch)?),
        (_, Some(condition)) => side(condition),
        (Base::Conf, None) => side(Condition::NoSearch),
        (Base::Calls, None) => side(Condition::WithSearch),
        (_, None) => {
            const ORDER: [Condition; 3] =
                [Condition::WithSearch, Condition::NoSearch, Condition::EvidenceBlocked];
            ORDER.into_iter().find_map(|c| table.side(pair, c)).and_then(get)
        }
    }
}

fn numbers(ctx: &Context, test: &Test, unit: Unit, mask: &Bits) -> Found {
    let wanted = wanted(test, unit);
    let field = &test.field;
    ctx.rows(mask, |_, pair| wanted.fits(number(ctx.table, field, pair)))
}

// ---- words of a field

/// The words that a field has for a pair, one bit each.
pub(super) fn present(table: &Table, field: &Field, row: u32, pair: &PairRow, scorer: Scorer) -> u32 {
    let sides = || {
        let asked = move |c: &Condition| field.side.is_none_or(|s| s == *c);
        Condition::ALL.into_iter().filter(asked).filter_map(|c| table.side(pair, c))
    };
    let yes_no = |yes: bool, known: bool| match (yes, known) {
        (true, _) => 1,
        (false, true) => 2,
        (false, false) => 0,
    };
    match field.base {
        Base::Review => super::marks::review(table, row),
        Base::Transition => 1 << transition(pair, scorer) as u32,
        Base::Outcome => {
            let t = transition(pair, scorer);
            let group = match t.group() {
                Some(Group::Harmful) => 1,
                Some(Group::Beneficial) => 2,
                None => 0,
            };
            group | if matches!(t, Transition::Corrected | Transition::Broken) { 4 } else { 0 }
        }
        Base::Condition => sides().fold(0, |all, a| all | 1 << a.condition as u32),
        Base::Verdict => sides().fold(0, |all, a| all | 1 << a.verdict(scorer) as u32),
        Base::Scorer => sides()
            .filter(|a| gradable(a, scorer))
            .fold(0, |all, a| all | u32::from(a.scored & a.scored >> 4 & 0x0f)),
        Base::Near => {
            let wrong = |a: &AttemptRow| a.verdict(scorer) == Verdict::Wrong;
            yes_no(
                sides().any(|a| wrong(a) && a.scored & a.scored >> 4 & 0x0f != 0),
                sides().any(|a| a.verdict(scorer).correct().is_some()),
            )
        }
        Base::Disagrees => {
            // Against itself the recorded verdict could never differ.
            let ours = if scorer == Scorer::Recorded { Scorer::default() } else { scorer };
            let judged = |a: &&AttemptRow| {
                a.recorded().is_some() && a.scored >> (4 + ours as u8) & 1 != 0 && gradable(a, ours)
            };
            let differs = |a: &AttemptRow| a.recorded() != a.verdict(ours).correct();
            yes_no(sides().filter(judged).any(differs), sides().any(|a| judged(&a)))
        }
        _ => 0,
    }
}

/// Whether the attempt ended so that its answer counts.
fn gradable(a: &AttemptRow, scorer: Scorer) -> bool {
    matches!(a.verdict(scorer), Verdict::Right | Verdict::Wrong | Verdict::Ungraded)
}

/// The transition of a pair under a scorer.
pub(super) fn transition(pair: &PairRow, scorer: Scorer) -> Transition {
    pair.transitions.get(scorer as usize).copied().unwrap_or_default()
}

fn choices(ctx: &Context, test: &Test, mask: &Bits) -> Found {
    let (mut words, mut none) = (0_u32, false);
    for value in &test.values {
        match value {
            Value::Choice(n) => words |= 1_u32.checked_shl(u32::from(*n)).unwrap_or(0),
            Value::None => none = true,
            _ => {}
        }
    }
    let differs = test.op == Op::Differs;
    ctx.rows(mask, |row, pair| {
        let here = present(ctx.table, &test.field, row, pair, ctx.scorer);
        if differs { here != 0 && here & words == 0 } else { here & words != 0 || (none && here == 0) }
    })
}

// ---- names and dates

/// The dictionary of a field of names.
pub(super) fn dict(table: &Table, base: Base) -> Option<&Dict> {
    let names = &table.names;
    Some(match base {
        Base::Model => &names.models,
        Base::Run => &names.runs,
        Base::Provider => &names.providers,
        Base::Split => &names.splits,
        Base::Topic => &names.topics,
        Base::KeyDate => &names.key_dates,
        Base::Source => &names.sources,
        Base::Stop => &names.stops,
        Base::Error => &names.errors,
        _ => return None,
    })
}

/// The numbers of the names that a field has for a pair; 0 where there is none.
pub(super) fn name_numbers(table: &Table, field: &Field, pair: &PairRow) -> [u16; 4] {
    let question = |get: fn(&crate::store::QuestionRow) -> u16| {
        table.questions.get(pair.question as usize).map_or(0, get)
    };
    let get: fn(&AttemptRow) -> u16 = match field.base {
        Base::Model => return [pair.model, 0, 0, 0],
        Base::Split => return [table.split(pair), 0, 0, 0],
        Base::Topic => return [question(|q| q.topic), 0, 0, 0],
        Base::KeyDate => return [question(|q| q.key_date), 0, 0, 0],
        Base::Run => |a| a.run,
        Base::Provider => |a| a.provider,
        Base::Source => |a| a.source,
        Base::Stop => |a| a.stop,
        Base::Error => |a| a.error,
        _ => return [0; 4],
    };
    let own = if field.base == Base::Run && field.side.is_none() { pair.run } else { 0 };
    let [no, with, blocked] = Condition::ALL.map(|c| {
        let asked = field.side.is_none_or(|s| s == c);
        if asked { table.side(pair, c).map_or(0, get) } else { 0 }
    });
    [no, with, blocked, own]
}

/// Which words of a dictionary fit, by number; place 0 is unused.
fn fitting(dict: &Dict, kind: Kind, test: &Test) -> Vec<bool> {
    let mut fits = vec![false; dict.len() + 1];
    let tests: Vec<WordTest> = test.values.iter().filter_map(|v| WordTest::new(kind, test.op, v)).collect();
    for (n, word) in dict.iter() {
        let form = form(word);
        if let Some(fit) = fits.get_mut(usize::from(n)) {
            *fit = tests.iter().any(|t| t.fits(word, &form));
        }
    }
    fits
}

/// A test of one name or date.
pub(super) enum WordTest {
    Has(String),
    Is(String),
    /// As it is shown, to the letter.
    Exact(String),
    Matches(regex::bytes::Regex),
    Between(Option<Date>, Option<Date>),
    Ordered(Op, Date),
}

impl WordTest {
    pub(super) fn new(kind: Kind, op: Op, value: &Value) -> Option<Self> {
        Some(match value {
            Value::Text(text) if op.is_order() && kind == Kind::Date => Self::Ordered(op, Date::parse(text)?),
            Value::Text(text) if op == Op::Has => Self::Has(form(text)),
            Value::Text(text) if op == Op::Exact => Self::Exact(sanitize(text).into_owned()),
            Value::Text(text) => Self::Is(form(text)),
            Value::Pattern(pattern) => Self::Matches(pattern.folded().ok()?),
            Value::Span(from, to) => {
                // A bound that is no date (the parser refuses it) must not stand for an open one.
                let date = |end: &Option<String>| match end {
                    Some(text) => Date::parse(text).map(Some),
                    None => Some(None),
                };
                Self::Between(date(from)?, date(to)?)
            }
            _ => return None,
        })
    }

    pub(super) fn fits(&self, word: &str, form: &str) -> bool {
        let ordered = |bound: &Date, ok: fn(Ordering) -> bool| {
            Date::parse(word).is_some_and(|date| ok(date.against(bound)))
        };
        match self {
            Self::Has(text) => form.contains(text.as_str()),
            Self::Is(text) => form == text,
            Self::Exact(text) => sanitize(word) == *text,
            Self::Matches(regex) => regex.is_match(form.as_bytes()),
            Self::Between(None, None) => true,
            Self::Between(from, to) => {
                from.as_ref().is_none_or(|d| ordered(d, Ordering::is_ge))
                    && to.as_ref().is_none_or(|d| ordered(d, Ordering::is_le))
            }
            Self::Ordered(op, date) => ordered(
                date,
                match op {
                    Op::Less => Ordering::is_lt,
                    Op::AtMost => Ordering::is_le,
                    Op::More => Ordering::is_gt,
                    _ => Ordering::is_ge,
                },
            ),
        }
    }
}

/// The rows of `mask` that pass a test of names or dates.
pub(super) fn names(ctx: &Context, test: &Test, mask: &Bits) -> Found {
    let Some(dict) = dict(ctx.table, test.field.base) else { return Ok(Bits::none(mask.len())) };
    let fits = fitting(dict, test.field.kind(), test);
    let none = test.values.contains(&Value::None);
    let differs = test.op == Op::Differs;
    // A row can have a side of another run: to the letter, it is of one run all the same.
    let own = test.op == Op::Exact && test.field.base == Base::Run && test.field.side.is_none();
    ctx.rows(mask, |_, pair| {
        let here = if own { [pair.run, 0, 0, 0] } else { name_numbers(ctx.table, &test.field, pair) };
        let fit = here.iter().any(|&n| n != 0 && fits.get(usize::from(n)).copied().unwrap_or(false));
        let missing = here.iter().all(|&n| n == 0);
        if differs { !missing && !fit } else { fit || (none && missing) }
    })
}
