//! Every figure: against the golden sets, against hand-made values, and what must hold for any rows.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lookitup::figures::{Body, Figure, Id, Scope, figure, flat, group_name};
use lookitup::query::{self, Settings};
use lookitup::record::{Condition, Errors, Scorer};
use lookitup::report::{self, Provenance};
use lookitup::stats::{self, By, Gate, Group, Level, Options};
use lookitup::store::{Input, OpenOptions, Reader, Store, Table};
use proptest::prelude::*;
use serde_json::Value;

use crate::common::beside;
use crate::stats::{Row, Side, any_rows, table_of_sides};
use crate::support::bench::Bench;

fn groups(table: &Table, options: &Options) -> Vec<Group> {
    let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
    stats::groups(table, &rows, options, &AtomicBool::new(false)).unwrap()
}

fn recorded() -> Options {
    Options { scorer: Scorer::Recorded, ..Options::default() }
}

fn golden(set: &str) -> Option<(Arc<Table>, Reader, Store)> {
    let results = beside(&format!("golden/{set}.results.jsonl"))?;
    let store = Store::open(vec![Input::Path(results)], OpenOptions::default(), || {});
    Some((store.wait(), store.reader(), store))
}

/// Everything that `theirs` has, to 1e-9; answers how many numbers were compared.
fn same(ours: &Value, theirs: &Value, at: &str) -> usize {
    match theirs {
        Value::Object(fields) => fields.iter().map(|(k, v)| same(&ours[k], v, &format!("{at}/{k}"))).sum(),
        Value::Array(items) => {
            assert_eq!(ours.as_array().map(Vec::len), Some(items.len()), "{at}");
            items.iter().enumerate().map(|(n, v)| same(&ours[n], v, &format!("{at}[{n}]"))).sum()
        }
        Value::Number(n) => {
            let (a, b) = (ours.as_f64().unwrap_or(f64::NAN), n.as_f64().unwrap());
            assert!((a - b).abs() <= 1e-9, "{at}: {ours} and {n}");
            1
        }
        other => {
            assert_eq!(ours, other, "{at}");
            1
        }
    }
}

#[test]
fn the_json_report_of_the_golden_sets_is_the_expected_one() {
    for (set, least) in [("haiku", 700), ("edge", 800)] {
        let (Some((table, ..)), Some(expected)) =
            (golden(set), beside(&format!("golden/{set}.expected.json")))
        else {
            return;
        };
        let rows: Vec<u32> = (0..table.pairs.len() as u32).collect();
        let never = AtomicBool::new(false);
        let provenance = Provenance::of(&table, &rows, "", Scorer::Recorded, Errors::Drop, &never).unwrap();
        assert_eq!(provenance.mark(), Some("SYNTHETIC"));
        let ours = report::json(&groups(&table, &recorded()), &provenance);
        let theirs: Value = serde_json::from_str(&std::fs::read_to_string(expected).unwrap()).unwrap();
        let keys = |v: &Value| v.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
        let (mut a, mut b) = (keys(&ours), keys(&theirs));
        a.sort();
        b.sort();
        assert_eq!(a, b);
        let compared = same(&ours, &theirs, set);
        assert!(compared > least, "{set}: only {compared} numbers were compared");
    }
}

/// Every figure of every group, under every way to make groups.
fn each_figure(table: &Table, scorer: Scorer, mut look: impl FnMut(&Group, Errors, &Figure)) {
    for by in By::ALL {
        for errors in Errors::ALL {
            let options = Options { scorer, errors, by, ..Options::default() };
            let groups = groups(table, &options);
            for group in &groups {
                let scope = Scope::of(group, &groups, errors);
                for id in Id::ALL {
                    look(group, errors, &figure(id, group, &scope));
                }
            }
        }
    }
}

