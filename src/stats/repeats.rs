//! What repeats of a question say together.

/// Repeats of a group's questions under one condition. A question takes part when it was asked more than once.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Repeated {
    /// Questions with two judged attempts or more.
    pub questions: u64,
    /// Judged attempts of them.
    pub attempts: u64,
    /// The fewest judged attempts of one of them: the largest k that every one of them has.
    pub fewest: u64,
    /// Mean number of different answers, as they are once folded.
    pub distinct_answers: f64,
    /// Mean share of a question's answers that differ from its most frequent one, 0 to 1.
    pub flip_rate: f64,
    /// Questions whose attempts are not all right or all wrong.
    pub mixed: u64,
    /// Mean over the questions, for k from 1 to `fewest`, at most [`MOST`].
    pub at: Vec<AtK>,
}

/// The chance of success in k attempts. Both are unbiased. Definition: METRICS, "repeats".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AtK {
    /// Attempts.
    pub k: u64,
    /// At least one is right, 0 to 1; Chen et al. 2021.
    pub pass_at: f64,
    /// All are right, 0 to 1.
    pub pass_all: f64,
}

/// The largest k that is worked out.
pub const MOST: u64 = 10;

/// The unbiased estimate of pass@k, 1 − C(n−c, k) / C(n, k), from `n` attempts of which `c` are right; `None` unless
/// 1 ≤ k ≤ n and c ≤ n.
pub fn pass_at(n: u64, c: u64, k: u64) -> Option<f64> {
    if k == 0 || k > n || c > n {
        return None;
    }
    if n - c < k {
        return Some(1.0);
    }
    // The quotient factor by factor, which neither overflows nor loses digits.
    Some(1.0 - (n - c + 1..=n).map(|i| 1.0 - k as f64 / i as f64).product::<f64>())
}

/// The unbiased estimate of pass^k, C(c, k) / C(n, k); `None` unless 1 ≤ k ≤ n and c ≤ n.
pub fn pass_all(n: u64, c: u64, k: u64) -> Option<f64> {
    if k == 0 || k > n || c > n {
        return None;
    }
    Some((0..k).map(|i| (c as f64 - i as f64).max(0.0) / (n - i) as f64).product())
}

/// One question's attempts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Question {
    /// Judged attempts.
    pub(super) n: u64,
    /// Right ones.
    pub(super) right: u64,
    /// Answers given.
    pub(super) answers: u64,
    /// Different ones.
    pub(super) distinct: u64,
    /// The most frequent one.
    pub(super) most: u64,
}

pub(super) fn repeated(questions: &[Question]) -> Option<Repeated> {
    let several: Vec<&Question> = questions.iter().filter(|q| q.n > 1).collect();
    let fewest = several.iter().map(|q| q.n).min()?;
    let count = several.len() as f64;
    let mean = |of: &dyn Fn(&Question) -> f64| several.iter().map(|q| of(q)).sum::<f64>() / count;
    Some(Repeated {
        questions: several.len() as u64,
        attempts: several.iter().map(|q| q.n).sum(),
        fewest,
        distinct_answers: mean(&|q| q.distinct as f64),
        flip_rate: mean(&|q| {
            if q.answers == 0 { 0.0 } else { (q.answers - q.most) as f64 / q.answers as f64 }
        }),
        mixed: several.iter().filter(|q| q.right > 0 && q.right < q.n).count() as u64,
        at: (1..=fewest.min(MOST))
            .map(|k| AtK {
                k,
                pass_at: mean(&|q| pass_at(q.n, q.right, k).unwrap_or(0.0)),
                pass_all: mean(&|q| pass_all(q.n, q.right, k).unwrap_or(0.0)),
            })
            .collect(),
    })
}

#[cfg(test)]
#[path = "repeats_tests.rs"]
mod tests;
