//! The figures that are lines and points.

use crate::record::{Condition, Transition};
use crate::stats::{CalibrationBin, SMALL};
use crate::text::count;

use super::make::Maker;
use super::shape::{Axis, Body, Point, Series, Stroke, Tone};
use super::tables::words;
use super::terms::{self, PAIRS};
use super::words::{change, interval, or_none, three};

/// Both conditions of a pair, with their colours.
const SIDES: [(Condition, Tone); 2] =
    [(Condition::NoSearch, Tone::Without), (Condition::WithSearch, Tone::With)];

/// The most points of a curve that a cursor stops at; more are drawn than can be told apart.
const STOPS: usize = 100;

const fn unit(title: &'static str) -> Axis {
    Axis { title, from: 0.0, to: 1.0 }
}

fn guide(name: &str, points: &[(f64, f64)]) -> Series {
    let points = points.iter().map(|&(x, y)| Point { x, y, interval: None, mark: None }).collect();
    Series { name: name.to_owned(), tone: Tone::Reference, stroke: Stroke::Guide, points }
}

pub(super) fn reliability(m: &mut Maker) -> Body {
    let group = m.group;
    let mut series = vec![guide("as stated", &[(0.0, 0.0), (1.0, 1.0)])];
    // The bin that promises most of what it does not keep, by answers that are wrong beyond what was stated.
    let mut worst = (0.0, None);
    for (line, (condition, tone)) in SIDES.into_iter().enumerate() {
        let Some(c) = group.calibration.get(condition as usize).filter(|c| c.n > 0) else { continue };
        let mut points = Vec::new();
        for (at, bin) in c.bins.iter().enumerate() {
            let (Some(x), Some(y)) = (bin.mean_confidence(), bin.accuracy()) else { continue };
            let mark = bin_mark(m, condition, at, bin, (line, points.len()));
            let beyond = (x - y) * bin.n as f64;
            let over = bin.wilson().is_some_and(|(_, high)| x > high);
            if condition == Condition::NoSearch && over && beyond > worst.0 {
                worst = (beyond, Some(mark));
            }
            points.push(Point { x, y, interval: bin.wilson(), mark: Some(mark) });
        }
        let ece = or_none(c.ece, three);
        let name = format!("{} (n {}, ECE {ece})", words(condition), count(c.n));
        series.push(Series { name, tone, stroke: Stroke::Points, points });
        if c.missing > 0 {
            let silent = crate::text::counted(c.missing, count(c.missing), "judged answer");
            m.note(format!("{}: {silent} without a stated confidence", words(condition)));
        }
    }
    if series.len() == 1 {
        return Body::Empty("no judged answer states a confidence".into());
    }
    if let Some(mark) = worst.1 {
        m.look_first(mark);
    }
    Body::Plot { x: unit("stated confidence"), y: unit("accuracy"), series }
}

fn bin_mark(
    m: &mut Maker,
    condition: Condition,
    at: usize,
    bin: &CalibrationBin,
    place: (usize, usize),
) -> usize {
    let close = if at == 9 { ']' } else { ')' };
    let label = format!("{} [{:.1}, {:.1}{close}", words(condition), bin.lo, bin.hi);
    let gap = bin.mean_confidence().zip(bin.accuracy()).map(|(c, a)| c - a);
    let over = gap.is_some_and(|g| g > 0.0)
        && bin.wilson().zip(bin.mean_confidence()).is_some_and(|((_, high), c)| c > high);
    let facts = vec![
        // First what is looked for: on a narrow screen the end of the line is cut.
        (if over { "overconfident by" } else { "gap" }, or_none(gap, change)),
        ("stated", or_none(bin.mean_confidence(), three)),
        ("right", or_none(bin.accuracy(), three)),
        ("95 %", interval(bin.wilson(), three)),
    ];
    let term = format!("{} {}", terms::bin(condition, at), terms::judged(condition));
    m.select(label, bin.n, &term, place, facts)
}

