//! The filter language and sorting, over the columns: which rows, and in which order.
//!
//! Owns the grammar, its fields and their meaning, completion, evaluation and sort keys. Reads stored records only
//! through [`Records`], and computes no figures.
//!
//! ```
//! use lookitup::query;
//!
//! let filter = query::parse("transition:broken conf:80%.. \"prime minister\"")?;
//! assert_eq!(filter.to_string(), "transition:broken conf:0.8.. \"prime minister\"");
//! # Ok::<(), query::ParseError>(())
//! ```

use std::sync::atomic::AtomicBool;

use crate::record::Scorer;
use crate::store::Table;

mod ast;
mod bits;
mod columns;
mod complete;
mod dates;
mod deep;
mod error;
mod eval;
mod fields;
mod form;
mod lookup;
mod marks;
mod needle;
mod parse;
mod print;
mod radix;
mod raw;
mod records;
mod sort;
mod spread;
mod texts;
mod values;

pub use ast::{Expr, Op, Pattern, Test, Value};
pub use complete::{Completions, Item, complete};
pub use error::ParseError;
pub use fields::{Base, FIELDS, Field, FieldInfo, GRAMMAR, Kind, SIDES, Unit, describe};
pub use parse::parse;
pub use print::quoted;
pub use records::Records;
pub use sort::{SORT_FIELDS, SortField, SortKey, parse_sort, sort, sort_text};

/// What a filter depends on besides the data.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Settings {
    /// The scorer that verdicts and transitions are taken from.
    pub scorer: Scorer,
}

/// The rows (numbers in [`Table::pairs`]) that a filter lets through, in table order; `None` when `cancel` was set.
///
/// When the filter reads stored records, `partial` is told of rows as soon as they are certain: each row once,
/// ascending within a call, and together all rows of the result. Other filters are done before that would help, and
/// do not call it.
pub fn run(
    table: &Table,
    records: &dyn Records,
    filter: &Expr,
    settings: &Settings,
    cancel: &AtomicBool,
    partial: &mut dyn FnMut(&[u32]),
) -> Option<Vec<u32>> {
    let ctx = eval::Context::new(table, records, settings.scorer, cancel);
    let all = bits::Bits::all(table.pairs.len());
    let emit: eval::Emit = if eval::is_deep(filter) { Some(partial) } else { None };
    eval::eval(&ctx, filter, &all, emit).ok().map(|rows| rows.rows())
}
