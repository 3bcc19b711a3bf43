//! Both sides in step: answer, verdict and why, confidence, differences, cost.

use ratatui::text::{Line, Span};

use crate::record::{Attempt, Condition, Scorer, Verdict};
use crate::score::{Explanation, explain as why};
use crate::text::{Kind, diff_words};
use crate::theme::Role;
use crate::view::cell::{dollars, fraction, seconds, signed, thousands};
use crate::view::mark;

use super::super::rich::{Rich, bar, beside};
use super::{Page, Part, Source, rule};

/// The narrowest column in which a side can be read; below it the sides stand one above the other.
const NARROWEST: usize = 24;

/// Bytes of an answer that is compared again for the screen; the verdict on a longer one is known from the list.
const COMPARED: usize = 64 << 10;

/// Why an attempt is right or wrong.
pub(super) fn explain(source: &Source<'_>, condition: Condition, a: &Attempt) -> Explanation {
    let scorer = source.model.scorer;
    if a.answer.as_ref().is_some_and(|said| said.len() > COMPARED)
        && let Some(row) = source.model.table.side(source.row, condition)
    {
        let looked_for = if scorer == Scorer::Recorded { Scorer::Normalized } else { scorer };
        let own = row.verdict(looked_for).correct();
        return Explanation {
            verdict: row.verdict(scorer),
            matched: None,
            nearest: None,
            accepted_by: Vec::new(),
            disagrees_with_recorded: own.zip(row.recorded()).is_some_and(|(ours, theirs)| ours != theirs),
            text: "the answer is too long to say which reference it was compared with".to_owned(),
        };
    }
    let state = crate::record::State::of_attempt(a);
    why(a.answer.as_deref(), &source.bundle.question.references, source.model.scorer, a.correct, state)
}

/// Draws the sides beside each other, or stacked where there is no room.
pub(super) fn draw(source: &Source<'_>, page: &mut Page) {
    let sides = source.sides();
    page.lines.push(Line::default());
    let gaps = 3 * sides.len().saturating_sub(1);
    let width = source.width.saturating_sub(gaps) / sides.len().max(1);
    let stacked = width < NARROWEST;
    let width = if stacked { source.width } else { width };
    let no = source.bundle.sides.get(Condition::NoSearch as usize).and_then(Option::as_deref);
    // What stands in step is padded part by part, so that verdict is beside verdict.
    let parts: Vec<Vec<Part>> =
        sides.iter().map(|(condition, a)| side(source, *condition, *a, no, width)).collect();
    if stacked {
        for part in parts.into_iter().flatten() {
            page.part(part);
        }
    } else {
        let count = parts.iter().map(Vec::len).max().unwrap_or(0);
        let mut parts: Vec<_> = parts.into_iter().map(Vec::into_iter).collect();
        for _ in 0..count {
            let row: Vec<Part> = parts.iter_mut().map(|p| p.next().unwrap_or_default()).collect();
            for part in row.iter().filter(|p| p.cut) {
                page.cut_behind((page.lines.len() + part.lines.len()).saturating_sub(1));
            }
            let row = row.into_iter().map(|p| p.lines).collect();
            page.lines.extend(beside(row, width, "   ", source.style(Role::Border)));
        }
    }
    between(source, page);
}

/// The parts of one side: title, answer, verdict, confidence, nearest reference, figures.
fn side(
    source: &Source<'_>,
    condition: Condition,
    attempt: Option<&Attempt>,
    no: Option<&Attempt>,
    width: usize,
) -> Vec<Part> {
    let title = vec![rule(source, &condition.name().replace('_', " "), width)];
    let dim = source.style(Role::Dim);
    let Some(a) = attempt else {
        return vec![title.into(), vec![Line::styled("not asked", dim)].into()];
    };
    let why = explain(source, condition, a);
    vec![
        title.into(),
        answer(source, a, width),
        verdict(source, &why).wrap(width, 2).into(),
        vec![confidence(source, condition, a, no, width)].into(),
        nearest(source, a, &why).map(|r| r.wrap(width, 2)).unwrap_or_default().into(),
        figures(source, a).wrap(width, 0).into(),
    ]
}

fn answer(source: &Source<'_>, a: &Attempt, width: usize) -> Part {
    let said = a.answer.as_deref().map(str::trim).filter(|s| !s.is_empty());
    let dim = source.style(Role::Dim);
    match (said, &a.error) {
        (_, Some(error)) => {
            let text = format!("{}: {}", error.kind, error.message);
            source.long(&text, width, source.style(Role::Error))
        }
        (Some(said), None) => source.long(said, width, source.style(Role::Text)),
        (None, None) => {
            let state = crate::record::State::of_attempt(a);
            let mut rich = Rich::of(&format!("({})", state.name()), source.style(Role::Unknown));
            if let Some(raw) = a.raw.as_deref().map(str::trim).filter(|r| !r.is_empty()) {
                let raw = crate::text::sanitize_line(crate::text::head(raw, 2_048));
                rich.push(&format!("  {}", crate::text::truncate(&raw, 200)), dim);
            }
            rich.wrap(width, 0).into()
        }
    }
}

