//! A session of coding by keys, and in the real program.

use lookitup::app::coding::Said;
use lookitup::app::{Effect, Msg, Overlay, update};
use lookitup::record::{Condition, Transition, Verdict};
use lookitup::review::{Act, Key};

use crate::support::bench::{Bench, coding_of};
use crate::support::pty::Pty;

fn coded(bench: &Bench) -> Vec<(String, Option<String>, Vec<String>)> {
    let of = |c: &lookitup::review::Coding<'_>| {
        let others: Vec<String> = c.codes().iter().skip(1).map(|s| (*s).to_owned()).collect();
        (c.entry.key.question_id.clone(), c.primary().map(str::to_owned), others)
    };
    bench.notes.codings().iter().filter(|c| !c.is_deferred()).map(of).collect()
}

fn at(bench: &Bench) -> String {
    bench.model.coding.as_ref().map(|c| c.sheet.key.question_id.clone()).unwrap_or_default()
}

#[test]
fn ten_broken_questions_are_coded_with_two_keys_each() {
    let mut bench = Bench::sample((80, 24)).with_notes();
    bench.press("c b");
    let rows = bench.model.coding.as_ref().unwrap().rows.len();
    let mut seen = Vec::new();
    for _ in 0..10 {
        seen.push(at(&bench));
        bench.press("9 enter");
    }
    let text = bench.text();
    assert!(text.contains(&format!("coding 11 of {rows} · 10 coded · {} left", rows - 10)), "{text}");
    let codes = coded(&bench);
    assert_eq!(codes.iter().map(|c| c.0.clone()).collect::<Vec<_>>(), seen);
    assert!(codes.iter().all(|c| c.1.as_deref() == Some("evidence-ignored")));
    // Every note remembers the answers that were looked at.
    assert!(bench.notes.codings().iter().all(|c| c.entry.answer.len() == 33));
    // The evidence stays on the screen, and the codes are a filter.
    bench.press("esc / ");
    bench.type_text("code:evidence-ignored");
    bench.press("enter");
    assert_eq!(bench.model.view.rows.len(), 10);
    bench.press("x /");
    bench.type_text("transition:broken review:open");
    bench.press("enter");
    assert_eq!(bench.model.view.rows.len(), rows - 10);
}

#[test]
fn the_first_code_is_the_primary_one_and_any_number_of_others_may_follow() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b 3 1 9");
    let sheet = &bench.model.coding.as_ref().unwrap().sheet;
    assert_eq!((sheet.primary.as_deref(), sheet.others.len()), (Some("seeded-query"), 2));
    bench.press("p");
    assert_eq!(bench.model.coding.as_ref().unwrap().sheet.primary.as_deref(), Some("no-search"));
    // Taken back, the next one moves up.
    bench.press("1");
    assert_eq!(bench.model.coding.as_ref().unwrap().sheet.primary.as_deref(), Some("evidence-ignored"));
    bench.press("enter");
    let codes = coded(&bench);
    assert_eq!(codes[0].1.as_deref(), Some("evidence-ignored"));
    assert_eq!(codes[0].2, ["seeded-query"]);
}

#[test]
fn nothing_is_saved_without_a_code_or_a_note_and_looking_around_loses_nothing() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b");
    let first = at(&bench);
    bench.press("enter");
    assert_eq!(at(&bench), first, "there is nothing to save");
    assert!(bench.model.status.as_ref().unwrap().text.contains("no code and no note"));
    bench.press("f");
    let draft = bench.draft.clone().unwrap();
    assert!(matches!(draft.act, Act::Coded { primary: Some(ref p), .. } if p == "format-miss"));
    bench.press("right");
    assert_ne!(at(&bench), first);
    assert_eq!(coded(&bench).len(), 1, "going on saves what is on the sheet");
    assert_eq!(bench.draft, None);
    bench.press("left");
    assert_eq!(at(&bench), first);
    assert!(bench.model.coding.as_ref().unwrap().sheet.has("format-miss"));
}

