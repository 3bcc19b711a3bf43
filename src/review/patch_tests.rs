use jiff::Timestamp;

use super::*;
use crate::review::{Key, Notes, Stamp};

fn notes(variants: &[(&str, &str)]) -> Notes {
    let mut notes = Notes::default();
    for (n, (question, text)) in variants.iter().enumerate() {
        let stamp = Stamp { id: n.to_string(), at: Timestamp::UNIX_EPOCH, by: "ann".into() };
        let act = Act::Reference { text: (*text).into(), reason: String::new() };
        let entry = notes.entry(stamp, Key::question(*question), "", act);
        notes.add(entry).unwrap();
    }
    notes
}

const DATA: &str = r#"{"id": "a", "question": "says \"references\": [\"x\"]", "references": ["A", "B [1]"], "meta": {"references": []}}
{"id":"b","references":[],"question":"b"}
{"id": "c", "question": "c", "references": "one | two"}
{"id": "d", "question": "d", "references": [ "D" ]}
{"id": "e", "question": "e"}
"#;

#[test]
fn answers_are_added_and_nothing_else_is_touched() {
    let notes = notes(&[
        ("a", "A \"quoted\""),
        ("a", "A"),
        ("b", "B"),
        ("b", "Ж"),
        ("c", "three \"3\""),
        ("d", "E"),
        ("e", "E"),
        ("nowhere", "E"),
    ]);
    let found = patch("data/x.jsonl", DATA, &notes.references(None));
    let lines: Vec<&str> = found.text.lines().collect();
    assert!(
        lines[0].contains(r#""references": ["A", "B [1]", "A \"quoted\""], "meta": {"references": []}}"#),
        "{}",
        lines[0]
    );
    assert_eq!(lines[1], r#"{"id":"b","references":["B", "Ж"],"question":"b"}"#);
    assert!(lines[3].contains(r#"[ "D", "E" ]"#), "{}", lines[3]);
    assert_eq!(lines[4], DATA.lines().nth(4).unwrap());
    assert_eq!(found.elsewhere, ["e", "nowhere"]);
    for (line, old) in lines.iter().zip(DATA.lines()) {
        let (mut new, mut old): (Value, Value) =
            (serde_json::from_str(line).unwrap(), serde_json::from_str(old).unwrap());
        new["references"] = Value::Null;
        old["references"] = Value::Null;
        assert_eq!(new, old);
    }
    assert!(
        found.diff.starts_with("--- a/data/x.jsonl\n+++ b/data/x.jsonl\n@@ -1,5 +1,5 @@\n"),
        "{}",
        found.diff
    );
}

#[test]
fn an_answer_in_one_string_is_added_to_it() {
    let found = patch("x", DATA, &notes(&[("c", "three \"3\""), ("c", "one")]).references(None));
    let value: Value = serde_json::from_str(found.text.lines().nth(2).unwrap()).unwrap();
    assert_eq!(value["references"], "one | two | three \"3\"");
    assert_eq!(found.added, 1);
}

#[test]
fn nothing_to_add_is_no_patch() {
    let found = patch("x", DATA, &notes(&[("a", "A")]).references(None));
    assert_eq!((found.diff.as_str(), found.added, found.text.as_str()), ("", 0, DATA));
    assert!(found.elsewhere.is_empty());
    let found =
        patch("x", "not json\n{\"id\":\"a\",\"references\":7}\n", &notes(&[("a", "A")]).references(None));
    assert_eq!((found.added, found.elsewhere), (0, vec!["a".to_owned()]));
}

#[test]
fn the_patch_applies() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    let path = folder.path().join("data/x.jsonl");
    // Without an end to the last line, as some editors leave it.
    std::fs::write(&path, DATA.trim_end()).unwrap();
    let found = patch("data/x.jsonl", DATA.trim_end(), &notes(&[("b", "B"), ("d", "E")]).references(None));
    let file = folder.path().join("p.diff");
    std::fs::write(&file, &found.diff).unwrap();
    let applied =
        std::process::Command::new("git").args(["apply", "p.diff"]).current_dir(folder.path()).output();
    let Ok(applied) = applied else {
        println!("skipped: git is not there");
        return;
    };
    assert!(applied.status.success(), "{}\n{}", String::from_utf8_lossy(&applied.stderr), found.diff);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), found.text);
}
