//! Verdicts, their explanations, and what models say.

use lookitup::record::{Attempt, Scorer, State, Verdict};
use lookitup::score::{Doubt, Refs, confidence, explain, parse_answer, scored};
use proptest::prelude::*;
use serde_json::json;

use crate::common;

fn by(answer: &str, refs: &[&str]) -> Vec<Scorer> {
    let bits = scored(Some(answer), &Refs::new(refs), None);
    Scorer::ALL.into_iter().filter(|s| bits & (1 << (*s as u8)) != 0).collect()
}

#[test]
fn each_scorer_accepts_what_it_should() {
    use Scorer::{Contains, Normalized, Strict};
    for (answer, refs, scorers) in [
        ("1981", vec!["1981"], vec![Strict, Normalized, Contains]),
        (" 1981 ", vec!["1981"], vec![Strict, Normalized, Contains]),
        ("1,981", vec!["1981"], vec![Normalized, Contains]),
        ("**1981**.", vec!["1981"], vec![Normalized, Contains]),
        ("It was 1981, in May.", vec!["1981"], vec![Contains]),
        ("11981", vec!["1981"], vec![]),
        ("3.14", vec!["3"], vec![]),
        ("forty-nine", vec!["49"], vec![]),
        ("forty-nine", vec!["49", "Forty-Nine", "49 stars"], vec![Normalized, Contains]),
        ("Nursultan", vec!["Astana | Nursultan"], vec![Strict, Normalized, Contains]),
        ("The answer is Patrik Sjoberg", vec!["Patrik Sjöberg"], vec![Contains]),
        ("答えは東京です", vec!["東京"], vec![Contains]),
        ("Неверно: Нур-Султан!", vec!["Нур-Султан"], vec![Contains]),
        ("?", vec!["?"], vec![Strict, Normalized, Contains]),
        ("!", vec!["?"], vec![]),
        ("", vec!["x"], vec![]),
        ("A", vec!["a"], vec![Normalized, Contains]),
        ("C++", vec!["C"], vec![]),
    ] {
        assert_eq!(by(answer, &refs), scorers, "{answer} against {refs:?}");
    }
}

#[test]
fn scorers_judge_only_what_they_can() {
    let refs = Refs::new(["x"]);
    let none = Refs::new(Vec::<String>::new());
    assert_eq!(scored(Some("x"), &none, None), 0);
    assert_eq!(scored(Some("x"), &none, Some(true)), 0x11);
    assert_eq!(scored(Some("x"), &none, Some(false)), 0x10);
    assert_eq!(scored(None, &refs, None), 0xe0);
    assert_eq!(scored(Some("  "), &refs, None), 0xe0);
    assert_eq!(scored(Some("x"), &refs, Some(false)), 0xfe);
    assert!(Refs::new(["", " | "]).is_empty());
    assert_eq!(Refs::new(["a | b", "c|d"]).len(), 3);
}

fn text(answer: Option<&str>, refs: &[&str], scorer: Scorer, recorded: Option<bool>) -> String {
    let refs: Vec<String> = refs.iter().map(|r| (*r).to_owned()).collect();
    explain(answer, &refs, scorer, recorded, State::Answered).text
}

