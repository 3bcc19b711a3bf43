//! Logarithms of factorials and of binomial probabilities, accurate for every size.

use std::f64::consts::{LN_2, PI};

/// What Stirling's formula leaves out of ln n!: ln n! − ((n + ½) ln n − n + ½ ln 2π), for n ≥ 1; 0 for 0.
pub(super) fn stirling_rest(n: u64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    let x = n as f64;
    if n < 16 {
        let factorial: f64 = (2..=n).map(|i| i as f64).product();
        return factorial.ln() - ((x + 0.5) * x.ln() - x + 0.5 * (2.0 * PI).ln());
    }
    let square = x * x;
    let series = 1.0 / 1_260.0 - (1.0 / 1_680.0 - (1.0 / 1_188.0) / square) / square;
    (1.0 / 12.0 - (1.0 / 360.0 - series / square) / square) / x
}

/// k ln(k / m) + m − k without the loss of digits near k = m.
fn deviance(k: f64, m: f64) -> f64 {
    let distance = k - m;
    if distance.abs() >= 0.1 * (k + m) {
        return k * (k / m).ln() - distance;
    }
    // With v = (k − m) / (k + m), ln(k / m) = 2 artanh v.
    let v = distance / (k + m);
    let mut sum = distance * v;
    let mut term = 2.0 * k * v;
    let square = v * v;
    for j in 1_u32..200 {
        term *= square;
        let next = sum + term / f64::from(2 * j + 1);
        if next.to_bits() == sum.to_bits() {
            break;
        }
        sum = next;
    }
    sum
}

/// ln of the probability of k heads in n throws of a fair coin; k ≤ n.
///
/// The saddle-point form (Loader 2000) keeps its digits where differences of ln Γ lose them.
pub(super) fn ln_fair_binomial(k: u64, n: u64) -> f64 {
    let (x, y, half) = (k as f64, (n - k) as f64, n as f64 / 2.0);
    if k == 0 || k == n {
        return -(n as f64) * LN_2;
    }
    let rest = stirling_rest(n) - stirling_rest(k) - stirling_rest(n - k);
    rest - deviance(x, half) - deviance(y, half) + 0.5 * (n as f64 / (2.0 * PI * x * y)).ln()
}
