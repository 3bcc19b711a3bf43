use proptest::prelude::*;

use super::*;
use crate::record::Condition;
use crate::review::pair_hash;

fn coded(code: &str) -> Act {
    Act::Coded { primary: Some(code.into()), others: vec![], note: "n".into(), codebook: 1, settles: vec![] }
}

/// Writes a line as a program would.
fn write(notes: &mut Notes, by: &str, key: &Key, act: Act) {
    let n = notes.len();
    let at = Timestamp::from_millisecond(1_763_028_000_000 + n as i64).unwrap();
    let stamp = Stamp { id: format!("{n:03}"), at, by: by.into() };
    let entry = notes.entry(stamp, key.clone(), "h", act);
    notes.add(entry).unwrap();
}

/// Reads everything anew, as after a restart.
fn restarted(notes: &Notes) -> Notes {
    let mut fresh = Notes::default();
    for (n, entry) in (1..).zip(notes.in_order()) {
        fresh.take(n, &entry.to_line());
    }
    fresh
}

fn undo(notes: &mut Notes, by: &str) -> bool {
    let step = notes.undo(by).map(|s| (s.of.key.clone(), s.act));
    step.map(|(key, act)| write(notes, by, &key, act)).is_some()
}

fn redo(notes: &mut Notes, by: &str) -> bool {
    let step = notes.redo(by).map(|s| (s.of.key.clone(), s.act));
    step.map(|(key, act)| write(notes, by, &key, act)).is_some()
}

fn primary(notes: &Notes, key: &Key) -> Option<String> {
    notes.coding(key).and_then(|c| c.primary().map(str::to_owned))
}

#[test]
fn undo_and_redo_go_back_and_forth_across_restarts() {
    let (q, r) = (Key::pair("q", "m", 1), Key::pair("r", "m", 1));
    let mut notes = Notes::default();
    assert!(!undo(&mut notes, "ann") && !redo(&mut notes, "ann"));
    write(&mut notes, "ann", &q, coded("a"));
    write(&mut notes, "ann", &q, coded("b"));
    write(&mut notes, "ann", &r, coded("c"));
    write(&mut notes, "ann", &r, Act::Mark { plan: "all".into(), position: 1, of: 2 });
    for _ in 0..2 {
        assert!(undo(&mut notes, "ann"));
        notes = restarted(&notes);
        assert_eq!((primary(&notes, &q), primary(&notes, &r)), (Some("b".into()), None));
        assert!(undo(&mut notes, "ann"));
        assert_eq!(primary(&notes, &q).as_deref(), Some("a"));
        assert!(undo(&mut notes, "ann"));
        assert_eq!(primary(&notes, &q), None);
        assert!(!undo(&mut notes, "ann"));
        for _ in 0..3 {
            notes = restarted(&notes);
            assert!(redo(&mut notes, "ann"));
        }
        assert!(!redo(&mut notes, "ann"));
        assert_eq!((primary(&notes, &q), primary(&notes, &r)), (Some("b".into()), Some("c".into())));
    }
    undo(&mut notes, "ann");
    write(&mut notes, "ann", &q, coded("new"));
    assert!(!redo(&mut notes, "ann"), "something else was done");
    assert!(undo(&mut notes, "ann"));
    assert_eq!(primary(&notes, &q).as_deref(), Some("b"));
    assert_eq!(notes.last_place("ann").unwrap().position, 1, "places are no part of it");
}

#[test]
fn everybody_undoes_what_is_their_own() {
    let q = Key::pair("q", "m", 1);
    let mut notes = Notes::default();
    write(&mut notes, "ann", &q, coded("a"));
    write(&mut notes, "bob", &q, coded("b"));
    assert!(undo(&mut notes, "ann"));
    assert_eq!(primary(&notes, &q).as_deref(), Some("b"));
    assert!(!undo(&mut notes, "ann"));
    assert!(undo(&mut notes, "bob"));
    assert_eq!(primary(&notes, &q), None);
    assert!(redo(&mut notes, "ann"));
    assert_eq!(primary(&notes, &q).as_deref(), Some("a"));
}

