//! A pair for scripts: one JSON object, or named values for CSV.

use serde_json::{Map, Value, json};

use crate::record::{Attempt, Condition, Group, Scorer, Transition};
use crate::store::{AttemptRow, Bundle, NO, PairRow, Table};

use super::Column;
use super::cell::dconf;

/// `harmful`, `beneficial`, or `None` where search was not used or cannot be judged.
pub const fn outcome(transition: Transition) -> Option<&'static str> {
    match transition.group() {
        Some(Group::Harmful) => Some("harmful"),
        Some(Group::Beneficial) => Some("beneficial"),
        None => None,
    }
}

/// Where a pair's answers come from; a simulated or replayed side names the whole pair.
pub fn source(table: &Table, pair: u32) -> Option<&str> {
    source_word(table, table.pairs.get(pair as usize)?)
}

pub(super) fn source_word<'t>(table: &'t Table, row: &PairRow) -> Option<&'t str> {
    let words = || {
        Condition::ALL
            .into_iter()
            .rev()
            .filter_map(|c| table.side(row, c))
            .filter_map(|a| table.names.sources.word(a.source))
    };
    words().find(|w| crate::record::is_made_up(w)).or_else(|| words().next())
}

/// The object that `lookitup list --format jsonl` prints for a pair. Its names are a promise: more may come, none
/// goes. `None` when the table has no such pair.
pub fn row_json(table: &Table, pair: u32, bundle: &Bundle, scorer: Scorer) -> Option<Value> {
    let row = table.pairs.get(pair as usize)?;
    let transition = row.transitions.get(scorer as usize).copied().unwrap_or_default();
    let names = &table.names;
    let mut out = Map::new();
    let mut put = |key: &str, value: Value| out.insert(key.to_owned(), value);
    put("question_id", json!(bundle.question.id));
    put("split", json!(names.splits.word(table.split(row))));
    put("question", json!(bundle.question.question));
    put("references", json!(bundle.question.references));
    put("model", json!(names.models.word(row.model)));
    put("run", json!(names.runs.word(row.run)));
    put("attempt", json!(row.attempt));
    put("transition", json!(transition.name()));
    put("outcome", json!(outcome(transition)));
    let no = table.side(row, Condition::NoSearch);
    let with = table.side(row, Condition::WithSearch);
    put("dconf", json!(dconf(no, with)));
    put("calls", json!(with.map(|a| calls(a, full(bundle, Condition::WithSearch)))));
    put("no", side_json(no, full(bundle, Condition::NoSearch), scorer));
    put("with", side_json(with, full(bundle, Condition::WithSearch), scorer));
    if let Some(blocked) = table.side(row, Condition::EvidenceBlocked) {
        put("blocked", side_json(Some(blocked), full(bundle, Condition::EvidenceBlocked), scorer));
    }
    put("source", json!(source_word(table, row)));
    Some(Value::Object(out))
}

/// A pair with its attempts whole, as `lookitup show --format json` prints it.
pub fn pair_json(table: &Table, pair: u32, bundle: &Bundle, scorer: Scorer) -> Value {
    let Some(row) = table.pairs.get(pair as usize) else { return Value::Null };
    let transition = row.transitions.get(scorer as usize).copied().unwrap_or_default();
    let side = |condition: Condition| match full(bundle, condition) {
        None => Value::Null,
        Some(attempt) => {
            let verdict = table.side(row, condition).map(|a| a.verdict(scorer).name());
            let mut value = json!(attempt);
            if let Value::Object(fields) = &mut value {
                fields.insert("verdict".to_owned(), json!(verdict));
            }
            value
        }
    };
    let mut out = json!({
        "model": table.names.models.word(row.model),
        "run": table.names.runs.word(row.run),
        "attempt": row.attempt,
        "transition": transition.name(),
        "outcome": outcome(transition),
        "dconf": dconf(table.side(row, Condition::NoSearch), table.side(row, Condition::WithSearch)),
        "source": source_word(table, row),
        "no": side(Condition::NoSearch),
        "with": side(Condition::WithSearch),
    });
    if let (Value::Object(fields), blocked @ Value::Object(_)) = (&mut out, side(Condition::EvidenceBlocked))
    {
        fields.insert("blocked".to_owned(), blocked);
    }
    out
}

