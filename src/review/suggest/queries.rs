//! What the searches hint at.

use std::collections::BTreeSet;

use crate::record::{Attempt, CallKind, Question, SearchCall};
use crate::text::{normalize, time_anchors};

use super::quoted;
use super::words::{asked_years, content, holds, is_telling, is_wordy, likeness, years};

/// From this likeness on two queries say the same.
const SAME: f64 = 0.75;
/// From this one on they do where they also brought the same pages.
const SAME_WITH_PAGES: f64 = 0.5;

fn searches(a: &Attempt) -> impl Iterator<Item = &SearchCall> {
    a.search_calls.iter().filter(|c| c.kind == CallKind::Search)
}

pub(super) fn needed(question: &Question, with: &Attempt) -> Option<String> {
    if with.calls() > 0 {
        return None;
    }
    let anchor = time_anchors(&question.question).into_iter().next().and_then(|r| question.question.get(r));
    match (anchor, &question.key_date) {
        (Some(anchor), _) => Some(format!("no search, and the question asks about {}", quoted(anchor))),
        (None, Some(date)) => Some(format!("no search, and the answer depends on {}", quoted(date))),
        (None, None) if question.split.as_deref() == Some("dynamic") => {
            Some("no search, and the answer changes with time".to_owned())
        }
        _ => None,
    }
}

fn is_cap(error: &str) -> bool {
    error.contains("max_uses") || error.contains("too_many_searches")
}

pub(super) fn cap(with: &Attempt) -> Option<String> {
    let (n, call) = (1..).zip(&with.search_calls).find(|(_, c)| c.error.as_deref().is_some_and(is_cap))?;
    Some(format!("call {n} came back as {}", quoted(call.error.as_deref().unwrap_or_default())))
}

pub(super) fn failed(with: &Attempt) -> Option<String> {
    (1..).zip(&with.search_calls).find_map(|(n, call)| {
        let error = call.error.as_deref().filter(|e| !e.is_empty());
        let status = call.status.as_deref().filter(|s| matches!(*s, "error" | "failed"));
        let what = error.or(status)?;
        (!is_cap(what)).then(|| format!("call {n} failed: {}", quoted(what)))
    })
}

pub(super) fn lost_time(question: &Question, with: &Attempt) -> Option<String> {
    let asked = asked_years(&question.question);
    let all: Vec<&str> = searches(with).flat_map(SearchCall::all_queries).collect();
    let (first, last) = (asked.iter().min()?, asked.iter().max()?);
    // A query about the year before or after, or about a span around what is asked, has kept the time.
    let keeps = |q: &&str| {
        let own = years(q);
        own.iter().min().zip(own.iter().max()).is_some_and(|(from, to)| *from <= last + 1 && *to >= first - 1)
    };
    if all.is_empty() || all.iter().any(keeps) {
        return None;
    }
    let years: BTreeSet<String> = asked.iter().map(ToString::to_string).collect();
    let years: Vec<String> = years.into_iter().collect();
    let query = quoted(all.first()?);
    Some(match all.len() {
        1 => format!("the query {query} does not say {}", years.join(" or ")),
        n => format!("none of {n} queries says {}: {query} …", years.join(" or ")),
    })
}

pub(super) fn seeded(question: &Question, no: Option<&Attempt>, with: &Attempt) -> Option<String> {
    let believed = no?.answer.as_deref()?.trim();
    let normalised = normalize(believed);
    let asked = normalize(&question.question);
    // The last word of a name is enough, one that the question does not bring.
    let surname = normalised.rsplit(' ').next().filter(|w| w.len() >= 5 && normalised.contains(' '));
    let telling: Vec<&str> = [Some(normalised.as_str()), surname]
        .into_iter()
        .flatten()
        .filter(|w| is_telling(w) && is_wordy(w) && !holds(&asked, w))
        .collect();
    let query = searches(with).flat_map(SearchCall::all_queries).find(|q| {
        let query = normalize(q);
        telling.iter().any(|w| holds(&query, w))
    })?;
    Some(format!("the query {} holds {}, the answer without search", quoted(query), quoted(believed)))
}

pub(super) fn rephrased(with: &Attempt) -> Option<String> {
    let all: Vec<(&str, BTreeSet<String>, BTreeSet<&str>)> = searches(with)
        .flat_map(|call| {
            let pages: BTreeSet<&str> = call.results.iter().map(|r| r.url.as_str()).collect();
            call.all_queries().map(move |q| (q, content(q), pages.clone()))
        })
        .collect();
    for (at, (query, words, pages)) in all.iter().enumerate() {
        for (other, others, their_pages) in all.iter().skip(at + 1) {
            let alike = likeness(words, others);
            let same_pages = !pages.is_empty() && likeness(pages, their_pages) >= SAME;
            if alike >= SAME || (alike >= SAME_WITH_PAGES && same_pages) {
                let and = if same_pages { ", with the same pages" } else { "" };
                return Some(format!("{} and {}{and}", quoted(query), quoted(other)));
            }
        }
    }
    None
}