#[test]
fn verdicts_are_explained() {
    use Scorer::{Contains, Normalized, Recorded, Strict};
    for (answer, refs, scorer, recorded, words) in [
        (Some("Astana"), vec!["Astana"], Normalized, None, "matches reference 1 “Astana” exactly"),
        (
            Some("nursultan."),
            vec!["Astana", "Nursultan"],
            Normalized,
            None,
            "matches reference 2 “Nursultan” after normalisation",
        ),
        (
            Some("It was Patrik Sjöberg"),
            vec!["Patrik Sjöberg"],
            Normalized,
            None,
            "nearest is “Patrik Sjöberg”, 7 edits away; contains would accept it",
        ),
        (Some("It was Astana"), vec!["Astana"], Contains, None, "contains reference 1 “Astana”"),
        (
            Some("1,981"),
            vec!["1981"],
            Strict,
            None,
            "differs from “1981” in form only; normalized would accept it",
        ),
        (
            Some("1982"),
            vec!["1981"],
            Normalized,
            Some(true),
            "nearest is “1981”, 1 edit away; the file records it as right",
        ),
        (
            Some("1981"),
            vec!["1981"],
            Normalized,
            Some(false),
            "matches reference 1 “1981” exactly; the file records it as wrong",
        ),
        (
            Some("1981"),
            vec!["1981"],
            Recorded,
            None,
            "the file records no verdict; matches reference 1 “1981” exactly",
        ),
        (Some("1981"), vec![], Recorded, Some(true), "recorded as right in the file"),
        (Some("1981"), vec![], Normalized, None, "no reference to compare with"),
        (
            Some("1981"),
            vec![],
            Normalized,
            Some(false),
            "no reference to compare with; the file records it as wrong",
        ),
        (None, vec!["1981"], Normalized, None, "no answer could be read, which counts as wrong"),
    ] {
        assert_eq!(text(answer, &refs, scorer, recorded), words);
    }
    let failed = explain(Some("x"), &["x".into()], Normalized, Some(true), State::Error);
    assert_eq!((failed.verdict, failed.text.as_str()), (Verdict::Error, "not scored: the request failed"));
}

#[test]
fn explanations_count_references_as_split() {
    let found =
        explain(Some("b"), &["a | b".into(), "c".into()], Scorer::Normalized, Some(false), State::Answered);
    assert_eq!(found.matched, Some(1));
    assert_eq!(found.accepted_by, [Scorer::Strict, Scorer::Normalized, Scorer::Contains]);
    assert!(found.disagrees_with_recorded);
    let far = explain(
        Some(&"long ".repeat(200_000)),
        &["x".repeat(9_000)],
        Scorer::Normalized,
        None,
        State::Answered,
    );
    assert_eq!((far.nearest, far.text.as_str()), (None, "no reference matches"));
}

#[test]
fn a_confidence_is_read_from_a_value() {
    for (value, share) in [
        (json!(0.85), Some(0.85)),
        (json!(85), Some(0.85)),
        (json!(1), Some(1.0)),
        (json!(0), Some(0.0)),
        (json!(100), Some(1.0)),
        (json!(87.5), Some(0.875)),
        (json!("85%"), Some(0.85)),
        (json!("0.85"), Some(0.85)),
        (json!("85"), Some(0.85)),
        (json!(" 95 % "), Some(0.95)),
        (json!(".9"), Some(0.9)),
        (json!("9/10"), Some(0.9)),
        (json!("high"), None),
        (json!("NaN"), None),
        (json!(-1), None),
        (json!(101), None),
        (json!("120%"), None),
        (json!(true), None),
        (json!(null), None),
        (json!([0.5]), None),
    ] {
        let read = confidence(&value);
        assert!(
            match (read, share) {
                (Some(a), Some(b)) => f64::abs(a - b) < 1e-12,
                (a, b) => a == b,
            },
            "{value}: {read:?}"
        );
    }
}

#[track_caller]
fn says(raw: &str, answer: Option<&str>, share: Option<f64>) {
    let spoken = parse_answer(raw);
    assert_eq!(spoken.answer.as_deref(), answer, "{raw}");
    match (spoken.confidence, share) {
        (Some(a), Some(b)) => assert!((a - b).abs() < 1e-12, "{raw}: {a}"),
        (a, b) => assert_eq!(a, b, "{raw}"),
    }
}

