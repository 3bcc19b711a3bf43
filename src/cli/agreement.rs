//! `agreement`: how far two people who coded the same rows agree.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use serde_json::{Value, json};

use crate::figures::{or_none, three};
use crate::review::{Agreement, Both, Codebook, Coding, Coefficient, Comparison, Key, compare, locate};
use crate::text::{inline, sanitize_line, several, truncate};

use super::args::{InputArgs, JudgeArgs};
use super::grid::Grid;
use super::noted::{Noted, people};
use super::open::Opened;
use super::{Error, Io, exit};

/// Cells of a question or note in a table.
const TEXT: usize = 60;

/// `agreement`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct AgreementArgs {
    /// The notes of the first; its codebook is the one beside it
    #[arg(value_name = "NOTES_A", value_hint = ValueHint::FilePath)]
    pub first: PathBuf,
    /// The notes of the second [default: NOTES_A, of two people with --person]
    #[arg(value_name = "NOTES_B", value_hint = ValueHint::FilePath)]
    pub second: Option<PathBuf>,
    /// Results and questions, for the texts of the questions; none needed for the figures
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub paths: Vec<PathBuf>,
    /// The first and the second person, named twice; otherwise everybody in a file is one
    #[arg(long, value_name = "NAME", help_heading = "Notes")]
    pub person: Vec<String>,
    /// The codebook [default: codebook.toml beside NOTES_A, else the one that ships]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = "Notes")]
    pub codebook: Option<PathBuf>,
    /// How it is printed
    #[arg(long, value_name = "FORMAT", default_value = "table", value_enum, help_heading = "Output")]
    pub format: AgreementFormat,
}

const EXAMPLES: &str = "\
Examples:
  lookitup agreement ann.notes.jsonl bob.notes.jsonl
  lookitup agreement ann.notes.jsonl bob.notes.jsonl run.jsonl --format md > settle.md
  lookitup agreement run.notes.jsonl --person ann --person bob
  lookitup agreement run.notes.jsonl --person ann --person bob --format json | jq '.primary.kappa'
Rows count that both coded on the same answers; deferred ones do not. Kappa is Cohen's, AC1 is Gwet's, which holds on
rare codes where kappa does not; both with 95 % intervals for large samples.
Exit code: 0 done, 1 nobody of that name, 2 usage, 3 nothing could be read.";

/// How `agreement` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AgreementFormat {
    /// Columns for reading
    Table,
    /// A Markdown page
    #[value(alias = "markdown")]
    Md,
    /// One JSON object (data/schema/agreement.schema.json)
    Json,
}

/// Who is compared, as told.
struct Raters {
    names: [String; 2],
    files: [String; 2],
}

pub(super) fn run(args: &AgreementArgs, io: &mut Io) -> Result<u8, Error> {
    let by = match args.person.as_slice() {
        [] => None,
        [a, b] if a != b => Some((a.as_str(), b.as_str())),
        _ => return Err(Error::Usage("--person names two people: --person A --person B".to_owned())),
    };
    let first = Noted::read(&args.first, true, args.codebook.as_deref(), io)?;
    // The same bytes need no second reading, and no second list of what is wrong with them.
    let other = args.second.as_ref().filter(|b| !same_file(&args.first, b));
    let second = other.map(|b| Noted::read(b, true, args.codebook.as_deref(), io)).transpose()?;
    if second.is_none() && by.is_none() {
        let known: Vec<String> =
            people(first.notes()).iter().map(|p| sanitize_line(p).into_owned()).collect();
        return Err(Error::Usage(format!(
            "{} is one file: name two of its people with --person A --person B (there are: {})",
            first.path(),
            if known.is_empty() { "none".to_owned() } else { known.join(", ") }
        )));
    }
    let second = second.as_ref().unwrap_or(&first);
    if let Some((a, b)) = by {
        first.must_know(Some(a))?;
        second.must_know(Some(b))?;
    }
    let questions = questions(args, &[first.notes(), second.notes()], io)?;
    let found = compare(first.notes(), second.notes(), by, &first.book);
    if found.both.is_empty() {
        io.note("note: there is no row that both coded on the same answers");
    }
    let name =
        |noted: &Noted, by: Option<&str>| by.map_or_else(|| people(noted.notes()).join(", "), str::to_owned);
    let raters = Raters {
        names: [name(&first, by.map(|b| b.0)), name(second, by.map(|b| b.1))],
        files: [first.path(), second.path()],
    };
    let text = match args.format {
        AgreementFormat::Table => table(&found, &first.book, &raters, &questions),
        AgreementFormat::Md => markdown(&found, &first.book, &raters, &questions),
        AgreementFormat::Json => format!("{:#}\n", to_json(&found, &first.book, &raters, &questions)),
    };
    io.out.write_all(text.as_bytes())?;
    Ok(exit::DONE)
}

fn same_file(a: &std::path::Path, b: &std::path::Path) -> bool {
    std::fs::canonicalize(a).is_ok_and(|a| std::fs::canonicalize(b).is_ok_and(|b| a == b))
}

/// The texts of questions by id, where files with them were named.
fn questions(
    args: &AgreementArgs,
    notes: &[&crate::review::Notes; 2],
    io: &mut Io,
) -> Result<HashMap<String, String>, Error> {
    let mut texts = HashMap::new();
    if args.paths.is_empty() {
        return Ok(texts);
    }
    let input = InputArgs { paths: args.paths.clone(), ..InputArgs::default() };
    let opened = Opened::new(&input, JudgeArgs::default(), io)?;
    let ids = notes.iter().flat_map(|n| n.codings()).map(|c| c.entry.key.question_id.clone());
    let mut keys: Vec<Key> = ids.map(Key::question).collect();
    keys.sort();
    keys.dedup();
    let rows = locate(&opened.table, &keys.iter().collect::<Vec<_>>());
    for (key, rows) in keys.into_iter().zip(rows) {
        if let Some(pair) = rows.first().and_then(|&r| opened.table.pairs.get(r as usize)) {
            texts.insert(key.question_id, opened.question(pair.question)?.question.clone());
        }
    }
    Ok(texts)
}

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

fn codes(coding: &Coding<'_>, book: &Codebook) -> String {
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
    for (which, (name, file)) in ["first", "second"].iter().zip(raters.names.iter().zip(&raters.files)) {
        lines.push(format!("{which}: {name} ({file})"));
    }
    lines
}

fn question<'q>(both: &Both<'_>, questions: &'q HashMap<String, String>) -> &'q str {
    questions.get(&both.key.question_id).map_or("", String::as_str)
}

fn table(
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
                codes(&b.first, book),
                codes(&b.second, book),
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

fn markdown(
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
        for (name, coding) in raters.names.iter().zip([&both.first, &both.second]) {
            let _ = writeln!(out, "- {}: **{}**", inline(name), inline(&codes(coding, book)));
            for line in coding.note().trim().lines() {
                let _ = writeln!(out, "  > {}", inline(line));
            }
        }
    }
    out
}

fn to_json(
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
        value["code"] = json!(id);
        value["name"] = json!(name(book, id));
        value
    };
    let side = |c: &Coding<'_>| {
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
                "first": side(&b.first), "second": side(&b.second),
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
            "other_answer": found.other_answer,
        },
        "primary": agreement(&found.primary),
        "codes": found.codes.iter().map(code).collect::<Vec<_>>(),
        "disagreements": settle,
    })
}
