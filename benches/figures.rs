//! Every figure over tables of 1 k, 100 k and 1 M pairs: from row numbers to the groups that the screen draws.
//!
//! `cargo bench --bench figures [-- SIZE… FILE…]`, sizes in attempts (two a pair). Beside it the summary alone, which the
//! header needs, and the figures drawn up for the screen. With files that hold recorded verdicts, the whole way from the
//! file to every figure is set beside the plain Python reference, where the development tree has it.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

mod made;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lookitup::figures::{Id, Scope, figure};
use lookitup::record::{Errors, Scorer};
use lookitup::stats::{self, By, Options};
use lookitup::store::{Input, OpenOptions, Store};

fn files() -> bool {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/golden/reference_metrics.py");
    let never = AtomicBool::new(false);
    let paths: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).filter(|p| p.exists()).collect();
    for path in &paths {
        let options = Options { scorer: Scorer::Recorded, ..Options::default() };
        let ours = made::best(5, || {
            let store = Store::open(vec![Input::Path(path.clone())], OpenOptions::default(), || {});
            let table = store.wait();
            let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
            stats::groups(&table, &rows, &options, &never).unwrap()
        });
        println!("{}: {} ms from the file to every figure", path.display(), made::ms(ours));
        if !reference.exists() {
            println!("skipped: the Python reference is not there");
            continue;
        }
        let start = Instant::now();
        let ran = Command::new("python3").arg(&reference).arg(path).stdout(Stdio::null()).status();
        let theirs = start.elapsed();
        if ran.is_ok_and(|s| s.success()) {
            let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
            println!("  plain Python {} ms, {ratio:.0} times as long", made::ms(theirs));
        }
    }
    !paths.is_empty()
}

fn main() {
    if files() {
        return;
    }
    let never = AtomicBool::new(false);
    for size in made::sizes() {
        let table = made::table(size);
        let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
        println!("\n{} pairs", rows.len());
        let summary = made::best(9, || stats::summary(&table, &rows, Scorer::default(), Errors::Drop));
        println!("{:>9} ms  the header's summary, with its bootstrap", made::ms(summary));
        for by in By::ALL {
            let options = Options { by, ..Options::default() };
            let all = made::best(9, || stats::groups(&table, &rows, &options, &never).unwrap());
            let groups = stats::groups(&table, &rows, &options, &never).unwrap();
            println!("{:>9} ms  every figure, by {} ({} groups)", made::ms(all), by.name(), groups.len());
            if let Some(group) = groups.first() {
                let scope = Scope::of(group, &groups, Errors::Drop);
                let drawn = made::best(9, || Id::ALL.map(|id| figure(id, group, &scope)));
                println!("{:>9} ms  drawing up all of one group", made::ms(drawn));
            }
        }
    }
}
