//! Every Inspect log that the development tree has beside it.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use lookitup::record::{Attempt, CallKind, Condition, Question, Scorer, State, Transition, Verdict};
use lookitup::store::formats::{ALL, Foreign, Format, Head, Options, Sink};
use lookitup::store::{Input, OpenOptions, Problem, Severity, Store};

/// The folder of logs, or none where it is absent: the test then says so and passes.
fn logs() -> Option<PathBuf> {
    super::common::beside("formats/inspect")
}

#[derive(Default)]
struct Kept {
    attempts: Vec<Attempt>,
    entries: Vec<String>,
    problems: Vec<Problem>,
}

impl Sink for Kept {
    fn attempt(&mut self, attempt: &Attempt, entry: Option<&str>) {
        let line = serde_json::to_string(attempt).expect("a record that can be written");
        let back: Attempt = serde_json::from_str(&line).expect("a record that can be read back");
        assert_eq!(&back, attempt);
        self.attempts.push(back);
        self.entries.push(entry.unwrap_or_default().to_owned());
    }

    fn question(&mut self, _: &Question) {
        panic!("an Inspect log has no questions apart");
    }

    fn problem(&mut self, problem: Problem) {
        self.problems.push(problem);
    }

    fn cancelled(&self) -> bool {
        false
    }
}

impl Kept {
    fn count(&self, is: impl Fn(&Attempt) -> bool) -> usize {
        self.attempts.iter().filter(|a| is(a)).count()
    }

    fn errors(&self) -> Vec<String> {
        self.problems.iter().filter(|p| p.severity == Severity::Error).map(ToString::to_string).collect()
    }

    fn get(&self, id: &str, epoch: u32) -> &Attempt {
        self.attempts
            .iter()
            .find(|a| a.question_id == id && a.attempt == epoch)
            .unwrap_or_else(|| panic!("{id}, epoch {epoch}"))
    }

    /// Records by question and epoch, as JSON.
    fn by_key(&self) -> BTreeMap<(String, u32), String> {
        let key = |a: &Attempt| (a.question_id.clone(), a.attempt);
        self.attempts.iter().map(|a| (key(a), serde_json::to_string(a).unwrap())).collect()
    }
}

fn format_of(path: &Path) -> Option<&'static dyn Format> {
    let mut bytes = Vec::new();
    std::fs::File::open(path).unwrap().take(64 << 10).read_to_end(&mut bytes).unwrap();
    let head = Head { bytes: &bytes, len: std::fs::metadata(path).unwrap().len(), path };
    ALL.iter().copied().find(|f| f.recognises(&head))
}

fn open(path: &Path, condition: Option<Condition>) -> Kept {
    let format = format_of(path).unwrap_or_else(|| panic!("{} is not recognised", path.display()));
    assert_eq!(format.name(), "Inspect log");
    let mut kept = Kept::default();
    let input = Foreign {
        path,
        len: std::fs::metadata(path).unwrap().len(),
        bytes: Box::new(std::fs::File::open(path).unwrap()),
    };
    format.convert(input, &Options { condition }, &mut kept);
    kept
}

/// What must come out of a log.
struct Expected {
    file: &'static str,
    asked: Option<Condition>,
    condition: Condition,
    samples: usize,
    errors: usize,
    right: usize,
    wrong: usize,
    confident: usize,
    calls: usize,
    warnings: usize,
}

const NO: Condition = Condition::NoSearch;
const WITH: Condition = Condition::WithSearch;

