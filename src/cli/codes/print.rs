//! Counts of codes as a table, CSV, Markdown and JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::figures::{or_none, three};
use crate::record::Transition;
use crate::review::{Line, Stratum, Which, unseen, unseen_bound};
use crate::stats::Share;
use crate::text::{cell_text, inline, sanitize, several};

use super::super::grid::Grid;
use super::count::Counts;

/// The prevalence whose chance of being unseen is told.
const RARE: f64 = 0.05;

/// How much of a cell is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// Count, share and interval.
    Full,
    /// Count and share; the interval of the total alone.
    Share,
    /// Counts; share and interval of the total alone.
    Count,
}

pub(super) fn table(counts: &Counts<'_>, width: usize) -> String {
    let fits = |d: &Detail| grid(counts, *d).width() <= width;
    let detail = [Detail::Full, Detail::Share].into_iter().find(fits).unwrap_or(Detail::Count);
    let mut out = String::new();
    if let Some(mark) = counts.mark {
        let _ = writeln!(out, "{mark}");
    }
    if counts.tally.numbers.coded > 0 {
        out.push_str(&grid(counts, detail).text());
        out.push('\n');
    }
    for line in facts(counts) {
        let _ = writeln!(out, "{}", crate::text::sanitize_line(&line));
    }
    out
}

pub(super) fn markdown(counts: &Counts<'_>) -> String {
    let mut out = format!("# Codes by {}\n\n", counts.by);
    if let Some(mark) = counts.mark {
        let _ =
            writeln!(out, "> **{mark}**: answers among these were not given by a model to this question.\n");
    }
    if counts.tally.numbers.coded > 0 {
        out.push_str(&grid(counts, Detail::Full).markdown());
        out.push('\n');
    }
    for line in facts(counts) {
        let _ = writeln!(out, "- {}", inline(&line));
    }
    out
}

/// Codes that any row has, a line each.
fn grid(counts: &Counts<'_>, detail: Detail) -> Grid {
    let table = &counts.tally.table;
    let mut head = vec!["code".to_owned()];
    head.extend(table.columns.iter().map(|(name, n)| format!("{} ({n})", column(name))));
    head.push(format!("all ({})", table.rows));
    if counts.tally.drawn.is_some() {
        head.push("prevalence, weighted".to_owned());
    }
    let row = |line: &Line| {
        let mut row = vec![counts.name(&line.code).to_owned()];
        row.extend(line.cells.iter().map(|share| cell(*share, detail)));
        row.push(cell(line.total, Detail::Full));
        if counts.tally.drawn.is_some() {
            let found = counts.tally.prevalence(&line.code);
            row.push(found.map_or_else(
                || or_none(None, three),
                |p| format!("{} {}", three(p.share), ends(Some(p.interval))),
            ));
        }
        row
    };
    let rows = table.lines.iter().filter(|l| l.total.part > 0).map(row).collect();
    Grid { head, rows, left: 1 }
}

fn column(name: &str) -> String {
    if name.is_empty() { "none".to_owned() } else { name.replace('_', " ") }
}

fn cell(share: Share, detail: Detail) -> String {
    let part = share.part;
    match detail {
        Detail::Count => part.to_string(),
        Detail::Share => format!("{part} {}", or_none(share.value(), three)),
        Detail::Full => format!("{part} {} {}", or_none(share.value(), three), ends(share.wilson())),
    }
}

fn ends(ends: Option<(f64, f64)>) -> String {
    ends.map_or_else(String::new, |(low, high)| format!("[{} {}]", three(low), three(high)))
}

/// What is to be said beside the table, a line each.
fn facts(counts: &Counts<'_>) -> Vec<String> {
    let (coded, found) = (counts.tally.numbers, &counts.tally.saturation);
    let n = coded.coded;
    let mut lines = vec![format!(
        "{} coded, {} deferred, {} outdated: the answers changed since, not counted",
        several(n, "row"),
        coded.deferred,
        coded.outdated
    )];
    let mut also = |n: u64, why: &str| {
        if n > 0 {
            lines.push(format!("{} {why}", several(n, "row")));
        }
    };
    also(coded.elsewhere, "with notes not open, or not shown by the filter");
    also(coded.ambiguous, "with notes that name no run, taken for the first run with these answers");
    also(coded.without_code, "with a note and no code");
    also(coded.split, "with a code that was split since: look at them again");
    lines.push(counts.which().to_owned());
    if n > 0 {
        let per: Vec<String> = found.new_per_ten.iter().map(u64::to_string).collect();
        lines.push(format!(
            "saturation: {} different in {}; {} since the last new one; new ones in each ten: {}",
            several(found.codes, "code"),
            several(found.traces, "row"),
            several(found.since_last_new, "row"),
            per.join(" ")
        ));
        lines.push(format!(
            "a failure in 5 % of rows is still unseen with a chance of {}; one that was never seen is in at most {} of \
             rows (95 %), both of rows drawn at random",
            three(unseen(RARE, n)),
            three(unseen_bound(n))
        ));
    }
    if let Some(drawn) = &counts.tally.drawn {
        let stratum = |(s, coded): &(Stratum, usize)| {
            let name = s.transition.map_or("all", |t| t.name());
            format!("{} {coded} of {}", column(name), s.size)
        };
        let strata: Vec<String> = drawn.strata.iter().map(stratum).collect();
        let filter = if drawn.filter.is_empty() { "every row" } else { &drawn.filter };
        lines.push(format!("prevalence by the plan {}, drawn from: {filter}", drawn.plan));
        lines.push(format!("coded of each stratum: {}", strata.join(", ")));
        if let Some(part) = counts.tally.uncovered() {
            lines.push(format!(
                "strata without a coded row are not spoken of: they hold {} of rows",
                three(part)
            ));
        }
    }
    let person = counts.person.map_or_else(String::new, |p| format!(", {p} alone"));
    let filter = if counts.filter.is_empty() { String::new() } else { format!(", filter {}", counts.filter) };
    lines.push(format!(
        "notes {}{person}, codebook version {}, scorer {}{filter}",
        counts.noted.path(),
        counts.noted.book.version,
        counts.scorer
    ));
    lines
}

