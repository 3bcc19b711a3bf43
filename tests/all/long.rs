//! Texts of megabytes in the detail: what is laid out, and that their end can be reached.

use std::fmt::Write as _;
use std::sync::Arc;

use lookitup::record::{Attempt, Condition, Question};
use lookitup::store::table_of;

use crate::support::bench::Bench;

/// So many numbered words.
fn words(n: usize) -> String {
    let mut text = String::with_capacity(n * 8);
    for at in 0..n {
        let _ = write!(text, "w{at:06} ");
    }
    text
}

/// Two questions; the answer and the full text to the first are these.
fn bench(size: (u16, u16), answer: &str, raw: &str) -> Bench {
    let question = |id: &str| Question {
        id: id.into(),
        question: format!("What is {id}?"),
        references: vec!["w000001".into(), "nothing".into()],
        ..Question::default()
    };
    let attempt = |id: &str, condition, answer: &str, raw: &str| Attempt {
        question_id: id.into(),
        model: "m".into(),
        condition,
        attempt: 1,
        answer: Some(answer.into()),
        raw: Some(raw.into()),
        confidence: Some(0.5),
        ..Attempt::default()
    };
    let (no, with) = (Condition::NoSearch, Condition::WithSearch);
    let attempts = [
        attempt("A", no, answer, raw),
        attempt("A", with, "short", "short"),
        attempt("B", no, "nothing", "nothing"),
        attempt("B", with, "nothing", "nothing"),
    ];
    let (table, reader) = table_of(&[question("A"), question("B")], &attempts);
    Bench::of(Arc::new(table), reader, size, "long")
}

#[test]
fn moving_over_a_row_lays_out_no_more_than_the_beginning_of_its_texts() {
    let text = words(300_000);
    for keys in ["", "v", "enter v p"] {
        let mut bench = bench((120, 40), &text, &text);
        bench.press(keys);
        bench.frame();
        assert_eq!(bench.id(), "A");
        // 32 KiB in columns of some 26 cells, and the full text in the whole width.
        let laid = bench.model.detail.lines;
        assert!((800..3_000).contains(&laid), "{keys:?}: {laid} lines");
        let text = bench.text();
        assert!(text.contains("+ more ↓"), "it is said that there is more:\n{text}");
        bench.press("n");
        assert!(bench.model.detail.lines < 60 && bench.model.detail.cut.is_none());
        bench.press("N");
        assert_eq!(bench.model.detail.lines, laid);
    }
}

#[test]
fn the_end_of_a_long_text_can_be_reached() {
    let mut bench = bench((120, 40), "short", &words(100_000));
    bench.press("enter v G");
    let text = bench.text();
    assert!(text.contains("w099999"), "{text}");
    assert!(bench.model.detail.cut.is_none() && !text.contains("scroll on"));
    let all = bench.model.detail.lines;
    assert!(all > 6_000, "{all} lines");
    // What is laid out stays until another row is looked at, and keys go on from where one is.
    bench.press("k k g g");
    assert_eq!((bench.model.detail.scroll, bench.model.detail.lines), (0, all));
    bench.press("n N");
    assert!(bench.model.detail.lines < all / 10);
}

#[test]
fn scrolling_goes_through_a_long_text_without_a_gap() {
    let n = 30_000;
    let mut bench = bench((80, 24), "short", &words(n));
    bench.press("enter v");
    let (mut next, mut steps, mut grown) = (0, 0, vec![bench.model.detail.lines]);
    while next < n && steps < 2_000 {
        let text = bench.text();
        assert!(!text.contains("scroll on"), "it is laid out before it comes in sight:\n{text}");
        for word in text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| w.len() == 7) {
            let Some(number) = word.strip_prefix('w').and_then(|d| d.parse::<usize>().ok()) else { continue };
            if number == next {
                next += 1;
            }
        }
        bench.press("page-down");
        steps += 1;
        grown.push(bench.model.detail.lines);
    }
    assert_eq!(next, n, "every word was seen, in order");
    grown.dedup();
    assert!(grown.len() < 8 && grown.is_sorted(), "laid out in few steps, each twice the last: {grown:?}");
}

#[test]
fn the_verdict_on_a_long_answer_is_that_of_the_list() {
    // It begins with the first reference: `contains` finds it right, and exact comparison wrong.
    let mut bench = bench((120, 40), &words(40_000), "");
    bench.press("tab G");
    let text = bench.text();
    assert!(text.contains("✗ wrong") && text.contains("too long"), "{text}");
    for _ in 0..3 {
        if bench.model.scorer != lookitup::record::Scorer::Contains {
            bench.press("=");
        }
    }
    let text = bench.text();
    assert!(text.contains("✓ right"), "{text}");
}

#[test]
fn a_question_and_references_of_any_length_are_laid_out_in_part() {
    let text = words(200_000);
    let question = Question {
        id: "A".into(),
        question: text.clone(),
        references: vec![text.clone(), text],
        ..Question::default()
    };
    let attempt = Attempt {
        question_id: "A".into(),
        model: "m".into(),
        condition: Condition::NoSearch,
        attempt: 1,
        answer: Some("short".into()),
        ..Attempt::default()
    };
    let (table, reader) = table_of(&[question], &[attempt]);
    let mut bench = Bench::of(Arc::new(table), reader, (120, 40), "long");
    bench.frame();
    assert!(bench.model.detail.lines < 2_500, "{}", bench.model.detail.lines);
    assert!(bench.model.detail.cut.is_some());
}