#[test]
fn every_log_opens_with_the_right_counts() {
    let Some(folder) = logs() else { return };
    let row = |file, asked, condition, samples, errors, right, wrong, confident, calls, warnings| Expected {
        file,
        asked,
        condition,
        samples,
        errors,
        right,
        wrong,
        confident,
        calls,
        warnings,
    };
    let popularity = "public/2025-02-11T15-17-00-05-00_popularity_dPiJifoWeEQBrfWsAopzWr.eval";
    let all = [
        row("nosearch.eval", None, NO, 6, 0, 3, 3, 6, 0, 0),
        row("nosearch.json", None, NO, 6, 0, 3, 3, 6, 0, 0),
        row("search.eval", None, WITH, 6, 0, 5, 1, 6, 6, 0),
        row("search.json", None, WITH, 6, 0, 5, 1, 6, 6, 0),
        row("search_chunked.eval", None, WITH, 6, 0, 5, 1, 6, 6, 0),
        row("search_multiframe.eval", None, WITH, 6, 0, 5, 1, 6, 6, 0),
        row("edge.eval", Some(NO), NO, 4, 1, 2, 1, 3, 0, 0),
        row("edited.eval", Some(NO), NO, 4, 1, 2, 1, 3, 0, 0),
        row("partial_killed.eval", Some(NO), NO, 4, 0, 4, 0, 0, 0, 1),
        row("big_5000.eval", None, NO, 5000, 0, 2501, 2499, 5000, 0, 1),
        row(popularity, None, NO, 10, 0, 0, 0, 0, 0, 1),
        row("public/2025-05-12T20-28-13-04-00_popularity.json", None, NO, 3, 0, 2, 1, 0, 0, 2),
        row("public/log_formats.eval", None, NO, 1, 0, 0, 1, 0, 0, 1),
        row("public/log_formats.json", None, NO, 1, 0, 0, 1, 0, 0, 1),
        row("public/log_read_sample.eval", None, NO, 1, 0, 1, 0, 0, 0, 1),
        row("public/mmlu-summary-choices.eval", None, NO, 1, 0, 0, 1, 0, 0, 1),
    ];
    for e in &all {
        let kept = open(&folder.join(e.file), e.asked);
        let file = e.file;
        println!("{file}: {:?}", kept.problems.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(kept.attempts.len(), e.samples, "{file}: samples");
        assert_eq!(kept.count(|a| a.condition == e.condition), e.samples, "{file}: condition");
        assert_eq!(kept.count(|a| State::of_attempt(a) == State::Error), e.errors, "{file}: errors");
        assert_eq!(
            kept.count(|a| State::of_attempt(a) == State::Answered),
            e.samples - e.errors,
            "{file}: answered"
        );
        assert_eq!(kept.count(|a| a.correct == Some(true)), e.right, "{file}: right");
        assert_eq!(kept.count(|a| a.correct == Some(false)), e.wrong, "{file}: wrong");
        assert_eq!(kept.count(|a| a.confidence.is_some()), e.confident, "{file}: confidences");
        assert_eq!(kept.attempts.iter().map(Attempt::calls).sum::<usize>(), e.calls, "{file}: calls");
        assert_eq!(
            kept.count(|a| a.question.as_ref().is_some_and(|q| !q.is_empty())),
            e.samples,
            "{file}: questions"
        );
        assert_eq!(kept.errors(), Vec::<String>::new(), "{file}");
        assert_eq!(kept.problems.len(), e.warnings, "{file}: {:?}", kept.problems);
    }
    // Nothing beside these was overlooked.
    let stored = |dir: &Path| {
        std::fs::read_dir(dir)
            .unwrap()
            .map(|f| f.unwrap().path())
            .filter(|p| p.is_file() && !p.ends_with("inspect-log-schema.json"))
            .count()
    };
    assert_eq!(stored(&folder) + stored(&folder.join("public")), all.len());
    assert!(format_of(&folder.join("inspect-log-schema.json")).is_none());
}
/// A record without what differs from one run of the same samples to the next.
fn timeless(line: &str) -> serde_json::Value {
    let mut record: serde_json::Value = serde_json::from_str(line).unwrap();
    for name in ["run_id", "uuid", "latency_ms", "working_ms", "created_at", "completed_at"] {
        record.as_object_mut().unwrap().remove(name);
    }
    record
}

#[test]
fn a_log_in_one_text_is_the_same_as_its_zip() {
    let Some(folder) = logs() else { return };
    for name in ["nosearch", "search", "public/log_formats"] {
        let zip = open(&folder.join(format!("{name}.eval")), None);
        let text = open(&folder.join(format!("{name}.json")), None);
        let timeless =
            |k: &Kept| k.by_key().into_iter().map(|(key, a)| (key, timeless(&a))).collect::<Vec<_>>();
        assert_eq!(timeless(&zip), timeless(&text), "{name}");
        assert!(zip.entries.iter().all(|e| e.starts_with("samples/")));
        assert_eq!(text.entries.first().map(String::as_str), Some("samples[0]"));
    }
}

#[test]
fn every_layout_gives_the_same_records() {
    let Some(folder) = logs() else { return };
    let plain = open(&folder.join("search.eval"), None);
    let lines = |k: &Kept| k.attempts.iter().map(|a| serde_json::to_string(a).unwrap()).collect::<Vec<_>>();
    for name in ["search_chunked.eval", "search_multiframe.eval"] {
        assert_eq!(lines(&open(&folder.join(name), None)), lines(&plain), "{name}");
    }
    // In the order of the data set, epoch by epoch.
    let order: Vec<_> = plain.attempts.iter().map(|a| (a.question_id.as_str(), a.attempt)).collect();
    let expected =
        [("Z3U6Q8B6", 1), ("E3L4Q5D2", 1), ("U0001", 1), ("Z3U6Q8B6", 2), ("E3L4Q5D2", 2), ("U0001", 2)];
    assert_eq!(order, expected);
}

#[test]
fn searches_of_the_client_and_of_the_provider_are_both_calls() {
    let Some(folder) = logs() else { return };
    let kept = open(&folder.join("search.eval"), None);
    assert!(kept.attempts.iter().all(|a| a.calls() == 1 && a.search_calls[0].kind == CallKind::Search));

    let client = &kept.get("U0001", 1).search_calls[0];
    assert_eq!(client.query.as_deref(), Some("Qui était la ministre de l'Environnement"));
    assert_eq!(client.results[0].url, "https://en.wikipedia.org/wiki/Example");
    assert_eq!(client.results[0].title.as_deref(), Some("Wikipedia"));
    assert_eq!(client.extra["tool"], "web_search");

    let native = &kept.get("E3L4Q5D2", 2).search_calls[0];
    assert_eq!(native.query.as_deref(), Some("Dodgers Yankees World Series last"));
    assert_eq!(native.results[0].url, "https://example.org/ws");
    assert_eq!(native.status.as_deref(), Some("ok"));

    // The text of a message in a chunk is a reference that must have been resolved.
    let chunked = open(&folder.join("search_chunked.eval"), None);
    assert_eq!(chunked.get("U0001", 1).search_calls, kept.get("U0001", 1).search_calls);
}

#[test]
fn usage_is_that_of_the_whole_sample() {
    let Some(folder) = logs() else { return };
    let kept = open(&folder.join("search.eval"), None);
    // Two calls: 100 and 120 tokens in, 15 and 20 out. `output.usage` has only the last one's.
    let two = kept.get("Z3U6Q8B6", 1);
    assert_eq!((two.usage.input_tokens, two.usage.output_tokens), (Some(220), Some(35)));
    assert_eq!((two.usage.reasoning_tokens, two.cost_usd, two.latency_ms), (Some(5), None, Some(227.0)));
    assert_eq!(kept.get("E3L4Q5D2", 1).cost_usd, Some(0.0123));
    assert_eq!(two.provider.as_deref(), Some("mockllm"));
    assert_eq!(two.model, "mockllm/model");
    assert_eq!(two.split.as_deref(), Some("static"));
    assert_eq!(two.extra["key_date"], "1948");
    assert_eq!(two.run_id.as_deref(), Some("j9ktdzuRzWAteX3FnGrivL"));
}

#[test]
fn odd_samples_are_read_as_what_they_are() {
    let Some(folder) = logs() else { return };
    let kept = open(&folder.join("edge.eval"), Some(NO));

    let failed = kept.get("a/b c é", 1);
    assert_eq!(State::of_attempt(failed), State::Error);
    assert_eq!((failed.correct, failed.answer.as_deref()), (None, None));
    let error = failed.error.as_ref().unwrap();
    assert_eq!(error.kind, "RuntimeError");
    assert_eq!(error.message, "RuntimeError('boom | pipe\\nnewline')");

    let list = kept.get("7", 1);
    assert_eq!(list.question.as_deref(), Some("list input, int id"));
    assert_eq!(list.references.as_deref(), Some(&["x".to_owned(), "y".to_owned()][..]));
    // Graded by the log's first scorer, which keeps several values; the NaN of another hides nothing.
    assert_eq!(list.extra["scorer"], "dictscore");
    assert_eq!((list.correct, list.confidence), (Some(false), Some(0.7)));
    assert_eq!(list.extra["scores"]["nanscore"]["value"], serde_json::Value::Null);
    assert!(list.extra["scores"].get("maybe").is_none());

    let text = kept.get("zwj", 1);
    assert_eq!(
        text.question.as_deref(),
        Some(
            "👩\u{200d}👩\u{200d}👧 emoji, 東京, e\u{301} combining, RTL שלום, tab\there, \u{1b}[31mANSI\u{1b}[0m"
        )
    );
    assert!(text.raw.as_deref().unwrap().starts_with("東京 | pipe \u{1b}[31mred\u{1b}[0m long"));

    let bare = kept.get("4", 1);
    assert_eq!(bare.references, None);
    assert_eq!(bare.extra["choices"], serde_json::json!(["A|B", "C"]));
}

#[test]
fn an_edited_score_keeps_its_history() {
    let Some(folder) = logs() else { return };
    let kept = open(&folder.join("edited.eval"), Some(NO));
    let score = &kept.get("zwj", 1).extra["scores"]["includes"];
    assert_eq!((&score["value"], &score["explanation"]), (&"I".into(), &"human override".into()));
    let history = score["history"].as_array().unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!(history[0]["value"], "C");
    assert_eq!(history[1]["value"], "I");
    assert_eq!(history[1]["answer"], history[0]["answer"]);
    assert_eq!(history[1]["metadata"], history[0]["metadata"]);
    assert_eq!(history[1]["provenance"]["author"], "me");
    assert_eq!(history[1]["provenance"]["reason"], "gold wrong");
    assert!(!serde_json::to_string(score).unwrap().contains("UNCHANGED"));
}

#[test]
fn a_killed_log_shows_what_was_done() {
    let Some(folder) = logs() else { return };
    let kept = open(&folder.join("partial_killed.eval"), Some(WITH));
    let ids: Vec<_> = kept.attempts.iter().map(|a| a.question_id.as_str()).collect();
    assert_eq!(ids, ["q0", "q1", "q2", "q3"]);
    assert!(kept.attempts.iter().all(|a| a.condition == WITH && a.answer.as_deref() == Some("ok")));
    assert_eq!(kept.attempts[0].run_id.as_deref(), Some("jsrXHVg6sVFW5ar5pUgdmw"));
    assert!(kept.problems[0].message.contains("4 of 6 samples"), "{}", kept.problems[0]);
}

#[test]
fn files_of_other_programs_are_not_taken_for_logs() {
    let Some(folder) = super::common::beside("") else { return };
    let mut looked = 0;
    for path in super::common::files_below(&folder, "") {
        let inspect = path.components().any(|c| c.as_os_str() == "inspect");
        if !inspect && path.is_file() && std::fs::metadata(&path).unwrap().len() > 0 {
            looked += 1;
            let mut bytes = Vec::new();
            std::fs::File::open(&path).unwrap().take(64 << 10).read_to_end(&mut bytes).unwrap();
            let head = Head { bytes: &bytes, len: bytes.len() as u64, path: &path };
            assert!(!inspect_format().recognises(&head), "{}", path.display());
        }
    }
    println!("{looked} files looked at");
}

fn inspect_format() -> &'static dyn Format {
    ALL.iter().copied().find(|f| f.name() == "Inspect log").unwrap()
}

