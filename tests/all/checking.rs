//! Contradictions on the screen, and those that only several files show.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lookitup::app::{CheckRequest, Effect, Msg, Overlay, TextDialog, TextKind};
use lookitup::check::{Kind, Report, check};
use lookitup::record::{Attempt, Condition, SCHEMA, Scorer, SearchCall};
use lookitup::store::{Table, table_of};

use crate::support::bench::{Bench, text_of};
use crate::support::pty::Pty;

use super::store::{folder, line, open, write};

fn attempt(id: &str, condition: Condition) -> Attempt {
    Attempt {
        schema: SCHEMA.into(),
        question_id: id.into(),
        question: Some(format!("What is {id}?")),
        references: Some(vec!["right".into()]),
        model: "m".into(),
        condition,
        attempt: 1,
        answer: Some("right".into()),
        confidence: Some(0.5),
        ..Attempt::default()
    }
}

/// Fifteen that searched without search, and a recorded verdict that the scorer does not share.
fn contradicting() -> Vec<Attempt> {
    let mut attempts: Vec<Attempt> = (0..15)
        .flat_map(|n| {
            let id = format!("q{n}");
            let call = SearchCall::default();
            let no = Attempt { search_calls: vec![call], ..attempt(&id, Condition::NoSearch) };
            let with = Attempt { confidence: Some(0.9), ..attempt(&id, Condition::WithSearch) };
            [no, with]
        })
        .collect();
    attempts[1].correct = Some(false);
    attempts
}

fn bench(attempts: &[Attempt], size: (u16, u16)) -> Bench {
    let (table, reader) = table_of(&[], attempts);
    Bench::of(Arc::new(table), reader, size, "made up")
}

/// Takes the tests that were asked for.
fn asked(bench: &mut Bench) -> Vec<CheckRequest> {
    let mut taken = Vec::new();
    bench.left.retain(|effect| match effect {
        Effect::Check(request) => {
            taken.push((**request).clone());
            false
        }
        _ => true,
    });
    taken
}

fn run(bench: &Bench, request: &CheckRequest) -> Report {
    check(&request.table, &bench.reader, request.scorer, &AtomicBool::new(false)).unwrap()
}

/// Carries out the one test that was asked for.
fn carry_out(bench: &mut Bench) {
    let requests = asked(bench);
    assert_eq!(requests.len(), 1);
    let report = run(bench, &requests[0]);
    bench.send(Msg::Checked(requests[0].id, Ok(report)));
}

fn dialog(bench: &Bench) -> &TextDialog {
    let Some(Overlay::Problems(dialog)) = bench.model.overlays.last() else { panic!("no problems dialog") };
    dialog
}

fn said(bench: &Bench) -> String {
    dialog(bench).lines.iter().map(|(.., said)| said.as_str()).collect::<Vec<_>>().join(
        "
",
    )
}

fn stops(bench: &Bench) -> usize {
    bench.left.iter().filter(|e| matches!(e, Effect::StopChecking)).count()
}

#[test]
fn nothing_is_tested_until_asked_for_and_then_all_of_it_is_told() {
    let mut bench = bench(&contradicting(), (120, 40));
    bench.model.config_errors.push("config.toml:3: no such theme".into());
    bench.press("3 3 j k =");
    bench.press("= = =");
    assert!(asked(&mut bench).is_empty());
    bench.press("!");
    let text = bench.text();
    assert!(text.contains("config.toml:3: no such theme"), "{text}");
    assert!(text.contains("Looking for contradictions in everything that is open …"), "{text}");
    carry_out(&mut bench);
    let text = bench.text();
    assert!(text.contains("config.toml:3: no such theme"), "{text}");
    assert!(!text.contains("Looking"), "{text}");
    assert_eq!(dialog(&bench).title, "problems: 0 not used, 0 in doubt, 15 contradictions, 1 note");
    let headings: Vec<&str> =
        dialog(&bench).lines.iter().filter(|l| l.0 == TextKind::Heading).map(|l| l.2.as_str()).collect();
    assert_eq!(
        headings,
        [
            "15 contradictions, 1 note: 30 attempts tested, scorer normalized.",
            "searched though asked without search: 15",
            "note: the recorded verdict is not the scorer's: 1",
        ]
    );
    let all = said(&bench);
    assert_eq!(all.matches("asked without search, yet the record has 1 call").count(), 10);
    assert!(all.contains("… 5 more like this"), "{all}");
    assert!(all.contains("attempts.jsonl: question q3: asked without search"), "{all}");

    // What was found is still so: opened again, it is there at once.
    bench.press("esc !");
    assert!(asked(&mut bench).is_empty());
    assert_eq!(said(&bench), all);
    assert_eq!(stops(&bench), 0);
}

