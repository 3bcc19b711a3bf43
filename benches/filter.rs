//! Filters over tables of 2 k, 100 k and 1 M attempts: from the parsed filter to the row numbers.
//!
//! `cargo bench --bench filter [-- SIZE… FILE…]`; beside it the floor: a bare substring search of the same text. With
//! files, filters that read stored records are measured too.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod made;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lookitup::query::{self, Settings};
use lookitup::record::Scorer;
use lookitup::store::{Input, OpenOptions, Store, Table};

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

const DEEP: [&str; 9] = [
    "quokka",
    "text:quokka",
    "text:zephyr",
    "text:station",
    "text:\"absent words\"",
    "url:arxiv.org/abs/official",
    "domain:jstor.org",
    "meta.id=q0000123.ws",
    "conf:0.9.. calls:4 split:dev domain:arxiv.org",
];

fn files() {
    let cancel = AtomicBool::new(false);
    for path in std::env::args().skip(1).map(PathBuf::from).filter(|p| p.exists()) {
        let store = Store::open(vec![Input::Path(path.clone())], OpenOptions::default(), || {});
        let (table, reader) = (store.wait(), store.reader());
        println!("\n{}: {} rows", path.display(), table.pairs.len());
        for text in DEEP {
            let filter = query::parse(text).unwrap();
            let mut best = (Duration::MAX, Duration::MAX, 0);
            for _ in 0..3 {
                let start = Instant::now();
                let mut first = None;
                let rows = query::run(&table, &reader, &filter, &Settings::default(), &cancel, &mut |_| {
                    first.get_or_insert_with(|| start.elapsed());
                });
                let all = start.elapsed();
                best = best.min((all, first.unwrap_or(all), rows.unwrap().len()));
            }
            println!("{:>9} ms  first {:>7} ms  {text}  ({})", made::ms(best.0), made::ms(best.1), best.2);
        }
    }
}

fn main() {
    files();
    let cancel = AtomicBool::new(false);
    for size in made::sizes() {
        let table = made::table(size);
        let bytes: usize =
            table.question_texts.0.iter().chain(&table.attempt_texts.0).map(|b| b.text.len()).sum();
        println!("\n{size} attempts, {} rows, {:.1} MB of text", table.pairs.len(), bytes as f64 / 1e6);
        println!(
            "{:>9} ms  floor: memmem of the text, one thread",
            made::ms(made::best(15, || floor(&table)))
        );
        for text in FILTERS {
            let filter = query::parse(text).unwrap();
            let run =
                || query::run(&table, &(), &filter, &Settings::default(), &cancel, &mut |_| {}).unwrap();
            let rows = run().len();
            println!("{:>9} ms  {text}  ({rows})", made::ms(made::best(15, run)));
        }
        for text in ["", "tr", "transition:", "mod", "model:", "topic:s", "calls:"] {
            let time = made::best(15, || query::complete(&table, text, text.len(), Scorer::default()));
            println!("{:>9} ms  complete \"{text}\"", made::ms(time));
        }
    }
}

fn floor(table: &Table) -> usize {
    let finder = memchr::memmem::Finder::new("quokka");
    let blocks = table.question_texts.0.iter().chain(&table.attempt_texts.0);
    blocks.map(|b| finder.find_iter(&b.text).count()).sum()
}
