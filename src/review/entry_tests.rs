use super::*;

pub(crate) fn every_act() -> Vec<(Key, Act)> {
    let pair = Key::pair("q1", "m", 2);
    let side = pair.side(Condition::WithSearch);
    let words = |w: &[&str]| w.iter().map(|s| (*s).to_owned()).collect();
    vec![
        (
            pair.clone(),
            Act::Coded {
                primary: Some("bad-query".into()),
                others: words(&["over-trust"]),
                note: "line\nbreak „x“".into(),
                codebook: 3,
                settles: Vec::new(),
            },
        ),
        (
            pair.clone(),
            Act::Coded { primary: None, others: vec![], note: String::new(), codebook: 1, settles: vec![] },
        ),
        (pair.clone(), Act::Deferred { note: "later".into() }),
        (pair.clone(), Act::Cleared { what: SlotKind::Coding, undoes: Some("x".into()) }),
        (side.clone(), Act::Cleared { what: SlotKind::Verdict, undoes: None }),
        (Key::question("q1"), Act::Cleared { what: SlotKind::Reference("A".into()), undoes: None }),
        (pair.clone(), Act::Cleared { what: SlotKind::Mark("all".into()), undoes: None }),
        (side, Act::Verdict { verdict: Verdict::Right, reason: "same name".into() }),
        (Key::question("q1"), Act::Reference { text: "A".into(), reason: "also spelled so".into() }),
        (pair, Act::Mark { plan: "all".into(), position: 3, of: 9 }),
    ]
}

fn entry(key: Key, act: Act) -> Entry {
    let at: Timestamp = "2025-11-13T10:00:00.250Z".parse().unwrap();
    let answer = if key.on == On::Question { String::new() } else { "-/-".into() };
    let extra = Map::from_iter([("machine".to_owned(), Value::from("a"))]);
    Entry { id: entry_id(at, 7), prev: Some("p".into()), at, by: "ann".into(), key, answer, act, extra }
}

#[test]
fn every_line_reads_as_it_was_written() {
    for (key, act) in every_act() {
        let entry = entry(key, act);
        let line = entry.to_line();
        assert!(!line.contains('\n'));
        assert_eq!(Entry::parse(&line).unwrap(), entry, "{line}");
        assert_eq!(Entry::parse(&line).unwrap().to_line(), line);
    }
}

#[test]
fn little_is_needed_and_unknown_fields_stay() {
    let line = r#"{"new":[1],"schema":"lookitup.note/1","id":"1","at":"2025-11-13T12:00:00+02:00","kind":"coded","question_id":7,"others":"b"}"#;
    let entry = Entry::parse(line).unwrap();
    assert_eq!(entry.key, Key::pair("7", "", 1));
    assert_eq!(entry.at, "2025-11-13T10:00:00Z".parse::<Timestamp>().unwrap());
    assert_eq!(entry.extra.get("new"), Some(&serde_json::json!([1])));
    assert!(entry.to_line().ends_with(r#""new":[1]}"#));
}

#[test]
fn what_cannot_be_taken_says_why() {
    let good = entry(Key::pair("q", "m", 1), Act::Deferred { note: String::new() }).to_line();
    let with = |name: &str, value: Value| {
        let mut line: Value = serde_json::from_str(&good).unwrap();
        line[name] = value;
        Entry::parse(&line.to_string()).unwrap_err()
    };
    assert_eq!(Entry::parse("{\"a\""), Err(Refused::NotJson));
    assert_eq!(Entry::parse("[]"), Err(Refused::NotJson));
    assert_eq!(with("schema", "lookitup.note/2".into()), Refused::Schema("lookitup.note/2".into()));
    assert_eq!(with("schema", Value::Null), Refused::Schema(String::new()));
    assert_eq!(with("kind", "praised".into()), Refused::Kind("praised".into()));
    assert_eq!(with("at", "yesterday".into()), Refused::Field("at"));
    assert_eq!(with("id", "".into()), Refused::Field("id"));
    assert_eq!(with("condition", "maybe".into()), Refused::Field("condition"));
    assert_eq!(with("attempt", (-1).into()), Refused::Field("attempt"));
    assert_eq!(with("note", serde_json::json!({})), Refused::Field("note"));
}

#[test]
fn hashes_tell_answers_apart_and_stay() {
    assert_eq!(answer_hash(None), "-");
    assert_eq!(answer_hash(Some("  ")), "-");
    assert_eq!(answer_hash(Some(" foobar\n")), "85944171f73967e8");
    assert_ne!(answer_hash(Some("a")), answer_hash(Some("b")));
    let attempt = Attempt { answer: Some("a".into()), ..Attempt::default() };
    assert_eq!(pair_hash(Some(&attempt), None), "af63dc4c8601ec8c/-");
    assert_ne!(pair_hash(None, Some(&attempt)), pair_hash(Some(&attempt), None));
}

#[test]
fn keys_have_numbers_of_their_own() {
    let key = Key::pair("q", "m", 1);
    let others = [
        Key::pair("qm", "", 1),
        Key::pair("q", "m", 2),
        key.side(Condition::WithSearch),
        Key::question("q"),
        Key::pair("m", "q", 1),
    ];
    assert!(others.iter().all(|o| o.ident() != key.ident()));
    assert_eq!(key.ident(), Key::pair("q", "m", 1).ident());
    assert_eq!(key.to_string(), "q · m · pair · 1");
    assert_eq!(Key::question("q").to_string(), "q");
}

#[test]
fn ids_sort_by_time() {
    let at = |s: &str| s.parse::<Timestamp>().unwrap();
    assert!(entry_id(at("2025-01-01T00:00:00Z"), u64::MAX) < entry_id(at("2025-01-01T00:00:00.001Z"), 0));
}