#[test]
fn a_contradiction_leads_to_its_row_also_where_a_filter_hides_it() {
    let mut bench = bench(&contradicting(), (120, 40));
    bench.press("/");
    bench.type_text("id:q7");
    bench.press("enter !");
    carry_out(&mut bench);
    let at = dialog(&bench).lines.iter().position(|l| l.2.contains("question q3:")).unwrap();
    let id = |row: u32| bench.model.key_of(row).unwrap().0;
    assert_eq!(bench.model.problem_row(at).map(id).as_deref(), Some("q3"));
    assert_eq!(bench.model.problem_row(0), None, "what leads nowhere is not marked");
    bench.press("enter");
    assert!(bench.text().contains("no row belongs to this line"), "{}", bench.text());
    for _ in 0..at {
        bench.press("j");
    }
    let text = bench.text();
    assert!(text.contains("→ attempts.jsonl: question q3") && text.contains("go to the row"), "{text}");
    bench.press("enter");
    assert!(bench.model.overlays.is_empty());
    assert_eq!((bench.id().as_str(), bench.model.filter_text().as_str()), ("q3", ""));
    assert!(bench.text().contains("the filter was cleared"), "{}", bench.text());
    // One that is shown leaves the filter as it is; so does a click.
    bench.press("/");
    bench.type_text("id:q3,q4");
    bench.press("enter !");
    for _ in 0..=at {
        bench.press("j");
    }
    bench.press("enter");
    assert_eq!((bench.id().as_str(), bench.model.filter_text().as_str()), ("q4", "id:q3,q4"));
}

#[test]
fn the_cursor_stays_on_what_words_have_found_when_they_are_taken_back() {
    let mut bench = bench(&contradicting(), (80, 16));
    bench.press("!");
    carry_out(&mut bench);
    bench.press("/");
    bench.type_text("q7:");
    bench.press("enter");
    let found = dialog(&bench).cursor;
    bench.press("esc");
    assert_eq!((dialog(&bench).cursor, dialog(&bench).narrowed()), (found, false));
    assert!(
        bench.text().contains("question q7:") && bench.text().contains("question q8:"),
        "{}",
        bench.text()
    );
    bench.press("enter");
    assert_eq!(bench.id(), "q7");
}

