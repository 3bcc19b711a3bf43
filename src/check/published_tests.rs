use proptest::prelude::*;

use super::*;

const PAPER: &str = include_str!("../../data/paper.toml");

fn of(text: &str) -> Tables {
    read("t.toml", text).unwrap_or_else(|problems| panic!("{problems:?}"))
}

/// Kinds and lines of what is found in a text.
fn found(text: &str) -> Vec<(Kind, u64)> {
    check(&of(text)).findings.iter().map(|f| (f.kind, f.line.unwrap())).collect()
}

/// One table, with these figures from line 5 on.
fn table(figures: &str) -> String {
    format!("schema = \"lookitup.tables/1\"\n[[table]]\nsource = \"table 1\"\nmodel = \"m\"\n{figures}")
}

#[test]
fn the_paper_s_tables_contradict_each_other_where_its_audit_says_so() {
    let report = check(&of(PAPER));
    let mut told: Vec<String> = Vec::new();
    for finding in &report.findings {
        let name = finding.message.split(':').next().unwrap();
        told.push(format!("{name}: {:?}", finding.kind));
    }
    told.sort();
    assert_eq!(
        told,
        [
            "Claude Haiku 4.5 / static: CostDoesNotFollow",
            "Claude Haiku 4.5 / static: EceTooLarge",
            "GPT-5 mini / static: AccuracyOutOfReach",
            "GPT-5 mini / static: AccuracyOutOfReach",
            "GPT-5 mini / static: BrierTooLarge",
            "GPT-5 mini / static: CostDoesNotFollow",
            "GPT-5 mini / static: EceTooLarge",
            "GPT-5 mini / static: HalfWidthsExchanged",
        ]
    );
    let all = report.findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    for part in [
        "accuracy without search is 0.523 (table 1), and can be at most 0.441: of 681 searched pairs (table 2) 243 are right",
        "accuracy with search is 0.846 (table 1), and can be at most 0.775",
        "± 0.027 (table 1) without search and ± 0.035 (table 1) with search look exchanged: 783 answers give ± 0.035 at \
         0.523 and ± 0.025 at 0.846",
        "295 corrected pairs (table 2) is $0.0286; it would take 248",
        "246 corrected pairs (table 3) is $0.0300; it would take 335",
        "ECE with search is 0.27 (table 4), above 1 − accuracy, 0.154 by table 1 and 0.258 on the searched pairs",
        "ECE with search is 0.26 (table 4), above 1 − accuracy, 0.253 by table 1 and 0.236 on the searched pairs",
        "Brier score with search is 0.31 (table 4), worse than always stating certainty",
    ] {
        assert!(all.contains(part), "{part}\n{all}");
    }
    // A finding's line is that of the figure which it is about.
    for finding in &report.findings {
        let line = PAPER.lines().nth(finding.line.unwrap() as usize - 1).unwrap();
        let figure = line.split(" = ").nth(1).unwrap();
        assert!(finding.message.contains(figure), "{line}\n{finding}");
    }
}

#[test]
fn coherent_tables_give_nothing() {
    let text = r#"
schema = "lookitup.tables/1"
[[table]]
source = "table 1"
model = "m"
split = "s"
questions = 200
accuracy_without = 0.40
half_width_without = 0.068
accuracy_with = 0.700
half_width_with = 0.064
right_with = 140
[[table]]
source = "table 2"
model = "m"
split = "s"
corrected = 70
preserved = 60
broken = 10
unresolved = 20
searched = 160
not_searched = 40
one_call = 100
two_calls = 40
three_or_more_calls = 20
calls = 250
cost = 2.50
price_per_1000_calls = 10
cost_per_query = 0.013
cost_per_improvement_strict = 0.036
cost_per_improvement_inclusive = 0.0192
[[table]]
source = "table 3"
model = "m"
split = "s"
accuracy_with = 0.70
ece_with = 0.3
brier_with = 0.18
"#;
    assert_eq!(found(text), []);
    assert_eq!(of(text).groups.len(), 1);
}

