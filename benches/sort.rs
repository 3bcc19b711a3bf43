//! Sorts of whole tables of 2 k, 100 k and 1 M attempts.
//!
//! `cargo bench --bench sort [-- SIZE…]`; beside it the floor: the standard library's sort of packed keys.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod made;

use std::sync::atomic::AtomicBool;

use lookitup::query::{parse_sort, sort};
use lookitup::record::Scorer;
use lookitup::store::Table;

fn main() {
    let cancel = AtomicBool::new(false);
    for size in made::sizes() {
        let table = made::table(size);
        let all: Vec<u32> = (0..table.pairs.len() as u32).collect();
        println!("\n{size} attempts, {} rows", all.len());
        println!(
            "{:>9} ms  floor: latency in packed keys, sort_unstable",
            made::ms(made::best(9, || floor(&table)))
        );
        for text in [
            "order",
            "-order",
            "latency",
            "-conf",
            "dconf",
            "calls,-conf",
            "transition,-dconf,latency",
            "model",
            "id",
            "question",
            "answer.with",
        ] {
            let keys = parse_sort(text).unwrap();
            let time = made::best(9, || {
                let mut rows = all.clone();
                assert!(sort(&table, &mut rows, &keys, Scorer::default(), &cancel));
                rows
            });
            println!("{:>9} ms  {text}", made::ms(time));
        }
    }
}

fn floor(table: &Table) -> Vec<u64> {
    let mut keys: Vec<u64> = table
        .pairs
        .iter()
        .enumerate()
        .map(|(i, p)| {
            let key = table.attempts.get(p.sides[1] as usize).map_or(u32::MAX, |a| a.latency_ms);
            u64::from(key) << 32 | i as u64
        })
        .collect();
    keys.sort_unstable();
    keys
}
