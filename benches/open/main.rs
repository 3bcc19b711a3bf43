//! Opening files: first rows, all rows, a search through the stored text, one record; time and memory.
//!
//! `cargo bench --bench open -- [SIZE|FILE]…`, sizes like `2k`, `100k`, `1m` (records; 2k and 100k when none is
//! given). Files of a size are made once in the target folder. Each figure is the median of several runs, with the
//! best beside it; the page cache is warm. `--threads=N` limits the threads that parse.
#![allow(
    clippy::items_after_statements,
    clippy::print_stdout,
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs
)]

mod generate;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use lookitup::store::{Input, OpenOptions, Reader, Store, Table};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let given = if given.is_empty() { vec!["2k".to_owned(), "100k".to_owned()] } else { given };
    let threads = std::env::args().find_map(|a| a.strip_prefix("--threads=")?.parse().ok());
    for name in given {
        let path = match records(&name) {
            Some(n) => generate::file(n).expect("the file can be made"),
            None => PathBuf::from(&name),
        };
        measure(&name, &path, threads);
    }
}

fn records(word: &str) -> Option<u64> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &word[digits.len()..] {
        "" => 1,
        "k" => 1_000,
        "m" => 1_000_000,
        _ => return None,
    };
    Some(digits.parse::<u64>().ok()? * unit)
}

fn measure(name: &str, path: &Path, threads: Option<usize>) {
    let bytes = std::fs::metadata(path).expect("the file is there").len();
    let runs = if bytes > 1 << 30 { 5 } else { 15 };
    println!("{name}: {:.1} MB, {runs} runs, ms", bytes as f64 / 1e6);
    let (mut first, mut all, mut tables) = (Vec::new(), Vec::new(), 0);
    let mut last = None;
    let before = anonymous_kb();
    let (mut peak, mut kept, mut cpu) = (0, 0, Vec::new());
    for run in 0..runs {
        drop(last.take());
        let used = cpu_time();
        let opened = open(path, threads);
        cpu.push(cpu_time().saturating_sub(used));
        first.push(opened.first);
        all.push(opened.all);
        tables = opened.tables;
        // Later runs find the heap as earlier ones left it.
        if run == 0 {
            (peak, kept) = (opened.peak, anonymous_kb());
        }
        last = Some((opened.table, opened.reader));
    }
    let (table, reader) = last.expect("a run");
    row("first rows", &mut first);
    row("all rows", &mut all);
    row("all rows, processor time of all threads", &mut cpu);
    println!(
        "  {} attempts, {} pairs, {} questions, {} problems, {tables} tables published",
        table.attempts.len(),
        table.pairs.len(),
        table.questions.len(),
        table.problems.list.len()
    );
    println!(
        "  memory that is no file: {:.1} MB at most, {:.1} MB kept",
        mb(peak.saturating_sub(before)),
        mb(kept.saturating_sub(before))
    );
    parts(&table);
    search(&table, &reader, "(?i)quokka", runs);
    search(&table, &reader, "(?i-u)the s", runs);
    records_one_by_one(&table, &reader);
}

struct Opened {
    first: Duration,
    all: Duration,
    tables: u32,
    peak: u64,
    table: Arc<Table>,
    reader: Reader,
}

fn open(path: &Path, threads: Option<usize>) -> Opened {
    let (tell, told) = mpsc::channel();
    let (done, peak) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let sampler = {
        let (done, peak) = (Arc::clone(&done), Arc::clone(&peak));
        std::thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                peak.fetch_max(anonymous_kb(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(5));
            }
        })
    };
    let start = Instant::now();
    let inputs = vec![Input::Path(path.to_owned())];
    let store = Store::open(inputs, OpenOptions { threads, ..OpenOptions::default() }, move || {
        let _ = tell.send(Instant::now());
    });
    let mut tables = 0;
    let mut first = None;
    let table = loop {
        let at = told.recv().expect("a table");
        tables += 1;
        let table = store.table();
        if first.is_none() && !table.pairs.is_empty() {
            first = Some(at - start);
        }
        if table.progress.done {
            break table;
        }
    };
    let all = start.elapsed();
    peak.fetch_max(anonymous_kb(), Ordering::Relaxed);
    done.store(true, Ordering::Relaxed);
    sampler.join().expect("the sampler ends");
    Opened {
        first: first.unwrap_or(all),
        all,
        tables,
        peak: peak.load(Ordering::Relaxed),
        table,
        reader: store.reader(),
    }
}

/// Where the memory of a table goes.
fn parts(table: &Table) {
    let texts = |t: &lookitup::store::Texts| -> usize {
        t.0.iter().map(|b| b.text.capacity() + 4 * b.ends.capacity()).sum()
    };
    let size = |n: usize, of: usize| n * of;
    use lookitup::store::{AttemptRow, PairRow, QuestionRow};
    println!(
        "  of it attempt rows {:.1}, pairs {:.1}, questions {:.1}, question texts {:.1}, attempt texts {:.1} MB",
        size(table.attempts.len(), size_of::<AttemptRow>()) as f64 / 1e6,
        size(table.pairs.len(), size_of::<PairRow>()) as f64 / 1e6,
        size(table.questions.len(), size_of::<QuestionRow>()) as f64 / 1e6,
        texts(&table.question_texts) as f64 / 1e6,
        texts(&table.attempt_texts) as f64 / 1e6,
    );
}

fn search(table: &Table, reader: &Reader, pattern: &str, runs: u32) {
    let regex = regex::bytes::Regex::new(pattern).expect("a good expression");
    let (mut first, mut all, mut hits) = (Vec::new(), Vec::new(), 0);
    for _ in 0..runs {
        let start = Instant::now();
        let mut early = None;
        hits = 0;
        reader.scan(table, &regex, &AtomicBool::new(false), &mut |found| {
            early.get_or_insert_with(|| start.elapsed());
            hits += found.len();
        });
        all.push(start.elapsed());
        first.extend(early);
    }
    row(&format!("search {pattern}, first of {hits}"), &mut first);
    row(&format!("search {pattern}, all"), &mut all);
}

fn records_one_by_one(table: &Table, reader: &Reader) {
    let n = table.pairs.len() as u32;
    let mut times = Vec::new();
    for k in 0..200.min(n) {
        let pair = (k * 7919) % n;
        let start = Instant::now();
        drop(reader.bundle(table, pair).expect("the file is as it was"));
        times.push(start.elapsed());
    }
    row("one row's records", &mut times);
}

fn row(what: &str, times: &mut [Duration]) {
    times.sort();
    if let (Some(best), Some(median)) = (times.first(), times.get(times.len() / 2)) {
        println!("  {what:<42}{:10.3}   (best {:.3})", median.as_secs_f64() * 1e3, best.as_secs_f64() * 1e3);
    }
}

fn mb(kb: u64) -> f64 {
    kb as f64 * 1024.0 / 1e6
}

/// Anonymous memory of the process, where the system tells it.
fn anonymous_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("RssAnon:"));
    line.and_then(|l| l.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Processor time of all threads so far, in steps of 10 ms, where the system tells it. On a machine that does other
/// work meanwhile it says more than the clock.
fn cpu_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks: u64 = fields.skip(11).take(2).filter_map(|t| t.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}
