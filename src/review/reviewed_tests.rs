use jiff::Timestamp;

use super::*;
use crate::record::Condition;
use crate::review::{Act, Stamp, answer_hash};

fn say(notes: &mut Notes, key: &Key, answer: &str, act: Act) {
    let stamp = Stamp { id: notes.len().to_string(), at: Timestamp::UNIX_EPOCH, by: "ann".into() };
    let entry = notes.entry(stamp, key.clone(), answer, act);
    notes.add(entry).unwrap();
}

#[test]
fn a_person_beats_an_added_reference_beats_the_scorer() {
    let question = Question { id: "q".into(), references: vec!["A".into()], ..Question::default() };
    let attempt = Attempt { answer: Some("Alpha".into()), ..Attempt::default() };
    let key = Key::pair("q", "m", 1).side(Condition::WithSearch);
    let mut notes = Notes::default();
    let now = |notes: &Notes| {
        let found = reviewed(notes, &key, &attempt, &question, Scorer::Normalized);
        (found.graded, found.verdict, found.is_outdated)
    };
    assert_eq!(now(&notes), (Verdict::Wrong, Verdict::Wrong, false));
    let add = |text: &str| Act::Reference { text: text.into(), reason: String::new() };
    say(&mut notes, &Key::question("q"), "", add("Beta"));
    assert_eq!(now(&notes).1, Verdict::Wrong);
    say(&mut notes, &Key::question("q"), "", add("alpha"));
    assert_eq!(now(&notes).1, Verdict::Right);
    let found = reviewed(&notes, &key, &attempt, &question, Scorer::Strict);
    assert!(!found.is_overridden(), "the scorer still compares in its own way");
    let verdict = |verdict| Act::Verdict { verdict, reason: "r".into() };
    say(&mut notes, &key, &answer_hash(Some("Alpha")), verdict(Verdict::Ungraded));
    assert_eq!(now(&notes), (Verdict::Wrong, Verdict::Ungraded, false));
    say(&mut notes, &key, &answer_hash(Some("another answer")), verdict(Verdict::Wrong));
    assert_eq!(now(&notes), (Verdict::Wrong, Verdict::Right, true));
    let with = reviewed(&notes, &key, &attempt, &question, Scorer::Normalized);
    assert_eq!(reviewed_transition(Some(with), Some(with), 1), Transition::Preserved);
    assert_eq!(reviewed_transition(None, Some(with), 1), Transition::Unpaired);
}
