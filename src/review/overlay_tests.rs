use jiff::Timestamp;

use super::*;
use crate::record::{Condition, Transition};
use crate::review::{Because, Stamp, pair_hash, reviewed, reviewed_transition};
use crate::store::{Input, OpenOptions, Store};

fn say(notes: &mut Notes, key: Key, answer: &str, act: Act) {
    let stamp = Stamp { id: format!("n{}", notes.len()), at: Timestamp::UNIX_EPOCH, by: "ann".into() };
    let entry = notes.entry(stamp, key, answer, act);
    notes.add(entry).unwrap();
}

fn line(id: &str, condition: &str, answer: &str, more: &str) -> String {
    let calls = if condition == "with_search" { r#","search_calls":[{"n":1,"query":"x"}]"# } else { "" };
    format!(
        r#"{{"schema":"lookitup.attempt/1","question_id":"{id}","model":"m","condition":"{condition}","answer":"{answer}"{calls}{more}}}"#
    ) + "\n"
}

/// What the table says must be what `reviewed` says of each attempt, whatever the scorer.
fn agrees(before: &Table, found: &Overlay, reader: &Reader, notes: &Notes) {
    for pair in 0..before.pairs.len() as u32 {
        let bundle = reader.bundle(before, pair).unwrap();
        let key = super::super::key_of(before, pair).unwrap();
        for scorer in Scorer::ALL {
            let row = found.table.pairs.get(pair as usize).unwrap();
            let side = |c: Condition| {
                let attempt = bundle.sides[c as usize].as_deref()?;
                let says = reviewed(notes, &key.side(c), attempt, &bundle.question, scorer);
                assert_eq!(
                    found.table.side(row, c).unwrap().verdict(scorer),
                    says.verdict,
                    "{key} {c:?} {scorer:?}"
                );
                let at = row.sides[c as usize];
                let change = found.changes.iter().find(|x| x.attempt == at);
                assert_eq!(says.is_overridden(), change.is_some_and(|x| x.differs(scorer)), "{key} {c:?}");
                assert!(says.because == Because::Graded || change.is_some());
                Some(says)
            };
            let (no, with) = (side(Condition::NoSearch), side(Condition::WithSearch));
            let calls = bundle.sides[1].as_deref().map_or(0, Attempt::calls);
            assert_eq!(row.transitions[scorer as usize], reviewed_transition(no, with, calls), "{key}");
        }
    }
}

#[test]
fn a_table_as_reviewed_says_what_each_review_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let refs = r#","references":["Ann"]"#;
    let text = [
        line("q1", "no_search", "Ann", refs),
        line("q1", "with_search", "Anne Smith", refs),
        line("q2", "no_search", "Bob", refs),
        line("q2", "with_search", "Bob Jones", &format!(r#"{refs},"correct":true"#)),
        line("q3", "no_search", "cut sh", &format!(r#"{refs},"stop":"max_tokens""#)),
        line("q3", "with_search", "Ann", refs),
        line("q4", "no_search", "nothing to compare with", r#","correct":false"#),
        line("q4", "with_search", "nor here", ""),
    ];
    std::fs::write(&path, text.concat()).unwrap();
    let store = Store::open(vec![Input::Path(path)], OpenOptions::default(), || {});
    let (table, reader) = (store.wait(), store.reader());
    let of = |found: &Overlay, at: usize| {
        found.table.pairs.get(at).unwrap().transitions[Scorer::Normalized as usize]
    };
    let mut notes = Notes::default();
    let found = overlay(&table, &reader, &notes);
    assert!(found.changes.is_empty());
    assert_eq!(
        [0, 1, 2, 3].map(|n| of(&found, n)),
        [Transition::Broken, Transition::Unresolved, Transition::Incomplete, Transition::Incomplete]
    );

    let verdict = |verdict| Act::Verdict { verdict, reason: "r".into() };
    let reference = |text: &str| Act::Reference { text: text.into(), reason: String::new() };
    let key = |id: &str, c| Key::pair(id, "m", 1).side(c);
    say(
        &mut notes,
        key("q1", Condition::WithSearch),
        &answer_hash(Some("Anne Smith")),
        verdict(Verdict::Right),
    );
    say(&mut notes, key("q3", Condition::NoSearch), &answer_hash(Some("cut sh")), verdict(Verdict::Wrong));
    say(&mut notes, Key::question("q2"), "", reference("bob jones"));
    say(&mut notes, Key::question("q4"), "", reference("nor here"));
    // On another answer, on a row that is not open, on a pair as a whole.
    say(&mut notes, key("q2", Condition::NoSearch), &answer_hash(Some("Rob")), verdict(Verdict::Right));
    say(&mut notes, key("gone", Condition::NoSearch), "-", verdict(Verdict::Right));
    say(&mut notes, Key::pair("q1", "m", 1), &pair_hash(None, None), verdict(Verdict::Wrong));
    let found = overlay(&table, &reader, &notes);
    agrees(&table, &found, &reader, &notes);
    assert_eq!(
        [0, 1, 2, 3].map(|n| of(&found, n)),
        [Transition::Preserved, Transition::Corrected, Transition::Corrected, Transition::Corrected]
    );
    assert_eq!((found.changes.len(), found.outdated.len(), found.elsewhere.len()), (4, 1, 2));
    assert_eq!((found.references.len(), found.unread.len()), (2, 0));
    assert_eq!(
        of(&Overlay { table: (*table).clone(), ..Overlay::default() }, 0),
        Transition::Broken,
        "the old table stays"
    );

    // A person beats an added answer, and not to be judged is a verdict too.
    say(
        &mut notes,
        key("q2", Condition::WithSearch),
        &answer_hash(Some("Bob Jones")),
        verdict(Verdict::Wrong),
    );
    say(&mut notes, key("q1", Condition::NoSearch), &answer_hash(Some("Ann")), verdict(Verdict::Ungraded));
    let found = overlay(&table, &reader, &notes);
    agrees(&table, &found, &reader, &notes);
    let change = found.changes.iter().find(|c| c.pair == 1).unwrap();
    assert_eq!(
        (change.why, change.differs(Scorer::Normalized), change.differs(Scorer::Recorded)),
        (Why::Person, false, true)
    );
    assert_eq!(of(&found, 0), Transition::Incomplete);
}

#[test]
fn the_sample_as_reviewed_at_random() {
    let store = Store::open(crate::store::sample(), OpenOptions::default(), || {});
    let (table, reader) = (store.wait(), store.reader());
    let mut notes = Notes::default();
    for pair in (0..table.pairs.len() as u32).step_by(3) {
        let key = super::super::key_of(&table, pair).unwrap();
        let bundle = reader.bundle(&table, pair).unwrap();
        let condition = Condition::ALL[pair as usize % 2];
        let Some(attempt) = bundle.sides[condition as usize].as_deref() else { continue };
        if pair % 2 == 0 {
            let text = attempt.answer.clone().unwrap_or_else(|| "x".into());
            say(
                &mut notes,
                Key::question(key.question_id),
                "",
                Act::Reference { text, reason: String::new() },
            );
        } else {
            let verdict = [Verdict::Right, Verdict::Wrong, Verdict::Ungraded][pair as usize % 3];
            let hash = answer_hash(attempt.answer.as_deref());
            say(&mut notes, key.side(condition), &hash, Act::Verdict { verdict, reason: "r".into() });
        }
    }
    let found = overlay(&table, &reader, &notes);
    assert!(found.changes.len() > 40);
    agrees(&table, &found, &reader, &notes);
}
