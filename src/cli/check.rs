//! `check`: contradictions in the files, each with its place.

use std::sync::atomic::AtomicBool;

use serde_json::json;

use crate::check::{self, Kind, Report, Weight};
use crate::text;

use super::args::{CheckArgs, CheckFormat};
use super::open::Opened;
use super::{Error, Io, exit};

/// Cases of one kind that are printed for reading.
const SHOWN: usize = 20;

pub(super) fn run(args: &CheckArgs, io: &mut Io) -> Result<u8, Error> {
    let opened = Opened::quietly(&args.input, args.judge, io)?;
    let never = AtomicBool::new(false);
    let report = check::check(&opened.table, &opened.reader, opened.judge.scorer, &never).unwrap_or_default();
    match args.format {
        CheckFormat::Text => as_text(&opened, &report, io),
        CheckFormat::Json => as_json(&opened, &report, io),
    }?;
    let contradicts = report.count(Weight::Contradiction) > 0;
    Ok(if contradicts { exit::FOUND } else { exit::DONE })
}

fn as_text(opened: &Opened, report: &Report, io: &mut Io) -> Result<(), Error> {
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
    let table = &opened.table;
    let (wrong, notes) = (report.count(Weight::Contradiction), report.count(Weight::Note));
    let verdict =
        if wrong == 0 { "nothing contradicts".to_owned() } else { text::several(wrong, "contradiction") };
    writeln!(
        io.out,
        "{verdict}, {}: {}, {}, {}, {}",
        text::several(notes, "note"),
        text::several(table.files.len(), "file"),
        text::several(table.questions.len(), "question"),
        text::several(table.attempts.len(), "attempt"),
        text::several(table.pairs.len(), "pair"),
    )?;
    Ok(())
}

fn as_json(opened: &Opened, report: &Report, io: &mut Io) -> Result<(), Error> {
    let table = &opened.table;
    let files: Vec<String> = table.files.iter().map(|f| f.path.display().to_string()).collect();
    let whole = json!({
        "files": files,
        "attempts": table.attempts.len(),
        "questions": table.questions.len(),
        "pairs": table.pairs.len(),
        "contradictions": report.count(Weight::Contradiction),
        "notes": report.count(Weight::Note),
        "kinds": report.counts,
        "findings": report.findings,
    });
    writeln!(io.out, "{whole:#}")?;
    Ok(())
}