#[test]
fn a_log_that_does_not_say_how_it_was_made_is_asked_about() {
    let Some(folder) = logs() else { return };
    for name in ["edge.eval", "partial_killed.eval"] {
        let path = folder.join(name);
        let kept = open(&path, None);
        assert!(kept.attempts.is_empty());
        let [only] = &kept.errors()[..] else { panic!("{:?}", kept.problems) };
        assert!(only.contains(&format!("--as no_search={}", path.display())), "{only}");
        assert!(only.contains(&format!("--as with_search={}", path.display())), "{only}");
        assert!(only.contains("its 4 samples"), "{only}");
    }
}

#[test]
fn a_log_without_and_one_with_search_make_pairs() {
    let Some(folder) = logs() else { return };
    let inputs = ["nosearch.eval", "search.eval"].map(|name| Input::Path(folder.join(name))).to_vec();
    let store = Store::open(inputs, OpenOptions::default(), || {});
    let table = store.wait();
    assert_eq!(table.problems.list, []);
    assert_eq!((table.attempts.len(), table.questions.len(), table.pairs.len()), (12, 3, 6));
    let mut found: Vec<_> = table
        .pairs
        .iter()
        .map(|pair| {
            let id = table.question_texts.part(pair.question, 0).unwrap().to_owned();
            (id, pair.attempt, table.calls(pair), pair.transitions.map(Transition::name))
        })
        .collect();
    found.sort();
    // By hand from the scores: the first question was right twice without search and wrong, then right with it; the
    // second wrong, then right, and right twice; the third wrong twice, and right twice. The answers compared by
    // any other scorer say the same.
    let expected = [
        ("e3l4q5d2", 1, "corrected"),
        ("e3l4q5d2", 2, "preserved"),
        ("u0001", 1, "corrected"),
        ("u0001", 2, "corrected"),
        ("z3u6q8b6", 1, "broken"),
        ("z3u6q8b6", 2, "preserved"),
    ];
    let expected: Vec<_> =
        expected.iter().map(|(id, n, name)| ((*id).to_owned(), *n, Some(1), [*name; 4])).collect();
    assert_eq!(found, expected);
}

