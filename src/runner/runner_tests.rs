use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::provider::Models;
use crate::record::{Attempt, Citation, Condition, Question, Scorer, Transition, Verdict};
use crate::store::table_of;

fn attempt(condition: Condition, answer: &str, confidence: f64) -> Attempt {
    Attempt {
        question_id: "q".into(),
        model: "m".into(),
        condition,
        attempt: 1,
        answer: Some(answer.into()),
        confidence: Some(confidence),
        ..Attempt::default()
    }
}

fn subject(split: &str) -> Subject {
    Subject {
        id: "q".into(),
        question: "When {question}?".into(),
        references: vec!["1981".into()],
        split: Some(split.into()),
    }
}

#[test]
fn both_conditions_of_a_repeat_share_their_number_and_prompts_fit_them() {
    let order = Order {
        conditions: vec![Condition::NoSearch, Condition::WithSearch],
        repeats: 2,
        ..Order::of(&Models::built_in(), "anthropic", None).unwrap()
    };
    let tasks = order.tasks(&subject("static"), 4, "live-x");
    let seen: Vec<_> = tasks.iter().map(|t| (t.given.attempt, t.ask.condition)).collect();
    assert_eq!(
        seen,
        [
            (4, Condition::NoSearch),
            (4, Condition::WithSearch),
            (5, Condition::NoSearch),
            (5, Condition::WithSearch),
        ]
    );
    assert!(tasks.iter().all(|t| t.ask.prompt.contains("When {question}?") && t.ask.max_searches == 2));
    assert_ne!(tasks[0].ask.prompt, tasks[1].ask.prompt);
    assert_eq!(tasks[0].given.references.as_deref(), Some(&["1981".to_owned()][..]));
    let own = Order { prompt: Some("Say: {question}".into()), ..order };
    assert!(own.tasks(&subject("dynamic"), 1, "r").iter().all(|t| t.ask.prompt == "Say: When {question}?"));
}

#[test]
fn presets_give_models_their_settings() {
    let models = Models::built_in();
    let paper = Order::of(&models, "anthropic", Some("claude-haiku-4-5-20251001")).unwrap();
    assert_eq!((paper.temperature, paper.max_searches), (Some(0.0), 2));
    assert_eq!(Order::of(&models, "openai", Some("other")).unwrap().temperature, None);
    assert!(Order::of(&models, "nobody", None).is_none());
}

#[test]
fn the_next_number_is_after_every_stored_one_of_the_model() {
    let question = Question { id: "q".into(), question: "?".into(), ..Question::default() };
    let mut all = vec![attempt(Condition::NoSearch, "a", 0.5), attempt(Condition::WithSearch, "a", 0.5)];
    all.push(Attempt { attempt: 3, ..attempt(Condition::WithSearch, "a", 0.5) });
    all.push(Attempt { attempt: 9, model: "other".into(), ..attempt(Condition::WithSearch, "a", 0.5) });
    all.push(Attempt { model: "snap-2025-04-14".into(), ..attempt(Condition::WithSearch, "a", 0.5) });
    all.push(Attempt { attempt: 5, model: "snap-mini".into(), ..attempt(Condition::WithSearch, "a", 0.5) });
    let (table, _) = table_of(&[question], &all);
    assert_eq!(next_attempt(&table, 0, "m"), 4);
    assert_eq!(next_attempt(&table, 0, "other"), 10);
    assert_eq!(next_attempt(&table, 0, "new"), 1);
    assert_eq!(next_attempt(&table, 0, "snap"), 2, "the server may answer as a snapshot");
    assert_eq!(next_attempt(&table, 7, "m"), 1);
    let blocked = [Condition::EvidenceBlocked];
    // It stands beside the pair whose evidence it lacks, as long as nothing stands there.
    assert_eq!(first_attempt(&table, 0, "m", &blocked, 1), 1);
    assert_eq!(first_attempt(&table, 0, "m", &blocked, 2), 4);
    assert_eq!(first_attempt(&table, 0, "other", &blocked, 1), 10);
    assert_eq!(first_attempt(&table, 0, "m", &[Condition::WithSearch], 1), 4);
}

