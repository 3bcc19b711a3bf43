//! Figures: against the golden sets, and what must hold for any rows.

use lookitup::record::{Condition, Scorer, State, Transition};
use lookitup::score::{Refs, scored};
use lookitup::stats::{
    Accuracy, Binning, Bins, Errors, Share, Summary, bins, mcnemar_exact, summary, wald_half_width, wilson,
};
use lookitup::store::{AttemptRow, Input, NO, OpenOptions, PairRow, QuestionRow, Store, Table};
use proptest::prelude::*;
use serde_json::Value;

use crate::common;

fn with_transitions(mut table: Table) -> Table {
    for at in 0..table.pairs.len() {
        let pair = *table.pairs.get(at).unwrap();
        table.pairs.get_mut(at).unwrap().transitions = Scorer::ALL.map(|s| table.transition(&pair, s));
    }
    table
}

fn empty_row() -> AttemptRow {
    AttemptRow {
        offset: 0,
        len: 0,
        print: 0,
        pair: NO,
        confidence: NO,
        latency_ms: NO,
        cost: NO,
        tokens: NO,
        file: 0,
        model: 0,
        run: 0,
        attempt: 1,
        provider: 0,
        source: 0,
        stop: 0,
        error: 0,
        split: 0,
        condition: Condition::NoSearch,
        state: State::Answered,
        scored: 0,
        calls: 0,
        opened: 0,
    }
}

fn rows(table: &Table) -> Vec<u32> {
    (0..table.pairs.len() as u32).collect()
}

#[track_caller]
fn close(ours: Option<f64>, theirs: &Value, what: &str) {
    match (ours, theirs.as_f64()) {
        (Some(a), Some(b)) => assert!((a - b).abs() <= 1e-9, "{what}: {a} and {b}"),
        (a, b) => assert_eq!(a, b, "{what}"),
    }
}

#[track_caller]
fn same_accuracy(ours: &Accuracy, theirs: &Value, what: &str) {
    assert_eq!(ours.answered, theirs["n"], "{what}");
    assert_eq!(ours.right, theirs["correct"], "{what}");
    close(ours.value(), &theirs["accuracy"], what);
    close(ours.wilson().map(|w| w.0), &theirs["wilson95"][0], what);
    close(ours.wilson().map(|w| w.1), &theirs["wilson95"][1], what);
    close(ours.wald_half_width(), &theirs["wald95_half_width"], what);
}

/// The five transitions that the golden files count.
fn same_transitions(ours: &[u64; 7], theirs: &Value, what: &str) {
    for transition in &Transition::ALL[..5] {
        assert_eq!(ours[*transition as usize], theirs[transition.name()], "{what} {}", transition.name());
    }
}

fn same_bins(ours: &Bins, theirs: &Value, what: &str) {
    if theirs["n"] == 0 {
        assert!(ours.bins.iter().all(|b| b.answered == 0), "{what}");
        return;
    }
    assert_eq!(ours.bins.iter().map(|b| b.answered).sum::<u64>(), theirs["n"], "{what}");
    assert_eq!(ours.bins.len(), 10);
    for (ours, theirs) in ours.bins.iter().zip(theirs["bins"].as_array().unwrap()) {
        assert_eq!(ours.answered, theirs["n"], "{what}");
        close(ours.accuracy(), &theirs["accuracy"], what);
        close(ours.mean_confidence, &theirs["mean_confidence"], what);
    }
}

