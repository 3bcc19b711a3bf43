use super::*;

fn code(key: char, id: &str) -> Code {
    Code { key, id: id.into(), name: id.to_uppercase(), ..Code::default() }
}

#[test]
fn the_starter_has_no_fault_and_every_key_of_the_method() {
    let book = match parse("data/codebook.toml", STARTER) {
        Ok(book) => book,
        Err(faults) => panic!("{faults:?}"),
    };
    assert_eq!(book.version, 1);
    let keys: String = book.codes.iter().map(|c| c.key).collect();
    assert_eq!(keys, "1234567890ocfaxb");
    assert!(book.codes.iter().all(|c| !c.definition.is_empty() && !c.example.is_empty()));
    assert_eq!(Codebook::starter(), book);
}

#[test]
fn what_is_written_reads_the_same() {
    let mut book = Codebook::starter();
    book.change("bad-query", code('2', "poor-query")).unwrap();
    book.split("poor-query", vec![code('2', "vague"), code('t', "lost-time")]).unwrap();
    let odd = Code { key: '"', name: "a \"b\"\n\\ c ☃".into(), example: "'''".into(), ..code('"', "odd") };
    book.add(odd).unwrap();
    book.drop_code("odd").unwrap();
    assert_eq!(parse("x", &book.to_toml()).unwrap(), book);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/codebook.toml");
    assert_eq!(load(&path).unwrap(), Codebook::starter(), "none yet");
    save(&path, &book).unwrap();
    save(&path, &book).unwrap();
    assert_eq!(load(&path).unwrap(), book);
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn faults_are_named_with_their_lines() {
    let text = "version = 0\n\n[[code]]\nkey = \"ab\"\nid = \"Bad Id\"\nname = \" \"\n\n[[code]]\nkey = \"x\"\nid = \"one\"\nname = \"One\"\n\n\
                [[code]]\nkey = \"x\"\nid = \"one\"\nnmae = \"Two\"\n\n[[change]]\nversion = 9\nwas = [\"a\"]\n[[change]]\nnow = [\"a\"]\n";
    let faults = parse("c.toml", text).unwrap_err();
    let lines: Vec<(usize, &str)> = faults.iter().map(|p| (p.line, p.message.as_str())).collect();
    let has = |line, words: &str| {
        assert!(lines.iter().any(|(l, m)| *l == line && m.contains(words)), "{line} {words}: {lines:#?}");
    };
    has(1, "version must be a whole number");
    has(4, "one visible character");
    has(5, "not an id");
    has(6, "name is empty");
    has(14, "already sets \"one\"");
    has(15, "a code \"one\" already");
    has(16, "unknown setting \"nmae\"");
    has(13, "without name");
    has(21, "a change needs the version");
    assert!(faults[0].to_string().starts_with("c.toml:1: "));
    assert!(parse("c.toml", "[[code]\n").is_err());
    assert!(parse("c.toml", "").unwrap_err()[0].message.contains("no version"));
    assert!(parse("c.toml", "version = 1\ncode = 3\n").unwrap_err()[0].message.contains("list of tables"));
    let late = parse("c.toml", "version = 1\n[[change]]\nversion = 2\nwas = [\"a\"]\n").unwrap_err();
    assert!(late[0].message.contains("of version 2 in a codebook of version 1"), "{late:?}");
}

#[test]
fn an_old_code_is_followed_through_every_change() {
    let mut book =
        Codebook { codes: vec![code('a', "a"), code('b', "b"), code('c', "c")], ..Codebook::empty() };
    book.change("a", code('a', "alpha")).unwrap(); // 2
    book.merge(&["alpha", "b"], code('m', "mixed")).unwrap(); // 3
    book.split("c", vec![code('x', "c1"), code('y', "c2")]).unwrap(); // 4
    book.add(code('a', "a")).unwrap(); // 5: the id is used again, for something else
    book.change("c2", Code { name: "another name".into(), ..code('y', "c2") }).unwrap(); // 6
    book.add(code('z', "z")).unwrap(); // 7
    book.drop_code("z").unwrap(); // 8
    assert_eq!(book.version, 8);
    let id = |old: &str, version| match book.resolve(old, version) {
        Today::Code(c) => c.id.clone(),
        Today::Split(of) => of.iter().map(|c| c.id.as_str()).collect::<Vec<_>>().join("+"),
        other => format!("{other:?}"),
    };
    assert_eq!(id("a", 1), "mixed");
    assert_eq!(id("alpha", 2), "mixed");
    assert_eq!(id("b", 1), "mixed");
    assert_eq!(id("a", 5), "a", "the new one");
    assert_eq!(id("c", 3), "c1+c2");
    assert_eq!(id("c2", 4), "c2");
    assert_eq!(id("z", 7), "Dropped");
    assert_eq!(id("never", 1), "Unknown");
    assert_eq!(id("a", 99), "a", "a newer codebook than this one");
    assert!(book.ids().contains("alpha"));
    // Split, and the parts merged again: the row need not be looked at.
    book.merge(&["c1", "c2"], code('c', "c")).unwrap();
    assert!(matches!(book.resolve("c", 3), Today::Code(c) if c.id == "c"));
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let mut book = Codebook { codes: vec![code('a', "a"), code('b', "b")], ..Codebook::empty() };
    let before = book.clone();
    assert_eq!(book.add(code('a', "n")), Err(EditError::KeyTaken('a')));
    assert_eq!(book.add(code('n', "a")), Err(EditError::IdTaken("a".into())));
    assert_eq!(book.add(code(' ', "n")), Err(EditError::BadKey));
    assert_eq!(book.add(code('n', "N n")), Err(EditError::BadId("N n".into())));
    assert_eq!(book.add(Code { name: String::new(), ..code('n', "n") }), Err(EditError::NoName));
    assert_eq!(book.change("a", code('b', "a")), Err(EditError::KeyTaken('b')));
    assert_eq!(book.change("q", code('q', "q")), Err(EditError::Unknown("q".into())));
    assert_eq!(book.merge(&["a"], code('a', "a")), Err(EditError::TooFew));
    assert_eq!(book.merge(&["a", "q"], code('a', "a")), Err(EditError::Unknown("q".into())));
    assert_eq!(book.split("a", vec![code('a', "a")]), Err(EditError::TooFew));
    assert_eq!(book.split("a", vec![code('x', "x"), code('x', "y")]), Err(EditError::KeyTaken('x')));
    assert_eq!(book.split("a", vec![code('x', "x"), code('y', "x")]), Err(EditError::IdTaken("x".into())));
    assert_eq!(book.change("a", code('a', "a")), Ok(()), "nothing to change");
    assert_eq!(book, before);
}

#[test]
fn a_codebook_edited_by_hand_keeps_what_was_said() {
    let old = Codebook {
        codes: vec![code('a', "a"), code('b', "b"), code('c', "c"), code('d', "d")],
        ..Codebook::empty()
    };
    // Renamed, merged by a change that was written down, given up, and a new one.
    let mut new = old.clone();
    new.codes = vec![code('a', "alpha"), code('m', "merged"), code('n', "new")];
    new.changes =
        vec![super::Change { version: 2, was: vec!["b".into(), "c".into()], now: vec!["merged".into()] }];
    let new = new.succeed(&old);
    assert_eq!(new.version, 2);
    assert!(matches!(new.resolve("a", 1), Today::Code(c) if c.id == "alpha"));
    assert!(matches!(new.resolve("b", 1), Today::Code(c) if c.id == "merged"));
    assert!(matches!(new.resolve("c", 1), Today::Code(c) if c.id == "merged"));
    assert_eq!(new.resolve("d", 1), Today::Dropped);
    // It reads back the same, and the history survives being deleted from the text.
    assert_eq!(super::parse("codebook.toml", &new.to_toml()), Ok(new.clone()));
    let mut shorn = new.clone();
    shorn.changes.clear();
    shorn.codes.push(code('z', "z"));
    let third = shorn.succeed(&new);
    assert_eq!(third.version, 3);
    assert!(matches!(third.resolve("b", 1), Today::Code(c) if c.id == "merged"));
    // Left as it was, it is no new version.
    assert_eq!(third.clone().succeed(&third), third);
}
