//! Asking again from the screen: keys in, model and effects out, without network or terminal.

use lookitup::app::reask::{Asking, Errand, Field, News, Standing, Whom, Wish};
use lookitup::app::{Effect, Msg, Overlay};
use lookitup::provider::{Event, Models};
use lookitup::record::{Attempt, CallKind, Condition, ErrorInfo, SearchCall, SearchResult, Transition};

use crate::support::bench::Bench;

pub(crate) fn asking(keys: &[&str]) -> Asking {
    let whom = |name: &str| Whom {
        name: name.into(),
        host: format!("api.{name}.example"),
        key_variable: format!("{}_KEY", name.to_uppercase()),
        ready: if keys.contains(&name) { Ok(()) } else { Err(format!("set THE_KEY to ask {name}")) },
    };
    Asking {
        models: Models::built_in(),
        whom: vec![whom("openai"), whom("anthropic")],
        today: "2026-11-30".parse().unwrap(),
        run_id: "live-test".into(),
    }
}

fn bench(keys: &[&str]) -> Bench {
    let mut bench = Bench::sample((120, 40));
    bench.send(Msg::Prepared(std::sync::Arc::new(asking(keys))));
    bench
}

fn errand(bench: &mut Bench) -> Errand {
    let at = bench.left.iter().position(|e| matches!(e, Effect::Ask(_))).expect("an errand");
    let Effect::Ask(errand) = bench.left.remove(at) else { unreachable!() };
    *errand
}

fn form(bench: &Bench) -> &lookitup::app::reask::Form {
    match bench.model.overlays.last() {
        Some(Overlay::Reask(form)) => form,
        other => panic!("no form: {other:?}"),
    }
}

/// A record that answers a task.
fn answer(errand: &Errand, at: usize, said: &str, confidence: f64) -> Attempt {
    let (task, _) = &errand.tasks[at];
    let mut record = Attempt {
        question_id: task.given.question_id.clone(),
        model: task.ask.model.clone(),
        condition: task.ask.condition,
        attempt: task.given.attempt,
        answer: Some(said.into()),
        confidence: Some(confidence),
        raw: Some(format!("{said}\nConfidence: {confidence}")),
        ..Attempt::default()
    };
    if task.ask.searches() {
        record.search_calls.push(SearchCall::default());
    }
    record
}

#[test]
fn without_a_key_the_form_offers_the_replay_and_says_what_to_set() {
    let mut bench = bench(&[]);
    bench.press("r");
    assert!(form(&bench).replays());
    assert!(bench.text().contains("REPLAY: no model is asked"));
    assert!(bench.text().contains("to ask a model, set OPENAI_KEY or ANTHROPIC_KEY and start again"));
    // A replay has no prompt to write.
    assert!(!bench.text().contains("editor"), "{}", bench.text());
    bench.press("alt-e");
    assert!(!bench.left.iter().any(|e| matches!(e, Effect::Edit(_))));
    bench.press("up left");
    assert!(bench.text().contains("set THE_KEY to ask anthropic"), "{}", bench.text());
    bench.press("ctrl-s");
    assert!(form(&bench).error.as_deref().is_some_and(|e| e.contains("THE_KEY")));
    assert!(!bench.left.iter().any(|e| matches!(e, Effect::Ask(_))));
}

#[test]
fn a_replay_is_marked_and_never_saved() {
    let mut bench = bench(&[]);
    bench.press("r enter");
    let errand = errand(&mut bench);
    assert_eq!((errand.provider.as_str(), errand.tasks.len()), ("replay", 1));
    let kept = errand.tasks[0].1.clone().expect("the stored attempt");
    assert_eq!(kept.condition, Condition::WithSearch);
    bench.send(Msg::Job(errand.job, News::Record(0, Box::new(kept))));
    bench.send(Msg::Job(errand.job, News::Over));
    bench.frame();
    assert!(bench.text().contains("REPLAY: nothing new was asked, nothing is saved"));
    assert!(!bench.text().contains("leave it running"), "the bar speaks of what runs no more");
    assert!(bench.text().contains("attempt 1"));
}

#[test]
fn the_order_is_what_the_form_says() {
    let mut bench = bench(&["anthropic"]);
    bench.press("3 r");
    assert_eq!(form(&bench).provider, "anthropic");
    // With search to both, then three searches and two repeats.
    bench.press("right tab right tab right ctrl-s");
    let errand = errand(&mut bench);
    let seen: Vec<_> =
        errand.tasks.iter().map(|(t, _)| (t.ask.condition, t.given.attempt, t.ask.max_searches)).collect();
    let (no, with) = (Condition::NoSearch, Condition::WithSearch);
    assert_eq!(seen, [(no, 1, 3), (with, 1, 3), (no, 2, 3), (with, 2, 3)]);
    let question = &bench.model.job(errand.job).unwrap().subject.question;
    assert!(errand.tasks.iter().all(|(t, k)| t.ask.prompt.contains(question.as_str()) && k.is_none()));
    assert!(errand.tasks.iter().all(|(t, _)| t.given.run_id.as_deref() == Some("live-test")));
}

