//! The paired bootstrap over questions.

use std::collections::HashMap;

use super::random::Random;

/// Resamples of the paired bootstrap.
pub const RESAMPLES: usize = 2_000;

/// Seed of the paired bootstrap: every run gives the same interval.
pub const SEED: u64 = 0x6c6f_6f6b_6974_7570;

/// Differences and pairs of one question: all that a resample needs of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Cluster {
    /// Judged pairs.
    pub(super) pairs: u32,
    /// Gained minus lost.
    pub(super) sum: i32,
}

/// Questions of up to so many pairs are counted in a plain table.
const FEW: u32 = 15;

/// How many questions have the same differences.
#[derive(Debug)]
pub(super) struct Classes {
    /// By pairs, then by sum: n pairs can differ in 2 n + 1 ways.
    few: Vec<(Cluster, u64)>,
    many: HashMap<Cluster, u64, foldhash::fast::RandomState>,
}

impl Default for Classes {
    fn default() -> Self {
        let few = (0..=FEW).flat_map(|pairs| {
            let most = pairs as i32;
            (-most..=most).map(move |sum| (Cluster { pairs, sum }, 0))
        });
        Self { few: few.collect(), many: HashMap::default() }
    }
}

impl Classes {
    /// Counts a question.
    pub(super) fn add(&mut self, cluster: Cluster) {
        if cluster.pairs > FEW {
            *self.many.entry(cluster).or_default() += 1;
            return;
        }
        let pairs = cluster.pairs as i32;
        if let Some(place) = self.few.get_mut((pairs * pairs + pairs + cluster.sum) as usize) {
            place.1 += 1;
        }
    }

    /// The 95 % percentile interval of the mean difference when whole questions are drawn with replacement; `None`
    /// without any. Questions without a judged pair take no part.
    ///
    /// Questions with the same differences are interchangeable, so a resample is one draw from the multinomial
    /// distribution over the classes: the same as drawing questions one by one, at the cost of the classes alone.
    pub(super) fn interval(&self) -> Option<(f64, f64)> {
        let all = self.few.iter().copied().chain(self.many.iter().map(|(c, n)| (*c, *n)));
        let mut classes: Vec<(Cluster, u64)> = all.filter(|(c, n)| c.pairs > 0 && *n > 0).collect();
        // The order of a hash map must not decide what is drawn.
        classes.sort_unstable();
        let questions: u64 = classes.iter().map(|c| c.1).sum();
        if questions == 0 {
            return None;
        }
        let mut random = Random::new(SEED);
        let mut means: Vec<f64> =
            (0..RESAMPLES).map(|_| mean_of_draw(&classes, questions, &mut random)).collect();
        means.sort_unstable_by(f64::total_cmp);
        Some((quantile(&means, 0.025), quantile(&means, 0.975)))
    }
}

fn mean_of_draw(classes: &[(Cluster, u64)], questions: u64, random: &mut Random) -> f64 {
    let (mut to_draw, mut left) = (questions, questions);
    let (mut sum, mut pairs) = (0_i64, 0_u64);
    for &(cluster, count) in classes {
        let drawn =
            if count == left { to_draw } else { random.binomial(to_draw, count as f64 / left as f64) };
        sum += drawn as i64 * i64::from(cluster.sum);
        pairs += drawn * u64::from(cluster.pairs);
        to_draw -= drawn;
        left -= count;
        if to_draw == 0 {
            break;
        }
    }
    sum as f64 / pairs as f64
}

/// The quantile of sorted values, linear between neighbours.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * sorted.len().saturating_sub(1) as f64;
    let below = place.floor();
    let at = |n: usize| sorted.get(n).or(sorted.last()).copied().unwrap_or(f64::NAN);
    let (low, high) = (at(below as usize), at(below as usize + 1));
    low + (high - low) * (place - below)
}
