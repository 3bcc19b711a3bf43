//! The words of a question that fix its time: dates, years, "as of", "currently".

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::fold::folded;

const MONTH: &str = r"(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)|apr(?:il|\.)?|may|june?|july?|aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)";
const DAY: &str = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?";
const YEAR: &str = r"(?:1\d{3}|20\d{2}|21\d{2})";

/// A date in any spelling, the longest first.
static DATE: LazyLock<String> = LazyLock::new(|| {
    let range = r"(?:\s?(?:-|–|—|/)\s?(?:\d{4}|\d{2}))";
    [
        format!(r"{YEAR}-\d{{2}}-\d{{2}}"),
        format!(r"{YEAR}-(?:0[1-9]|1[0-2])\b"),
        format!(r"(?:the\s)?{DAY}\s(?:of\s)?{MONTH}(?:,?\s{YEAR})?"),
        format!(r"{MONTH}\s{DAY}\b(?:,?\s{YEAR})?"),
        format!(r"{MONTH},?\s(?:of\s)?{YEAR}"),
        r"\d{1,2}[/.]\d{1,2}[/.]\d{2,4}".into(),
        format!(r"(?:spring|summer|autumn|fall|winter)(?:\sof)?\s{YEAR}{range}?"),
        format!(r"(?:q[1-4]|[1-4]q)\s{YEAR}"),
        format!(r"(?:the\s)?{YEAR}s\b"),
        format!(r"{YEAR}{range}?"),
        r"(?:the\s)?\d{1,2}(?:st|nd|rd|th)[\s-]century".into(),
        r"(?:january|february|april|june|july|august|september|october|november|december)".into(),
    ]
    .join("|")
});

static ANCHORS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let date = DATE.as_str();
    // The first of two dates may leave to the second what they have in common.
    let first = format!(r"(?:{date}|{MONTH}|{DAY})");
    let lead = r"(?:as\sof|before|after|since|until|till|through|prior\sto|up\sto|no\slater\sthan|by|in|on|at|during|around|circa|from)";
    let part = r"(?:(?:the\s)?(?:(?:very\s)?(?:start|beginning|end|middle|close|turn)\sof\s|(?:early|mid|late)[\s-]))";
    let relative = r"as\sof\s(?:now|today|this\swriting)|to\sdate|so\sfar|at\s(?:the\s)?(?:present|moment)|at\sthat\stime|at\sthe\stime|(?:right\s)?now|nowadays|today|yesterday|currently|presently|recently|current|present-day|latest|newest|most\srecent(?:ly)?|incumbent|sitting|(?:last|this|next|previous|past)\s(?:year|month|week|season|decade|century|(?-i:spring|summer|autumn|fall|winter))|(?:\w+)\s(?:years?|months?|weeks?|days?|decades?)\s(?:ago|earlier|later|before|after)";
    // What may lead a date is tried before it: the date itself, by far the longest part, is there once.
    let lead = format!(
        r"(?:between\s{part}?{first}\s(?:and|to)\s|from\s{part}?{first}\s(?:to|until|till|through)\s|{lead}\s)"
    );
    Regex::new(&format!(r"(?i-u)\b(?:{lead}?{part}?(?:{date})|{relative})")).ok()
});

/// The stretches of a question that fix its time, as byte ranges in order: dates, years, seasons, decades, each with
/// the word that relates it ("before 2008", "as of March 2020"), and relative words ("currently", "two years ago").
pub fn time_anchors(question: &str) -> Vec<Range<usize>> {
    let Some(anchors) = ANCHORS.as_ref() else { return Vec::new() };
    anchors
        .find_iter(question)
        .filter(|m| !question.get(m.end()..).is_some_and(|r| r.starts_with(|c: char| c.is_alphanumeric())))
        .map(|m| m.range())
        .collect()
}

/// Makes ready what the first question would have to wait for: some milliseconds of work.
pub fn prepare() {
    drop(lost_anchors("As of 1988-01-01, who?", "who"));
}

/// The parts of a question's [`time_anchors`] that a search query does not hold, as byte ranges of the question.
///
/// Dates are compared by what they say, not by their spelling: `1 January 1988` is held by `January 1, 1988` and by
/// `1988-01-01`. The word that relates a date counts only when it stands on one side of it ("before", "after",
/// "since", "until").
pub fn lost_anchors(question: &str, query: &str) -> Vec<Range<usize>> {
    let held: HashSet<String> = terms(query).into_iter().map(|t| t.1).collect();
    let mut lost = Vec::new();
    for anchor in time_anchors(question) {
        let text = question.get(anchor.clone()).unwrap_or_default();
        let mut run: Option<Range<usize>> = None;
        for (at, term) in terms(text) {
            let at = anchor.start + at.start..anchor.start + at.end;
            if SILENT.contains(&term.as_str()) {
                continue;
            }
            if held.contains(&term) {
                lost.extend(run.take());
            } else {
                run = Some(run.map_or(at.start, |r| r.start)..at.end);
            }
        }
        let is_date = text.bytes().any(|b| b.is_ascii_digit());
        let all = |r: &Range<usize>| !is_date && r.end == anchor.end;
        // "as of now" is lost as a whole.
        lost.extend(run.map(|r| if all(&r) { anchor.clone() } else { r }));
    }
    lost
}

/// Words of an anchor that a query may drop without losing the time.
const SILENT: [&str; 20] = [
    "a", "an", "as", "at", "by", "during", "from", "in", "of", "on", "the", "to", "and", "between", "around",
    "circa", "through", "up", "very", "that",
];

/// The terms of a text with their places: numbers without leading zeros and endings, months by their first three
/// letters, other words folded.
fn terms(text: &str) -> Vec<(Range<usize>, String)> {
    let mut out = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, c.is_alphanumeric()) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                let word = text.get(from..at).unwrap_or_default();
                out.push((from..at, term(word)));
                start = None;
            }
            _ => {}
        }
    }
    add_iso_months(text, &mut out);
    out
}

fn term(word: &str) -> String {
    let word = folded(word);
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        let ending = word.strip_prefix(digits).unwrap_or_default();
        let number = digits.trim_start_matches('0');
        // `1990s` is not `1990`.
        return if matches!(ending, "" | "st" | "nd" | "rd" | "th") {
            number.to_owned()
        } else {
            format!("{number}{ending}")
        };
    }
    match MONTHS.iter().find(|m| word.len() >= 3 && (m.starts_with(word.as_str()) || word == "sept")) {
        Some(month) if word != "sept" => month.get(..3).unwrap_or_default().to_owned(),
        Some(_) => "sep".to_owned(),
        None => word,
    }
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// `1988-01-01` also says "January".
fn add_iso_months(text: &str, out: &mut [(Range<usize>, String)]) {
    static ISO: LazyLock<Option<Regex>> =
        LazyLock::new(|| Regex::new(r"(?-u)\b\d{4}-(\d{2})(?:-\d{2})?\b").ok());
    for found in ISO.iter().flat_map(|r| r.captures_iter(text)) {
        let Some(month) = found.get(1) else { continue };
        let number = month.as_str().parse::<usize>().unwrap_or(0);
        let name = number.checked_sub(1).and_then(|n| MONTHS.get(n)).and_then(|m| m.get(..3));
        if let Some(name) = name {
            for (place, term) in out.iter_mut() {
                if *place == month.range() {
                    name.clone_into(term);
                }
            }
        }
    }
}
