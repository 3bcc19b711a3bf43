//! Tables that need no files on disk: the compiled-in sample, and tables made of records.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::load::Loader;
use super::page::Reader;
use super::plan::{Plan, Planned, Stamp};
use super::sniff::Kind;
use super::source::Source;
use super::table::Table;
use super::{Input, OpenOptions};
use crate::record::{Attempt, Question};

/// Real questions with a simulated run: what is opened when nothing else is there.
pub fn sample() -> Vec<Input> {
    vec![
        Input::Embedded {
            name: "data/static.jsonl",
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/static.jsonl")),
        },
        Input::Embedded {
            name: "data/dynamic.jsonl",
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/dynamic.jsonl")),
        },
        Input::Embedded {
            name: "results/sample.results.jsonl",
            bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/results/sample.results.jsonl")),
        },
    ]
}

/// A table of these records, by the same way that files go, and the reader for it.
pub fn table_of(questions: &[Question], attempts: &[Attempt]) -> (Table, Reader) {
    let files = [
        ("questions.jsonl", Kind::Questions, lines(questions)),
        ("attempts.jsonl", Kind::Attempts, lines(attempts)),
    ];
    let plan = Plan {
        files: files.into_iter().map(|(name, kind, bytes)| in_memory(name, kind, bytes)).collect(),
        ..Plan::default()
    };
    let stop = AtomicBool::new(false);
    let mut last = Table::default();
    Loader::new(0, plan, &OpenOptions::default(), &stop).read(&mut |table| last = table);
    (last, Reader::default())
}

fn in_memory(name: &str, kind: Kind, bytes: Vec<u8>) -> Planned {
    Planned {
        path: PathBuf::from(name),
        on_disk: false,
        stamp: Stamp { len: bytes.len() as u64, modified: None, identity: (0, 0) },
        source: Arc::new(Source::Bytes(bytes.into())),
        kind,
        packed: None,
        named: None,
    }
}

fn lines<T: serde::Serialize>(records: &[T]) -> Vec<u8> {
    let mut out = Vec::new();
    for record in records {
        // Records are plain data: writing them to memory cannot fail.
        if serde_json::to_writer(&mut out, record).is_ok() {
            out.push(b'\n');
        }
    }
    out
}
