//! What goes wrong while coding: disks that do not take a note, keys that come too fast, files that change, others.

use std::path::Path;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use lookitup::app::coding::Said;
use lookitup::app::{Effect, Msg, Overlay, Session};
use lookitup::record::{Condition, Verdict};
use lookitup::review::{Act, Code, Codebook};
use lookitup::store::{Input, OpenOptions, Store};

use crate::support::bench::{Bench, coding_of};
use crate::support::pty::Pty;

fn at(bench: &Bench) -> String {
    bench.model.coding.as_ref().map(|c| c.sheet.key.question_id.clone()).unwrap_or_default()
}

fn primary(bench: &Bench) -> Option<String> {
    bench.model.coding.as_ref().and_then(|c| c.sheet.primary.clone())
}

fn status(bench: &Bench) -> String {
    bench.model.status.as_ref().map(|s| s.text.clone()).unwrap_or_default()
}

fn click(bench: &mut Bench, column: u16, row: u16) {
    let kind = MouseEventKind::Down(MouseButton::Left);
    bench.send(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    bench.frame();
}

#[test]
fn what_the_disk_does_not_take_never_looks_saved_and_is_not_lost() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b");
    let first = at(&bench);
    bench.full = Some("no space left".into());
    bench.press("9 enter");
    assert!(status(&bench).contains("not on the disk") && status(&bench).contains("no space left"));
    bench.press("f enter");
    let text = bench.text();
    assert_eq!(text.matches("2 NOT WRITTEN").count(), 2, "in the header and where one codes: {text}");
    assert!(text.contains("· 0 coded ·"), "{text}");
    // It stands on its sheet.
    bench.press("left left");
    assert_eq!((at(&bench), primary(&bench).as_deref()), (first.clone(), Some("evidence-ignored")));
    // Leaving is warned of once.
    bench.press("esc q");
    assert!(!bench.left.iter().any(|e| matches!(e, Effect::Quit)), "{:?}", bench.left);
    assert!(status(&bench).contains("leave again to go without: no space"), "{}", status(&bench));
    // Room again: all of it is written in its order, with the next.
    bench.full = None;
    bench.press("c b");
    assert_eq!(bench.model.unwritten(), 0);
    let codes: Vec<_> = bench.notes.codings().iter().map(|c| c.primary().unwrap().to_owned()).collect();
    assert_eq!(codes, ["evidence-ignored", "format-miss"]);
    assert!(bench.text().contains("2 coded"), "{}", bench.text());
    assert_eq!(bench.notes.codings()[0].entry.key.question_id, first);
    bench.press("esc q");
    assert!(bench.left.iter().any(|e| matches!(e, Effect::Quit)));
}

#[test]
fn without_a_file_of_notes_nothing_is_said_to_be_saved() {
    let mut bench = Bench::sample((120, 40));
    bench.press("c");
    assert!(status(&bench).contains("being read"), "{}", status(&bench));
    bench.send(Msg::NotesShut("notes cannot be kept in x: it is a folder".into()));
    for key in ["O", "a", "u", "c"] {
        bench.press(key);
        assert!(status(&bench).contains("it is a folder"), "{key}: {}", status(&bench));
        assert!(bench.model.overlays.is_empty());
    }
}

#[test]
fn a_single_code_stays_the_primary_one() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b 9 p");
    assert_eq!(primary(&bench).as_deref(), Some("evidence-ignored"));
    bench.press("9 p enter");
    assert_eq!(bench.notes.codings().len(), 0);
}

#[test]
fn an_undo_takes_back_what_is_not_saved_first_and_loses_nothing() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b 9 enter");
    let second = at(&bench);
    bench.press("f n");
    bench.type_text("a long thought");
    bench.press("enter u");
    assert_eq!((at(&bench), primary(&bench)), (second.clone(), None));
    assert_eq!((bench.notes.codings().len(), bench.draft.is_none()), (1, true));
    bench.press("U");
    let sheet = &bench.model.coding.as_ref().unwrap().sheet;
    assert_eq!((sheet.primary.as_deref(), sheet.note.as_str()), (Some("format-miss"), "a long thought"));
    assert!(bench.draft.is_some());
    // Twice, and it goes on to what was saved.
    bench.press("u u");
    assert_eq!(bench.notes.codings().len(), 0);
    assert_ne!(at(&bench), second);
}

