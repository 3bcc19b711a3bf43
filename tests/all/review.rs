//! Notes on the disk: programs that are killed, several at once, and what others leave in the file.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use jiff::Timestamp;
use lookitup::record::{Condition, Verdict};
use lookitup::review::{
    Act, Codebook, DraftFile, Key, Notes, NotesFile, SlotKind, Stamp, drafts_left, pair_hash,
};
use lookitup::store::holds_records;

/// Set for a child that is to write notes: file, name, how many.
const WRITER: &str = "LOOKITUP_TEST_WRITER";

fn stamp(name: &str, n: usize) -> Stamp {
    let at = Timestamp::from_millisecond(1_763_028_000_000 + n as i64).unwrap();
    Stamp { id: format!("{name}-{n:06}"), at, by: name.to_owned() }
}

fn coded(note: &str) -> Act {
    Act::Coded {
        primary: Some("bad-query".into()),
        others: vec!["over-trust".into()],
        note: note.into(),
        codebook: 1,
        settles: Vec::new(),
    }
}

/// No test of its own: what a child of the tests below does.
#[test]
fn writer() {
    let Ok(told) = std::env::var(WRITER) else { return };
    let parts: Vec<&str> = told.split('\n').collect();
    let [path, name, count] = parts.as_slice() else { panic!("{told}") };
    let mut file = NotesFile::open(path).unwrap();
    let mut draft = DraftFile::new(Path::new(path), u64::from(std::process::id()));
    let from = file.notes().in_order().filter(|e| e.by == *name).count();
    for n in from..from + count.parse::<usize>().unwrap() {
        let note = format!("note {n} {}", "long ".repeat(n % 400));
        let key = Key::pair(format!("{name}-q{n}"), "m", 1);
        if n % 5 == 0 {
            draft.save(&file.notes().entry(stamp(name, n), key.clone(), "-/-", coded(&note))).unwrap();
            println!("drafted {n}");
        }
        file.say(stamp(name, n), key, "-/-", coded(&note)).unwrap();
        println!("saved {n}");
    }
    draft.clear().unwrap();
}

fn start(path: &Path, name: &str, count: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "review::writer", "--nocapture", "--test-threads=1"])
        .env(WRITER, format!("{}\n{name}\n{count}", path.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Numbers without a pattern, the same every time.
fn numbers(seed: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(seed), |n| {
        Some(n.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407))
    })
    .map(|n| (n >> 33) as usize)
}

#[test]
fn killed_at_any_point_only_the_unsaved_note_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/sample.notes.jsonl");
    let mut saved = 0;
    let mut torn = 0;
    for (round, after) in numbers(7).skip(1).take(16).enumerate() {
        let mut child = start(&path, "ann", 100_000);
        let stop_at = saved + after % 280;
        let mut drafted = None;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            if let Some(n) = line.strip_prefix("drafted ") {
                drafted = n.parse::<usize>().ok();
            }
            let Some(n) = line.strip_prefix("saved ").and_then(|n| n.parse::<usize>().ok()) else { continue };
            saved = n + 1;
            if saved > stop_at {
                // SIGKILL: nothing of the program runs any more.
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        let file = NotesFile::open(&path).unwrap();
        torn += usize::from(file.is_torn());
        let have = file.notes().len();
        assert!(have == saved || have == saved + 1, "round {round}: {saved} were saved, {have} are there");
        assert!(file.notes().bad().is_empty(), "{:?}", file.notes().bad());
        assert_eq!(file.notes().codings().len(), have);
        // The one that was being written when it ended is in the draft, if it had got as far as that.
        let left = drafts_left(&path);
        if let Some(n) = drafted.filter(|n| *n >= have) {
            assert!(left.iter().any(|l| l.entry.id == format!("ann-{n:06}")), "draft {n} of {have}");
        }
        for l in left {
            l.discard().unwrap();
        }
        saved = have;
    }
    println!("{saved} notes, {torn} torn lines");
    assert!(saved > 2_000, "{saved}");
    let names: BTreeSet<String> =
        NotesFile::open(&path).unwrap().notes().in_order().map(|e| e.id.clone()).collect();
    assert_eq!(names.len(), saved);
}

