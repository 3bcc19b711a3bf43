//! How far two people agree: raw agreement, Cohen's κ and Gwet's AC1, and the rows to settle.
//!
//! κ falls to nothing on rare codes however well two people agree, which is why AC1 stands beside it. Both are of two
//! raters on the rows that both coded.

use std::collections::{BTreeSet, HashMap};

use crate::stats::Z;

use super::codebook::{Codebook, Today};
use super::dispute::is_same_answer;
use super::entry::{Entry, Key};
use super::notes::{Coding, Notes};

/// A coefficient with its large-sample interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficient {
    /// −1 to 1; 1 is full agreement, 0 as much as by chance.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Coefficient {
    /// The 95 % interval, value ± 1.96 errors, within −1 to 1.
    pub fn interval(&self) -> (f64, f64) {
        ((self.value - Z * self.error).max(-1.0), (self.value + Z * self.error).min(1.0))
    }
}

/// Agreement on one question, of two answers or more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Rows that both judged.
    pub n: u64,
    /// Of them, those judged alike.
    pub alike: u64,
    /// Cohen's κ (Cohen 1960), its error by Fleiss, Cohen and Everitt 1969 (Psychological Bulletin 72, 323–327), the
    /// one that holds whether or not κ is 0. `None` where chance alone would give full agreement, so that κ is 0/0.
    pub kappa: Option<Coefficient>,
    /// Gwet's AC1 and its error (Gwet 2008, British Journal of Mathematical and Statistical Psychology 61, 29–48; rows
    /// taken for a sample of very many).
    pub ac1: Option<Coefficient>,
}

impl Agreement {
    /// The part judged alike, 0 to 1; `None` of no rows.
    pub fn raw(&self) -> Option<f64> {
        (self.n > 0).then(|| self.alike as f64 / self.n as f64)
    }
}

/// Agreement from a square table of counts: `table[i][j]` rows got the answer i from the first and j from the second.
pub fn agreement(table: &[Vec<u64>]) -> Agreement {
    let n: u64 = table.iter().flatten().sum();
    let alike: u64 = table.iter().enumerate().filter_map(|(i, row)| row.get(i)).sum();
    let mut out = Agreement { n, alike, kappa: None, ac1: None };
    if n == 0 || table.len() < 2 {
        return out;
    }
    let size = n as f64;
    let cells: Vec<(usize, usize, f64)> = table
        .iter()
        .enumerate()
        .flat_map(|(i, row)| row.iter().enumerate().map(move |(j, &k)| (i, j, k as f64 / size)))
        .collect();
    let first: Vec<f64> = table.iter().map(|row| row.iter().sum::<u64>() as f64 / size).collect();
    let second: Vec<f64> =
        (0..table.len()).map(|j| table.iter().filter_map(|r| r.get(j)).sum::<u64>() as f64 / size).collect();
    let pick = |of: &[f64], i: usize| of.get(i).copied().unwrap_or(0.0);
    let seen = alike as f64 / size;

    let chance: f64 = first.iter().zip(&second).map(|(a, b)| a * b).sum();
    if chance < 1.0 - 1e-12 {
        let kappa = (seen - chance) / (1.0 - chance);
        let mut sum = 0.0;
        for &(i, j, p) in &cells {
            sum += if i == j {
                p * (1.0 - (pick(&first, i) + pick(&second, i)) * (1.0 - kappa)).powi(2)
            } else {
                p * ((1.0 - kappa) * (pick(&second, i) + pick(&first, j))).powi(2)
            };
        }
        let variance = (sum - (kappa - chance * (1.0 - kappa)).powi(2)) / (size * (1.0 - chance).powi(2));
        out.kappa = Some(Coefficient { value: kappa, error: variance.max(0.0).sqrt() });
    }

    let others = (table.len() - 1) as f64;
    let mean: Vec<f64> = first.iter().zip(&second).map(|(a, b)| f64::midpoint(*a, *b)).collect();
    // At most ½, for two answers; so there is always a coefficient.
    let chance = mean.iter().map(|p| p * (1.0 - p)).sum::<f64>() / others;
    let value = (seen - chance) / (1.0 - chance);
    let (mut on, mut all) = (0.0, 0.0);
    for &(i, j, p) in &cells {
        if i == j {
            on += p * (1.0 - pick(&mean, i));
        }
        all += p * (1.0 - f64::midpoint(pick(&mean, i), pick(&mean, j))).powi(2);
    }
    let variance = (seen * (1.0 - seen) - 4.0 * (1.0 - value) * (on / others - seen * chance)
        + 4.0 * (1.0 - value).powi(2) * (all / others.powi(2) - chance.powi(2)))
        / (size * (1.0 - chance).powi(2));
    out.ac1 = Some(Coefficient { value, error: variance.max(0.0).sqrt() });
    out
}