#[test]
fn codes_are_not_lost_by_leaving_a_row_for_later_and_are_taken_back_by_saving_none() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b");
    let first = at(&bench);
    bench.press("9 d");
    assert_eq!((at(&bench), primary(&bench).as_deref()), (first.clone(), Some("evidence-ignored")));
    assert!(status(&bench).contains("it has a code"), "{}", status(&bench));
    bench.press("enter left 9");
    assert!(bench.text().contains("not saved yet"));
    // The same as what is saved is saved.
    bench.press("9");
    assert!(!bench.text().contains("not saved yet"));
    bench.press("9 enter");
    assert_eq!(bench.notes.codings().len(), 0);
    bench.press("left");
    assert_eq!((at(&bench), primary(&bench)), (first, None));
    // A note left for later becomes a coding when it is saved.
    bench.press("n");
    bench.type_text("unsure");
    bench.press("enter d left");
    assert!(bench.text().contains("left for later"), "{}", bench.text());
    assert!(bench.notes.codings()[0].is_deferred());
    bench.press("enter");
    assert!(!bench.notes.codings()[0].is_deferred());
}

#[test]
fn the_row_being_coded_is_the_one_shown_and_judged_when_the_filter_hides_it() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("/");
    bench.type_text("review:open transition:broken");
    bench.press("enter c a");
    let rows = bench.model.coding.as_ref().unwrap().rows.len();
    let first = bench.model.coding.as_ref().unwrap().row();
    bench.press("9 enter left");
    assert_eq!(bench.model.view.rows.len(), rows - 1, "coded, it is not open any more");
    assert_eq!(bench.model.shown(), first);
    let id = at(&bench);
    assert!(bench.text().contains(&id), "{}", bench.text());
    bench.press("v w");
    bench.type_text("no");
    bench.press("enter");
    let verdicts = bench.notes.verdicts();
    assert_eq!((verdicts[0].verdict, verdicts[0].entry.key.question_id.as_str()), (Verdict::Wrong, &*id));
    // Another day, of fewer rows, it goes on at the row and not at its number.
    bench.press("right right 9 enter");
    let here = at(&bench);
    let notes = bench.notes.clone();
    let mut bench = Bench::sample((120, 40));
    bench.notes = notes;
    let mut bench = bench.with_notes();
    bench.press("c c");
    assert_eq!(at(&bench), here);
}

fn open(paths: &[&Path]) -> (Store, std::sync::Arc<lookitup::store::Table>) {
    let inputs: Vec<Input> = paths.iter().map(|p| Input::Path(p.to_path_buf())).collect();
    let store = Store::open(inputs, OpenOptions::default(), || {});
    let table = store.wait();
    (store, table)
}

