//! A question and its pairs as Markdown: for `show`, for copies, for an issue text.

use std::fmt::Write as _;

use serde_json::Value;

use crate::record::{Attempt, CallKind, Condition, Question, Scorer, SearchCall, State};
use crate::score;
use crate::store::{Bundle, Table};
use crate::text::{fence, inline};

use super::cell::{dollars, fraction, mark, seconds, signed, thousands};

/// A page on one pair: its question, then both sides, the searches and the full texts.
pub fn markdown(table: &Table, pair: u32, bundle: &Bundle, scorer: Scorer) -> String {
    let mut out = question_markdown(&bundle.question);
    out.push('\n');
    out.push_str(&pair_markdown(table, pair, bundle, scorer));
    out
}

/// The question: text, id, references, dates, what else its file says.
pub fn question_markdown(question: &Question) -> String {
    let mut out = format!("# {}\n\n", inline(&question.question));
    let mut item = |name: &str, value: Option<String>| {
        if let Some(value) = value.filter(|v| !v.is_empty()) {
            let _ = writeln!(out, "- {name}: {value}");
        }
    };
    item("id", Some(inline(&question.id)));
    item("split", question.split.as_deref().map(inline));
    let references: Vec<String> = question.references.iter().map(|r| inline(r)).collect();
    item("references", Some(if references.is_empty() { "none".to_owned() } else { references.join(" · ") }));
    item("key date", question.key_date.as_deref().map(inline));
    item("true on", question.true_on.as_deref().map(inline));
    item("topic", question.topic.as_deref().map(inline));
    for (name, value) in &question.meta {
        let value = match value {
            Value::Null => continue,
            Value::String(s) => inline(s),
            other => inline(&other.to_string()),
        };
        item(&inline(name), Some(value));
    }
    out
}

/// One pair under a heading of the second level.
pub fn pair_markdown(table: &Table, pair: u32, bundle: &Bundle, scorer: Scorer) -> String {
    let mut out = String::new();
    let Some(row) = table.pairs.get(pair as usize) else { return out };
    let transition = row.transitions.get(scorer as usize).copied().unwrap_or_default();
    let model = table.names.models.word(row.model).unwrap_or("(no model)");
    let _ = write!(out, "## {} · attempt {} · {}", inline(model), row.attempt, transition.glyph().trim());
    let _ = write!(out, " {}", transition.name().replace('_', " "));
    if let Some(outcome) = super::outcome(transition) {
        let _ = write!(out, " ({outcome})");
    }
    out.push_str("\n\n");
    if let Some(source) = super::source(table, pair) {
        let loud = if crate::record::is_made_up(source) {
            format!("**{}**", source.to_uppercase())
        } else {
            inline(source)
        };
        let _ = writeln!(out, "- source: {loud}");
    }
    if let Some(run) = table.names.runs.word(row.run) {
        let _ = writeln!(out, "- run: {}", inline(run));
    }
    let _ = writeln!(out, "- scorer: {}\n", scorer.name());

    let sides: Vec<Side<'_>> = Condition::ALL
        .into_iter()
        .filter_map(|condition| {
            let attempt = bundle.sides.get(condition as usize)?.as_deref()?;
            Some(Side { condition, attempt, verdict: table.side(row, condition)?.verdict(scorer) })
        })
        .collect();
    sides_table(&mut out, &sides, &bundle.question.references, scorer);
    for side in &sides {
        searches(&mut out, side);
    }
    for side in &sides {
        if let Some(raw) = side.attempt.raw.as_deref().filter(|r| !r.trim().is_empty()) {
            let _ = writeln!(out, "\n### Full text, {}\n\n{}", title(side.condition), fence(raw));
        }
    }
    out
}

struct Side<'a> {
    condition: Condition,
    attempt: &'a Attempt,
    verdict: crate::record::Verdict,
}

const fn title(condition: Condition) -> &'static str {
    match condition {
        Condition::NoSearch => "no search",
        Condition::WithSearch => "with search",
        Condition::EvidenceBlocked => "evidence blocked",
    }
}