#[test]
fn undo_and_redo_work_in_another_session_too() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b f enter 9 enter");
    assert_eq!(coded(&bench).len(), 2);
    let second = coded(&bench)[1].0.clone();
    // What a later run of the program finds is the same.
    let notes = bench.notes.clone();
    let mut bench = Bench::sample((120, 40));
    bench.notes = notes;
    let mut bench = bench.with_notes();
    bench.press("c c u");
    assert_eq!(at(&bench), second);
    assert_eq!(coded(&bench).len(), 1);
    assert!(!bench.model.coding.as_ref().unwrap().sheet.has("evidence-ignored"));
    bench.press("U");
    assert_eq!(coded(&bench).len(), 2);
    assert!(bench.model.coding.as_ref().unwrap().sheet.has("evidence-ignored"));
}

#[test]
fn a_session_goes_on_where_it_was_with_its_filter() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("/");
    bench.type_text("model:sim-small split:static");
    bench.press("enter c m");
    let rows: Vec<u32> = bench.model.coding.as_ref().unwrap().rows.iter().map(|d| d.row).collect();
    bench.press("9 enter 9 enter d");
    let here = at(&bench);
    let notes = bench.notes.clone();
    let mut bench = Bench::sample((120, 40));
    bench.notes = notes;
    let mut bench = bench.with_notes();
    bench.press("c");
    assert!(bench.text().contains(&format!("go on: 4 of {}", rows.len())), "{}", bench.text());
    bench.press("c");
    assert_eq!(at(&bench), here);
    let again: Vec<u32> = bench.model.coding.as_ref().unwrap().rows.iter().map(|d| d.row).collect();
    assert_eq!(again, rows, "the same rows are drawn");
    assert_eq!(bench.model.filter_text(), "model:sim-small split:static");
}

#[test]
fn a_note_is_written_kept_and_shown() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b n");
    bench.type_text("the page is of 1984, q and c are letters here");
    bench.press("enter");
    assert!(matches!(bench.model.overlays.last(), Some(Overlay::Code)));
    assert!(bench.draft.is_some(), "what is written is kept aside at once");
    bench.press("enter");
    let codings = bench.notes.codings();
    assert_eq!(codings[0].note(), "the page is of 1984, q and c are letters here");
    let id = codings[0].entry.key.question_id.clone();
    bench.press("esc / ");
    bench.type_text("note:1984");
    bench.press("enter enter");
    assert_eq!((bench.model.view.rows.len(), bench.id()), (1, id));
    let text = bench.text();
    assert!(text.contains("note") && text.contains("the page is of 1984") && text.contains("ann"), "{text}");
}

#[test]
fn a_verdict_is_overridden_with_a_reason_and_an_answer_accepted() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("3 O w");
    bench.type_text("says the same");
    bench.press("enter");
    let all = bench.notes.verdicts();
    assert_eq!((all.len(), all[0].verdict, all[0].reason), (1, Verdict::Wrong, "says the same"));
    assert_eq!(all[0].entry.key.on, lookitup::review::On::Side(Condition::WithSearch));
    assert!(!all[0].entry.answer.is_empty());
    bench.press("a enter");
    assert_eq!(bench.notes.references(None).len(), 1);
    let text = bench.text();
    assert!(
        text.contains("with search is wrong: says the same") && text.contains("accepted as well"),
        "{text}"
    );
    bench.press("/");
    bench.type_text("review:reviewed");
    bench.press("enter");
    assert!(!bench.model.view.rows.is_empty());
    // And taken back.
    bench.press("u");
    assert_eq!(bench.notes.references(None).len(), 0);
}

#[test]
fn figures_stand_as_graded_and_as_reviewed() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("A");
    assert!(bench.model.status.as_ref().unwrap().text.contains("nobody gave a verdict"));
    let before = bench.model.view.summary.clone().unwrap();
    // A broken pair's answer with search is right after all.
    bench.press("3 O r");
    bench.type_text("same person");
    bench.press("enter 3 A");
    assert!(bench.text().contains("AS REVIEWED"), "{}", bench.text());
    assert!(bench.text().contains("1 verdict differs"), "{}", bench.text());
    let after = bench.model.view.summary.clone().unwrap();
    assert_eq!(after.with.right, before.with.right + 1);
    assert_eq!(after.count(Transition::Broken) + 1, before.count(Transition::Broken));
    assert_eq!(after.count(Transition::Preserved), before.count(Transition::Preserved) + 1);
    // Figures follow, and a verdict that is taken back counts no more.
    bench.press("f tab");
    assert_eq!(bench.model.figures.shown[0].figure.rows, 134);
    bench.press("esc u");
    assert_eq!(*bench.model.view.summary.clone().unwrap(), *before);
    bench.press("A");
    assert!(!bench.text().contains("AS REVIEWED"));
    assert_eq!(*bench.model.view.summary.clone().unwrap(), *before);
}

