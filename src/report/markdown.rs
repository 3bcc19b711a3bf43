//! The report as Markdown.

use std::fmt::Write as _;

use crate::figures::{Body, Figure, flat};
use crate::view::inline;

use super::{Chapter, Provenance};

/// The most points of a curve that are printed; the CSV has all of them.
const POINTS: usize = 30;

/// The whole report, ended by a newline.
pub fn markdown(chapters: &[Chapter<'_>], provenance: &Provenance) -> String {
    let mut out = String::from("# What search did, and how far confidence can be trusted\n");
    if let Some(mark) = provenance.mark() {
        let _ =
            writeln!(out, "\n> **{mark}**: answers among these were not given by a model to this question.");
    }
    let _ = writeln!(out, "\n## Provenance\n");
    for (name, value) in provenance.lines() {
        let _ = writeln!(out, "- {name}: {}", inline(&value));
    }
    for chapter in chapters {
        let _ = writeln!(out, "\n## {}\n", inline(&chapter.name));
        let mark = provenance.mark().map_or_else(String::new, |m| format!(" · {m}"));
        let rows = crate::text::several(chapter.group.rows, "row");
        let _ = writeln!(out, "{rows}{mark}");
        for figure in &chapter.figures {
            section(&mut out, figure);
        }
    }
    out
}

/// One figure alone; `head` says whose it is.
pub fn figure_markdown(figure: &Figure, head: &str) -> String {
    let mut out = inline(head);
    out.push('\n');
    section(&mut out, figure);
    out
}

fn section(out: &mut String, figure: &Figure) {
    let paper = figure.id.paper().map_or_else(String::new, |p| format!(" (the paper's {p})"));
    let _ = writeln!(out, "\n### {}{paper}\n\n{}\n", figure.id.title(), figure.id.about());
    let table = flat(figure);
    let titles: Vec<String> = table.columns.iter().map(|c| inline(c)).collect();
    let _ = writeln!(out, "| {} |", titles.join(" | "));
    let rules: Vec<&str> = (0..table.columns.len()).map(|n| if n == 0 { "---" } else { "---:" }).collect();
    let _ = writeln!(out, "| {} |", rules.join(" | "));
    let stride = match figure.body {
        Body::Plot { .. } => table.rows.len().div_ceil(POINTS).max(1),
        _ => 1,
    };
    let last = table.rows.len().saturating_sub(1);
    let shown = table.rows.iter().enumerate().filter(|(n, _)| n % stride == 0 || *n == last);
    for (_, row) in shown {
        let cells: Vec<String> = row.iter().map(|c| inline(&c.text)).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    if stride > 1 {
        let all = table.rows.len();
        let _ = writeln!(out, "\nEvery {stride}th of {all} points; CSV and JSON have all of them.");
    }
    for note in &figure.notes {
        let _ = writeln!(out, "\n{}", inline(note));
    }
}
