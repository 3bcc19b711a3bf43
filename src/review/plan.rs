//! Sampling plans: which rows are read, in which order, and what each stands for.
//!
//! Rows are drawn by their own number ([`super::Key::ident`]) and a seed, not by their place in the list: the same rows
//! come out however the files were read, and a row that is added later disturbs no other's draw.

use std::fmt;

use crate::record::Transition;
use crate::stats::Random;

/// A row as far as plans go.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlanRow {
    /// Its number in the table.
    pub row: u32,
    /// [`super::Key::ident`] of its pair.
    pub ident: u64,
    /// Its transition.
    pub transition: Transition,
    /// Stated confidence without and with search, 0 to 1.
    pub confidence: [Option<f64>; 2],
    /// Whether the answer without and with search is right; `None` where it is not judged.
    pub right: [Option<bool>; 2],
}

/// How rows are chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plan {
    /// Every row, in the order of the list.
    All,
    /// Every broken row, in the order of the list.
    Broken,
    /// So many rows of each transition, drawn at random; transitions that are not named are left out. The order is
    /// random through all strata, so that stopping early leaves something of each.
    Stratified {
        /// How many of which; `usize::MAX` for all.
        take: Vec<(Transition, usize)>,
        /// For drawing.
        seed: u64,
    },
    /// So many rows, drawn at random.
    Random {
        /// How many.
        n: usize,
        /// For drawing.
        seed: u64,
    },
    /// The most surprising rows first: see [`surprise`].
    Surprising {
        /// How many at most; `usize::MAX` for all that surprise at all.
        n: usize,
    },
}

/// A row that was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Draw {
    /// Its number in the table.
    pub row: u32,
    /// How many rows it stands for, 1 or more; `None` where rows were chosen for what they are and stand for no others.
    pub weight: Option<f64>,
}

/// Rows that were drawn from together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stratum {
    /// The transition; `None` when rows of all were drawn from together.
    pub transition: Option<Transition>,
    /// How many rows there were.
    pub size: usize,
    /// How many of them were drawn.
    pub drawn: usize,
}

/// What a plan makes of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sample {
    /// The rows in the order to be read.
    pub draws: Vec<Draw>,
    /// What they were drawn from: what prevalence is weighted back by. Empty where rows stand for no others.
    pub strata: Vec<Stratum>,
}

/// How surprising a row is, 0 to 1: the highest confidence stated for a wrong answer, or the change of confidence by
/// search (either way), whichever is greater. `None` where neither is known.
pub fn surprise(row: &PlanRow) -> Option<f64> {
    let wrong =
        row.confidence.iter().zip(row.right).filter_map(|(c, right)| c.filter(|_| right == Some(false)));
    let change = match row.confidence {
        [Some(before), Some(after)] => Some((after - before).abs()),
        _ => None,
    };
    wrong.chain(change).filter(|s| s.is_finite()).reduce(f64::max)
}

impl Plan {
    /// A stratified sample as the method has it: every broken row, `n` unresolved ones, half as many of every other
    /// kind of searched row for control.
    pub fn usual(n: usize, seed: u64) -> Self {
        let half = n.div_ceil(2);
        let take = vec![
            (Transition::Broken, usize::MAX),
            (Transition::Unresolved, n),
            (Transition::Corrected, half),
            (Transition::Preserved, half),
        ];
        Self::Stratified { take, seed }
    }

    /// Whether rows are drawn at random, and so stand for others however few of them were read by now.
    pub const fn is_by_lot(&self) -> bool {
        matches!(self, Self::Random { .. } | Self::Stratified { .. })
    }