#[test]
fn golden_sets_give_the_golden_figures() {
    for set in ["haiku", "edge"] {
        let (Some(results), Some(expected)) = (
            common::beside(&format!("golden/{set}.results.jsonl")),
            common::beside(&format!("golden/{set}.expected.json")),
        ) else {
            return;
        };
        let table = Store::open(vec![Input::Path(results)], OpenOptions::default(), || {}).wait();
        let expected: Value = serde_json::from_str(&std::fs::read_to_string(expected).unwrap()).unwrap();
        for (group, figures) in expected.as_object().unwrap() {
            let rows: Vec<u32> = rows(&table)
                .into_iter()
                .filter(|&row| {
                    let pair = table.pairs.get(row as usize).unwrap();
                    let model = table.names.models.word(pair.model).unwrap();
                    let split = table.names.splits.word(table.split(pair)).unwrap();
                    *group == format!("{model}/{split}")
                })
                .collect();
            let s = summary(&table, &rows, Scorer::Recorded, Errors::Drop);
            same_accuracy(&s.no, &figures["no_search"], group);
            same_accuracy(&s.with, &figures["with_search"], group);
            assert_eq!(s.no.left_out + s.with.left_out, figures["errors"], "{group}");
            assert_eq!(s.pairs, figures["pairs"], "{group}");
            assert_eq!(s.searched, figures["transitions"]["searched"], "{group}");
            same_transitions(&s.transitions, &figures["transitions"]["counts"], group);
            let p = s.net.map_or(1.0, |n| n.p);
            close(Some(p), &figures["mcnemar"]["exact_p"], group);
            let exact = figures["mcnemar"]["exact_p"].as_f64().unwrap();
            assert!((p / exact - 1.0).abs() < 1e-9, "{group}: {p} and {exact}");
            assert_eq!(s.net.map_or(0, |n| n.gained), figures["mcnemar"]["gained"], "{group}");
            assert_eq!(s.net.map_or(0, |n| n.lost), figures["mcnemar"]["lost"], "{group}");
            let by_no = bins(&table, &rows, Scorer::Recorded, Condition::NoSearch, Binning::Ten);
            let by_with = bins(&table, &rows, Scorer::Recorded, Condition::WithSearch, Binning::Ten);
            same_bins(&by_no, &figures["calibration"]["no_search"], group);
            same_bins(&by_with, &figures["calibration"]["with_search"], group);
            let by_bin = figures["transitions"]["by_confidence_bin"].as_array().unwrap();
            for (ours, theirs) in by_no.bins.iter().zip(by_bin) {
                same_transitions(&ours.transitions, theirs, group);
            }
        }
        if set == "haiku" {
            let harm = summary(&table, &rows(&table), Scorer::Recorded, Errors::Drop);
            // Published for the same counts: 4.3 % of the searched, 10.7 % [7.4, 15.2] of those right before.
            assert_eq!(harm.harm_of_searched, Share { part: 26, whole: 607 });
            assert_eq!(harm.harm_of_right_before, Share { part: 26, whole: 244 });
            let (low, high) = harm.harm_of_right_before.wilson().unwrap();
            assert_eq!((format!("{low:.3}"), format!("{high:.3}")), ("0.074".into(), "0.152".into()));
        }
    }
}

#[test]
fn wilson_at_the_ends() {
    assert_eq!(wilson(0, 0), None);
    assert_eq!(wald_half_width(0, 0), None);
    assert!(wilson(0, 10).is_some_and(|(low, high)| low <= 0.0 && (high - 0.277_532_8).abs() < 1e-6));
    assert!(wilson(10, 10).is_some_and(|(low, high)| (low - 0.722_467_2).abs() < 1e-6 && high >= 1.0));
}

#[test]
fn mcnemar_in_every_size() {
    for (b, c, p) in [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (5, 5, 1.0),
        (0, 5, 0.0625),
        (3, 9, 0.145_996_093_75),
        (17, 8, 0.107_752_144_336_700_44),
        (287, 26, 8.597_537_071_023_214e-57),
    ] {
        let ours = mcnemar_exact(b, c);
        assert!((ours / p - 1.0).abs() < 1e-10, "{b} {c}: {ours}");
    }
    // From exact arithmetic with whole numbers.
    for (b, c, p) in MCNEMAR_LARGE {
        let ours = mcnemar_exact(b, c);
        assert!((ours / p - 1.0).abs() < 1e-9, "{b} {c}: {ours}");
    }
    assert!(mcnemar_exact(200_000, 100) <= 0.0);
}

