//! The exact test of a paired change.

use super::special::ln_fair_binomial;

/// `McNemar`'s exact two-sided p for `b` changes one way and `c` the other: twice the smaller binomial tail at ½, at
/// most 1. Without any change it is 1. Worked out in logarithms, so large counts neither overflow nor lose digits; what
/// is below the smallest number is 0.
pub fn mcnemar_exact(b: u64, c: u64) -> f64 {
    let n = b.saturating_add(c);
    let few = b.min(c);
    if b == c {
        return 1.0;
    }
    // The tail from its largest term down; each is the one above it times i / (n − i + 1).
    let mut sum = 1.0;
    let mut term = 1.0;
    for i in (1..=few).rev() {
        term *= i as f64 / (n - i + 1) as f64;
        sum += term;
        if term < sum * 1e-18 {
            break;
        }
    }
    (2.0_f64.ln() + ln_fair_binomial(few, n) + f64::ln(sum)).exp().min(1.0)
}
