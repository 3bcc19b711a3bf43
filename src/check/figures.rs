//! Figures that cannot be so.

use std::collections::BTreeMap;

use crate::record::{Condition, Scorer, Transition};
use crate::stats::{self, Binning};
use crate::store::{NO, Table};

use super::{Kind, Report};

/// Fewer cases than this prove nothing.
const LEAST: u64 = 20;

/// Models that state the same confidence for everything.
pub(super) fn confidences(table: &Table, report: &mut Report) {
    struct Seen {
        value: u32,
        n: u64,
        same: bool,
    }
    let mut seen: BTreeMap<(u16, Condition), Seen> = BTreeMap::new();
    for row in table.attempts.iter().filter(|r| r.confidence != NO) {
        let entry = seen.entry((row.model, row.condition)).or_insert(Seen {
            value: row.confidence,
            n: 0,
            same: true,
        });
        entry.n += 1;
        entry.same &= entry.value == row.confidence;
    }
    for ((model, condition), seen) in seen {
        if seen.same && seen.n >= LEAST {
            report.add(
                Kind::ConstantConfidence,
                None,
                format!(
                    "{} under {}: all {} stated confidences are {}",
                    table.names.models.word(model).unwrap_or("(no model)"),
                    condition.name(),
                    seen.n,
                    f64::from(seen.value) / 1e9,
                ),
            );
        }
    }
}

/// Margins and calibration of each model and split.
pub(super) fn groups(table: &Table, scorer: Scorer, report: &mut Report) {
    let mut groups: BTreeMap<(u16, u16), Vec<u32>> = BTreeMap::new();
    for (at, pair) in (0u32..).zip(table.pairs.iter()) {
        groups.entry((pair.model, table.split(pair))).or_default().push(at);
    }
    for ((model, split), rows) in groups {
        let name = format!(
            "{} / {}",
            table.names.models.word(model).unwrap_or("(no model)"),
            table.names.splits.word(split).unwrap_or("(no split)"),
        );
        margins(table, &name, &rows, scorer, report);
        for condition in Condition::ALL {
            ece(table, &name, &rows, scorer, condition, report);
        }
    }
}

/// Right answers counted attempt by attempt against those that the transitions imply.
fn margins(table: &Table, name: &str, rows: &[u32], scorer: Scorer, report: &mut Report) {
    let (mut right, mut implied, mut searched, mut of_searched) = ([0u64; 2], [0u64; 2], 0u64, 0u64);
    for pair in rows.iter().filter_map(|&r| table.pairs.get(r as usize)) {
        let Some(&transition) = pair.transitions.get(scorer as usize) else { continue };
        if transition.group().is_none() {
            continue;
        }
        of_searched += 1;
        searched += u64::from(table.calls(pair).is_some_and(|c| c > 0));
        let side = |c| table.side(pair, c).and_then(|a| a.verdict(scorer).correct()) == Some(true);
        let now = [side(Condition::NoSearch), side(Condition::WithSearch)];
        let then = match transition {
            Transition::Corrected => [false, true],
            Transition::Preserved => [true, true],
            Transition::Broken => [true, false],
            _ => [false, false],
        };
        for ((sum, is), (sum2, was)) in right.iter_mut().zip(now).zip(implied.iter_mut().zip(then)) {
            *sum += u64::from(is);
            *sum2 += u64::from(was);
        }
    }
    if right != implied || searched != of_searched {
        report.add(
            Kind::Margins,
            None,
            format!(
                "{name}: of {} {} and {} are right without and with search, the \
                 transitions imply {} and {}",
                crate::text::several(of_searched, "searched pair"),
                right[0],
                right[1],
                implied[0],
                implied[1]
            ),
        );
    }
}

/// Overconfidence alone cannot bring ECE above 1 − accuracy: something is underconfident, or confidences belong to
/// other answers or another scale.
fn ece(table: &Table, name: &str, rows: &[u32], scorer: Scorer, condition: Condition, report: &mut Report) {
    let bins = stats::bins(table, rows, scorer, condition, Binning::Ten).bins;
    let answered: u64 = bins.iter().map(|b| b.answered).sum();
    if answered < LEAST {
        return;
    }
    let right: u64 = bins.iter().map(|b| b.right).sum();
    let total = answered as f64;
    let mut ece = 0.0;
    let mut under = Vec::new();
    for bin in &bins {
        let (Some(confidence), Some(accuracy)) = (bin.mean_confidence, bin.accuracy()) else { continue };
        let gap = confidence - accuracy;
        ece += bin.answered as f64 / total * gap.abs();
        if gap < 0.0 {
            under.push(format!("{:.1}–{:.1} (n {})", bin.lo, bin.hi, bin.answered));
        }
    }
    let wrong = 1.0 - right as f64 / total;
    if ece > wrong + 1e-9 {
        report.add(
            Kind::EceTooLarge,
            None,
            format!(
                "{name} under {}: ECE {ece:.3} is above 1 − accuracy {wrong:.3}, which overconfidence alone cannot \
                 do; underconfident bins: {}",
                condition.name(),
                under.join(", "),
            ),
        );
    }
}
