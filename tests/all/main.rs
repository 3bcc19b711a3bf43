//! Every integration test, in one binary: linking once is most of what they cost.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

mod cli;
mod common;
mod docs;

mod config;
mod inspect;
mod keymap;
mod layers;
mod licences;
mod query;
mod query_table;
mod schemas;
mod score;
mod size;
mod stats;
mod text;
mod theme;
