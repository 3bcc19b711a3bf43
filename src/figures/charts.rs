//! The figures that are bars, boxes and cells.

use crate::record::{Condition, Transition};
use crate::stats::SMALL;
use crate::text::count;

use super::make::Maker;
use super::shape::{Bar, Body, Field, Quantiles, Stack};
use super::terms;
use super::words::{NONE, change, interval, or_none, three};

pub(super) fn matrix(m: &mut Maker) -> Body {
    let group = m.group;
    if group.pairs == 0 {
        return Body::Empty("no pair has both sides judged".into());
    }
    let [not_wrong, not_right] = group.not_searched.map(|after| after.iter().sum::<u64>());
    let lines = [
        (Transition::Corrected, Transition::Unresolved, not_wrong, "wrong"),
        (Transition::Preserved, Transition::Broken, not_right, "right"),
    ];
    let mut fields = Vec::new();
    for (at, (right, wrong, idle, before)) in lines.into_iter().enumerate() {
        let all = group.count(right) + group.count(wrong) + idle;
        let searched = group.count(right) + group.count(wrong);
        let share = |n: u64, of: u64| (of > 0).then(|| n as f64 / of as f64);
        let mut line = Vec::new();
        for (column, t) in [right, wrong].into_iter().enumerate() {
            let n = group.count(t);
            let facts = vec![
                ("of all pairs", or_none(share(n, group.pairs), three)),
                ("of searched", or_none(share(n, group.searched()), three)),
                ("of searched and so before", or_none(share(n, searched), three)),
            ];
            let mark = m.select(t.name(), n, &terms::transition(t), (at, column), facts);
            if t == Transition::Broken {
                m.look_first(mark);
            }
            line.push(Field { transition: t, n, share: share(n, all), mark });
        }
        let term = format!("{} verdict.no:{before}", terms::transition(Transition::NotSearched));
        let [wrong_after, right_after] = group.not_searched.get(at).copied().unwrap_or_default();
        let facts = vec![("right with", count(right_after)), ("wrong with", count(wrong_after))];
        let mark = m.select(format!("not searched, {before} before"), idle, &term, (at, 2), facts);
        line.push(Field { transition: Transition::NotSearched, n: idle, share: share(idle, all), mark });
        fields.push(line);
    }
    for (words, share) in [
        ("of the searched pairs", group.harm_of_searched()),
        ("of those right before", group.harm_of_right_before()),
    ] {
        let (part, whole) = (count(share.part), count(share.whole));
        let (value, ends) = (or_none(share.value(), three), interval(share.wilson(), three));
        m.note(format!("harm {words}: {part} of {whole} = {value} ({ends})"));
    }
    Body::Matrix {
        rows: vec!["wrong without", "right without"],
        columns: vec!["right with", "wrong with", "not searched"],
        fields,
    }
}

pub(super) fn calls(m: &mut Maker) -> Body {
    let shares = m.group.by_calls;
    if shares.iter().all(|s| s.whole == 0) {
        return Body::Empty("nothing asked with search has a verdict".into());
    }
    let judged = terms::judged(Condition::WithSearch);
    let mut bars = Vec::new();
    let names =
        [("no call", "calls=0"), ("1 call", "calls=1"), ("2 calls", "calls=2"), ("3 or more", "calls>=3")];
    for ((label, term), s) in names.into_iter().zip(shares) {
        let facts = vec![
            ("accuracy", or_none(s.value(), three)),
            ("95 %", interval(s.wilson(), three)),
            ("right", count(s.part)),
        ];
        let mark = m.select(label, s.whole, &format!("{judged} {term}"), (bars.len(), 0), facts);
        bars.push(Bar {
            label: label.to_owned(),
            value: s.value(),
            interval: s.wilson(),
            n: s.whole,
            mark: Some(mark),
        });
    }
    m.note("the questions of each bar are others: models search more where they know less");
    Body::Bars { axis: "accuracy with search", bars }
}

pub(super) fn bins(m: &mut Maker) -> Body {
    let group = m.group;
    if group.pairs == 0 {
        return Body::Empty("no pair has both sides judged".into());
    }
    if group.no_bin == group.pairs {
        return Body::Empty("no pair states a confidence without search".into());
    }
    let mut stacks = Vec::new();
    for (at, counts) in group.by_bin.iter().enumerate() {
        let all: u64 = counts.iter().sum();
        let mut parts = Vec::new();
        let close = if at == 9 { ']' } else { ')' };
        let label = format!("[{:.1}, {:.1}{close}", at as f64 / 10.0, (at + 1) as f64 / 10.0);
        for (column, (t, &n)) in Transition::ALL.into_iter().zip(counts).enumerate() {
            let term = format!("{} {}", terms::bin(Condition::NoSearch, at), terms::transition(t));
            let of_bin = if all > 0 { three(n as f64 / all as f64) } else { NONE.to_owned() };
            let facts = vec![("of the bin", of_bin), ("pairs in the bin", count(all))];
            let words = format!("{label} {}", t.name().replace('_', " "));
            let mark = m.select(words, n, &term, (at, column), facts);
            if t == Transition::Broken && n > 0 {
                m.look_first(mark);
            }
            parts.push((t, n, mark));
        }
        stacks.push(Stack { label, parts });
    }
    if group.no_bin > 0 {
        let silent = crate::text::counted(group.no_bin, count(group.no_bin), "pair");
        m.note(format!("{silent} without a confidence stated without search"));
    }
    Body::Stacks { axis: "pairs by confidence without search", stacks }
}

pub(super) fn changes(m: &mut Maker) -> Body {
    let group = m.group;
    let mut boxes = Vec::new();
    for (t, spread) in Transition::ALL.into_iter().zip(group.changes) {
        let Some(s) = spread else { continue };
        let term = format!("{} dconf:-1..1", terms::transition(t));
        let [fell, stayed, rose] = s.moved;
        let facts = vec![
            ("mean", change(s.mean)),
            ("median", change(s.quantiles[2])),
            ("fell", count(fell)),
            ("stayed", count(stayed)),
            ("rose", count(rose)),
        ];
        let name = t.name().replace('_', " ");
        let mark = m.select(name, s.n, &term, (boxes.len(), 0), facts);
        if t == Transition::Broken {
            m.look_first(mark);
        }
        if s.n < SMALL {
            m.note(format!("{}: only {}", t.name().replace('_', " "), crate::text::several(s.n, "pair")));
        }
        boxes.push(Quantiles { transition: t, at: s.quantiles, mean: s.mean, mark });
    }
    if boxes.is_empty() {
        return Body::Empty("no pair states a confidence on both sides".into());
    }
    Body::Boxes { axis: "confidence with − without search", boxes }
}
