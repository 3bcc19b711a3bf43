//! What must hold between the figures of one model on one split.
//!
//! Every test compares the ranges that printed numbers may stand for, so that rounding alone is never a finding, and
//! takes for a figure that is not printed whatever speaks for the publication.

use crate::stats::{SMALL, wald_half_width, wilson};
use crate::text::several;

use super::{Fact, Group, Kind, Printed};

/// What sums and quotients of floats may be off by.
pub(super) const SLACK: f64 = 1e-9;
/// By how much of itself a half-width may be off before it is held against another: intervals are made in several ways.
const LEEWAY: f64 = 0.1;

/// Takes a finding: its kind, the line of the figure that it is about, and what is wrong.
type Tell<'a> = dyn FnMut(Kind, u64, String) + 'a;

/// One of the two conditions, with its figures' names.
struct Side {
    words: &'static str,
    right: Fact,
    answered: Fact,
    accuracy: Fact,
    half_width: Fact,
    ece: Fact,
    brier: Fact,
}

const SIDES: [Side; 2] = [
    Side {
        words: "without search",
        right: Fact::RightWithout,
        answered: Fact::AnsweredWithout,
        accuracy: Fact::AccuracyWithout,
        half_width: Fact::HalfWidthWithout,
        ece: Fact::EceWithout,
        brier: Fact::BrierWithout,
    },
    Side {
        words: "with search",
        right: Fact::RightWith,
        answered: Fact::AnsweredWith,
        accuracy: Fact::AccuracyWith,
        half_width: Fact::HalfWidthWith,
        ece: Fact::EceWith,
        brier: Fact::BrierWith,
    },
];

/// The four transitions, when all are printed.
struct Searched<'a> {
    corrected: &'a Printed,
    preserved: &'a Printed,
    /// Searched pairs.
    all: f64,
    /// Right ones of them, without and with search.
    right: [f64; 2],
}

/// Tests everything about a group.
pub(super) fn test(group: &Group, tell: &mut Tell<'_>) {
    for (fact, first, then) in &group.clashes {
        let message = format!("{} is {first} and {then}", fact.name());
        tell(Kind::CountsDoNotAdd, then.line, message);
    }
    counts(group, tell);
    let searched = searched(group);
    for (at, side) in SIDES.iter().enumerate() {
        reach(group, side, at, searched.as_ref(), tell);
        certainty(group, side, at, searched.as_ref(), tell);
    }
    half_widths(group, tell);
    costs(group, searched.as_ref(), tell);
}

fn searched(group: &Group) -> Option<Searched<'_>> {
    let get = |fact| group.facts.get(&fact);
    let (corrected, preserved) = (get(Fact::Corrected)?, get(Fact::Preserved)?);
    let (broken, unresolved) = (get(Fact::Broken)?, get(Fact::Unresolved)?);
    Some(Searched {
        corrected,
        preserved,
        all: corrected.value + preserved.value + broken.value + unresolved.value,
        right: [preserved.value + broken.value, corrected.value + preserved.value],
    })
}

/// How many attempts an accuracy counts, at most.
fn answered<'g>(group: &'g Group, side: &Side) -> Option<&'g Printed> {
    group.facts.get(&side.answered).or_else(|| group.facts.get(&Fact::Questions))
}

