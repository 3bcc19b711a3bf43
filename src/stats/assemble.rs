//! From rows to groups of figures: one pass, on the machine's cores.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::record::Condition;
use crate::store::{NO, PairRow, Table};

use super::bootstrap::{Classes, Cluster};
use super::calibration::{Level, calibration};
use super::count::{Before, Counts, Key, Seen};
use super::coverage::coverage;
use super::gating::{Gate, gating};
use super::groups::{By, CALL_PRICE, Cost, Group, Invocation, Options};
use super::intervals::Share;
use super::mcnemar::mcnemar_exact;
use super::repeats::{Question, Repeated, repeated};
use super::spread::spread;
use super::summary::Net;

/// Rows that one thread takes at a time.
const PIECE: usize = 1 << 16;
/// Fewer rows than this are counted faster by one thread.
const ALONE: usize = 1 << 15;

type Found = HashMap<Key, Box<Counts>, foldhash::fast::RandomState>;

/// The figures of `rows` (numbers of pairs, each once, in any order), group by group in the order of their names.
/// `None` when `cancel` was set.
///
/// One pass over the columns on the machine's cores; the same rows in any order give the same figures.
pub fn groups(table: &Table, rows: &[u32], options: &Options, cancel: &AtomicBool) -> Option<Vec<Group>> {
    let found = counted(table, rows, options, cancel)?;
    // Numbers follow the order in which names were met, which is no order to show.
    let mut named = BTreeMap::new();
    for (key, counts) in found {
        let word = |w: Option<&str>| w.unwrap_or_default().to_owned();
        let name = (
            word(table.names.models.word(key.model)),
            word(table.names.splits.word(key.split)),
            word(table.names.runs.word(key.run)),
        );
        named.insert((name, key), counts);
    }
    let mut groups = Vec::with_capacity(named.len());
    for (((model, split, run), _), counts) in named {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let names = Group {
            model,
            split,
            run: (options.by == By::Run).then_some(run),
            whole: options.by == By::All,
            ..Group::default()
        };
        groups.push(finish(table, names, *counts, options));
    }
    Some(groups)
}

fn counted(table: &Table, rows: &[u32], options: &Options, cancel: &AtomicBool) -> Option<Found> {
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get).min(8);
    let pieces = Mutex::new(rows.chunks(PIECE));
    let work = || {
        let mut found = Found::default();
        loop {
            let piece = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
            let Some(piece) = piece.filter(|_| !cancel.load(Ordering::Relaxed)) else { return found };
            count(table, piece, options, &mut found);
        }
    };
    let mut all = if rows.len() < ALONE || threads == 1 {
        work()
    } else {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
            let mut all = work();
            for other in others {
                let found = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for (key, counts) in found {
                    match all.entry(key) {
                        Entry::Occupied(mut own) => own.get_mut().merge(*counts),
                        Entry::Vacant(place) => {
                            place.insert(counts);
                        }
                    }
                }
            }
            all
        })
    };
    if cancel.load(Ordering::Relaxed) {
        return None;
    }
    for counts in all.values_mut() {
        // By question; which thread came first must not show.
        if !counts.seen.is_sorted() {
            counts.seen.sort_unstable();
        }
    }
    Some(all)
}

fn count(table: &Table, rows: &[u32], options: &Options, found: &mut Found) {
    let mut last: Option<(Key, Box<Counts>)> = None;
    for &row in rows {
        let Some(pair) = table.pairs.get(row as usize) else { continue };
        let key = match options.by {
            By::All => Key::default(),
            By::Model => Key { model: pair.model, split: table.split(pair), run: 0 },
            By::Run => Key { model: pair.model, split: table.split(pair), run: pair.run },
        };
        // Neighbours are mostly of one group: it is held in the hand, not looked up.
        let counts = match &mut last {
            Some((held, counts)) if *held == key => counts,
            _ => {
                if let Some((key, counts)) = last.take() {
                    found.insert(key, counts);
                }
                let counts = found.remove(&key).unwrap_or_default();
                &mut last.insert((key, counts)).1
            }
        };
        counts.add(table, row, pair, options.scorer);
    }
    if let Some((key, counts)) = last {
        found.insert(key, counts);
    }
}

