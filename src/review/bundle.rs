//! Coded rows for others: a spreadsheet, a Markdown bundle, JSON lines.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

use crate::record::{Attempt, Question, Transition, is_made_up};
use crate::text::{cell_text, inline, sanitize};

use super::codebook::Codebook;
use super::entry::{Act, Entry, Key};
use super::notes::Coding;
use super::state::Override;

/// A coded row with what it is about.
#[derive(Debug, Clone)]
pub struct Exported<'a> {
    /// The row.
    pub key: &'a Key,
    /// Its question.
    pub question: &'a Question,
    /// The attempt without search.
    pub no: Option<&'a Attempt>,
    /// The attempt with search.
    pub with: Option<&'a Attempt>,
    /// As graded.
    pub transition: Transition,
    /// As reviewed.
    pub reviewed: Transition,
    /// What was said of it; the act is coded or deferred. `None` for a row that was only judged, or whose question got
    /// an accepted answer.
    pub coding: Option<Coding<'a>>,
    /// Verdicts of people on its sides.
    pub verdicts: Vec<Override<'a>>,
    /// Accepted answers that people added to its question.
    pub added: Vec<&'a Entry>,
    /// Whether the answers are others than those that were coded.
    pub is_changed: bool,
    /// How many rows it stands for, in a sample.
    pub weight: Option<f64>,
}

impl Exported<'_> {
    /// Codes under their ids of today: the primary one, and the others.
    pub fn codes<'s>(&'s self, book: &'s Codebook) -> (Option<&'s str>, Vec<&'s str>) {
        let Some(coding) = &self.coding else { return (None, Vec::new()) };
        let today = |id: &'s str| book.today(id, coding.codebook());
        let primary = coding.primary();
        let mut others: Vec<&str> = Vec::new();
        for code in coding.codes().into_iter().skip(usize::from(primary.is_some())).map(today) {
            if !others.contains(&code) && primary.map(today) != Some(code) {
                others.push(code);
            }
        }
        (primary.map(today), others)
    }

    /// `coded`, `deferred`, or `reviewed` for a row without codes.
    pub const fn state(&self) -> &'static str {
        match &self.coding {
            Some(coding) if coding.is_deferred() => "deferred",
            Some(_) => "coded",
            None => "reviewed",
        }
    }

    /// Where its answers come from; one that no model gave names the whole row.
    fn source(&self) -> Option<&str> {
        let sources = || [self.with, self.no].into_iter().flatten().filter_map(|a| a.source.as_deref());
        sources().find(|s| is_made_up(s)).or_else(|| sources().next())
    }

    fn note(&self) -> &str {
        self.coding.map_or("", |c| c.note())
    }
}

const COLUMNS: [&str; 26] = [
    "question_id",
    "split",
    "question",
    "references",
    "model",
    "attempt",
    "transition",
    "reviewed",
    "answer",
    "confidence",
    "answer.with",
    "conf.with",
    "calls",
    "state",
    "primary",
    "others",
    "note",
    "codebook",
    "by",
    "at",
    "changed",
    "weight",
    "run",
    "overrides",
    "added",
    "source",
];

