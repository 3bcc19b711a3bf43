//! Dates as people write them in data files: a year, a month, a day.

use std::cmp::Ordering;

/// A year, maybe with month and day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Date(Vec<u32>);

impl Date {
    /// Reads `2024`, `2024-09`, `2024-09-30`, also with a time of day behind; `None` for anything else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let day = text.trim().split(['T', 't', ' ']).next()?;
        let parts = day.split(['-', '/']).map(|p| {
            let digits = (1..=6).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit());
            if digits { p.parse().ok() } else { None }
        });
        let parts: Option<Vec<u32>> = parts.collect();
        parts.filter(|p| p.len() <= 3).map(Self)
    }

    /// Compares with a bound: a bound of a year is equal to every day of that year.
    pub(super) fn against(&self, bound: &Self) -> Ordering {
        for (i, limit) in bound.0.iter().enumerate() {
            // A year without its month lies at the year's beginning when a month is asked for.
            match self.0.get(i).unwrap_or(&0).cmp(limit) {
                Ordering::Equal => {}
                other => return other,
            }
        }
        Ordering::Equal
    }
}
