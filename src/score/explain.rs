//! A verdict in words: which reference matched, or which was nearest and who would have accepted it.

use std::fmt::Write;

use crate::record::{Scorer, State, Verdict};
use crate::text::truncate;

use super::distance::distance;
use super::refs::{Refs, normalized};

/// Why an attempt has its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The verdict, as `AttemptRow::verdict` gives it.
    pub verdict: Verdict,
    /// The reference that the scorer accepted it for, counted from 0 in the references as split.
    pub matched: Option<usize>,
    /// Where none was: the nearest reference and its edit distance, both normalised. `None` also for texts too long
    /// to be measured.
    pub nearest: Option<(usize, usize)>,
    /// Every scorer that finds it right, the recorded verdict included.
    pub accepted_by: Vec<Scorer>,
    /// Whether the file's verdict is the opposite of what the scorer itself says.
    pub disagrees_with_recorded: bool,
    /// The whole in a sentence.
    pub text: String,
}

/// Explains the verdict of `scorer` on `answer`.
///
/// `refs` are the references as given (those that hold ` | ` are split, and counted so), `recorded` is the file's own
/// verdict, `state` what the attempt is before scoring.
pub fn explain(
    answer: Option<&str>,
    refs: &[String],
    scorer: Scorer,
    recorded: Option<bool>,
    state: State,
) -> Explanation {
    let refs = Refs::new(refs);
    if let Some(verdict) = unscored(state) {
        return Explanation {
            verdict,
            matched: None,
            nearest: None,
            accepted_by: Vec::new(),
            disagrees_with_recorded: false,
            text: why_unscored(state).to_owned(),
        };
    }
    let answer = answer.map(str::trim).filter(|a| !a.is_empty());
    let accepts = |s: Scorer| match s {
        Scorer::Recorded => recorded,
        _ if refs.is_empty() => None,
        _ => Some(answer.is_some_and(|a| refs.accepting(a, s).is_some())),
    };
    let own = accepts(scorer);
    let verdict = match own.or(recorded) {
        Some(true) => Verdict::Right,
        Some(false) => Verdict::Wrong,
        None => Verdict::Ungraded,
    };
    let looked_for = if scorer == Scorer::Recorded { Scorer::Normalized } else { scorer };
    let matched = answer.and_then(|a| refs.accepting(a, looked_for));
    let nearest = answer.filter(|_| matched.is_none()).and_then(|a| nearest(a, &refs));
    let compared = if scorer == Scorer::Recorded { accepts(Scorer::Normalized) } else { own };
    let disagrees_with_recorded = compared.zip(recorded).is_some_and(|(ours, theirs)| ours != theirs);
    let accepted_by: Vec<Scorer> = Scorer::ALL.into_iter().filter(|&s| accepts(s) == Some(true)).collect();
    let mut found =
        Explanation { verdict, matched, nearest, accepted_by, disagrees_with_recorded, text: String::new() };
    found.text = sentence(&found, answer, &refs, scorer, recorded);
    found
}

const fn unscored(state: State) -> Option<Verdict> {
    match state {
        State::Answered | State::NoAnswer => None,
        State::Error => Some(Verdict::Error),
        State::Truncated => Some(Verdict::Truncated),
        State::Refused => Some(Verdict::Refused),
        State::Paused => Some(Verdict::Paused),
    }
}

const fn why_unscored(state: State) -> &'static str {
    match state {
        State::Error => "not scored: the request failed",
        State::Truncated => "not scored: the output was cut by a limit",
        State::Refused => "not scored: refused",
        _ => "not scored: the turn was paused and not continued",
    }
}

/// Character comparisons made for one explanation: more would hold up the screen.
const BUDGET: usize = 4_000_000;

/// The nearest reference; `None` when not all of them could be measured.
fn nearest(answer: &str, refs: &Refs) -> Option<(usize, usize)> {
    let mut budget = BUDGET;
    normalized(answer, |plain| {
        let plain = std::str::from_utf8(plain).ok()?;
        let mut best: Option<(usize, usize)> = None;
        for (at, reference) in refs.plain().enumerate() {
            let edits = distance(plain, std::str::from_utf8(reference).ok()?, &mut budget)?;
            if best.is_none_or(|(_, fewest)| edits < fewest) {
                best = Some((at, edits));
            }
        }
        best
    })
}

fn sentence(
    found: &Explanation,
    answer: Option<&str>,
    refs: &Refs,
    scorer: Scorer,
    recorded: Option<bool>,
) -> String {
    let quoted = |at: usize| format!("“{}”", truncate(refs.text(at).unwrap_or_default(), 60));
    let mut out = String::new();
    if scorer == Scorer::Recorded {
        out.push_str(match recorded {
            Some(true) => "recorded as right in the file",
            Some(false) => "recorded as wrong in the file",
            None => "the file records no verdict",
        });
        if refs.is_empty() {
            return out;
        }
        out.push_str("; ");
    }
    match (answer, found.matched) {
        _ if refs.is_empty() => {
            out.push_str("no reference to compare with");
            if let Some(right) = recorded {
                out.push_str(if right {
                    "; the file records it as right"
                } else {
                    "; the file records it as wrong"
                });
            }
            return out;
        }
        (None, _) => out.push_str("no answer could be read, which counts as wrong"),
        (Some(_), Some(at)) => {
            let by = |s| found.accepted_by.contains(&s);
            let name = format!("reference {} {}", at + 1, quoted(at));
            if by(Scorer::Strict) && answer == refs.text(at) {
                put(&mut out, format_args!("matches {name} exactly"));
            } else if by(Scorer::Normalized) {
                put(&mut out, format_args!("matches {name} after normalisation"));
            } else {
                put(&mut out, format_args!("contains {name}"));
            }
        }
        (Some(_), None) => {
            match found.nearest {
                Some((at, 0)) => put(&mut out, format_args!("differs from {} in form only", quoted(at))),
                Some((at, 1)) => put(&mut out, format_args!("nearest is {}, 1 edit away", quoted(at))),
                Some((at, n)) => put(&mut out, format_args!("nearest is {}, {n} edits away", quoted(at))),
                None => out.push_str("no reference matches"),
            }
            let lenient = [Scorer::Normalized, Scorer::Contains]
                .into_iter()
                .find(|s| *s != scorer && found.accepted_by.contains(s));
            if let Some(lenient) = lenient {
                put(&mut out, format_args!("; {} would accept it", lenient.name()));
            }
        }
    }
    if scorer != Scorer::Recorded && found.disagrees_with_recorded {
        out.push_str(match recorded {
            Some(true) => "; the file records it as right",
            _ => "; the file records it as wrong",
        });
    }
    out
}

/// Writing to a string cannot fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}
