//! The JSON Schemas are true of what ships and of what is written.

use std::path::Path;

use serde_json::{Value, json};

use super::common::{beside, files_below, root};

/// A schema of `data/schema`, itself checked, ready to judge.
pub(crate) fn validator(name: &str) -> jsonschema::Validator {
    let path = root().join("data/schema").join(format!("{name}.schema.json"));
    let schema: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap_or_else(|e| panic!("{name}: {e}"));
    jsonschema::draft202012::new(&schema).unwrap()
}

/// Judges every line of a file; returns how many there were.
fn every_line(path: &Path, schema: &str) -> usize {
    let validator = validator(schema);
    let text = std::fs::read_to_string(path).unwrap();
    for (at, line) in text.lines().enumerate() {
        let value: Value = serde_json::from_str(line).unwrap();
        let faults: Vec<String> =
            validator.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path)).collect();
        assert!(faults.is_empty(), "{}:{}: {}", path.display(), at + 1, faults.join("; "));
    }
    text.lines().count()
}

#[test]
fn questions_that_ship_are_valid() {
    for path in files_below(&root().join("data"), ".jsonl") {
        assert!(every_line(&path, "question") > 0, "{}", path.display());
    }
}

#[test]
fn results_that_ship_are_valid() {
    for path in files_below(&root().join("results"), ".jsonl") {
        assert!(every_line(&path, "attempt") > 0, "{}", path.display());
    }
}

#[test]
fn golden_attempts_are_valid() {
    for name in ["golden/haiku.results.jsonl", "golden/edge.results.jsonl"] {
        if let Some(path) = beside(name) {
            assert!(every_line(&path, "attempt") > 0, "{name}");
        }
    }
}

#[test]
fn attempts_that_the_program_writes_are_valid() {
    use lookitup::record::{Attempt, Citation, ErrorInfo, SCHEMA, SearchCall, SearchResult, Step};
    let validator = validator("attempt");
    let bare = Attempt { schema: SCHEMA.into(), question_id: "q".into(), ..Attempt::default() };
    let full = Attempt {
        search_calls: vec![SearchCall {
            n: 1,
            query: Some("q".into()),
            queries: vec!["q".into()],
            results: vec![SearchResult { url: "https://example.org".into(), ..SearchResult::default() }],
            ..SearchCall::default()
        }],
        citations: vec![Citation::default()],
        error: Some(ErrorInfo { kind: "timeout".into(), message: "after 60 s".into() }),
        steps: vec![Step { round: 1, kind: "answer".into(), ..Step::default() }],
        confidence: Some(1.0),
        cost_usd: Some(0.01),
        latency_ms: Some(1.5),
        attempt: 2,
        ..bare.clone()
    };
    for attempt in [Attempt { attempt: 1, ..bare }, full] {
        let value = serde_json::to_value(&attempt).unwrap();
        if let Err(e) = validator.validate(&value) {
            panic!("{e}: {value}");
        }
    }
}

#[test]
fn schemas_refuse_what_is_wrong() {
    let attempt = validator("attempt");
    let good = json!({"schema": "lookitup.attempt/1", "question_id": "a", "model": "m", "condition": "no_search",
                      "answer": null});
    assert!(attempt.is_valid(&good));
    for (field, value) in [
        ("condition", json!("maybe")),
        ("confidence", json!(1.2)),
        ("attempt", json!(0)),
        ("schema", json!("x/9")),
    ] {
        let mut bad = good.clone();
        bad[field] = value;
        assert!(!attempt.is_valid(&bad), "{field}");
    }
    assert!(!validator("question").is_valid(&json!({"id": "a"})));
}

#[test]
fn the_schema_of_printed_figures_is_that_of_its_reader() {
    let text = serde_json::to_string_pretty(&lookitup::check::published::schema()).unwrap() + "\n";
    super::config::is_committed("data/schema/tables.schema.json", &text);
    let schema = validator("tables");
    let json = |text: &str| serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    let paper = std::fs::read_to_string(root().join("data/paper.toml")).unwrap();
    schema.validate(&json(&paper)).unwrap_or_else(|e| panic!("data/paper.toml: {e}"));
    assert!(!schema.is_valid(&json(&paper.replace("half_width_with ", "half_width "))));
    assert!(!schema.is_valid(&json(&paper.replace("0.523", "52.3"))));
}
