//! Leaves about what people said of rows: codes and notes.

use super::ast::{Op, Test, Value};
use super::bits::Bits;
use super::columns::WordTest;
use super::eval::{Context, Found};
use super::fields::{Base, Kind};
use super::form::form;

/// The rows of `mask` that pass a test of codes or notes.
pub(super) fn test(ctx: &Context, test: &Test, mask: &Bits) -> Found {
    let tests: Vec<WordTest> =
        test.values.iter().filter_map(|v| WordTest::new(Kind::Name, test.op, v)).collect();
    let none = test.values.contains(&Value::None);
    let differs = test.op == Op::Differs;
    let fits = |word: &str| {
        let form = form(word);
        tests.iter().any(|t| t.fits(word, &form))
    };
    ctx.rows(mask, |row, _| {
        let mark = ctx.table.marks.get(row);
        let (missing, fit) = match test.field.base {
            Base::Note => {
                let note = mark.map(|m| &*m.note).filter(|n| !n.is_empty());
                (note.is_none(), note.is_some_and(fits))
            }
            Base::Primary => {
                let code = mark.and_then(|m| m.codes.first());
                (code.is_none(), code.is_some_and(|c| fits(c)))
            }
            _ => {
                let codes = mark.map_or(&[][..], |m| m.codes.as_slice());
                (codes.is_empty(), codes.iter().any(|c| fits(c)))
            }
        };
        if differs { !missing && !fit } else { fit || (none && missing) }
    })
}

/// The words of `review`, one bit each: coded, deferred, reviewed, none of them, disputed.
pub(super) fn review(ctx: &crate::store::Table, row: u32) -> u32 {
    ctx.marks.get(row).map_or(8, |m| {
        let bits = u32::from(m.is_coded()) | u32::from(m.deferred) << 1 | u32::from(m.reviewed) << 2;
        // Emptied by one who has no part in it, a row may be disputed all the same.
        (if bits == 0 { 8 } else { bits }) | u32::from(m.disputed) << 4
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::store::{Mark, Table};

    #[test]
    fn a_disputed_row_is_told_as_such_whatever_else_stands_on_it() {
        let mut table = Table::default();
        let marks = &mut Arc::make_mut(&mut table.marks).0;
        marks.insert(1, Mark { disputed: true, ..Mark::default() });
        marks.insert(2, Mark { disputed: true, deferred: true, ..Mark::default() });
        assert_eq!([0, 1, 2].map(|row| super::review(&table, row)), [8, 8 | 16, 2 | 16]);
    }
}
