use super::Random;
use crate::stats::special::stirling_rest;

/// Probabilities of 0 to n in n at p, by sums of logarithms.
fn probabilities(n: u64, p: f64) -> Vec<f64> {
    let mut ln_factorials = vec![0.0];
    for i in 1..=n {
        ln_factorials.push(ln_factorials[i as usize - 1] + (i as f64).ln());
    }
    let ln_factorial = |i: u64| ln_factorials[i as usize];
    (0..=n)
        .map(|k| {
            let ways = ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k);
            (ways + k as f64 * p.ln() + (n - k) as f64 * (1.0 - p).ln()).exp()
        })
        .collect()
}

#[test]
fn draws_follow_the_binomial_distribution() {
    for (n, p) in [(5, 0.3), (40, 0.05), (60, 0.4), (1_000, 0.02), (1_000, 0.37), (20_000, 0.11), (300, 0.8)]
    {
        let mut random = Random::new(7);
        let draws = 40_000;
        let mut seen = vec![0_u64; n as usize + 1];
        for _ in 0..draws {
            seen[random.binomial(n, p) as usize] += 1;
        }
        // Chi-square over cells of at least 20 expected draws, the rest together.
        let (mut square, mut cells) = (0.0, 0.0);
        let (mut rest_seen, mut rest_expected) = (0.0, 0.0);
        for (&count, probability) in seen.iter().zip(probabilities(n, p)) {
            let expected = probability * f64::from(draws);
            if expected < 20.0 {
                rest_seen += count as f64;
                rest_expected += expected;
            } else {
                square += (count as f64 - expected).powi(2) / expected;
                cells += 1.0;
            }
        }
        if rest_expected > 1.0 {
            square += (rest_seen - rest_expected).powi(2) / rest_expected;
            cells += 1.0;
        }
        let freedom: f64 = cells - 1.0;
        assert!(square < freedom + 4.0 * (2.0 * freedom).sqrt(), "{n} {p}: {square} for {freedom}");
    }
}

#[test]
fn stirling_rests_are_accurate() {
    for n in [1_u64, 5, 15, 16, 17, 100, 1_000] {
        let x = n as f64;
        let exact: f64 = (2..=n).map(|i| (i as f64).ln()).sum::<f64>()
            - ((x + 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln());
        assert!((stirling_rest(n) - exact).abs() < 1e-12 * x.max(10.0), "{n}");
    }
}
