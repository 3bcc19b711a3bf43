//! A table of any size, the same one each time, and a clock. No file is read: what is measured is the query room.
#![allow(clippy::indexing_slicing, dead_code, missing_docs, unreachable_pub)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use lookitup::record::{Condition, Scorer, State, Transition};
use lookitup::store::table::{END, MEMBER, PART};
use lookitup::store::{AttemptRow, NO, Names, PairRow, QuestionRow, Table, TextBlock, Texts};
use lookitup::text;

const TOPICS: [&str; 12] = [
    "the Bessemer process",
    "Lake Titicaca",
    "the Voyager 2 probe",
    "mitochondrial DNA",
    "São Tomé",
    "Dvořák's Ninth Symphony",
    "the Suez Canal",
    "the Hanseatic League",
    "東京タワー",
    "the Kuiper belt",
    "the Rosetta Stone",
    "the Panama Canal",
];
const FIRST: [&str; 10] = ["Alma", "Boris", "Chidi", "Dana", "Emil", "Farah", "Goran", "Hana", "Ivo", "Jun"];
const LAST: [&str; 12] = [
    "Abbott",
    "Brandt",
    "Castillo",
    "Drummond",
    "Eriksen",
    "Fontaine",
    "Grady",
    "Hofmann",
    "Ishikawa",
    "Jansen",
    "Kowalski",
    "Lindqvist",
];
const ASK: [&str; 5] = [
    "In what year was {t} first described by {n}?",
    "Who led the team that studied {t} after {n}?",
    "Which city hosted the {n} meeting on {t}?",
    "How many volumes did {n} publish about {t}?",
    "What award did {n} receive for work on {t}?",
];
const MODELS: [&str; 4] = ["model-a-large", "model-a-small", "model-b-70b", "model-c-mini"];

/// Numbers that look random: xorshift.
pub struct Dice(u64);

impl Dice {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) as usize % n
    }
}

#[derive(Default)]
struct Blocks {
    done: Vec<Arc<TextBlock>>,
    open: TextBlock,
    next: u32,
}

impl Blocks {
    fn push(&mut self, parts: &[&[&str]]) {
        if self.open.ends.is_empty() {
            self.open.first = self.next;
        }
        for (i, members) in parts.iter().enumerate() {
            if i > 0 {
                self.open.text.push(PART);
            }
            for (j, member) in members.iter().enumerate() {
                if j > 0 {
                    self.open.text.push(MEMBER);
                }
                text::fold(member, &mut self.open.text);
            }
        }
        self.open.text.push(END);
        self.open.ends.push(self.open.text.len() as u32);
        self.next += 1;
        if self.open.text.len() > 1 << 20 {
            self.done.push(Arc::new(std::mem::take(&mut self.open)));
        }
    }

    fn texts(mut self) -> Texts {
        self.done.push(Arc::new(self.open));
        Texts(self.done)
    }
}

/// A table of `attempts` attempts: two a question, without and with search. Of a thousand questions one names a
/// quokka, and only the last one a zephyr.
pub fn table(attempts: usize) -> Table {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let mut names = Names::default();
    let models = MODELS.map(|m| names.models.intern(m));
    let splits = ["dev", "test", "test", "test"].map(|s| names.splits.intern(s));
    let topics = TOPICS.map(|t| names.topics.intern(t));
    let (mut questions, mut rows, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    let (mut question_texts, mut attempt_texts) = (Blocks::default(), Blocks::default());
    let count = attempts / 2;
    for q in 0..count {
        let topic = dice.below(TOPICS.len());
        let name = format!("{} {}", FIRST[dice.below(FIRST.len())], LAST[dice.below(LAST.len())]);
        let mut asked = ASK[dice.below(ASK.len())].replace("{t}", TOPICS[topic]).replace("{n}", &name);
        if q % 997 == 500 {
            asked.push_str(" Near the quokka colony?");
        }
        if q + 1 == count {
            asked.push_str(" Aboard the airship zephyr?");
        }
        let year = (1700 + dice.below(320)).to_string();
        let refs = [year.clone(), format!("{year} AD")];
        question_texts.push(&[&[&format!("q{q:07}")], &[&asked], &[&refs[0], &refs[1]]]);
        questions.push(QuestionRow {
            offset: 0,
            len: 0,
            file: 0,
            split: splits[q % 4],
            topic: topics[topic],
            key_date: 0,
            first_pair: q as u32,
            text_hash: 0,
        });
        let model = models[q / 250 % 4];
        let mut pair = PairRow {
            question: q as u32,
            sides: [2 * q as u32, 2 * q as u32 + 1, NO],
            next: NO,
            model,
            run: 0,
            attempt: 1,
            transitions: [Transition::Unpaired; 4],
        };
        let mut right = [false; 2];
        for (side, condition) in [Condition::NoSearch, Condition::WithSearch].into_iter().enumerate() {
            right[side] = dice.below(100) < [48, 71][side];
            let answer = if right[side] { year.as_str() } else { LAST[dice.below(LAST.len())] };
            let calls = if side == 1 { 1 + dice.below(4) } else { 0 };
            let queries: Vec<String> =
                (0..calls).map(|_| format!("{name} evidence {}", TOPICS[dice.below(TOPICS.len())])).collect();
            let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
            attempt_texts.push(&[&[answer], &queries]);
            let normal = (0..6).map(|_| dice.below(1000)).sum::<usize>();
            rows.push(AttemptRow {
                offset: 0,
                len: 2000,
                print: 0,
                pair: q as u32,
                confidence: dice.below(101) as u32 * 10_000_000,
                latency_ms: (normal * normal / 4000) as u32,
                cost: dice.below(100_000) as u32,
                tokens: 200 + dice.below(4000) as u32,
                file: 0,
                model,
                run: 0,
                attempt: 1,
                provider: 0,
                source: 0,
                stop: 0,
                error: 0,
                split: 0,
                condition,
                state: State::Answered,
                scored: 0xf0 | if right[side] { 0x0f } else { 0 },
                calls: calls as u8,
                opened: 0,
            });
        }
        pair.transitions = [match right {
            [false, true] => Transition::Corrected,
            [true, true] => Transition::Preserved,
            [true, false] => Transition::Broken,
            [false, false] => Transition::Unresolved,
        }; Scorer::ALL.len()];
        pairs.push(pair);
    }
    Table {
        names: Arc::new(names),
        attempts: rows.into_iter().collect(),
        attempt_texts: attempt_texts.texts(),
        questions: questions.into_iter().collect(),
        question_texts: question_texts.texts(),
        pairs: pairs.into_iter().collect(),
        ..Table::default()
    }
}

/// The best time of `runs` runs, after one that warms up: what others do on the machine only ever adds to it.
pub fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    work();
    let mut times: Vec<Duration> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(work());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[0]
}

/// Milliseconds with three digits that count.
pub fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    let digits = if ms >= 100.0 {
        0
    } else if ms >= 10.0 {
        1
    } else {
        3
    };
    format!("{ms:.digits$}")
}

/// The sizes to measure: those given on the command line, else, with nothing given, 2 k, 100 k and 1 M attempts.
pub fn sizes() -> Vec<usize> {
    let given: Vec<usize> = std::env::args().skip(1).filter_map(|a| a.parse().ok()).collect();
    if std::env::args().skip(1).all(|a| a.starts_with('-')) { vec![2_000, 100_000, 1_000_000] } else { given }
}