#[test]
fn a_new_attempt_is_compared_with_the_stored_one_of_the_other_condition() {
    let references = ["1981".to_owned()];
    let no = attempt(Condition::NoSearch, "1981", 0.8);
    let mut with = attempt(Condition::WithSearch, "1980", 0.95);
    with.search_calls.push(crate::record::SearchCall::default());
    let sides = [Some(Arc::new(no.clone())), None, None];
    let found =
        outcome(&with, partner(&sides, with.condition).map(|a| &**a), &references, Scorer::Normalized);
    assert_eq!((found.verdict, found.transition), (Verdict::Wrong, Transition::Broken));
    assert!((found.dconf.unwrap() - 0.15).abs() < 1e-12);
    let other = outcome(&no, Some(&with), &references, Scorer::Normalized);
    assert_eq!((other.verdict, other.transition), (Verdict::Right, Transition::Broken));
    assert_eq!(other.dconf, found.dconf);
    let failed = Attempt {
        error: Some(crate::record::ErrorInfo { kind: "dropped".into(), message: String::new() }),
        ..with
    };
    let found = outcome(&failed, Some(&no), &references, Scorer::Normalized);
    assert_eq!((found.verdict, found.transition), (Verdict::Error, Transition::Incomplete));
    assert!(advice("dropped").is_some() && advice("nonsense").is_none());
}

#[test]
fn evidence_is_blocked_by_the_domains_that_were_cited() {
    let mut with = attempt(Condition::WithSearch, "x", 0.5);
    with.citations.push(Citation { url: "https://www.Example.org/a".into(), ..Citation::default() });
    let mut order = Order::default();
    order.block_evidence_of(&[None, Some(Arc::new(with)), None]);
    assert_eq!(order.blocked, ["example.org"]);
}

#[test]
fn repeats_tell_how_often_the_answer_flips() {
    let references = ["1981".to_owned()];
    let said = |s: &str| attempt(Condition::WithSearch, s, 0.5);
    let mut cut = said("1981");
    cut.stop = Some("max_tokens".into());
    let all = [said("1981"), said(" 1981."), said("1980"), said("1981"), cut];
    let r = repeats(&all, &references, Scorer::Normalized);
    assert_eq!((r.judged, r.right, r.open), (4, 3, 1));
    assert_eq!(r.answers, [("1981".to_owned(), 3), ("1980".to_owned(), 1)]);
    assert_eq!(r.flip_rate(), Some(0.25));
    assert_eq!(r.pass_at(2), Some(1.0));
    assert_eq!(repeats(&[], &references, Scorer::Normalized).flip_rate(), None);
}

#[test]
fn every_set_of_files_has_its_own_journal() {
    let here = tempfile::tempdir().unwrap();
    let data = Path::new("/somewhere/data");
    let of = |paths: &[&str], named| {
        let paths: Vec<String> = paths.iter().map(|p| (*p).to_owned()).collect();
        journal_of(here.path(), Some(data), &paths, named)
    };
    assert_eq!(of(&[], true).unwrap(), data.join("results/sample.live.results.jsonl"));
    let a = of(&["x/haiku.results.jsonl"], true).unwrap();
    assert!(a.file_name().unwrap().to_str().unwrap().starts_with("haiku-"));
    assert_ne!(a, of(&["y/haiku.results.jsonl"], true).unwrap());
    assert_ne!(a, of(&["x/haiku.results.jsonl", "b"], true).unwrap());
    assert_eq!(of(&["b", "a"], true), of(&["a", "./b", "a"], true));
    let unnamed = data.join("results/live.results.jsonl");
    assert_ne!(of(&["data"], false), Some(unnamed), "another folder has a data too");
    assert!(of(&["../..", "/", ""], true).unwrap().starts_with(data.join("results")));
    std::fs::create_dir(here.path().join("results")).unwrap();
    assert_eq!(of(&["results"], false).unwrap(), here.path().join("results/live.results.jsonl"));
    assert_eq!(of(&[], true).unwrap(), data.join("results/sample.live.results.jsonl"));
    assert_eq!(journal_of(&here.path().join("none"), None, &[], true), None);
}

#[test]
fn a_run_is_named_by_its_moment() {
    let at: jiff::Timestamp = "2026-11-30T05:12:00Z".parse().unwrap();
    assert_eq!(run_id(at, 1234), "live-20261130T051200Z-4d2");
}