/// A row that two people coded.
#[derive(Debug, Clone, PartialEq)]
pub struct Both<'a> {
    /// The row.
    pub key: &'a Key,
    /// The first one's coding.
    pub first: Coding<'a>,
    /// The second one's.
    pub second: Coding<'a>,
    /// The codes of both, under their ids of today: primary, then all.
    codes: [(Option<String>, BTreeSet<String>); 2],
    /// Whether a coding stands that was said in view of both.
    is_settled: bool,
}

impl Both<'_> {
    /// Whether they chose the same primary code.
    pub fn is_same_primary(&self) -> bool {
        let [(a, _), (b, _)] = &self.codes;
        a == b
    }

    /// Whether they chose any other code.
    fn differs(&self) -> bool {
        let (first, second) = self.only();
        !self.is_same_primary() || !first.is_empty() || !second.is_empty()
    }

    /// Codes that only the first gave, and those that only the second gave.
    pub fn only(&self) -> (Vec<&str>, Vec<&str>) {
        let [(_, a), (_, b)] = &self.codes;
        (a.difference(b).map(String::as_str).collect(), b.difference(a).map(String::as_str).collect())
    }

    /// Whether both were looking at the same answer.
    pub fn is_same_answer(&self) -> bool {
        is_same_answer(self.first.entry, self.second.entry)
    }
}

/// Two people's codings beside each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison<'a> {
    /// The rows that both coded, by key; deferred ones, and those coded on different answers, left out.
    pub both: Vec<Both<'a>>,
    /// Rows left out because their answer had changed between the two.
    pub other_answer: u64,
    /// Rows that only the first coded, and only the second.
    pub alone: (u64, u64),
    /// Agreement on the primary code, none at all being an answer too.
    pub primary: Agreement,
    /// Agreement on whether a code applies at all, code by code: those of the codebook that either used, in its order,
    /// then others.
    pub codes: Vec<(String, Agreement)>,
}

impl Comparison<'_> {
    /// The rows to settle: another primary code, or any other code that only one gave; those that are settled left out.
    pub fn disagreements(&self) -> impl Iterator<Item = &Both<'_>> {
        self.both.iter().filter(|b| !b.is_settled && b.differs())
    }

    /// How many rows with a disagreement are settled.
    pub fn settled(&self) -> usize {
        self.both.iter().filter(|b| b.is_settled && b.differs()).count()
    }
}

