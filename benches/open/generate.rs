//! Result files of any size: two attempts a question, about 2 KB a record.
//!
//! "quokka" stands in one question of about a thousand and nowhere else.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

const NOUNS: &[&str] = &[
    "river",
    "station",
    "committee",
    "record",
    "archive",
    "museum",
    "letter",
    "village",
    "bridge",
    "council",
    "journal",
    "paper",
    "evidence",
    "claim",
    "source",
    "treaty",
    "desert",
    "probe",
    "railway",
    "Łódź",
    "Dvořák",
    "東京",
    "São Tomé",
];
const WORDS: &[&str] = &[
    "the",
    "of",
    "and",
    "in",
    "to",
    "a",
    "was",
    "is",
    "for",
    "on",
    "as",
    "by",
    "with",
    "from",
    "at",
    "it",
    "were",
    "which",
    "this",
    "be",
    "are",
    "reported",
    "published",
    "founded",
    "opened",
    "measured",
    "according",
    "later",
    "early",
    "first",
    "second",
    "northern",
    "southern",
    "during",
    "between",
    "confirmed",
    "unclear",
    "likely",
    "known",
    "original",
];
const NAMES: &[&str] =
    &["Alma", "Boris", "Chidi", "Dana", "Emil", "Farah", "Goran", "Hana", "Ivo", "Jun", "Kofi", "Lena"];
const SITES: &[&str] =
    &["en.example.org/wiki", "www.example.com/topic", "archive.example.net/details", "news.example.org"];

/// A small random number generator (splitmix64): the same file on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }

    fn words(&mut self, n: usize, out: &mut String) {
        for k in 0..n {
            if k > 0 {
                out.push(' ');
            }
            let noun = self.below(5) == 0;
            out.push_str(self.of(if noun { NOUNS } else { WORDS }));
        }
    }
}

/// The file with `n` records, made when it is not there yet.
pub(crate) fn file(n: u64) -> io::Result<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("open_{n}.jsonl"));
    if path.exists() {
        return Ok(path);
    }
    std::fs::create_dir_all(&folder)?;
    let part = path.with_extension("part");
    let mut out = BufWriter::with_capacity(1 << 20, File::create(&part)?);
    let mut random = Random(20);
    let mut line = String::new();
    for i in 0..n {
        line.clear();
        record(i, &mut random, &mut line);
        out.write_all(line.as_bytes())?;
    }
    out.flush()?;
    std::fs::rename(&part, &path)?;
    Ok(path)
}

fn record(i: u64, random: &mut Random, out: &mut String) {
    let (q, with) = (i / 2, i % 2 == 1);
    // Both attempts of a question tell the same question.
    let mut own = Random(q.wrapping_mul(1_000_003) + 7);
    let (name, year) = (own.of(NAMES), 1700 + own.below(320));
    let mut question = format!("In what year was the {} of {name} first ", own.of(NOUNS));
    own.words(5, &mut question);
    if q % 997 == 500 {
        question.push_str(" near the quokka colony");
    }
    question.push('?');
    let right = random.below(100) < if with { 71 } else { 48 };
    let answer = if right { year } else { 1700 + random.below(320) };
    let confidence = (30 + random.below(70)) as f64 / 100.0;
    let condition = if with { "with_search" } else { "no_search" };
    let mut raw = String::new();
    for _ in 0..4 + random.below(10) {
        let n = 6 + random.below(16);
        random.words(n, &mut raw);
        raw.push_str(". ");
    }
    let mut calls = String::new();
    let n = if with { 1 + random.below(3) } else { 0 };
    for k in 0..n {
        let comma = if k > 0 { "," } else { "" };
        let _ = write!(calls, "{comma}{{\"n\":{},\"kind\":\"search\",\"query\":\"{name} ", k + 1);
        random.words(4, &mut calls);
        calls.push_str("\",\"status\":\"ok\",\"results\":[");
        for r in 0..3 + random.below(4) {
            let comma = if r > 0 { "," } else { "" };
            let mut title = String::new();
            random.words(6, &mut title);
            let site = random.of(SITES);
            let slug = title.replace(' ', "-");
            let _ = write!(
                calls,
                "{comma}{{\"url\":\"https://{site}/{slug}\",\"title\":\"{title}\",\"cited\":{}}}",
                r == 0
            );
        }
        calls.push_str("]}");
    }
    let (tokens_in, tokens_out) = (180 + 640 * n + random.below(200), raw.len() / 4);
    let latency = 400 + random.below(if with { 9000 } else { 3000 });
    let model = ["model-a-large", "model-a-small", "model-b-70b", "model-c-mini"][(q / 250 % 4) as usize];
    let _ = writeln!(
        out,
        "{{\"schema\":\"lookitup.attempt/1\",\"run_id\":\"bench\",\"question_id\":\"q{q:07}\",\"split\":\"static\",\
         \"question\":\"{question}\",\"references\":[\"{year}\",\"{year} AD\"],\"provider\":\"none\",\
         \"model\":\"{model}\",\"condition\":\"{condition}\",\"attempt\":1,\"answer\":\"{answer}\",\
         \"confidence\":{confidence},\"raw\":\"{raw}\\n\\nAnswer: {answer}\\nConfidence: {confidence}\",\
         \"search_calls\":[{calls}],\"citations\":[],\"usage\":{{\"input_tokens\":{tokens_in},\
         \"output_tokens\":{tokens_out}}},\"cost_usd\":{:.5},\"latency_ms\":{latency},\"stop\":\"end_turn\",\
         \"error\":null,\"source\":\"simulated\",\"correct\":{right}}}",
        tokens_in as f64 / 1e6
    );
}
