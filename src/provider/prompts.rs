//! The prompts that ship, and putting a question into one.

use crate::record::Condition;

/// Where the question goes.
const PLACE: &str = "{question}";

/// A prompt that ships.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prompt {
    /// Kebab-case id, which is also its file's name in `data/prompts`.
    pub id: &'static str,
    /// What it asks for.
    pub title: &'static str,
    /// The text, with `{question}` where the question goes.
    pub text: &'static str,
}

macro_rules! prompt {
    ($id:literal, $title:literal) => {
        Prompt { id: $id, title: $title, text: include_str!(concat!("../../data/prompts/", $id, ".txt")) }
    };
}

/// Every prompt that ships.
pub const PROMPTS: &[Prompt] = &[
    prompt!("static-no-search", "JSON with answer and confidence"),
    prompt!("static-with-search", "a plain answer, then the confidence"),
    prompt!("dynamic", "a plain answer as of today, the confidence if stated"),
    prompt!("two-lines", "two last lines, answer and confidence"),
];

const FALLBACK: Prompt = prompt!("two-lines", "two last lines, answer and confidence");

/// Which family of prompts is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Style {
    /// One prompt for each split and condition.
    #[default]
    ByCondition,
    /// The same two lines under every condition.
    TwoLines,
}

impl Style {
    /// The word in settings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ByCondition => "by-condition",
            Self::TwoLines => "two-lines",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::ByCondition, Self::TwoLines].into_iter().find(|s| s.name() == word)
    }
}

/// The prompt for a question of a split, asked under a condition. A split that is not `dynamic` counts as static.
pub fn prompt_for(style: Style, split: Option<&str>, condition: Condition) -> &'static Prompt {
    let id = match (style, split, condition) {
        (Style::TwoLines, ..) => "two-lines",
        (_, Some(split), _) if split.eq_ignore_ascii_case("dynamic") => "dynamic",
        (_, _, Condition::NoSearch) => "static-no-search",
        _ => "static-with-search",
    };
    PROMPTS.iter().find(|p| p.id == id).unwrap_or(&FALLBACK)
}

/// A prompt's text with the question in its place; at its end, where it has no place for one.
pub fn fill(text: &str, question: &str) -> String {
    let text = text.trim_end();
    if text.contains(PLACE) {
        // In one pass: a question that speaks of the place itself stays as it is.
        return text.split(PLACE).collect::<Vec<_>>().join(question);
    }
    if text.is_empty() { question.to_owned() } else { format!("{text}\n\n{question}") }
}