#[test]
fn the_store_shows_a_log_as_the_user_named_it() {
    let Some(folder) = logs() else { return };
    let path = folder.join("edge.eval");
    let open = |conditions| {
        let options = OpenOptions { conditions, ..OpenOptions::default() };
        let store = Store::open(vec![Input::Path(path.clone())], options, || {});
        (store.wait(), store.reader())
    };
    let (table, _) = open(Vec::new());
    assert_eq!((table.attempts.len(), table.problems.errors), (0, 1));

    let (table, reader) = open(vec![(NO, path.clone())]);
    assert_eq!((table.attempts.len(), table.problems.errors), (4, 0));
    let all: Vec<_> = (0..4).map(|n| reader.attempt(&table, n).unwrap()).collect();
    assert!(all.iter().all(|a| a.condition == NO));
    // Ids are what the samples say, slashes and spaces and all; text is made visible.
    assert_eq!(all.iter().map(|a| a.question_id.as_str()).collect::<Vec<_>>(), ["a/b c é", "7", "zwj", "4"]);
    let question = all[2].question.as_deref().unwrap();
    assert!(question.contains("👩\u{200d}👩\u{200d}👧") && question.contains("␛[31mANSI"), "{question}");
    let verdicts: Vec<_> = table.attempts.iter().map(|a| a.verdict(Scorer::Recorded)).collect();
    assert_eq!(verdicts, [Verdict::Error, Verdict::Wrong, Verdict::Right, Verdict::Right]);
}

