//! Scores, answers, confidence, states, metadata.

use serde_json::{Map, Value, json};

use super::super::scores::{pick, resolve_history, verdict};
use super::{attempt, header, read, sample, zip};
use crate::record::State;

#[test]
fn every_kind_of_value_has_its_verdict() {
    let right =
        [json!("C"), json!("correct"), json!(true), json!(1), json!(1.0), json!("yes"), json!([1, "C"])];
    let wrong = [json!("I"), json!("N"), json!(false), json!(0), json!(0.0), json!(" no "), json!(["I"])];
    let neither = [
        json!("P"),
        json!(0.5),
        json!(7),
        json!(null),
        json!(""),
        json!("a long remark"),
        json!([]),
        json!([1, 0]),
        json!({}),
        json!({"fluency": 1, "style": 0}),
        json!({"correct": null}),
    ];
    for v in right.iter().chain([&json!({"accuracy": 1, "style": 0}), &json!({"only": "C"})]) {
        assert_eq!(verdict(v), Some(true), "{v}");
    }
    for v in wrong.iter().chain([&json!({"correct": 0, "confidence": 0.7})]) {
        assert_eq!(verdict(v), Some(false), "{v}");
    }
    for v in &neither {
        assert_eq!(verdict(v), None, "{v}");
    }
}

#[test]
fn a_partly_right_answer_is_ungraded_and_keeps_its_value() {
    let mut s = sample("q1", "Ada");
    s["scores"]["em"]["value"] = json!("P");
    let a = attempt(&s);
    assert_eq!(a.correct, None);
    assert_eq!(a.extra["scores"]["em"]["value"], "P");
    assert_eq!(a.extra["scorer"], "em");
}

#[test]
fn the_first_scorer_of_the_log_grades() {
    let scores = |v: Value| v.as_object().unwrap().clone();
    let both = scores(json!({"b": {"value": "I"}, "a": {"value": "C"}}));
    let names = |n: &[&str]| n.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    assert_eq!(pick(&both, &names(&["a", "b"])).unwrap().0, "a");
    assert_eq!(pick(&both, &names(&["package/a", "b"])).unwrap().0, "a");
    // It gave nothing for this sample: no other stands in for it.
    assert!(pick(&scores(json!({"b": {"value": "I"}})), &names(&["a", "b"])).is_none());
    // The log names none, or none of these.
    assert_eq!(pick(&both, &[]).unwrap().0, "b");
    assert_eq!(pick(&both, &names(&["x"])).unwrap().0, "b");
    assert!(pick(&Map::new(), &names(&["a"])).is_none());
}

#[test]
fn a_history_can_be_read_entry_by_entry() {
    let mut scores = json!({"em": {"value": "C", "history": [
        {"value": "I", "answer": "A", "explanation": "e", "metadata": {"k": 1}},
        {"value": "UNCHANGED", "answer": "B", "explanation": "UNCHANGED", "metadata": "UNCHANGED", "reason": "UNCHANGED"},
        {"value": "C", "answer": "UNCHANGED", "metadata": {}, "provenance": {"author": "me"}}]}});
    resolve_history(scores.as_object_mut().unwrap());
    let history = &scores["em"]["history"];
    assert_eq!(
        history[1],
        json!({"value": "I", "answer": "B", "explanation": "e", "metadata": {"k": 1}, "reason": null})
    );
    assert_eq!(
        history[2],
        json!({"value": "C", "answer": "B", "metadata": {}, "provenance": {"author": "me"}})
    );
}

#[test]
fn the_answer_is_the_scorers_unless_that_is_just_the_whole_text() {
    let text = r#"{"answer": "Ada", "confidence": 0.97}"#;
    let with = |score: Value, text: &str| {
        let mut s = sample("q1", text);
        s["scores"]["em"] = score;
        attempt(&s)
    };
    let a = with(json!({"value": "C", "answer": "Ada Lovelace"}), text);
    assert_eq!((a.answer.as_deref(), a.confidence), (Some("Ada Lovelace"), Some(0.97)));
    // `model_graded_qa` and `includes` give the completion for an answer.
    let a = with(json!({"value": "C", "answer": text}), text);
    assert_eq!((a.answer.as_deref(), a.raw.as_deref()), (Some("Ada"), Some(text)));
    let a = with(json!({"value": "C"}), "just Ada");
    assert_eq!((a.answer.as_deref(), a.confidence), (Some("just Ada"), None));
    let a = with(json!({"value": "N", "answer": ""}), "");
    assert_eq!((a.answer, a.raw, a.correct), (None, None, Some(false)));
}

