use super::*;
use crate::record::{Citation, ErrorInfo, SearchCall, SearchResult};

fn question() -> Question {
    Question {
        id: "q".into(),
        split: Some("static".into()),
        question: "Who held the men's high jump world record on 1 January 1988?".into(),
        references: vec!["Patrik Sjöberg".into(), "Patrik Sjoberg".into()],
        ..Question::default()
    }
}

fn said(answer: &str, confidence: f64) -> Attempt {
    Attempt {
        question_id: "q".into(),
        answer: Some(answer.into()),
        confidence: Some(confidence),
        stop: Some("end_turn".into()),
        ..Attempt::default()
    }
}

fn searched(answer: &str, confidence: f64, queries: &[&str]) -> Attempt {
    let calls =
        (1..).zip(queries).map(|(n, q)| SearchCall { n, query: Some((*q).into()), ..SearchCall::default() });
    Attempt { search_calls: calls.collect(), ..said(answer, confidence) }
}

fn page(title: &str, url: &str, cited: bool) -> SearchResult {
    SearchResult { url: url.into(), title: Some(title.into()), cited: Some(cited), ..SearchResult::default() }
}

const GOOD: &str = "men's high jump world record progression 1987 1988";

fn hints(question: &Question, no: Option<&Attempt>, with: &Attempt) -> Vec<Suggestion> {
    suggest(&Trace::new(question, no, Some(with), Scorer::Normalized), &Neighbours::default())
}

/// The evidence of a sign; `None` where it is not suggested.
fn hint(sign: Sign, no: Option<&Attempt>, with: &Attempt) -> Option<String> {
    hints(&question(), no, with).into_iter().find(|s| s.sign == sign).map(|s| s.evidence)
}

#[test]
fn every_sign_speaks_for_a_code_of_the_starter() {
    let book = crate::review::Codebook::starter();
    for sign in Sign::ALL {
        assert!(book.get(sign.code()).is_some(), "{sign:?}");
    }
}

#[test]
fn a_right_answer_hints_at_nothing() {
    let no = said("Javier Sotomayor", 0.9);
    let with = searched("Patrik Sjoberg", 0.9, &["Sotomayor record", "Sotomayor record"]);
    assert_eq!(hints(&question(), Some(&no), &with), []);
    assert_eq!(
        suggest(&Trace::new(&question(), Some(&no), None, Scorer::Normalized), &Neighbours::default()),
        []
    );
}

#[test]
fn needed_search() {
    let with = said("Javier Sotomayor", 0.9);
    assert_eq!(
        hint(Sign::NeededSearch, None, &with).unwrap(),
        "no search, and the question asks about “on 1 January 1988”"
    );
    let timeless = Question { question: "Who wrote Emma?".into(), ..question() };
    assert_eq!(hints(&timeless, None, &with), []);
    let dated = Question { key_date: Some("1815".into()), ..timeless };
    assert_eq!(hints(&dated, None, &with)[0].sign, Sign::NeededSearch);
    assert_eq!(hint(Sign::NeededSearch, None, &searched("x", 0.9, &[GOOD])), None);
}

#[test]
fn queries() {
    let lost = |q: &[&str]| hint(Sign::LostTime, None, &searched("Igor Paklin", 0.9, q));
    assert_eq!(
        lost(&["high jump world record"]).unwrap(),
        "the query “high jump world record” does not say 1988"
    );
    assert!(
        lost(&["high jump record", "high jump list"]).unwrap().starts_with("none of 2 queries says 1988")
    );
    assert_eq!(lost(&["high jump record", GOOD]), None);
    assert_eq!(lost(&["high jump records 1980-1995"]), None, "a span around it");
    assert!(lost(&["high jump records 2024"]).is_some());

    let no = said("Javier Sotomayor", 0.8);
    let seeded = |q: &str| hint(Sign::Seeded, Some(&no), &searched("Igor Paklin", 0.9, &[q]));
    assert_eq!(
        seeded("Sotomayor high jump record 1988").unwrap(),
        "the query “Sotomayor high jump record 1988” holds “Javier Sotomayor”, the answer without search"
    );
    assert_eq!(seeded(GOOD), None);
    let record = said("world record", 0.8);
    assert_eq!(
        hint(Sign::Seeded, Some(&record), &searched("x", 0.9, &[GOOD])),
        None,
        "the question's own words"
    );

    let same = |a: &str, b: &str| hint(Sign::Rephrased, None, &searched("x", 0.9, &[a, b]));
    assert_eq!(
        same("high jump record 1988", "record high jump 1988?").unwrap(),
        "“high jump record 1988” and “record high jump 1988?”"
    );
    assert_eq!(same("high jump record 1988", "Patrik Sjöberg Stockholm 1987"), None);
    let mut with = searched("x", 0.9, &["high jump record 1988", "high jump record holders 1988 list men"]);
    assert_eq!(hint(Sign::Rephrased, None, &with), None);
    for call in &mut with.search_calls {
        call.results = vec![page("t", "https://a.example", false)];
    }
    assert!(hint(Sign::Rephrased, None, &with).unwrap().ends_with(", with the same pages"));
}