/// Counts that are parts of each other.
fn counts(group: &Group, tell: &mut Tell<'_>) {
    use Fact::{
        AnsweredWith, AnsweredWithout, Broken, Calls, Corrected, Incomplete, NotSearched, OneCall, Preserved,
        Questions, RightWith, RightWithout, Searched, ThreeCalls, TwoCalls, Unresolved,
    };
    let get = |fact| group.facts.get(&fact);
    let value = |fact| get(fact).map(|p: &Printed| p.value);
    if let Some(all) = get(Questions) {
        let parts = [
            AnsweredWithout,
            AnsweredWith,
            RightWithout,
            RightWith,
            Corrected,
            Preserved,
            Broken,
            Unresolved,
            Incomplete,
            Searched,
            NotSearched,
            OneCall,
            TwoCalls,
            ThreeCalls,
        ];
        for part in parts.into_iter().filter_map(|f| get(f).filter(|p| p.value > all.value).map(|p| (f, p))) {
            let message = format!("{} {} are more than all {all} questions", part.1, part.0.name());
            tell(Kind::CountsDoNotAdd, part.1.line, message);
        }
    }
    let incomplete = value(Incomplete).unwrap_or(0.0);
    let pairs = self::searched(group);
    if let (Some(pairs), Some(printed)) = (&pairs, get(Searched))
        && (pairs.all > printed.value || pairs.all + incomplete < printed.value)
    {
        let message = format!(
            "{printed} searched, and the four transitions ({}) add up to {}",
            pairs.corrected.source, pairs.all
        );
        tell(Kind::CountsDoNotAdd, printed.line, message);
    }
    let all =
        value(Searched).map(|n| (n, get(Searched))).or(pairs.as_ref().map(|p| (p.all, Some(p.corrected))));
    if let (Some((all, Some(at))), Some(asked)) = (all, get(AnsweredWith).or(get(Questions))) {
        let none = value(NotSearched);
        let (low, high) = (all + none.unwrap_or(0.0), none.map_or(f64::INFINITY, |n| all + n + incomplete));
        if asked.value < low || asked.value > high {
            let rest = none.map_or_else(String::new, |n| format!(" and {n} that were not"));
            let message = format!("{all} searched{rest} do not make up the {asked} that were asked");
            tell(Kind::CountsDoNotAdd, get(NotSearched).unwrap_or(at).line, message);
        }
    }
    let (one, two, three) = (value(OneCall), value(TwoCalls), value(ThreeCalls));
    let some = one.unwrap_or(0.0) + two.unwrap_or(0.0) + three.unwrap_or(0.0);
    let whole = one.is_some() && two.is_some() && three.is_some();
    if let (Some(printed), Some(first)) = (get(Searched), get(OneCall).or(get(TwoCalls)).or(get(ThreeCalls)))
        && (some > printed.value || (whole && some < printed.value))
    {
        let message =
            format!("one, two and more calls ({}) add up to {some}, of {printed} searched", first.source);
        tell(Kind::CountsDoNotAdd, first.line, message);
    }
    if let Some(calls) = get(Calls) {
        // Whoever is in none of the counts printed made the fewest calls that are left.
        let fewest = if whole || one.is_some() && two.is_some() {
            3.0
        } else if one.is_some() {
            2.0
        } else {
            1.0
        };
        let others = value(Searched).map_or(0.0, |n| (n - some).max(0.0));
        let least = one.unwrap_or(0.0)
            + 2.0 * two.unwrap_or(0.0)
            + 3.0 * three.unwrap_or(0.0)
            + if whole { 0.0 } else { fewest * others };
        let exact = whole && three == Some(0.0);
        if calls.value < least || (exact && calls.value > least) {
            let bound = if exact { "exactly" } else { "at least" };
            let message = format!("{calls} calls, and the numbers of calls printed make {bound} {least}");
            tell(Kind::CountsDoNotAdd, calls.line, message);
        }
    }
}

/// What is right is right on a searched pair or on one that was not searched: that bounds an accuracy from both sides.
fn reach(group: &Group, side: &Side, at: usize, searched: Option<&Searched<'_>>, tell: &mut Tell<'_>) {
    let Some(all) = answered(group, side).filter(|n| n.value > 0.0) else { return };
    let n = all.value;
    let (count, accuracy) = (group.facts.get(&side.right), group.facts.get(&side.accuracy));
    if let (Some(count), Some(accuracy)) = (count, accuracy)
        && group.facts.contains_key(&side.answered)
        && (count.value / n > accuracy.high() + SLACK || count.value / n < accuracy.low() - SLACK)
    {
        let message = format!(
            "accuracy {} is {accuracy}, and {count} right of {all} are {:.3}",
            side.words,
            count.value / n
        );
        tell(Kind::AccuracyOutOfReach, accuracy.line, message);
    }
    let Some((searched, right)) = searched.zip(searched.and_then(|s| s.right.get(at))) else { return };
    let rest = n - searched.all;
    if rest < 0.0 {
        return; // Told with the counts.
    }
    let (low, high) = (right / n, (right + rest) / n);
    let why = format!(
        "of {} searched pairs ({}) {right} are right {}, and {rest} others are left of {}",
        searched.all, searched.corrected.source, side.words, all.text
    );
    if let Some(accuracy) = accuracy {
        let said = format!("accuracy {} is {accuracy}", side.words);
        if accuracy.low() > high + SLACK {
            tell(
                Kind::AccuracyOutOfReach,
                accuracy.line,
                format!("{said}, and can be at most {high:.3}: {why}"),
            );
        } else if accuracy.high() < low - SLACK {
            tell(
                Kind::AccuracyOutOfReach,
                accuracy.line,
                format!("{said}, and can be at least {low:.3}: {why}"),
            );
        }
    }
    if let Some(count) = count.filter(|c| c.value < *right || c.value > right + rest) {
        tell(Kind::AccuracyOutOfReach, count.line, format!("{count} right {}: {why}", side.words));
    }
}