pub(super) fn gating(m: &mut Maker) -> Body {
    let g = &m.group.gating;
    let (Some(first), Some(last)) = (g.curve.first(), g.curve.last()) else {
        return Body::Empty("no pair with both sides judged states a confidence without search".into());
    };
    let stated = format!("{PAIRS} conf.no:0..1");
    let stride = g.curve.len().div_ceil(STOPS).max(1);
    let mut points = Vec::new();
    let mut stops = 0;
    for (at, p) in g.curve.iter().enumerate() {
        let ends = at == 0 || at + 1 == g.curve.len() || Some(*p) == g.best;
        let mark = (ends || at % stride == 0).then(|| {
            let (term, label) = match p.threshold {
                Some(t) => (format!("{PAIRS} conf.no<{t}"), format!("search below {t}")),
                None => (stated.clone(), "always search".to_owned()),
            };
            let facts = vec![
                ("searched", three(p.rate)),
                ("accuracy", three(p.accuracy)),
                ("at random", three(p.random_accuracy)),
                ("gain over random", change(p.accuracy - p.random_accuracy)),
            ];
            let mark = m.select(label, p.n, &term, (0, stops), facts);
            stops += 1;
            if Some(*p) == g.best {
                m.look_first(mark);
            }
            mark
        });
        points.push(Point { x: p.rate, y: p.accuracy, interval: None, mark });
    }
    let mut series = vec![guide("random", &[(first.rate, g.llm_only), (last.rate, g.always)])];
    series.push(Series {
        name: "search below a confidence".into(),
        tone: Tone::With,
        stroke: Stroke::Line,
        points,
    });
    let alone = |name: String, tone, x, y| Series {
        name,
        tone,
        stroke: Stroke::Points,
        points: vec![Point { x, y, interval: None, mark: None }],
    };
    series.push(alone(format!("LLM only {}", three(g.llm_only)), Tone::Without, 0.0, g.llm_only));
    series.push(alone(format!("always {}", three(g.always)), Tone::With, 1.0, g.always));
    series.push(alone(format!("oracle {}", three(g.oracle)), Tone::Accent, g.oracle_rate, g.oracle));
    if let Some(best) = g.best {
        let at = best.threshold.map_or_else(|| "always".to_owned(), |t| format!("below {t}"));
        series.push(alone(
            format!("best {}", three(best.accuracy)),
            Tone::Of(Transition::Corrected),
            best.rate,
            best.accuracy,
        ));
        m.note(format!("best: search {at}, chosen on these pairs, so it flatters"));
    }
    match g.cross_validated {
        Some(c) => m.note(format!(
            "a threshold chosen on other questions ({} parts): accuracy {}, searched {}",
            c.folds,
            three(c.accuracy),
            three(c.rate)
        )),
        None => m.note("too few pairs to try a threshold on other questions than it was chosen on"),
    }
    let low =
        [g.llm_only, g.always].into_iter().chain(g.curve.iter().map(|p| p.accuracy)).fold(1.0, f64::min);
    let high = [g.oracle].into_iter().chain(g.curve.iter().map(|p| p.accuracy)).fold(0.0, f64::max);
    // Round ends a tenth apart at least, so that a flat curve looks flat.
    let from = ((low * 10.0 - 0.25).floor() / 10.0).clamp(0.0, 0.9);
    let to = ((high * 10.0 + 0.25).ceil() / 10.0).clamp(from + 0.1, 1.0);
    Body::Plot { x: unit("share searched"), y: Axis { title: "accuracy", from, to }, series }
}

pub(super) fn coverage(m: &mut Maker) -> Body {
    let group = m.group;
    let mut series = Vec::new();
    let mut most: f64 = 0.0;
    for (line, (condition, tone)) in SIDES.into_iter().enumerate() {
        let Some(k) = group.coverage.get(condition as usize).filter(|k| !k.curve.is_empty()) else {
            continue;
        };
        let side = if condition == Condition::NoSearch { "no" } else { "with" };
        let stride = k.curve.len().div_ceil(STOPS).max(1);
        let mut points = Vec::new();
        let mut stops = 0;
        for (at, p) in k.curve.iter().enumerate() {
            // A handful of answers can be all wrong: they would set the scale for all the others.
            if p.n >= SMALL.min(k.curve.last().map_or(0, |l| l.n)) {
                most = most.max(p.risk);
            }
            let mark = (at % stride == 0 || at + 1 == k.curve.len()).then(|| {
                let term = format!("{} conf.{side}>={}", terms::judged(condition), p.threshold);
                let facts = vec![
                    ("kept", three(p.coverage)),
                    ("wrong of kept", three(p.risk)),
                    ("wrong", count(p.wrong)),
                ];
                let label = format!("{}: {} and above", words(condition), p.threshold);
                let mark = m.select(label, p.n, &term, (line, stops), facts);
                stops += 1;
                mark
            });
            points.push(Point { x: p.coverage, y: p.risk, interval: None, mark });
        }
        let name = format!("{} (AUGRC {})", words(condition), or_none(k.augrc, three));
        series.push(Series { name, tone, stroke: Stroke::Line, points });
    }
    if series.is_empty() {
        return Body::Empty("no judged answer states a confidence".into());
    }
    let to = ((most * 10.0).ceil() / 10.0).clamp(0.1, 1.0);
    Body::Plot { x: unit("share of answers kept"), y: Axis { title: "wrong of kept", from: 0.0, to }, series }
}
