//! From files to columns: opening, indexing, reading records.
//!
//! Owns every byte that is read from result and question files. Does no filtering and draws nothing.

pub mod cow;
pub mod dict;
pub mod table;

pub use table::{
    AttemptRow, FileInfo, NO, Names, PairRow, Problem, Problems, Progress, QuestionRow, Severity, Table,
    TextBlock, Texts,
};
