//! What became of an attempt and of a pair.

use serde::{Deserialize, Serialize};

use super::Attempt;

/// How answers are compared with references.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Scorer {
    /// The verdict that the file recorded.
    Recorded = 0,
    /// Same bytes after trimming.
    Strict = 1,
    /// Same text after normalisation.
    #[default]
    Normalized = 2,
    /// A normalised reference is a whole-word part of the answer.
    Contains = 3,
}

impl Scorer {
    /// Every scorer, in the order the screen cycles through them.
    pub const ALL: [Self; 4] = [Self::Recorded, Self::Strict, Self::Normalized, Self::Contains];

    /// The name used on the command line and in filters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Strict => "strict",
            Self::Normalized => "normalized",
            Self::Contains => "contains",
        }
    }

    /// Reads a name; `None` for an unknown word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name().eq_ignore_ascii_case(word))
    }
}

/// What an attempt is before it is scored: only [`State::Answered`] and [`State::NoAnswer`] can be right or wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum State {
    /// It has an answer.
    #[default]
    Answered = 0,
    /// It ended normally, yet no answer could be read from it: wrong by METRICS.
    NoAnswer = 1,
    /// The request failed.
    Error = 2,
    /// The output was cut by a token limit.
    Truncated = 3,
    /// The model or a filter refused.
    Refused = 4,
    /// The provider paused the turn and it was not continued.
    Paused = 5,
}

impl State {
    /// The state that a record's error (its kind) and `stop` give, before its answer is looked at. A refusal that is
    /// recorded as an error is a refusal.
    ///
    /// `has_answer` tells whether an answer was found.
    pub fn of(error: Option<&str>, stop: Option<&str>, has_answer: bool) -> Self {
        match error {
            Some("refusal") => return Self::Refused,
            Some(_) => return Self::Error,
            None => {}
        }
        match stop {
            Some(
                "max_tokens"
                | "length"
                | "model_length"
                | "max_output_tokens"
                | "incomplete"
                | "model_context_window_exceeded",
            ) => Self::Truncated,
            Some("refusal" | "content_filter") => Self::Refused,
            Some("pause_turn") => Self::Paused,
            _ if has_answer => Self::Answered,
            _ => Self::NoAnswer,
        }
    }

    /// The state of a whole record whose answer has already been looked for.
    pub fn of_attempt(a: &Attempt) -> Self {
        Self::of(
            a.error.as_ref().map(|e| e.kind.as_str()),
            a.stop.as_deref(),
            a.answer.as_deref().is_some_and(|s| !s.trim().is_empty()),
        )
    }

    /// The word shown.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Answered => "answered",
            Self::NoAnswer => "no answer",
            Self::Error => "error",
            Self::Truncated => "truncated",
            Self::Refused => "refused",
            Self::Paused => "paused",
        }
    }

    /// From the number kept in a column.
    pub const fn from_u8(n: u8) -> Self {
        match n {
            1 => Self::NoAnswer,
            2 => Self::Error,
            3 => Self::Truncated,
            4 => Self::Refused,
            5 => Self::Paused,
            _ => Self::Answered,
        }
    }
}

/// What a scorer says of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Verdict {
    /// The answer matches.
    Right = 0,
    /// It does not.
    Wrong = 1,
    /// Nothing to compare with, or the record's scorer gave nothing.
    Ungraded = 2,
    /// The request failed.
    Error = 3,
    /// The output was cut.
    Truncated = 4,
    /// Refused.
    Refused = 5,
    /// Paused and not continued.
    Paused = 6,
}

impl Verdict {
    /// Right or wrong; `None` for every other state.
    pub const fn correct(self) -> Option<bool> {
        match self {
            Self::Right => Some(true),
            Self::Wrong => Some(false),
            _ => None,
        }
    }

    /// The word used in files and filters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Ungraded => "ungraded",
            Self::Error => "error",
            Self::Truncated => "truncated",
            Self::Refused => "refused",
            Self::Paused => "paused",
        }
    }

    /// Every verdict.
    pub const ALL: [Self; 7] =
        [Self::Right, Self::Wrong, Self::Ungraded, Self::Error, Self::Truncated, Self::Refused, Self::Paused];
}

