//! The figures that are tables.

use crate::record::{Condition, Transition};
use crate::stats::{Accuracy, Calibration, Coverage, Invocation, Repeated, Share};
use crate::text::count;

use super::make::Maker;
use super::shape::{Body, Cell, Row};
use super::terms::{self, INVOKED, PAIRS};
use super::words::{NONE, change, dollars, interval, or_none, p_value, three};

/// How a condition is named in a figure.
pub(super) const fn words(condition: Condition) -> &'static str {
    match condition {
        Condition::NoSearch => "without search",
        Condition::WithSearch => "with search",
        Condition::EvidenceBlocked => "evidence blocked",
    }
}

fn text(text: impl Into<String>) -> Cell {
    Cell { text: text.into(), ..Cell::default() }
}

fn number(value: Option<f64>, word: impl Fn(f64) -> String) -> Cell {
    Cell { text: or_none(value, word), value, mark: None }
}

fn counted(n: u64) -> Cell {
    Cell { text: count(n), value: Some(n as f64), mark: None }
}

pub(super) fn summary(m: &mut Maker) -> Body {
    let group = m.group;
    let mut rows = Vec::new();
    for (condition, a) in Condition::ALL.into_iter().zip(group.accuracy) {
        if a.answered + a.left_out > 0 {
            rows.push(accuracy(m, condition, a, rows.len()));
        }
    }
    let pairs = group.pairs;
    if let Some(net) = &group.net {
        let mark = m.select(
            "net effect",
            pairs,
            PAIRS,
            (rows.len(), 0),
            vec![
                ("net effect", change(net.delta)),
                ("gained", count(net.gained)),
                ("lost", count(net.lost)),
                ("McNemar p", p_value(net.p)),
            ],
        );
        rows.push(Row {
            label: "net effect of search".into(),
            cells: vec![
                number(Some(net.delta), change),
                text(interval(Some((net.low, net.high)), change)),
                text(NONE),
                text(NONE),
                counted(pairs),
                text(NONE),
            ],
            mark: Some(mark),
        });
        let (gained, lost) = (count(net.gained), count(net.lost));
        m.note(format!("gained {gained}, lost {lost}: McNemar's exact p = {}", p_value(net.p)));
    }
    for (label, share) in [
        ("harm, of searched", group.harm_of_searched()),
        ("harm, of right before", group.harm_of_right_before()),
    ] {
        if share.whole > 0 {
            rows.push(harm(m, label, share, rows.len()));
        }
    }
    if rows.is_empty() {
        return Body::Empty("there is no attempt here".into());
    }
    let (unpaired, incomplete) = (group.count(Transition::Unpaired), group.count(Transition::Incomplete));
    for (n, why) in
        [(unpaired, "asked under one condition only"), (incomplete, "with a side that has no verdict")]
    {
        if n > 0 {
            m.note(format!("not in pairs: {} {why}", crate::text::counted(n, count(n), "row")));
        }
    }
    Body::Table { columns: vec!["value", "95 % interval", "±", "right", "of", "left out"], rows }
}

fn accuracy(m: &mut Maker, condition: Condition, a: Accuracy, at: usize) -> Row {
    let term = m.scope.answered(condition);
    let facts = vec![
        ("accuracy", or_none(a.value(), three)),
        ("95 %", interval(a.wilson(), three)),
        ("right", count(a.right)),
        ("left out", count(a.left_out)),
    ];
    let mark = m.mark(words(condition), a.answered, term, (at, 0), facts);
    Row {
        label: format!("accuracy {}", words(condition)),
        cells: vec![
            number(a.value(), three),
            text(interval(a.wilson(), three)),
            number(a.wald_half_width(), three),
            counted(a.right),
            counted(a.answered),
            counted(a.left_out),
        ],
        mark: Some(mark),
    }
}

fn harm(m: &mut Maker, label: &'static str, share: Share, at: usize) -> Row {
    let facts = vec![("share", or_none(share.value(), three)), ("95 %", interval(share.wilson(), three))];
    let mark = m.select(label, share.part, &terms::transition(Transition::Broken), (at, 0), facts);
    Row {
        label: label.to_owned(),
        cells: vec![
            number(share.value(), three),
            text(interval(share.wilson(), three)),
            text(NONE),
            counted(share.part),
            counted(share.whole),
            text(NONE),
        ],
        mark: Some(mark),
    }
}