#[test]
fn two_programs_write_and_neither_loses_a_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sample.notes.jsonl");
    let children: Vec<Child> = ["ann", "bob", "eve"].map(|name| start(&path, name, 150)).into();
    let mut watching = NotesFile::open(&path).unwrap();
    let mut most = 0;
    for mut child in children {
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            if line.unwrap().starts_with("saved") {
                watching.refresh().unwrap();
                assert!(watching.notes().len() >= most, "notes only come");
                most = watching.notes().len();
            }
        }
        assert!(child.wait().unwrap().success());
    }
    watching.refresh().unwrap();
    assert_eq!((watching.notes().len(), watching.notes().bad().len()), (450, 0));
    for name in ["ann", "bob", "eve"] {
        let own = watching.notes().in_order().filter(|e| e.by == name).map(|e| e.id.clone());
        assert_eq!(own.collect::<Vec<_>>(), (0..150).map(|n| format!("{name}-{n:06}")).collect::<Vec<_>>());
    }
    assert_eq!(NotesFile::open(&path).unwrap().notes().codings().len(), 450);
}

#[test]
fn a_corrupted_end_costs_no_note() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    let mut file = NotesFile::open(&path).unwrap();
    for n in 0..3 {
        file.say(stamp("ann", n), Key::pair("q", "m", 1), "-/-", coded("x")).unwrap();
    }
    for (n, junk) in
        [&b"\0\0\0\0"[..], b"{\"schema\":\"looki", b"\xff\xfe\xff", b"} } }"].into_iter().enumerate()
    {
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(junk).unwrap();
        let mut file = NotesFile::open(&path).unwrap();
        assert_eq!(file.notes().len(), 3 + n);
        file.say(stamp("ann", 10 + n), Key::pair("q", "m", 1), "-/-", coded("x")).unwrap();
        assert_eq!(NotesFile::open(&path).unwrap().notes().len(), 4 + n);
    }
    // What could have been a note, cut, is gone; what nobody's program writes stays and is counted.
    assert_eq!(NotesFile::open(&path).unwrap().notes().bad().len(), 2);
}

#[test]
fn lines_of_every_kind_fit_the_schema() {
    let validator = super::schemas::validator("note");
    let pair = Key::pair("q", "m", 1);
    let side = pair.side(Condition::WithSearch);
    let acts = [
        (pair.clone(), coded("")),
        (
            pair.clone(),
            Act::Coded {
                primary: None,
                others: vec![],
                note: "only this".into(),
                codebook: 2,
                settles: vec![],
            },
        ),
        (pair.clone(), Act::Deferred { note: String::new() }),
        (pair.clone(), Act::Cleared { what: SlotKind::Coding, undoes: Some("x".into()) }),
        (pair.clone(), Act::Cleared { what: SlotKind::Mark("all".into()), undoes: None }),
        (Key::question("q"), Act::Cleared { what: SlotKind::Reference("A".into()), undoes: None }),
        (side, Act::Verdict { verdict: Verdict::Ungraded, reason: "no question at all".into() }),
        (Key::question("q"), Act::Reference { text: "A".into(), reason: String::new() }),
        (pair.clone(), Act::Mark { plan: "all".into(), position: 0, of: 0 }),
    ];
    let mut notes = Notes::default();
    for (n, (key, act)) in acts.into_iter().enumerate() {
        let entry = notes.entry(stamp("ann", n), key, pair_hash(None, None), act);
        let value = serde_json::from_str(&entry.to_line()).unwrap();
        if let Err(e) = validator.validate(&value) {
            panic!("{e}: {value}");
        }
        notes.add(entry).unwrap();
    }
    let good = notes.entry(stamp("ann", 99), pair, "-/-", coded("")).to_line();
    let good: serde_json::Value = serde_json::from_str(&good).unwrap();
    for (field, value) in [("kind", "praised"), ("at", "yesterday"), ("condition", "both"), ("schema", "x")] {
        let mut bad = good.clone();
        bad[field] = value.into();
        assert!(!validator.is_valid(&bad), "{field}");
    }
    let mut bad = good.clone();
    bad.as_object_mut().unwrap().remove("note");
    assert!(!validator.is_valid(&bad));
}