#[test]
fn searches_that_failed() {
    let mut with = searched("Igor Paklin", 0.9, &[GOOD, ""]);
    with.search_calls[1].error = Some("max_uses_exceeded".into());
    with.search_calls[1].status = Some("error".into());
    assert_eq!(hint(Sign::CapReached, None, &with).unwrap(), "call 2 came back as “max_uses_exceeded”");
    assert_eq!(hint(Sign::SearchError, None, &with), None);
    with.search_calls[0].error = Some("unavailable".into());
    assert_eq!(hint(Sign::SearchError, None, &with).unwrap(), "call 1 failed: “unavailable”");
    with.search_calls[0].error = None;
    with.search_calls[0].status = Some("failed".into());
    assert_eq!(hint(Sign::SearchError, None, &with).unwrap(), "call 1 failed: “failed”");
}

#[test]
fn pages_of_another_time() {
    let cited = |title: &str, published: Option<&str>| {
        let mut with = searched("Igor Paklin", 0.9, &[GOOD]);
        let published = published.map(str::to_owned);
        with.search_calls[0].results =
            vec![SearchResult { published, ..page(title, "https://a.example", true) }];
        with
    };
    assert_eq!(
        hint(Sign::StalePage, None, &cited("High jump in 2024", None)).unwrap(),
        "cited “High jump in 2024” is of 2024, asked is 1988"
    );
    assert!(hint(Sign::StalePage, None, &cited("Records", Some("3 May 1980"))).is_some());
    assert_eq!(hint(Sign::StalePage, None, &cited("Records", Some("2020-01-01"))), None, "it may look back");
    assert_eq!(hint(Sign::StalePage, None, &cited("Records 1985–89", None)), None);
    let visited = Attempt {
        search_calls: vec![SearchCall {
            results: vec![page("In 2024", "u", false)],
            ..SearchCall::default()
        }],
        ..said("x", 0.9)
    };
    assert_eq!(hint(Sign::StalePage, None, &visited), None, "only what is cited");
    let now =
        Question { question: "Who leads it now?".into(), true_on: Some("2025-11-13".into()), ..question() };
    assert!(hints(&now, None, &cited("Cabinet of 2021", None)).iter().any(|s| s.sign == Sign::StalePage));
    assert!(!hints(&now, None, &cited("Cabinet of 2025", None)).iter().any(|s| s.sign == Sign::StalePage));
}

#[test]
fn evidence_that_was_there() {
    let mut with = searched("Igor Paklin", 0.9, &[GOOD]);
    with.search_calls[0].results =
        vec![page("Records", "https://en.wikipedia.org/wiki/Patrik_Sj%C3%B6berg", false)];
    assert_eq!(
        hint(Sign::EvidenceUnused, None, &with).unwrap(),
        "the address “https://en.wikipedia.org/wiki/Patrik_Sj%C3%B6berg” holds the reference “Patrik Sjöberg”"
    );
    with.search_calls[0].results[0].title = Some("Patrik Sjöberg - Wikipedia".into());
    assert!(hint(Sign::EvidenceUnused, None, &with).unwrap().starts_with("the title"));
    with.citations = vec![Citation {
        quote: Some("In 1987 PATRIK SJÖBERG jumped 2.42 m.".into()),
        ..Citation::default()
    }];
    assert!(hint(Sign::EvidenceUnused, None, &with).unwrap().starts_with("the quote"));
    with.answer = Some("Patrik Sjöberg of Sweden".into());
    assert_eq!(hint(Sign::EvidenceUnused, None, &with), None, "it was used");
    let number = Question { references: vec!["49".into()], ..question() };
    let mut with = searched("50", 0.9, &[GOOD]);
    with.search_calls[0].results = vec![page("49 facts", "u", true)];
    assert!(!hints(&number, None, &with).iter().any(|s| s.sign == Sign::EvidenceUnused), "found by chance");
}

