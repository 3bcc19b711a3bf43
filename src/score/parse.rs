//! Reading a verbalised answer and confidence out of what a model wrote.
//!
//! The rules: an object with the known keys wins; else the last labelled line outside code fences and quotations;
//! else the text itself is the answer. A word ("high"), a template ("NN%") and an impossible number are no
//! confidence. What is missing stays missing, never 0, 50 or 100.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::text::without_marks;

use super::confidence::{Reading, Scale, Unread, fullwidth_to_ascii, read};
use super::objects::from_objects;
use super::tidy::{is_template, tidy, unmarked};

/// What makes a reading doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Doubt {
    /// Several different answers or confidences were stated; the last one counts.
    Multiple,
    /// Only a bound was stated (`>95%`); the bound counts.
    Bound,
    /// A range was stated (`80–90%`); its middle counts.
    Range,
    /// A bare `1` on no known scale; it counts as certain.
    Ambiguous,
    /// The number and its scale do not go together (`0.87%`).
    Suspicious,
    /// A number was stated that cannot be a confidence; it counts as missing.
    Invalid,
}

/// What a model said.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spoken {
    /// The short answer; `None` when there was no text for one.
    pub answer: Option<String>,
    /// The stated confidence, 0 to 1; `None` when none could be read.
    pub confidence: Option<f64>,
    /// What is doubtful about them.
    pub doubts: Vec<Doubt>,
}

impl Spoken {
    pub(super) fn doubt(&mut self, doubt: Doubt) {
        if !self.doubts.contains(&doubt) {
            self.doubts.push(doubt);
        }
    }

    fn state_answer(&mut self, answer: String) {
        if self.answer.as_ref().is_some_and(|earlier| *earlier != answer) {
            self.doubt(Doubt::Multiple);
        }
        self.answer = Some(answer);
    }

    fn state_confidence(&mut self, reading: Result<Reading, Unread>) {
        match reading {
            Ok(reading) => {
                if self.confidence.is_some_and(|earlier| (earlier - reading.value).abs() > 1e-12) {
                    self.doubt(Doubt::Multiple);
                }
                self.confidence = Some(reading.value);
                for doubt in reading.doubts {
                    self.doubt(doubt);
                }
            }
            Err(Unread::Invalid) => self.doubt(Doubt::Invalid),
            Err(Unread::NoNumber) => {}
        }
    }

    fn fill(&mut self, other: Self) {
        self.answer = self.answer.take().or(other.answer);
        self.confidence = self.confidence.or(other.confidence);
        for doubt in other.doubts {
            self.doubt(doubt);
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.answer.is_none() && self.confidence.is_none()
    }
}

/// Reads the answer and the confidence that `raw` states. Links and citation marks are left out of the answer.
pub fn parse_answer(raw: &str) -> Spoken {
    let text = without_marks(raw);
    let (mut spoken, outside) = from_objects(&text);
    if spoken.answer.is_some() && spoken.confidence.is_some() {
        return spoken;
    }
    let lines = Lines::of(&outside);
    let mut labelled = from_labels(&lines.open);
    if labelled.is_empty() && spoken.is_empty() {
        labelled.fill(from_labels(&lines.fenced));
    }
    if spoken.answer.is_none() && labelled.answer.is_none() {
        let plain = from_plain(&lines);
        labelled.fill(plain);
    }
    spoken.fill(labelled);
    spoken
}

/// The lines of a text, without quotations, apart by whether a code fence holds them.
#[derive(Default)]
struct Lines<'a> {
    open: Vec<&'a str>,
    fenced: Vec<&'a str>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        let mut lines = Self::default();
        let mut in_fence = false;
        for line in text.lines() {
            let start = line.trim_start();
            if start.starts_with("```") || start.starts_with("~~~") {
                in_fence = !in_fence;
            } else if in_fence {
                lines.fenced.push(line);
            } else if !start.starts_with("> ") {
                lines.open.push(line);
            }
        }
        lines
    }
}

struct Patterns {
    answer: Regex,
    confidence: Regex,
    both: Regex,
    inline: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    const SCALE: &str = r"(\([^)]{0,40}\)|\[[^\]]{0,40}\])?";
    const IS: &str = r"[*_`]*\s*(?::|=|\bis\b:?)[*_`]*\s*";
    const LEAD: &str =
        r"(?:(?:my|the|final|exact|short|best|overall|estimated|stated|correct|self-reported)\s+)*";
    const SURE: &str = r"((?:confidence|certainty|probability)(?:\s+(?:level|score|estimate|rating))?|p1)";
    // "that the answer is right: 0.87": the first "is" belongs to what it is about.
    let about = r"(?:\s+(?:in|of|that|about)\s[^:=]{0,60}?(?:\s+is\s+(?:right|correct|true|accurate)\b)?)?";
    Some(Patterns {
        answer: Regex::new(&format!(r"(?i)^{LEAD}(?:answer|guess|g1)\s*(?:{SCALE}){IS}(.*)$")).ok()?,
        confidence: Regex::new(&format!(r"(?i)^{LEAD}{SURE}{about}\s*{SCALE}{IS}(.*)$")).ok()?,
        both: Regex::new(&format!(
            r"(?i)^{LEAD}(?:answer|guess)\s+(?:and|&)\s+{LEAD}{SURE}\s*{SCALE}{IS}(.*)$"
        ))
        .ok()?,
        inline: Regex::new(&format!(r"(?i)[\s,;.(\[|–—*_-]+{LEAD}{SURE}\s*{SCALE}{IS}(.*)$")).ok()?,
    })
});