#[test]
fn an_accuracy_lies_between_what_searched_pairs_leave_and_demand() {
    let four = "corrected = 50\npreserved = 30\nbroken = 10\nunresolved = 0\nquestions = 100\n";
    assert_eq!(found(&table(&format!("{four}accuracy_with = 0.80"))), []);
    assert_eq!(found(&table(&format!("{four}accuracy_with = 0.90"))), []);
    assert_eq!(found(&table(&format!("{four}accuracy_with = 0.91"))), [(Kind::AccuracyOutOfReach, 10)]);
    let low = check(&of(&table(&format!("{four}accuracy_with = 0.79"))));
    assert!(low.findings[0].message.contains("can be at least 0.800"), "{low:?}");
    // Written with one digit, it may stand for 0.85.
    assert_eq!(found(&table(&format!("{four}accuracy_with = 0.9"))), []);
    assert_eq!(found(&table(&format!("{four}right_without = 39"))), [(Kind::AccuracyOutOfReach, 10)]);
    assert_eq!(found(&table(&format!("{four}right_without = 51"))), [(Kind::AccuracyOutOfReach, 10)]);
    assert_eq!(found(&table(&format!("{four}right_without = 50"))), []);
    // With fewer answered there are fewer that can be right.
    let fewer = |n: u32| format!("{four}accuracy_with = 0.90\nanswered_with = {n}");
    assert_eq!(found(&table(&fewer(96))), []);
    assert_eq!(found(&table(&fewer(94))), [(Kind::AccuracyOutOfReach, 10)]);
    let given = table("answered_with = 94\nright_with = 80\naccuracy_with = 0.95");
    assert_eq!(found(&given), [(Kind::AccuracyOutOfReach, 7)]);
}

#[test]
fn counts_are_parts_of_each_other() {
    for (figures, line) in [
        ("questions = 10\nright_with = 11", Some(6)),
        ("corrected = 1\npreserved = 2\nbroken = 3\nunresolved = 4\nsearched = 11", Some(9)),
        ("corrected = 1\npreserved = 2\nbroken = 3\nunresolved = 4\nsearched = 11\nincomplete = 1", None),
        ("questions = 10\nsearched = 6\nnot_searched = 3", Some(7)),
        ("questions = 10\nsearched = 6\nnot_searched = 3\nincomplete = 1", None),
        ("questions = 9\nsearched = 6\nnot_searched = 3", None),
        ("searched = 5\none_call = 3\ntwo_calls = 1\nthree_or_more_calls = 2", Some(6)),
        ("searched = 5\none_call = 3\ntwo_calls = 2\nthree_or_more_calls = 0\ncalls = 8", Some(9)),
        ("searched = 5\none_call = 3\ntwo_calls = 2\nthree_or_more_calls = 0\ncalls = 7", None),
        ("searched = 5\none_call = 3\ntwo_calls = 2\ncalls = 6", Some(8)),
        ("searched = 5\ncalls = 4", Some(6)),
        ("searched = 5\none_call = 3\ncalls = 6", Some(7)),
        ("cost = 7.38\ncalls = 738\nprice_per_1000_calls = 10", None),
    ] {
        let want: Vec<(Kind, u64)> = line.map(|line| (Kind::CountsDoNotAdd, line)).into_iter().collect();
        assert_eq!(found(&table(figures)), want, "{figures}");
    }
    let again = "[[table]]\nsource = \"table 2\"\nmodel = \"m\"\n";
    let twice = table(&format!("accuracy_with = 0.8\n{again}accuracy_with = 0.83\n"));
    assert_eq!(found(&twice), []);
    let twice = table(&format!("accuracy_with = 0.8\n{again}accuracy_with = 0.853\n"));
    assert_eq!(found(&twice), [(Kind::CountsDoNotAdd, 9)]);
    // Another split is another group.
    let other = table(&format!("accuracy_with = 0.8\n{again}split = \"s\"\naccuracy_with = 0.853\n"));
    assert_eq!(found(&other), []);
}

#[test]
fn costs_follow_from_each_other() {
    for (figures, line) in [
        (
            "cost = 5.00\ncorrected = 100\npreserved = 1\nbroken = 1\nunresolved = 1\ncost_per_improvement_strict = 0.05",
            None,
        ),
        (
            "cost = 5.00\ncorrected = 100\npreserved = 1\nbroken = 1\nunresolved = 1\ncost_per_improvement_strict = 0.04",
            Some(10),
        ),
        (
            "cost = 5.00\ncorrected = 50\npreserved = 50\nbroken = 1\nunresolved = 1\ncost_per_improvement_inclusive = 0.1",
            None,
        ),
        (
            "cost = 5.00\ncorrected = 50\npreserved = 50\nbroken = 1\nunresolved = 1\ncost_per_improvement_inclusive = 0.10",
            Some(10),
        ),
        ("cost = 5.00\nquestions = 100\ncost_per_query = 0.06", Some(7)),
        ("cost = 5.00\ncalls = 400\nprice_per_1000_calls = 10", Some(5)),
        // Nothing is divided by nothing.
        (
            "cost = 5.00\ncorrected = 0\npreserved = 1\nbroken = 1\nunresolved = 1\ncost_per_improvement_strict = 0.04",
            None,
        ),
    ] {
        let want: Vec<(Kind, u64)> = line.map(|line| (Kind::CostDoesNotFollow, line)).into_iter().collect();
        assert_eq!(found(&table(figures)), want, "{figures}");
    }
}