/// A pair and its question as one JSON text, for copies.
pub fn bundle_json(table: &Table, pair: u32, bundle: &Bundle, scorer: Scorer) -> String {
    let pair = pair_json(table, pair, bundle, scorer);
    format!("{:#}", json!({ "question": *bundle.question, "scorer": scorer.name(), "pairs": [pair] }))
}

fn full(bundle: &Bundle, condition: Condition) -> Option<&Attempt> {
    bundle.sides.get(condition as usize)?.as_deref()
}

/// Calls as the record has them: the table counts no further than 255.
fn calls(side: &AttemptRow, full: Option<&Attempt>) -> usize {
    full.map_or(usize::from(side.calls), Attempt::calls)
}

/// One side; `null` when that condition was not asked.
fn side_json(side: Option<&AttemptRow>, full: Option<&Attempt>, scorer: Scorer) -> Value {
    let Some(side) = side else { return Value::Null };
    let verdict = side.verdict(scorer);
    json!({
        "answer": full.and_then(|a| a.answer.as_deref()),
        "confidence": side.confidence(),
        "correct": verdict.correct(),
        "verdict": verdict.name(),
        "calls": calls(side, full),
        "error": full.and_then(|a| a.error.as_ref()),
    })
}

/// A column as named plain values, the names those of [`Column::field_names`].
///
/// Texts are whole, numbers unrounded (confidence 0–1, milliseconds, US dollars), missing values `null`.
pub fn fields(
    table: &Table,
    pair: u32,
    bundle: &Bundle,
    column: Column,
    scorer: Scorer,
) -> impl Iterator<Item = (&'static str, Value)> {
    column.field_names().iter().copied().zip(values(table, pair, bundle, column, scorer))
}

fn values(table: &Table, pair: u32, bundle: &Bundle, column: Column, scorer: Scorer) -> Vec<Value> {
    let Some(row) = table.pairs.get(pair as usize) else { return Vec::new() };
    let question = table.questions.get(row.question as usize);
    let names = &table.names;
    let no = table.side(row, Condition::NoSearch);
    let with = table.side(row, Condition::WithSearch);
    let two = |value: &dyn Fn(&AttemptRow) -> Value| {
        vec![no.map_or(Value::Null, value), with.map_or(Value::Null, value)]
    };
    let answer = |c| json!(full(bundle, c).and_then(|a| a.answer.as_deref()));
    let one = match column {
        Column::Transition => {
            let t = row.transitions.get(scorer as usize).copied().unwrap_or_default();
            return vec![json!(t.name()), json!(outcome(t))];
        }
        Column::Conf => return two(&|a| json!(a.confidence())),
        Column::Latency => return two(&|a| known(a.latency_ms)),
        Column::Cost => return two(&|a| json!(a.cost_usd())),
        Column::Tokens => return two(&|a| known(a.tokens)),
        Column::Verdict => return two(&|a| json!(a.verdict(scorer).name())),
        Column::Error => return two(&|a| json!(names.errors.word(a.error))),
        Column::Id => json!(bundle.question.id),
        Column::Question => json!(bundle.question.question),
        Column::References => json!(bundle.question.references),
        Column::AnswerNo => answer(Condition::NoSearch),
        Column::AnswerWith => answer(Condition::WithSearch),
        Column::Dconf => json!(dconf(no, with)),
        Column::Calls => json!(with.map(|a| calls(a, full(bundle, Condition::WithSearch)))),
        Column::Model => json!(names.models.word(row.model)),
        Column::Run => json!(names.runs.word(row.run)),
        Column::Split => json!(names.splits.word(table.split(row))),
        Column::Topic => json!(question.and_then(|q| names.topics.word(q.topic))),
        Column::KeyDate => json!(question.and_then(|q| names.key_dates.word(q.key_date))),
        Column::Attempt => json!(row.attempt),
        Column::Source => json!(source_word(table, row)),
        Column::Codes => {
            json!(table.marks.get(pair).map(|m| m.codes.iter().map(|c| &**c).collect::<Vec<_>>()))
        }
        Column::Note => json!(table.marks.get(pair).map(|m| &*m.note).filter(|n| !n.is_empty())),
    };
    vec![one]
}

fn known(n: u32) -> Value {
    if n == NO { Value::Null } else { json!(n) }
}