/// Harmful or beneficial, after section 4.2 of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Corrected or preserved.
    Beneficial,
    /// Broken or unresolved.
    Harmful,
}

/// What search did to a question: the transition of a pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Transition {
    /// Wrong, then right with search.
    Corrected = 0,
    /// Right both times.
    Preserved = 1,
    /// Right, then wrong with search.
    Broken = 2,
    /// Wrong both times.
    Unresolved = 3,
    /// The with-search attempt made no call.
    NotSearched = 4,
    /// One condition was never asked.
    #[default]
    Unpaired = 5,
    /// A side is in error, truncated, refused, paused or ungraded.
    Incomplete = 6,
}

impl Transition {
    /// Every transition, in display order.
    pub const ALL: [Self; 7] = [
        Self::Corrected,
        Self::Preserved,
        Self::Broken,
        Self::Unresolved,
        Self::NotSearched,
        Self::Unpaired,
        Self::Incomplete,
    ];

    /// The transition of a pair: each side's verdict (`None`: never asked) and the with-search attempt's calls.
    ///
    /// Definition: METRICS, "Words"; names and groups after section 4.2 of the paper.
    pub const fn of(no: Option<Verdict>, with: Option<Verdict>, calls: usize) -> Self {
        let (Some(no), Some(with)) = (no, with) else {
            return Self::Unpaired;
        };
        match (no.correct(), with.correct()) {
            (Some(_), Some(_)) if calls == 0 => Self::NotSearched,
            (Some(false), Some(true)) => Self::Corrected,
            (Some(true), Some(true)) => Self::Preserved,
            (Some(true), Some(false)) => Self::Broken,
            (Some(false), Some(false)) => Self::Unresolved,
            _ => Self::Incomplete,
        }
    }

    /// The name used in files and filters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Corrected => "corrected",
            Self::Preserved => "preserved",
            Self::Broken => "broken",
            Self::Unresolved => "unresolved",
            Self::NotSearched => "not_searched",
            Self::Unpaired => "unpaired",
            Self::Incomplete => "incomplete",
        }
    }

    /// Five cells at most, so that meaning never hangs on colour: `✗→✓`.
    pub const fn glyph(self) -> &'static str {
        match self {
            Self::Corrected => "✗→✓",
            Self::Preserved => "✓→✓",
            Self::Broken => "✓→✗",
            Self::Unresolved => "✗→✗",
            Self::NotSearched => " · ",
            Self::Unpaired => " – ",
            Self::Incomplete => " ! ",
        }
    }

    /// Its group; `None` where the pair was not searched, or is none.
    pub const fn group(self) -> Option<Group> {
        match self {
            Self::Corrected | Self::Preserved => Some(Group::Beneficial),
            Self::Broken | Self::Unresolved => Some(Group::Harmful),
            _ => None,
        }
    }

    /// Reads a name; `not searched` and `not-searched` too.
    pub fn parse(word: &str) -> Option<Self> {
        let key = word.trim().to_ascii_lowercase().replace([' ', '-'], "_");
        Self::ALL.into_iter().find(|t| t.name() == key)
    }

    /// From the number kept in a column.
    pub const fn from_u8(n: u8) -> Self {
        match n {
            0 => Self::Corrected,
            1 => Self::Preserved,
            2 => Self::Broken,
            3 => Self::Unresolved,
            4 => Self::NotSearched,
            6 => Self::Incomplete,
            _ => Self::Unpaired,
        }
    }
}

/// What becomes of attempts that are neither right nor wrong: in error, cut, refused, paused, ungraded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Errors {
    /// Left out of accuracy and counted beside it.
    #[default]
    Drop,
    /// Counted as wrong in accuracy. Transitions, harm and net effect stay those of pairs with both sides judged: a
    /// pair that has no verdict on a side is never a wrong one.
    Wrong,
}

impl Errors {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Drop, Self::Wrong];

    /// The word in the configuration and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Drop => "drop",
            Self::Wrong => "wrong",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|e| e.name() == word)
    }
}
