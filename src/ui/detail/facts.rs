//! The question above, repeats and texts below.

use ratatui::text::Line;

use crate::record::{Attempt, Condition, Transition};
use crate::theme::Role;

use super::super::header::role;
use super::super::rich::Rich;
use super::{Page, Part, Source};

/// The question, its references (the matched ones marked), its facts.
pub(super) fn question(source: &Source<'_>, page: &mut Page) {
    let q = &source.bundle.question;
    page.part(source.long(&q.question, source.width, source.style(Role::Heading)));
    let dim = source.style(Role::Dim);
    let plain = source.style(Role::Text);
    let mut refs = Rich::of("reference  ", dim);
    if q.references.is_empty() {
        refs.push("none: answers cannot be graded", source.style(Role::Warning));
    }
    let mut hit = vec![false; q.references.len()];
    for (condition, attempt) in source.sides() {
        if let Some(a) = attempt {
            let why = super::sides::explain(source, condition, a);
            if let Some(h) = why.matched.and_then(|m| hit.get_mut(m)) {
                *h = true;
            }
        }
    }
    let mut left = source.model.detail.reach;
    let mut cut = false;
    for (at, (whole, hit)) in q.references.iter().zip(&hit).enumerate() {
        if at > 0 {
            refs.push(" · ", dim);
        }
        let text = crate::text::head(whole, left);
        left -= text.len();
        cut = text.len() < whole.len();
        if *hit {
            refs.push("✓ ", source.style(Role::Right));
            refs.push(text, source.style(Role::Right));
        } else {
            refs.push(text, plain);
        }
        if cut {
            refs.push("…", dim);
            break;
        }
    }
    page.part(Part { lines: refs.wrap(source.width, 11), cut });
    let mut facts: Vec<String> = vec![q.id.clone()];
    facts.extend([&q.split, &q.topic, &q.key_date].into_iter().flatten().cloned());
    if let Some(day) = &q.true_on {
        facts.push(format!("true on {day}"));
    }
    let mut line = Rich::of(&crate::text::sanitize_line(&facts.join(" · ")), dim);
    let transition = source.row.transitions.get(source.model.scorer as usize).copied().unwrap_or_default();
    line.push("   ", dim);
    line.push(&word(transition), source.style(role(transition)));
    if let Some(model) = source.model.table.names.models.word(source.row.model) {
        line.push(&format!("   {}", crate::text::sanitize_line(model)), dim);
    }
    page.lines.extend(line.wrap(source.width, 0));
}

fn word(t: Transition) -> String {
    format!("{} {}", t.glyph().trim(), t.name().replace('_', " "))
}

/// The strip of repeats: what became of each, and which one is shown.
pub(super) fn attempts(source: &Source<'_>, page: &mut Page) {
    let all = source.model.repeats(source.pair);
    if all.len() < 2 {
        return;
    }
    let (mut right, mut judged) = (0, 0);
    let mut strip = Rich::default();
    for &pair in &all {
        let Some(row) = source.model.pair(pair) else { continue };
        let transition = row.transitions.get(source.model.scorer as usize).copied().unwrap_or_default();
        let with = source.model.table.side(row, Condition::WithSearch);
        let verdict = with.map(|a| a.verdict(source.model.scorer));
        if let Some(ok) = verdict.and_then(crate::record::Verdict::correct) {
            judged += 1;
            right += usize::from(ok);
        }
        let (open, close) = if pair == source.pair { ("[", "]") } else { (" ", " ") };
        strip.push(open, source.style(Role::Accent));
        strip.push(&format!("{} ", row.attempt), source.style(Role::Dim));
        strip.push(transition.glyph().trim(), source.style(role(transition)));
        strip.push(close, source.style(Role::Accent));
        strip.push(" ", source.style(Role::Text));
    }
    page.title(source, &format!("attempts   with search right {right} of {judged}"));
    page.lines.extend(strip.wrap(source.width, 0));
}

/// The full texts and the prompt, when they are folded out.
pub(super) fn texts(source: &Source<'_>, page: &mut Page) {
    let plain = source.style(Role::Text);
    let dim = source.style(Role::Dim);
    for (condition, attempt) in source.sides() {
        let Some(a) = attempt else { continue };
        let name = condition.name().replace('_', " ");
        if source.model.detail.raw {
            page.title(source, &format!("full text, {name}"));
            match a.raw.as_deref().filter(|r| !r.is_empty()) {
                Some(raw) => page.part(source.long(raw, source.width, plain)),
                None => page.lines.push(Line::styled("the file has no full text", dim)),
            }
            steps(source, a, page);
        }
        if source.model.detail.prompt {
            page.title(source, &format!("prompt as sent, {name}"));
            match &a.request {
                Some(request) => {
                    let text = serde_json::to_string_pretty(request).unwrap_or_default();
                    page.part(source.long(&text, source.width, plain));
                }
                None => page.lines.push(Line::styled("the file does not record the request", dim)),
            }
        }
    }
}

/// The rounds of a long attempt: as much of them together as of one text.
fn steps(source: &Source<'_>, a: &Attempt, page: &mut Page) {
    let mut left = source.model.detail.reach;
    for step in &a.steps {
        let mut line = Rich::of(&format!("{:>3} {}  ", step.round, step.kind), source.style(Role::Dim));
        let text = crate::text::head(&step.text, left);
        // A step without text is a line all the same.
        left = left.saturating_sub(text.len().max(1));
        line.push(text, source.style(Role::Text));
        let cut = text.len() < step.text.len();
        if cut {
            line.push(" … more: scroll on", source.style(Role::Dim));
        }
        page.part(Part { lines: line.wrap(source.width, 4), cut });
        if cut {
            return;
        }
    }
}

/// Where the attempts come from.
pub(super) fn record(source: &Source<'_>, page: &mut Page) {
    let dim = source.style(Role::Dim);
    page.title(source, "record");
    for (condition, attempt) in source.sides() {
        let (Some(a), Some(row)) = (attempt, source.model.table.side(source.row, condition)) else {
            continue;
        };
        let mut facts = vec![condition.name().replace('_', " ")];
        let file = source.model.table.files.get(usize::from(row.file));
        facts.extend(file.map(|f| crate::text::sanitize_line(&f.path.display().to_string()).into_owned()));
        facts.extend(a.run_id.as_ref().map(|r| format!("run {r}")));
        facts.push(format!("attempt {}", a.attempt));
        facts.extend([&a.provider, &a.source, &a.created_at, &a.stop].into_iter().flatten().cloned());
        let text = crate::text::sanitize_line(&facts.join(" · ")).into_owned();
        page.lines.extend(Rich::of(&text, dim).wrap(source.width, 2));
        for (name, value) in &a.extra {
            let text = crate::text::sanitize_line(&format!("{name}: {value}")).into_owned();
            let text = crate::text::truncate(&text, 240).into_owned();
            page.lines.extend(Rich::of(&text, dim).wrap(source.width, 4));
        }
    }
    for (name, value) in source.bundle.question.meta.iter().filter(|(_, v)| !v.is_null()) {
        let text = crate::text::sanitize_line(&format!("{name}: {value}")).into_owned();
        let text = crate::text::truncate(&text, 240).into_owned();
        page.lines.extend(Rich::of(&text, dim).wrap(source.width, 2));
    }
}
