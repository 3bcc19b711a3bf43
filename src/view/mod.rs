//! A pair as people and scripts read it: columns, cells, a JSON row, a Markdown page.
//!
//! Owns the names, titles and texts that the screen and the command line share, and finding a row by `ID[:attempt]`.
//! Knows no colours, no terminal and no files; everything it is given has been sanitised by `store`.

pub mod cell;
mod columns;
mod find;
mod markdown;
mod row;
mod short;

#[cfg(test)]
mod view_tests;

pub use crate::text::{fence, inline};
pub use cell::{cell, mark};
pub use columns::Column;
pub use find::{Target, find};
pub use markdown::{markdown, pair_markdown, question_markdown};
pub use row::{bundle_json, fields, outcome, pair_json, row_json, source};
pub use short::short_names;