#[test]
fn every_mark_leads_to_exactly_the_rows_it_counts() {
    let store = Store::open(lookitup::store::sample(), OpenOptions::default(), || {});
    let mut tables = vec![(store.wait(), store.reader(), Scorer::Normalized)];
    let edge = golden("edge");
    if let Some((table, reader, _)) = &edge {
        tables.push((table.clone(), reader.clone(), Scorer::Recorded));
    }
    for (table, reader, scorer) in tables {
        let mut marks = 0;
        let mut known: std::collections::HashMap<String, u64> = std::collections::HashMap::new();
        each_figure(&table, scorer, |group, errors, figure| {
            for mark in &figure.marks {
                let name = format!("{} {} {errors:?}: {}", group_name(group), figure.id.name(), mark.label);
                let found = *known.entry(mark.term.clone()).or_insert_with(|| {
                    let expr = query::parse(&mark.term).unwrap_or_else(|e| panic!("{name}: {}", e.message));
                    let never = AtomicBool::new(false);
                    let rows = query::run(&table, &reader, &expr, &Settings { scorer }, &never, &mut |_| {})
                        .unwrap();
                    rows.len() as u64
                });
                assert_eq!(found, mark.n, "{name}: {}", mark.term);
                marks += 1;
            }
        });
        assert!(marks > 500, "only {marks} marks");
    }
}

#[test]
fn a_figure_has_as_many_cells_as_titles_and_its_places_differ() {
    let store = Store::open(lookitup::store::sample(), OpenOptions::default(), || {});
    each_figure(&store.wait(), Scorer::Normalized, |group, _, figure| {
        let name = format!("{} {}", group_name(group), figure.id.name());
        let table = flat(figure);
        assert!(table.rows.iter().all(|r| r.len() == table.columns.len()), "{name}");
        assert_eq!(table.rows.is_empty(), matches!(figure.body, Body::Empty(_)), "{name}");
        let mut places: Vec<_> = figure.marks.iter().map(|m| m.place).collect();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), figure.marks.len(), "{name}");
        assert!(figure.marks.is_empty() || figure.first < figure.marks.len(), "{name}");
    });
}

fn level(confidence: f64, right: u64, wrong: u64) -> Level {
    Level { confidence: (confidence * 1e9).round() as u32, right, wrong }
}

#[track_caller]
fn near(ours: Option<f64>, theirs: f64) {
    let ours = ours.expect("a number");
    assert!((ours - theirs).abs() < 1e-12, "{ours} and {theirs}");
}

#[test]
fn calibration_by_hand() {
    // Ten answers: four at 0.5 (one right), six at 0.9 (five right).
    let c = stats::calibration(&[level(0.5, 1, 3), level(0.9, 5, 1)], 2);
    assert_eq!((c.n, c.missing, c.right, c.distinct), (10, 2, 6, 2));
    near(c.ece, 0.4 * 0.25 + 0.6 * (0.9 - 5.0 / 6.0));
    near(c.ece_equal_mass, 0.4 * 0.25 + 0.6 * (0.9 - 5.0 / 6.0));
    near(c.brier, (0.25 * 4.0 + 5.0 * 0.01 + 0.81) / 10.0);
    near(c.gap, 0.74 - 0.6);
    // Right ones: 1 at 0.5, 5 at 0.9; wrong ones: 3 at 0.5, 1 at 0.9. 24 pairs, 5·3 won, 3·1 + 5·1 ties.
    near(c.auroc, (15.0 + 0.5 * 8.0) / 24.0);
    let m = c.murphy.unwrap();
    near(Some(m.reliability - m.resolution + m.uncertainty), c.brier.unwrap());
    near(Some(m.uncertainty), 0.24);
}

#[test]
fn equal_mass_bins_never_split_a_tie() {
    let levels: Vec<Level> =
        (0..100).map(|n| level(f64::from(n) / 100.0, 1, u64::from(n == 50) * 200)).collect();
    let c = stats::calibration(&levels, 0);
    assert_eq!(c.mass_bins.iter().map(|b| b.n).sum::<u64>(), c.n);
    assert!(c.mass_bins.windows(2).all(|w| w[0].hi < w[1].lo));
    let all_the_same = stats::calibration(&[level(0.95, 7, 3)], 0);
    assert_eq!(all_the_same.mass_bins.len(), 1);
    assert_eq!(all_the_same.auroc, Some(0.5));
}