/// What a line states.
#[derive(Default)]
struct Stated {
    /// Empty when the label stands alone: the answer is on a later line then.
    answer: Option<String>,
    confidence: Option<Result<Reading, Unread>>,
}

/// What a labelled line states; `None` for a line without a label.
fn stated(line: &str) -> Option<Stated> {
    let patterns = PATTERNS.as_ref()?;
    let line = fullwidth_to_ascii(line);
    let line = unmarked(&line);
    if let Some(found) = patterns.both.captures(line) {
        let value = part(&found, 3);
        let split = value.rsplit_once(',').and_then(|(a, n)| Some((a, number(&found, n).ok()?)));
        return Some(match split {
            Some((answer, reading)) => Stated { answer: Some(tidy(answer)), confidence: Some(Ok(reading)) },
            None => Stated { answer: Some(tidy(value)), confidence: None },
        });
    }
    if let Some(found) = patterns.confidence.captures(line) {
        return Some(Stated { answer: None, confidence: Some(number(&found, part(&found, 3))) });
    }
    let found = patterns.answer.captures(line)?;
    let (answer, confidence) = without_inline(part(&found, 2));
    Some(Stated { answer: Some(answer), confidence })
}

/// An answer apart from the confidence that follows it on its line.
fn without_inline(value: &str) -> (String, Option<Result<Reading, Unread>>) {
    let inline = PATTERNS.as_ref().and_then(|p| p.inline.captures(value));
    if let Some(found) = inline {
        let reading = number(&found, part(&found, 3));
        let before = found.get(0).and_then(|m| value.get(..m.start())).unwrap_or_default();
        if reading.is_ok() && !before.trim().is_empty() {
            return (tidy(before), Some(reading));
        }
    }
    (tidy(value), None)
}

/// The number of a match whose first group is the word, the second the scale in brackets.
fn number(found: &Captures<'_>, text: &str) -> Result<Reading, Unread> {
    let last_number = part(found, 2)
        .rsplit(|c: char| !c.is_ascii_digit() && c != '.')
        .find_map(|n| n.parse::<f64>().ok().filter(|n| *n >= 1.0));
    let scale = match last_number {
        Some(whole) => Scale::To(whole),
        None if part(found, 2).contains('%') => Scale::To(100.0),
        None if part(found, 1).to_lowercase().starts_with('p') => Scale::Probability,
        None => Scale::Unknown,
    };
    read(text, scale)
}

fn from_labels(lines: &[&str]) -> Spoken {
    let mut spoken = Spoken::default();
    let mut waiting = false;
    for line in lines {
        match stated(line) {
            Some(found) => {
                waiting = false;
                match found.answer {
                    Some(answer) if answer.is_empty() => waiting = true,
                    Some(answer) if !is_template(&answer) => spoken.state_answer(answer),
                    _ => {}
                }
                if let Some(reading) = found.confidence {
                    spoken.state_confidence(reading);
                }
            }
            None if waiting && !line.trim().is_empty() => {
                waiting = false;
                let answer = tidy(line);
                if !answer.is_empty() && !is_template(&answer) {
                    spoken.state_answer(answer);
                }
            }
            None => {}
        }
    }
    spoken
}

/// The whole text as the answer, but for lines that state a confidence.
fn from_plain(lines: &Lines<'_>) -> Spoken {
    let lines = if lines.open.iter().all(|l| l.trim().is_empty()) { &lines.fenced } else { &lines.open };
    let rest: Vec<&str> = lines.iter().filter(|l| stated(l).is_none()).copied().collect();
    let mut spoken = Spoken::default();
    let text = rest.join("\n");
    let text = text.trim();
    let (first, last) = text.rsplit_once('\n').unwrap_or(("", text));
    let (last, confidence) = without_inline(last);
    let answer = if first.is_empty() { last } else { format!("{first}\n{last}") };
    if let Some(reading) = confidence {
        spoken.state_confidence(reading);
    }
    let answer = tidy(&answer);
    if !answer.is_empty() && !is_template(&answer) {
        spoken.answer = Some(answer);
    }
    spoken
}

fn part<'a>(captures: &Captures<'a>, n: usize) -> &'a str {
    captures.get(n).map_or("", |m| m.as_str())
}
