//! Where re-asked attempts are kept.

use std::path::{Path, PathBuf};

/// The file for a set of paths as the user gave them: in `results` of the working folder where there is one, else in the
/// user's own data folder. Each set has its own, in whatever order it is named, so that the attempts of one do not turn
/// up in another. `named` is whether the user named the paths: what lies in `results` anyway needs no mark.
///
/// No path at all is the sample, whose file is always in the data folder: in `results` it would be taken for results of
/// one's own the next time, and hide the sample.
pub fn journal_of(here: &Path, data: Option<&Path>, paths: &[String], named: bool) -> Option<PathBuf> {
    let results = here.join("results");
    let is_here = results.is_dir() && !paths.is_empty();
    let folder = match (is_here, here == Path::new(".")) {
        // Relative as it stands, so that messages read `results/live.results.jsonl:3: …`.
        (true, true) => PathBuf::from("results"),
        (true, false) => results,
        (false, _) => data?.join("results"),
    };
    let whole = |p: &String| std::path::absolute(p).unwrap_or_else(|_| PathBuf::from(p));
    let mut all: Vec<PathBuf> = paths.iter().map(whole).collect();
    all.sort();
    all.dedup();
    let name = match all.first() {
        None => "sample".to_owned(),
        Some(_) if is_here && !named => return Some(folder.join("live.results.jsonl")),
        Some(first) => {
            let file = first.file_name().and_then(|f| f.to_str()).unwrap_or_default();
            let stem: String = file
                .split('.')
                .next()
                .unwrap_or_default()
                .chars()
                .filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
                .take(40)
                .collect();
            format!("{stem}-{:06x}", hash(&all) & 0xff_ffff)
        }
    };
    Some(folder.join(format!("{name}.live.results.jsonl")))
}

fn hash(paths: &[PathBuf]) -> u64 {
    fnv(paths.iter().flat_map(|p| p.as_os_str().as_encoded_bytes().iter().chain(b"\n")))
}

/// FNV-1a: files and questions are found again by it, so it may never change with a library.
fn fnv<'b>(bytes: impl Iterator<Item = &'b u8>) -> u64 {
    bytes.fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}

/// A name for a text that has none, the same in every version of the program.
pub fn short_hash(text: &[u8]) -> u32 {
    let hash = fnv(text.iter());
    (hash ^ (hash >> 32)) as u32
}

/// The run of attempts that a process asks from a moment on: `live-20261130T051200Z-4d2`. Several programs that begin
/// within one second are several runs, whose attempts are numbered each for itself.
pub fn run_id(now: jiff::Timestamp, process: u32) -> String {
    format!("live-{}-{process:x}", now.strftime("%Y%m%dT%H%M%SZ"))
}

/// The moment of a record: `2026-11-30T05:12:00Z`.
pub fn created_at(now: jiff::Timestamp) -> String {
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