#[test]
fn confidence_comes_from_the_score_first() {
    let text = r#"{"answer": "Ada", "confidence": 0.2}"#;
    let mut s = sample("q1", text);
    s["scores"]["em"]["metadata"] = json!({"confidence": "85%"});
    assert_eq!(attempt(&s).confidence, Some(0.85));
    s["scores"]["em"] = json!({"value": {"correct": 1, "confidence": 70}});
    assert_eq!(attempt(&s).confidence, Some(0.7));
    // Another scorer may be the one that reads it.
    s["scores"] = json!({"em": {"value": "C"}, "stated": {"value": 1, "metadata": {"confidence": 0.4}}});
    assert_eq!(attempt(&s).confidence, Some(0.4));
    s["scores"]["stated"]["metadata"]["confidence"] = json!(null);
    assert_eq!(attempt(&s).confidence, Some(0.2));
    // Confidence in the labels of a data set is nobody's answer.
    s["metadata"]["label_confidence"] = json!(0.9);
    assert_eq!(attempt(&s).confidence, Some(0.2));
}

#[test]
fn certainty_among_percentages_is_pointed_out() {
    let log = |confidences: [Value; 2]| {
        let samples: Vec<String> = confidences
            .into_iter()
            .zip(["q1", "q2"])
            .map(|(c, id)| {
                let mut s = sample(id, "Ada");
                s["scores"]["em"]["metadata"] = json!({"confidence": c});
                s.to_string()
            })
            .collect();
        read(zip(
            &[
                ("header.json", &header().to_string()),
                ("samples/q1_epoch_1.json", &samples[0]),
                ("samples/q2_epoch_1.json", &samples[1]),
            ],
            zip::CompressionMethod::Stored,
        ))
    };
    let kept = log([json!(1), json!(85)]);
    assert_eq!([kept.attempts[0].confidence, kept.attempts[1].confidence], [Some(1.0), Some(0.85)]);
    assert!(kept.problems[0].message.contains("1 of exactly 1"), "{}", kept.problems[0]);
    assert!(log([json!(1), json!(0.85)]).problems.is_empty());
}

#[test]
fn states_follow_error_and_stop() {
    let state = |change: &dyn Fn(&mut Value)| {
        let mut s = sample("q1", "Ada");
        change(&mut s);
        let a = attempt(&s);
        (State::of_attempt(&a), a.stop)
    };
    let stop =
        |word: &'static str| move |s: &mut Value| s["output"]["choices"][0]["stop_reason"] = json!(word);
    let word = |w: &str| Some(w.to_owned());
    assert_eq!(state(&|_| ()), (State::Answered, word("stop")));
    assert_eq!(state(&stop("max_tokens")), (State::Truncated, word("max_tokens")));
    assert_eq!(state(&stop("model_length")), (State::Truncated, word("model_length")));
    assert_eq!(state(&stop("content_filter")), (State::Refused, word("content_filter")));
    assert_eq!(state(&stop("unknown")), (State::Answered, word("unknown")));
    let refused = |s: &mut Value| {
        s["output"]["choices"][0]["message"]["content"] =
            json!([{"type": "text", "text": "I can't help with that.", "refusal": true}]);
    };
    assert_eq!(state(&refused), (State::Refused, word("refusal")));
    let failed = |s: &mut Value| {
        s["error"] = json!({"message": "RateLimitError('429')", "traceback": "…"});
        s["scores"] = json!({});
    };
    assert_eq!(state(&failed).0, State::Error);
    // Ended by a limit before the model said anything.
    let limited = |s: &mut Value| {
        s["limit"] = json!({"type": "token", "limit": 10});
        s["output"] = json!({"model": "", "choices": []});
        s["messages"] = json!([]);
        s["scores"] = json!({});
    };
    assert_eq!(state(&limited), (State::NoAnswer, word("token_limit")));
}