/// A model that is never less sure than it is right has an ECE and a Brier score of 1 − accuracy at most.
fn certainty(group: &Group, side: &Side, at: usize, searched: Option<&Searched<'_>>, tell: &mut Tell<'_>) {
    let Some(accuracy) = group.facts.get(&side.accuracy) else { return };
    // The figure may be one of the searched pairs alone.
    let of_searched =
        searched.filter(|s| s.all > 0.0).and_then(|s| s.right.get(at).map(|right| 1.0 - right / s.all));
    let bound = (1.0 - accuracy.low()).max(of_searched.unwrap_or(0.0));
    let against = format!(
        "1 − accuracy, {:.3} by {}{}",
        1.0 - accuracy.value,
        accuracy.source,
        of_searched.map_or_else(String::new, |w| format!(" and {w:.3} on the searched pairs"))
    );
    if let Some(ece) = group.facts.get(&side.ece).filter(|e| e.low() > bound + SLACK) {
        let message =
            format!("ECE {} is {ece}, above {against}: overconfidence alone cannot do that", side.words);
        tell(Kind::EceTooLarge, ece.line, message);
    }
    if let Some(brier) = group.facts.get(&side.brier).filter(|b| b.low() > bound + SLACK) {
        let message = format!(
            "Brier score {} is {brier}, worse than always stating certainty, which gives {against}",
            side.words
        );
        tell(Kind::BrierTooLarge, brier.line, message);
    }
}

/// Half-widths that each fit the other accuracy, and not their own.
fn half_widths(group: &Group, tell: &mut Tell<'_>) {
    let get = |side: &Side| {
        let n = answered(group, side)?.value as u64;
        Some((group.facts.get(&side.half_width)?, group.facts.get(&side.accuracy)?, n))
    };
    let [without, with] = &SIDES;
    let (Some((first, accuracy, n)), Some((second, other, m))) = (get(without), get(with)) else { return };
    if n.min(m) < SMALL {
        return;
    }
    let own = [off(first, accuracy, n), off(second, other, m)];
    let swapped = [off(first, other, m), off(second, accuracy, n)];
    let fits_better = own.iter().zip(&swapped).all(|(own, swapped)| *own > LEEWAY && *swapped < own / 2.0);
    if fits_better {
        let expected =
            |p: &Printed, n: u64| wald_half_width((p.value * n as f64).round() as u64, n).unwrap_or(0.0);
        let message = format!(
            "± {first} without search and ± {second} with search look exchanged: {n} answers give ± {:.3} at {} and ± \
             {:.3} at {}",
            expected(accuracy, n),
            accuracy.text,
            expected(other, m),
            other.text
        );
        tell(Kind::HalfWidthsExchanged, first.line, message);
    }
}

/// How far a half-width is from the nearest that is made of an accuracy, as a share of it.
fn off(width: &Printed, accuracy: &Printed, n: u64) -> f64 {
    let right = (accuracy.value * n as f64).round() as u64;
    [wald_half_width(right, n), wilson(right, n).map(|(low, high)| (high - low) / 2.0)]
        .into_iter()
        .flatten()
        .map(|made| (made - width.high()).max(width.low() - made).max(0.0) / made.max(SLACK))
        .fold(f64::INFINITY, f64::min)
}

/// What follows from the total cost.
fn costs(group: &Group, searched: Option<&Searched<'_>>, tell: &mut Tell<'_>) {
    let get = |fact| group.facts.get(&fact);
    let Some(cost) = get(Fact::Cost) else { return };
    if let (Some(calls), Some(price)) = (get(Fact::Calls), get(Fact::Price)) {
        let thousands = calls.value / 1000.0;
        if price.low() * thousands > cost.high() + SLACK || price.high() * thousands < cost.low() - SLACK {
            let message = format!(
                "${cost} for {calls} calls at ${price} a thousand, which is ${:.2}",
                price.value * thousands
            );
            tell(Kind::CostDoesNotFollow, cost.line, message);
        }
    }
    if let (Some(each), Some(questions)) = (get(Fact::CostPerQuery), get(Fact::Questions)) {
        quotient(cost, each, questions.value, "question", &questions.source, tell);
    }
    let Some(searched) = searched else { return };
    let from = &searched.corrected.source;
    if let Some(each) = get(Fact::CostStrict) {
        quotient(cost, each, searched.corrected.value, "corrected pair", from, tell);
    }
    if let Some(each) = get(Fact::CostInclusive) {
        let better = searched.corrected.value + searched.preserved.value;
        quotient(cost, each, better, "corrected or preserved pair", from, tell);
    }
}

/// Whether a cost for each of `n` is the whole cost divided by them.
fn quotient(cost: &Printed, each: &Printed, n: f64, one: &str, from: &str, tell: &mut Tell<'_>) {
    if n <= 0.0 || (cost.low() / n <= each.high() + SLACK && cost.high() / n >= each.low() - SLACK) {
        return;
    }
    let would = if each.value > 0.0 {
        format!("; it would take {:.0}", cost.value / each.value)
    } else {
        String::new()
    };
    let message = format!(
        "${each} for each {one}, and ${cost} for {} ({from}) is ${:.4}{would}",
        several(n as u64, one),
        cost.value / n
    );
    tell(Kind::CostDoesNotFollow, each.line, message);
}