/// The role of a verdict.
pub(in super::super) fn verdict_role(v: Verdict) -> Role {
    match v {
        Verdict::Right => Role::Right,
        Verdict::Wrong => Role::Wrong,
        _ => Role::Unknown,
    }
}

fn verdict(source: &Source<'_>, why: &Explanation) -> Rich {
    let style = source.style(verdict_role(why.verdict));
    let mut rich = Rich::of(&format!("{} {}", mark(why.verdict), why.verdict.name()), style);
    if source.model.detail.explain && !why.text.is_empty() {
        rich.push(&format!("  {}", why.text), source.style(Role::Dim));
    }
    if why.disagrees_with_recorded {
        rich.push("  ≠ recorded verdict", source.style(Role::Warning));
    }
    rich
}

fn confidence(
    source: &Source<'_>,
    condition: Condition,
    a: &Attempt,
    no: Option<&Attempt>,
    width: usize,
) -> Line<'static> {
    let dim = source.style(Role::Dim);
    let Some(c) = a.confidence else {
        return Line::styled("no confidence stated", dim);
    };
    let mut spans = vec![
        Span::styled("confidence ", dim),
        Span::styled(format!("{:>3} ", fraction(c)), source.style(Role::Text)),
    ];
    if width >= 32 {
        spans.extend(bar(c, 10, source.style(Role::Bar), source.style(Role::BarTrack)));
    }
    if condition != Condition::NoSearch
        && let Some(before) = no.and_then(|n| n.confidence)
    {
        spans.push(Span::styled(format!(" {}", signed(c - before)), source.style(Role::Accent)));
    }
    Line::from(spans)
}

/// What the answer differs in from the nearest reference.
fn nearest(source: &Source<'_>, a: &Attempt, why: &Explanation) -> Option<Rich> {
    let (index, _) = why.nearest.filter(|_| why.verdict == Verdict::Wrong && source.model.detail.explain)?;
    let reference = source.bundle.question.references.get(index)?;
    let mut rich = Rich::of("to reference  ", source.style(Role::Dim));
    diff(source, &mut rich, a.answer.as_deref()?, reference);
    Some(rich)
}

fn diff(source: &Source<'_>, rich: &mut Rich, old: &str, new: &str) {
    let short = |s: &str| {
        let line = crate::text::sanitize_line(crate::text::head(s, 8_192));
        crate::text::truncate(&line, 600).into_owned()
    };
    for piece in diff_words(&short(old), &short(new)) {
        match piece.kind {
            Kind::Same => rich.push(&piece.text, source.style(Role::Text)),
            Kind::Removed => rich.push(&format!("[-{}-]", piece.text), source.style(Role::DiffRemoved)),
            Kind::Added => rich.push(&format!("{{+{}+}}", piece.text), source.style(Role::DiffAdded)),
        };
    }
}

fn figures(source: &Source<'_>, a: &Attempt) -> Rich {
    let mut facts = Vec::new();
    if let Some(ms) = a.latency_ms.filter(|ms| *ms >= 0.0) {
        facts.push(seconds(ms.min(f64::from(u32::MAX)) as u32));
    }
    if let Some(n) = a.usage.total() {
        facts.push(crate::text::counted(n, thousands(n.min(u64::from(u32::MAX)) as u32), "token"));
    }
    if let Some(usd) = a.cost_usd {
        facts.push(dollars(usd));
    }
    if let Some(source) = a.source.as_deref().filter(|s| crate::record::is_made_up(s)) {
        facts.push(source.to_uppercase());
    }
    if let Some(stop) = a.stop.as_deref().filter(|s| !matches!(*s, "end_turn" | "stop" | "completed")) {
        facts.push(format!("stop {stop}"));
    }
    Rich::of(&crate::text::sanitize_line(&facts.join(" · ")), source.style(Role::Dim))
}

/// What changed between the two answers.
fn between(source: &Source<'_>, page: &mut Page) {
    let said = |c: Condition| {
        let a = source.bundle.sides.get(c as usize).and_then(Option::as_deref)?;
        a.answer.as_deref().map(str::trim).filter(|s| !s.is_empty())
    };
    if let (Some(no), Some(with)) = (said(Condition::NoSearch), said(Condition::WithSearch)) {
        let mut rich = Rich::of("without → with  ", source.style(Role::Dim));
        if no == with {
            rich.push("the same answer", source.style(Role::Dim));
        } else {
            diff(source, &mut rich, no, with);
        }
        page.lines.extend(rich.wrap(source.width, 2));
    }
}
