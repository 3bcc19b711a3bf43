//! Where attempts come from, as far as it must be said beside every number made of them.

/// The sources of attempts that no model gave in answer to a person's question, each with its mark; what is more unlike
/// a real answer comes first.
const MADE_UP: [(&str, &str); 3] =
    [("simulated", "SIMULATED"), ("synthetic", "SYNTHETIC"), ("replay", "REPLAY")];

/// Whether a `source` says that no model gave the answer to a person's question.
pub fn is_made_up(source: &str) -> bool {
    MADE_UP.iter().any(|(word, _)| *word == source)
}

/// The mark for data of which `has` tells the sources; `None` where every answer is a model's own.
pub fn mark_of_data(has: impl Fn(&str) -> bool) -> Option<&'static str> {
    MADE_UP.iter().find(|(word, _)| has(word)).map(|(_, mark)| *mark)
}
