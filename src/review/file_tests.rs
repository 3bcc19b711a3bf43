use std::fs;
use std::io::Write as _;

use jiff::Timestamp;

use super::*;
use crate::review::samples::coded;
use crate::review::{DraftFile, drafts_left};

fn stamp(n: u32) -> Stamp {
    let at = Timestamp::from_millisecond(1_763_028_000_000 + i64::from(n)).unwrap();
    Stamp { id: format!("{n:04}"), at, by: "ann".into() }
}

fn key(n: u32) -> Key {
    Key::pair(format!("q{n}"), "m", 1)
}

fn say(file: &mut NotesFile, n: u32) {
    file.say(stamp(n), key(n), "-/-", coded("x")).unwrap();
}

fn add(path: &Path, bytes: &[u8]) {
    fs::OpenOptions::new().append(true).create(true).open(path).unwrap().write_all(bytes).unwrap();
}

#[test]
fn names_are_made_from_results() {
    let path = |name| notes_path(Path::new("r"), name).display().to_string();
    assert_eq!(path("sample.results.jsonl"), "r/sample.results.notes.jsonl");
    assert_eq!(path("../x"), "r/-x.notes.jsonl");
    assert_eq!(path(""), "r/results.notes.jsonl");
}

#[test]
fn two_programs_see_each_others_notes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/a.notes.jsonl");
    let (mut one, mut two) = (NotesFile::open(&path).unwrap(), NotesFile::open(&path).unwrap());
    assert!(!one.refresh().unwrap());
    say(&mut one, 1);
    assert!(two.refresh().unwrap());
    assert!(two.notes().coding(&key(1)).is_some());
    say(&mut two, 2);
    say(&mut one, 3);
    assert_eq!(one.notes().len(), 3, "what another wrote comes with writing");
    assert!(!one.refresh().unwrap());
    assert!(two.refresh().unwrap());
    let prevs: Vec<Option<String>> = two.notes().in_order().map(|e| e.prev.clone()).collect();
    assert_eq!(prevs, [None, Some("0001".into()), Some("0002".into())]);
    fs::remove_file(&path).unwrap();
    assert!(two.refresh().unwrap() && two.notes().is_empty());
}

#[test]
fn a_torn_line_is_no_note_and_the_next_one_takes_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    let mut file = NotesFile::open(&path).unwrap();
    say(&mut file, 1);
    let line = file.notes().entry(stamp(2), key(2), "-/-", coded("x")).to_line();
    for cut in 1..line.len() {
        add(&path, &line.as_bytes()[..cut]);
        let mut other = NotesFile::open(&path).unwrap();
        assert!(other.is_torn() && other.notes().len() == 1 && other.notes().bad().is_empty(), "{cut}");
        assert!(file.refresh().unwrap() && file.is_torn());
        say(&mut other, 3);
        assert!(file.refresh().unwrap() && !file.is_torn());
        assert_eq!((file.notes().len(), other.notes().len()), (2, 2));
        let first = fs::read_to_string(&path).unwrap().lines().next().unwrap().to_owned() + "\n";
        fs::write(&path, first).unwrap();
        file.refresh().unwrap();
    }
}

#[test]
fn a_line_without_its_end_counts_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    let line = Notes::default().entry(stamp(1), key(1), "-/-", coded("x")).to_line();
    add(&path, format!("\u{feff}{line}\r\n").as_bytes());
    let line = Notes::default().entry(stamp(2), key(2), "-/-", coded("x")).to_line();
    add(&path, line.as_bytes());
    let mut file = NotesFile::open(&path).unwrap();
    assert_eq!((file.notes().len(), file.is_torn()), (2, false));
    assert!(!file.refresh().unwrap());
    say(&mut file, 3);
    assert_eq!((file.notes().len(), file.notes().bad().len()), (3, 0));
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 3);
}

#[test]
fn what_is_no_note_is_counted_and_stays_where_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    let mut file = NotesFile::open(&path).unwrap();
    say(&mut file, 1);
    add(&path, b"<<<<<<< HEAD\n\xff\xfe\n\nsomebody's remark");
    say(&mut file, 2);
    let lines: Vec<u64> = file.notes().bad().iter().map(|b| b.line).collect();
    assert_eq!(lines, [2, 3, 5]);
    assert_eq!(file.notes().len(), 2);
    let bytes = fs::read(&path).unwrap();
    assert!(memchr::memmem::find(&bytes, b"<<<<<<< HEAD\n\xff\xfe\n\nsomebody's remark\n{").is_some());
    let anew = NotesFile::open(&path).unwrap();
    assert_eq!(anew.notes().bad(), file.notes().bad());
}

#[test]
fn a_merged_file_is_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    let mut file = NotesFile::open(&path).unwrap();
    for n in 1..=20 {
        say(&mut file, n);
    }
    let mut lines: Vec<String> = fs::read_to_string(&path).unwrap().lines().map(str::to_owned).collect();
    lines.rotate_left(7);
    lines.push(Notes::default().entry(stamp(90), key(90), "-/-", coded("theirs")).to_line());
    // In place, and as git does it: a new file under the old name.
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    assert!(file.refresh().unwrap());
    assert_eq!(file.notes().len(), 21);
    lines.remove(0);
    fs::write(folder.path().join("new"), lines.join("\n") + "\n").unwrap();
    fs::rename(folder.path().join("new"), &path).unwrap();
    assert!(file.refresh().unwrap());
    assert_eq!(file.notes().len(), 20);
}

#[test]
fn a_draft_outlives_its_program_and_is_nobodys_while_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("r/a.notes.jsonl");
    let mut draft = DraftFile::new(&path, 17);
    let entry = Notes::default().entry(stamp(1), key(1), "-/-", coded("x"));
    draft.save(&entry).unwrap();
    let newer = Notes::default().entry(stamp(2), key(1), "-/-", Act::Deferred { note: "half a th".into() });
    draft.save(&newer).unwrap();
    assert_eq!(drafts_left(&path), []);
    drop(draft);
    let mut left = drafts_left(&path);
    assert_eq!(left.len(), 1);
    assert_eq!(left[0].entry, newer);
    assert!(drafts_left(&folder.path().join("r/b.notes.jsonl")).is_empty());
    left.remove(0).discard().unwrap();
    assert_eq!(drafts_left(&path), []);
    let mut draft = DraftFile::new(&path, 18);
    draft.clear().unwrap();
    draft.save(&entry).unwrap();
    draft.clear().unwrap();
    assert_eq!(fs::read_dir(folder.path().join("r")).unwrap().count(), 0);
}
