//! Searching only when the answer without search is not confident enough.

use super::bins::ONE;

/// Pairs of one stated no-search confidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gate {
    /// Stated confidence without search in billionths.
    pub confidence: u32,
    /// Pairs.
    pub n: u64,
    /// Right without search.
    pub before: u64,
    /// Right with search.
    pub after: u64,
}

impl Gate {
    /// The same confidence in another set of pairs, added.
    pub(super) const fn add(&mut self, other: &Self) {
        self.n += other.n;
        self.before += other.before;
        self.after += other.after;
    }
}

/// One threshold: pairs below it take the with-search outcome, the others the no-search one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gated {
    /// The threshold, 0 to 1; `None` is always-search.
    pub threshold: Option<f64>,
    /// Share of the pairs that search, 0 to 1.
    pub rate: f64,
    /// Accuracy, 0 to 1.
    pub accuracy: f64,
    /// Accuracy if as many pairs were sent to search at random: the straight line from LLM only to always.
    pub random_accuracy: f64,
    /// Pairs that search.
    pub n: u64,
    /// Right ones.
    pub right: u64,
}

/// A threshold chosen on some of the questions and tried on the others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CrossValidated {
    /// Parts that the questions are cut into.
    pub folds: u32,
    /// Accuracy on the parts that the threshold was not chosen on, 0 to 1.
    pub accuracy: f64,
    /// Share of the pairs that searched there.
    pub rate: f64,
}

/// Accuracy under gating (figure 6). Definitions: METRICS, "gating".
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gating {
    /// Pairs with both sides judged and a no-search confidence.
    pub n: u64,
    /// Accuracy without search.
    pub llm_only: f64,
    /// Accuracy with search.
    pub always: f64,
    /// Accuracy when exactly the pairs wrong without and right with search are searched.
    pub oracle: f64,
    /// Share of those pairs.
    pub oracle_rate: f64,
    /// One point a threshold, ascending, always-search last; empty without pairs.
    pub curve: Vec<Gated>,
    /// The most accurate point; of equal ones the one that searches least. Chosen on the pairs it is shown for, so it
    /// flatters.
    pub best: Option<Gated>,
    /// What a threshold chosen elsewhere gives; `None` with too few pairs for it.
    pub cross_validated: Option<CrossValidated>,
}

/// Gating of pairs by their no-search confidence. `folds` hold the pairs by part, each ascending by confidence;
/// `gained` are the pairs wrong without and right with search.
pub fn gating(folds: &[Vec<Gate>], gained: u64) -> Gating {
    let all = merged(folds.iter());
    let n: u64 = all.iter().map(|g| g.n).sum();
    if n == 0 {
        return Gating::default();
    }
    let curve = curve(&all);
    let total = |of: fn(&Gate) -> u64| all.iter().map(of).sum::<u64>() as f64 / n as f64;
    let fixed = gained as f64 / n as f64;
    Gating {
        n,
        llm_only: total(|g| g.before),
        always: total(|g| g.after),
        oracle: total(|g| g.before) + fixed,
        oracle_rate: fixed,
        best: best(&curve),
        curve,
        cross_validated: cross_validated(folds),
    }
}

fn merged<'a>(folds: impl Iterator<Item = &'a Vec<Gate>>) -> Vec<Gate> {
    let mut all: Vec<Gate> = folds.flatten().copied().collect();
    all.sort_by_key(|g| g.confidence);
    all.dedup_by(|next, kept| {
        let same = next.confidence == kept.confidence;
        if same {
            kept.add(next);
        }
        same
    });
    all
}

fn curve(all: &[Gate]) -> Vec<Gated> {
    let n: u64 = all.iter().map(|g| g.n).sum();
    let (before, after) = all.iter().fold((0, 0), |(b, a), g| (b + g.before, a + g.after));
    let (llm, always) = (before as f64 / n as f64, after as f64 / n as f64);
    let point = |threshold: Option<u32>, gated: u64, right: u64| {
        let rate = gated as f64 / n as f64;
        Gated {
            threshold: threshold.map(|t| f64::from(t) / f64::from(ONE)),
            rate,
            accuracy: right as f64 / n as f64,
            random_accuracy: llm + rate * (always - llm),
            n: gated,
            right,
        }
    };
    let (mut gated, mut right) = (0, before);
    let mut points = Vec::with_capacity(all.len() + 1);
    for gate in all {
        points.push(point(Some(gate.confidence), gated, right));
        gated += gate.n;
        right = right + gate.after - gate.before;
    }
    points.push(point(None, gated, right));
    points
}

fn best(curve: &[Gated]) -> Option<Gated> {
    // The first of equals: rates rise along the curve.
    curve.iter().copied().reduce(|best, p| if p.right > best.right { p } else { best })
}

/// Fewer pairs a part than this choose a threshold by chance.
const LEAST: u64 = 5;

fn cross_validated(folds: &[Vec<Gate>]) -> Option<CrossValidated> {
    let sizes: Vec<u64> = folds.iter().map(|f| f.iter().map(|g| g.n).sum()).collect();
    if folds.len() < 2 || sizes.iter().any(|&n| n < LEAST) {
        return None;
    }
    let (mut right, mut searched) = (0, 0);
    for (at, held_out) in folds.iter().enumerate() {
        let others = merged(folds.iter().enumerate().filter(|(n, _)| *n != at).map(|(_, f)| f));
        let threshold = best(&curve(&others))?.threshold;
        for gate in held_out {
            let gated = threshold.is_none_or(|t| f64::from(gate.confidence) / f64::from(ONE) < t);
            right += if gated { gate.after } else { gate.before };
            searched += if gated { gate.n } else { 0 };
        }
    }
    let n: u64 = sizes.iter().sum();
    Some(CrossValidated {
        folds: folds.len() as u32,
        accuracy: right as f64 / n as f64,
        rate: searched as f64 / n as f64,
    })
}