#[test]
fn figures_of_searched_pairs_alone_are_not_held_against_the_whole() {
    let four = "corrected = 20\npreserved = 20\nbroken = 30\nunresolved = 30\nquestions = 200\naccuracy_with = 0.70\n";
    assert_eq!(found(&table(&format!("{four}ece_with = 0.55\nbrier_with = 0.59"))), []);
    assert_eq!(
        found(&table(&format!("{four}ece_with = 0.61\nbrier_with = 0.62"))),
        [(Kind::EceTooLarge, 11), (Kind::BrierTooLarge, 12)]
    );
}

#[test]
fn half_widths_of_few_answers_or_of_another_kind_are_let_be() {
    let of = |n: u32, first: f64, second: f64| {
        found(&table(&format!(
            "questions = {n}\naccuracy_without = 0.50\naccuracy_with = 0.95\nhalf_width_without = {first}\n\
             half_width_with = {second}"
        )))
    };
    assert_eq!(of(783, 0.015, 0.035), [(Kind::HalfWidthsExchanged, 8)]);
    assert_eq!(of(783, 0.035, 0.015), []);
    assert_eq!(of(15, 0.11, 0.25), [], "too few");
    assert_eq!(of(783, 0.045, 0.02), [], "clustered questions make wider ones");
}

#[test]
fn what_is_wrong_with_a_file_is_told_with_its_line() {
    let text = "\
schema = \"lookitup.tables/2\"
tittle = \"x\"
[[table]]
model = \"m\"
acuracy_with = 0.5
accuracy_without = 52.3
questions = 7.5
corrected = -1
calls = 0x10
cost = \"8.44\"
[[table]]
source = 1
model = [\"m\"]
brier_with = nan
";
    let problems = read("a.toml", text).unwrap_err();
    let shown: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "a.toml:1: schema \"lookitup.tables/2\" is not known; this program reads lookitup.tables/1",
            "a.toml:2: unknown setting \"tittle\"; did you mean \"title\"?",
            "a.toml:3: this table has no source; write source = \"table 1\"",
            "a.toml:5: unknown figure \"acuracy_with\"; did you mean \"accuracy_with\"?",
            "a.toml:6: accuracy_without must be a number from 0 to 1; write it as it is printed, such as accuracy_without = 0.523",
            "a.toml:7: questions must be a whole number, 0 or more; write it as it is printed, such as questions = 783",
            "a.toml:8: corrected must be a whole number, 0 or more; write it as it is printed, such as corrected = 783",
            "a.toml:9: calls must be a whole number, 0 or more; write it as it is printed, such as calls = 783",
            "a.toml:10: cost must be US dollars, 0 or more; write it as it is printed, such as cost = 0.523",
            "a.toml:12: source must be a string, and is an integer; write source = \"table 1\"",
            "a.toml:13: model must be a string, and is a list; write model = \"Name of the model\"",
            "a.toml:14: brier_with must be a number from 0 to 1; write it as it is printed, such as brier_with = 0.523",
        ]
    );
    for (text, want) in [
        ("", "a.toml:1: the schema is missing; begin with schema = \"lookitup.tables/1\""),
        (
            "schema = \"lookitup.tables/1\"\n",
            "a.toml:1: there is no figure in it; write figures under [[table]]",
        ),
        (
            "schema = \"lookitup.tables/1\"\n[table]\nquestions = 1\n",
            "a.toml:2: table must be a list of tables; write [[table]] over each",
        ),
    ] {
        assert_eq!(read("a.toml", text).unwrap_err()[0].to_string(), want);
    }
    let broken = read("a.toml", &table("questions = = 1\n")).unwrap_err();
    assert!(broken[0].to_string().starts_with("a.toml:5: not valid TOML"), "{broken:?}");
}

/// Counts of a made-up run: transitions; not searched as right or wrong on both sides; pairs in error.
#[derive(Debug, Clone)]
struct Run {
    four: [u32; 4],
    idle: [u32; 4],
    /// Without search in error: with search right, wrong, each searched or not. Then with search in error: right, wrong.
    failed: [u32; 6],
    more_calls: u32,
    sure: [f64; 2],
    places: [usize; 6],
}

fn runs() -> impl Strategy<Value = Run> {
    (
        prop::array::uniform4(0u32..400),
        prop::array::uniform4(0u32..200),
        prop_oneof![Just([0u32; 6]), prop::array::uniform6(0u32..20)],
        0u32..50,
        prop::array::uniform2(0.0..=1.0f64),
        prop::array::uniform6(1usize..=5),
    )
        .prop_map(|(four, idle, failed, more_calls, sure, places)| Run {
            four,
            idle,
            failed,
            more_calls,
            sure,
            places,
        })
}