#[test]
fn three_tenths_are_in_the_fourth_bin() {
    let sides: Vec<Side> = [0.0, 0.1, 0.3, 0.7, 0.999_999, 1.0]
        .iter()
        .map(|c| Side { right: Some(true), confidence: Some(*c), calls: 0 })
        .collect();
    let table = table_of_sides(
        &sides.iter().map(|s| Row { question: 0, no: Some(*s), with: None }).collect::<Vec<_>>(),
    );
    let found = bins(&table, &rows(&table), Scorer::Recorded, Condition::NoSearch, Binning::Ten);
    let counts: Vec<u64> = found.bins.iter().map(|b| b.n).collect();
    assert_eq!(counts, [1, 1, 0, 1, 0, 0, 0, 1, 0, 2]);
    let found = bins(&table, &rows(&table), Scorer::Recorded, Condition::NoSearch, Binning::Distinct);
    let values: Vec<f64> = found.bins.iter().map(|b| b.lo).collect();
    assert_eq!(values, [0.0, 0.1, 0.3, 0.7, 0.999_999, 1.0]);
}

#[test]
fn errors_are_left_out_or_wrong() {
    let side = |right| Some(Side { right, confidence: None, calls: 1 });
    let table = table_of_sides(&[
        Row { question: 0, no: side(Some(true)), with: side(Some(true)) },
        Row { question: 1, no: side(None), with: side(Some(true)) },
        Row { question: 2, no: None, with: side(None) },
    ]);
    let dropped = summary(&table, &rows(&table), Scorer::Recorded, Errors::Drop);
    assert_eq!(dropped.no, Accuracy { right: 1, answered: 1, left_out: 1 });
    assert_eq!(dropped.with, Accuracy { right: 2, answered: 2, left_out: 1 });
    let wrong = summary(&table, &rows(&table), Scorer::Recorded, Errors::Wrong);
    assert_eq!(wrong.no, Accuracy { right: 1, answered: 2, left_out: 0 });
    assert_eq!(wrong.with, Accuracy { right: 2, answered: 3, left_out: 0 });
    assert_eq!(wrong.transitions, dropped.transitions);
    assert_eq!(wrong.net, dropped.net);
    assert_eq!(dropped.count(Transition::Incomplete), 1);
    assert_eq!(dropped.count(Transition::Unpaired), 1);
}

#[test]
fn nothing_gives_nothing() {
    let empty = Table::default();
    let s = summary(&empty, &[], Scorer::Normalized, Errors::Drop);
    assert_eq!((s.rows, s.pairs, s.net), (0, 0, None));
    assert_eq!((s.no.value(), s.harm_of_searched.value()), (None, None));
    assert!(s.is_small());
    // Numbers of an older table are no reason to stop.
    assert_eq!(summary(&empty, &[3, 9], Scorer::Normalized, Errors::Drop), s);
    assert_eq!(bins(&empty, &[1], Scorer::Strict, Condition::WithSearch, Binning::Distinct), Bins::default());
}

#[test]
fn one_pair_and_equal_pairs_have_an_interval_of_no_width() {
    let side = |right| Some(Side { right: Some(right), confidence: None, calls: 1 });
    for count in [1, 30] {
        let all: Vec<Row> =
            (0..count).map(|question| Row { question, no: side(false), with: side(true) }).collect();
        let table = table_of_sides(&all);
        let net = summary(&table, &rows(&table), Scorer::Recorded, Errors::Drop).net.unwrap();
        assert_eq!((net.delta, net.low, net.high), (1.0, 1.0, 1.0));
    }
}

/// The bootstrap drawn question by question: what the classes must agree with.
fn plain_bootstrap(questions: &[(i32, u32)]) -> (f64, f64) {
    let mut state = 99_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    let mut means: Vec<f64> = (0..20_000)
        .map(|_| {
            let (mut sum, mut pairs) = (0, 0);
            for _ in questions {
                let (s, n) = questions[next() % questions.len()];
                sum += s;
                pairs += n;
            }
            f64::from(sum) / f64::from(pairs)
        })
        .collect();
    means.sort_by(f64::total_cmp);
    (means[500], means[19_500])
}

