use std::fs;

use super::Journal;

fn lines(n: usize) -> Vec<String> {
    (0..n).map(|i| format!(r#"{{"n":{i}}}"#)).collect()
}

#[test]
fn lines_are_added_and_folders_made() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::new(folder.path().join("results/new/live.jsonl"));
    journal.append(&lines(2)).unwrap();
    journal.append(&lines(1)).unwrap();
    assert_eq!(fs::read_to_string(journal.path()).unwrap(), "{\"n\":0}\n{\"n\":1}\n{\"n\":0}\n");
}

#[test]
fn what_an_earlier_writer_left_unfinished_goes_and_what_is_whole_stays() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::new(folder.path().join("live.jsonl"));
    let long = "x".repeat(10_000);
    for (before, after) in [
        ("{\"a\":1}\n{\"b\":", "{\"a\":1}\n"),
        ("{\"a\":1}\n{\"b\":2}", "{\"a\":1}\n{\"b\":2}\n"),
        ("{\"a\"", ""),
        ("{\"a\":1}\n", "{\"a\":1}\n"),
        (&format!("{{\"a\":1}}\n{{\"b\":\"{long}"), "{\"a\":1}\n"),
        ("{\"a\":1}\n\u{0}\u{0}\u{0}", "{\"a\":1}\n"),
    ] {
        fs::write(journal.path(), before).unwrap();
        journal.append(&lines(1)).unwrap();
        assert_eq!(
            fs::read_to_string(journal.path()).unwrap(),
            format!("{after}{{\"n\":0}}\n"),
            "{before:.40}"
        );
    }
}

#[test]
fn a_record_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::new(folder.path().join("live.jsonl"));
    assert!(journal.append(&["{\n}".to_owned()]).is_err());
    assert!(!journal.path().exists());
}

#[test]
fn writers_that_share_a_file_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("live.jsonl");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let journal = Journal::new(&path);
            scope.spawn(move || {
                for n in 0..25 {
                    journal.append(&[format!(r#"{{"writer":{writer},"n":{n}}}"#)]).unwrap();
                }
            });
        }
    });
    let text = fs::read_to_string(&path).unwrap();
    let records: Vec<serde_json::Value> = text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    for writer in 0..4 {
        let own = records.iter().filter(|r| r["writer"] == writer).map(|r| r["n"].as_u64().unwrap());
        assert_eq!(own.collect::<Vec<_>>(), (0..25).collect::<Vec<_>>());
    }
}

#[test]
fn a_text_of_something_else_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::new(folder.path().join("notes.txt"));
    for text in ["no line end", "{\"a\":1}\nnotes below", "[1, 2"] {
        fs::write(journal.path(), text).unwrap();
        assert!(journal.append(&lines(1)).is_err(), "{text}");
        assert_eq!(fs::read_to_string(journal.path()).unwrap(), text);
    }
}

#[test]
fn a_journal_that_keeps_other_text_makes_a_line_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let journal = Journal::keeping(folder.path().join("a.notes.jsonl"));
    for (before, after) in [
        ("{\"a\":1}\nno record", "{\"a\":1}\nno record\n"),
        ("{\"a\":1}\n{\"b", "{\"a\":1}\n"),
        ("[1", "[1\n"),
    ] {
        fs::write(journal.path(), before).unwrap();
        journal.append(&lines(1)).unwrap();
        assert_eq!(fs::read_to_string(journal.path()).unwrap(), format!("{after}{{\"n\":0}}\n"));
    }
}