/// A log of a run that has come so far.
fn going_on(samples: usize, done: bool) -> Vec<u8> {
    let head = serde_json::json!({"version": 2, "status": "success", "eval": {"run_id": "r", "task": "qa_search",
        "model": "m/x", "dataset": {"sample_ids": ["q0", "q1", "q2"]}}, "plan": {"steps": []}});
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut member = |name: String, value: serde_json::Value| {
        zip.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(value.to_string().as_bytes()).unwrap();
    };
    let mut start = head.clone();
    start.as_object_mut().unwrap().remove("status");
    member("_journal/start.json".to_owned(), start);
    for n in 0..samples {
        let sample = serde_json::json!({"id": format!("q{n}"), "epoch": 1, "input": "Who?", "target": "Ada",
            "output": {"choices": [{"message": {"role": "assistant", "content": "Ada"}, "stop_reason": "stop"}]}});
        member(format!("samples/q{n}_epoch_1.json"), sample);
    }
    if done {
        member("header.json".to_owned(), head);
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_log_that_is_being_written_is_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.eval");
    std::fs::write(&path, going_on(1, false)).unwrap();
    let (told, news) = std::sync::mpsc::channel();
    let options = OpenOptions { follow: true, ..OpenOptions::default() };
    // Once the test is over nobody listens.
    let store =
        Store::open(vec![Input::Path(path.clone())], options, move || told.send(()).unwrap_or_default());
    let table = store.wait();
    assert_eq!(table.attempts.len(), 1);
    assert!(
        table.problems.list.iter().any(|p| p.message.contains("1 of 3 samples")),
        "{:?}",
        table.problems.list
    );

    std::fs::write(&path, going_on(3, true)).unwrap();
    store.look();
    let mut table = store.table();
    while table.attempts.len() < 3 || !table.progress.done {
        news.recv_timeout(std::time::Duration::from_secs(60)).expect("the store to tell of the change");
        table = store.table();
    }
    assert_eq!((table.attempts.len(), table.pairs.len()), (3, 3));
    assert!(
        !table.problems.list.iter().any(|p| p.message.contains("of 3 samples")),
        "{:?}",
        table.problems.list
    );
}