#[test]
fn the_interval_is_that_of_drawing_questions_one_by_one() {
    let side = |right| Some(Side { right: Some(right), confidence: None, calls: 1 });
    // 300 questions; every third has three pairs that go the same way.
    let mut all = Vec::new();
    let mut questions = vec![(0, 0); 300];
    for question in 0..300 {
        let (no, with) =
            [(false, true), (true, true), (false, false), (true, false), (false, true)][question % 5];
        for _ in 0..if question % 3 == 0 { 3 } else { 1 } {
            all.push(Row { question: question as u32, no: side(no), with: side(with) });
            questions[question].0 += i32::from(with) - i32::from(no);
            questions[question].1 += 1;
        }
    }
    let table = table_of_sides(&all);
    let net = summary(&table, &rows(&table), Scorer::Recorded, Errors::Drop).net.unwrap();
    let (low, high) = plain_bootstrap(&questions);
    assert!((net.low - low).abs() < 0.012, "{} {low}", net.low);
    assert!((net.high - high).abs() < 0.012, "{} {high}", net.high);
    assert!(net.low < net.delta && net.delta < net.high);
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Side {
    /// `None`: in error.
    pub(crate) right: Option<bool>,
    pub(crate) confidence: Option<f64>,
    pub(crate) calls: u8,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) question: u32,
    pub(crate) no: Option<Side>,
    pub(crate) with: Option<Side>,
}

pub(crate) fn table_of_sides(list: &[Row]) -> Table {
    let mut table = Table::default();
    for row in list {
        while table.questions.len() <= row.question as usize {
            table.questions.push(QuestionRow {
                offset: 0,
                len: 0,
                file: 0,
                split: 0,
                topic: 0,
                key_date: 0,
                first_pair: NO,
                text_hash: 0,
            });
        }
        let mut sides = [NO; 3];
        for (n, side) in [row.no, row.with].into_iter().enumerate() {
            let Some(side) = side else { continue };
            sides[n] = table.attempts.len() as u32;
            table.attempts.push(AttemptRow {
                confidence: AttemptRow::pack_confidence(side.confidence),
                state: if side.right.is_some() { State::Answered } else { State::Error },
                scored: scored(None, &Refs::default(), side.right),
                calls: side.calls,
                ..empty_row()
            });
        }
        table.pairs.push(PairRow {
            question: row.question,
            sides,
            next: NO,
            model: 0,
            run: 0,
            attempt: 1,
            transitions: [Transition::Unpaired; 4],
        });
    }
    with_transitions(table)
}

fn side() -> impl Strategy<Value = Option<Side>> {
    let confidence = prop_oneof![
        1 => Just(None),
        3 => proptest::sample::select(vec![0.0, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 1.0]).prop_map(Some),
    ];
    let side = (proptest::option::weighted(0.9, any::<bool>()), confidence, 0_u8..4);
    proptest::option::weighted(
        0.9,
        side.prop_map(|(right, confidence, calls)| Side { right, confidence, calls }),
    )
}

