//! How many edits lie between two texts.

/// Levenshtein distance in characters. `None` when it would take more than the comparisons left in `budget`, from
/// which what was made is taken.
pub(super) fn distance(a: &str, b: &str, budget: &mut usize) -> Option<usize> {
    let mut a: Vec<char> = a.chars().collect();
    let mut b: Vec<char> = b.chars().collect();
    if a.len() > b.len() {
        std::mem::swap(&mut a, &mut b);
    }
    let prefix = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let rest = a.len() - prefix;
    let suffix = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(x, y)| x == y).count();
    let a = a.get(prefix..a.len() - suffix).unwrap_or_default();
    let b = b.get(prefix..b.len() - suffix).unwrap_or_default();
    if a.is_empty() {
        return Some(b.len());
    }
    *budget = budget.checked_sub(a.len().checked_mul(b.len())?)?;
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (n, y) in b.iter().enumerate() {
        let mut diagonal = n;
        let mut left = n + 1;
        for (cell, x) in row.iter_mut().skip(1).zip(a) {
            let above = *cell;
            let value = (diagonal + usize::from(x != y)).min(above + 1).min(left + 1);
            diagonal = above;
            left = value;
            *cell = value;
        }
    }
    row.last().copied()
}