fn sides_table(out: &mut String, sides: &[Side<'_>], references: &[String], scorer: Scorer) {
    out.push('|');
    for side in sides {
        let _ = write!(out, " | {}", title(side.condition));
    }
    out.push_str(" |\n|---");
    out.push_str(&"|---".repeat(sides.len()));
    out.push_str("|\n");
    let mut line = |name: &str, value: &dyn Fn(&Side<'_>) -> Option<String>| {
        let cells: Vec<Option<String>> = sides.iter().map(value).collect();
        if cells.iter().all(Option::is_none) {
            return;
        }
        let _ = write!(out, "| {name}");
        for cell in cells {
            let _ = write!(out, " | {}", cell.as_deref().unwrap_or("–"));
        }
        out.push_str(" |\n");
    };
    line("answer", &|s| {
        let said = s.attempt.answer.as_deref().filter(|a| !a.trim().is_empty());
        let said = said.map_or_else(|| "(none)".to_owned(), inline);
        Some(format!("{} {said}", mark(s.verdict)))
    });
    line("verdict", &|s| {
        let a = s.attempt;
        let state = State::of_attempt(a);
        Some(inline(&score::explain(a.answer.as_deref(), references, scorer, a.correct, state).text))
    });
    let stated = |c: Condition| sides.iter().find(|s| s.condition == c).and_then(|s| s.attempt.confidence);
    let change = stated(Condition::NoSearch).zip(stated(Condition::WithSearch)).map(|(a, b)| b - a);
    line("confidence", &|s| {
        let own = fraction(s.attempt.confidence?);
        Some(match change {
            Some(d) if s.condition == Condition::WithSearch => format!("{own} ({})", signed(d)),
            _ => own,
        })
    });
    line("calls", &|s| Some(s.attempt.calls().to_string()));
    line("latency", &|s| {
        let ms = s.attempt.latency_ms.filter(|ms| ms.is_finite() && *ms >= 0.0)?;
        Some(seconds(ms.round() as u32))
    });
    line("tokens", &|s| {
        let total = s.attempt.usage.total()?;
        Some(thousands(u32::try_from(total).unwrap_or(u32::MAX)))
    });
    line("cost", &|s| s.attempt.cost_usd.map(dollars));
    line("stop", &|s| s.attempt.stop.as_deref().map(inline));
    line("error", &|s| s.attempt.error.as_ref().map(|e| inline(&format!("{}: {}", e.kind, e.message))));
    line("made", &|s| s.attempt.created_at.as_deref().map(inline));
}

fn searches(out: &mut String, side: &Side<'_>) {
    let a = side.attempt;
    if !a.search_calls.is_empty() {
        let _ = writeln!(out, "\n### Searches, {}\n", title(side.condition));
    }
    for (at, call) in a.search_calls.iter().enumerate() {
        let _ = writeln!(out, "{}. {}", at + 1, call_line(call));
        for result in &call.results {
            let how = match result.cited {
                Some(true) => "cited",
                Some(false) => "visited",
                None => "result",
            };
            let title = result.title.as_deref().filter(|t| !t.trim().is_empty());
            let title = title.map_or_else(String::new, |t| format!(" {}", inline(t)));
            let date = result.published.as_deref().map_or_else(String::new, |p| format!(" ({})", inline(p)));
            let _ = writeln!(out, "   - {how}{title}{date} {}", link(&result.url));
        }
    }
    if !a.citations.is_empty() {
        let _ = writeln!(out, "\n### Citations, {}\n", title(side.condition));
        for c in &a.citations {
            let title = c.title.as_deref().map_or_else(String::new, |t| format!("{} ", inline(t)));
            let quote = c.quote.as_deref().map_or_else(String::new, |q| format!(": “{}”", inline(q)));
            let _ = writeln!(out, "- {title}{}{quote}", link(&c.url));
        }
    }
}

fn call_line(call: &SearchCall) -> String {
    let what = match call.kind {
        CallKind::Search => "search",
        CallKind::OpenPage => "opened",
        CallKind::FindInPage => "looked in page for",
        CallKind::Other => "other",
    };
    let mut line = what.to_owned();
    for query in call.all_queries() {
        let _ = write!(line, " “{}”", inline(query));
    }
    if let Some(url) = call.url.as_deref().filter(|u| !u.is_empty()) {
        let _ = write!(line, " {}", link(url));
    }
    match (&call.error, &call.status) {
        (Some(error), _) => {
            let _ = write!(line, ": failed, {}", inline(error));
        }
        (None, Some(status)) if status != "ok" => {
            let _ = write!(line, ": {}", inline(status));
        }
        _ => {}
    }
    line
}

/// An address as a link where it is one, else as escaped text.
fn link(url: &str) -> String {
    let plain = url.bytes().all(|b| b.is_ascii_graphic() && !matches!(b, b'<' | b'>' | b'|' | b'`' | b'\\'));
    let web = url.starts_with("https://") || url.starts_with("http://");
    if plain && web { format!("<{url}>") } else { inline(url) }
}
