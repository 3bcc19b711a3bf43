//! What the figures must hold to whatever stands in a file: names, confidences, numbers of calls, repeats.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use lookitup::figures::{Body, Figure, Id, Scope, figure, group_name};
use lookitup::query::{self, Settings};
use lookitup::record::{Errors, Scorer};
use lookitup::report::{self, Provenance};
use lookitup::stats::{self, By, Group, Level, Options};
use lookitup::store::{Input, OpenOptions, Store, Table};
use proptest::prelude::*;
use serde_json::json;

use crate::support::bench::Bench;

/// Names that are words of the filter language, differ only in signs or case, or are not shown as they are.
const NAMES: [&str; 28] = [
    "m",
    "M",
    "m ",
    "m!",
    "m/m",
    "m-1",
    "m 1",
    "none",
    "None",
    "",
    "*",
    "\"m\"",
    "a\\b",
    "a\\",
    "not m",
    "m or m",
    "(m)",
    "m,n",
    "m..n",
    "/m/",
    "~m",
    "model:m",
    "=cmd|' /C calc'!A0",
    "é",
    "a\tb",
    "e\u{301}",
    "日本語",
    "a\u{202e}b",
];

#[derive(Debug, Clone)]
struct Line {
    question: u8,
    model: usize,
    split: usize,
    run: usize,
    condition: usize,
    /// In billionths.
    confidence: Option<u32>,
    correct: Option<bool>,
    calls: u8,
    failed: bool,
}

fn confidence() -> impl Strategy<Value = Option<u32>> {
    prop_oneof![
        2 => Just(None),
        2 => (0_u32..=20).prop_map(|n| Some(n * 50_000_000)),
        // Next to the edges of bins, where one digit decides.
        2 => (0_u32..=10, -2_i64..=2).prop_map(|(n, d)| {
            Some((i64::from(n) * 100_000_000 + d).clamp(0, 1_000_000_000) as u32)
        }),
        2 => (0_u32..=1_000_000_000).prop_map(Some),
    ]
}

fn line() -> impl Strategy<Value = Line> {
    let who = (0_u8..6, 0..NAMES.len(), 0..NAMES.len(), 0..3_usize, 0..3_usize);
    let what = (confidence(), proptest::option::weighted(0.9, any::<bool>()), 0_u8..5, 0_u8..10);
    (who, what).prop_map(|((question, model, split, run, condition), (confidence, correct, calls, luck))| {
        Line {
            question,
            // Few names a table, so that groups have more than a row; neighbours are alike.
            model: if model % 2 == 0 { model % 4 } else { model / 5 * 5 },
            split: if split % 3 == 0 { split } else { 0 },
            run,
            condition,
            confidence,
            correct,
            calls,
            failed: luck == 0,
        }
    })
}

