//! Files that change while they are open: never a crash, never another record's text.

use std::fs::OpenOptions as Files;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lookitup::store::{Input, OpenOptions, ReadError, Store, Table};

use super::store::{folder, line, problems, rows, write};

/// A store that follows its files, and what tells of newer tables.
struct Followed {
    store: Store,
    told: Receiver<()>,
}

fn follow(paths: &[&Path]) -> Followed {
    let (tell, told) = channel();
    let inputs = paths.iter().map(|p| Input::Path(p.to_path_buf())).collect();
    let options = OpenOptions { follow: true, ..OpenOptions::default() };
    let store = Store::open(inputs, options, move || {
        let _ = tell.send(());
    });
    store.wait();
    Followed { store, told }
}

impl Followed {
    /// The first table of which `good` holds. The system tells of changes; asking as well spares the test from
    /// depending on it.
    fn until(&self, good: impl Fn(&Table) -> bool) -> Arc<Table> {
        for _ in 0..2_000 {
            let table = self.store.table();
            if table.progress.done && good(&table) {
                return table;
            }
            self.store.look();
            let _ = self.told.recv_timeout(Duration::from_millis(10));
        }
        panic!("never came: {:?}", problems(&self.store.table()));
    }
}

fn append(path: &Path, text: &str) {
    Files::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

fn answer(n: u32) -> String {
    line(&format!("q{n}"), "no_search", &format!(r#""answer":"{n}""#)) + "\n"
}

#[test]
fn a_growing_file_is_read_on() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", answer(0));
    let f = follow(&[&path]);
    for n in 1..20 {
        append(&path, &answer(n));
        let table = f.until(|t| t.attempts.len() as u32 == n + 1);
        assert_eq!(table.generation, 0);
        assert_eq!(
            f.store.reader().attempt(&table, n).unwrap().answer.as_deref(),
            Some(n.to_string().as_str())
        );
    }
    // The other side of an old row, too.
    append(&path, &(line("q3", "with_search", r#""answer":"w""#) + "\n"));
    let table = f.until(|t| t.attempts.len() == 21);
    assert_eq!(rows(&table, &f.store.reader())[3], "q3 1: 3 w -");
    assert!(problems(&table).is_empty());
}

#[test]
fn a_line_that_comes_in_pieces_is_read_when_it_is_whole() {
    let folder = folder();
    let whole = answer(1);
    let path = write(&folder, "a.jsonl", answer(0) + &whole[..10]);
    let f = follow(&[&path]);
    let told = problems(&f.until(|t| t.attempts.len() == 1));
    assert_eq!(
        told,
        [
            "error a.jsonl:2: the line ends in the middle of a record; the line is left out unless it is completed"
        ]
    );
    append(&path, &whole[10..30]);
    let table = f.until(|t| t.files[0].bytes == (answer(0).len() + 30) as u64);
    assert_eq!((table.attempts.len(), table.problems.errors), (1, 1));
    append(&path, &(whole[30..].to_owned() + "broken\n" + &answer(2)));
    let table = f.until(|t| t.attempts.len() == 3);
    assert_eq!(table.generation, 0);
    assert_eq!(
        problems(&table),
        ["error a.jsonl:3: not JSON (expected value at column 1); the line is left out"]
    );
    assert_eq!(table.problems.errors, 1);
    // Without its line end a whole record counts at once.
    append(&path, answer(3).trim_end());
    f.until(|t| t.attempts.len() == 4);
    append(&path, &("\n".to_owned() + &answer(4)));
    let table = f.until(|t| t.attempts.len() == 5);
    assert_eq!(table.problems.errors, 1);
    assert_eq!(f.store.reader().attempt(&table, 4).unwrap().answer.as_deref(), Some("4"));
}

#[test]
fn a_file_that_is_cut_is_read_anew() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", (0..100).map(answer).collect::<String>());
    let f = follow(&[&path]);
    let (old, reader) = (f.store.table(), f.store.reader());
    Files::new().write(true).open(&path).unwrap().set_len(answer(0).len() as u64 * 3 + 5).unwrap();
    // Before anybody has noticed: no crash, and nothing that is not there any more.
    assert_eq!(reader.attempt(&old, 99), Err(ReadError::Changed));
    assert_eq!(reader.raw_line(&old, 50), Err(ReadError::Changed));
    assert!(reader.attempt(&old, 1).is_ok());
    let table = f.until(|t| t.generation > 0);
    assert_eq!(table.attempts.len(), 3);
    assert_eq!(reader.attempt(&old, 98), Err(ReadError::Changed));
}

#[test]
fn a_file_that_is_replaced_keeps_its_old_text_for_old_tables() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", (0..10).map(answer).collect::<String>());
    let f = follow(&[&path]);
    let (old, reader) = (f.store.table(), f.store.reader());
    let new = write(&folder, "new", (50..90).map(answer).collect::<String>());
    std::fs::rename(new, &path).unwrap();
    assert_eq!(reader.attempt(&old, 5).unwrap().answer.as_deref(), Some("5"));
    let table = f.until(|t| t.generation > 0);
    assert_eq!(table.attempts.len(), 40);
    assert_eq!(reader.attempt(&table, 5).unwrap().answer.as_deref(), Some("55"));
    assert_eq!(reader.attempt(&old, 6).unwrap().answer.as_deref(), Some("6"));
}

#[test]
fn a_file_that_is_rewritten_in_place_never_shows_another_record() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", (10..60).map(answer).collect::<String>());
    let f = follow(&[&path]);
    let (old, reader) = (f.store.table(), f.store.reader());
    // The same length, other records: every old row must say that it changed.
    let other: String = (30..80).map(answer).collect();
    assert_eq!(other.len() as u64, old.files[0].bytes);
    let mut file = Files::new().write(true).open(&path).unwrap();
    file.write_all(other.as_bytes()).unwrap();
    // What cannot be told from the clock of the file system can be told from the length.
    file.write_all(answer(99).as_bytes()).unwrap();
    drop(file);
    for at in 0..50 {
        assert_eq!(reader.attempt(&old, at), Err(ReadError::Changed));
    }
    let table = f.until(|t| t.generation > 0);
    assert_eq!(table.attempts.len(), 51);
    assert_eq!(reader.attempt(&table, 0).unwrap().answer.as_deref(), Some("30"));
    // A data file is guarded as well.
    let questions = write(&folder, "q.jsonl", "{\"id\":\"q1\",\"question\":\"Who?\"}\n");
    let store = Store::open(vec![Input::Path(questions.clone())], OpenOptions::default(), || ());
    let table = store.wait();
    std::fs::write(&questions, "{\"id\":\"q1\",\"question\":\"How?\"}\n").unwrap();
    assert_eq!(store.reader().question(&table, 0), Err(ReadError::Changed));
}

#[test]
fn a_file_that_is_rewritten_longer_is_no_growth() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", (10..20).map(answer).collect::<String>());
    let f = follow(&[&path]);
    // The beginning stays, something in the middle does not.
    let text = std::fs::read_to_string(&path).unwrap().replace("\"15\"", "\"51\"") + &answer(30);
    let mut file = Files::new().write(true).open(&path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
    drop(file);
    let table = f.until(|t| t.attempts.len() == 11);
    assert_eq!(table.generation, 1);
    assert_eq!(f.store.reader().attempt(&table, 5).unwrap().answer.as_deref(), Some("51"));
}

#[test]
fn files_that_appear_later_are_taken_up() {
    let folder = folder();
    let results = folder.path().join("results");
    std::fs::create_dir(&results).unwrap();
    std::fs::write(results.join("a.jsonl"), answer(0)).unwrap();
    let missing = folder.path().join("later.jsonl");
    let empty = write(&folder, "empty.jsonl", "");
    let f = follow(&[&results, &missing, &empty]);
    std::fs::write(results.join("b.jsonl"), answer(1)).unwrap();
    let table = f.until(|t| t.attempts.len() == 2);
    assert_eq!((table.generation, table.files.len()), (0, 2));
    std::fs::write(&missing, answer(2)).unwrap();
    let table = f.until(|t| t.attempts.len() == 3);
    assert_eq!(problems(&table), ["warning empty.jsonl: empty: nothing to show yet"]);
    append(&empty, &answer(3));
    let table = f.until(|t| t.attempts.len() == 4);
    assert!(problems(&table).is_empty());
    // Gone, and read all the same as long as it is open.
    std::fs::remove_file(results.join("a.jsonl")).unwrap();
    assert_eq!(f.store.reader().attempt(&table, 0).unwrap().answer.as_deref(), Some("0"));
}

#[test]
fn reading_anew_can_be_asked_for() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", answer(0));
    let store = Store::open(vec![Input::Path(path.clone())], OpenOptions::default(), || ());
    assert_eq!(store.wait().attempts.len(), 1);
    append(&path, &answer(1));
    store.reload();
    let table = store.wait();
    assert_eq!((table.attempts.len(), table.generation), (2, 1));
}

#[test]
fn a_store_can_be_dropped_at_any_moment() {
    let folder = folder();
    let path = write(&folder, "a.jsonl", (0..50_000).map(answer).collect::<String>());
    for _ in 0..5 {
        let store = Store::open(
            vec![Input::Path(path.clone())],
            OpenOptions { follow: true, ..OpenOptions::default() },
            || (),
        );
        let reader = store.reader();
        let table = store.table();
        drop(store);
        // Tables and readers live on.
        for at in 0..table.attempts.len() as u32 {
            reader.attempt(&table, at).unwrap();
        }
    }
}