fn attempts(folder: &Path, name: &str, ids: std::ops::Range<u32>) -> std::path::PathBuf {
    let path = folder.join(name);
    let line = |id: u32, condition: &str, answer: &str| {
        let calls = if condition == "no_search" { "" } else { r#"{"n":1,"kind":"search","query":"q"}"# };
        format!(
            r#"{{"schema":"lookitup.attempt/1","question_id":"Q{id}","question":"Who is {id}?","references":["a{id}"],"model":"m","condition":"{condition}","answer":"{answer}","search_calls":[{calls}]}}"#
        ) + "\n"
    };
    let text: String =
        ids.map(|id| line(id, "no_search", &format!("a{id}")) + &line(id, "with_search", "other")).collect();
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn rows_are_found_by_name_when_the_files_are_read_anew() {
    let folder = tempfile::tempdir().unwrap();
    let a = attempts(folder.path(), "a.jsonl", 0..20);
    let (store, table) = open(&[&a]);
    let mut bench = Bench::of(table, store.reader(), (120, 40), "a").with_notes();
    bench.press("c b right right right 9");
    assert_eq!((at(&bench).as_str(), primary(&bench).as_deref()), ("Q3", Some("evidence-ignored")));
    // Read anew: others before them, three gone.
    let b = attempts(folder.path(), "a.jsonl", 900..940);
    let mut text = std::fs::read_to_string(&b).unwrap();
    attempts(folder.path(), "a.jsonl", 3..20);
    text.push_str(&std::fs::read_to_string(&a).unwrap());
    std::fs::write(&a, text).unwrap();
    let (store, table) = open(&[&a]);
    let mut table = (*table).clone();
    table.generation = bench.model.table.generation + 1;
    bench.reader = store.reader();
    let mut half = table.clone();
    half.progress.done = false;
    bench.send(Msg::Table(half.into()));
    assert!(bench.text().contains("being read again"), "{}", bench.text());
    bench.press("f enter right");
    assert_eq!(bench.model.coding.as_ref().unwrap().sheet.others.len(), 0, "no key acts meanwhile");
    bench.send(Msg::Table(table.into()));
    let coding = bench.model.coding.as_ref().unwrap();
    assert_eq!((coding.rows.len(), coding.at, coding.row()), (17, 0, Some(40)));
    assert_eq!((at(&bench).as_str(), primary(&bench).as_deref()), ("Q3", Some("evidence-ignored")));
    assert!(bench.text().contains("Who is 3?"), "{}", bench.text());
    bench.press("enter");
    assert_eq!(bench.notes.codings()[0].entry.key.question_id, "Q3");
    assert_eq!(at(&bench), "Q4");
}

#[test]
fn the_mouse_sets_codes_scrolls_the_evidence_and_ends_nothing() {
    let mut bench = Bench::sample((80, 24)).with_notes();
    bench.press("c b");
    click(&mut bench, 5, 6);
    assert!(matches!(bench.model.overlays.last(), Some(Overlay::Code)));
    let (kind, modifiers) = (MouseEventKind::ScrollDown, KeyModifiers::NONE);
    bench.send(Msg::Mouse(MouseEvent { kind, column: 5, row: 6, modifiers }));
    assert!(bench.model.detail.scroll > 0);
    let text = bench.text();
    let row = text.lines().position(|l| l.contains("2 bad-query")).unwrap() as u16;
    click(&mut bench, 28, row);
    assert_eq!(primary(&bench).as_deref(), Some("bad-query"));
    bench.press("n");
    bench.type_text("kept");
    click(&mut bench, 5, 1);
    assert!(matches!(bench.model.overlays.last(), Some(Overlay::Code)));
    assert_eq!(bench.model.coding.as_ref().unwrap().sheet.note, "kept");
}

#[test]
fn what_is_pasted_is_no_key() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b");
    let first = at(&bench);
    bench.send(Msg::Paste("9\r9\rq\u{1b}[A".into()));
    assert_eq!((at(&bench), primary(&bench), bench.notes.codings().len()), (first, None, 0));
    bench.press("n");
    bench.send(Msg::Paste("one\r\ntwo \u{1b}[31m\u{202e}end".into()));
    let text = bench.text();
    assert!(text.contains("one") && !text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text}");
    bench.press("enter enter");
    let note = bench.notes.codings()[0].note().to_owned();
    assert!(note.starts_with("one\ntwo") && !note.contains(['\u{1b}', '\u{202e}']), "{note:?}");
}

#[test]
fn who_is_blind_sees_no_verdict_of_others_and_stays_blind() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("3");
    let key = bench.model.note_key(bench.model.selected().unwrap()).unwrap().side(Condition::WithSearch);
    bench.press("O w");
    bench.type_text("mine");
    bench.press("enter");
    let bundle = bench.reader.bundle(&bench.model.table, bench.model.selected().unwrap()).unwrap();
    let answer = bundle.sides[Condition::WithSearch as usize].as_ref().and_then(|a| a.answer.clone());
    let answer = lookitup::review::answer_hash(answer.as_deref());
    let act = Act::Verdict { verdict: Verdict::Right, reason: "from bob".into() };
    bench.say(Said { key, answer, act }, "bob");
    let news = bench.news();
    bench.send(news);
    bench.press("3 A");
    let text = bench.text();
    assert!(text.contains("AS REVIEWED") && text.contains("from bob"), "{text}");
    bench.press("X");
    let text = bench.text();
    assert!(text.contains("BLIND") && !text.contains("AS REVIEWED"), "{text}");
    // One's own stands, although somebody said something else after it.
    assert!(!text.contains("from bob") && text.contains("mine"), "{text}");
    bench.press("A");
    assert!(bench.model.graded.is_none() && status(&bench).contains("not while"), "{}", status(&bench));
    assert!(Session::of(&bench.model).blind);
}

#[test]
fn a_codebook_may_be_large_and_take_keys_that_mean_something_else() {
    let mut book = Codebook::starter();
    for (n, key) in ('A'..='Z').chain("nduv日".chars()).enumerate() {
        let name = format!("a code with a long name, number {n} 日本語");
        book.codes.push(Code { key, id: format!("code-{n}"), name, ..Code::default() });
    }
    for size in [(80, 24), (120, 40), (60, 16), (200, 60), (40, 10)] {
        let mut bench = Bench::sample(size);
        bench.book = book.clone().into();
        let mut bench = bench.with_notes();
        bench.press("c b");
        assert!(status(&bench).contains("hide: n (write a note"), "{}", status(&bench));
        let text = bench.text();
        assert!(!text.contains("n note"), "{text}");
        if size.1 >= 24 {
            assert!(text.contains("日"), "{size:?}\n{text}");
        }
        assert!(bench.model.areas().unwrap().detail.height >= 3, "{size:?}\n{text}");
        bench.press("n");
        assert_eq!(primary(&bench).as_deref(), Some("code-26"), "{size:?}");
        for small in [(39, 9), (20, 5), (1, 1), size] {
            bench.send(Msg::Resize(small.0, small.1));
            bench.frame();
        }
        bench.press("enter");
        assert_eq!(bench.notes.codings().len(), 1);
    }
}

