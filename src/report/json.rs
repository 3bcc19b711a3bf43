//! Every figure as JSON: an object keyed `model/split`.
//!
//! Field names are stable; more may be added. Shares are 0 to 1, money is US dollars, what cannot be worked out is null.

use serde_json::{Map, Value, json};

use crate::record::{Condition, Transition};
use crate::stats::{Accuracy, Calibration, CalibrationBin, Coverage, Gated, Gating, Group, Repeated, Share};

use super::Provenance;

/// The whole report. Each group says where its numbers come from, so that one of them can be passed on alone.
pub fn json(groups: &[Group], provenance: &Provenance) -> Value {
    let source = provenance.json();
    let mut all = Map::new();
    for group in groups {
        let mut value = group_json(group);
        if let Some(fields) = value.as_object_mut() {
            fields.insert("provenance".to_owned(), source.clone());
        }
        // Names with slashes of their own, or called like what stands for no name, can come out the same.
        let name = crate::figures::group_name(group);
        let mut key = name.clone();
        let mut n = 2;
        while all.contains_key(&key) {
            key = format!("{name} ({n})");
            n += 1;
        }
        all.insert(key, value);
    }
    Value::Object(all)
}

/// The whole report as reviewed; each group has under `as_graded` what it would be without review.
pub fn json_beside(reviewed: &[Group], graded: &[Group], provenance: &Provenance) -> Value {
    const BOTH: [&str; 5] = ["no_search", "with_search", "transitions", "harm", "net_effect"];
    let mut all = json(reviewed, provenance);
    // In the order of the groups, whatever their keys had to become.
    let values = all.as_object_mut().into_iter().flat_map(Map::values_mut);
    for (fields, group) in values.filter_map(Value::as_object_mut).zip(reviewed) {
        let Some(graded) = super::counterpart(group, graded) else { continue };
        let mut before = group_json(graded);
        let own: Map<String, Value> = BOTH
            .iter()
            .filter_map(|name| Some(((*name).to_owned(), before.get_mut(*name)?.take())))
            .collect();
        fields.insert("as_graded".to_owned(), Value::Object(own));
    }
    all
}

fn pair(interval: Option<(f64, f64)>) -> Value {
    interval.map_or_else(|| json!([null, null]), |(low, high)| json!([low, high]))
}

fn group_json(group: &Group) -> Value {
    let [no, with, blocked] = &group.accuracy;
    let [no_calibration, with_calibration, _] = &group.calibration;
    let [no_coverage, with_coverage, _] = &group.coverage;
    let mut value = json!({
        "model": group.model,
        "split": group.split,
        "attempts": group.attempts,
        "errors": group.errors,
        "pairs": group.pairs,
        "rows": group.rows,
        "small": group.is_small(),
        "no_search": accuracy(no),
        "with_search": accuracy(with),
        "calibration": {
            "no_search": calibration(no_calibration),
            "with_search": calibration(with_calibration),
        },
        "risk_coverage": {
            "no_search": coverage(no_coverage),
            "with_search": coverage(with_coverage),
        },
        "accuracy_by_calls": by_calls(&group.by_calls),
        "transitions": transitions(group),
        "harm": {
            "of_searched": share(group.harm_of_searched()),
            "of_right_before": share(group.harm_of_right_before()),
        },
        "gating": gating(&group.gating),
        "mcnemar": { "gained": group.gained, "lost": group.lost, "exact_p": group.mcnemar },
        "net_effect": group.net.map(|n| json!({
            "delta": n.delta,
            "bootstrap95": [n.low, n.high],
            "resamples": crate::stats::RESAMPLES,
            "seed": crate::stats::SEED,
        })),
        "confidence_change": changes(group),
        "invocation": {
            "queries": group.invocation.queries,
            "searched": group.invocation.searched,
            "one": group.invocation.one,
            "two": group.invocation.two,
            "three_or_more": group.invocation.more,
        },
        "cost": {
            "queries": group.invocation.queries,
            "calls": group.invocation.calls,
            "calls_capped": group.invocation.capped,
            "usd_per_call": group.cost.price,
            "usd": group.cost.usd,
            "calls_per_query": group.cost.calls_per_query,
            "usd_per_query": group.cost.per_query,
            "usd_per_strict_improvement": group.cost.strict,
            "usd_per_inclusive_improvement": group.cost.inclusive,
            "recorded_usd": (group.cost.recorded.0 > 0).then_some(group.cost.recorded.1),
            "recorded_attempts": group.cost.recorded.0,
        },
    });
    let Some(fields) = value.as_object_mut() else { return value };
    if let Some(run) = &group.run {
        fields.insert("run".to_owned(), json!(run));
    }
    if blocked.answered + blocked.left_out > 0 {
        fields.insert("evidence_blocked".to_owned(), accuracy(blocked));
    }
    let repeats: Map<String, Value> = Condition::ALL
        .into_iter()
        .zip(&group.repeats)
        .filter_map(|(c, r)| Some((c.name().to_owned(), repeated(r.as_ref()?))))
        .collect();
    if !repeats.is_empty() {
        fields.insert("repeats".to_owned(), Value::Object(repeats));
    }
    value
}