#[test]
fn selective_answering_by_hand() {
    // From the top: one right, one wrong, two right.
    let c = stats::coverage(&[level(0.2, 2, 0), level(0.5, 0, 1), level(0.9, 1, 0)]);
    let risks: Vec<(f64, f64)> = c.curve.iter().map(|k| (k.coverage, k.risk)).collect();
    assert_eq!(risks, [(0.25, 0.0), (0.5, 0.5), (1.0, 0.25)]);
    // Generalised risk 0, 0.25, 0.25 at coverages 0.25, 0.5, 1: trapezoids.
    near(c.augrc, 0.25 * 0.125 + 0.5 * 0.25);
    // Without any order it is half the error rate.
    near(stats::coverage(&[level(0.7, 6, 4)]).augrc, 0.2);
}

#[test]
fn a_threshold_is_chosen_elsewhere_than_it_is_tried() {
    // In every part the less confident gain and the more confident lose.
    let gate = |confidence: f64, before: u64, after: u64| Gate {
        confidence: (confidence * 1e9) as u32,
        n: 10,
        before,
        after,
    };
    let part = vec![gate(0.3, 2, 8), gate(0.9, 9, 5)];
    let folds = vec![part.clone(); 5];
    let g = stats::gating(&folds, 30);
    assert_eq!((g.n, g.curve.len()), (100, 3));
    near(Some(g.llm_only), 0.55);
    near(Some(g.always), 0.65);
    near(Some(g.oracle), 0.85);
    let best = g.best.unwrap();
    assert_eq!((best.threshold, best.right), (Some(0.9), 85));
    let c = g.cross_validated.unwrap();
    assert_eq!(c.folds, 5);
    near(Some(c.accuracy), 0.85);
    near(Some(c.rate), 0.5);
    // Nothing to try on.
    assert!(stats::gating(&[part], 6).cross_validated.is_none());
}

#[test]
fn repeats_by_hand() {
    near(stats::pass_at(5, 2, 1), 0.4);
    near(stats::pass_at(5, 2, 3), 1.0 - 1.0 / 10.0);
    near(stats::pass_all(5, 3, 2), 3.0 / 10.0);
    assert_eq!(stats::pass_all(5, 1, 2), Some(0.0));
    assert_eq!((stats::pass_at(3, 1, 4), stats::pass_all(3, 4, 1)), (None, None));
    let side = |right: bool| Some(Side { right: Some(right), confidence: None, calls: 1 });
    let row = |question, no, with| Row { question, no: side(no), with: side(with) };
    let table = table_of_sides(&[row(0, true, true), row(0, false, true), row(1, true, true)]);
    let [no, with, blocked] = groups(&table, &recorded())[0].repeats.clone();
    let no = no.unwrap();
    assert_eq!((no.questions, no.attempts, no.fewest, no.mixed), (1, 2, 2, 1));
    near(Some(no.at[0].pass_at), 0.5);
    near(Some(no.at[1].pass_at), 1.0);
    near(Some(no.at[1].pass_all), 0.0);
    assert_eq!(with.unwrap().mixed, 0);
    assert_eq!(blocked, None);
}

#[test]
fn changes_of_confidence_by_hand() {
    let s = stats::spread(&[(-500_000_000, 1), (0, 2), (100_000_000, 7)]).unwrap();
    assert_eq!((s.n, s.moved), (10, [1, 2, 7]));
    near(Some(s.mean), 0.02);
    for (ours, theirs) in s.quantiles.into_iter().zip([-0.5, 0.0, 0.1, 0.1, 0.1]) {
        near(Some(ours), theirs);
    }
    assert_eq!(stats::spread(&[]), None);
}

