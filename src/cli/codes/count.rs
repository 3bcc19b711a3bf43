//! What `codes` prints, before it is written down.

use std::collections::HashSet;

use crate::query;
use crate::review::{Basis, Origin, Tally, Which, place_codings};

use super::super::Error;
use super::super::noted::{Noted, mark_of};
use super::super::open::Opened;
use super::CodesArgs;

/// Everything there is to say.
pub(super) struct Counts<'a> {
    pub(super) noted: &'a Noted,
    pub(super) person: Option<&'a str>,
    pub(super) by: &'static str,
    pub(super) filter: String,
    pub(super) scorer: &'static str,
    /// The mark of data that no model gave.
    pub(super) mark: Option<&'static str>,
    pub(super) tally: Tally,
}

impl Counts<'_> {
    /// What a code is called.
    pub(super) fn name<'s>(&'s self, code: &'s str) -> &'s str {
        self.noted.book.get(code).map_or(code, |c| &c.name)
    }

    /// Which codes count, in words.
    pub(super) const fn which(&self) -> &'static str {
        match self.tally.which {
            Which::Primary => "primary codes, a row counts once",
            Which::Any => "every code, a row counts for each of its codes",
        }
    }
}

pub(super) fn count<'a>(
    args: &'a CodesArgs,
    opened: &'a Opened,
    noted: &'a Noted,
    filter: &str,
    rows: &[u32],
) -> Result<Counts<'a>, Error> {
    let (table, scorer, person) = (&*opened.table, opened.judge.scorer, args.said.person.as_deref());
    let shown: HashSet<u32> = rows.iter().copied().collect();
    let placed = place_codings(table, &opened.reader, noted.notes(), person, |row| shown.contains(&row))
        .map_err(|source| Error::Record { what: "a record could not be read".to_owned(), source })?;
    let origin =
        Origin::of(noted.notes(), person, |filter| Some(super::rows(opened, &query::parse(filter).ok()?)));
    let which = if args.all_codes { Which::Any } else { Which::Primary };
    let basis = Basis::of(table, &placed, &noted.book, origin.as_ref(), scorer, |row| shown.contains(&row));
    Ok(Counts {
        noted,
        person,
        by: args.by.name(),
        filter: filter.to_owned(),
        scorer: scorer.name(),
        mark: mark_of(table, rows),
        tally: basis.count(args.by.axis(), which),
    })
}
