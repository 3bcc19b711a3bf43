//! The form in which texts are compared.

use crate::text::{folded, sanitize};

/// A text as the columns have it: what cannot be shown is spelt out, case and diacritics are gone.
pub(super) fn form(text: &str) -> String {
    folded(&sanitize(text))
}
