//! What is proposed at the cursor.

use lookitup::query::{Completions, complete, parse};
use lookitup::record::{Attempt, Condition, Question, Scorer};

use super::query_table::{Data, plain};

/// Three questions of two topics, two models.
fn data() -> Data {
    let question = |id: &str, topic: &str| Question {
        id: id.into(),
        question: "?".into(),
        references: vec!["yes".into()],
        topic: (!topic.is_empty()).then(|| topic.into()),
        ..Question::default()
    };
    let questions = vec![question("a", "world sport"), question("b", "world sport"), question("c", "")];
    let mut attempts = Vec::new();
    for (id, no, with) in [("a", "yes", "no"), ("b", "no", "no"), ("c", "yes", "no")] {
        for (condition, answer) in [(Condition::NoSearch, no), (Condition::WithSearch, with)] {
            let mut a = Attempt {
                question_id: id.into(),
                model: if id == "c" { "gpt-5-mini".into() } else { "claude-haiku".into() },
                condition,
                attempt: 1,
                answer: Some(answer.into()),
                ..Attempt::default()
            };
            if condition == Condition::WithSearch {
                a.search_calls.push(lookitup::record::SearchCall::default());
            }
            attempts.push(a);
        }
    }
    Data::new(&questions, &attempts, plain)
}

/// The proposals where the text has a `|`.
fn at(text: &str) -> (Completions, String) {
    let cursor = text.find('|').unwrap();
    let text = text.replacen('|', "", 1);
    let found = complete(&data().table, &text, cursor, Scorer::default());
    (found, text)
}

fn texts(text: &str) -> Vec<String> {
    at(text).0.items.into_iter().map(|i| i.text).collect()
}

/// The text after the first proposal was taken.
fn taken(text: &str) -> String {
    let (found, mut text) = at(text);
    text.replace_range(found.replace, &found.items.first().expect("a proposal").text);
    text
}

fn counts(text: &str) -> Vec<(String, u64)> {
    at(text).0.items.into_iter().filter_map(|i| Some((i.text, i.count?))).collect()
}

#[test]
fn fields_are_offered_where_a_term_begins() {
    let all = texts("|");
    assert!(all.contains(&"transition:".into()) && all.contains(&"meta.".into()), "{all:?}");
    assert_eq!(texts("tra|"), ["transition:"]);
    assert_eq!(texts("broken and tra|"), ["transition:"]);
    assert_eq!(texts("not (tra|"), ["transition:"]);
    assert_eq!(texts("-tra|"), ["transition:"]);
    assert_eq!(texts("(conf>0.5 or -(tra|"), ["transition:"]);
    assert_eq!(texts("answer.|"), ["answer.no:", "answer.with:", "answer.blocked:"]);
    assert!(at("tra|").0.items[0].note.contains("search"));
}

#[test]
fn values_are_offered_with_their_counts() {
    let all = counts("transition:|");
    assert_eq!(
        all[..4],
        [("corrected".into(), 0), ("preserved".into(), 0), ("broken".into(), 2), ("unresolved".into(), 1)]
    );
    assert_eq!(texts("transition:un|"), ["unresolved", "unpaired"]);
    assert_eq!(texts("transition:broken,un|"), ["unresolved", "unpaired"]);
    assert_eq!(texts("transition:broken, un|"), ["unresolved", "unpaired"]);
    assert_eq!(counts("model:|"), [("claude-haiku".into(), 2), ("gpt-5-mini".into(), 1)]);
    assert_eq!(texts("model:HAI|"), ["claude-haiku"]);
    assert_eq!(texts("not (model = gp|)"), ["gpt-5-mini"]);
    assert_eq!(counts("calls:|"), [("1".into(), 3)]);
    // Values with spaces come in quotes; rows without one are told.
    assert_eq!(counts("topic:|"), [("\"world sport\"".into(), 2), ("none".into(), 1)]);
    assert_eq!(texts("topic:\"world s|"), ["\"world sport\""]);
}

#[test]
fn a_word_that_is_a_value_is_offered_with_its_field() {
    assert_eq!(counts("broken|"), [("transition:broken".into(), 2)]);
    assert_eq!(counts("hai|"), [("model:claude-haiku".into(), 2)]);
    assert_eq!(texts("harm|"), ["outcome:harmful"]);
}

#[test]
fn what_is_taken_replaces_what_was_typed() {
    for (typed, after) in [
        ("tra|", "transition:"),
        ("a tra|nsi b", "a transition: b"),
        ("transition:bro|", "transition:broken"),
        ("transition:bro|k calls>1", "transition:broken calls>1"),
        ("(topic:wor|)", "(topic:\"world sport\")"),
        ("topic:\"wor|ld\" x", "topic:\"world sport\" x"),
        ("topic:\"wor|", "topic:\"world sport\""),
        ("model:gpt-5-mini,cl|", "model:gpt-5-mini,claude-haiku"),
        ("model: | x", "model: claude-haiku x"),
        ("broken|", "transition:broken"),
    ] {
        assert_eq!(taken(typed), after, "{typed}");
    }
    assert!(parse(&taken("topic:wor|")).is_ok());
}

#[test]
fn nothing_is_offered_where_nothing_fits() {
    for text in
        ["\"pri|", "answer~/a|", "~/a|", "q:x|", "zzz:a|", "transition:zzz|", "topic:\"world sport\"|"]
    {
        assert_eq!(texts(text), [""; 0], "{text}");
    }
    // Terms go on after a closed value.
    assert_eq!(texts("topic:\"world sport\" tra|"), ["transition:"]);
    assert_eq!(texts("\"a phrase\" tra|"), ["transition:"]);
    assert_eq!(texts("q~/a b/ tra|"), ["transition:"]);
}

#[test]
fn completing_over_many_rows_counts_the_first_ones_and_says_so() {
    let mut table = data().table;
    let few: Vec<_> = table.pairs.iter().copied().collect();
    let rows = 2_000_000;
    // The last model of the names stands in no row that is counted.
    let of_first: Vec<_> = few.iter().copied().filter(|p| p.model == few[0].model).collect();
    table.pairs = (0..rows).map(|at| of_first[at % of_first.len()]).collect();
    let before = std::time::Instant::now();
    let found = complete(&table, "model:", 6, Scorer::default());
    let took = before.elapsed();
    assert!(found.partial);
    let items: Vec<_> = found.items.iter().map(|i| (i.text.as_str(), i.count)).collect();
    assert_eq!(items[0], ("claude-haiku", Some(200_000)), "{took:?}");
    assert!(items.contains(&("gpt-5-mini", None)), "{items:?}");
    assert!(!complete(&data().table, "model:", 6, Scorer::default()).partial);
}
