//! What must not be lost on small screens: which model a row is of, the accuracies, keys, names that differ late.

use std::sync::Arc;

use lookitup::app::{Hit, Overlay};
use lookitup::record::{Attempt, Condition, Question, SearchCall, SearchResult};
use lookitup::store::table_of;
use lookitup::view::Column;

use crate::support::bench::Bench;

/// Whether a column has a title on the screen.
fn has(bench: &mut Bench, column: Column) -> bool {
    bench.frame();
    let number = bench.model.columns.iter().position(|&c| c == column).unwrap();
    bench.model.hits.0.iter().any(|(_, hit)| *hit == Hit::Title(number))
}

/// A question that each of these models answered without and with search.
fn of_models(models: &[&str], size: (u16, u16)) -> Bench {
    let question = Question {
        id: "Q1".into(),
        question: "Who won?".into(),
        references: vec!["them".into()],
        ..Question::default()
    };
    let mut attempts = Vec::new();
    for model in models {
        for condition in [Condition::NoSearch, Condition::WithSearch] {
            attempts.push(Attempt {
                question_id: "Q1".into(),
                model: (*model).into(),
                condition,
                attempt: 1,
                answer: Some("us".into()),
                search_calls: vec![SearchCall { results: pages(), ..SearchCall::default() }],
                ..Attempt::default()
            });
        }
    }
    let (table, reader) = table_of(&[question], &attempts);
    Bench::of(Arc::new(table), reader, size, "a folder/of/results/with/a/long/name.jsonl")
}

/// Pages whose addresses differ in their last letters.
fn pages() -> Vec<SearchResult> {
    let page = |end: &str| SearchResult {
        url: format!("https://en.wikipedia.org/wiki/List_of_mayors_of_somewhere_by_year_of_election_{end}"),
        title: Some("List of mayors".into()),
        ..SearchResult::default()
    };
    vec![page("1998"), page("2004")]
}

#[test]
fn rows_of_several_models_are_told_apart_at_every_size() {
    for size in [(40, 10), (60, 16), (80, 24), (120, 40), (200, 60)] {
        let mut bench = Bench::sample(size);
        assert!(has(&mut bench, Column::Model), "{size:?}");
        bench.press("/");
        bench.type_text("id:F2E6P5L3");
        bench.press("enter");
        let text = bench.text();
        let rows: Vec<&str> = text.lines().filter(|l| l.contains("F2E6P5L3 ")).collect();
        assert!(rows[0].contains("large") && rows[1].contains("small"), "{size:?}\n{text}");
    }
}

#[test]
fn names_of_models_that_are_alike_at_first_stay_apart() {
    let models = [
        "us.provider.some-long-family-name-3-7-large-20250219",
        "us.provider.some-long-family-name-3-7-small-20250219",
        "us.provider.some-long-family-name-3-5-small-20241022",
    ];
    for size in [(40, 10), (60, 16), (120, 40)] {
        let mut bench = of_models(&models, size);
        let text = bench.text();
        for name in ["7-large", "7-small", "5-small"] {
            let at = if size.1 == 10 {
                bench.press("j");
                bench.text()
            } else {
                text.clone()
            };
            let seen = text.contains(name) || at.contains(name) || {
                bench.press("j");
                bench.text().contains(name)
            };
            assert!(seen, "{size:?} {name}\n{text}");
        }
    }
}

#[test]
fn with_one_model_its_column_goes_first() {
    let mut bench = of_models(&["m"], (60, 16));
    assert!(!has(&mut bench, Column::Model));
    assert!(has(&mut bench, Column::Calls));
    let mut bench = of_models(&["m"], (200, 60));
    assert!(has(&mut bench, Column::Model));
}

#[test]
fn both_accuracies_stand_in_the_header_at_every_size() {
    for width in [40, 50, 60, 80, 120] {
        for height in [10, 12, 13, 14, 16, 24] {
            let mut bench = Bench::sample((width, height));
            let text = bench.text();
            let header: Vec<&str> = text.lines().take(3).collect();
            assert!(
                header[..2].iter().any(|l| l.contains(".50") && l.contains(".72")),
                "{width}×{height}\n{text}"
            );
            // No number is cut, nor is the mark of made-up data.
            assert!(header[0].contains("SIMULATED") && header[0].contains("336 of 336"), "{text}");
            for number in ["81", "91", "16", "35", "41"] {
                assert!(
                    header[..3].iter().any(|l| l.contains(&format!("{number} ")) || l.ends_with(number)),
                    "{text}"
                );
            }
            assert!(!header[1].contains('…') && !header[2].contains("· n…"), "{text}");
        }
    }
}