#[test]
fn each_slot_has_its_own_value() {
    let q = Key::pair("q", "m", 1);
    let side = q.side(Condition::WithSearch);
    let mut notes = Notes::default();
    write(&mut notes, "ann", &q, coded("a"));
    write(&mut notes, "ann", &side, Act::Verdict { verdict: Verdict::Right, reason: "same".into() });
    let variant = |text: &str| Act::Reference { text: text.into(), reason: String::new() };
    write(&mut notes, "ann", &Key::question("q"), variant("A."));
    write(&mut notes, "bob", &Key::question("q"), variant("A."));
    write(&mut notes, "ann", &Key::question("r"), variant("B"));
    write(&mut notes, "ann", &q, Act::Deferred { note: "hm".into() });
    let coding = notes.coding(&q).unwrap();
    assert!(coding.is_deferred() && coding.codes().is_empty());
    assert_eq!(coding.note(), "hm");
    assert_eq!(notes.verdict(&side).unwrap().reason, "same");
    assert_eq!(notes.verdict(&q.side(Condition::NoSearch)), None);
    assert_eq!(notes.references(Some("q")).len(), 1);
    assert_eq!(notes.references(None).len(), 2);
    write(&mut notes, "ann", &side, Act::Cleared { what: SlotKind::Verdict, undoes: None });
    assert_eq!(notes.verdicts(), []);
    write(
        &mut notes,
        "ann",
        &Key::question("q"),
        Act::Cleared { what: SlotKind::Reference("A.".into()), undoes: None },
    );
    assert_eq!(notes.references(Some("q")), Vec::<&Entry>::new());
    assert!(undo(&mut notes, "ann") && undo(&mut notes, "ann"));
    assert_eq!(notes.verdicts().len(), 1);
    assert_eq!(notes.references(Some("q")).len(), 1);
}

#[test]
fn what_another_person_says_again_stays_ones_own() {
    let q = Key::pair("q", "m", 1);
    let side = q.side(Condition::WithSearch);
    let mut notes = Notes::default();
    let variant = Act::Reference { text: "A.".into(), reason: String::new() };
    let verdict = |verdict| Act::Verdict { verdict, reason: String::new() };
    for (by, given) in [("ann", Verdict::Right), ("bob", Verdict::Wrong)] {
        write(&mut notes, by, &Key::question("q"), variant.clone());
        write(&mut notes, by, &side, verdict(given));
    }
    let own = |by: &str| -> Vec<String> {
        notes.references_by(Some("q"), by).iter().map(|e| e.by.clone()).collect()
    };
    assert_eq!((own("ann"), own("bob"), own("eve")), (vec!["ann".into()], vec!["bob".into()], vec![]));
    assert_eq!(notes.references_by(Some("r"), "ann"), Vec::<&Entry>::new());
    let given = |by: &str| notes.verdicts_by(by).iter().map(|v| v.verdict).collect::<Vec<_>>();
    assert_eq!((given("ann"), given("bob")), (vec![Verdict::Right], vec![Verdict::Wrong]));
    assert_eq!(notes.verdicts().len(), 1);
    let mut undone = notes.clone();
    assert!(undo(&mut undone, "ann") && undo(&mut undone, "ann"));
    assert_eq!(undone.references_by(None, "ann"), Vec::<&Entry>::new());
    assert_eq!(undone.references(None).len(), 1, "the other person's stands");
}

