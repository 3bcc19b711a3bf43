//! `lookitup`: error analysis of search-augmented LLM evaluations.
//!
//! [`provider`] asks models and hands back attempts of the same form.
//!
//! The way of the data: file → [`store`] (bytes to columns) → `query` (row numbers) → `stats` (figures) → `app`
//! (state) → `ui` (cells). Lower rooms never import upper ones.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::print_stdout,
        clippy::print_stderr,
        missing_docs
    )
)]

pub mod app;
pub mod check;
pub mod cli;
pub mod config;
pub mod export;
pub mod figures;
pub mod keymap;
pub mod provider;
pub mod query;
pub mod record;
pub mod report;
pub mod review;
pub mod runner;
pub mod runtime;
pub mod score;
pub mod stats;
pub mod store;
pub mod text;
pub mod theme;
pub mod ui;
pub mod view;
