//! What the answers hint at.

use crate::record::{Attempt, Question, Scorer, State};
use crate::score::{explain, split_references};
use crate::text::normalize;

use super::words::{content, holds, is_telling, is_wordy, likeness};
use super::{Neighbours, Trace, pages, quoted, stated};

/// From this rise on a confidence is higher.
const RISE: f64 = 0.005;

fn answer(a: &Attempt) -> Option<&str> {
    a.answer.as_deref().map(str::trim).filter(|s| !s.is_empty())
}

pub(super) fn none(with: &Attempt) -> Option<String> {
    let state = State::of_attempt(with);
    if state == State::Answered {
        return None;
    }
    let why = match (&with.error, &with.stop) {
        (Some(e), _) if e.message.is_empty() => format!(": {}", quoted(&e.kind)),
        (Some(e), _) => format!(": {}", quoted(&e.message)),
        (None, Some(stop)) => format!(": it stopped for {}", quoted(stop)),
        (None, None) => String::new(),
    };
    Some(format!("{}{why}", state.name()))
}

pub(super) fn over_trust(trace: &Trace<'_>, with: &Attempt) -> Option<String> {
    if trace.right[0] != Some(true) || with.calls() == 0 {
        return None;
    }
    let side = |a: &Attempt| {
        let at = a.confidence.map_or_else(String::new, |c| format!(" at {}", stated(c)));
        format!("{}{at}", answer(a).map_or_else(|| "no answer".to_owned(), quoted))
    };
    Some(format!("right without search: {}; wrong with it: {}", side(trace.no?), side(with)))
}

pub(super) fn surer(no: Option<&Attempt>, with: &Attempt) -> Option<String> {
    let (before, after) = (no?.confidence?, with.confidence?);
    if with.calls() == 0 || after - before < RISE {
        return None;
    }
    let said = answer(with)?;
    let normalised = normalize(said);
    let supports = |text: &Option<String>| text.as_deref().is_some_and(|t| holds(&normalize(t), &normalised));
    let supported = pages::cited(with).any(|r| supports(&r.title))
        || with.citations.iter().any(|c| supports(&c.title) || supports(&c.quote));
    let told = format!("{} → {}, and nothing cited holds {}", stated(before), stated(after), quoted(said));
    (!supported).then_some(told)
}

pub(super) fn agree(trace: &Trace<'_>, with: &Attempt) -> Option<String> {
    let (before, after) = (answer(trace.no?)?, answer(with)?);
    let reference = trace.question.references.first()?;
    if trace.right[0] != Some(false) || normalize(before) != normalize(after) {
        return None;
    }
    Some(format!("both say {}; the reference is {}", quoted(after), quoted(reference)))
}

/// Letters of a text that may differ in a misspelling: one in eight.
const SLIP: usize = 8;

pub(super) fn format_miss(question: &Question, with: &Attempt) -> Option<String> {
    let said = answer(with)?;
    let references: Vec<&str> = question.references.iter().flat_map(|r| split_references(r)).collect();
    let explained = explain(Some(said), &question.references, Scorer::Normalized, None, State::Answered);
    let accepts = |s| explained.accepted_by.contains(&s);
    let normalised = normalize(said);
    if accepts(Scorer::Normalized) {
        return Some(format!("{} matches after normalisation", quoted(said)));
    }
    let asked = normalize(&question.question);
    let mut words = references.iter().map(|r| (normalize(r), *r));
    let part =
        words.find(|(r, _)| is_wordy(r) && is_telling(r) && holds(&normalised, r) && !holds(&asked, r));
    // More than the reference, or one of several things that are named.
    if let Some((_, reference)) = part {
        return Some(format!("{} holds the reference {}", quoted(said), quoted(reference)));
    }
    if !is_wordy(&normalised) || !is_telling(&normalised) || holds(&asked, &normalised) {
        return None;
    }
    if let Some(reference) = references.iter().find(|r| holds(&normalize(r), &normalised)) {
        return Some(format!("{} is a part of the reference {}", quoted(said), quoted(reference)));
    }
    // The same words in another order.
    let own = content(said);
    if let Some(reference) = references.iter().find(|r| likeness(&own, &content(r)) >= 1.0) {
        return Some(format!("{} has the words of the reference {}", quoted(said), quoted(reference)));
    }
    let (at, edits) = explained.nearest?;
    let reference = references.get(at)?;
    let has_digit = |s: &str| s.bytes().any(|b| b.is_ascii_digit());
    // Another digit is another answer.
    let slip = edits <= normalised.chars().count() / SLIP && !has_digit(&normalised) && !has_digit(reference);
    slip.then(|| format!("{} is nearly the reference {}", quoted(said), quoted(reference)))
}

pub(super) fn neighbour(question: &Question, with: &Attempt, neighbours: &Neighbours) -> Option<String> {
    let said = answer(with)?;
    let normalised = normalize(said);
    if !is_wordy(&normalised) || !is_telling(&normalised) {
        return None;
    }
    let own = content(&question.question);
    let (id, text) = neighbours
        .of(&normalised)
        .iter()
        .filter(|(id, _)| *id != question.id)
        .max_by(|a, b| likeness(&own, &content(&a.1)).total_cmp(&likeness(&own, &content(&b.1))))?;
    Some(format!("{} is the reference of {id}, {}", quoted(said), quoted(text)))
}
