//! Filters over tables of 2 k, 100 k and 1 M attempts: from the parsed filter to the row numbers.
//!
//! `cargo bench --bench filter [-- SIZE…]`; beside it the floor: a bare substring search of the same text.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod made;

use std::sync::atomic::AtomicBool;

use lookitup::query::{self, Settings};
use lookitup::record::Scorer;
use lookitup::store::Table;

const FILTERS: [&str; 22] = [
    "quokka",
    "zephyr",
    "absent words",
    "a",
    "the",
    "dvorak",
    "not quokka",
    "quokka or zephyr",
    "transition:broken",
    "verdict.with:wrong",
    "conf:0.8..1",
    "dconf>=0.2",
    "calls>=2",
    "latency>2s",
    "model:large",
    "split:dev",
    "id=q0000123",
    "ref=1981",
    "answer.with:jansen",
    "transition:broken conf:0.8..1 calls>=2 model:large \"suez canal\"",
    "q~/voyager \\d/",
    "query~/^alma .*canal$/",
];

fn main() {
    let cancel = AtomicBool::new(false);
    for size in made::sizes() {
        let table = made::table(size);
        let bytes: usize =
            table.question_texts.0.iter().chain(&table.attempt_texts.0).map(|b| b.text.len()).sum();
        println!("\n{size} attempts, {} rows, {:.1} MB of text", table.pairs.len(), bytes as f64 / 1e6);
        println!(
            "{:>9} ms  floor: memmem of the text, one thread",
            made::ms(made::median(15, || floor(&table)))
        );
        for text in FILTERS {
            let filter = query::parse(text).unwrap();
            let run =
                || query::run(&table, &(), &filter, &Settings::default(), &cancel, &mut |_| {}).unwrap();
            let rows = run().len();
            println!("{:>9} ms  {text}  ({rows})", made::ms(made::median(15, run)));
        }
        for text in ["", "tr", "transition:", "mod", "model:", "topic:s", "calls:"] {
            let time = made::median(15, || query::complete(&table, text, text.len(), Scorer::default()));
            println!("{:>9} ms  complete \"{text}\"", made::ms(time));
        }
    }
}

fn floor(table: &Table) -> usize {
    let finder = memchr::memmem::Finder::new("quokka");
    let blocks = table.question_texts.0.iter().chain(&table.attempt_texts.0);
    blocks.map(|b| finder.find_iter(&b.text).count()).sum()
}
