//! How far stated confidence can be trusted: ECE, Brier with its parts, AUROC, the gap.

use super::bins::ONE;
use super::intervals::{SMALL, share, wilson};

/// Answers of one stated confidence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Level {
    /// Stated confidence in billionths, 0 to 1,000,000,000.
    pub confidence: u32,
    /// Right answers.
    pub right: u64,
    /// Wrong answers.
    pub wrong: u64,
}

impl Level {
    const fn n(&self) -> u64 {
        self.right + self.wrong
    }
}

/// The judged answers of one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CalibrationBin {
    /// Lower end, 0 to 1.
    pub lo: f64,
    /// Upper end; outside of the bin but for the last of equal width, inside of one of equal mass.
    pub hi: f64,
    /// Judged answers.
    pub n: u64,
    /// Right ones.
    pub right: u64,
    /// Sum of stated confidences in billionths.
    sum: u128,
}

impl CalibrationBin {
    /// Mean stated confidence, 0 to 1; `None` of nothing.
    pub fn mean_confidence(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum as f64 / self.n as f64 / f64::from(ONE))
    }

    /// Right of all, 0 to 1; `None` of nothing.
    pub fn accuracy(&self) -> Option<f64> {
        share(self.right, self.n)
    }

    /// The 95 % Wilson interval of the accuracy.
    pub fn wilson(&self) -> Option<(f64, f64)> {
        wilson(self.right, self.n)
    }

    /// Whether it holds fewer than [`SMALL`] answers.
    pub const fn is_small(&self) -> bool {
        self.n < SMALL
    }

    fn add(&mut self, level: &Level) {
        self.n += level.n();
        self.right += level.right;
        self.sum += u128::from(level.confidence) * u128::from(level.n());
    }

    /// |accuracy − mean confidence| weighted by the bin's share of `all`.
    fn error(&self, all: u64) -> f64 {
        match (self.accuracy(), self.mean_confidence()) {
            (Some(a), Some(c)) => self.n as f64 / all as f64 * (a - c).abs(),
            _ => 0.0,
        }
    }
}

/// The parts of the Brier score: score = reliability − resolution + uncertainty.
///
/// Source: Murphy 1973. Groups are the distinct confidences, so the sum is exact.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Murphy {
    /// How far each confidence is from how often it was right; 0 is best.
    pub reliability: f64,
    /// How far the accuracies of different confidences lie apart; more is better.
    pub resolution: f64,
    /// Variance of right and wrong themselves, at most 0.25.
    pub uncertainty: f64,
}

/// Calibration of the judged answers that state a confidence. Definitions: METRICS, "calibration".
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Calibration {
    /// Judged answers that state a confidence.
    pub n: u64,
    /// Judged answers that state none: they are left out.
    pub missing: u64,
    /// Right ones among `n`.
    pub right: u64,
    /// Expected calibration error over ten bins of equal width, 0 to 1; Naeini et al. 2015.
    pub ece: Option<f64>,
    /// The same over at most ten bins of equal mass; equal confidences are never split.
    pub ece_equal_mass: Option<f64>,
    /// Mean of (confidence − correct)², 0 to 1; Brier 1950.
    pub brier: Option<f64>,
    /// Its parts.
    pub murphy: Option<Murphy>,
    /// Chance that a right answer states more than a wrong one, ties half, 0 to 1; `None` unless both occur.
    pub auroc: Option<f64>,
    /// Mean confidence − accuracy, −1 to 1: above 0 is overconfident.
    pub gap: Option<f64>,
    /// Ten bins of equal width; empty without answers.
    pub bins: Vec<CalibrationBin>,
    /// Bins of equal mass.
    pub mass_bins: Vec<CalibrationBin>,
    /// How many different confidences were stated.
    pub distinct: u64,
}

impl Calibration {
    /// Mean stated confidence, 0 to 1.
    pub fn mean_confidence(&self) -> Option<f64> {
        let sum: u128 = self.bins.iter().map(|b| b.sum).sum();
        (self.n > 0).then(|| sum as f64 / self.n as f64 / f64::from(ONE))
    }
}

