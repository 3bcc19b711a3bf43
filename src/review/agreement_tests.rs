use super::*;
use crate::review::codebook::Code;
use crate::review::{Act, Stamp};

fn close(a: f64, b: f64, within: f64) {
    assert!((a - b).abs() < within, "{a} is not {b}");
}

/// Two abstractors on 100 pregnancies (ectopic, abnormal and normal intrauterine), the worked example of Gwet,
/// Handbook of Inter-Rater Reliability, 4th edition 2014; figures as its companion package irrCAC prints them
/// (`cont3x3abstractors`): AC1 0.84933, error 0.04322, chance 0.26992; κ 0.79641, error 0.05891.
#[test]
fn the_published_example_of_two_abstractors() {
    let found = agreement(&[vec![13, 0, 0], vec![0, 20, 7], vec![0, 4, 56]]);
    assert_eq!((found.n, found.alike), (100, 89));
    let (kappa, ac1) = (found.kappa.unwrap(), found.ac1.unwrap());
    close(ac1.value, 0.84933, 5e-6);
    close(ac1.error, 0.04322, 5e-6);
    close(kappa.value, 0.79641, 5e-6);
    close(kappa.error, 0.05891, 5e-6);
}

/// By hand. Both yes 20, both no 15, 5 and 10 between: seen 0.7; chance 0.5 · 0.6 + 0.5 · 0.4 = 0.5; κ = 0.4. For AC1,
/// yes is 0.55 on average: chance 2 · 0.55 · 0.45 = 0.495, AC1 = 0.205 / 0.505.
#[test]
fn by_hand() {
    let found = agreement(&[vec![20, 5], vec![10, 15]]);
    close(found.raw().unwrap(), 0.7, 1e-15);
    close(found.kappa.unwrap().value, 0.4, 1e-12);
    close(found.ac1.unwrap().value, 0.205 / 0.505, 1e-12);
    let (low, high) = found.kappa.unwrap().interval();
    close(low, 0.4 - 1.959_964 * 0.126_996_063, 1e-6);
    close(high, 0.4 + 1.959_964 * 0.126_996_063, 1e-6);
}

/// 118 both yes, 7 apart, none both no: seen 0.944, κ below 0, AC1 0.94. That is the reason for the second figure.
#[test]
fn kappa_falls_where_a_code_is_rare_and_ac1_does_not() {
    let found = agreement(&[vec![118, 5], vec![2, 0]]);
    // By hand: (0.944 − 0.94528) / 0.05472 and (0.944 − 0.054432) / 0.945568.
    close(found.kappa.unwrap().value, -0.023_391_8, 1e-7);
    close(found.ac1.unwrap().value, 0.940_776_3, 1e-7);
}

/// The errors are those of the delta method, worked out here by moving a little weight to each cell.
#[test]
fn errors_are_what_moving_each_row_gives() {
    let big = 1_000_000_u64;
    for table in [
        [[13, 2, 1], [0, 20, 7], [3, 4, 56]],
        [[75, 1, 4], [5, 4, 1], [0, 0, 10]],
        [[3, 9, 2], [8, 1, 4], [2, 6, 5]],
    ] {
        let n: u64 = table.iter().flatten().sum();
        let scaled = |extra: Option<(usize, usize)>| {
            let mut t: Vec<Vec<u64>> = table.iter().map(|r| r.iter().map(|k| k * big).collect()).collect();
            if let Some((i, j)) = extra {
                t[i][j] += big * n / 10_000;
            }
            let found = agreement(&t);
            (found.kappa.unwrap().value, found.ac1.unwrap().value)
        };
        let base = scaled(None);
        let mut sums = (0.0, 0.0);
        for (i, row) in table.iter().enumerate() {
            for (j, k) in row.iter().enumerate() {
                let moved = scaled(Some((i, j)));
                let p = *k as f64 / n as f64;
                sums.0 += p * ((moved.0 - base.0) * 10_000.0).powi(2);
                sums.1 += p * ((moved.1 - base.1) * 10_000.0).powi(2);
            }
        }
        let small: Vec<Vec<u64>> = table.iter().map(|r| r.to_vec()).collect();
        let found = agreement(&small);
        close(found.kappa.unwrap().error, (sums.0 / n as f64).sqrt(), 2e-4);
        close(found.ac1.unwrap().error, (sums.1 / n as f64).sqrt(), 2e-4);
    }
}