#[test]
fn a_doubt_with_a_line_alone_leads_to_the_row_read_from_it() {
    let folder = folder();
    let text = [
        line("a", "no_search", r#""answer":"right""#),
        "no record".to_owned(),
        line("b", "no_search", r#""answer":"right","confidence":"rather""#),
    ];
    let path = write(&folder, "run.jsonl", text.join("\n") + "\n");
    let (store, table) = open(&[path]);
    let reader = store.reader();
    let lines: Vec<u64> = table.problems.list.iter().map(|p| p.line).collect();
    assert_eq!(lines, [2, 3], "{:?}", table.problems.list);
    let mut bench = Bench::of(table, reader, (120, 40), "made up");
    bench.press("!");
    carry_out(&mut bench);
    let rows: Vec<Option<String>> =
        (0..2).map(|at| bench.model.problem_row(at).map(|r| bench.model.key_of(r).unwrap().0)).collect();
    assert_eq!(rows, [None, Some("b".to_owned())], "nothing was read from the first");
    bench.press("j enter");
    assert_eq!(bench.id(), "b");
}

#[test]
fn enter_leads_to_a_row_only_from_a_line_that_is_shown() {
    let folder = folder();
    let doubt = |id: &str| line(id, "no_search", r#""answer":"right","confidence":"rather""#);
    let path = write(&folder, "run.jsonl", [doubt("a"), doubt("b"), doubt("c")].join("\n") + "\n");
    let (store, table) = open(&[path]);
    let mut bench = Bench::of(table, store.reader(), (120, 40), "made up");
    bench.press("!");
    carry_out(&mut bench);
    // Nothing has these words: there is no line to go on from, not even the first one.
    bench.press("j /");
    bench.type_text("nothing like this");
    bench.press("enter");
    assert!(!bench.text().contains("go to the row"), "{}", bench.text());
    bench.press("enter");
    assert_eq!(bench.model.overlays.len(), 1);
    assert_eq!(bench.id(), "a");
    // Lines that come to stand above leave the cursor on what it was on.
    bench.press("esc / r u n . j s o n l : 3 enter");
    assert_eq!(dialog(&bench).cursor, Some(2));
    bench.model.config_errors.push("config.toml:3: no such theme".into());
    bench.send(Msg::Table(bench.model.table.clone()));
    assert_eq!(dialog(&bench).cursor, Some(3));
    // And when that line is gone, on one that is shown.
    bench.model.config_errors.clear();
    let gone = write(&folder, "gone.jsonl", [doubt("a"), doubt("b")].join("\n") + "\n");
    let (_, fewer) = open(&[gone]);
    bench.send(Msg::Table(fewer));
    let here = dialog(&bench).cursor.unwrap();
    let shown = dialog(&bench).shown();
    assert!(shown.is_empty() || shown.contains(&here), "{here} of {shown:?}");
}

#[test]
fn a_file_without_contradictions_is_told_so() {
    let fine = [attempt("a", Condition::NoSearch), attempt("a", Condition::WithSearch)];
    let mut bench = bench(&fine, (80, 24));
    bench.press("!");
    carry_out(&mut bench);
    let all = said(&bench);
    assert!(all.contains("Files and settings were read without a doubt."), "{all}");
    assert!(all.contains("Nothing contradicts: 2 attempts tested, scorer normalized."), "{all}");
}

#[test]
fn lines_of_the_notes_that_are_not_used_are_listed() {
    let mut bench = bench(&[attempt("a", Condition::NoSearch)], (100, 30));
    bench.model.review.place = "results/x.notes.jsonl".into();
    let notes = Arc::make_mut(&mut bench.model.review.notes);
    for number in 1..=12 {
        notes.take(number, "<<<<<<< HEAD");
    }
    bench.press("!");
    carry_out(&mut bench);
    let all = said(&bench);
    assert!(all.contains("results/x.notes.jsonl:1: ") && !all.contains("without a doubt"), "{all}");
    assert!(all.contains("… 2 more lines of the notes are left out"), "{all}");
}

#[test]
fn closing_stops_what_runs_and_a_late_report_is_dropped() {
    let mut bench = bench(&contradicting(), (120, 40));
    bench.press("!");
    let first = asked(&mut bench).remove(0);
    bench.press("esc");
    assert_eq!(stops(&bench), 1);
    let report = run(&bench, &first);
    bench.send(Msg::Checked(first.id, Ok(report)));
    assert!(bench.model.checking.report().is_none());
    bench.press("!");
    let report = run(&bench, &first);
    bench.send(Msg::Checked(first.id, Ok(report)));
    assert!(bench.model.checking.is_running(), "it answers another question");
    carry_out(&mut bench);
    assert!(bench.model.checking.report().is_some());
    // Not even the number of threads is without end.
    bench.model.table = Arc::new(Table { generation: 7, ..(*bench.model.table).clone() });
    bench.press("! !");
    let request = asked(&mut bench).remove(0);
    bench.send(Msg::Checked(request.id, Err("no thread".into())));
    assert!(said(&bench).contains("no thread"));
}

#[test]
fn another_scorer_makes_another_report() {
    let mut bench = bench(&contradicting(), (120, 40));
    bench.press("!");
    carry_out(&mut bench);
    bench.press("esc =");
    let scorer = bench.model.scorer;
    assert_ne!(scorer, Scorer::Normalized);
    bench.press("!");
    assert!(bench.model.checking.report().is_none());
    let requests = asked(&mut bench);
    assert_eq!(requests[0].scorer, scorer);
    let report = run(&bench, &requests[0]);
    // A scorer that changed meanwhile, however it did.
    bench.model.scorer = Scorer::Normalized;
    bench.send(Msg::Checked(requests[0].id, Ok(report)));
    assert!(bench.model.checking.report().is_none());
}

#[test]
fn a_table_read_anew_is_tested_anew_and_one_that_grew_is_not() {
    let attempts = contradicting();
    let mut bench = bench(&attempts, (120, 40));
    bench.press("!");
    let first = asked(&mut bench).remove(0);
    let anew = |generation: u32, attempts: &[Attempt]| {
        let (table, _) = table_of(&[], attempts);
        Arc::new(Table { generation, ..table })
    };
    // While files are read there is nothing to be tested yet.
    let mut half = (*anew(1, &attempts[..2])).clone();
    half.progress.done = false;
    bench.send(Msg::Table(Arc::new(half)));
    assert_eq!(stops(&bench), 1);
    assert!(asked(&mut bench).is_empty());
    assert!(said(&bench).contains("begins when the files have been read"), "{}", said(&bench));
    let report = run(&bench, &first);
    bench.send(Msg::Checked(first.id, Ok(report)));
    assert!(bench.model.checking.report().is_none());

    bench.send(Msg::Table(anew(1, &attempts)));
    carry_out(&mut bench);
    assert!(bench.model.checking.report().is_some());
    // More of the same file: what was found stays, and says of how much it speaks.
    let mut more = attempts;
    more.push(attempt("new", Condition::NoSearch));
    bench.send(Msg::Table(anew(1, &more)));
    assert!(asked(&mut bench).is_empty());
    assert!(
        said(&bench).contains("30 attempts tested, scorer normalized. More were read since"),
        "{}",
        said(&bench)
    );
    bench.press("esc !");
    carry_out(&mut bench);
    assert!(said(&bench).contains("31 attempts tested, scorer normalized."), "{}", said(&bench));
}

#[test]
fn long_and_hostile_names_stay_inside_the_dialog() {
    let mut attempts = contradicting();
    for attempt in &mut attempts {
        attempt.question_id =
            format!("{}{}\u{1b}[31m{}", attempt.question_id, "長".repeat(300), "x".repeat(5_000));
    }
    let mut bench = bench(&attempts, (80, 24));
    bench.press("!");
    carry_out(&mut bench);
    for (_, key, said) in &dialog(&bench).lines {
        assert!(!said.contains('\u{1b}') && !key.contains('\u{1b}'));
        assert!(lookitup::text::width(said) <= 600);
    }
    for size in [(1, 1), (20, 5), (41, 11), (80, 24), (300, 100)] {
        bench.send(Msg::Resize(size.0, size.1));
        for _ in 0..4 {
            bench.press("pagedown");
            bench.frame();
        }
        bench.press("home");
    }
}

#[test]
fn findings_on_a_small_screen() {
    let mut bench = bench(&contradicting(), (80, 24));
    bench.press("!");
    let mut frames = text_of(&bench.frame());
    carry_out(&mut bench);
    frames.push_str(&text_of(&bench.frame()));
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("contradictions-80x24", frames));
}

#[test]
fn contradictions_are_looked_for_in_a_thread_of_the_real_program() {
    let folder = folder();
    let searched = r#""answer":"x","search_calls":[{"kind":"search","query":"q"}]"#;
    let path = write(&folder, "a.jsonl", line("odd", "no_search", searched) + "\n");
    let mut pty = Pty::start(&[path.to_str().unwrap()], (120, 40), folder.path(), &[]);
    pty.shows("odd");
    pty.send("!");
    pty.shows("question odd: asked without search, yet the record has 1 call");
    // The first closes the dialog.
    pty.send("qq");
    assert_eq!(pty.ends(), 0);
    pty.assert_restored();
}

/// Kinds, file names and lines of what is found in files.
fn found(files: &[(&str, String)]) -> Vec<(Kind, String, u64)> {
    let folder = folder();
    let paths: Vec<_> = files.iter().map(|(name, text)| write(&folder, name, text)).collect();
    let (store, table) = open(&paths);
    let report = check(&table, &store.reader(), Scorer::Normalized, &AtomicBool::new(false)).unwrap();
    let name = |f: &lookitup::check::Finding| {
        f.file.as_ref().map(|p| p.file_name().unwrap().to_string_lossy().into_owned()).unwrap_or_default()
    };
    report.findings.iter().map(|f| (f.kind, name(f), f.line.unwrap_or(0))).collect()
}

#[test]
fn references_and_splits_that_differ_between_files() {
    let side = |condition: &str, references: &str, split: &str| {
        let more = format!(r#""answer":"x","references":["{references}"],"split":"{split}""#);
        line("a", condition, &more) + "\n"
    };
    let agreed = [("no.jsonl", side("no_search", "x", "s")), ("with.jsonl", side("with_search", "x", "s"))];
    assert_eq!(found(&agreed), []);
    let other = [("no.jsonl", side("no_search", "x", "s")), ("with.jsonl", side("with_search", "y", "s"))];
    assert_eq!(found(&other), [(Kind::Doubtful, "with.jsonl".into(), 1)]);
    let split = [("no.jsonl", side("no_search", "x", "s")), ("with.jsonl", side("with_search", "x", "t"))];
    assert_eq!(found(&split), [(Kind::SplitDiffers, "with.jsonl".into(), 1)]);
}

#[test]
fn ids_that_one_file_has_twice_or_the_other_has_not() {
    let ask = |id: &str, condition: &str| line(id, condition, r#""answer":"x","references":["x"]"#) + "\n";
    let no = ask("a", "no_search") + &ask("b", "no_search") + &ask("c", "no_search");
    let with = ask("a", "with_search") + &ask("c", "with_search");
    let missing = [("no.jsonl", no.clone()), ("with.jsonl", with.clone())];
    assert_eq!(found(&missing), [(Kind::MissingSide, "no.jsonl".into(), 2)]);
    let twice =
        |more: &str| line("a", "no_search", &format!(r#""attempt":1,"run_id":"r","answer":"{more}""#)) + "\n";
    let again = [("no.jsonl", twice("x") + &twice("x")), ("with.jsonl", String::new())];
    let kinds: Vec<Kind> = found(&again).into_iter().map(|(kind, ..)| kind).collect();
    assert!(kinds.contains(&Kind::Doubtful), "{kinds:?}");
}

#[test]
fn confidences_that_are_none() {
    let told = |confidence: &str| {
        let more = format!(r#""answer":"x","references":["x"],"confidence":{confidence}"#);
        found(&[("a.jsonl", line("a", "no_search", &more) + "\n")])
    };
    for fine in ["0", "0.5", "1", "null"] {
        assert_eq!(told(fine), [], "{fine}");
    }
    for odd in ["1.2", "-0.1", "250"] {
        assert_eq!(told(odd), [(Kind::Doubtful, "a.jsonl".into(), 1)], "{odd}");
    }
}