type Measure = (&'static str, fn(&Calibration, &Coverage) -> Cell);

const MEASURES: [Measure; 14] = [
    ("answers with a confidence", |c, _| counted(c.n)),
    ("answers without one", |c, _| counted(c.missing)),
    ("different confidences", |c, _| counted(c.distinct)),
    ("mean confidence", |c, _| number(c.mean_confidence(), three)),
    ("accuracy", |c, _| number((c.n > 0).then(|| c.right as f64 / c.n as f64), three)),
    ("gap: confidence − accuracy", |c, _| number(c.gap, change)),
    ("ECE, equal width", |c, _| number(c.ece, three)),
    ("ECE, equal mass", |c, _| number(c.ece_equal_mass, three)),
    ("Brier", |c, _| number(c.brier, three)),
    ("  reliability", |c, _| number(c.murphy.map(|m| m.reliability), three)),
    ("  resolution", |c, _| number(c.murphy.map(|m| m.resolution), three)),
    ("  uncertainty", |c, _| number(c.murphy.map(|m| m.uncertainty), three)),
    ("AUROC", |c, _| number(c.auroc, three)),
    ("AUGRC", |_, k| number(k.augrc, three)),
];

pub(super) fn calibration(m: &mut Maker) -> Body {
    let group = m.group;
    let there: Vec<Condition> = Condition::ALL
        .into_iter()
        .filter(|&c| group.calibration.get(c as usize).is_some_and(|k| k.n + k.missing > 0))
        .collect();
    if there.is_empty() {
        return Body::Empty("no judged answer states a confidence".into());
    }
    let mut rows: Vec<Row> =
        MEASURES.iter().map(|(label, _)| Row { label: (*label).to_owned(), ..Row::default() }).collect();
    for (column, &condition) in there.iter().enumerate() {
        let (Some(c), Some(k)) =
            (group.calibration.get(condition as usize), group.coverage.get(condition as usize))
        else {
            continue;
        };
        let facts = vec![("ECE", or_none(c.ece, three)), ("Brier", or_none(c.brier, three))];
        let with = m.select(words(condition), c.n, &terms::confident(condition), (0, column), facts);
        let silent = terms::silent(condition);
        let label = format!("{}, no confidence", words(condition));
        let none = m.select(label, c.missing, &silent, (1, column), Vec::new());
        for (at, (row, (_, cell))) in rows.iter_mut().zip(&MEASURES).enumerate() {
            let mark = match at {
                0 => Some(with),
                1 => Some(none),
                _ => None,
            };
            row.cells.push(Cell { mark, ..cell(c, k) });
        }
        if c.distinct == 1 && c.n > 1 {
            m.note(format!("{}: every confidence is the same", words(condition)));
        }
    }
    Body::Table { columns: there.into_iter().map(words).collect(), rows }
}

pub(super) fn invocation(m: &mut Maker) -> Body {
    let i = m.group.invocation;
    if i.queries == 0 {
        return Body::Empty("nothing was asked with search".into());
    }
    let mut rows = Vec::new();
    for (label, n, term) in [
        ("queries", i.queries, INVOKED.to_owned()),
        ("searched", i.searched, format!("{INVOKED} calls>=1")),
        ("one call", i.one, format!("{INVOKED} calls=1")),
        ("two calls", i.two, format!("{INVOKED} calls=2")),
        ("three or more", i.more, format!("{INVOKED} calls>=3")),
    ] {
        let share = Share { part: n, whole: i.queries };
        let facts = vec![("share", or_none(share.value(), three))];
        let mark = m.select(label, n, &term, (rows.len(), 0), facts);
        rows.push(Row {
            label: label.to_owned(),
            cells: vec![counted(n), number(share.value(), three), text(interval(share.wilson(), three))],
            mark: Some(mark),
        });
    }
    m.note(format!("{} calls in all, {} a query", calls(&i), or_none(m.group.cost.calls_per_query, three)));
    capped(m);
    Body::Table { columns: vec!["queries", "share", "95 % interval"], rows }
}

/// All calls; `1,234 or more` where not all of an attempt's are counted.
fn calls(i: &Invocation) -> String {
    let n = count(i.calls);
    if i.capped > 0 { format!("{n} or more") } else { n }
}

/// Says what is not exact about calls, if anything is not.
fn capped(m: &mut Maker) {
    let n = m.group.invocation.capped;
    if n > 0 {
        let attempts = crate::text::counted(n, count(n), "attempt");
        m.note(format!(
            "{attempts} of 255 calls or more, counted as 255: all calls and their cost are at least this"
        ));
    }
}

pub(super) fn cost(m: &mut Maker) -> Body {
    let (cost, i) = (m.group.cost, m.group.invocation);
    if i.queries == 0 {
        return Body::Empty("nothing was asked with search".into());
    }
    let group = m.group;
    let paired = group.pairs > 0;
    let (corrected, beneficial) = (group.count(Transition::Corrected), group.beneficial());
    let mut rows = Vec::new();
    let mut row = |label: &str, value: Cell, basis: String, mark: Option<usize>| {
        rows.push(Row { label: label.to_owned(), cells: vec![value, text(basis)], mark });
    };
    let searched = m.select(
        "searched",
        i.searched,
        &format!("{INVOKED} calls>=1"),
        (1, 0),
        vec![("calls", calls(&i)), ("cost", dollars(cost.usd))],
    );
    row("price of a call", number(Some(cost.price), dollars), "model table, else $10 per 1,000".into(), None);
    row(
        "calls",
        Cell { text: calls(&i), ..counted(i.calls) },
        format!("{} searched queries", count(i.searched)),
        Some(searched),
    );
    row("cost of search", number(Some(cost.usd), dollars), "calls × price".into(), None);
    row("calls a query", number(cost.calls_per_query, three), format!("{} queries", count(i.queries)), None);
    row("cost a query", number(cost.per_query, dollars), format!("{} queries", count(i.queries)), None);
    if paired {
        let t = terms::transition(Transition::Corrected);
        let mark =
            m.select("corrected", corrected, &t, (5, 0), vec![("cost each", or_none(cost.strict, dollars))]);
        let basis = format!("{} corrected", count(corrected));
        row("cost a strict improvement", number(cost.strict, dollars), basis, Some(mark));
        let facts = vec![("cost each", or_none(cost.inclusive, dollars))];
        let mark = m.select("beneficial", beneficial, "outcome:beneficial", (6, 0), facts);
        let basis = format!("{} corrected or preserved", count(beneficial));
        row("cost an inclusive improvement", number(cost.inclusive, dollars), basis, Some(mark));
    } else {
        let basis = "right with at least one call; there are no pairs".to_owned();
        row("cost a strict improvement", number(cost.strict, dollars), basis, None);
    }
    if cost.recorded.0 > 0 {
        let basis = format!("as {} attempts record it, tokens included", count(cost.recorded.0));
        row("cost as recorded", number(Some(cost.recorded.1), dollars), basis, None);
    }
    capped(m);
    Body::Table { columns: vec!["value", "of"], rows }
}

pub(super) fn repeats(m: &mut Maker) -> Body {
    let there: Vec<(Condition, &Repeated)> = Condition::ALL
        .into_iter()
        .zip(&m.group.repeats)
        .filter_map(|(c, r)| Some((c, r.as_ref()?)))
        .collect();
    if there.is_empty() {
        return Body::Empty("no question was asked more than once".into());
    }
    let most = there.iter().map(|(_, r)| r.at.len()).max().unwrap_or(0);
    let mut rows: Vec<Row> = [
        "questions asked again",
        "attempts at them",
        "different answers, mean",
        "flip rate, mean",
        "right and wrong mixed",
    ]
    .into_iter()
    .map(str::to_owned)
    .chain((1..=most).map(|k| format!("pass@{k}")))
    .chain((2..=most).map(|k| format!("pass^{k}")))
    .map(|label| Row { label, ..Row::default() })
    .collect();
    for (_, r) in &there {
        let fixed = [
            counted(r.questions),
            counted(r.attempts),
            number(Some(r.distinct_answers), |x| format!("{x:.2}")),
            number(Some(r.flip_rate), three),
            counted(r.mixed),
        ];
        let at = |k: usize, of: fn(&crate::stats::AtK) -> f64| number(r.at.get(k).map(of), three);
        let cells = fixed
            .into_iter()
            .chain((0..most).map(|k| at(k, |k| k.pass_at)))
            .chain((1..most).map(|k| at(k, |k| k.pass_all)));
        for (row, cell) in rows.iter_mut().zip(cells) {
            row.cells.push(cell);
        }
    }
    m.note("means over questions; intervals elsewhere resample questions, not attempts");
    Body::Table { columns: there.iter().map(|(c, _)| words(*c)).collect(), rows }
}