#[test]
fn an_answer_arrives_and_is_compared_with_the_stored_one() {
    let mut bench = bench(&["anthropic"]);
    bench.press("3 r ctrl-s");
    let errand = errand(&mut bench);
    let tell = |bench: &mut Bench, event| bench.send(Msg::Job(errand.job, News::Event(0, event)));
    tell(&mut bench, Event::Sent { host: "api.example".into(), request: serde_json::Value::Null });
    bench.frame();
    assert!(bench.text().contains("waiting for the answer"));
    tell(&mut bench, Event::RetryWait { attempt: 2, seconds: 7, why: "the provider is overloaded".into() });
    bench.frame();
    assert!(bench.text().contains("try 2 in 7 s: the provider is overloaded"));
    tell(&mut bench, Event::SearchStarted { n: 1, kind: CallKind::Search });
    tell(&mut bench, Event::SearchQuery { n: 1, queries: vec!["flag stars".into()] });
    bench.frame();
    assert!(bench.text().contains("search 1  “flag stars”  …"));
    assert!(!bench.text().contains("try 2 in"));
    let found = SearchResult { url: "https://flags.example/a".into(), ..SearchResult::default() };
    tell(&mut bench, Event::SearchResults { n: 1, results: vec![found] });
    tell(&mut bench, Event::Text("forty-".into()));
    tell(&mut bench, Event::Text("nine\u{1b}[2J".into()));
    bench.frame();
    assert!(bench.text().contains("1 result ") && bench.text().contains("flags.example"));
    let reference = bench.model.job(errand.job).unwrap().subject.references[0].clone();
    let record = answer(&errand, 0, &reference, 0.9);
    bench.send(Msg::Job(errand.job, News::Record(0, Box::new(record))));
    bench.send(Msg::Job(errand.job, News::Saved(0, Ok("results/x.jsonl".into()))));
    // Nothing is left that could be stopped, whether the end was told already or not.
    assert!(!bench.model.job(errand.job).unwrap().runs());
    bench.send(Msg::Job(errand.job, News::Over));
    bench.frame();
    let job = bench.model.job(errand.job).unwrap();
    let outcome = job.tasks[0].outcome.as_ref().unwrap();
    // Broken before: right without search; now right with it.
    assert_eq!(outcome.transition, Transition::Preserved);
    assert!(bench.text().contains("✓→✓ preserved") && bench.text().contains("saved to results/x.jsonl"));
    // The file was not there before: it is read from now on.
    assert!(bench.left.iter().any(|e| matches!(e, Effect::Reload)));
    bench.press("esc");
    assert!(bench.model.overlays.is_empty());
}

#[test]
fn a_new_pair_stands_beside_the_stored_one() {
    let mut bench = bench(&["anthropic"]);
    bench.press("3 r right ctrl-s");
    let errand = errand(&mut bench);
    let reference = bench.model.job(errand.job).unwrap().subject.references[0].clone();
    for at in 0..2 {
        let record = answer(&errand, at, &reference, 0.9);
        bench.send(Msg::Job(errand.job, News::Record(at, Box::new(record))));
    }
    bench.send(Msg::Job(errand.job, News::Over));
    bench.frame();
    assert!(
        bench.text().contains("within the new pair  ✓→✓ preserved   stored ✓→✗ broken"),
        "{}",
        bench.text()
    );
}

#[test]
fn esc_stops_at_once_and_keeps_what_came() {
    let mut bench = bench(&["openai"]);
    bench.press("r ctrl-s");
    let errand = errand(&mut bench);
    bench.press("esc");
    assert!(bench.left.iter().any(|e| matches!(e, Effect::StopAsking(job) if *job == errand.job)));
    assert_eq!(bench.model.job(errand.job).unwrap().standing, Standing::Stopping);
    let partial = Attempt {
        answer: None,
        confidence: None,
        raw: Some("half of an ans".into()),
        error: Some(ErrorInfo { kind: "cancelled".into(), message: "stopped by the person".into() }),
        ..answer(&errand, 0, "", 0.0)
    };
    bench.send(Msg::Job(errand.job, News::Record(0, Box::new(partial))));
    bench.send(Msg::Job(errand.job, News::Over));
    bench.frame();
    assert!(bench.text().contains("PARTIAL") && bench.text().contains("half of an ans"));
    assert!(bench.text().contains("! error") && bench.text().contains("! incomplete"));
    bench.press("esc");
    assert!(bench.model.overlays.is_empty());
}