#[test]
fn answers_in_objects() {
    says(r#"{"answer": "1981", "confidence": 0.92}"#, Some("1981"), Some(0.92));
    says(r#"{"answer": 1981, "confidence": 92}"#, Some("1981"), Some(0.92));
    says("```json\n{\"answer\": \"Astana\", \"confidence\": \"85%\"}\n```", Some("Astana"), Some(0.85));
    says("Sure! {\"answer\": \"a {b} c\", \"confidence\": 1} Hope it helps.", Some("a {b} c"), Some(1.0));
    says(r#"{"final_answer": "x", "confidence_score": 0.5}"#, Some("x"), Some(0.5));
    says(r#"{"result": {"answer": "x", "probability": 0.5}}"#, Some("x"), Some(0.5));
    says(r#"{"answer": null, "confidence": null}"#, None, None);
    says(r#"{"answer": "x", "confidence": "high"}"#, Some("x"), None);
    says(r#"{"answer": "x", "confidence": NaN}"#, Some("x"), None);
    says(r#"{"answer": "x \"quoted\"", "confidence": 0.7"#, Some("x \"quoted\""), Some(0.7));
    says("Paris\n{\"confidence\": 0.4}", Some("Paris"), Some(0.4));
    says("{\"answer\": \"x\"}\nConfidence: 40%", Some("x"), Some(0.4));
    says("{'answer': 'x', 'confidence': 0.9}", Some("{'answer': 'x', 'confidence': 0.9}"), None);
    let two = parse_answer("{\"answer\":\"a\",\"confidence\":1}{\"answer\":\"b\",\"confidence\":1}");
    assert_eq!((two.answer.as_deref(), two.doubts.as_slice()), (Some("b"), &[Doubt::Multiple][..]));
}

#[test]
fn answers_on_lines() {
    says("It fell in 1991.\n\nAnswer: 1991\nConfidence: 85%", Some("1991"), Some(0.85));
    says("**Answer:** 1991\n**Confidence:** 95 %", Some("1991"), Some(0.95));
    says("**Answer: 1991**\n*Confidence*: .9", Some("1991"), Some(0.9));
    says("Final answer: **Astana**\nConfidence (0-1): .9", Some("Astana"), Some(0.9));
    says("Explanation: long\nExact Answer: Astana\nConfidence: 100%", Some("Astana"), Some(1.0));
    says("Guess: Astana\nProbability: 0.8", Some("Astana"), Some(0.8));
    says("G1: Astana\nP1: 0.8\nG2: Almaty\nP2: 0.1", Some("Astana"), Some(0.8));
    says("Answer and Confidence (0-100): Paris, France, 85%", Some("Paris, France"), Some(0.85));
    says("Final Answer and Overall Confidence (0-100): B, 85", Some("B"), Some(0.85));
    says("- Answer: x\n- Confidence level: 7/10", Some("x"), Some(0.7));
    says("### Answer\nAnswer:\n\nAstana\n\nConfidence: 70", Some("Astana"), Some(0.7));
    says("The answer is Astana.\nMy confidence is 80%.", Some("Astana."), Some(0.8));
    says("Answer: Astana (confidence: 95%)", Some("Astana"), Some(0.95));
    says("Answer: Astana. Confidence: 0.6", Some("Astana"), Some(0.6));
    says("答え\nAnswer：東京\nConfidence：８５％", Some("東京"), Some(0.85));
    says("Answer: A*\nConfidence: 1.0", Some("A*"), Some(1.0));
    says("Answer: 2**10", Some("2**10"), None);
    says("Answer: \"Paris\"", Some("Paris"), None);
    says("Answer: [Paris](https://x.org) 【3†source】[1]\nConfidence: 50%", Some("Paris"), Some(0.5));
    says("Answer: Paris ([x.org](https://x.org/a?b=c))", Some("Paris"), None);
}

#[test]
fn answers_without_labels() {
    says("Astana", Some("Astana"), None);
    says("Astana\n\nConfidence: 0.95", Some("Astana"), Some(0.95));
    says("Astana (confidence: 0.95)", Some("Astana"), Some(0.95));
    says("**Astana**", Some("Astana"), None);
    says("", None, None);
    says(" \n ", None, None);
    says("Confidence: 0.5", None, Some(0.5));
    says("```\nAstana\n```", Some("Astana"), None);
}

#[test]
fn the_sample_says_what_its_records_say() {
    let text = std::fs::read_to_string(common::root().join("results/sample.results.jsonl")).unwrap();
    for line in text.lines() {
        let attempt: Attempt = serde_json::from_str(line).unwrap();
        if State::of_attempt(&attempt) == State::Answered {
            says(&attempt.raw.unwrap(), attempt.answer.as_deref(), attempt.confidence);
        }
    }
}

#[test]
fn braces_without_end_are_given_up() {
    for unit in ["{", "{\"a\":[", "{\"a\":\"", "{\"a\":1,"] {
        let raw = format!("{}\nAnswer: x", unit.repeat(50_000));
        assert_eq!(parse_answer(&raw).answer.as_deref(), Some("x"), "{unit}");
    }
}

#[test]
fn numbers_in_every_spelling() {
    for (text, share) in [
        ("87%", Some(0.87)),
        ("87 percent", Some(0.87)),
        ("87.5 %", Some(0.875)),
        ("87,5 %", Some(0.875)),
        ("0.87", Some(0.87)),
        (".87", Some(0.87)),
        ("87/100", Some(0.87)),
        ("8/10", Some(0.8)),
        ("8 out of 10", Some(0.8)),
        ("~87%", Some(0.87)),
        ("about 87%", Some(0.87)),
        (">95%", Some(0.95)),
        ("at least 95%", Some(0.95)),
        ("80–90%", Some(0.85)),
        ("80%-90%", Some(0.85)),
        ("80 to 90 %", Some(0.85)),
        ("100", Some(1.0)),
        ("2", Some(0.02)),
        ("0", Some(0.0)),
        ("1", Some(1.0)),
        ("1.0", Some(1.0)),
        ("1%", Some(0.01)),
        ("0.87%", Some(0.0087)),
        ("85, because it is well known", Some(0.85)),
        ("**85%**", Some(0.85)),
        ("101", None),
        ("-5%", None),
        ("150%", None),
        ("0,87", None),
        ("NN%", None),
        ("0-100", None),
        ("0-100%", None),
        ("{0.0-1.0}", None),
        ("between 0% and 100%", None),
        ("high", None),
        ("very high (I am sure)", None),
        ("3rd time", None),
    ] {
        says(&format!("Answer: x\nConfidence: {text}"), Some("x"), share);
    }
    says("Confidence (0-100): 1", None, Some(0.01));
    says("Confidence (0-1): 1", None, Some(1.0));
    says("Confidence (1-10): 8", None, Some(0.8));
    says("Probability: 85", None, None);
    says("Probability: 85%", None, Some(0.85));
}

#[test]
fn doubts_are_told() {
    for (raw, doubt) in [
        ("Confidence: >95%", Doubt::Bound),
        ("Confidence: 80-90%", Doubt::Range),
        ("Confidence: 1", Doubt::Ambiguous),
        ("Confidence: 0.87%", Doubt::Suspicious),
        ("Confidence: 120", Doubt::Invalid),
        ("Confidence: 50%\nConfidence: 60%", Doubt::Multiple),
        ("{\"answer\": \"x\", \"confidence\": 120}", Doubt::Invalid),
    ] {
        assert_eq!(parse_answer(raw).doubts, [doubt], "{raw}");
    }
    says("Confidence: 50%\nConfidence: 60%", None, Some(0.6));
}

#[test]
fn templates_quotations_and_fences_state_nothing() {
    says("> Answer: y\n> Confidence: 10%\nAnswer: x\nConfidence: 20%", Some("x"), Some(0.2));
    says("Answer: x\nConfidence: 20%\n```\nAnswer: y\nConfidence: 90%\n```", Some("x"), Some(0.2));
    says("Exact Answer: {your answer}\nExact Answer: x", Some("x"), None);
    says("```\nAnswer: y\nConfidence: 90%\n```", Some("y"), Some(0.9));
}

proptest! {
    #[test]
    fn reading_never_panics(raw in "(\\PC|[\\n{}\\[\\]\"':,`*>]|Answer: |Confidence: |[0-9.%/-]){0,40}") {
        let spoken = parse_answer(&raw);
        prop_assert!(spoken.confidence.is_none_or(|c| (0.0..=1.0).contains(&c)));
        prop_assert!(spoken.answer.is_none_or(|a| !a.trim().is_empty()));
    }

    #[test]
    fn every_beginning_of_an_answer_can_be_read(cut in 0_usize..80) {
        let raw = "```json\n{\"answer\": \"Sjöberg\", \"confidence\": 0.8}\n```\nAnswer: **x** [1]\nConfidence: 87,5 %";
        if let Some(beginning) = raw.get(..cut) {
            parse_answer(beginning);
        }
    }

    #[test]
    fn stated_percentages_come_back(percent in 2_u32..=100) {
        let share = f64::from(percent) / 100.0;
        for raw in [
            format!("Answer: x\nConfidence: {percent}%"),
            format!("Answer: x\nConfidence: {percent} / 100"),
            format!("Answer: x\nConfidence: {share:.2}"),
            format!("{{\"answer\":\"x\",\"confidence\":{share}}}"),
            format!("Answer and Confidence (0-100): x, {percent}"),
        ] {
            let spoken = parse_answer(&raw);
            prop_assert_eq!(spoken.answer.as_deref(), Some("x"), "{}", raw);
            prop_assert!((spoken.confidence.unwrap() - share).abs() < 1e-9, "{}", raw);
        }
    }

    #[test]
    fn a_lenient_scorer_accepts_what_a_strict_one_does(
        answer in "(the )?[a-c0-9,. ]{0,8}", refs in proptest::collection::vec("[a-c0-9,. ]{0,4}", 0..3)
    ) {
        let bits = scored(Some(&answer), &Refs::new(&refs), None);
        let right = |n: u8| bits & (1 << n) != 0;
        prop_assert!(!right(1) || right(2));
        prop_assert!(!right(2) || right(3));
        for scorer in Scorer::ALL {
            let found = explain(Some(&answer), &refs, scorer, None, State::Answered);
            let judged = bits & (1 << (4 + scorer as u8)) != 0;
            let expected = match (judged, right(scorer as u8)) {
                (true, true) => Verdict::Right,
                (true, false) => Verdict::Wrong,
                _ => Verdict::Ungraded,
            };
            prop_assert_eq!(found.verdict, expected);
            prop_assert_eq!(found.accepted_by.contains(&scorer), expected == Verdict::Right);
        }
    }

    #[test]
    fn explaining_never_panics(answer in "\\PC{0,20}", reference in "\\PC{0,20}") {
        for scorer in Scorer::ALL {
            explain(Some(&answer), std::slice::from_ref(&reference), scorer, Some(true), State::Answered);
        }
    }
}

#[test]
fn a_refusal_recorded_as_an_error_is_a_refusal() {
    use lookitup::record::State;
    assert_eq!(State::of(Some("refusal"), Some("completed"), false), State::Refused);
    assert_eq!(State::of(Some("overloaded"), None, true), State::Error);
    let (_, table) = {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.jsonl");
        let line = r#"{"question_id":"a","model":"m","condition":"with_search","error":{"kind":"refusal","message":"no"}}"#;
        std::fs::write(&file, line).unwrap();
        crate::store::open(&[file])
    };
    assert_eq!(table.attempts.get(0).unwrap().state, State::Refused);
}

#[test]
fn a_probability_that_the_answer_is_right_is_a_confidence() {
    let spoken = lookitup::score::parse_answer("1981\nProbability that the answer is right: 0.87");
    assert_eq!(spoken.confidence, Some(0.87));
}
