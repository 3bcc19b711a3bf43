use std::sync::Arc;

use super::*;
use crate::record::Verdict;
use crate::review::samples::coded;
use crate::review::{Act, Codebook, Stamp, entry_id, marks, overlay, pair_hash, place_codings};
use crate::store::{Input, OpenOptions, Reader, Store};

fn line(run: Option<&str>, condition: &str, answer: &str) -> String {
    let run = run.map_or(String::new(), |run| format!(r#","run_id":"{run}""#));
    format!(
        r#"{{"schema":"lookitup.attempt/1","question_id":"Q1","model":"m","condition":"{condition}","answer":"{answer}","references":["A"]{run}}}"#
    ) + "\n"
}

/// Two runs that asked the same, the answers without search alike; then a question's row of each condition's own run.
fn open() -> (Arc<Table>, Reader, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let mixed = |run, condition| line(Some(run), condition, "C").replace("Q1", "Q2");
    let text = [
        line(Some("one"), "no_search", "A"),
        line(Some("one"), "with_search", "B"),
        line(Some("two"), "no_search", "A"),
        line(Some("two"), "with_search", "A"),
        mixed("three", "no_search"),
        mixed("four", "with_search"),
    ];
    std::fs::write(&path, text.concat()).unwrap();
    let store = Store::open(vec![Input::Path(path)], OpenOptions::default(), || {});
    (store.wait(), store.reader(), folder)
}

fn say(notes: &mut Notes, key: Key, answer: &str, act: Act) {
    let n = notes.len() as u64;
    let at = jiff::Timestamp::from_second(n as i64).unwrap();
    let stamp = Stamp { id: entry_id(at, n), at, by: "ann".into() };
    let entry = notes.entry(stamp, key, answer, act);
    notes.add(entry).unwrap();
}

/// Question, run and code of every row that is coded.
fn seen(table: &Table, notes: &Notes) -> Vec<(String, String)> {
    let marks = marks(table, notes, &Codebook::starter(), None);
    let rows = 0..table.pairs.len() as u32;
    let coded = rows.filter_map(|row| {
        let key = key_of(table, row).unwrap();
        Some((format!("{} {}", key.question_id, key.run), marks.get(row)?.codes.first()?.to_string()))
    });
    coded.collect()
}

#[test]
fn a_note_of_one_run_is_not_another_runs() {
    let (table, reader, _folder) = open();
    let keys: Vec<Key> = (0..3).map(|row| key_of(&table, row).unwrap()).collect();
    assert_eq!(keys.iter().map(|k| k.run.as_str()).collect::<Vec<_>>(), ["one", "two", ""]);
    assert_eq!(namesakes(&table, 0), 2);
    assert_eq!(keys[0].ident(), keys[1].ident(), "samples of before runs were named are the same");
    let mut notes = Notes::default();
    say(&mut notes, keys[1].clone(), "", coded("of-two"));
    say(&mut notes, keys[2].clone(), "", coded("of-several"));
    let all = [("Q1 two".to_owned(), "of-two".to_owned()), ("Q2 ".into(), "of-several".into())];
    assert_eq!(seen(&table, &notes), all);
    // Written down and read again it says so still.
    let mut read = Notes::default();
    for (n, entry) in (1..).zip(notes.in_order()) {
        read.take(n, &entry.to_line());
    }
    assert_eq!(seen(&table, &read), all);
    let placed = place_codings(&table, &reader, &read, None, |_| true).unwrap();
    assert_eq!(placed.list.iter().map(|f| f.pair).collect::<Vec<_>>(), [1, 2]);
    // A verdict on one run's answer is none on the other's.
    let verdict = Act::Verdict { verdict: Verdict::Wrong, reason: String::new() };
    let hash = crate::review::answer_hash(Some("A"));
    say(&mut notes, keys[1].side(Condition::NoSearch), &hash, verdict);
    let changes = overlay(&table, &reader, &notes).changes;
    assert_eq!(changes.iter().map(|c| c.pair).collect::<Vec<_>>(), [1]);
    let gone = Key { run: "five".into(), ..keys[0].clone() };
    assert_eq!(locate(&table, &[&gone]), [Vec::<u32>::new()]);
}

#[test]
fn a_note_is_about_the_question_that_is_spelt_so_where_two_differ_in_capitals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.jsonl");
    let (large, small) = (line(None, "no_search", "A"), line(None, "no_search", "A").replace("Q1", "q1"));
    for text in [[large.clone(), small.clone()], [small.clone(), large.clone()]] {
        std::fs::write(&path, text.concat()).unwrap();
        let store = Store::open(vec![Input::Path(path.clone())], OpenOptions::default(), || {});
        let (table, reader) = (store.wait(), store.reader());
        let mut notes = Notes::default();
        say(&mut notes, Key::pair("Q1", "m", 1), "", coded("large"));
        let add = Act::Reference { text: "B".into(), reason: String::new() };
        say(&mut notes, Key::question("Q1"), "", add);
        assert_eq!(seen(&table, &notes), [("Q1 ".to_owned(), "large".to_owned())]);
        let row = (0..2).find(|&row| key_of(&table, row).unwrap().question_id == "Q1").unwrap();
        let marks = marks(&table, &notes, &Codebook::starter(), None);
        assert_eq!(marks.0.iter().filter(|(_, m)| m.reviewed).map(|(r, _)| *r).collect::<Vec<_>>(), [row]);
        let placed = place_codings(&table, &reader, &notes, None, |_| true).unwrap();
        assert_eq!((placed.list[0].pair, placed.ambiguous), (row, 0));
    }
    // Where there is one alone it is meant, however it is spelt.
    std::fs::write(&path, small).unwrap();
    let store = Store::open(vec![Input::Path(path)], OpenOptions::default(), || {});
    assert_eq!(locate(&store.wait(), &[&Key::pair("Q1", "m", 1)]), [vec![0]]);
}

#[test]
fn what_was_said_of_a_side_stands_when_another_runs_joins_it() {
    let (table, reader, _folder) = open();
    let mut notes = Notes::default();
    // Said while the answer without search was all there was.
    let alone = Key::pair("Q2", "m", 1).in_run("three");
    let hash = crate::review::answer_hash(Some("C"));
    let verdict = Act::Verdict { verdict: Verdict::Right, reason: String::new() };
    say(&mut notes, alone.side(Condition::NoSearch), &hash, verdict);
    say(&mut notes, alone.clone(), &format!("{hash}/-"), coded("before"));
    let key = key_of(&table, 2).unwrap();
    assert!(alone.covers(&key) && !Key::pair("Q2", "m", 1).in_run("five").covers(&key));
    assert!(notes.verdict(&key.side(Condition::NoSearch)).is_some());
    assert_eq!(overlay(&table, &reader, &notes).changes.iter().map(|c| c.pair).collect::<Vec<_>>(), [2]);
    assert_eq!(seen(&table, &notes), [("Q2 ".to_owned(), "before".to_owned())]);
    let placed = place_codings(&table, &reader, &notes, None, |_| true).unwrap();
    let found: Vec<(u32, bool)> = placed.list.iter().map(|f| (f.pair, f.is_outdated)).collect();
    assert_eq!((found, placed.elsewhere), (vec![(2, true)], 0), "of other answers, and there");
    // What is said of the row next counts in its place.
    say(&mut notes, key, "", coded("after"));
    assert_eq!(seen(&table, &notes), [("Q2 ".to_owned(), "after".to_owned())]);
    let placed = place_codings(&table, &reader, &notes, None, |_| true).unwrap();
    assert_eq!((placed.list.len(), placed.elsewhere), (1, 0));
}

#[test]
fn notes_of_before_runs_were_named_read_as_before() {
    let (table, reader, _folder) = open();
    let read = include_str!("../../tests/data/old.notes.jsonl");
    let mut notes = Notes::default();
    for (n, line) in (1..).zip(read.lines()) {
        notes.take(n, line);
    }
    assert!(notes.bad().is_empty() && notes.len() == 2, "{:?}", notes.bad());
    // Nothing is written otherwise than it was.
    for (line, entry) in read.lines().zip(notes.in_order()) {
        assert_eq!(line, entry.to_line());
    }
    // On the rows of both runs, as it may be of either; counted once, where its answers are.
    let on = |notes: &Notes| seen(&table, notes).into_iter().map(|(row, code)| format!("{row}: {code}"));
    assert_eq!(on(&notes).collect::<Vec<_>>(), ["Q1 one: over-trust", "Q1 two: over-trust"]);
    let placed = place_codings(&table, &reader, &notes, None, |_| true).unwrap();
    let found: Vec<(u32, bool)> = placed.list.iter().map(|f| (f.pair, f.is_outdated)).collect();
    assert_eq!((found, placed.ambiguous, placed.elsewhere), (vec![(1, false)], 1, 0));
    assert_eq!(overlay(&table, &reader, &notes).changes.iter().map(|c| c.pair).collect::<Vec<_>>(), [0, 1]);

    // What is said of one run's row next counts there, and the older one on the other run's alone.
    say(&mut notes, key_of(&table, 1).unwrap(), "", coded("new"));
    assert_eq!(on(&notes).collect::<Vec<_>>(), ["Q1 one: over-trust", "Q1 two: new"]);
    let placed = place_codings(&table, &reader, &notes, None, |_| true).unwrap();
    let found: Vec<(u32, bool)> = placed.list.iter().map(|f| (f.pair, f.is_outdated)).collect();
    assert_eq!((found, placed.ambiguous), (vec![(0, true), (1, false)], 0));
    say(&mut notes, key_of(&table, 0).unwrap(), "", coded("new"));
    let placed = place_codings(&table, &reader, &notes, None, |_| true).unwrap();
    assert_eq!((placed.list.len(), placed.elsewhere), (2, 0), "the older one counts nowhere any more");
    // Taken back, it is not there again: an empty place is one that somebody emptied.
    let key = key_of(&table, 0).unwrap();
    say(&mut notes, key, "", Act::Cleared { what: crate::review::SlotKind::Coding, undoes: None });
    assert_eq!(on(&notes).collect::<Vec<_>>(), ["Q1 two: new"]);
    // But an undo brings it back.
    let undo = notes.undo("ann").map(|s| (s.of.key.clone(), s.act)).unwrap();
    say(&mut notes, undo.0, "", undo.1);
    let undo = notes.undo("ann").map(|s| (s.of.key.clone(), s.act)).unwrap();
    say(&mut notes, undo.0, "", undo.1);
    assert_eq!(on(&notes).collect::<Vec<_>>(), ["Q1 one: over-trust", "Q1 two: new"]);
}

#[test]
fn the_hash_in_the_old_file_is_of_the_second_run() {
    let attempt = |answer: &str| crate::record::Attempt { answer: Some(answer.into()), ..Default::default() };
    let hash = pair_hash(Some(&attempt("A")), Some(&attempt("A")));
    assert!(include_str!("../../tests/data/old.notes.jsonl").contains(&hash), "{hash}");
}