#[test]
fn answers() {
    let no = said("Patrik Sjöberg", 0.8);
    let with = searched("Igor Paklin", 0.95, &[GOOD]);
    assert_eq!(
        hint(Sign::OverTrust, Some(&no), &with).unwrap(),
        "right without search: “Patrik Sjöberg” at .80; wrong with it: “Igor Paklin” at .95"
    );
    assert_eq!(
        hint(Sign::ConfidenceUp, Some(&no), &with).unwrap(),
        ".80 → .95, and nothing cited holds “Igor Paklin”"
    );
    let mut held = with.clone();
    held.citations = vec![Citation { title: Some("Igor Paklin - Wikipedia".into()), ..Citation::default() }];
    assert_eq!(hint(Sign::ConfidenceUp, Some(&no), &held), None);
    assert_eq!(hint(Sign::ConfidenceUp, Some(&said("x", 0.99)), &with), None);
    assert_eq!(hint(Sign::OverTrust, Some(&said("x", 0.99)), &with), None);

    let before = said("igor paklin", 0.8);
    assert_eq!(
        hint(Sign::BothAgree, Some(&before), &with).unwrap(),
        "both say “Igor Paklin”; the reference is “Patrik Sjöberg”"
    );
    assert_eq!(hint(Sign::BothAgree, Some(&no), &with), None);

    let miss = |answer: &str| hint(Sign::FormatMiss, None, &searched(answer, 0.9, &[GOOD]));
    assert_eq!(
        miss("Patrik Sjöberg of Sweden").unwrap(),
        "“Patrik Sjöberg of Sweden” holds the reference “Patrik Sjöberg”"
    );
    assert!(miss("Sjöberg").unwrap().contains("is a part of"));
    assert!(miss("Sjöberg, Patrik").unwrap().contains("has the words of"));
    assert!(miss("Patrick Sjöberg").unwrap().contains("is nearly"));
    assert_eq!(miss("Igor Paklin"), None);
    let year = Question { references: vec!["1981".into()], ..question() };
    assert!(!hints(&year, None, &searched("1982", 0.9, &[GOOD])).iter().any(|s| s.sign == Sign::FormatMiss));
}

#[test]
fn a_neighbour_is_another_questions_reference() {
    let other = Question {
        id: "r".into(),
        question: "Who held the men's high jump world record in 1986?".into(),
        references: vec!["Igor Paklin | I. Paklin".into()],
        ..question()
    };
    let far = Question { id: "s".into(), question: "Who is from Frunze?".into(), ..other.clone() };
    let neighbours = Neighbours::new([&question(), &far, &other]);
    let with = searched("Igor Paklin", 0.9, &[GOOD]);
    let question = question();
    let found = suggest(&Trace::new(&question, None, Some(&with), Scorer::Normalized), &neighbours);
    let found = found.iter().find(|s| s.sign == Sign::Neighbour).unwrap();
    assert!(
        found.evidence.starts_with("“Igor Paklin” is the reference of r, “Who held"),
        "{}",
        found.evidence
    );
}

#[test]
fn no_answer() {
    let refused = Attempt { stop: Some("refusal".into()), answer: None, ..said("", 0.0) };
    assert_eq!(hint(Sign::NoAnswer, None, &refused).unwrap(), "refused: it stopped for “refusal”");
    let error = ErrorInfo { kind: "rate_limited".into(), message: "429".into() };
    let failed = Attempt { error: Some(error), answer: None, stop: None, ..said("", 0.0) };
    assert_eq!(hint(Sign::NoAnswer, None, &failed).unwrap(), "error: “429”");
    let empty = Attempt { answer: Some(" ".into()), ..said("", 0.0) };
    assert_eq!(hint(Sign::NoAnswer, None, &empty).unwrap(), "no answer: it stopped for “end_turn”");
    assert_eq!(hint(Sign::NoAnswer, None, &said("x", 0.0)), None);
}
