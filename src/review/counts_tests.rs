use super::*;

fn row<'a>(row: u32, codes: &[&'a str], transition: Transition, model: &'a str) -> CodedRow<'a> {
    CodedRow {
        row,
        primary: codes.first().copied(),
        codes: codes.to_vec(),
        transition,
        model,
        split: "static",
    }
}

fn some() -> Vec<CodedRow<'static>> {
    use Transition::{Broken, Unresolved};
    vec![
        row(1, &["a"], Broken, "m"),
        row(2, &["a", "b", "b"], Broken, "n"),
        row(3, &["b"], Unresolved, "m"),
        row(4, &[], Unresolved, "m"),
        row(5, &["old", "a"], Unresolved, "n"),
    ]
}

#[test]
fn codes_are_counted_by_every_axis() {
    let rows = some();
    let table = crosstab(&rows, &["c", "b", "a"], Axis::Transition, Which::Primary);
    assert_eq!(table.columns, [("broken".into(), 2), ("unresolved".into(), 3)]);
    let codes: Vec<&str> = table.lines.iter().map(|l| l.code.as_str()).collect();
    assert_eq!(codes, ["c", "b", "a", "old"], "the codebook's order, then what it does not know");
    let share = |part, whole| Share { part, whole };
    assert_eq!(table.lines[2].cells, [share(2, 2), share(0, 3)]);
    assert_eq!(table.lines[1].total, share(1, 5));
    let any = crosstab(&rows, &["a", "b"], Axis::Model, Which::Any);
    assert_eq!(any.columns, [("m".into(), 3), ("n".into(), 2)]);
    assert_eq!(any.lines[0].cells, [share(1, 3), share(2, 2)]);
    assert_eq!(any.lines[1].total, share(2, 5));
    assert_eq!(crosstab(&rows, &[], Axis::Split, Which::Any).columns, [("static".into(), 5)]);
    assert_eq!(crosstab(&[], &["a"], Axis::Split, Which::Any).lines[0].total, share(0, 0));
}

#[test]
fn a_cell_lists_its_rows() {
    let rows = some();
    assert_eq!(rows_of(&rows, "a", Axis::Transition, Some("unresolved"), Which::Any), [5]);
    assert_eq!(rows_of(&rows, "a", Axis::Transition, None, Which::Any), [1, 2, 5]);
    assert_eq!(rows_of(&rows, "a", Axis::Model, Some("n"), Which::Primary), [2]);
}

fn stratum(transition: Option<Transition>, size: usize) -> Stratum {
    Stratum { transition, size, drawn: 0 }
}

/// By hand: broken 20 rows, 4 coded, 2 with it; unresolved 180 rows, 6 coded, 1 with it.
/// 0.1 · 2/4 + 0.9 · 1/6 = 0.2; effective 1 / (0.01/4 + 0.81/6) = 7.2727….
#[test]
fn prevalence_is_weighted_back() {
    let mut rows = Vec::new();
    for n in 0..4 {
        rows.push(row(n, if n < 2 { &["a"] } else { &["b"] }, Transition::Broken, "m"));
    }
    for n in 0..6 {
        rows.push(row(9 + n, if n < 1 { &["a"] } else { &[] }, Transition::Unresolved, "m"));
    }
    let strata = [stratum(Some(Transition::Broken), 20), stratum(Some(Transition::Unresolved), 180)];
    let found = prevalence(&rows, &strata, "a", Which::Primary).unwrap();
    assert!((found.share - 0.2).abs() < 1e-12, "{found:?}");
    assert!((found.effective - 80.0 / 11.0).abs() < 1e-9, "{found:?}");
    assert!((found.covered - 1.0).abs() < 1e-12);
    assert!(found.interval.0 < 0.2 && found.interval.1 > 0.2);
    // A stratum that nobody has read yet is not spoken of.
    let more = [strata[0], strata[1], stratum(Some(Transition::Preserved), 200)];
    let found = prevalence(&rows, &more, "a", Which::Primary).unwrap();
    assert!((found.share - 0.2).abs() < 1e-12 && (found.covered - 0.5).abs() < 1e-12);
    assert_eq!(prevalence(&rows, &[stratum(Some(Transition::Preserved), 9)], "a", Which::Any), None);
    assert_eq!(prevalence(&rows, &[], "a", Which::Any), None);
    // One stratum is a plain sample, with its plain interval.
    let plain = prevalence(&rows, &[stratum(None, 1_000)], "a", Which::Any).unwrap();
    let wilson = Share { part: 3, whole: 10 }.wilson().unwrap();
    assert!((plain.share - 0.3).abs() < 1e-12 && (plain.interval.0 - wilson.0).abs() < 1e-12);
}

#[test]
fn saturation_tells_how_long_nothing_was_new() {
    let rows: Vec<Vec<&str>> = (0..25)
        .map(|n| {
            if n == 0 {
                vec!["a", "b"]
            } else if n == 12 {
                vec!["a", "c"]
            } else {
                vec!["a"]
            }
        })
        .collect();
    let found = saturation(rows);
    assert_eq!(found, Saturation { traces: 25, codes: 3, since_last_new: 12, new_per_ten: vec![2, 1, 0] });
    assert_eq!(saturation(Vec::<Vec<&str>>::new()), Saturation::default());
    assert_eq!(saturation(vec![vec![], vec![]]).since_last_new, 2);
}

#[test]
fn chances_of_what_was_not_seen() {
    // 100 traces give 95 % for a prevalence of 3 %.
    assert!((unseen(0.03, 100) - 0.047_552_507_6).abs() < 1e-9);
    assert!((unseen(0.5, 2) - 0.25).abs() < 1e-15);
    assert!((unseen(0.0, 10) - 1.0).abs() < 1e-15 && (unseen(1.0, 10)).abs() < 1e-15);
    assert!((unseen(1.0, 0) - 1.0).abs() < 1e-15);
    assert!((unseen_bound(100) - 0.029_513_05).abs() < 1e-7);
    assert!((unseen_bound(0) - 1.0).abs() < 1e-15 && (unseen_bound(1) - 0.95).abs() < 1e-12);
}
