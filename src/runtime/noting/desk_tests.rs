use std::sync::mpsc::channel;

use super::*;
use crate::review::Key;

fn coded(n: u32) -> Said {
    let act = Act::Coded {
        primary: Some("x".into()),
        others: vec![],
        note: String::new(),
        codebook: 1,
        settles: vec![],
    };
    Said { key: Key::pair(format!("q{n}"), "m", 1), answer: "-/-".into(), act }
}

#[test]
fn what_came_while_the_disk_was_busy_is_written_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    let (out, mut told) = tokio::sync::mpsc::unbounded_channel();
    let (commands, inbox) = channel();
    for n in 0..100 {
        commands.send(Command::Note(vec![coded(n)])).unwrap();
        commands.send(Command::Draft(None)).unwrap();
    }
    drop(commands);
    let mut desk = Desk::new(&path, "ann".into(), &out, NotesFile::open(&path).unwrap());
    desk.serve(&inbox);
    assert_eq!((desk.file.notes().len(), desk.file.writes()), (100, 1));
    assert!(desk.end().is_empty());
    let written = std::iter::from_fn(|| told.try_recv().ok()).filter_map(|msg| match msg {
        Msg::Notes(news) => Some(news.written),
        _ => None,
    });
    assert_eq!(written.collect::<Vec<_>>(), [0, 100]);
    // Each comes after the one before it, in the order in which they were said.
    let read = NotesFile::open(&path).unwrap();
    let lines: Vec<&Entry> = read.notes().in_order().collect();
    assert!(lines.iter().zip(lines.iter().skip(1)).all(|(a, b)| b.prev.as_deref() == Some(&a.id)));
    assert!(lines.iter().enumerate().all(|(n, e)| e.key.question_id == format!("q{n}")));
}

#[test]
fn an_undo_in_a_burst_takes_back_what_was_said_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    let (out, _told) = tokio::sync::mpsc::unbounded_channel();
    let (commands, inbox) = channel();
    commands.send(Command::Note(vec![coded(1), coded(2)])).unwrap();
    commands.send(Command::Undo(true)).unwrap();
    commands.send(Command::Note(vec![coded(3)])).unwrap();
    drop(commands);
    let mut desk = Desk::new(&path, "ann".into(), &out, NotesFile::open(&path).unwrap());
    desk.serve(&inbox);
    let notes = desk.file.notes();
    let left: Vec<&str> = notes.codings().iter().map(|c| c.entry.key.question_id.as_str()).collect();
    assert_eq!(left, ["q1", "q3"]);
}

#[test]
fn what_a_disk_does_not_take_waits_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    let file = NotesFile::open(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let (out, _told) = tokio::sync::mpsc::unbounded_channel();
    let mut desk = Desk::new(&path, "ann".into(), &out, file);
    desk.queue(vec![coded(1), coded(2)]);
    desk.write();
    assert!(desk.failing.is_some() && desk.waiting.len() == 2 && desk.written == 0);
    desk.queue(vec![coded(3)]);
    std::fs::remove_dir(&path).unwrap();
    desk.write();
    assert!(desk.failing.is_none() && desk.written == 3);
    let ids: Vec<&str> = desk.file.notes().in_order().map(|e| e.key.question_id.as_str()).collect();
    assert_eq!(ids, ["q1", "q2", "q3"]);
    assert_eq!(drafts_left(&path).len(), 0, "nothing is kept aside any more");
}