fn accuracy(a: &Accuracy) -> Value {
    json!({
        "n": a.answered,
        "correct": a.right,
        "accuracy": a.value(),
        "wilson95": pair(a.wilson()),
        "wald95_half_width": a.wald_half_width(),
        "left_out": a.left_out,
    })
}

fn share(s: Share) -> Value {
    json!({ "part": s.part, "whole": s.whole, "share": s.value(), "wilson95": pair(s.wilson()) })
}

fn calibration(c: &Calibration) -> Value {
    if c.n == 0 {
        return json!({ "n": 0, "missing": c.missing });
    }
    let bins = |bins: &[CalibrationBin]| -> Vec<Value> {
        let bin = |(at, b): (usize, &CalibrationBin)| {
            json!({
                "bin": at,
                "lo": b.lo,
                "hi": b.hi,
                "n": b.n,
                "correct": b.right,
                "mean_confidence": b.mean_confidence(),
                "accuracy": b.accuracy(),
            })
        };
        bins.iter().enumerate().map(bin).collect()
    };
    json!({
        "n": c.n,
        "missing": c.missing,
        "distinct": c.distinct,
        "ece": c.ece,
        "ece_equal_mass": c.ece_equal_mass,
        "brier": c.brier,
        "murphy": c.murphy.map(|m| json!({
            "reliability": m.reliability,
            "resolution": m.resolution,
            "uncertainty": m.uncertainty,
        })),
        "auroc": c.auroc,
        "overconfidence": c.gap,
        "mean_confidence": c.mean_confidence(),
        "bins": bins(&c.bins),
        "bins_equal_mass": bins(&c.mass_bins),
    })
}

fn coverage(c: &Coverage) -> Value {
    let points: Vec<Value> = c
        .curve
        .iter()
        .map(|k| json!({ "threshold": k.threshold, "coverage": k.coverage, "risk": k.risk, "n": k.n }))
        .collect();
    json!({ "augrc": c.augrc, "curve": points })
}

fn by_calls(shares: &[Share; 4]) -> Value {
    let mut all = Map::new();
    for (name, s) in ["0", "1", "2", "3+"].into_iter().zip(shares).filter(|(_, s)| s.whole > 0) {
        let a = Accuracy { right: s.part, answered: s.whole, left_out: 0 };
        all.insert(name.to_owned(), accuracy(&a));
    }
    Value::Object(all)
}

fn five(counts: &[u64]) -> Value {
    let names = Transition::ALL.iter().map(|t| t.name().to_owned());
    Value::Object(names.zip(counts.iter().take(5).map(|&n| Value::from(n))).collect())
}

fn transitions(group: &Group) -> Value {
    json!({
        "counts": five(&group.transitions),
        "searched": group.searched(),
        "beneficial": group.beneficial(),
        "harmful": group.harmful(),
        "unpaired": group.count(Transition::Unpaired),
        "incomplete": group.count(Transition::Incomplete),
        "not_searched_before_after": {
            "wrong_wrong": group.not_searched[0][0],
            "wrong_right": group.not_searched[0][1],
            "right_wrong": group.not_searched[1][0],
            "right_right": group.not_searched[1][1],
        },
        "by_confidence_bin": group.by_bin.iter().map(|b| five(b)).collect::<Vec<_>>(),
        "without_confidence": group.no_bin,
    })
}

fn gating(g: &Gating) -> Value {
    if g.n == 0 {
        return json!({ "n": 0 });
    }
    let point = |p: &Gated| {
        json!({
            "threshold": p.threshold,
            "rate": p.rate,
            "accuracy": p.accuracy,
            "random_accuracy": p.random_accuracy,
        })
    };
    json!({
        "n": g.n,
        "llm_only": g.llm_only,
        "always": g.always,
        "oracle": g.oracle,
        "oracle_rate": g.oracle_rate,
        "curve": g.curve.iter().map(point).collect::<Vec<_>>(),
        "best": g.best.as_ref().map(point),
        "cross_validated": g.cross_validated.map(|c| json!({
            "folds": c.folds,
            "accuracy": c.accuracy,
            "rate": c.rate,
        })),
    })
}

fn changes(group: &Group) -> Value {
    let names = Transition::ALL.iter().map(|t| t.name().to_owned());
    let values = group.changes.iter().map(|change| {
        change.map_or(Value::Null, |s| {
            let [p10, p25, p50, p75, p90] = s.quantiles;
            let [fell, stayed, rose] = s.moved;
            json!({
                "n": s.n, "mean": s.mean, "p10": p10, "p25": p25, "p50": p50, "p75": p75, "p90": p90,
                "fell": fell, "stayed": stayed, "rose": rose,
            })
        })
    });
    Value::Object(names.zip(values).collect())
}

fn repeated(r: &Repeated) -> Value {
    let at = |of: fn(&crate::stats::AtK) -> f64| -> Map<String, Value> {
        r.at.iter().map(|k| (k.k.to_string(), json!(of(k)))).collect()
    };
    json!({
        "questions": r.questions,
        "attempts": r.attempts,
        "fewest": r.fewest,
        "distinct_answers": r.distinct_answers,
        "flip_rate": r.flip_rate,
        "mixed": r.mixed,
        "pass_at": at(|k| k.pass_at),
        "pass_all": at(|k| k.pass_all),
    })
}
