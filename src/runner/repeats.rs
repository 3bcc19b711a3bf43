//! What repeats of one question say together.

use crate::record::{Attempt, Scorer, State, Verdict};
use crate::score::explain;
use crate::stats::pass_at;
use crate::text::normalize;

/// Repeats of one question under one condition.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Repeats {
    /// Attempts that are right or wrong.
    pub judged: u64,
    /// Right ones.
    pub right: u64,
    /// Attempts that are neither: failed, cut, refused, not graded.
    pub open: u64,
    /// Answers that differ once normalised, with how often each came, the most frequent first.
    pub answers: Vec<(String, u64)>,
}

impl Repeats {
    /// Share of the attempts with an answer that differ from the most frequent one, 0 to 1; `None` without two.
    ///
    /// Definition: METRICS, "repeats".
    pub fn flip_rate(&self) -> Option<f64> {
        let all: u64 = self.answers.iter().map(|a| a.1).sum();
        let most = self.answers.first().map_or(0, |a| a.1);
        (all > 1).then(|| (all - most) as f64 / all as f64)
    }

    /// The chance that at least one of `k` attempts is right; `None` when fewer were judged.
    pub fn pass_at(&self, k: u64) -> Option<f64> {
        pass_at(self.judged, self.right, k)
    }
}

/// Puts repeats together.
pub fn repeats<'a>(
    attempts: impl IntoIterator<Item = &'a Attempt>,
    references: &[String],
    scorer: Scorer,
) -> Repeats {
    let mut all = Repeats::default();
    let mut keys: Vec<(String, usize)> = Vec::new();
    for a in attempts {
        let state = State::of_attempt(a);
        match explain(a.answer.as_deref(), references, scorer, a.correct, state).verdict {
            Verdict::Right => (all.judged, all.right) = (all.judged + 1, all.right + 1),
            Verdict::Wrong => all.judged += 1,
            _ => all.open += 1,
        }
        let said = a.answer.as_deref().map(str::trim).filter(|s| !s.is_empty() && state == State::Answered);
        let Some(said) = said else { continue };
        let key = normalize(said);
        let at = keys.iter().find(|(k, _)| *k == key).map(|&(_, at)| at);
        if let Some(answer) = at.and_then(|at| all.answers.get_mut(at)) {
            answer.1 += 1;
        } else {
            keys.push((key, all.answers.len()));
            all.answers.push((said.to_owned(), 1));
        }
    }
    all.answers.sort_by_key(|a| std::cmp::Reverse(a.1));
    all
}
