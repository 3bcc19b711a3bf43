use super::*;
use crate::review::Key;

fn rows(n: u32) -> Vec<PlanRow> {
    (0..n)
        .map(|row| PlanRow {
            row,
            ident: Key::pair(format!("q{row}"), "m", 1).ident(),
            transition: Transition::from_u8((row % 5) as u8),
            confidence: [Some(0.5), Some(f64::from(row % 100) / 100.0)],
            right: [None, Some(row % 2 == 0)],
        })
        .collect()
}

fn drawn(sample: &Sample) -> Vec<u32> {
    sample.draws.iter().map(|d| d.row).collect()
}

#[test]
fn whole_sets_keep_their_order() {
    let rows = rows(20);
    assert_eq!(drawn(&Plan::All.draw(&rows)), (0..20).collect::<Vec<_>>());
    let broken = Plan::Broken.draw(&rows);
    assert_eq!(drawn(&broken), [2, 7, 12, 17]);
    assert!(broken.draws.iter().all(|d| d.weight == Some(1.0)));
    assert_eq!(broken.strata, [Stratum { transition: Some(Transition::Broken), size: 4, drawn: 4 }]);
    assert_eq!(Plan::All.draw(&[]).draws, []);
}

#[test]
fn a_stratified_sample_weighs_back_to_the_whole() {
    let rows = rows(500);
    let plan = Plan::usual(40, 7);
    let sample = plan.draw(&rows);
    let of = |t| sample.draws.iter().filter(|d| rows[d.row as usize].transition == t).count();
    assert_eq!(of(Transition::Broken), 100);
    assert_eq!(of(Transition::Unresolved), 40);
    assert_eq!((of(Transition::Corrected), of(Transition::Preserved)), (20, 20));
    assert_eq!(of(Transition::NotSearched), 0);
    let total: f64 = sample.draws.iter().filter_map(|d| d.weight).sum();
    assert!((total - 400.0).abs() < 1e-9);
    // Stopping after a quarter leaves something of each.
    let early: Vec<u32> = drawn(&sample)[..45].to_vec();
    for t in Transition::ALL.into_iter().take(4) {
        assert!(early.iter().any(|r| rows[*r as usize].transition == t), "{t:?}");
    }
}

#[test]
fn a_seed_draws_the_same_rows_whatever_their_order_and_number() {
    let rows = rows(300);
    let plan = Plan::Random { n: 30, seed: 1 };
    let first = drawn(&plan.draw(&rows));
    assert_eq!(first.len(), 30);
    let mut turned = rows.clone();
    turned.reverse();
    assert_eq!(drawn(&plan.draw(&turned)), first);
    // Without rows that were not drawn, the draw is the same.
    let fewer: Vec<PlanRow> =
        rows.iter().filter(|r| first.contains(&r.row) || r.row % 2 == 0).copied().collect();
    assert_eq!(drawn(&plan.draw(&fewer)), first);
    assert_ne!(drawn(&Plan::Random { n: 30, seed: 2 }.draw(&rows)), first);
    let all = Plan::Random { n: 900, seed: 1 }.draw(&rows);
    assert_eq!((all.draws.len(), all.draws[0].weight), (300, Some(1.0)));
    assert!(plan.draw(&rows).draws.iter().all(|d| d.weight == Some(10.0)));
}

#[test]
fn every_row_is_as_likely_as_another() {
    let rows = rows(50);
    let mut times = [0_u32; 50];
    for seed in 0..2_000 {
        for row in drawn(&Plan::Random { n: 10, seed }.draw(&rows)) {
            times[row as usize] += 1;
        }
    }
    // 400 expected, deviation 18: none is five deviations off.
    assert!(times.iter().all(|n| (310..490).contains(n)), "{times:?}");
}

#[test]
fn what_surprises_comes_first() {
    let row = |row, confidence, right| PlanRow {
        row,
        ident: 0,
        transition: Transition::Unresolved,
        confidence,
        right,
    };
    let rows = [
        row(0, [Some(0.9), Some(0.9)], [Some(true), Some(true)]),
        row(1, [Some(0.2), Some(0.99)], [Some(false), Some(false)]),
        row(2, [Some(0.95), Some(0.1)], [Some(true), Some(true)]),
        row(3, [None, None], [Some(false), Some(false)]),
        row(4, [None, Some(0.7)], [None, Some(false)]),
        row(5, [None, Some(0.9)], [None, Some(true)]),
    ];
    let all = Plan::Surprising { n: usize::MAX }.draw(&rows);
    assert_eq!(drawn(&all), [1, 2, 4, 0]);
    assert!(all.strata.is_empty() && all.draws.iter().all(|d| d.weight.is_none()));
    assert_eq!(drawn(&Plan::Surprising { n: 2 }.draw(&rows)), [1, 2]);
    assert_eq!(surprise(&rows[0]), Some(0.0));
    assert_eq!(surprise(&rows[3]), None);
}

#[test]
fn plans_read_as_they_are_written() {
    for plan in [
        Plan::All,
        Plan::Broken,
        Plan::usual(40, 7),
        Plan::Stratified { take: vec![], seed: 0 },
        Plan::Random { n: 100, seed: u64::MAX },
        Plan::Surprising { n: usize::MAX },
        Plan::Surprising { n: 5 },
    ] {
        assert_eq!(Plan::parse(&plan.to_string()), Some(plan.clone()), "{plan}");
    }
    assert_eq!(
        Plan::usual(40, 7).to_string(),
        "stratified broken=all unresolved=40 corrected=20 preserved=20 seed=7"
    );
    for text in
        ["", "every", "all n=3", "random", "random n=x", "stratified n=3", "stratified good=3", "broken 3"]
    {
        assert_eq!(Plan::parse(text), None, "{text}");
    }
}