#[test]
fn notes_and_names_of_others_act_on_nothing() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("3");
    let key = bench.model.note_key(bench.model.selected().unwrap()).unwrap();
    let act = Act::Coded {
        primary: Some("\u{1b}]0;x\u{7}code".into()),
        others: vec!["\u{202e}b".into()],
        note: format!("\u{1b}[2J{}\u{0}", "long ".repeat(20_000)),
        codebook: 1,
        settles: Vec::new(),
    };
    bench.say(Said { key, answer: "other/answers".into(), act }, "bob\u{1b}[31m");
    let news = bench.news();
    bench.send(news);
    bench.press("c t");
    for size in [(120, 40), (80, 24), (60, 16)] {
        bench.send(Msg::Resize(size.0, size.1));
        let text = bench.text();
        assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{0}', '\u{7}']), "{text:?}");
    }
    bench.send(Msg::Resize(120, 40));
    assert!(bench.text().contains("bob"), "{}", bench.text());
    bench.press("esc C");
    let text = bench.text();
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
}

#[test]
fn a_note_is_drawn_and_its_cursor_stands_where_it_is_typed() {
    let mut bench = Bench::sample((40, 12)).with_notes();
    bench.press("c b n");
    bench.type_text(&"日本語".repeat(20));
    let text = bench.text();
    let drawn = text.chars().filter(|c| "日本語".contains(*c)).count();
    assert!(drawn >= 60, "{drawn}\n{text}");
}

#[test]
fn a_file_of_notes_that_is_a_folder_and_a_broken_codebook_are_told() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("data/results");
    std::fs::create_dir_all(folder.join("sample.notes.jsonl")).unwrap();
    std::fs::write(folder.join("codebook.toml"), "version = \"\u{1b}[31m\"").unwrap();
    let mut pty = Pty::start(&[], (120, 40), home.path(), &[("USER", "ann")]);
    pty.until("the figures", |s| s.contents().contains("net"));
    pty.send("c");
    pty.shows("notes cannot be kept in");
    // What was in the way is gone: the next try works.
    std::fs::remove_dir(folder.join("sample.notes.jsonl")).unwrap();
    pty.send("c");
    pty.shows("the codebook is not read");
    pty.send("c");
    pty.shows("broken ones: 16");
    pty.send("b9");
    pty.shows("not saved yet");
    // Now the folder cannot be written to: a folder in the place of the file.
    std::fs::remove_file(folder.join("sample.notes.jsonl")).unwrap();
    std::fs::create_dir(folder.join("sample.notes.jsonl")).unwrap();
    pty.send("\r");
    pty.shows("1 NOT WRITTEN");
    pty.shows("· 0 coded ·");
    std::fs::remove_dir(folder.join("sample.notes.jsonl")).unwrap();
    pty.send("f\r");
    pty.shows("· 2 coded ·");
    pty.send("qq");
    assert_eq!(pty.ends(), 0);
    let text = std::fs::read_to_string(folder.join("sample.notes.jsonl")).unwrap();
    assert_eq!(text.lines().filter(|l| l.contains("\"kind\":\"coded\"")).count(), 2);
    let files = std::fs::read_dir(&folder).unwrap().map(|f| f.unwrap().file_name());
    assert_eq!(files.filter(|f| f.to_string_lossy().contains("draft")).count(), 0);
}

#[test]
fn what_the_codes_mean_is_read_while_coding() {
    let mut bench = Bench::sample((80, 24)).with_notes();
    bench.press("c b");
    assert!(bench.text().contains("what codes mean"), "{}", bench.text());
    bench.press("?");
    let text = bench.text();
    let first = &bench.book.codes[0];
    assert!(text.contains("Codes") && text.contains(&format!("{}:", first.name)), "{text}");
    bench.press("esc");
    assert!(matches!(bench.model.overlays.last(), Some(Overlay::Code)));
}

#[test]
fn a_coding_of_another_answer_is_said_to_be_one() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("3");
    let key = bench.model.note_key(bench.model.selected().unwrap()).unwrap();
    let act = coding_of("over-trust", "");
    bench.say(Said { key, answer: "0000000000000000/0000000000000000".into(), act }, "ann");
    let news = bench.news();
    bench.send(news);
    bench.press("c t");
    let text = bench.text();
    assert!(text.contains("another one now than the one you coded"), "{text}");
    assert!(text.contains("said of another answer than this one"), "{text}");
    // Said again, it is of these.
    bench.press("9 enter");
    assert!(!bench.text().contains("another one now"), "{}", bench.text());
}