#[test]
fn what_others_said_can_be_hidden() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("3");
    let key = bench.model.note_key(bench.model.selected().unwrap()).unwrap();
    let act = coding_of("over-trust", "from bob");
    bench.say(Said { key: key.clone(), answer: String::new(), act }, "bob");
    let news = bench.news();
    bench.send(news);
    assert!(bench.text().contains("over-trust") && bench.text().contains("bob"));
    bench.press("X");
    assert!(!bench.text().contains("over-trust"), "{}", bench.text());
    bench.press("c b");
    let text = bench.text();
    assert!(text.contains("blind") && !text.contains("bob:"), "{text}");
    bench.press("esc X c b");
    assert!(bench.text().contains("bob: over-trust"), "{}", bench.text());
    // Another person's codes are not one's own.
    assert_eq!(bench.model.coding.as_ref().unwrap().sheet.primary, None);
}

#[test]
fn what_another_person_accepted_again_is_still_ones_own_while_others_are_hidden() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("3 a");
    bench.type_text(" variant");
    bench.press("enter");
    let said = bench.notes.references(None)[0].clone();
    bench.say(Said { key: said.key, answer: String::new(), act: said.act }, "bob");
    let news = bench.news();
    bench.send(news);
    bench.press("enter end X");
    let text = bench.text();
    assert!(text.contains("accepted as well") && text.contains("ann ·"), "{text}");
    let row = bench.model.selected().unwrap();
    assert!(bench.model.table.marks.get(row).is_some_and(|m| m.reviewed));
}

#[test]
fn a_dispute_is_found_by_a_filter_shown_and_settled() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b 9 enter 9 enter esc");
    let keys: Vec<Key> = bench.notes.codings().iter().map(|c| c.entry.key.clone()).collect();
    for (key, code) in keys.iter().zip(["over-trust", "evidence-ignored"]) {
        let answer = bench.notes.coding(key).unwrap().entry.answer.clone();
        let act = coding_of(code, "so bob");
        bench.say(Said { key: key.clone(), answer, act }, "bob");
    }
    let news = bench.news();
    bench.send(news);
    bench.press("/");
    bench.type_text("review:disputed");
    bench.press("enter");
    assert_eq!(bench.model.view.rows.len(), 1);
    assert_eq!(bench.id(), keys[0].question_id);
    bench.press("enter end");
    let text = bench.text();
    for part in ["codes and notes: disputed", "evidence-ignored   ann", "over-trust   bob", "so bob   bob"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Not for whom others are hidden: they must not see that it is something else.
    bench.press("X");
    assert_eq!(bench.model.view.rows.len(), 0);
    bench.press("X");
    assert_eq!(bench.model.view.rows.len(), 1);
    // Saying the same again in view of both settles it.
    bench.press("esc c a");
    assert!(bench.text().contains("disputed: what you save now settles it"), "{}", bench.text());
    bench.press("enter");
    let coding = bench.notes.coding(&keys[0]).unwrap();
    assert_eq!((coding.entry.by.as_str(), coding.primary()), ("ann", Some("evidence-ignored")));
    assert_eq!(coding.settles().len(), 2);
    assert!(!bench.text().contains("settles it"), "{}", bench.text());
    // And again changed, it is settled still.
    bench.press("2 enter");
    assert_eq!(bench.notes.coding(&keys[0]).unwrap().settles().len(), 2);
    bench.press("esc");
    assert_eq!(bench.model.view.rows.len(), 0);
    // What settled it is taken back: each is what it was.
    bench.press("u u");
    assert_eq!(bench.model.view.rows.len(), 1);
}