#[test]
fn a_click_on_a_short_transition_still_chooses_it() {
    let mut bench = Bench::sample((40, 10));
    bench.frame();
    let hits = &bench.model.hits.0;
    let toggles = hits.iter().filter(|(_, hit)| matches!(hit, Hit::Toggle(_))).count();
    assert_eq!(toggles, 5);
}

#[test]
fn a_long_label_loses_its_middle_and_no_count() {
    let mut bench = of_models(&["m", "n"], (40, 10));
    let text = bench.text();
    let first = text.lines().next().unwrap();
    assert!(
        first.contains("2 of 2") && first.contains("a folder") && first.contains("name.jsonl"),
        "{first}"
    );
}

#[test]
fn keys_stand_in_the_bar_where_there_is_no_line_for_them() {
    let mut bench = Bench::sample((60, 16));
    let text = bench.text();
    let bar = text.lines().last().unwrap();
    assert!(bar.contains("? help") && bar.contains("/ filter") && bar.ends_with("1/336"), "{bar}");
    for (keys, hints) in [
        ("|", &["space on/off", "K up", ". wider", ", narrower", "esc done"][..]),
        ("s", &["enter choose", "esc close"]),
        ("b", &["enter filter to this bin", "tab without/with", "esc close"]),
        ("!", &["/ find", "j scroll", "esc close"]),
        ("?", &["/ find", "j scroll", "esc close"]),
        ("g", &["g …", "g to the first row"]),
    ] {
        bench.press(keys);
        let text = bench.text();
        let bar = text.lines().last().unwrap();
        for hint in hints {
            assert!(bar.contains(hint), "{keys}: no {hint} in {bar}");
        }
        bench.press("esc esc");
    }
    // A filter is worth more than keys.
    bench.press("3");
    assert!(bench.text().lines().last().unwrap().contains("transition:broken"));
}

#[test]
fn what_is_wrong_with_a_filter_is_read_whole() {
    for size in [(40, 10), (60, 16)] {
        let mut bench = Bench::sample(size);
        bench.press("/");
        bench.type_text("transition:bro");
        let text = bench.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains("transition has no value \"bro\" — did you mean broken?"), "{text}");
        assert!(text.contains("broken 16"), "and what could stand there is seen, too: {text}");
        assert!(text.ends_with("/ transition:bro"), "{text}");
    }
}

#[test]
fn addresses_that_differ_at_their_end_look_different() {
    for size in [(40, 10), (60, 16), (80, 24)] {
        let mut bench = of_models(&["m"], size);
        bench.press("o");
        let Some(Overlay::Menu(menu)) = bench.model.overlays.last() else { panic!("no addresses") };
        assert_eq!(menu.items.len(), 2);
        let text = bench.text();
        let rows: Vec<&str> = text.lines().filter(|l| l.contains("https://") && l.contains('…')).collect();
        assert!(rows.iter().any(|r| r.contains("1998")) && rows.iter().any(|r| r.contains("2004")), "{text}");
    }
}

#[test]
fn the_item_under_the_cursor_is_read_whole_below_a_menu() {
    let mut bench = Bench::sample((60, 16));
    bench.press("ctrl-p");
    bench.type_text("toggle broken");
    let text = bench.text();
    assert!(text.contains("only broken (right, then wrong), with others so chosen"), "{text}");
}

#[test]
fn a_message_is_read_whole() {
    let mut bench = Bench::sample((40, 10));
    bench.press("V");
    let text = bench.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.ends_with("no view is saved yet: filter, then save the filter as a view"), "{text}");
}

#[test]
fn bins_are_whole_on_the_smallest_screen() {
    let mut bench = Bench::sample((40, 10));
    bench.press("b");
    let text = bench.text();
    assert!(text.contains("without search · ten bins") && text.contains("+.31!"), "{text}");
    bench.press("space");
    assert!(bench.text().contains("distinct values"));
    let mut bench = Bench::sample((60, 16));
    bench.press("b");
    let text = bench.text();
    for word in ["▲ corr", "█ pres", "▼ broken", "▒ unres", "· not s."] {
        assert!(text.contains(word), "{word}\n{text}");
    }
}
