//! What the pages hint at.

use crate::record::{Attempt, Question, SearchResult};
use crate::score::split_references;
use crate::text::normalize;

use super::quoted;
use super::words::{asked_years, holds, is_telling, is_wordy, of_address, years};

/// Years that a page may lie off what is asked and still speak of it.
const NEAR: i32 = 1;

/// The results that the answer cites: those so marked, or whose address is among the citations.
pub(super) fn cited(with: &Attempt) -> impl Iterator<Item = &SearchResult> {
    with.search_calls.iter().flat_map(|c| &c.results).filter(|r| {
        r.cited == Some(true) || (!r.url.is_empty() && with.citations.iter().any(|c| c.url == r.url))
    })
}

/// Whether a question asks about the present.
fn is_about_now(question: &Question) -> bool {
    question.true_on.is_some() || question.split.as_deref() == Some("dynamic")
}

pub(super) fn stale(question: &Question, with: &Attempt) -> Option<String> {
    let now = question.true_on.as_deref().or(with.created_at.as_deref());
    let now = now.and_then(|d| years(d).first().copied());
    let asked = asked_years(&question.question);
    // What is asked by its own words; else the present, where the question is about it.
    let (first, last) = match (asked.iter().min(), asked.iter().max()) {
        (Some(first), Some(last)) => (*first, *last),
        _ if is_about_now(question) => (now?, now?),
        _ => return None,
    };
    let titles = cited(with).map(|r| (r.title.as_deref().unwrap_or_default(), r.published.as_deref()));
    let quoted_titles = with.citations.iter().map(|c| (c.title.as_deref().unwrap_or_default(), None));
    titles.chain(quoted_titles).find_map(|(title, published)| {
        let of = years(title);
        let near = |y: &i32| (first - NEAR..=last + NEAR).contains(y);
        if !of.is_empty() && !of.iter().any(near) {
            return Some(format!("cited {} is of {}, asked is {last}", quoted(title), list(&of)));
        }
        let date = published?;
        let year = years(date).first().copied()?;
        // A page that is older than what is asked about cannot tell it.
        (year < first - NEAR)
            .then(|| format!("cited {} is of {}, asked is {first}", quoted(title), quoted(date)))
    })
}

fn list(years: &[i32]) -> String {
    years.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

pub(super) fn unused(question: &Question, with: &Attempt) -> Option<String> {
    let asked = normalize(&question.question);
    let references: Vec<(String, &str)> = question
        .references
        .iter()
        .flat_map(|r| split_references(r))
        .map(|r| (normalize(r), r))
        .filter(|(n, _)| is_telling(n) && !holds(&asked, n))
        .collect();
    let found = |text: &str| references.iter().find(|(n, _)| holds(text, n)).map(|(_, r)| *r);
    let say = |what: &str, text: &str, reference: &str| {
        format!("{what} {} holds the reference {}", quoted(text), quoted(reference))
    };
    let results = || with.search_calls.iter().flat_map(|c| &c.results);
    for quote in with.citations.iter().filter_map(|c| c.quote.as_deref()) {
        if let Some(reference) = found(&normalize(quote)) {
            return Some(say("the quote", quote, reference));
        }
    }
    let titles = results().map(|r| &r.title).chain(with.citations.iter().map(|c| &c.title));
    for title in titles.filter_map(|t| t.as_deref()) {
        if let Some(reference) = found(&normalize(title)) {
            return Some(say("the title", title, reference));
        }
    }
    for result in results() {
        // Numbers in addresses are mostly not what they seem.
        let words = of_address(&result.url);
        let named = references.iter().find(|(n, _)| is_wordy(n) && holds(&words, n));
        if let Some((_, reference)) = named {
            return Some(say("the address", &result.url, reference));
        }
    }
    None
}