#[test]
fn notes_beside_results_are_not_taken_for_attempts() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.notes.jsonl");
    NotesFile::open(&path).unwrap().say(stamp("ann", 1), Key::pair("q", "m", 1), "-/-", coded("x")).unwrap();
    assert!(!holds_records(folder.path()));
    let attempt = r#"{"schema":"lookitup.attempt/1","question_id":"q","model":"m","condition":"no_search","answer":"a"}"#;
    std::fs::write(folder.path().join("a.jsonl"), format!("{attempt}\n")).unwrap();
    let (_store, table) = super::store::open(&[folder.path()]);
    assert_eq!(table.attempts.len(), 1);
    assert!(table.problems.list.is_empty(), "notes are expected there: {:?}", table.problems.list);
}

#[test]
fn the_codebook_that_ships_and_those_that_are_written_fit_the_schema() {
    let validator = super::schemas::validator("codebook");
    let json = |text: &str| serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    let path = super::common::root().join("data/codebook.toml");
    let mut book = Codebook::starter();
    let mut code = book.codes[1].clone();
    code.id = "poor-query".into();
    book.change("bad-query", code).unwrap();
    book.drop_code("poor-query").unwrap();
    for text in [std::fs::read_to_string(path).unwrap(), book.to_toml()] {
        if let Err(e) = validator.validate(&json(&text)) {
            panic!("{e}: {text}");
        }
    }
    for text in [
        "",
        "version = 0",
        "version = 1\n[[code]]\nkey = \"ab\"\nid = \"x\"\nname = \"x\"",
        "version = 1\ncodes = 1",
    ] {
        assert!(!validator.is_valid(&json(text)), "{text}");
        assert!(lookitup::review::codebook::parse("c.toml", text).is_err(), "{text}");
    }
}

/// Runs git in a folder; `None` where there is none.
fn git(folder: &Path, args: &[&str]) -> Option<()> {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
    let done = Command::new("git").current_dir(folder).args(who).args(args).output().ok()?;
    assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
    Some(())
}

#[test]
fn branches_of_git_merge_without_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path();
    if Command::new("git").arg("--version").output().is_err() {
        println!("skipped: git is not there");
        return;
    }
    std::fs::copy(super::common::root().join(".gitattributes"), dir.join(".gitattributes")).unwrap();
    let path = dir.join("a.notes.jsonl");
    let say = |name: &str, n: usize, question: &str| {
        let mut file = NotesFile::open(&path).unwrap();
        file.say(stamp(name, n), Key::pair(question, "m", 1), "-/-", coded(name)).unwrap();
    };
    git(dir, &["init", "-q", "-b", "main"]).unwrap();
    say("ann", 0, "shared");
    let commit = || git(dir, &["add", "."]).and_then(|()| git(dir, &["commit", "-qm", "notes"])).unwrap();
    commit();
    git(dir, &["checkout", "-qb", "theirs"]).unwrap();
    (1..5).for_each(|n| say("bob", n * 2, &format!("b{n}")));
    say("bob", 50, "shared");
    commit();
    git(dir, &["checkout", "-q", "main"]).unwrap();
    // The program is open meanwhile.
    let mut open = NotesFile::open(&path).unwrap();
    (1..5).for_each(|n| say("ann", n * 2 + 1, &format!("a{n}")));
    say("ann", 49, "shared");
    commit();
    git(dir, &["merge", "-q", "theirs", "-m", "merged"]).unwrap();
    assert!(open.refresh().unwrap());
    assert_eq!((open.notes().len(), open.notes().bad().len()), (11, 0));
    assert_eq!(open.notes().coding(&Key::pair("shared", "m", 1)).unwrap().note(), "bob", "the later one");
    assert_eq!(open.notes().codings().len(), 9);
}