#[test]
fn several_run_while_one_goes_on_browsing() {
    let mut bench = bench(&["openai"]);
    bench.press("r ctrl-s");
    let first = errand(&mut bench);
    bench.press("enter j r ctrl-s");
    let second = errand(&mut bench);
    bench.press("enter");
    assert_ne!(first.job, second.job);
    assert_eq!(bench.model.running(), 2);
    bench.press("j k");
    assert!(bench.text().contains("2 asking"));
    bench.press("J");
    assert!(bench.text().contains("running 1 of 1"));
    bench.press("enter");
    assert!(matches!(bench.model.overlays.last(), Some(Overlay::Job(job)) if *job == second.job));
    bench.press("enter");
    bench.send(Msg::Job(first.job, News::Over));
    assert!(bench.model.status.is_some());
    assert_eq!(bench.model.running(), 1);
}

#[test]
fn the_same_question_asked_twice_at_once_gets_two_numbers() {
    let mut bench = bench(&["openai"]);
    bench.press("r ctrl-s enter r ctrl-s");
    let (first, second) = (errand(&mut bench), errand(&mut bench));
    assert_eq!((first.tasks[0].0.given.attempt, second.tasks[0].0.given.attempt), (1, 2));
}

#[test]
fn evidence_is_blocked_by_an_editable_list() {
    let mut bench = bench(&["anthropic"]);
    bench.press("3 r right right");
    assert_eq!(form(&bench).wish, Wish::One(Condition::EvidenceBlocked));
    assert!(form(&bench).uses(Field::Blocked));
    bench.press("tab tab tab");
    assert_eq!(form(&bench).field, Field::Blocked);
    bench.type_text(", https://www.Flags.example/page");
    bench.press("ctrl-s");
    let errand = errand(&mut bench);
    let ask = &errand.tasks[0].0.ask;
    assert_eq!(ask.condition, Condition::EvidenceBlocked);
    assert!(ask.blocked_domains.contains(&"flags.example".to_owned()) && ask.blocked_domains.len() > 1);
}

#[test]
fn the_prompt_is_a_text_of_ones_own() {
    let mut bench = bench(&["openai"]);
    bench.press("r alt-e");
    let Some(Effect::Edit(text)) = bench.left.pop() else { panic!("no text to edit") };
    assert!(text.contains("{question}"));
    bench.send(Msg::Edited(Ok(Some("Say it: {question}\nBriefly.".into()))));
    bench.press("shift-tab shift-tab");
    assert_eq!(form(&bench).field, Field::Provider);
    bench.press("shift-tab");
    assert_eq!(form(&bench).field, Field::Prompt);
    bench.send(Msg::Paste("A first line.\n".into()));
    bench.press("ctrl-s");
    let prompt = errand(&mut bench).tasks[0].0.ask.prompt.clone();
    assert!(prompt.starts_with("A first line.\nSay it: ") && prompt.ends_with("\nBriefly."), "{prompt}");
    bench.press("enter r alt-e");
    bench.send(Msg::Edited(Err("the editor (x) cannot be started".into())));
    assert!(bench.model.status.as_ref().is_some_and(|s| s.text.contains("cannot be started")));
}

#[test]
fn any_size_shows_the_form_and_a_job() {
    for size in [(60, 16), (80, 24), (120, 40), (200, 60), (40, 10)] {
        let mut bench = Bench::sample(size);
        bench.send(Msg::Prepared(std::sync::Arc::new(asking(&["openai"]))));
        bench.press("r");
        assert!(bench.text().contains("ask again"), "{size:?}");
        bench.press("ctrl-s");
        let errand = errand(&mut bench);
        let long = "word ".repeat(3_000);
        bench.send(Msg::Job(errand.job, News::Event(0, Event::Text(long.clone()))));
        bench.frame();
        bench.send(Msg::Job(errand.job, News::Record(0, Box::new(answer(&errand, 0, &long, 0.5)))));
        bench.frame();
        assert!(bench.text().contains("wrong"), "{size:?}\n{}", bench.text());
        bench.press("k k j g g G");
    }
}

#[test]
fn the_form_opens_as_soon_as_it_can_unless_something_else_is_pressed() {
    let mut bench = Bench::sample((120, 40));
    bench.model.prepared = false;
    bench.press("r");
    assert!(bench.model.overlays.is_empty());
    bench.send(Msg::Prepared(std::sync::Arc::new(asking(&[]))));
    assert!(matches!(bench.model.overlays.last(), Some(Overlay::Reask(_))));
    bench.press("esc");
    bench.model.prepared = false;
    bench.press("r j");
    bench.send(Msg::Prepared(std::sync::Arc::new(asking(&[]))));
    assert!(bench.model.overlays.is_empty());
}
