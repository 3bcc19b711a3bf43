//! `agreement`: how far two people who coded the same rows agree.

mod print;

use std::collections::HashMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::review::{Key, compare, locate};
use crate::text::sanitize_line;

use super::args::{InputArgs, JudgeArgs};
use super::noted::{Noted, people};
use super::open::Opened;
use super::{Error, Io, exit};

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
        AgreementFormat::Table => print::table(&found, &first.book, &raters, &questions),
        AgreementFormat::Md => print::markdown(&found, &first.book, &raters, &questions),
        AgreementFormat::Json => format!("{:#}\n", print::to_json(&found, &first.book, &raters, &questions)),
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