/// One line a code and column, `all` among the columns; codes of the codebook that no row has too.
pub(super) fn csv(counts: &Counts<'_>) -> String {
    let head = [
        "code",
        "name",
        "column",
        "rows",
        "of",
        "share",
        "low95",
        "high95",
        "prevalence",
        "prevalence_low95",
        "prevalence_high95",
        "source",
    ];
    let mut out = ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(Vec::new());
    // Writing to memory cannot fail.
    let _ = out.write_record(head);
    let number = |n: Option<f64>| n.map_or_else(String::new, |n| n.to_string());
    for line in &counts.tally.table.lines {
        let columns = counts.tally.table.columns.iter().map(|(name, _)| name.as_str()).chain(["all"]);
        for (at, (column, share)) in columns.zip(line.cells.iter().chain([&line.total])).enumerate() {
            let is_total = at == line.cells.len();
            let found = counts.tally.prevalence(&line.code).filter(|_| is_total);
            let wilson = share.wilson();
            let cells = [
                line.code.clone(),
                counts.name(&line.code).to_owned(),
                column.to_owned(),
                share.part.to_string(),
                share.whole.to_string(),
                number(share.value()),
                number(wilson.map(|w| w.0)),
                number(wilson.map(|w| w.1)),
                number(found.map(|p| p.share)),
                number(found.map(|p| p.interval.0)),
                number(found.map(|p| p.interval.1)),
                counts.mark.unwrap_or_default().to_lowercase(),
            ];
            let _ = out.write_record(cells.iter().map(|c| cell_text(&sanitize(c)).into_owned()));
        }
    }
    out.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

pub(super) fn json(counts: &Counts<'_>) -> Value {
    let tally = &counts.tally;
    let (coded, table, found) = (tally.numbers, &tally.table, &tally.saturation);
    let n = coded.coded;
    let columns: Vec<Value> =
        table.columns.iter().map(|(name, n)| json!({"name": name, "rows": n})).collect();
    let share = |s: &Share| {
        let (low, high) = s.wilson().unzip();
        json!({"rows": s.part, "of": s.whole, "share": s.value(), "wilson95": [low, high]})
    };
    let code = |line: &Line| {
        let cells: serde_json::Map<String, Value> = table
            .columns
            .iter()
            .zip(&line.cells)
            .map(|((name, _), cell)| (name.clone(), share(cell)))
            .collect();
        let prevalence = tally.prevalence(&line.code).map(|p| {
            json!({"share": p.share, "wilson95": [p.interval.0, p.interval.1], "effective": p.effective, "covered": p.covered})
        });
        json!({
            "code": line.code, "name": counts.name(&line.code), "cells": cells, "all": share(&line.total),
            "prevalence": prevalence,
        })
    };
    let plan = tally.drawn.as_ref().map(|drawn| {
        let strata: Vec<Value> = drawn
            .strata
            .iter()
            .map(|(s, coded)| json!({"transition": s.transition.map(Transition::name), "rows": s.size, "coded": coded}))
            .collect();
        json!({"plan": drawn.plan, "filter": drawn.filter, "strata": strata})
    });
    json!({
        "notes": counts.noted.path(),
        "person": counts.person,
        "codebook": counts.noted.book.version,
        "filter": counts.filter,
        "scorer": counts.scorer,
        "mark": counts.mark,
        "by": counts.by,
        "which": if tally.which == Which::Primary { "primary" } else { "all" },
        "rows": {
            "coded": n, "deferred": coded.deferred, "outdated": coded.outdated, "elsewhere": coded.elsewhere,
            "ambiguous": coded.ambiguous,
            "without_code": coded.without_code, "split_code": coded.split,
        },
        "columns": columns,
        "codes": table.lines.iter().map(code).collect::<Vec<_>>(),
        "plan": plan,
        "saturation": {
            "codes": found.codes, "since_last_new": found.since_last_new, "new_per_ten": found.new_per_ten,
        },
        "unseen": { "prevalence": RARE, "chance": unseen(RARE, n), "bound95": unseen_bound(n) },
    })
}