#[test]
fn places_are_a_persons_and_a_plans() {
    let q = Key::pair("q", "m", 1);
    let mut notes = Notes::default();
    let mark = |plan: &str, position| Act::Mark { plan: plan.into(), position, of: 9 };
    write(&mut notes, "ann", &q, mark("broken", 3));
    write(&mut notes, "ann", &q, mark("all", 5));
    write(&mut notes, "bob", &q, mark("broken", 8));
    assert_eq!(notes.place("ann", "broken").unwrap().position, 3);
    assert_eq!(notes.place("ann", "none"), None);
    let last = notes.last_place("ann").unwrap();
    assert_eq!((last.plan, last.position, last.of), ("all", 5, 9));
    assert_eq!(last.entry.key, q);
}

#[test]
fn an_answer_that_changed_is_flagged() {
    let q = Key::pair("q", "m", 1);
    let mut notes = Notes::default();
    write(&mut notes, "ann", &q, coded("a"));
    let entry = notes.coding(&q).unwrap().entry;
    assert!(!Notes::is_changed(entry, "h"));
    assert!(Notes::is_changed(entry, &pair_hash(None, None)));
}

#[test]
fn codes_come_once_and_the_primary_one_first() {
    let q = Key::pair("q", "m", 1);
    let mut notes = Notes::default();
    let others = vec!["b".to_owned(), "a".into(), "b".into()];
    write(
        &mut notes,
        "ann",
        &q,
        Act::Coded { primary: Some("a".into()), others, note: String::new(), codebook: 4, settles: vec![] },
    );
    let coding = notes.coding(&q).unwrap();
    assert_eq!(coding.codes(), ["a", "b"]);
    assert_eq!((coding.primary(), coding.codebook()), (Some("a"), 4));
}

/// What a person does, at random: codes one of three rows, undoes, redoes.
#[derive(Debug, Clone)]
enum Do {
    Code(u8, char),
    Clear(u8),
    Undo,
    Redo,
}

fn any_do() -> impl Strategy<Value = Do> {
    prop_oneof![
        3 => (0..3_u8, prop::char::range('a', 'e')).prop_map(|(row, code)| Do::Code(row, code)),
        1 => (0..3_u8).prop_map(Do::Clear),
        3 => Just(Do::Undo),
        2 => Just(Do::Redo),
    ]
}

proptest! {
    /// Undo and redo are those of a plain list of states, whatever another person does on rows of their own.
    #[test]
    fn undo_is_going_back_in_a_list_of_states(steps in proptest::collection::vec(any_do(), 0..40)) {
        let rows = [0, 1, 2].map(|n| Key::pair(format!("q{n}"), "m", 1));
        let other = Key::pair("other", "m", 1);
        let mut notes = Notes::default();
        let now = |notes: &Notes| rows.clone().map(|key| primary(notes, &key));
        let mut states = vec![now(&notes)];
        let mut at = 0;
        for (n, step) in steps.into_iter().enumerate() {
            let mut state = states[at].clone();
            match step {
                Do::Undo => {
                    prop_assert_eq!(undo(&mut notes, "ann"), at > 0);
                    at = at.saturating_sub(1);
                }
                Do::Redo => {
                    prop_assert_eq!(redo(&mut notes, "ann"), at + 1 < states.len());
                    at = (at + 1).min(states.len() - 1);
                }
                Do::Code(row, code) => {
                    write(&mut notes, "ann", &rows[usize::from(row)], coded(&code.to_string()));
                    state[usize::from(row)] = Some(code.to_string());
                    states.truncate(at + 1);
                    states.push(state);
                    at += 1;
                }
                Do::Clear(row) => {
                    let act = Act::Cleared { what: SlotKind::Coding, undoes: None };
                    write(&mut notes, "ann", &rows[usize::from(row)], act);
                    state[usize::from(row)] = None;
                    states.truncate(at + 1);
                    states.push(state);
                    at += 1;
                }
            }
            if n % 3 == 0 {
                write(&mut notes, "bob", &other, coded("z"));
            }
            if n % 5 == 0 {
                notes = restarted(&notes);
            }
            prop_assert_eq!(&now(&notes), &states[at]);
        }
    }
}
