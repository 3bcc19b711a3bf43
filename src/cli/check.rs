//! `check`: contradictions in the files, each with its place.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use serde_json::json;

use crate::check::{self, Kind, Report, Weight, published};
use crate::text;

use super::args::{CheckArgs, CheckFormat};
use super::open::Opened;
use super::{Error, Io, exit};

/// Cases of one kind that are printed for reading.
const SHOWN: usize = 20;

pub(super) fn run(args: &CheckArgs, io: &mut Io) -> Result<u8, Error> {
    if let Some(file) = &args.tables {
        return tables(file, args.format, io);
    }
    let opened = Opened::quietly(&args.input, args.judge, io)?;
    let never = AtomicBool::new(false);
    let report = check::check(&opened.table, &opened.reader, opened.judge.scorer, &never).unwrap_or_default();
    let table = &opened.table;
    match args.format {
        CheckFormat::Text => {
            let of = format!(
                "{}, {}, {}, {}",
                text::several(table.files.len(), "file"),
                text::several(table.questions.len(), "question"),
                text::several(table.attempts.len(), "attempt"),
                text::several(table.pairs.len(), "pair"),
            );
            as_text(&of, &report, io)
        }
        CheckFormat::Json => {
            let files: Vec<String> = table.files.iter().map(|f| f.path.display().to_string()).collect();
            let counts = [table.attempts.len(), table.questions.len(), table.pairs.len()];
            as_json(&files, counts, &report, io)
        }
    }?;
    Ok(code(&report))
}

/// Tests printed figures: nothing else is read.
fn tables(file: &Path, format: CheckFormat, io: &mut Io) -> Result<u8, Error> {
    let name = file.display().to_string();
    let unreadable =
        |e: std::io::Error| Error::Unreadable(text::sanitize_line(&format!("{name}: {e}")).into());
    let written = std::fs::read_to_string(file).map_err(unreadable)?;
    let tables = published::read(&name, &written).map_err(|problems| {
        let lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        Error::Unreadable(lines.join("\n"))
    })?;
    let report = published::check(&tables);
    match format {
        CheckFormat::Text => {
            let of = format!(
                "{} in {}",
                text::several(tables.figures(), "figure"),
                text::several(tables.groups.len(), "group"),
            );
            as_text(&of, &report, io)
        }
        CheckFormat::Json => as_json(&[name], [0; 3], &report, io),
    }?;
    Ok(code(&report))
}

fn code(report: &Report) -> u8 {
    if report.count(Weight::Contradiction) > 0 { exit::FOUND } else { exit::DONE }
}

fn as_text(of: &str, report: &Report, io: &mut Io) -> Result<(), Error> {
    let mut last: Option<(Kind, usize)> = None;
    for finding in &report.findings {
        let nth = match last {
            Some((kind, n)) if kind == finding.kind => n + 1,
            _ => 1,
        };
        last = Some((finding.kind, nth));
        let all = report.counts.get(&finding.kind).copied().unwrap_or(0);
        if nth <= SHOWN {
            let note = if finding.severity == Weight::Note { "note: " } else { "" };
            writeln!(io.out, "{note}{}", text::sanitize_line(&finding.to_string()))?;
        } else if nth == SHOWN + 1 {
            writeln!(io.out, "… {} more like this (all {all} with --format json)", all - SHOWN as u64)?;
        }
    }
    let (wrong, notes) = (report.count(Weight::Contradiction), report.count(Weight::Note));
    let verdict =
        if wrong == 0 { "nothing contradicts".to_owned() } else { text::several(wrong, "contradiction") };
    writeln!(io.out, "{verdict}, {}: {of}", text::several(notes, "note"))?;
    Ok(())
}

/// `counts`: attempts, questions and pairs.
fn as_json(files: &[String], counts: [usize; 3], report: &Report, io: &mut Io) -> Result<(), Error> {
    let [attempts, questions, pairs] = counts;
    let whole = json!({
        "files": files,
        "attempts": attempts,
        "questions": questions,
        "pairs": pairs,
        "contradictions": report.count(Weight::Contradiction),
        "notes": report.count(Weight::Note),
        "kinds": report.counts,
        "findings": report.findings,
    });
    writeln!(io.out, "{whole:#}")?;
    Ok(())
}
