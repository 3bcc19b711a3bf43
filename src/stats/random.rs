//! Random numbers for resampling: seeded, the same on every machine.

use super::special::stirling_rest;

/// `SplitMix64` (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in the open interval 0–1.
    fn unit(&mut self) -> f64 {
        ((self.bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// The number of successes in `n` trials of probability `p`.
    pub(super) fn binomial(&mut self, n: u64, p: f64) -> u64 {
        if n == 0 || p <= 0.0 {
            return 0;
        }
        if p >= 1.0 {
            return n;
        }
        if p > 0.5 {
            return n - self.binomial(n, 1.0 - p);
        }
        if n as f64 * p < 10.0 { self.by_inversion(n, p) } else { self.by_rejection(n, p) }
    }

    /// Walks up the distribution; for small means.
    fn by_inversion(&mut self, n: u64, p: f64) -> u64 {
        let odds = p / (1.0 - p);
        let none = (n as f64 * (-p).ln_1p()).exp();
        loop {
            let mut left = self.unit();
            let mut probability = none;
            for k in 0..=n.min(200) {
                if left <= probability {
                    return k;
                }
                left -= probability;
                probability *= odds * (n - k) as f64 / (k + 1) as f64;
            }
            // Only rounding leads here.
        }
    }

    /// Transformed rejection, BTRS of Hörmann 1993; for means of 10 and more, p ≤ ½.
    fn by_rejection(&mut self, n: u64, p: f64) -> u64 {
        let size = n as f64;
        let deviation = (size * p * (1.0 - p)).sqrt();
        let width = 1.15 + 2.53 * deviation;
        let tail = -0.0873 + 0.0248 * width + 0.01 * p;
        let centre = size * p + 0.5;
        let squeeze = 0.92 - 4.2 / width;
        let alpha = (2.83 + 5.1 / width) * deviation;
        let odds = p / (1.0 - p);
        let mode = ((size + 1.0) * p).floor();
        loop {
            let place = self.unit() - 0.5;
            let height = self.unit();
            let edge = 0.5 - place.abs();
            let k = ((2.0 * tail / edge + width) * place + centre).floor();
            if edge >= 0.07 && height <= squeeze {
                return k as u64;
            }
            if k < 0.0 || k > size {
                continue;
            }
            let height = (height * alpha / (tail / (edge * edge) + width)).ln();
            let rest = |x: f64| stirling_rest_plus(x as u64);
            let bound = (mode + 0.5) * ((mode + 1.0) / (odds * (size - mode + 1.0))).ln()
                + (size + 1.0) * ((size - mode + 1.0) / (size - k + 1.0)).ln()
                + (k + 0.5) * (odds * (size - k + 1.0) / (k + 1.0)).ln()
                + rest(mode)
                + rest(size - mode)
                - rest(k)
                - rest(size - k);
            if height <= bound {
                return k as u64;
            }
        }
    }
}

/// ln n! − ((n + ½) ln (n + 1) − (n + 1) + ½ ln 2π): Stirling's rest about n + 1, as the acceptance bound wants it.
fn stirling_rest_plus(n: u64) -> f64 {
    stirling_rest(n + 1)
}

#[cfg(test)]
#[path = "random_tests.rs"]
mod tests;