#[test]
fn ends_of_the_scale() {
    let full = agreement(&[vec![5, 0], vec![0, 5]]);
    assert_eq!(full.kappa.unwrap().interval(), (1.0, 1.0));
    close(full.ac1.unwrap().value, 1.0, 1e-15);
    let one_sided = agreement(&[vec![9, 0], vec![0, 0]]);
    assert_eq!(one_sided.kappa, None, "0/0");
    close(one_sided.ac1.unwrap().value, 1.0, 1e-15);
    let none = agreement(&[vec![0, 0], vec![0, 0]]);
    assert_eq!((none.raw(), none.kappa, none.ac1), (None, None, None));
    assert_eq!(agreement(&[]).n, 0);
}

fn notes(by: &str, rows: &[(&str, &str, &[&str])]) -> Notes {
    let mut notes = Notes::default();
    add(&mut notes, by, rows);
    notes
}

fn add(notes: &mut Notes, by: &str, rows: &[(&str, &str, &[&str])]) {
    for (question, answer, codes) in rows {
        let at = jiff::Timestamp::from_millisecond(1_763_028_000_000 + notes.len() as i64).unwrap();
        let stamp = Stamp { id: format!("{by}{}", notes.len()), at, by: by.into() };
        let mut codes = codes.iter().map(|c| (*c).to_owned());
        let act = match codes.next() {
            Some(code) if code == "defer" => Act::Deferred { note: String::new() },
            primary => Act::Coded {
                primary,
                others: codes.collect(),
                note: String::new(),
                codebook: 1,
                settles: vec![],
            },
        };
        let entry = notes.entry(stamp, Key::pair(*question, "m", 1), *answer, act);
        notes.add(entry).unwrap();
    }
}

const ANN: &[(&str, &str, &[&str])] = &[
    ("1", "h", &["bad-query"]),
    ("2", "h", &["bad-query", "over-trust"]),
    ("3", "h", &["stale-source"]),
    ("4", "h", &[]),
    ("5", "old", &["stale-source"]),
    ("6", "h", &["defer"]),
    ("7", "h", &["stale-source"]),
];
const BOB: &[(&str, &str, &[&str])] = &[
    ("1", "h", &["bad-query"]),
    ("2", "h", &["over-trust", "bad-query"]),
    ("3", "h", &["stale-source", "other"]),
    ("4", "h", &[]),
    ("5", "new", &["stale-source"]),
    ("6", "h", &["bad-query"]),
    ("8", "h", &["bad-query"]),
    ("9", "h", &["bad-query"]),
];

#[test]
fn two_files_are_compared_row_by_row() {
    let (ann, bob) = (notes("ann", ANN), notes("bob", BOB));
    let book = Codebook::starter();
    let found = compare(&ann, &bob, None, &book);
    assert_eq!(
        found.both.iter().map(|b| b.key.question_id.as_str()).collect::<Vec<_>>(),
        ["1", "2", "3", "4"]
    );
    assert_eq!((found.other_answer, found.alone), (1, (1, 3)));
    assert_eq!((found.primary.n, found.primary.alike), (4, 3));
    let codes: Vec<(&str, u64, u64)> = found.codes.iter().map(|(c, a)| (c.as_str(), a.n, a.alike)).collect();
    assert_eq!(codes, [("bad-query", 4, 4), ("stale-source", 4, 4), ("over-trust", 4, 4), ("other", 4, 3)]);
    let settle: Vec<&str> = found.disagreements().map(|b| b.key.question_id.as_str()).collect();
    assert_eq!(settle, ["2", "3"]);
    assert_eq!(found.both[2].only(), (vec![], vec!["other"]));
    // By hand for bad-query: yes 2, no 2, full agreement.
    close(found.codes[0].1.kappa.unwrap().value, 1.0, 1e-12);
}

