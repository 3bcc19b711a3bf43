//! Hand-made logs: what no writer makes on purpose, and every shape of searches and scores.

mod archives;
mod conditions;
mod graded;
mod searches;

use std::io::{Cursor, Write};
use std::path::Path;

use serde_json::{Value, json};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::archive::Limits;
use crate::record::{Attempt, Condition, Question};
use crate::store::formats::{Foreign, Sink};
use crate::store::table::{Problem, Severity};

/// Keeps what comes out; says that it was cancelled after so many attempts.
#[derive(Debug, Default)]
pub(super) struct Kept {
    pub(super) attempts: Vec<Attempt>,
    pub(super) entries: Vec<String>,
    pub(super) problems: Vec<Problem>,
    pub(super) enough: Option<usize>,
}

impl Sink for Kept {
    fn attempt(&mut self, attempt: &Attempt, entry: Option<&str>) {
        let line = serde_json::to_string(attempt).unwrap();
        assert_eq!(&serde_json::from_str::<Attempt>(&line).unwrap(), attempt);
        self.attempts.push(attempt.clone());
        self.entries.push(entry.unwrap_or_default().to_owned());
    }

    fn question(&mut self, _: &Question) {
        panic!("an Inspect log has no questions apart");
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn cancelled(&self) -> bool {
        self.enough.is_some_and(|n| self.attempts.len() >= n)
    }
}

impl Kept {
    pub(super) fn ids(&self) -> Vec<&str> {
        self.attempts.iter().map(|a| a.question_id.as_str()).collect()
    }

    pub(super) fn said(&self, severity: Severity) -> Vec<String> {
        self.problems.iter().filter(|p| p.severity == severity).map(ToString::to_string).collect()
    }
}

/// Reads bytes as a log with the limits given.
pub(super) fn read_within(bytes: Vec<u8>, asked: Option<Condition>, limits: Limits) -> Kept {
    let mut kept = Kept::default();
    let input =
        Foreign { path: Path::new("run.eval"), len: bytes.len() as u64, bytes: Box::new(Cursor::new(bytes)) };
    super::log::convert(input, asked, limits, &mut kept);
    kept
}

/// Reads bytes as a log made with search.
pub(super) fn read(bytes: Vec<u8>) -> Kept {
    read_within(bytes, Some(Condition::WithSearch), Limits::LOG)
}

/// A zip of these members.
pub(super) fn zip<T: AsRef<[u8]>>(members: &[(&str, T)], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in members {
        zip.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(bytes.as_ref()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A header of a finished log.
pub(super) fn header() -> Value {
    json!({"version": 2, "status": "success", "eval": {"run_id": "r1", "task": "t", "model": "openai/gpt-x",
        "dataset": {"sample_ids": ["q1", "q2", "q3"]}, "config": {}, "scorers": [{"name": "em"}]}, "plan": {"steps": []}})
}

/// A sample that was answered.
pub(super) fn sample(id: &str, answer: &str) -> Value {
    json!({"id": id, "epoch": 1, "input": "Who?", "target": "Ada",
        "messages": [{"role": "user", "content": "Who?"}, {"role": "assistant", "content": answer}],
        "output": {"model": "gpt-x", "choices": [{"message": {"role": "assistant", "content": answer}, "stop_reason": "stop"}]},
        "scores": {"em": {"value": "C", "answer": answer}}, "metadata": {}})
}

/// The attempt that a sample becomes.
pub(super) fn attempt(sample: &Value) -> Attempt {
    let log = zip(
        &[("header.json", &header().to_string()), ("samples/q1_epoch_1.json", &sample.to_string())],
        CompressionMethod::Stored,
    );
    let mut kept = read(log);
    assert!(kept.problems.is_empty(), "{:?}", kept.problems);
    kept.attempts.remove(0)
}
