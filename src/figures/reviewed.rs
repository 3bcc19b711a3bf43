//! Figures as graded beside figures as reviewed.

use crate::record::Transition;
use crate::stats::{Group, Share};
use crate::text::count;

use super::Id;
use super::shape::{Body, Cell, Figure, Row};
use super::words::{NONE, change, interval, or_none, three};

/// A label and its share.
type Harm = (&'static str, fn(&Group) -> Share);

/// One group twice: by the scorer alone, and with what people said.
pub fn reviewed(graded: &Group, reviewed: &Group) -> Figure {
    let both = [graded, reviewed];
    let mut rows = Vec::new();
    for (at, label) in ["accuracy without search", "accuracy with search", "accuracy, evidence blocked"]
        .into_iter()
        .enumerate()
    {
        let found = both.map(|g| g.accuracy.get(at).copied().unwrap_or_default());
        if found.iter().any(|a| a.answered + a.left_out > 0) {
            rows.push(shares(label, found.map(|a| Share { part: a.right, whole: a.answered })));
        }
    }
    let net = both.map(|g| g.net);
    if net.iter().any(Option::is_some) {
        let ends = net.map(|n| n.map(|n| (n.low, n.high)));
        rows.push(row("net effect of search", net.map(|n| n.map(|n| n.delta)), ends, change));
    }
    for transition in Transition::ALL {
        let found = both.map(|g| g.count(transition));
        if found.iter().any(|&n| n > 0) {
            let [before, after] = found;
            let moved = i128::from(after) - i128::from(before);
            let sign = match moved {
                0 => "0".to_owned(),
                n if n > 0 => format!("+{n}"),
                n => format!("−{}", n.unsigned_abs()),
            };
            let counted = |n: u64| Cell { text: count(n), value: Some(n as f64), mark: None };
            rows.push(Row {
                label: transition.name().replace('_', " "),
                cells: vec![
                    counted(before),
                    text(NONE),
                    counted(after),
                    text(NONE),
                    Cell { text: sign, value: Some(moved as f64), mark: None },
                ],
                mark: None,
            });
        }
    }
    let harm: [Harm; 2] = [
        ("harm, of searched", Group::harm_of_searched),
        ("harm, of right before", Group::harm_of_right_before),
    ];
    for (label, of) in harm {
        let found = both.map(of);
        if found.iter().any(|s| s.whole > 0) {
            rows.push(shares(label, found));
        }
    }
    let columns = vec!["as graded", "95 % interval", "as reviewed", "95 %, reviewed", "change"];
    let body = if rows.is_empty() {
        Body::Empty("there is no attempt here".into())
    } else {
        Body::Table { columns, rows }
    };
    Figure { id: Id::Reviewed, rows: reviewed.rows, body, marks: Vec::new(), notes: Vec::new(), first: 0 }
}

fn shares(label: &str, both: [Share; 2]) -> Row {
    row(label, both.map(|s| s.value()), both.map(|s| s.wilson()), three)
}

fn row(
    label: &str,
    values: [Option<f64>; 2],
    ends: [Option<(f64, f64)>; 2],
    word: impl Fn(f64) -> String + Copy,
) -> Row {
    let number = |value: Option<f64>| Cell { text: or_none(value, word), value, mark: None };
    let [before, after] = values;
    let [low, high] = ends;
    let moved = before.zip(after).map(|(before, after)| after - before);
    Row {
        label: label.to_owned(),
        cells: vec![
            number(before),
            text(interval(low, word)),
            number(after),
            text(interval(high, word)),
            Cell { text: or_none(moved, change), value: moved, mark: None },
        ],
        mark: None,
    }
}

fn text(text: impl Into<String>) -> Cell {
    Cell { text: text.into(), ..Cell::default() }
}
