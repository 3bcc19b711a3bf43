//! The whole way: inputs in, tables and records out.
use std::path::{Path, PathBuf};

use super::*;
use crate::record::{Scorer, Transition};

pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {name} is not beside the project");
    None
}

pub(crate) fn open(paths: &[&Path]) -> Store {
    let inputs = paths.iter().map(|p| Input::Path(p.to_path_buf())).collect();
    Store::open(inputs, OpenOptions::default(), || ())
}

pub(crate) fn counts(table: &Table, scorer: Scorer) -> [u64; 7] {
    let mut counts = [0; 7];
    for pair in table.pairs.iter() {
        counts[pair.transitions[scorer as usize] as usize] += 1;
    }
    counts
}

fn count(table: &Table, scorer: Scorer, t: Transition) -> u64 {
    counts(table, scorer)[t as usize]
}

#[test]
fn haiku_has_the_known_counts() {
    let Some(path) = shared("golden/haiku.results.jsonl") else { return };
    let table = open(&[&path]).wait();
    assert_eq!(table.problems.list, []);
    for scorer in [Scorer::Recorded, Scorer::Normalized, Scorer::Strict] {
        assert_eq!(count(&table, scorer, Transition::Broken), 26);
        assert_eq!(count(&table, scorer, Transition::Corrected), 246);
        assert_eq!(count(&table, scorer, Transition::Preserved), 218);
        assert_eq!(count(&table, scorer, Transition::Unresolved), 117);
        assert_eq!(count(&table, scorer, Transition::NotSearched), 176);
        assert_eq!(count(&table, scorer, Transition::Unpaired), 288);
        assert_eq!(count(&table, scorer, Transition::Incomplete), 0);
    }
    assert_eq!(table.attempts.len(), 783 * 2 + 288);
}

#[test]
fn the_sample_opens_without_a_problem() {
    let store = Store::open(sample(), OpenOptions::default(), || ());
    let table = store.wait();
    assert_eq!(table.problems.list, []);
    let reader = store.reader();
    for pair in 0..table.pairs.len() as u32 {
        assert_eq!(reader.cached(&table, pair), None);
        let bundle = reader.bundle(&table, pair).unwrap();
        assert_eq!(reader.cached(&table, pair).as_ref(), Some(&bundle));
        assert!(!bundle.question.question.is_empty());
        let row = table.pairs.get(pair as usize).unwrap();
        assert_eq!(table.question_id(row.question), Some(bundle.question.id.as_str()));
    }
    println!("{:?} {}", counts(&table, Scorer::Normalized), table.attempts.len());
}