#[test]
fn a_dispute_whose_settling_is_on_its_way_to_the_disk_is_not_gone_to_again() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b 9 enter 9 enter esc");
    let keys: Vec<Key> = bench.notes.codings().iter().map(|c| c.entry.key.clone()).collect();
    for key in &keys {
        let answer = bench.notes.coding(key).unwrap().entry.answer.clone();
        let act = coding_of("over-trust", "");
        bench.say(Said { key: key.clone(), answer, act }, "bob");
    }
    let news = bench.news();
    bench.send(news);
    bench.press("/");
    bench.type_text("review:disputed");
    bench.press("enter c a right left");
    assert_eq!(bench.model.coding.as_ref().unwrap().rows.len(), 2);
    for _ in 0..2 {
        let said = update(&mut bench.model, Msg::Key("enter".parse().unwrap()));
        assert!(said.iter().any(|e| matches!(e, Effect::Note(_))), "{said:?}");
    }
    assert!(bench.text().contains("all 2 are coded"), "{}", bench.text());
}

#[test]
fn counts_lead_to_their_rows() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("C");
    assert!(bench.model.overlays.is_empty(), "nothing is coded yet");
    bench.press("c b 9 enter 9 2 enter f enter esc C");
    let text = bench.text();
    assert!(text.contains("broken (3)") && text.contains("evidence retrieved, ignored"), "{text}");
    // First line, first cell: two rows whose primary code it is.
    bench.press("enter");
    let rows = bench.model.view.rows.len();
    let filter = bench.model.filter_text();
    assert!(filter.contains("primary=") && filter.contains("transition:broken"), "{filter}");
    let marks = &bench.model.table.marks;
    let counted = marks.0.values().filter(|m| filter.contains(&format!("primary={}", m.codes[0]))).count();
    assert_eq!(rows, counted);
    bench.press("esc");
    assert!(bench.model.filter_text().is_empty());
}

#[test]
fn counts_leave_out_what_was_coded_on_other_answers_and_weigh_a_sample_back() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c m 9 enter 9 enter f enter esc");
    // The answer of one of them is another one now.
    let key = bench.notes.codings()[0].entry.key.clone();
    let act = bench.notes.codings()[0].entry.act.clone();
    bench.say(Said { key, answer: "0000000000000000/-".into(), act }, "ann");
    let news = bench.news();
    bench.send(news);
    bench.press("C");
    let text = bench.text();
    assert!(text.contains("all (2)") && text.contains("1 row outdated, not counted"), "{text}");
    assert!(text.contains("of rows not spoken of: broken") && text.contains("weighted  "), "{text}");
    // The same as the command line's, which makes it by the same function.
    let Some(Overlay::Counts(counts)) = bench.model.overlays.last() else { panic!("no counts") };
    assert!(counts.columns.iter().any(|c| c == "weighted"), "{:?}", counts.columns);
    assert!(counts.rows.iter().all(|r| r.cells.last().is_some_and(|c| c.text.contains(" to "))));
}

#[test]
fn the_codebook_is_edited_and_codes_given_before_follow_its_history() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b 9 enter esc B");
    let Some(Effect::Edit(text)) = bench.left.pop() else { panic!("no editor") };
    let edited = text.replace("\"evidence-ignored\"", "\"ignored\"");
    assert_ne!(edited, text);
    bench.send(Msg::Edited(Ok(Some("version = 1\n[[code]]\nkey = \"\"".into()))));
    assert!(
        bench.model.status.as_ref().unwrap().text.contains("stays as it was"),
        "{:?}",
        bench.model.status
    );
    bench.press("B");
    bench.send(Msg::Edited(Ok(Some(edited))));
    let Some(Effect::KeepCodebook(book)) = bench.left.pop() else { panic!("no codebook kept") };
    assert_eq!(book.version, 2);
    bench.book = book.into();
    let news = bench.news();
    bench.send(news);
    bench.press("/");
    bench.type_text("code=ignored");
    bench.press("enter");
    assert_eq!(bench.model.view.rows.len(), 1);
}