fn finish(table: &Table, names: Group, counts: Counts, options: &Options) -> Group {
    let before = counts.before_levels();
    let levels: [Vec<Level>; 3] = Condition::ALL.map(|c| match c {
        Condition::NoSearch => before
            .iter()
            .map(|(confidence, b)| Level { confidence: *confidence, right: b.level[1], wrong: b.level[0] })
            .collect(),
        other => counts.levels(other),
    });
    let mut by_bin = [[0; 5]; 10];
    let mut binned = 0;
    for (confidence, b) in &before {
        binned += b.gate.n;
        let Some(bin) = by_bin.get_mut((confidence / (super::bins::ONE / 10)).min(9) as usize) else {
            continue;
        };
        for (own, n) in bin.iter_mut().zip(b.transitions) {
            *own += n;
        }
    }
    let folds: Vec<Vec<Gate>> = counts.before.iter().map(|part| gates(part.iter())).collect();
    let gained_in_gates = before.iter().map(|(_, b)| b.gained).sum();
    let pairs = counts.transitions.iter().take(5).sum::<u64>();
    let net = net(&counts, pairs);
    let paired = pairs > 0;
    let [corrected, preserved, ..] = counts.transitions;
    let price = options.prices.get(&names.model).copied().unwrap_or(CALL_PRICE);
    let usd = counts.calls as f64 * price;
    let per = |n: u64| (n > 0).then(|| usd / n as f64);
    let [none, one, two, more] = counts.invoked;
    let queries = none + one + two + more;
    let strict = if paired { corrected } else { counts.right_after_call };
    let repeats = if counts.seen.windows(2).any(|w| matches!(w, [a, b] if a.question == b.question)) {
        Condition::ALL.map(|c| repeats(table, &counts.seen, c, options))
    } else {
        [None, None, None]
    };
    let missing = counts.silent;
    Group {
        rows: counts.rows,
        attempts: counts.attempts.iter().take(2).sum(),
        errors: counts.errors.iter().take(2).sum(),
        pairs,
        accuracy: counts.judged.map(|j| j.accuracy(options.errors)),
        calibration: Condition::ALL.map(|c| {
            let of = |l: &Vec<Level>| calibration(l, missing.get(c as usize).copied().unwrap_or(0));
            levels.get(c as usize).map(of).unwrap_or_default()
        }),
        coverage: levels.each_ref().map(|l| coverage(l)),
        by_calls: counts.by_calls.map(|[wrong, right]| Share { part: right, whole: wrong + right }),
        transitions: counts.transitions,
        not_searched: counts.not_searched,
        by_bin,
        no_bin: pairs.saturating_sub(binned),
        gating: gating(&folds, gained_in_gates),
        net,
        mcnemar: mcnemar_exact(counts.gained, counts.lost),
        gained: counts.gained,
        lost: counts.lost,
        invocation: Invocation {
            queries,
            searched: one + two + more,
            one,
            two,
            more,
            calls: counts.calls,
            capped: counts.capped,
        },
        cost: Cost {
            price,
            usd,
            calls_per_query: (queries > 0).then(|| counts.calls as f64 / queries as f64),
            per_query: per(queries),
            strict: per(strict),
            inclusive: if paired { per(corrected + preserved) } else { None },
            recorded: (counts.cost.0, counts.cost.1 as f64 / 1e8),
        },
        changes: counts.changes.map(|map| {
            let mut changes: Vec<(i32, u64)> = map.into_iter().collect();
            changes.sort_unstable();
            spread(&changes)
        }),
        repeats,
        ..names
    }
}

fn gates<'a>(part: impl Iterator<Item = (&'a u32, &'a Before)>) -> Vec<Gate> {
    let gates = part.filter(|(_, b)| b.gate.n > 0).map(|(c, b)| Gate { confidence: *c, ..b.gate });
    let mut gates: Vec<Gate> = gates.collect();
    gates.sort_unstable_by_key(|g| g.confidence);
    gates
}

/// The net effect with its interval over questions.
fn net(counts: &Counts, pairs: u64) -> Option<Net> {
    let mut classes = Classes::default();
    for rows in counts.seen.chunk_by(|a, b| a.question == b.question) {
        let mut cluster = Cluster::default();
        for row in rows {
            cluster.pairs += u32::from(row.pairs);
            cluster.sum += i32::from(row.difference);
        }
        classes.add(cluster);
    }
    let (low, high) = classes.interval()?;
    Some(Net {
        delta: (counts.gained as f64 - counts.lost as f64) / pairs as f64,
        low,
        high,
        p: mcnemar_exact(counts.gained, counts.lost),
        gained: counts.gained,
        lost: counts.lost,
    })
}

/// What the repeats of the questions say, under one condition; `rows` by question.
fn repeats(table: &Table, rows: &[Seen], condition: Condition, options: &Options) -> Option<Repeated> {
    let scorer = options.scorer;
    let mut questions = Vec::new();
    let mut answers: HashMap<&str, u64, foldhash::fast::RandomState> = HashMap::default();
    let mut by_model: Vec<&PairRow> = Vec::new();
    for rows in rows.chunk_by(|a, b| a.question == b.question).filter(|r| r.len() > 1) {
        by_model.clear();
        by_model.extend(rows.iter().filter_map(|r| table.pairs.get(r.row as usize)));
        // What another model answers is no repeat.
        if options.by == By::All {
            by_model.sort_by_key(|p| p.model);
        }
        for pairs in by_model.chunk_by(|a, b| a.model == b.model) {
            answers.clear();
            let mut question = Question::default();
            for pair in pairs {
                let Some(attempt) = table.side(pair, condition) else { continue };
                let Some(right) = attempt.verdict(scorer).correct() else { continue };
                question.n += 1;
                question.right += u64::from(right);
                let at = pair.sides.get(condition as usize).copied().unwrap_or(NO);
                if let Some(answer) = table.attempt_texts.part(at, 0).filter(|a| !a.is_empty()) {
                    *answers.entry(answer).or_default() += 1;
                }
            }
            question.answers = answers.values().sum();
            question.distinct = answers.len() as u64;
            question.most = answers.values().copied().max().unwrap_or(0);
            questions.push(question);
        }
    }
    repeated(&questions)
}
