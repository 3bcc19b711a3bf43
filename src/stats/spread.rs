//! How a difference is spread: quantiles, mean, how many rose and fell.

use super::bins::ONE;

/// Changes of stated confidence, with minus without.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spread {
    /// Pairs with a confidence on both sides.
    pub n: u64,
    /// Mean change, −1 to 1.
    pub mean: f64,
    /// The 10th, 25th, 50th, 75th and 90th percentile: the smallest change that at least so many do not exceed.
    pub quantiles: [f64; 5],
    /// Confidence fell, stayed, rose.
    pub moved: [u64; 3],
}

/// The percentiles of [`Spread::quantiles`].
pub const PERCENTILES: [u32; 5] = [10, 25, 50, 75, 90];

/// The spread of changes in billionths, ascending, each once with how often it occurs; `None` of nothing.
pub fn spread(changes: &[(i32, u64)]) -> Option<Spread> {
    let n: u64 = changes.iter().map(|c| c.1).sum();
    if n == 0 {
        return None;
    }
    let share = |change: i32| f64::from(change) / f64::from(ONE);
    let sum: i128 = changes.iter().map(|&(change, n)| i128::from(change) * i128::from(n)).sum();
    let quantile = |percent: u32| {
        let rank = (n * u64::from(percent)).div_ceil(100).max(1);
        let mut seen = 0;
        let at = changes.iter().find(|c| {
            seen += c.1;
            seen >= rank
        });
        at.map_or(0.0, |c| share(c.0))
    };
    let count = |is: fn(i32) -> bool| changes.iter().filter(|c| is(c.0)).map(|c| c.1).sum();
    Some(Spread {
        n,
        mean: sum as f64 / n as f64 / f64::from(ONE),
        quantiles: PERCENTILES.map(quantile),
        moved: [count(|c| c < 0), count(|c| c == 0), count(|c| c > 0)],
    })
}