#[test]
fn the_codebook_is_edited_in_the_middle_of_a_row_and_nothing_is_lost_by_it() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b 9 enter 9 2");
    let key = bench.model.coding.as_ref().unwrap().sheet.key.clone();
    bench.press("B");
    let Some(Effect::Edit(text)) = bench.left.pop() else { panic!("no editor") };
    assert!(text.contains("[[code]]"), "the codebook and not the note: {text}");
    bench.send(Msg::Edited(Ok(Some(text.replace("\"evidence-ignored\"", "\"ignored\"")))));
    let Some(Effect::KeepCodebook(book)) = bench.left.pop() else { panic!("no codebook kept") };
    bench.book = book.into();
    let news = bench.news();
    bench.send(news);
    // Where one was, with what was set, under the names that it has now.
    let coding = bench.model.coding.as_ref().unwrap();
    assert_eq!((coding.at, &coding.sheet.key), (1, &key));
    assert!(matches!(bench.model.overlays.last(), Some(Overlay::Code)));
    assert!(coding.sheet.changed && coding.sheet.note.is_empty());
    assert_eq!(coding.sheet.primary.as_deref(), Some("ignored"));
    let draft = bench.draft.clone().expect("a draft").act;
    assert!(
        matches!(&draft, Act::Coded { primary, codebook: 2, .. } if primary.as_deref() == Some("ignored")),
        "{draft:?}"
    );
    // An edit of the note is the note's again, also after an editor that was left without a change.
    bench.press("B");
    bench.left.clear();
    bench.send(Msg::Edited(Ok(None)));
    bench.press("e");
    assert!(matches!(bench.left.pop(), Some(Effect::Edit(text)) if text.is_empty()));
    bench.send(Msg::Edited(Ok(Some("a note".into()))));
    assert_eq!(bench.model.coding.as_ref().unwrap().sheet.note, "a note");
}

#[test]
fn every_cell_of_the_counts_has_as_many_rows_as_it_says() {
    let mut bench = Bench::sample((200, 60)).with_notes();
    bench.press("c a");
    for keys in ["1", "2 3", "9 o c", "f", "x 2", "1 9", "a", "0 1"] {
        bench.press(keys);
        bench.press("enter");
    }
    bench.press("esc C");
    for axis in 0..3 {
        for which in 0..2 {
            let Some(Overlay::Counts(counts)) = bench.model.overlays.last() else { panic!("no counts") };
            let marks = counts.marks.clone();
            assert!(marks.len() > 8, "{axis} {which}");
            for mark in marks {
                let expr = lookitup::query::parse(&mark.term).unwrap();
                let never = std::sync::atomic::AtomicBool::new(false);
                let settings = lookitup::query::Settings { scorer: bench.model.scorer };
                let table = bench.model.table.clone();
                let rows = lookitup::query::run(&table, &bench.reader, &expr, &settings, &never, &mut |_| {})
                    .unwrap();
                assert_eq!(rows.len() as u64, mark.n, "{}: {}", mark.label, mark.term);
            }
            bench.press("space");
        }
        bench.press("tab");
    }
}

#[test]
fn notes_find_their_rows_in_any_order_and_survive_a_new_table() {
    let mut bench = Bench::sample((120, 40)).with_notes();
    bench.press("c b 9 enter esc");
    let pair = bench.notes.codings()[0].entry.key.clone();
    assert_eq!(pair.on, lookitup::review::On::Pair);
    let marked = |bench: &Bench| -> Vec<Key> {
        bench.model.table.marks.0.keys().map(|&row| bench.model.note_key(row).unwrap()).collect()
    };
    assert_eq!(marked(&bench), [pair.clone()]);
    // Read anew, the table comes without marks, and gets them again.
    let mut fresh = (*bench.model.table).clone();
    fresh.marks = std::sync::Arc::default();
    fresh.generation += 1;
    bench.send(Msg::Table(std::sync::Arc::new(fresh)));
    assert_eq!(marked(&bench), [pair]);
    let row = bench.model.table.marks.0.keys().next().copied().unwrap();
    let t = bench.model.pair(row).unwrap().transitions[bench.model.scorer as usize];
    assert_eq!(t, Transition::Broken);
}

