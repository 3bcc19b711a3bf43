//! The domains that an answer leaned on, for asking again without them.

use crate::record::Attempt;
use crate::text::host;

/// Domains that one request may exclude. OpenAI documents 100 for its filter; Anthropic documents none, so the same.
pub const MOST_DOMAINS: usize = 100;

/// What OpenAI adds to every address that it cites.
const TRACKER: &str = "utm_source=openai";

/// The domains of the sources that the attempt cites; where it cites none, of those that its searches visited. Bare
/// lower-case hosts without `www.`, in order of appearance, each once, at most [`MOST_DOMAINS`].
pub fn domains_of(attempt: &Attempt) -> Vec<String> {
    let results = || attempt.search_calls.iter().flat_map(|c| &c.results);
    let cited = attempt.citations.iter().map(|c| c.url.as_str());
    let marked = results().filter(|r| r.cited == Some(true)).map(|r| r.url.as_str());
    let domains = normalized(cited.chain(marked));
    if !domains.is_empty() {
        return domains;
    }
    let opened = attempt.search_calls.iter().filter_map(|c| c.url.as_deref());
    normalized(results().map(|r| r.url.as_str()).chain(opened))
}

/// Domains as a filter takes them, from addresses or domains as a person writes them. What is none is left out.
pub fn normalized<'a>(urls: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut domains: Vec<String> = Vec::new();
    for url in urls {
        let Some(domain) = host(url.trim()).map(|h| h.trim_matches('.').to_lowercase()) else { continue };
        let is_domain = domain.contains('.')
            && domain.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'.' || b == b'-' || b >= 0x80);
        if is_domain && !domains.contains(&domain) {
            domains.push(domain);
        }
        if domains.len() == MOST_DOMAINS {
            break;
        }
    }
    domains
}

/// An address without the provider's tracker, fragment and closing slash, so that a citation meets its source.
pub(super) fn same_page(url: &str) -> String {
    let url = url.split('#').next().unwrap_or_default();
    let (page, query) = url.split_once('?').unwrap_or((url, ""));
    let rest: Vec<&str> = query.split('&').filter(|p| !p.is_empty() && *p != TRACKER).collect();
    let page = page.trim_end_matches('/');
    if rest.is_empty() { page.to_owned() } else { format!("{page}?{}", rest.join("&")) }
}
