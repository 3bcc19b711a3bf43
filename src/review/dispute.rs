//! Disputes: rows on which people's primary codes differ, and what settles them.
//!
//! A dispute is settled by a coding that was said in view of it: its line names the codings that it stands over
//! (`settles`), and these are held against nothing any more. What somebody codes later and otherwise disputes the row
//! anew; taking the settling line back brings the dispute back. Agreement is worked out from what each person said
//! without such a view, so that settling does not make people agree after the fact.

use std::collections::HashSet;

use super::codebook::Codebook;
use super::entry::{Act, Entry, Key, SlotKind};
use super::notes::{Coding, Notes};

impl Notes {
    /// The codings of a row that are held against each other, one a person, where two of the same answers have other
    /// primary codes, none being a code too; nothing where there is no dispute, or where it is settled.
    pub fn disputed(&self, key: &Key, book: &Codebook) -> Vec<Coding<'_>> {
        let mut open = self.codings_of(key);
        open.retain(|c| !c.is_deferred());
        if open.len() < 2 {
            return Vec::new();
        }
        let settled: HashSet<&String> = open.iter().flat_map(Coding::settles).collect();
        open.retain(|c| !settled.contains(&c.entry.id));
        let primary = |c: &Coding<'_>| c.primary().map(|id| book.today(id, c.codebook()).to_owned());
        let differ =
            |a: &Coding<'_>, b: &Coding<'_>| is_same_answer(a.entry, b.entry) && primary(a) != primary(b);
        let is_disputed = open.iter().any(|a| open.iter().any(|b| differ(a, b)));
        if is_disputed { open } else { Vec::new() }
    }

    /// Every coding that stands of those that were said without a view of others', of one person or of all.
    pub fn independent(&self, by: Option<&str>) -> Vec<Coding<'_>> {
        let is_own = |e: &Entry| {
            by.is_none_or(|by| by == e.by)
                && !matches!(&e.act, Act::Coded { settles, .. } if !settles.is_empty())
        };
        let lines = self.standing_of(|slot| slot.kind == SlotKind::Coding, is_own);
        lines.into_iter().map(|entry| Coding { entry }).collect()
    }
}

/// Whether two lines were said of the same answers, as far as they tell.
pub(super) fn is_same_answer(a: &Entry, b: &Entry) -> bool {
    a.answer.is_empty() || b.answer.is_empty() || a.answer == b.answer
}

#[cfg(test)]
#[path = "dispute_tests.rs"]
mod tests;