fn text(lines: &[Line], shift: usize) -> String {
    let mut out = String::new();
    for l in lines {
        let name = |n: usize| NAMES[(n + shift) % NAMES.len()];
        let calls: Vec<_> =
            (0..l.calls).map(|n| json!({"n": n + 1, "kind": "search", "query": "q"})).collect();
        let record = json!({
            "schema": "lookitup.attempt/1",
            "question_id": format!("Q{}", l.question),
            "model": name(l.model),
            "split": name(l.split),
            "run_id": if l.run == 0 { String::new() } else { name(l.run).to_owned() },
            "condition": (["no_search", "with_search", "evidence_blocked"][l.condition]),
            "answer": "a",
            "confidence": l.confidence.map(|c| f64::from(c) / 1e9),
            "correct": l.correct,
            "search_calls": if l.condition == 0 { Vec::new() } else { calls },
            "error": l.failed.then(|| json!({"kind": "rate_limited", "message": "m"})),
        });
        let _ = writeln!(out, "{record}");
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn any_mark_of_any_file_leads_to_exactly_its_rows(
        lines in proptest::collection::vec(line(), 1..80),
        shift in 0..NAMES.len(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("any.jsonl");
        std::fs::write(&file, text(&lines, shift)).unwrap();
        let store = Store::open(vec![Input::Path(file)], OpenOptions::default(), || {});
        let (table, reader) = (store.wait(), store.reader());
        let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
        let never = AtomicBool::new(false);
        let scorer = Scorer::Recorded;
        let mut known: HashMap<String, u64> = HashMap::new();
        for by in By::ALL {
            for errors in Errors::ALL {
                let options = Options { scorer, errors, by, ..Options::default() };
                let groups = stats::groups(&table, &rows, &options, &never).unwrap();
                prop_assert_eq!(groups.iter().map(|g| g.rows).sum::<u64>(), rows.len() as u64);
                for group in &groups {
                    let scope = Scope::of(group, &groups, errors);
                    for mark in Id::ALL.into_iter().flat_map(|id| figure(id, group, &scope).marks) {
                        let name = format!("{:?} {by:?} {errors:?} {}: {}", group_name(group), mark.label, mark.term);
                        let found = known.entry(mark.term.clone()).or_insert_with(|| {
                            let expr = query::parse(&mark.term).unwrap_or_else(|e| panic!("{name}: {}", e.message));
                            query::run(&table, &reader, &expr, &Settings { scorer }, &never, &mut |_| {})
                                .unwrap()
                                .len() as u64
                        });
                        prop_assert_eq!(*found, mark.n, "{}", name);
                    }
                }
                // No group is lost in a report, whatever its name is.
                let provenance = Provenance::of(&table, &rows, "", scorer, errors, &never).unwrap();
                let json = report::json(&groups, &provenance);
                prop_assert_eq!(json.as_object().unwrap().len(), groups.len());
            }
        }
    }
}

#[test]
fn groups_of_one_name_stay_apart_in_every_report() {
    let group =
        |model: &str, split: &str| Group { model: model.into(), split: split.into(), ..Group::default() };
    let groups = [group("a", "b/c"), group("a/b", "c"), group("x", ""), group("x", "no split")];
    let never = AtomicBool::new(false);
    let provenance =
        Provenance::of(&Table::default(), &[], "", Scorer::Recorded, Errors::Drop, &never).unwrap();
    let json = report::json(&groups, &provenance);
    let fields = json.as_object().unwrap();
    assert_eq!(fields.keys().collect::<Vec<_>>(), ["a/b/c", "a/b/c (2)", "x/no split", "x/no split (2)"]);
    assert_eq!(fields["a/b/c (2)"]["model"], "a/b");
}

#[test]
fn no_two_groups_share_a_file_and_every_name_is_one() {
    let long = "\u{20000}".repeat(300);
    let names = ["x", "x-3", "x~", "X", "x-2", "../x", "", "..", &long, &format!("{long}!")];
    let stems = report::file_stems(names.into_iter());
    let mut different = stems.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), names.len(), "{stems:?}");
    assert_eq!(stems[..3], ["x", "x-3", "x-2"]);
    for stem in &stems {
        assert!(stem.len() < 200 && !stem.contains('/') && !stem.starts_with('.'), "{stem}");
    }
}

#[test]
fn a_wide_tie_is_followed_by_bins_of_full_mass() {
    let level = |confidence: u32, right: u64| Level { confidence, right, wrong: 0 };
    // Half of the answers say the same; five tenths are left for the other fifty.
    let levels: Vec<Level> =
        std::iter::once(level(0, 50)).chain((1..=50).map(|n| level(n * 10_000_000, 1))).collect();
    let sizes: Vec<u64> = stats::calibration(&levels, 0).mass_bins.iter().map(|b| b.n).collect();
    assert_eq!(sizes, [50, 10, 10, 10, 10, 10]);
}