#[test]
fn killed_in_the_middle_of_ten_nothing_saved_is_lost_and_the_place_is_found_again() {
    let home = tempfile::tempdir().unwrap();
    let start = || {
        let pty = Pty::start(&[], (120, 40), home.path(), &[("USER", "ann")]);
        pty.until("the figures", |s| s.contents().contains("net"));
        pty
    };
    let mut pty = start();
    pty.send("c");
    pty.shows("broken ones: 16");
    pty.send("b");
    for n in 1..=10 {
        pty.shows(&format!("coding {n} of 16"));
        pty.until("what the record hints at", |s| !s.contents().contains("reading the record"));
        pty.send("9");
        pty.shows("not saved yet");
        pty.send("\r");
    }
    pty.shows("coding 11 of 16 · 10 coded");
    // The eleventh has a code and is not saved.
    pty.send("f");
    pty.shows("not saved yet");
    let folder = home.path().join("data/results");
    let drafts = || {
        let files = std::fs::read_dir(&folder).unwrap().map(|f| f.unwrap().file_name());
        files.filter(|f| f.to_string_lossy().contains(".draft.")).count()
    };
    // That of the question before may still be there.
    pty.until("the draft", |_| {
        let files = std::fs::read_dir(&folder).unwrap().filter_map(|f| Some(f.ok()?.path()));
        let mut texts = files
            .filter(|f| f.to_string_lossy().contains(".draft."))
            .filter_map(|f| std::fs::read_to_string(f).ok());
        texts.any(|t| t.contains("format-miss"))
    });
    pty.signal(rustix::process::Signal::KILL);
    pty.ends();

    let notes = std::fs::read_to_string(folder.join("sample.notes.jsonl")).unwrap();
    assert_eq!(notes.lines().filter(|l| l.contains("\"kind\":\"coded\"")).count(), 10);
    let mut pty = start();
    pty.shows("not saved when the program ended");
    pty.send("c");
    pty.shows("go on: 11 of 16");
    pty.send("c");
    pty.shows("coding 11 of 16 · 10 coded");
    // What was left unsaved is on the sheet again.
    pty.until("the code that was set", |s| s.contents().contains("f●"));
    pty.send("\r");
    pty.shows("11 coded");
    pty.until("no draft", |_| drafts() == 0);
    pty.send("\x1b");
    pty.until("the list", |s| !s.contents().contains("coding 1"));
    pty.send("C");
    pty.shows("broken (11)");
    pty.send("\x1b");
    pty.until("the counts closed", |s| !s.contents().contains("broken (11)"));
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    pty.assert_restored();
}

#[test]
fn two_programs_write_into_one_file_of_notes() {
    let home = tempfile::tempdir().unwrap();
    let start = |who: &str| {
        let mut pty = Pty::start(&[], (120, 40), home.path(), &[("USER", who)]);
        pty.until("the figures", |s| s.contents().contains("net"));
        pty.send("c");
        pty.shows("broken ones: 16");
        pty.send("b");
        pty.shows("coding 1 of 16");
        pty
    };
    let (mut ann, mut bob) = (start("ann"), start("bob"));
    for n in 2..=4 {
        ann.send("9");
        ann.shows("not saved yet");
        ann.send("\r");
        ann.shows(&format!("coding {n} of 16"));
        bob.send("o");
        bob.shows("not saved yet");
        bob.send("\r");
        bob.shows(&format!("coding {n} of 16"));
    }
    // Each sees the other's codes, once they are on the disk, beside their own at their next step.
    let file = home.path().join("data/results/sample.notes.jsonl");
    bob.until("his notes on the disk", |_| {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        text.lines().filter(|l| l.contains("\"by\":\"bob\"") && l.contains("\"kind\":\"coded\"")).count() == 3
    });
    ann.send("\x1b[D");
    ann.shows("bob: over-trust");
    for pty in [&mut ann, &mut bob] {
        pty.send("\x1b");
        pty.until("the list", |s| !s.contents().contains("coding "));
        pty.send("q");
        assert_eq!(pty.ends(), 0);
    }
    let notes = home.path().join("data/results/sample.notes.jsonl");
    let text = std::fs::read_to_string(notes).unwrap();
    let coded = |who: &str| {
        let by = format!("\"by\":\"{who}\"");
        text.lines().filter(|l| l.contains(&by) && l.contains("\"kind\":\"coded\"")).count()
    };
    assert_eq!((coded("ann"), coded("bob")), (3, 3));
}