pub(crate) fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    proptest::collection::vec(
        (0_u32..12, side(), side()).prop_map(|(question, no, with)| Row { question, no, with }),
        0..40,
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn counts_add_up(list in any_rows()) {
        let table = table_of_sides(&list);
        let all = rows(&table);
        let s: Summary = summary(&table, &all, Scorer::Recorded, Errors::Drop);
        prop_assert_eq!(s.rows, list.len() as u64);
        prop_assert_eq!(s.transitions.iter().sum::<u64>(), s.rows);
        prop_assert_eq!(s.no.answered + s.no.left_out, list.iter().filter(|r| r.no.is_some()).count() as u64);
        prop_assert_eq!(s.with.answered + s.with.left_out, list.iter().filter(|r| r.with.is_some()).count() as u64);
        let wrong = summary(&table, &all, Scorer::Recorded, Errors::Wrong);
        prop_assert_eq!(wrong.no.answered, s.no.answered + s.no.left_out);
        prop_assert_eq!(wrong.no.right, s.no.right);
        prop_assert_eq!(s.net.is_some(), s.pairs > 0);
        if let Some(net) = s.net {
            prop_assert!(net.low <= net.high && (-1.0..=1.0).contains(&net.low) && (-1.0..=1.0).contains(&net.high));
            prop_assert!((0.0..=1.0).contains(&net.p));
        }
        for condition in [Condition::NoSearch, Condition::WithSearch] {
            let of = |r: &Row| if condition == Condition::NoSearch { r.no } else { r.with };
            for binning in [Binning::Ten, Binning::Distinct] {
                let found = bins(&table, &all, Scorer::Recorded, condition, binning);
                let n: u64 = found.bins.iter().map(|b| b.n).sum();
                prop_assert_eq!(n + found.missing, list.iter().filter(|r| of(r).is_some()).count() as u64);
                for bin in found.bins {
                    prop_assert!(bin.lo <= bin.hi && bin.right <= bin.answered && bin.answered <= bin.n);
                    prop_assert_eq!(bin.transitions.iter().sum::<u64>(), bin.n);
                    prop_assert!(bin.mean_confidence.is_none_or(|m| m >= bin.lo - 1e-12 && m <= bin.hi + 1e-12));
                }
            }
        }
    }

    #[test]
    fn the_order_of_rows_changes_nothing(list in any_rows(), seed in any::<u64>()) {
        let table = table_of_sides(&list);
        let all = rows(&table);
        let mut mixed = all.clone();
        mixed.sort_by_key(|&r| (u64::from(r) + 1).wrapping_mul(seed | 1).rotate_left(17));
        let of = |rows: &[u32]| summary(&table, rows, Scorer::Recorded, Errors::Drop);
        prop_assert_eq!(of(&all), of(&mixed));
        let of = |rows: &[u32]| bins(&table, rows, Scorer::Recorded, Condition::NoSearch, Binning::Ten);
        prop_assert_eq!(of(&all), of(&mixed));
    }

    #[test]
    fn few_rows_of_many_questions_give_what_they_give_alone(list in any_rows()) {
        let table = table_of_sides(&list);
        let mut padded = table.clone();
        for _ in 0..2_000 {
            let last = *padded.questions.get(0).unwrap_or(&QuestionRow {
                offset: 0, len: 0, file: 0, split: 0, topic: 0, key_date: 0, first_pair: NO, text_hash: 0,
            });
            padded.questions.push(last);
        }
        let of = |t: &Table| summary(t, &rows(t), Scorer::Recorded, Errors::Drop);
        prop_assert_eq!(of(&table), of(&padded));
    }

    #[test]
    fn wilson_holds_the_share(n in 1_u64..5_000, part in 0.0..=1.0_f64) {
        let k = (n as f64 * part) as u64;
        let (low, high) = wilson(k, n).unwrap();
        let p = k as f64 / n as f64;
        prop_assert!(0.0 <= low && low <= p && p <= high && high <= 1.0);
    }

    #[test]
    fn mcnemar_is_symmetric_and_a_probability(b in 0_u64..3_000, c in 0_u64..3_000) {
        let p = mcnemar_exact(b, c);
        prop_assert_eq!(p.to_bits(), mcnemar_exact(c, b).to_bits());
        prop_assert!((0.0..=1.0).contains(&p));
    }
}

/// (b, c, p).
const MCNEMAR_LARGE: [(u64, u64, f64); 6] = [
    (500, 450, 0.111_838_645_141_578_79),
    (1000, 700, 3.585_261_571_938_524_5e-13),
    (5000, 4800, 0.044_404_148_799_846_29),
    (2, 1000, 2.344_843_506_761_707_5e-296),
    (1000, 999, 1.0),
    (20000, 19600, 0.044_956_292_566_404_994),
];

#[test]
fn a_bin_is_overconfident_only_beyond_chance() {
    let bin = |right, answered, stated| lookitup::stats::Bin {
        right,
        answered,
        mean_confidence: Some(stated),
        ..lookitup::stats::Bin::default()
    };
    // Wilson for 20 of 40: 0.352 to 0.648.
    assert!(bin(20, 40, 0.66).is_overconfident());
    assert!(!bin(20, 40, 0.64).is_overconfident());
    assert!(!bin(20, 40, 0.1).is_overconfident(), "too little is not too much");
    assert!(!bin(0, 0, 0.9).is_overconfident());
}