    /// Draws from the rows of a filtered list.
    pub fn draw(&self, rows: &[PlanRow]) -> Sample {
        match self {
            Self::All => whole(rows.iter(), None),
            Self::Broken => {
                let broken = rows.iter().filter(|r| r.transition == Transition::Broken);
                whole(broken, Some(Transition::Broken))
            }
            Self::Random { n, seed } => {
                let mut drawn = lots(rows.iter(), *seed);
                let size = drawn.len();
                drawn.truncate(*n);
                let stratum = Stratum { transition: None, size, drawn: drawn.len() };
                sample(drawn.into_iter().map(|(_, row)| (row, weight(&stratum))), vec![stratum])
            }
            Self::Stratified { take, seed } => {
                let mut all = Vec::new();
                let mut strata: Vec<Stratum> = Vec::new();
                for &(transition, n) in take {
                    // Named twice, the first counts.
                    if strata.iter().any(|s| s.transition == Some(transition)) {
                        continue;
                    }
                    let mut drawn = lots(rows.iter().filter(|r| r.transition == transition), *seed);
                    let size = drawn.len();
                    drawn.truncate(n);
                    let stratum = Stratum { transition: Some(transition), size, drawn: drawn.len() };
                    all.extend(drawn.into_iter().map(|(lot, row)| (lot, row, weight(&stratum))));
                    strata.push(stratum);
                }
                all.sort_by_key(|&(lot, row, _)| (lot, row));
                sample(all.into_iter().map(|(_, row, weight)| (row, weight)), strata)
            }
            Self::Surprising { n } => {
                let mut by: Vec<(f64, u32)> =
                    rows.iter().filter_map(|r| Some((surprise(r)?, r.row))).collect();
                by.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                by.truncate(*n);
                sample(by.into_iter().map(|(_, row)| (row, None)), Vec::new())
            }
        }
    }

    /// The plan of a session's mark, which is `PLAN | FILTER`, and the filter that its rows were drawn under.
    pub fn of_mark(mark: &str) -> Option<(Self, &str)> {
        let (plan, filter) = mark.split_once(" | ").unwrap_or((mark, ""));
        Some((Self::parse(plan)?, filter))
    }

    /// Reads a plan's written form, as [`fmt::Display`] writes it; `None` where it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let mut words = text.split_whitespace();
        let kind = words.next()?;
        let mut seed = 0;
        let mut n = None;
        let mut take = Vec::new();
        for word in words {
            let (name, value) = word.split_once('=')?;
            match name {
                "seed" => seed = value.parse().ok()?,
                "n" => n = Some(count(value)?),
                name => take.push((Transition::parse(name)?, count(value)?)),
            }
        }
        let plain = n.is_none() && take.is_empty();
        match kind {
            "all" if plain => Some(Self::All),
            "broken" if plain => Some(Self::Broken),
            "stratified" if n.is_none() => Some(Self::Stratified { take, seed }),
            "random" if take.is_empty() => Some(Self::Random { n: n?, seed }),
            "surprising" if take.is_empty() => Some(Self::Surprising { n: n.unwrap_or(usize::MAX) }),
            _ => None,
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Broken => f.write_str("broken"),
            Self::Stratified { take, seed } => {
                f.write_str("stratified")?;
                for (transition, n) in take {
                    write!(f, " {}={}", transition.name(), many(*n))?;
                }
                write!(f, " seed={seed}")
            }
            Self::Random { n, seed } => write!(f, "random n={} seed={seed}", many(*n)),
            Self::Surprising { n } => write!(f, "surprising n={}", many(*n)),
        }
    }
}

fn many(n: usize) -> String {
    if n == usize::MAX { "all".to_owned() } else { n.to_string() }
}

fn count(word: &str) -> Option<usize> {
    if word == "all" { Some(usize::MAX) } else { word.parse().ok() }
}

fn sample(draws: impl Iterator<Item = (u32, Option<f64>)>, strata: Vec<Stratum>) -> Sample {
    Sample { draws: draws.map(|(row, weight)| Draw { row, weight }).collect(), strata }
}

fn whole<'a>(rows: impl Iterator<Item = &'a PlanRow>, transition: Option<Transition>) -> Sample {
    let draws: Vec<Draw> = rows.map(|r| Draw { row: r.row, weight: Some(1.0) }).collect();
    let stratum = Stratum { transition, size: draws.len(), drawn: draws.len() };
    Sample { draws, strata: vec![stratum] }
}

/// The rows by lot: the first n are a sample of n without replacement.
fn lots<'a>(rows: impl Iterator<Item = &'a PlanRow>, seed: u64) -> Vec<(u64, u32)> {
    // A seed of its own for every row; the first step spreads seeds that are near each other.
    let start = Random::new(seed).bits();
    let mut lots: Vec<(u64, u32)> = rows.map(|r| (Random::new(start ^ r.ident).bits(), r.row)).collect();
    lots.sort_unstable();
    lots
}

fn weight(stratum: &Stratum) -> Option<f64> {
    (stratum.drawn > 0).then(|| stratum.size as f64 / stratum.drawn as f64)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;
