//! What a log says of itself: the run, the model, the scorers.

use serde_json::{Map, Value};

use super::parts::Parts;

/// The parts of a log's header that its samples need.
#[derive(Debug, Default)]
pub(super) struct Header {
    pub(super) run_id: Option<String>,
    pub(super) task: Option<String>,
    pub(super) model: String,
    pub(super) created: Option<String>,
    /// `success`, `error`, `cancelled`, `started`; none in a log that was killed.
    pub(super) status: Option<String>,
    pub(super) tags: Vec<String>,
    pub(super) metadata: Map<String, Value>,
    pub(super) task_args: Map<String, Value>,
    /// The steps of the plan: each solver's name and parameters.
    pub(super) steps: Vec<(String, Value)>,
    /// Settings of the model, of the plan and of requests: where a search may hide that is no tool.
    pub(super) settings: Vec<Value>,
    /// Names of scorers; the first one's verdict is the recorded one.
    pub(super) scorers: Vec<String>,
    /// Ids in the order of the data set.
    pub(super) sample_ids: Vec<String>,
    /// Samples planned: questions times epochs.
    pub(super) planned: Option<u64>,
    /// Whether somebody declared the whole log invalid.
    pub(super) invalidated: bool,
}

impl Header {
    /// Reads the members of `header.json`, of `_journal/start.json`, or of a log in one piece. Whatever is missing is
    /// left empty.
    pub(super) fn of(log: &Parts<'_>) -> Self {
        let eval = log.text("eval").and_then(|e| Parts::of(e).ok()).unwrap_or_default();
        let plan = log.text("plan").and_then(|p| Parts::of(p).ok()).unwrap_or_default();
        let mut scorers: Vec<String> = names(&eval.value("scorers"), "name");
        if scorers.is_empty() {
            let results = log.text("results").and_then(|r| Parts::of(r).ok()).unwrap_or_default();
            scorers = names(&results.value("scores"), "scorer");
        }
        let mut tags = names(&eval.value("tags"), "");
        tags.extend(
            names(&log.value("tags"), "").into_iter().filter(|t| !tags.contains(t)).collect::<Vec<_>>(),
        );
        // The log's own metadata is the current one, the spec's what the run began with.
        let mut metadata = object(eval.value("metadata"));
        metadata.extend(object(log.value("metadata")));
        let dataset = eval.value("dataset");
        let sample_ids: Vec<String> = names(dataset.get("sample_ids").unwrap_or(&Value::Null), "");
        let epochs = eval.value("config").get("epochs").and_then(Value::as_u64).unwrap_or(1).max(1);
        let planned = match sample_ids.len() as u64 {
            0 => dataset.get("samples").and_then(Value::as_u64),
            n => Some(n),
        };
        Self {
            run_id: eval.string("run_id"),
            task: eval.string("task"),
            model: eval.string("model").unwrap_or_default(),
            created: eval.string("created"),
            status: log.string("status"),
            tags,
            metadata,
            task_args: object(eval.value("task_args")),
            steps: steps(&plan.value("steps")),
            settings: vec![
                eval.value("model_args"),
                eval.value("model_generate_config"),
                plan.value("config"),
            ],
            scorers,
            sample_ids,
            planned: planned.map(|n| n.saturating_mul(epochs)),
            invalidated: log.value("invalidated") == Value::Bool(true),
        }
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// The strings (or numbers) of a list, or those under a name in its objects.
fn names(list: &Value, name: &str) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(|v| word(v.get(name).unwrap_or(v))).collect()
}

/// An id or a word: a string, or a number as its digits.
pub(super) fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        _ => None,
    }
}

fn steps(list: &Value) -> Vec<(String, Value)> {
    list.as_array()
        .into_iter()
        .flatten()
        .map(|step| {
            let solver = step.get("solver").and_then(Value::as_str).unwrap_or_default().to_owned();
            (solver, step.get("params").cloned().unwrap_or(Value::Null))
        })
        .collect()
}