/// Calibration of answers by their confidence: `levels` ascending, each confidence once; `missing` judged answers
/// state none.
pub fn calibration(levels: &[Level], missing: u64) -> Calibration {
    let n: u64 = levels.iter().map(Level::n).sum();
    let right: u64 = levels.iter().map(|l| l.right).sum();
    if n == 0 {
        return Calibration { missing, ..Calibration::default() };
    }
    let bins = equal_width(levels);
    let mass_bins = equal_mass(levels, n);
    let ece = |bins: &[CalibrationBin]| bins.iter().map(|b| b.error(n)).sum::<f64>();
    let base = right as f64 / n as f64;
    let mut brier = 0.0;
    let mut murphy = Murphy { uncertainty: base * (1.0 - base), ..Murphy::default() };
    let mut sum = 0_u128;
    for level in levels.iter().filter(|l| l.n() > 0) {
        let stated = f64::from(level.confidence) / f64::from(ONE);
        let (size, accuracy) = (level.n() as f64, level.right as f64 / level.n() as f64);
        brier += level.right as f64 * (stated - 1.0).powi(2) + level.wrong as f64 * stated.powi(2);
        murphy.reliability += size * (stated - accuracy).powi(2);
        murphy.resolution += size * (accuracy - base).powi(2);
        sum += u128::from(level.confidence) * u128::from(level.n());
    }
    murphy.reliability /= n as f64;
    murphy.resolution /= n as f64;
    Calibration {
        n,
        missing,
        right,
        ece: Some(ece(&bins)),
        ece_equal_mass: Some(ece(&mass_bins)),
        brier: Some(brier / n as f64),
        murphy: Some(murphy),
        auroc: auroc(levels, right, n - right),
        gap: Some(sum as f64 / n as f64 / f64::from(ONE) - base),
        bins,
        mass_bins,
        distinct: levels.iter().filter(|l| l.n() > 0).count() as u64,
    }
}

fn equal_width(levels: &[Level]) -> Vec<CalibrationBin> {
    let edge = |n: u32| f64::from(n) / 10.0;
    let mut bins: Vec<CalibrationBin> = (0..10)
        .map(|n| CalibrationBin { lo: edge(n), hi: edge(n + 1), ..CalibrationBin::default() })
        .collect();
    for level in levels {
        if let Some(bin) = bins.get_mut((level.confidence / (ONE / 10)).min(9) as usize) {
            bin.add(level);
        }
    }
    bins
}

/// At most ten bins of about a tenth of the answers each. A bin ends with the confidence that reaches the next tenth of all
/// answers; one that spans several tenths is followed by the tenth after them, not by bins too small.
fn equal_mass(levels: &[Level], n: u64) -> Vec<CalibrationBin> {
    let mut bins: Vec<CalibrationBin> = Vec::new();
    let mut open: Option<CalibrationBin> = None;
    let (mut seen, mut tenths) = (0_u64, 1_u64);
    for level in levels.iter().filter(|l| l.n() > 0) {
        let stated = f64::from(level.confidence) / f64::from(ONE);
        let mut bin = open.take().unwrap_or(CalibrationBin { lo: stated, ..CalibrationBin::default() });
        bin.add(level);
        bin.hi = stated;
        seen += level.n();
        if seen * 10 >= tenths * n {
            bins.push(bin);
            tenths = seen * 10 / n + 1;
        } else {
            open = Some(bin);
        }
    }
    bins.extend(open);
    bins
}

/// The area under the ROC curve by ranks: every right answer against every wrong one.
fn auroc(levels: &[Level], right: u64, wrong: u64) -> Option<f64> {
    if right == 0 || wrong == 0 {
        return None;
    }
    // Halves are counted, so the sum stays whole.
    let (mut halves, mut wrong_below) = (0_u128, 0_u64);
    for level in levels {
        halves += u128::from(level.right) * u128::from(2 * wrong_below + level.wrong);
        wrong_below += level.wrong;
    }
    Some(halves as f64 / 2.0 / (right as f64 * wrong as f64))
}
