//! Shares and their intervals.

/// Two-sided 95 % quantile of the normal distribution.
pub const Z: f64 = 1.959_963_984_540_054;

/// Groups of fewer than this are marked as small.
pub const SMALL: u64 = 20;

/// The 95 % Wilson score interval of `k` in `n`, within 0–1; `None` for `n` = 0.
///
/// Source: Wilson 1927, without continuity correction; METRICS, "accuracy".
pub fn wilson(k: u64, n: u64) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    wilson_at(k as f64 / n as f64, n as f64)
}

/// The 95 % Wilson score interval about a share `p` that `n` observations are worth, which need be no whole number:
/// for weighted samples with their effective size (compared by Franco, Little, Louis and Slud 2019). `None` where `n` is not above 0
/// or `p` not within 0–1.
pub fn wilson_at(p: f64, n: f64) -> Option<(f64, f64)> {
    if !(n > 0.0 && n.is_finite() && (0.0..=1.0).contains(&p)) {
        return None;
    }
    let scale = 1.0 + Z * Z / n;
    let centre = (p + Z * Z / (2.0 * n)) / scale;
    let half = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    // The bounds of 0 and n of n are exact; rounding must not move them past the share itself.
    let low = if p <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if p >= 1.0 { 1.0 } else { (centre + half).min(1.0) };
    Some((low, high))
}

/// The half-width of the normal ("Wald") 95 % interval of `k` in `n`, to compare with published tables; `None` for
/// `n` = 0. Never shown as the interval: at 0 and `n` of `n` it is 0.
pub fn wald_half_width(k: u64, n: u64) -> Option<f64> {
    let p = share(k, n)?;
    Some(Z * (p * (1.0 - p) / n as f64).sqrt())
}

pub(super) fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A part of a whole, both counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// How many.
    pub part: u64,
    /// Of how many.
    pub whole: u64,
}

impl Share {
    /// The share, 0 to 1; `None` of nothing.
    pub fn value(&self) -> Option<f64> {
        share(self.part, self.whole)
    }

    /// Its [`wilson`] interval.
    pub fn wilson(&self) -> Option<(f64, f64)> {
        wilson(self.part, self.whole)
    }

    /// Whether the whole is less than [`SMALL`].
    pub const fn is_small(&self) -> bool {
        self.whole < SMALL
    }
}
