use std::sync::atomic::AtomicBool;

use super::*;
use crate::record::{Attempt, Condition, SearchCall, Usage};
use crate::store::{Reader, Table, table_of};

fn attempt(id: &str, condition: Condition, answer: &str, confidence: f64) -> Attempt {
    Attempt {
        schema: crate::record::SCHEMA.into(),
        question_id: id.into(),
        question: Some(format!("What is {id}?")),
        references: Some(vec!["right".into()]),
        model: "m".into(),
        condition,
        attempt: 1,
        answer: Some(answer.into()),
        confidence: Some(confidence),
        ..Attempt::default()
    }
}

fn found(attempts: &[Attempt]) -> Report {
    let (table, reader): (Table, Reader) = table_of(&[], attempts);
    check(&table, &reader, Scorer::Normalized, &AtomicBool::new(false)).unwrap()
}

fn kinds(report: &Report) -> Vec<Kind> {
    report.counts.keys().copied().collect()
}

#[test]
fn consistent_records_give_nothing() {
    let report = found(&[
        attempt("a", Condition::NoSearch, "wrong", 0.5),
        attempt("a", Condition::WithSearch, "right", 0.9),
    ]);
    assert!(report.findings.is_empty(), "{report:?}");
}

#[test]
fn a_question_without_the_other_side_is_told_once_and_a_repeat_is_not() {
    let again = Attempt { attempt: 2, ..attempt("a", Condition::NoSearch, "wrong", 0.5) };
    let alone = Attempt { attempt: 2, ..attempt("b", Condition::NoSearch, "wrong", 0.5) };
    let report = found(&[
        attempt("a", Condition::NoSearch, "wrong", 0.5),
        attempt("a", Condition::WithSearch, "right", 0.9),
        again,
        attempt("b", Condition::NoSearch, "wrong", 0.5),
        alone,
    ]);
    assert_eq!(report.counts.get(&Kind::MissingSide), Some(&1), "{report:?}");
    assert!(report.findings[0].message.contains("question b was not asked under with_search"));
    // A condition that nobody was asked under is a design, not a fault.
    let one_sided = found(&[
        attempt("a", Condition::WithSearch, "right", 0.9),
        attempt("b", Condition::WithSearch, "right", 0.8),
    ]);
    assert!(one_sided.findings.is_empty(), "{one_sided:?}");
}

#[test]
fn records_that_deny_themselves() {
    let searched = Attempt {
        search_calls: vec![SearchCall::default()],
        ..attempt("a", Condition::NoSearch, "right", 0.5)
    };
    assert_eq!(kinds(&found(&[searched])), [Kind::SearchedWithoutTool]);
    let empty = Attempt { answer: None, correct: Some(true), ..attempt("a", Condition::NoSearch, "", 0.5) };
    assert_eq!(kinds(&found(&[empty])), [Kind::RightWithoutAnswer, Kind::VerdictDiffers]);
    let billed = Attempt {
        usage: Usage { search_requests: Some(2), ..Usage::default() },
        search_calls: vec![SearchCall::default()],
        ..attempt("a", Condition::WithSearch, "right", 0.5)
    };
    assert_eq!(kinds(&found(&[billed])), [Kind::CallsDiffer]);
    let graded = Attempt { correct: Some(false), ..attempt("a", Condition::NoSearch, "right", 0.5) };
    assert_eq!(kinds(&found(&[graded])), [Kind::VerdictDiffers]);
    let bare = Attempt { references: None, ..attempt("a", Condition::NoSearch, "x", 0.5) };
    assert_eq!(kinds(&found(&[bare])), [Kind::NothingToCompare]);
    let split = |id: &str, split: &str| Attempt {
        split: Some(split.into()),
        ..attempt(id, Condition::WithSearch, "right", 0.5)
    };
    let report = found(&[split("a", "static"), Attempt { attempt: 2, ..split("a", "dynamic") }]);
    assert_eq!(kinds(&report), [Kind::SplitDiffers], "{report:?}");
}

#[test]
fn transitions_that_their_answers_deny() {
    let (mut table, reader) = table_of(
        &[],
        &[
            attempt("a", Condition::NoSearch, "wrong", 0.5),
            Attempt {
                search_calls: vec![SearchCall::default()],
                ..attempt("a", Condition::WithSearch, "right", 0.9)
            },
        ],
    );
    let told = |table: &Table| check(table, &reader, Scorer::Normalized, &AtomicBool::new(false)).unwrap();
    assert_eq!(kinds(&told(&table)), []);
    let pair = table.pairs.get_mut(0).unwrap();
    pair.transitions[Scorer::Normalized as usize] = crate::record::Transition::Preserved;
    let report = told(&table);
    assert_eq!(kinds(&report), [Kind::Margins]);
    let said = "of 1 searched pair 0 and 1 are right without and with search, the transitions imply 1 and 1";
    assert!(report.findings[0].message.contains(said), "{report:?}");
}

#[test]
fn one_confidence_for_everything() {
    let same = |n: usize| -> Vec<Attempt> {
        (0..n).map(|i| attempt(&format!("q{i}"), Condition::WithSearch, "right", 0.9)).collect()
    };
    assert!(found(&same(5)).findings.is_empty(), "five cases prove nothing");
    let report = found(&same(30));
    assert!(kinds(&report).contains(&Kind::ConstantConfidence));
    assert!(report.findings.iter().any(|f| f.message.contains("all 30 stated confidences are 0.9")));
}

#[test]
fn ece_that_overconfidence_cannot_explain() {
    // Right nine times in ten with confidence .1 to .3: ECE about .7, 1 − accuracy .1.
    let under: Vec<Attempt> = (0..40)
        .map(|i| {
            let answer = if i % 10 == 0 { "wrong" } else { "right" };
            attempt(&format!("q{i}"), Condition::WithSearch, answer, 0.1 + 0.005 * f64::from(i))
        })
        .collect();
    let report = found(&under);
    assert_eq!(kinds(&report), [Kind::EceTooLarge], "{report:?}");
    assert!(report.findings[0].message.contains("underconfident bins: 0.1–0.2"), "{report:?}");
    let over: Vec<Attempt> = (0..40)
        .map(|i| {
            let answer = if i % 2 == 0 { "wrong" } else { "right" };
            attempt(&format!("q{i}"), Condition::WithSearch, answer, 0.8 + 0.005 * f64::from(i))
        })
        .collect();
    assert!(found(&over).findings.is_empty());
}

#[test]
fn findings_are_counted_beyond_those_kept() {
    let mut report = Report::default();
    for _ in 0..Report::KEPT + 5 {
        report.add(Kind::CallsDiffer, None, "x".into());
    }
    assert_eq!(report.findings.len() as u64, Report::KEPT);
    assert_eq!(report.count(Weight::Note), Report::KEPT + 5);
    assert_eq!(report.count(Weight::Contradiction), 0);
}

#[test]
fn a_cancelled_check_has_no_result() {
    let (table, reader) = table_of(&[], &[attempt("a", Condition::NoSearch, "x", 0.5)]);
    assert!(check(&table, &reader, Scorer::Normalized, &AtomicBool::new(true)).is_none());
}

#[test]
fn places_read_as_editors_expect_them() {
    let mut finding = Finding {
        severity: Weight::Note,
        kind: Kind::CallsDiffer,
        file: Some("a.jsonl".into()),
        line: Some(7),
        message: "what".into(),
        at: None,
    };
    assert_eq!(finding.to_string(), "a.jsonl:7: what");
    finding.line = None;
    assert_eq!(finding.to_string(), "a.jsonl: what");
    finding.file = None;
    assert_eq!(finding.to_string(), "what");
}