#[test]
fn two_people_in_one_file_are_told_apart_and_old_codes_are_todays() {
    let mut one = notes("ann", ANN);
    add(&mut one, "bob", BOB);
    let mut book = Codebook::starter();
    let into = Code { key: '2', id: "query".into(), name: "query".into(), ..Code::default() };
    book.merge(&["bad-query", "over-trust"], into).unwrap();
    let found = compare(&one, &one, Some(("ann", "bob")), &book);
    assert_eq!(found.both.len(), 4);
    assert_eq!((found.primary.n, found.primary.alike), (4, 4));
    assert_eq!(found.disagreements().count(), 1);
    assert!(found.codes.iter().any(|(c, _)| c == "query"));
}

#[test]
fn a_coding_of_before_runs_were_named_is_compared_with_one_of_a_run() {
    let (mut ann, mut bob) = (Notes::default(), Notes::default());
    let say = |notes: &mut Notes, by: &str, run: &str, answer: &str, code: &str| {
        let at = jiff::Timestamp::from_second(notes.len() as i64).unwrap();
        let stamp = Stamp { id: format!("{by}{}", notes.len()), at, by: by.into() };
        let act = Act::Coded {
            primary: Some(code.into()),
            others: vec![],
            note: String::new(),
            codebook: 1,
            settles: vec![],
        };
        let entry = notes.entry(stamp, Key::pair("q", "m", 1).in_run(run), answer, act);
        notes.add(entry).unwrap();
    };
    say(&mut ann, "ann", "", "h2", "over-trust");
    say(&mut ann, "ann", "one", "h1", "stale-source");
    for (run, answer) in [("one", "h1"), ("two", "h2"), ("three", "h3")] {
        say(&mut bob, "bob", run, answer, "over-trust");
    }
    let book = Codebook::starter();
    let found = compare(&ann, &bob, None, &book);
    let met: Vec<(&str, bool)> =
        found.both.iter().map(|b| (b.second.entry.key.run.as_str(), b.is_same_primary())).collect();
    assert_eq!((met, found.alone, found.other_answer), (vec![("two", true), ("one", false)], (0, 1), 0));
}

#[test]
fn a_coding_of_before_runs_were_named_is_settled_by_one_of_a_run() {
    let mut notes = Notes::default();
    let mut say = |by: &str, run: &str, code: &str, settles: Vec<String>| {
        let at = jiff::Timestamp::from_second(notes.len() as i64).unwrap();
        let id = format!("{by}{}", notes.len());
        let act = Act::Coded {
            primary: Some(code.into()),
            others: vec![],
            note: String::new(),
            codebook: 1,
            settles,
        };
        let stamp = Stamp { id: id.clone(), at, by: by.into() };
        let entry = notes.entry(stamp, Key::pair("q", "m", 1).in_run(run), "h", act);
        notes.add(entry).unwrap();
        id
    };
    let old = say("ann", "", "over-trust", vec![]);
    let new = say("bob", "one", "stale-source", vec![]);
    say("ann", "one", "over-trust", vec![old, new]);
    for by in [("ann", "bob"), ("bob", "ann")] {
        let book = Codebook::starter();
        let found = compare(&notes, &notes, Some(by), &book);
        assert_eq!((found.settled(), found.disagreements().count()), (1, 0), "{by:?}");
        assert_eq!((found.primary.n, found.primary.alike), (1, 0), "κ knows nothing of it");
    }
}
