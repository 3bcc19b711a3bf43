//! The search timeline: each query, what it lost of the question, what came back and what of it was cited.

use ratatui::text::Line;

use crate::record::{Attempt, CallKind, Condition, SearchCall};
use crate::text::{Kind, diff_words_folded, lost_anchors, truncate};
use crate::theme::Role;

use super::super::rich::Rich;
use super::{Page, Source};

/// Bytes of a question and a query that are looked through for times.
const READ: usize = 64 << 10;

/// Draws the timeline of each side that has one.
pub(super) fn draw(source: &Source<'_>, page: &mut Page) {
    for (condition, attempt) in source.sides() {
        let Some(a) = attempt else { continue };
        if a.search_calls.is_empty() && (condition == Condition::NoSearch || a.error.is_some()) {
            continue;
        }
        let calls = a.calls();
        let other = a.search_calls.len() - calls;
        let opened = if other > 0 { format!(" (and {other} opened)") } else { String::new() };
        let title = format!("searches, {}: {calls}{opened}", condition.name().replace('_', " "));
        page.title(source, &title);
        if a.search_calls.is_empty() {
            page.lines.push(Line::styled("no search was made although it could", source.style(Role::Dim)));
        }
        for (at, call) in a.search_calls.iter().enumerate() {
            one(source, page, a, call, at + 1);
        }
        loose_citations(source, page, a);
    }
}

fn one(source: &Source<'_>, page: &mut Page, a: &Attempt, call: &SearchCall, number: usize) {
    let dim = source.style(Role::Dim);
    let lead = format!("{number:>2} ");
    let word = match call.kind {
        CallKind::Search => "",
        CallKind::OpenPage => "opened ",
        CallKind::FindInPage => "looked in page ",
        CallKind::Other => "other ",
    };
    let question = &source.bundle.question.question;
    let queries: Vec<&str> = call.all_queries().collect();
    if queries.is_empty() {
        let mut line = Rich::of(&lead, source.style(Role::Accent));
        line.push(word, dim);
        match &call.url {
            Some(url) => line.push(&short(url, 300), source.style(Role::Link)),
            None if call.kind == CallKind::Search => line.push("query not recorded", dim),
            None => line.push("page not recorded", dim),
        };
        status(source, call, &mut line);
        if let Some(url) = &call.url {
            page.urls.push((page.lines.len(), url.clone()));
        }
        page.lines.extend(line.wrap(source.width, 3));
    }
    for (at, query) in queries.iter().enumerate() {
        let mut line = Rich::of(if at == 0 { &lead } else { "   " }, source.style(Role::Accent));
        line.push(word, dim);
        line.push("“", dim);
        // Words that the question does not have are marked: that is where a query goes astray.
        for piece in diff_words_folded(&short(question, 400), &short(query, 400)) {
            match piece.kind {
                Kind::Same => line.push(&piece.text, source.style(Role::Text)),
                Kind::Added => line.push(&piece.text, source.style(Role::DiffAdded)),
                Kind::Removed => &mut line,
            };
        }
        line.push("”", dim);
        let (asked, searched) = (crate::text::head(question, READ), crate::text::head(query, READ));
        let lost = if source.model.prepared { lost_anchors(asked, searched) } else { Vec::new() };
        let lost: Vec<&str> = lost.into_iter().filter_map(|r| question.get(r)).collect();
        if !lost.is_empty() {
            line.push(&format!("  lost: {}", lost.join(", ")), source.style(Role::Warning));
        }
        if at == 0 {
            status(source, call, &mut line);
        }
        page.lines.extend(line.wrap(source.width, 3));
    }
    let cited = |url: &str| a.citations.iter().any(|c| c.url == url);
    let last = call.results.len().saturating_sub(1);
    for (at, result) in call.results.iter().enumerate() {
        let used = result.cited.unwrap_or(false) || cited(&result.url);
        let mut line = Rich::of(if at == last { "   └ " } else { "   ├ " }, source.style(Role::Border));
        let (sign, role) = if used { ("cited   ", Role::Accent) } else { ("visited ", Role::Dim) };
        line.push(sign, source.style(role));
        let domain = host(&result.url);
        line.push(&crate::text::pad(domain, 18), source.style(Role::Link));
        line.push(" ", dim);
        line.push(&short(result.title.as_deref().unwrap_or(&result.url), 200), source.style(Role::Text));
        if let Some(published) = &result.published {
            line.push(&format!("  {}", short(published, 40)), dim);
        }
        page.urls.push((page.lines.len(), result.url.clone()));
        page.lines.extend(line.wrap(source.width, 14));
    }
}

fn status(source: &Source<'_>, call: &SearchCall, line: &mut Rich) {
    match (&call.error, call.status.as_deref()) {
        (Some(error), _) if error == "max_uses_exceeded" => {
            line.push("  search cap reached", source.style(Role::Warning));
        }
        (Some(error), _) => {
            line.push(&format!("  failed: {}", short(error, 80)), source.style(Role::Error));
        }
        (None, Some(status)) if !matches!(status, "ok" | "completed") => {
            line.push(&format!("  {}", short(status, 40)), source.style(Role::Warning));
        }
        _ => {}
    }
}

/// Citations of pages that no call returned (providers may leave results out).
fn loose_citations(source: &Source<'_>, page: &mut Page, a: &Attempt) {
    let known = |url: &str| a.search_calls.iter().any(|c| c.results.iter().any(|r| r.url == url));
    for citation in a.citations.iter().filter(|c| !c.url.is_empty() && !known(&c.url)) {
        let mut line = Rich::of("   cited   ", source.style(Role::Accent));
        line.push(&crate::text::pad(host(&citation.url), 18), source.style(Role::Link));
        line.push(" ", source.style(Role::Dim));
        line.push(&short(citation.title.as_deref().unwrap_or(&citation.url), 200), source.style(Role::Text));
        page.urls.push((page.lines.len(), citation.url.clone()));
        page.lines.extend(line.wrap(source.width, 14));
    }
}

fn short(text: &str, cells: usize) -> String {
    // No more is looked at than could be shown, and some for what takes no cell.
    let head = crate::text::head(text, cells.saturating_mul(16));
    truncate(&crate::text::sanitize_line(head), cells).into_owned()
}

/// Whose page it is; what stands there when that cannot be told.
fn host(url: &str) -> &str {
    crate::text::host(url).unwrap_or(url)
}
