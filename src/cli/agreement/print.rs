//! Agreement as a table, Markdown and JSON.

use std::collections::HashMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::figures::{or_none, three};
use crate::review::{Agreement, Both, Codebook, Coding, Coefficient, Comparison};
use crate::text::{inline, sanitize_line, several, truncate};

use super::super::grid::Grid;
use super::Raters;

/// Cells of a question in a table.
const TEXT: usize = 60;

fn name<'s>(book: &'s Codebook, code: &'s str) -> &'s str {
    book.get(code).map_or(code, |c| &c.name)
}

fn coefficient(found: Option<Coefficient>) -> String {
    found.map_or_else(
        || or_none(None, three),
        |c| {
            let (low, high) = c.interval();
            format!("{} [{} {}]", three(c.value), three(low), three(high))
        },
    )
}

fn figures(found: &Comparison<'_>, book: &Codebook) -> Grid {
    let head = ["on", "rows", "alike", "agreement", "kappa", "AC1"].map(str::to_owned).to_vec();
    let row = |on: &str, a: &Agreement| {
        vec![
            on.to_owned(),
            a.n.to_string(),
            a.alike.to_string(),
            or_none(a.raw(), three),
            coefficient(a.kappa),
            coefficient(a.ac1),
        ]
    };
    let mut rows = vec![row("primary code", &found.primary)];
    rows.extend(found.codes.iter().map(|(code, a)| row(name(book, code), a)));
    Grid { head, rows, left: 1 }
}

fn codes(coding: Coding<'_>, book: &Codebook) -> String {
    let today = |id: &str| name(book, book.today(id, coding.codebook())).to_owned();
    let primary = coding.primary();
    let others = coding.codes().into_iter().skip(usize::from(primary.is_some())).map(today);
    let all: Vec<String> = primary.map(today).into_iter().chain(others).collect();
    if all.is_empty() { "no code".to_owned() } else { all.join(", ") }
}

fn facts(found: &Comparison<'_>, raters: &Raters) -> Vec<String> {
    let mut lines = vec![format!(
        "{} coded by both; {} by the first alone, {} by the second alone",
        several(found.both.len(), "row"),
        found.alone.0,
        found.alone.1
    )];
    if found.other_answer > 0 {
        let n = several(found.other_answer, "row");
        lines.push(format!("{n} left out: they coded different answers of it"));
    }
    if found.settled() > 0 {
        lines.push(format!("{} settled since, by a coding in view of both", several(found.settled(), "row")));
    }
    for (which, (name, file)) in ["first", "second"].iter().zip(raters.names.iter().zip(&raters.files)) {
        lines.push(format!("{which}: {name} ({file})"));
    }
    lines
}

fn question<'q>(both: &Both<'_>, questions: &'q HashMap<String, String>) -> &'q str {
    questions.get(&both.key.question_id).map_or("", String::as_str)
}

pub(super) fn table(
    found: &Comparison<'_>,
    book: &Codebook,
    raters: &Raters,
    questions: &HashMap<String, String>,
) -> String {
    let mut out = String::new();
    for line in facts(found, raters) {
        let _ = writeln!(out, "{}", sanitize_line(&line));
    }
    let _ = write!(out, "\n{}", figures(found, book).text());
    let settle: Vec<&Both<'_>> = found.disagreements().collect();
    if !settle.is_empty() {
        let _ = writeln!(out, "\nto settle: {}", several(settle.len(), "row"));
        let mut head: Vec<String> = ["id", "model", "attempt", "first", "second"].map(str::to_owned).to_vec();
        if !questions.is_empty() {
            head.push("question".to_owned());
        }
        let left = head.len();
        let row = |b: &&Both<'_>| {
            let mut row = vec![
                b.key.question_id.clone(),
                b.key.model.clone(),
                b.key.attempt.to_string(),
                codes(b.first, book),
                codes(b.second, book),
            ];
            if !questions.is_empty() {
                row.push(truncate(question(b, questions), TEXT).into_owned());
            }
            row
        };
        out.push_str(&Grid { head, rows: settle.iter().map(row).collect(), left }.text());
    }
    out
}

pub(super) fn markdown(
    found: &Comparison<'_>,
    book: &Codebook,
    raters: &Raters,
    questions: &HashMap<String, String>,
) -> String {
    let mut out = String::from("# Agreement of two people\n\n");
    for line in facts(found, raters) {
        let _ = writeln!(out, "- {}", inline(&line));
    }
    let _ = write!(out, "\n{}", figures(found, book).markdown());
    let settle: Vec<&Both<'_>> = found.disagreements().collect();
    let _ = writeln!(out, "\n## To settle: {}", several(settle.len(), "row"));
    for both in settle {
        let _ = writeln!(out, "\n### {}\n", inline(&both.key.to_string()));
        let text = question(both, questions);
        if !text.is_empty() {
            let _ = writeln!(out, "{}\n", inline(text));
        }
        for (name, coding) in raters.names.iter().zip([both.first, both.second]) {
            let _ = writeln!(out, "- {}: **{}**", inline(name), inline(&codes(coding, book)));
            for line in coding.note().trim().lines() {
                let _ = writeln!(out, "  > {}", inline(line));
            }
        }
    }
    out
}

pub(super) fn to_json(
    found: &Comparison<'_>,
    book: &Codebook,
    raters: &Raters,
    questions: &HashMap<String, String>,
) -> Value {
    let coefficient = |c: Option<Coefficient>| {
        c.map(|c| {
            let (low, high) = c.interval();
            json!({"value": c.value, "error": c.error, "interval95": [low, high]})
        })
    };
    let agreement = |a: &Agreement| {
        json!({
            "rows": a.n, "alike": a.alike, "raw": a.raw(),
            "kappa": coefficient(a.kappa), "ac1": coefficient(a.ac1),
        })
    };
    let code = |(id, a): &(String, Agreement)| {
        let mut value = agreement(a);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("code".to_owned(), json!(id));
            fields.insert("name".to_owned(), json!(name(book, id)));
        }
        value
    };
    let side = |c: Coding<'_>| {
        let today: Vec<&str> = c.codes().into_iter().map(|id| book.today(id, c.codebook())).collect();
        let primary = c.primary().map(|id| book.today(id, c.codebook()));
        json!({"by": c.entry.by, "primary": primary, "codes": today, "note": c.note()})
    };
    let settle: Vec<Value> = found
        .disagreements()
        .map(|b| {
            let text = question(b, questions);
            json!({
                "question_id": b.key.question_id, "model": b.key.model, "condition": b.key.on.name(),
                "attempt": b.key.attempt, "question": (!text.is_empty()).then_some(text),
                "first": side(b.first), "second": side(b.second),
            })
        })
        .collect();
    let rater = |at: usize| json!({"name": raters.names.get(at), "notes": raters.files.get(at)});
    json!({
        "first": rater(0),
        "second": rater(1),
        "codebook": book.version,
        "rows": {
            "both": found.both.len(), "first_alone": found.alone.0, "second_alone": found.alone.1,
            "other_answer": found.other_answer, "settled": found.settled(),
        },
        "primary": agreement(&found.primary),
        "codes": found.codes.iter().map(code).collect::<Vec<_>>(),
        "disagreements": settle,
    })
}
