//! Selective answering: what risk remains when only the more confident answers are kept.

use super::bins::ONE;
use super::calibration::Level;

/// One threshold: answers of this confidence and above are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kept {
    /// The threshold, 0 to 1.
    pub threshold: f64,
    /// Share of the answers kept, 0 to 1.
    pub coverage: f64,
    /// Wrong among those kept, 0 to 1.
    pub risk: f64,
    /// Answers kept.
    pub n: u64,
    /// Wrong ones among them.
    pub wrong: u64,
}

/// The risk–coverage curve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Coverage {
    /// One point a distinct confidence, from the highest down; the last keeps everything.
    pub curve: Vec<Kept>,
    /// Area under the generalised risk–coverage curve, 0 to 0.5: the mean risk of a silent failure (wrong and kept)
    /// over all coverages. Chance is half the error rate. Between ties it is a straight line, so the order of equal
    /// confidences does not matter. Source: Traub et al. 2024, AUGRC.
    pub augrc: Option<f64>,
}

/// The curve of answers by their confidence, ascending.
pub fn coverage(levels: &[Level]) -> Coverage {
    let n: u64 = levels.iter().map(|l| l.right + l.wrong).sum();
    if n == 0 {
        return Coverage::default();
    }
    let mut curve = Vec::with_capacity(levels.len());
    let (mut kept, mut wrong, mut area) = (0_u64, 0_u64, 0.0);
    for level in levels.iter().rev().filter(|l| l.right + l.wrong > 0) {
        let (before, wrong_before) = (kept, wrong);
        kept += level.right + level.wrong;
        wrong += level.wrong;
        area += (kept - before) as f64 * (wrong + wrong_before) as f64 / 2.0;
        curve.push(Kept {
            threshold: f64::from(level.confidence) / f64::from(ONE),
            coverage: kept as f64 / n as f64,
            risk: wrong as f64 / kept as f64,
            n: kept,
            wrong,
        });
    }
    Coverage { curve, augrc: Some(area / (n as f64 * n as f64)) }
}
