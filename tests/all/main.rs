//! Every integration test, in one binary: linking once is most of what they cost.
#![allow(
    clippy::items_after_statements,
    clippy::cloned_ref_to_slice_refs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    missing_docs
)]

mod common;
mod support;

mod ask;
mod ask_edges;
mod checking;
mod cli;
mod coding;
mod coding_break;
mod config;
mod docs;
mod export;
mod figures;
mod figures_any;
mod flows;
mod frames;
mod help;
mod inspect;
mod keymap;
mod layers;
mod licences;
mod long;
mod notes_cli;
mod pictures;
mod pty;
mod query;
mod query_complete;
mod query_naive;
mod query_props;
mod query_table;
mod reask;
mod report;
mod review;
mod review_signs;
mod schemas;
mod score;
mod size;
mod small;
mod stats;
mod store;
mod store_bad;
mod store_follow;
mod store_packed;
mod text;
mod theme;
mod wire;