/// Everything that can be printed of a run, rounded.
fn printed(run: &Run, wilson_widths: bool) -> String {
    use std::fmt::Write as _;
    let [corrected, preserved, broken, _] = run.four;
    let [both, lost, gained, _] = run.idle;
    let [right_searched, wrong_searched, right_idle, wrong_idle, right_no, wrong_no] = run.failed;
    let failed: u32 = run.failed.iter().sum();
    let pairs = run.four.iter().sum::<u32>() + run.idle.iter().sum::<u32>();
    let answered =
        [pairs + right_no + wrong_no, pairs + right_searched + wrong_searched + right_idle + wrong_idle];
    let right = [
        preserved + broken + both + lost + right_no,
        corrected + preserved + both + gained + right_searched + right_idle,
    ];
    let searched = run.four.iter().sum::<u32>() + right_searched + wrong_searched;
    let idle = run.idle.iter().sum::<u32>() + right_idle + wrong_idle;
    let two = searched / 3;
    let three = searched / 5;
    let calls = (searched - two - three) + 2 * two + 3 * three + if three > 0 { run.more_calls } else { 0 };
    let cost = f64::from(calls) * 0.01;
    let mut out = String::new();
    let [p1, p2, p3, p4, p5, p6] = run.places;
    let mut count = |name: &str, n: u32| writeln!(out, "{name} = {n}").unwrap();
    count("questions", pairs + failed);
    for (name, n) in ["corrected", "preserved", "broken", "unresolved"].iter().zip(run.four) {
        count(name, n);
    }
    count("incomplete", failed);
    count("answered_without", answered[0]);
    count("answered_with", answered[1]);
    count("right_without", right[0]);
    count("right_with", right[1]);
    count("searched", searched);
    count("not_searched", idle);
    count("one_call", searched - two - three);
    count("two_calls", two);
    count("three_or_more_calls", three);
    count("calls", calls);
    for (at, name) in ["without", "with"].into_iter().enumerate() {
        let (k, n) = (u64::from(right[at]), u64::from(answered[at]));
        if n == 0 {
            continue;
        }
        let accuracy = k as f64 / n as f64;
        let width = if wilson_widths {
            crate::stats::wilson(k, n).map(|(low, high)| (high - low) / 2.0)
        } else {
            crate::stats::wald_half_width(k, n)
        };
        // As sure as right at least, of everything.
        let sure = accuracy + run.sure[at] * (1.0 - accuracy);
        let brier = accuracy * (1.0 - sure).powi(2) + (1.0 - accuracy) * sure.powi(2);
        writeln!(out, "accuracy_{name} = {accuracy:.p1$}").unwrap();
        writeln!(out, "half_width_{name} = {:.p2$}", width.unwrap()).unwrap();
        writeln!(out, "ece_{name} = {:.p3$}", sure - accuracy).unwrap();
        writeln!(out, "brier_{name} = {brier:.p3$}").unwrap();
    }
    writeln!(out, "cost = {cost:.p4$}\nprice_per_1000_calls = 10").unwrap();
    for (name, n) in [
        ("cost_per_query", pairs + failed),
        ("cost_per_improvement_strict", corrected),
        ("cost_per_improvement_inclusive", corrected + preserved),
    ] {
        if n > 0 {
            writeln!(
                out,
                "{name} = {:.*}",
                if name == "cost_per_query" { p5 } else { p6 },
                cost / f64::from(n)
            )
            .unwrap();
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn tables_of_a_run_never_contradict(run in runs(), wilson_widths: bool, hidden: u64) {
        let all = printed(&run, wilson_widths);
        // Publications print some of it: what is left out must not make a finding either. What could not be known from
        // the others without `answered` and `incomplete` stays.
        let some: String = all
            .lines()
            .enumerate()
            .filter(|(at, l)| hidden >> (at % 64) & 1 == 0 || l.starts_with("answered") || l.starts_with("incomplete"))
            .flat_map(|(_, l)| [l, "\n"])
            .collect();
        for text in [all, some] {
            let report = check(&of(&table(&text)));
            prop_assert!(report.findings.is_empty(), "{:#?}\n{text}", report.findings);
        }
    }

    #[test]
    fn no_file_is_too_odd_to_read(text in "(schema = \"lookitup.tables/1\"\n|\\[\\[table\\]\\]\n|[a-z_]{1,9} = [0-9.e\\-\"\\[]{0,5}\n|\\PC{0,12}\n){0,9}") {
        let lines = text.lines().count().max(1);
        if let Err(problems) = read("any.toml", &text) {
            prop_assert!(problems.iter().all(|p| (1..=lines + 1).contains(&p.line)), "{problems:?}");
        }
    }
}