#[test]
fn degenerate_rows_give_figures_without_a_number_out_of_nothing() {
    let side = |right, confidence| Some(Side { right, confidence, calls: 1 });
    let cases: [(&str, Vec<Row>); 6] = [
        (
            "one row",
            vec![Row { question: 0, no: side(Some(true), Some(0.5)), with: side(Some(false), None) }],
        ),
        (
            "all right, all the same",
            (0..30)
                .map(|q| Row {
                    question: q,
                    no: side(Some(true), Some(1.0)),
                    with: side(Some(true), Some(1.0)),
                })
                .collect(),
        ),
        (
            "no confidence",
            vec![Row { question: 0, no: side(Some(true), None), with: side(Some(true), None) }],
        ),
        ("one condition", vec![Row { question: 0, no: None, with: side(Some(true), Some(f64::NAN)) }]),
        ("all in error", vec![Row { question: 0, no: side(None, None), with: side(None, Some(0.3)) }]),
        ("nothing asked", vec![Row { question: 0, no: None, with: None }]),
    ];
    for (name, list) in cases {
        let table = table_of_sides(&list);
        let found = groups(&table, &recorded());
        assert_eq!(found.len(), 1, "{name}");
        let rows: Vec<u32> = (0..list.len() as u32).collect();
        let never = AtomicBool::new(false);
        let provenance = Provenance::of(&table, &rows, "", Scorer::Recorded, Errors::Drop, &never).unwrap();
        let json = report::json(&found, &provenance).to_string();
        assert!(!json.contains("NaN") && !json.contains("inf"), "{name}: {json}");
        let chapters = report::chapters(&found, Errors::Drop);
        for text in [
            report::markdown(&chapters, &provenance),
            report::csv(&chapters, &provenance),
            report::html(&chapters, &provenance),
        ] {
            assert!(!text.contains("NaN") && !text.contains("inf "), "{name}: {text}");
        }
    }
    let empty = Table::default();
    assert!(groups(&empty, &recorded()).is_empty());
    let stopped = AtomicBool::new(true);
    let table = table_of_sides(&[Row { question: 0, no: side(Some(true), None), with: None }]);
    assert!(stats::groups(&table, &[0], &recorded(), &stopped).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn figures_of_any_rows_hold_together(list in any_rows(), seed in 0_u64..1_000) {
        let table = table_of_sides(&list);
        let found = groups(&table, &recorded());
        // Any order of the rows gives the same.
        let mut rows: Vec<u32> = (0..list.len() as u32).collect();
        rows.sort_by_key(|&r| (u64::from(r) + seed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let again = stats::groups(&table, &rows, &recorded(), &AtomicBool::new(false)).unwrap();
        prop_assert_eq!(&found, &again);
        for g in &found {
            let summary = stats::summary(&table, &rows, Scorer::Recorded, Errors::Drop);
            prop_assert_eq!(g.transitions, summary.transitions);
            prop_assert_eq!(g.accuracy[0], summary.no);
            prop_assert_eq!(g.accuracy[1], summary.with);
            prop_assert_eq!(g.net, summary.net);
            prop_assert_eq!(g.beneficial() + g.harmful(), g.searched());
            prop_assert_eq!(g.transitions.iter().sum::<u64>(), g.rows);
            prop_assert_eq!(g.not_searched.iter().flatten().sum::<u64>(), g.transitions[4]);
            let binned: u64 = g.by_bin.iter().flatten().sum();
            prop_assert_eq!(binned + g.no_bin, g.pairs);
            prop_assert_eq!(binned, g.gating.n);
            let by_calls: u64 = g.by_calls.iter().map(|s| s.whole).sum();
            prop_assert_eq!(by_calls, g.accuracy[1].answered);
            prop_assert_eq!(g.invocation.searched, g.invocation.one + g.invocation.two + g.invocation.more);
            for (c, k) in g.calibration.iter().zip(&g.coverage) {
                prop_assert_eq!(c.bins.iter().map(|b| b.n).sum::<u64>(), c.n);
                prop_assert_eq!(c.mass_bins.iter().map(|b| b.n).sum::<u64>(), c.n);
                prop_assert!(c.mass_bins.len() <= 10);
                for share in [c.ece, c.ece_equal_mass, c.brier, c.auroc].into_iter().flatten() {
                    prop_assert!((0.0..=1.0).contains(&share));
                }
                if let (Some(m), Some(brier)) = (c.murphy, c.brier) {
                    prop_assert!((m.reliability - m.resolution + m.uncertainty - brier).abs() < 1e-9);
                }
                prop_assert!(k.augrc.is_none_or(|a| (0.0..=0.5).contains(&a)));
                prop_assert!(k.curve.last().is_none_or(|l| l.n == c.n && l.wrong == c.n - c.right));
            }
            if let (Some(first), Some(last)) = (g.gating.curve.first(), g.gating.curve.last()) {
                prop_assert!((first.accuracy - g.gating.llm_only).abs() < 1e-12 && first.n == 0);
                prop_assert!((last.accuracy - g.gating.always).abs() < 1e-12 && last.n == g.gating.n);
                prop_assert!(g.gating.curve.iter().all(|p| p.accuracy <= g.gating.oracle + 1e-12));
                prop_assert!(g.gating.curve.windows(2).all(|w| w[0].rate <= w[1].rate));
            }
            for t in 0..5 {
                prop_assert!(g.changes[t].is_none_or(|s| s.n <= g.transitions[t] && s.moved.iter().sum::<u64>() == s.n));
            }
        }
    }
}

#[test]
fn many_rows_on_many_threads_give_what_one_thread_gives() {
    let side = |n: u64, on: bool| {
        on.then_some(Side {
            right: (!n.is_multiple_of(11)).then_some(!n.is_multiple_of(3)),
            confidence: (!n.is_multiple_of(5)).then_some((n % 97) as f64 / 100.0),
            calls: (n % 4) as u8,
        })
    };
    let list: Vec<Row> = (0..100_000_u64)
        .map(|n| Row {
            question: (n / 2) as u32,
            no: side(n * 7, n % 13 > 0),
            with: side(n * 31 + 5, n % 17 > 0),
        })
        .collect();
    let table = table_of_sides(&list);
    let rows: Vec<u32> = (0..list.len() as u32).collect();
    let never = AtomicBool::new(false);
    let whole = stats::groups(&table, &rows, &recorded(), &never).unwrap();
    // Fewer rows than are worth a second thread, put together by hand.
    let summary = stats::summary(&table, &rows, Scorer::Recorded, Errors::Drop);
    assert_eq!(whole[0].transitions, summary.transitions);
    let mut parts = [0; 7];
    let (mut right, mut n) = (0, 0);
    for piece in rows.chunks(10_000) {
        let part = stats::groups(&table, piece, &recorded(), &never).unwrap();
        for (sum, count) in parts.iter_mut().zip(part[0].transitions) {
            *sum += count;
        }
        right += part[0].calibration[0].right;
        n += part[0].calibration[0].n;
    }
    assert_eq!(parts, whole[0].transitions);
    assert_eq!((right, n), (whole[0].calibration[0].right, whole[0].calibration[0].n));
    assert_eq!(whole, stats::groups(&table, &rows, &recorded(), &never).unwrap());
}

#[test]
fn from_the_reliability_diagram_to_overconfident_broken_answers_in_two_keys() {
    let mut bench = Bench::sample((120, 40));
    bench.press("f tab tab tab");
    let text = bench.text();
    assert!(
        text.contains("overconfident by") && text.contains("lists them, then 3 the broken ones"),
        "{text}"
    );
    let before = bench.model.view.rows.len();
    bench.press("enter 3");
    assert!(bench.model.overlays.is_empty());
    let rows = bench.model.view.rows.len();
    assert!(rows > 0 && rows < before);
    for at in 0..rows {
        let pair = *bench.model.pair(bench.model.view.rows.get(at).unwrap()).unwrap();
        assert_eq!(pair.transitions[bench.model.scorer as usize], lookitup::record::Transition::Broken);
        let stated = bench.model.table.side(&pair, Condition::NoSearch).unwrap().confidence().unwrap();
        assert!((0.6..0.7).contains(&stated), "{stated}");
    }
    // And back: the figures as they were, every row in them.
    bench.press("esc");
    assert!(bench.text().contains("overconfident by"));
    assert_eq!(bench.model.view.rows.len(), before);
    bench.press("esc");
    assert!(bench.model.overlays.is_empty() && bench.model.filter_text().is_empty());
}

#[test]
fn figures_follow_filter_scorer_and_toggles() {
    let mut bench = Bench::sample((120, 40));
    bench.press("/");
    bench.type_text("model=sim-small split=static");
    bench.press("enter f tab");
    let shown = &bench.model.figures.shown[0];
    assert_eq!((shown.name.as_str(), shown.figure.rows), ("sim-small/static", 134));
    bench.press("3");
    assert_eq!(bench.model.figures.shown[0].figure.rows, bench.model.view.rows.len() as u64);
    bench.press("3 =");
    assert_ne!(bench.model.scorer, Scorer::Normalized);
    bench.press("esc f");
    assert_eq!(bench.model.figures.id, Id::Transitions, "it opens where it was left");
}

#[test]
fn two_groups_stand_beside_each_other_and_the_cursor_goes_over() {
    let mut bench = Bench::sample((200, 60));
    bench.press("f v");
    let names: Vec<&str> = bench.model.figures.shown.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["sim-large/static", "sim-small/static"]);
    let text = bench.text();
    assert!(text.contains("sim-large/static") && text.contains("sim-small/static"));
    // On a small screen the one behind is named with its key.
    bench.send(lookitup::app::Msg::Resize(80, 24));
    assert!(bench.text().contains("space sim-small/static"), "{}", bench.text());
    bench.press("space j enter");
    assert!(bench.model.filter_text().contains("model=sim-small"), "{}", bench.model.filter_text());
    bench.press("esc m");
    assert!(bench.model.figures.shown[0].name.starts_with("sim-"));
    bench.press("m");
    assert_eq!(bench.model.figures.shown[0].name, "all");
    assert_eq!(bench.model.figures.shown[0].figure.rows, bench.model.table.pairs.len() as u64);
}

#[test]
fn a_click_on_a_mark_shows_it_and_a_second_one_its_rows() {
    use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
    let mut bench = Bench::sample((120, 40));
    bench.press("f tab");
    let text = bench.text();
    let row = text.lines().position(|l| l.contains("✗→✓ corrected  ")).unwrap();
    let column = text.lines().nth(row).unwrap().chars().take_while(|c| *c != '✗').count();
    let click = MouseEvent {
        kind: MouseEventKind::Down(MouseButton::Left),
        column: column as u16 + 2,
        row: row as u16,
        modifiers: KeyModifiers::NONE,
    };
    bench.send(lookitup::app::Msg::Mouse(click));
    bench.frame();
    let marked = bench.model.figures.mark().unwrap();
    assert_eq!(bench.model.figures.shown[0].figure.marks[marked].label, "corrected");
    bench.send(lookitup::app::Msg::Mouse(click));
    assert!(bench.model.filter_text().ends_with("transition:corrected"), "{}", bench.model.filter_text());
}

#[test]
fn more_calls_than_are_counted_are_not_told_as_exact() {
    let attempt = |n: usize| {
        let calls = (0..n).map(|_| lookitup::record::SearchCall::default()).collect();
        lookitup::record::Attempt {
            question_id: format!("q{n}"),
            model: "m".into(),
            condition: Condition::WithSearch,
            answer: Some("a".into()),
            references: Some(vec!["a".into()]),
            attempt: 1,
            search_calls: calls,
            ..Default::default()
        }
    };
    for (calls, says, list) in [(254, "254 calls in all", "254"), (300, "255 or more calls in all", "255+")] {
        let (table, reader) = lookitup::store::table_of(&[], &[attempt(calls)]);
        let mut all = String::new();
        each_figure(&table, Scorer::Normalized, |_, _, figure| {
            let said = format!("{:?} {:?} {:?}", figure.body, figure.notes, figure.marks);
            all.push_str(&said);
        });
        assert!(all.contains(says), "{all}");
        assert_eq!(all.contains("1 attempt of 255 calls or more, counted as 255"), calls == 300, "{all}");
        assert!(calls == 254 || !all.contains("\"255\""), "as if it were exact: {all}");
        let column = lookitup::view::Column::Calls;
        assert_eq!(lookitup::view::cell(&table, 0, None, column, Scorer::Normalized), list);
        // The records know.
        let bundle = reader.bundle(&table, 0).unwrap();
        let row = lookitup::view::row_json(&table, 0, &bundle, Scorer::Normalized).unwrap();
        assert_eq!((&row["calls"], &row["with"]["calls"]), (&calls.into(), &calls.into()));
    }
}
