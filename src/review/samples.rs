//! What the tests of this room say of rows.

use super::Act;

/// A coding with one code.
pub(super) fn coded(code: &str) -> Act {
    Act::Coded {
        primary: Some(code.into()),
        others: vec![],
        note: String::new(),
        codebook: 1,
        settles: vec![],
    }
}