#[test]
fn a_failed_sample_is_no_wrong_answer() {
    let mut s = sample("q1", "Ada");
    s["error"] =
        json!({"message": "httpx.ReadTimeout('slow')", "traceback": "long", "traceback_ansi": "longer"});
    s["scores"] = json!({});
    s["error_retries"] = json!([{"message": "x"}, {"message": "y"}]);
    let a = attempt(&s);
    let error = a.error.unwrap();
    assert_eq!((error.kind.as_str(), error.message.as_str()), ("timeout", "httpx.ReadTimeout('slow')"));
    assert_eq!((a.correct, &a.extra["error_retries"]), (None, &json!(2)));
    // A model that gives an error and no text.
    let mut s = sample("q1", "");
    s["output"]["error"] = json!("bad request");
    assert_eq!(attempt(&s).error.unwrap().kind, "model_error");
    s["output"]["choices"][0]["stop_reason"] = json!("content_filter");
    let a = attempt(&s);
    assert_eq!((State::of_attempt(&a), &a.extra["output_error"]), (State::Refused, &json!("bad request")));
}

#[test]
fn questions_and_references_in_every_shape() {
    let mut s = sample("q1", "Ada");
    s["input"] = json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "First, "}, {"type": "image", "image": "…"}, {"type": "text", "text": "who?"}]},
        {"role": "assistant", "content": "Hm."}]);
    s["target"] = json!([" Ada ", "", 7]);
    let a = attempt(&s);
    assert_eq!(a.question.as_deref(), Some("First, who?"));
    assert_eq!(a.references, Some(vec!["Ada".to_owned(), "7".to_owned()]));
    // Nothing in the input: what the user says in the messages, and at last the id.
    s["input"] = json!("");
    assert_eq!(attempt(&s).question.as_deref(), Some("Who?"));
    s["messages"] = json!([]);
    assert_eq!(attempt(&s).question.as_deref(), Some("q1"));
    s["id"] = json!(-3);
    s["epoch"] = json!(12);
    let a = attempt(&s);
    assert_eq!((a.question_id.as_str(), a.attempt), ("-3", 12));
}

#[test]
fn metadata_never_hides_a_field_of_the_record() {
    let mut s = sample("q1", "Ada");
    s["metadata"] = json!({"split": "dynamic", "key_date": "2025-09", "model": "m", "answer": [1], "scores": 3, "nested": {"a": 1}});
    let a = attempt(&s);
    assert_eq!(a.split.as_deref(), Some("dynamic"));
    assert_eq!((&a.extra["key_date"], &a.extra["nested"]["a"]), (&json!("2025-09"), &json!(1)));
    assert_eq!(a.extra["metadata"], json!({"model": "m", "answer": [1], "scores": 3}));
    assert_eq!((a.model.as_str(), a.answer.as_deref()), ("openai/gpt-x", Some("Ada")));
    assert!(a.extra["scores"]["em"].is_object());
}

#[test]
fn usage_sums_models_and_counts_the_cache_as_read() {
    let mut s = sample("q1", "Ada");
    s["model_usage"] = json!({
        "openai/gpt-x": {"input_tokens": 10, "output_tokens": 5, "total_tokens": 1015, "input_tokens_cache_read": 900,
            "input_tokens_cache_write": 100, "reasoning_tokens": 2, "total_cost": 0.25},
        "openai/judge": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2, "total_cost": 0.5}});
    let a = attempt(&s);
    assert_eq!((a.usage.input_tokens, a.usage.output_tokens), (Some(1011), Some(6)));
    assert_eq!((a.usage.cached_tokens, a.usage.reasoning_tokens), (Some(900), Some(2)));
    assert_eq!((a.usage.extra["cache_write_tokens"].as_u64(), a.cost_usd), (Some(100), Some(0.75)));
    assert_eq!(a.usage.total(), Some(1017));
    assert_eq!(a.usage.search_requests, None);
}

#[test]
fn parts_of_the_wrong_type_are_passed_over() {
    let mut s = sample("q1", "Ada");
    for name in [
        "target",
        "messages",
        "scores",
        "metadata",
        "model_usage",
        "limit",
        "error",
        "choices",
        "attachments",
    ] {
        s[name] = json!(17);
    }
    s["total_time"] = json!("fast");
    let a = attempt(&s);
    assert_eq!((a.answer.as_deref(), a.correct, a.latency_ms), (Some("Ada"), None, None));
    s["output"] = json!([[]]);
    s["input"] = json!({"x": 1});
    assert_eq!(attempt(&s).answer, None);
}
