//! A pair as people and scripts read it: columns, cells, a JSON row, a Markdown page.
//!
//! Owns the names, titles and texts that the screen and the command line share, and finding a row by `ID[:attempt]`.
//! Knows no colours, no terminal and no files; everything it is given has been sanitised by `store`.

mod columns;

pub use columns::Column;
