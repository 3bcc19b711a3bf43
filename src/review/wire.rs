//! A line of a notes file as JSON: written in one order, read tolerantly, unknown fields kept.

use jiff::Timestamp;
use serde_json::{Map, Value};

use crate::record::Verdict;

use super::entry::{Act, Entry, Key, NOTE_SCHEMA, On, Refused, SlotKind};

pub(super) fn write(entry: &Entry) -> Value {
    let mut out = Map::new();
    let mut put = |name: &str, value: Value| {
        out.insert(name.to_owned(), value);
    };
    let text = |s: &str| Value::String(s.to_owned());
    put("schema", text(NOTE_SCHEMA));
    put("id", text(&entry.id));
    put("prev", entry.prev.as_deref().map_or(Value::Null, text));
    put("at", Value::String(format!("{:.3}", entry.at)));
    put("by", text(&entry.by));
    put("kind", text(entry.act.name()));
    put("question_id", text(&entry.key.question_id));
    if entry.key.on != On::Question {
        put("model", text(&entry.key.model));
    }
    put("condition", text(entry.key.on.name()));
    if entry.key.on != On::Question {
        put("attempt", entry.key.attempt.into());
        if !entry.key.run.is_empty() {
            put("run_id", text(&entry.key.run));
        }
        put("answer_hash", text(&entry.answer));
    }
    match &entry.act {
        Act::Coded { primary, others, note, codebook, settles } => {
            put("primary", primary.as_deref().map_or(Value::Null, text));
            put("others", Value::Array(others.iter().map(|o| text(o)).collect()));
            put("note", text(note));
            put("codebook", (*codebook).into());
            if !settles.is_empty() {
                put("settles", Value::Array(settles.iter().map(|o| text(o)).collect()));
            }
        }
        Act::Deferred { note } => put("note", text(note)),
        Act::Cleared { what, undoes } => {
            put("what", text(what.name()));
            match what {
                SlotKind::Reference(reference) => put("reference", text(reference)),
                SlotKind::Mark(plan) => put("plan", text(plan)),
                SlotKind::Coding | SlotKind::Verdict => {}
            }
            put("undoes", undoes.as_deref().map_or(Value::Null, text));
        }
        Act::Verdict { verdict, reason } => {
            put("verdict", text(verdict.name()));
            put("reason", text(reason));
        }
        Act::Reference { text: reference, reason } => {
            put("reference", text(reference));
            put("reason", text(reason));
        }
        Act::Mark { plan, position, of } => {
            put("plan", text(plan));
            put("position", (*position).into());
            put("of", (*of).into());
        }
    }
    for (name, value) in &entry.extra {
        if !out.contains_key(name) {
            out.insert(name.clone(), value.clone());
        }
    }
    Value::Object(out)
}

/// The fields of a line, each taken once, so that what is left is unknown.
struct Fields(Map<String, Value>);

impl Fields {
    /// A text; `None` also for null.
    fn text(&mut self, name: &'static str) -> Result<Option<String>, Refused> {
        match self.0.shift_remove(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(s)) => Ok(Some(s)),
            // Ids that somebody's script wrote as numbers.
            Some(Value::Number(n)) => Ok(Some(n.to_string())),
            Some(_) => Err(Refused::Field(name)),
        }
    }

    fn need(&mut self, name: &'static str) -> Result<String, Refused> {
        self.text(name)?.filter(|s| !s.is_empty()).ok_or(Refused::Field(name))
    }

    fn or_empty(&mut self, name: &'static str) -> Result<String, Refused> {
        Ok(self.text(name)?.unwrap_or_default())
    }

    fn number(&mut self, name: &'static str, missing: u64) -> Result<u64, Refused> {
        match self.0.shift_remove(name) {
            None | Some(Value::Null) => Ok(missing),
            Some(value) => value.as_u64().ok_or(Refused::Field(name)),
        }
    }

    fn small(&mut self, name: &'static str, missing: u32) -> Result<u32, Refused> {
        u32::try_from(self.number(name, missing.into())?).map_err(|_| Refused::Field(name))
    }

    fn texts(&mut self, name: &'static str) -> Result<Vec<String>, Refused> {
        match self.0.shift_remove(name) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::String(one)) => Ok(vec![one]),
            Some(Value::Array(items)) => items
                .into_iter()
                .map(|item| match item {
                    Value::String(s) => Ok(s),
                    _ => Err(Refused::Field(name)),
                })
                .collect(),
            Some(_) => Err(Refused::Field(name)),
        }
    }
}

pub(super) fn read(line: &str) -> Result<Entry, Refused> {
    let fields: Map<String, Value> = serde_json::from_str(line).map_err(|_| Refused::NotJson)?;
    let mut fields = Fields(fields);
    let schema = fields.text("schema").ok().flatten().unwrap_or_default();
    if schema != NOTE_SCHEMA {
        return Err(Refused::Schema(schema));
    }
    let kind = fields.need("kind")?;
    let id = fields.need("id")?;
    let prev = fields.text("prev")?.filter(|p| !p.is_empty());
    let at: Timestamp = fields.need("at")?.parse().map_err(|_| Refused::Field("at"))?;
    let by = fields.or_empty("by")?;
    let question_id = fields.need("question_id")?;
    let on = match fields.text("condition")? {
        None => On::Pair,
        Some(word) => On::parse(&word).ok_or(Refused::Field("condition"))?,
    };
    let key = if on == On::Question {
        Key::question(question_id)
    } else {
        let attempt = fields.small("attempt", 1)?.max(1);
        let (model, run) = (fields.or_empty("model")?, fields.or_empty("run_id")?);
        Key { question_id, model, on, attempt, run, ..Key::default() }
    };
    let answer = if on == On::Question { String::new() } else { fields.or_empty("answer_hash")? };
    let act = act(&mut fields, &kind)?;
    Ok(Entry { id, prev, at, by, key, answer, act, extra: fields.0 })
}

fn act(fields: &mut Fields, kind: &str) -> Result<Act, Refused> {
    Ok(match kind {
        "coded" => Act::Coded {
            primary: fields.text("primary")?.filter(|p| !p.is_empty()),
            others: fields.texts("others")?,
            note: fields.or_empty("note")?,
            codebook: fields.small("codebook", 1)?,
            settles: fields.texts("settles")?,
        },
        "deferred" => Act::Deferred { note: fields.or_empty("note")? },
        "cleared" => {
            let what = match fields.or_empty("what")?.as_str() {
                "" | "coding" => SlotKind::Coding,
                "verdict" => SlotKind::Verdict,
                "reference" => SlotKind::Reference(fields.need("reference")?),
                "mark" => SlotKind::Mark(fields.need("plan")?),
                _ => return Err(Refused::Field("what")),
            };
            Act::Cleared { what, undoes: fields.text("undoes")?.filter(|u| !u.is_empty()) }
        }
        "verdict" => {
            let word = fields.need("verdict")?;
            let known = [Verdict::Right, Verdict::Wrong, Verdict::Ungraded];
            let verdict = known.into_iter().find(|v| v.name() == word).ok_or(Refused::Field("verdict"))?;
            Act::Verdict { verdict, reason: fields.or_empty("reason")? }
        }
        "reference" => Act::Reference { text: fields.need("reference")?, reason: fields.or_empty("reason")? },
        "mark" => Act::Mark {
            plan: fields.or_empty("plan")?,
            position: fields.number("position", 0)?,
            of: fields.number("of", 0)?,
        },
        other => return Err(Refused::Kind(other.to_owned())),
    })
}