/// Compares two notes files, a person's each. With `by`, only codings of those two people count, which allows both to
/// be in one file. Codes are brought to what they are in `book` today; where one was split, the old one stands.
pub fn compare<'a>(
    first: &'a Notes,
    second: &'a Notes,
    by: Option<(&str, &str)>,
    book: &Codebook,
) -> Comparison<'a> {
    let of = |notes: &'a Notes, who: Option<&str>| -> Vec<Coding<'a>> {
        // What was said in view of another's code tells nothing of whether people agree by themselves.
        let mut codings: Vec<Coding<'a>> = notes.independent(who);
        codings.retain(|c| !c.is_deferred());
        codings.sort_by(|a, b| a.entry.key.cmp(&b.entry.key));
        codings
    };
    let theirs_notes = second;
    let (ours, theirs) = (of(first, by.map(|b| b.0)), of(second, by.map(|b| b.1)));
    let mut both = Vec::new();
    let mut other_answer = 0;
    for (coding, second) in ours.iter().zip(beside(&ours, &theirs)) {
        let Some(second) = second else { continue };
        let codes = [today(*coding, book), today(second, book)];
        let (a, b) = (coding.entry, second.entry);
        let said = [first, theirs_notes].into_iter();
        // Either may be of before runs were named; what settled them is not.
        let mut settling = said.flat_map(|notes| [&a.key, &b.key].map(|key| notes.codings_of(key))).flatten();
        let is_settled = settling.any(|c| c.settles().contains(&a.id) && c.settles().contains(&b.id));
        let row = Both { key: &a.key, first: *coding, second, codes, is_settled };
        if row.is_same_answer() {
            both.push(row);
        } else {
            other_answer += 1;
        }
    }
    let met = both.len() as u64 + other_answer;
    let alone = (ours.len() as u64 - met, theirs.len() as u64 - met);
    let used: BTreeSet<&str> =
        both.iter().flat_map(|b| &b.codes).flat_map(|(_, all)| all).map(String::as_str).collect();
    let known = book.codes.iter().map(|c| c.id.as_str()).filter(|c| used.contains(c));
    let order: Vec<&str> = known.chain(used.iter().copied().filter(|c| book.get(c).is_none())).collect();
    let codes = order.iter().map(|code| ((*code).to_owned(), on_code(&both, code))).collect();
    let primary = on_primary(&both);
    Comparison { both, other_answer, alone, primary, codes }
}

/// For each of our codings theirs of the same row: of the same run first, then those where either names none, of the
/// same answer before others. Each of theirs is taken once.
fn beside<'a>(ours: &[Coding<'a>], theirs: &[Coding<'a>]) -> Vec<Option<Coding<'a>>> {
    let mut rows: HashMap<Key, Vec<Coding<'a>>> = HashMap::new();
    for coding in theirs {
        rows.entry(coding.entry.key.clone().in_run("")).or_default().push(*coding);
    }
    let mut found = vec![None; ours.len()];
    let is_open = |a: &Entry, b: &Entry| a.key.run.is_empty() || b.key.run.is_empty();
    let is_row = |way: u8, a: &Entry, b: &Entry| match way {
        0 => a.key.run == b.key.run,
        1 => is_open(a, b) && a.answer == b.answer,
        _ => is_open(a, b),
    };
    for way in 0..3 {
        for (coding, found) in ours.iter().zip(&mut found).filter(|(_, found)| found.is_none()) {
            let Some(left) = rows.get_mut(&coding.entry.key.clone().in_run("")) else { continue };
            let at = left.iter().position(|t| is_row(way, coding.entry, t.entry));
            *found = at.map(|at| left.remove(at));
        }
    }
    found
}

fn today(coding: Coding<'_>, book: &Codebook) -> (Option<String>, BTreeSet<String>) {
    let id = |old: &str| {
        let today: Today<'_> = book.resolve(old, coding.codebook());
        today.id(old).to_owned()
    };
    (coding.primary().map(id), coding.codes().into_iter().map(id).collect())
}

fn on_code(both: &[Both<'_>], code: &str) -> Agreement {
    let mut table = vec![vec![0; 2]; 2];
    for row in both {
        let [a, b] = row.codes.each_ref().map(|(_, all)| usize::from(!all.contains(code)));
        if let Some(cell) = table.get_mut(a).and_then(|r: &mut Vec<u64>| r.get_mut(b)) {
            *cell += 1;
        }
    }
    agreement(&table)
}

fn on_primary(both: &[Both<'_>]) -> Agreement {
    let answers: BTreeSet<Option<&str>> =
        both.iter().flat_map(|b| &b.codes).map(|(primary, _)| primary.as_deref()).collect();
    let answers: Vec<Option<&str>> = answers.into_iter().collect();
    // One answer throughout is still a choice of two at least.
    let size = answers.len().max(2);
    let mut table = vec![vec![0; size]; size];
    for row in both {
        let [a, b] = row.codes.each_ref().map(|(p, _)| answers.binary_search(&p.as_deref()).unwrap_or(0));
        if let Some(cell) = table.get_mut(a).and_then(|r: &mut Vec<u64>| r.get_mut(b)) {
            *cell += 1;
        }
    }
    agreement(&table)
}

#[cfg(test)]
#[path = "agreement_tests.rs"]
mod tests;