#[test]
fn questions_without_a_text_are_parted_by_their_ids() {
    let mut text = String::new();
    for n in 0..200 {
        for condition in ["no_search", "with_search"] {
            let record = json!({"question_id": format!("Q{n}"), "model": "m", "condition": condition, "answer": "a",
                "confidence": f64::from(n % 10) / 10.0, "correct": n % 3 == 0});
            let _ = writeln!(text, "{record}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("any.jsonl");
    std::fs::write(&file, text).unwrap();
    let table = Store::open(vec![Input::Path(file)], OpenOptions::default(), || {}).wait();
    let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
    let options = Options { scorer: Scorer::Recorded, ..Options::default() };
    let groups = stats::groups(&table, &rows, &options, &AtomicBool::new(false)).unwrap();
    assert!(groups[0].gating.cross_validated.is_some());
}

#[test]
fn the_group_looked_at_stays_when_others_go() {
    let mut bench = Bench::sample((120, 40));
    bench.press("f");
    let name = |bench: &Bench| bench.model.figures.shown[0].name.clone();
    assert_eq!(name(&bench), "sim-large/static");
    // The dynamic split has no pair: with the broken ones alone its groups are gone, and numbers are others.
    bench.press("3");
    assert_eq!((name(&bench).as_str(), bench.model.figures.group), ("sim-large/static", 0));
    bench.press("3");
    assert_eq!((name(&bench).as_str(), bench.model.figures.group), ("sim-large/static", 1));
    bench.press("v 3");
    assert_eq!(bench.model.figures.shown[1].name, "sim-small/static");
    // One that is gone is found again.
    bench.press("3 v N");
    assert_eq!(name(&bench), "sim-large/dynamic");
    bench.press("3 3");
    assert_eq!(name(&bench), "sim-large/dynamic");
}

#[test]
fn a_curve_of_many_points_is_thinned_for_the_screen() {
    let levels: Vec<Level> = (0..100_000).map(|n| Level { confidence: n, right: 1, wrong: 1 }).collect();
    let mut group = Group { rows: 200_000, ..Group::default() };
    group.coverage[0] = stats::coverage(&levels);
    let mut whole = figure(Id::Coverage, &group, &Scope::default());
    let before = whole.clone();
    whole.thin(2_000);
    let points = |f: &Figure| match &f.body {
        Body::Plot { series, .. } => series[0].points.clone(),
        _ => panic!(),
    };
    let (all, kept) = (points(&before), points(&whole));
    assert_eq!(all.len(), 100_000);
    assert!(kept.len() < 2_300, "{}", kept.len());
    assert_eq!((kept.first(), kept.last()), (all.first(), all.last()));
    let marked = |points: &[lookitup::figures::Point]| points.iter().filter(|p| p.mark.is_some()).count();
    assert_eq!(marked(&kept), marked(&all));
}

#[test]
fn the_same_question_to_another_model_is_no_repeat() {
    let record = |model: &str, n: u32| {
        json!({"question_id": "Q", "model": model, "condition": "no_search", "attempt": n, "answer": model,
            "correct": model == "a"})
    };
    let open = |lines: &[serde_json::Value]| {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("any.jsonl");
        std::fs::write(&file, lines.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")).unwrap();
        let table = Store::open(vec![Input::Path(file)], OpenOptions::default(), || {}).wait();
        let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
        let options = Options { scorer: Scorer::Recorded, by: By::All, ..Options::default() };
        stats::groups(&table, &rows, &options, &AtomicBool::new(false)).unwrap()[0].repeats[0].clone()
    };
    assert_eq!(open(&[record("a", 1), record("b", 1)]), None);
    let two = open(&[record("a", 1), record("b", 1), record("a", 2), record("b", 2)]).unwrap();
    assert_eq!((two.questions, two.attempts, two.mixed), (2, 4, 0));
    assert!(two.flip_rate.abs() < 1e-12 && (two.distinct_answers - 1.0).abs() < 1e-12);
}

#[test]
fn a_picture_of_a_long_curve_is_no_long_file() {
    let levels: Vec<Level> = (0..100_000).map(|n| Level { confidence: n, right: 1, wrong: 1 }).collect();
    let mut group = Group { rows: 200_000, ..Group::default() };
    group.coverage[0] = stats::coverage(&levels);
    let whole = figure(Id::Coverage, &group, &Scope::default());
    let picture = report::svg::svg(&whole, "m", report::svg::Colours::Light).unwrap();
    assert!(picture.len() < 100_000, "{}", picture.len());
}
