//! From a filter to the rows it lets through: leaf by leaf, cheap ones first, each on what is left.

use std::sync::atomic::AtomicBool;

use crate::record::Scorer;
use crate::store::{PairRow, Table};

use super::ast::{Expr, Op, Test};
use super::bits::Bits;
use super::fields::{Base, Kind};
use super::records::Records;
use super::spread::{Cancelled, check, spread};
use super::{columns, deep, marks, texts};

/// Below this many rows a second thread costs more than it saves.
const ROWS_WORTH_A_THREAD: usize = 1 << 16;

/// What every leaf needs.
pub(super) struct Context<'a> {
    pub(super) table: &'a Table,
    pub(super) records: &'a dyn Records,
    pub(super) scorer: Scorer,
    pub(super) cancel: &'a AtomicBool,
    pub(super) threads: usize,
}

pub(super) type Found = Result<Bits, Cancelled>;
/// Told of rows as soon as it is certain that they are in the result.
pub(super) type Emit<'a> = Option<&'a mut dyn FnMut(&[u32])>;

impl<'a> Context<'a> {
    pub(super) fn new(
        table: &'a Table,
        records: &'a dyn Records,
        scorer: Scorer,
        cancel: &'a AtomicBool,
    ) -> Self {
        let threads = if table.pairs.len() < ROWS_WORTH_A_THREAD {
            1
        } else {
            std::thread::available_parallelism().map_or(1, |n| n.get().min(4))
        };
        Self { table, records, scorer, cancel, threads }
    }

    /// The rows of `mask` that pass `test`.
    pub(super) fn rows(&self, mask: &Bits, test: impl Fn(u32, &PairRow) -> bool + Sync) -> Found {
        let mut out = Bits::none(mask.len());
        let mut pieces = Vec::new();
        let (mut wanted, mut found) = (mask.words(), out.words_mut());
        for (first, rows) in self.table.pairs.chunks() {
            let words = rows.len().div_ceil(64);
            let (Some((mine, more)), Some((here, rest))) =
                (wanted.split_at_checked(words), found.split_at_mut_checked(words))
            else {
                break;
            };
            (wanted, found) = (more, rest);
            pieces.push((first, rows, mine, here));
        }
        spread(
            self.threads,
            pieces,
            self.cancel,
            || (),
            |(), (first, rows, wanted, found)| {
                let blocks = rows.chunks(64).zip(wanted).zip(found);
                for (block, ((rows, &wanted), found)) in blocks.enumerate() {
                    if wanted == 0 {
                        continue;
                    }
                    let base = (first + block * 64) as u32;
                    let mut word = 0;
                    for (bit, row) in rows.iter().enumerate() {
                        if wanted >> bit & 1 != 0 {
                            word |= u64::from(test(base + bit as u32, row)) << bit;
                        }
                    }
                    *found = word;
                }
            },
        )?;
        Ok(out)
    }
}

/// How dear an expression is; from half of [`DEEP`] on it reads stored records.
fn cost(expr: &Expr) -> u32 {
    match expr {
        Expr::All => 0,
        Expr::Word(_) => 10,
        Expr::Pattern(_) => 60,
        Expr::Not(e) => cost(e),
        Expr::And(all) | Expr::Or(all) => all.iter().map(cost).fold(0, u32::saturating_add),
        Expr::Test(Test { field, op, .. }) => match (field.base, field.kind()) {
            (Base::Url | Base::Domain | Base::Text, _) | (_, Kind::Meta) => DEEP,
            (Base::Error, _) => DEEP / 2,
            (_, Kind::Text) if *op == Op::Matches => 40,
            (_, Kind::Text) => 8,
            (_, Kind::Name | Kind::Date) => 3,
            (_, Kind::Number(_)) => 2,
            (_, Kind::Choice(_)) => 1,
        },
    }
}

const DEEP: u32 = 1_000_000;

/// Whether an expression reads stored records, and so may take long.
pub(super) fn is_deep(expr: &Expr) -> bool {
    cost(expr) >= DEEP / 2
}

/// The rows of `mask` that `expr` lets through. With `emit`, each of them is told exactly once.
pub(super) fn eval(ctx: &Context, expr: &Expr, mask: &Bits, emit: Emit) -> Found {
    check(ctx.cancel)?;
    match expr {
        Expr::And(all) => and(ctx, all, mask, emit),
        Expr::Or(any) => or(ctx, any, mask, emit),
        Expr::Not(inner) => {
            let mut out = mask.clone();
            out.remove(&eval(ctx, inner, mask, None)?);
            Ok(told(out, emit))
        }
        Expr::All => Ok(told(mask.clone(), emit)),
        Expr::Word(word) => Ok(told(texts::word(ctx, word, mask)?, emit)),
        Expr::Pattern(pattern) => Ok(told(texts::pattern(ctx, pattern, mask)?, emit)),
        Expr::Test(test) => match (test.field.base, test.field.kind()) {
            (Base::Url | Base::Domain | Base::Text | Base::Error, _) | (_, Kind::Meta) => {
                deep::test(ctx, test, mask, emit)
            }
            (Base::Code | Base::Primary | Base::Note, _) => Ok(told(marks::test(ctx, test, mask)?, emit)),
            (_, Kind::Text) => Ok(told(texts::test(ctx, test, mask)?, emit)),
            _ => Ok(told(columns::test(ctx, test, mask)?, emit)),
        },
    }
}

pub(super) fn told(rows: Bits, emit: Emit) -> Bits {
    if let Some(emit) = emit
        && !rows.is_empty()
    {
        emit(&rows.rows());
    }
    rows
}

fn by_cost(list: &[Expr]) -> Vec<&Expr> {
    let mut list: Vec<&Expr> = list.iter().collect();
    list.sort_by_key(|e| cost(e));
    list
}

fn and(ctx: &Context, all: &[Expr], mask: &Bits, mut emit: Emit) -> Found {
    let mut left = mask.clone();
    let all = by_cost(all);
    let last = all.len().saturating_sub(1);
    for (i, expr) in all.into_iter().enumerate() {
        // Only what the last one lets through is certain.
        let emit = if i == last { emit.take() } else { None };
        left = eval(ctx, expr, &left, emit)?;
        if left.is_empty() {
            break;
        }
    }
    Ok(left)
}

fn or(ctx: &Context, any: &[Expr], mask: &Bits, mut emit: Emit) -> Found {
    let mut out = Bits::none(mask.len());
    let mut left = mask.clone();
    for expr in by_cost(any) {
        let emit: Emit = match &mut emit {
            Some(emit) => Some(&mut **emit),
            None => None,
        };
        let found = eval(ctx, expr, &left, emit)?;
        out.add(&found);
        left.remove(&found);
        if left.is_empty() {
            break;
        }
    }
    Ok(out)
}