/// The rows as CSV with a head line. Texts that a spreadsheet would take for a formula begin with `'`.
pub fn to_csv(rows: &[Exported<'_>], book: &Codebook) -> String {
    let mut out = csv::Writer::from_writer(Vec::new());
    // Writing to memory cannot fail, and every record has as many fields as the head.
    let _ = out.write_record(COLUMNS);
    for row in rows {
        let _ = out.write_record(cells(row, book).iter().map(|cell| cell_text(&sanitize(cell)).into_owned()));
    }
    out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

fn cells(row: &Exported<'_>, book: &Codebook) -> [String; 26] {
    let answer = |a: Option<&Attempt>| a.and_then(|a| a.answer.clone()).unwrap_or_default();
    let number = |n: Option<f64>| n.map_or_else(String::new, |n| n.to_string());
    let (primary, others) = row.codes(book);
    let entry = row.coding.map(|c| c.entry);
    let coded = row.coding.filter(|c| !c.is_deferred());
    let version = coded.map_or_else(String::new, |c| c.codebook().to_string());
    [
        row.key.question_id.clone(),
        row.question.split.clone().unwrap_or_default(),
        row.question.question.clone(),
        row.question.references.join(" | "),
        row.key.model.clone(),
        row.key.attempt.to_string(),
        row.transition.name().to_owned(),
        row.reviewed.name().to_owned(),
        answer(row.no),
        number(row.no.and_then(|a| a.confidence)),
        answer(row.with),
        number(row.with.and_then(|a| a.confidence)),
        row.with.map_or_else(String::new, |a| a.calls().to_string()),
        row.state().to_owned(),
        primary.unwrap_or_default().to_owned(),
        others.join(" | "),
        row.note().to_owned(),
        version,
        entry.map_or_else(String::new, |e| e.by.clone()),
        entry.map_or_else(String::new, |e| format!("{:.3}", e.at)),
        row.is_changed.to_string(),
        number(row.weight),
        row.key.run.clone(),
        row.verdicts.iter().map(override_words).collect::<Vec<_>>().join(" | "),
        row.added.iter().map(|e| added_words(e)).collect::<Vec<_>>().join(" | "),
        row.source().unwrap_or_default().to_owned(),
    ]
}

fn added_words(entry: &Entry) -> String {
    let Act::Reference { text, reason } = &entry.act else { return String::new() };
    let reason = if reason.is_empty() { String::new() } else { format!(": {reason}") };
    format!("{text} by {}{reason}", entry.by)
}

fn override_words(found: &Override<'_>) -> String {
    let entry = found.entry;
    format!("{}: {} by {}: {}", entry.key.on.name(), found.verdict.name(), entry.by, found.reason)
}

/// The rows as JSON lines, an object each. The lines of the notes file are in them as they are written there.
pub fn to_jsonl(rows: &[Exported<'_>], book: &Codebook) -> String {
    let mut out = String::new();
    for row in rows {
        let side = |a: Option<&Attempt>| {
            a.map_or(
                Value::Null,
                |a| json!({"answer": a.answer, "confidence": a.confidence, "calls": a.calls()}),
            )
        };
        let (primary, others) = row.codes(book);
        let line = |entry: &Entry| serde_json::from_str(&entry.to_line()).unwrap_or(Value::Null);
        let mut object = Map::new();
        let fields = [
            ("question_id", json!(row.key.question_id)),
            ("split", json!(row.question.split)),
            ("question", json!(row.question.question)),
            ("references", json!(row.question.references)),
            ("model", json!(row.key.model)),
            ("attempt", json!(row.key.attempt)),
            ("run", json!((!row.key.run.is_empty()).then_some(&row.key.run))),
            ("transition", json!(row.transition.name())),
            ("reviewed", json!(row.reviewed.name())),
            ("no", side(row.no)),
            ("with", side(row.with)),
            ("state", json!(row.state())),
            ("primary", json!(primary)),
            ("others", json!(others)),
            ("note", json!(row.note())),
            ("changed", json!(row.is_changed)),
            ("weight", json!(row.weight)),
            ("line", row.coding.map_or(Value::Null, |c| line(c.entry))),
            ("overrides", Value::Array(row.verdicts.iter().map(|v| line(v.entry)).collect())),
            ("added", Value::Array(row.added.iter().map(|e| line(e)).collect())),
            ("source", json!(row.source())),
        ];
        object.extend(fields.map(|(name, value)| (name.to_owned(), value)));
        let _ = writeln!(out, "{}", Value::Object(object));
    }
    out
}

/// The rows as one Markdown page: how often each code is the primary one, then a section a row.
///
/// `body` gives a row's evidence as Markdown, with headings of the third level at most (`view::pair_markdown` has it).
pub fn to_markdown(
    title: &str,
    rows: &[Exported<'_>],
    book: &Codebook,
    body: impl Fn(&Exported<'_>) -> String,
) -> String {
    let mut out = format!("# {}\n\n{}, codebook version {}.\n", inline(title), counted(rows), book.version);
    let primary = |code: &str| rows.iter().filter(|r| r.codes(book).0 == Some(code)).count();
    let used: Vec<(&str, &str, usize)> = (book.codes.iter())
        .map(|c| (c.name.as_str(), c.definition.as_str(), primary(&c.id)))
        .filter(|(.., n)| *n > 0)
        .collect();
    if !used.is_empty() {
        out.push_str("\n| code | definition | rows |\n|---|---|---:|\n");
        for (name, definition, n) in used {
            let _ = writeln!(out, "| {} | {} | {n} |", inline(name), inline(definition));
        }
    }
    for row in rows {
        let name = |id: &str| inline(book.get(id).map_or(id, |c| &c.name));
        let _ = writeln!(out, "\n# {}\n", inline(&row.question.question));
        let _ = writeln!(out, "- row: {}", inline(&row.key.to_string()));
        let references: Vec<String> = row.question.references.iter().map(|r| inline(r)).collect();
        let _ = writeln!(out, "- references: {}", references.join(" · "));
        let (primary, others) = row.codes(book);
        let code = match primary {
            Some(code) => format!("**{}**", name(code)),
            None if row.coding.is_some_and(|c| c.is_deferred()) => "deferred".to_owned(),
            None => "none".to_owned(),
        };
        let _ = writeln!(out, "- code: {code}");
        if !others.is_empty() {
            let others: Vec<String> = others.iter().map(|c| name(c)).collect();
            let _ = writeln!(out, "- also: {}", others.join(", "));
        }
        if let Some(entry) = row.coding.map(|c| c.entry) {
            let _ = writeln!(out, "- by {}, {:.0}", inline(&entry.by), entry.at);
        }
        if row.is_changed {
            out.push_str("- **the answers changed since this was written**\n");
        }
        if row.reviewed != row.transition {
            let _ = writeln!(
                out,
                "- graded {}, reviewed **{}**",
                row.transition.name().replace('_', " "),
                row.reviewed.name().replace('_', " ")
            );
        }
        for verdict in &row.verdicts {
            let _ = writeln!(out, "- override, {}", inline(&override_words(verdict)));
        }
        for entry in &row.added {
            let _ = writeln!(out, "- accepted as well: {}", inline(&added_words(entry)));
        }
        let note = row.note().trim();
        if !note.is_empty() {
            out.push('\n');
            for line in note.lines() {
                let _ = writeln!(out, "> {}", inline(line));
            }
        }
        let body = body(row);
        if !body.trim().is_empty() {
            let _ = write!(out, "\n{}\n", body.trim_end());
        }
    }
    out
}

fn counted(rows: &[Exported<'_>]) -> String {
    let of = |state: &str| rows.iter().filter(|r| r.state() == state).count();
    let mut words = crate::text::several(of("coded"), "coded row");
    for state in ["deferred", "reviewed"] {
        match of(state) {
            0 => {}
            n => {
                let _ = write!(words, ", {n} {state}");
            }
        }
    }
    words
}

#[cfg(test)]
#[path = "bundle_tests.rs"]
mod tests;
