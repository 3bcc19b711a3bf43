use proptest::prelude::*;

use super::*;
use crate::review::samples::coded;
use crate::review::{Key, SlotKind, Stamp};

fn at(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(1_763_028_000_000 + ms).unwrap()
}

fn line(id: &str, ms: i64, prev: Option<&str>, question: &str, act: Act) -> String {
    let stamp = Stamp { id: id.into(), at: at(ms), by: "ann".into() };
    let mut entry = Notes::default().entry(stamp, Key::pair(question, "m", 1), "-/-", act);
    entry.prev = prev.map(str::to_owned);
    entry.to_line()
}

fn folded(lines: &[String]) -> Notes {
    let mut notes = Notes::default();
    for (n, line) in (1..).zip(lines) {
        notes.take(n, line);
    }
    notes
}

fn code_of(notes: &Notes, question: &str) -> Option<String> {
    notes.coding(&Key::pair(question, "m", 1)).and_then(|c| c.primary().map(str::to_owned))
}

/// All that can be asked, as text.
fn state(notes: &Notes) -> String {
    let ids: Vec<&str> = notes.in_order().map(|e| e.id.as_str()).collect();
    format!(
        "{ids:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        notes.head().map(|e| &e.id),
        notes.codings(),
        notes.verdicts(),
        notes.references(None),
        notes.last_place("ann"),
        notes.undo("ann"),
        notes.redo("ann"),
    )
}

#[test]
fn the_last_line_counts_whichever_way_files_were_merged() {
    let lines = [
        line("a", 1, None, "q", coded("x")),
        line("c", 3, None, "q", coded("z")),
        line("b", 2, None, "q", coded("y")),
    ];
    assert_eq!(code_of(&folded(&lines), "q").as_deref(), Some("z"));
    let same_time = [line("b", 1, None, "q", coded("y")), line("a", 1, None, "q", coded("x"))];
    assert_eq!(code_of(&folded(&same_time), "q").as_deref(), Some("y"), "the greater id");
}

#[test]
fn a_clock_that_went_back_puts_nothing_under_what_it_replaces() {
    let lines = [
        line("a", 5_000, None, "q", coded("first")),
        line("b", 1_000, Some("a"), "q", coded("second")),
        line("c", 2_000, Some("b"), "q", coded("third")),
        line("other", 4_000, None, "q", coded("of somebody else, before")),
    ];
    for lines in [lines.to_vec(), lines.iter().rev().cloned().collect()] {
        let notes = folded(&lines);
        assert_eq!(code_of(&notes, "q").as_deref(), Some("third"));
        assert_eq!(notes.head().unwrap().id, "c");
        let next = notes.entry(
            Stamp { id: "d".into(), at: at(0), by: "ann".into() },
            Key::pair("q", "m", 1),
            "-/-",
            coded("fourth"),
        );
        let mut notes = notes;
        notes.add(next).unwrap();
        assert_eq!(code_of(&notes, "q").as_deref(), Some("fourth"));
    }
}

#[test]
fn bad_and_foreign_lines_are_counted_and_cost_no_other() {
    let lines = [
        line("a", 1, None, "q", coded("x")),
        "<<<<<<< HEAD".to_owned(),
        String::new(),
        r#"{"schema":"lookitup.attempt/1","question_id":"q"}"#.to_owned(),
        line("b", 2, None, "r", coded("y")),
        line("a", 1, None, "q", coded("x")),
        line("a", 9, None, "q", coded("forged")),
        "{\"schema\":\"lookitup.note/1\",\"id\":\"".to_owned(),
    ];
    let notes = folded(&lines);
    assert_eq!(notes.len(), 2, "a line that is there twice counts once");
    let bad: Vec<u64> = notes.bad().iter().map(|b| b.line).collect();
    assert_eq!(bad, [2, 4, 7, 8]);
    assert_eq!(notes.bad()[2].why, Refused::SameId("a".into()));
    assert_eq!(code_of(&notes, "r").as_deref(), Some("y"));
}

#[test]
fn chains_that_go_in_circles_end() {
    let lines = [
        line("a", 1, Some("c"), "q", coded("x")),
        line("b", 2, Some("a"), "q", coded("y")),
        line("c", 3, Some("b"), "q", coded("z")),
        line("d", 0, Some("c"), "q", coded("after the circle")),
        line("e", 9, Some("e"), "r", coded("itself")),
    ];
    let forward = folded(&lines);
    assert_eq!(code_of(&forward, "q").as_deref(), Some("after the circle"));
    let backward = folded(&lines.iter().rev().cloned().collect::<Vec<_>>());
    assert_eq!(state(&forward), state(&backward));
}

#[test]
fn thousands_of_lines_take_no_time_to_speak_of() {
    let mut notes = Notes::default();
    for n in 0..20_000_u64 {
        let stamp = Stamp { id: format!("{n:06}"), at: at(0), by: "ann".into() };
        let entry = notes.entry(stamp, Key::pair(format!("q{}", n % 3_000), "m", 1), "-/-", coded("x"));
        notes.add(entry).unwrap();
    }
    assert_eq!(notes.codings().len(), 3_000);
    assert_eq!(notes.head().unwrap().id, "019999");
}

fn any_act() -> impl Strategy<Value = Act> {
    let id = (0..12_u8).prop_map(|n| n.to_string());
    prop_oneof![
        4 => "[a-c]".prop_map(|c| coded(&c)),
        1 => Just(Act::Deferred { note: String::new() }),
        3 => (proptest::option::of(id)).prop_map(|undoes| Act::Cleared { what: SlotKind::Coding, undoes }),
        1 => Just(Act::Verdict { verdict: crate::record::Verdict::Right, reason: String::new() }),
        1 => "[a-b]".prop_map(|text| Act::Reference { text, reason: String::new() }),
        1 => (0..4_u64).prop_map(|position| Act::Mark { plan: "p".into(), position, of: 4 }),
    ]
}

fn any_line() -> impl Strategy<Value = String> {
    let prev = proptest::option::of((0..12_u8).prop_map(|n| n.to_string()));
    let foreign = Just("not a note".to_owned());
    let note = (0..12_u8, 0..4_i64, prev, "[qr]", any_act())
        .prop_map(|(id, ms, prev, q, act)| line(&id.to_string(), ms, prev.as_deref(), &q, act));
    prop_oneof![12 => note, 1 => foreign]
}

proptest! {
    /// Ids that are used twice, circles, lines before those they come after: whatever the order, the state is one.
    #[test]
    fn the_order_of_lines_changes_nothing(
        (lines, shuffled) in proptest::collection::vec(any_line(), 0..14)
            .prop_flat_map(|lines| (Just(lines.clone()), Just(lines).prop_shuffle()))
    ) {
        prop_assert_eq!(state(&folded(&lines)), state(&folded(&shuffled)));
    }

    /// What one program wrote and another merged in one line at a time is what a fresh reading gives.
    #[test]
    fn adding_one_by_one_is_reading_anew(lines in proptest::collection::vec(any_line(), 0..14)) {
        let mut slow = folded(&lines);
        slow.fold();
        prop_assert_eq!(state(&slow), state(&folded(&lines)));
    }
}
