//! What `codes` prints, before it is written down.

use std::collections::HashSet;

use crate::query;
use crate::review::{
    Coded, Crosstab, Plan, Sampled, Saturation, Which, coded, crosstab, last_plan, place_codings, saturation,
};

use super::super::Error;
use super::super::noted::{Noted, mark_of};
use super::super::open::Opened;
use super::CodesArgs;

/// The plan that rows were drawn by.
pub(super) struct Drawn<'a> {
    /// In its written form.
    pub(super) plan: String,
    /// The filter that it was drawn under.
    pub(super) filter: &'a str,
    pub(super) sampled: Sampled<'a>,
}

/// Everything there is to say.
pub(super) struct Counts<'a> {
    pub(super) noted: &'a Noted,
    pub(super) person: Option<&'a str>,
    pub(super) by: &'static str,
    pub(super) which: Which,
    pub(super) filter: String,
    pub(super) scorer: &'static str,
    /// The mark of data that no model gave.
    pub(super) mark: Option<&'static str>,
    pub(super) coded: Coded<'a>,
    pub(super) table: Crosstab,
    pub(super) drawn: Option<Drawn<'a>>,
    pub(super) saturation: Saturation,
}

impl Counts<'_> {
    /// What a code is called.
    pub(super) fn name<'s>(&'s self, code: &'s str) -> &'s str {
        self.noted.book.get(code).map_or(code, |c| &c.name)
    }

    /// Which codes count, in words.
    pub(super) const fn which(&self) -> &'static str {
        match self.which {
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
    let codings = match person {
        Some(by) => noted.notes().codings_by(by),
        None => noted.notes().codings(),
    };
    let placed = place_codings(table, &opened.reader, codings, |row| shown.contains(&row))
        .map_err(|source| Error::Record { what: "a record could not be read".to_owned(), source })?;
    let coded = coded(table, &placed, &noted.book, scorer);
    let which = if args.all_codes { Which::Any } else { Which::Primary };
    let order: Vec<&str> = noted.book.codes.iter().map(|c| c.id.as_str()).collect();
    let drawn = last_plan(noted.notes(), person).and_then(|mark| {
        let (plan, filter) = Plan::of_mark(mark)?;
        let all = super::rows(opened, &query::parse(filter).ok()?);
        let sampled = Sampled::of(&plan, table, &all, scorer, &coded.rows, |row| shown.contains(&row))?;
        Some(Drawn { plan: plan.to_string(), filter, sampled })
    });
    Ok(Counts {
        noted,
        person,
        by: args.by.name(),
        which,
        filter: filter.to_owned(),
        scorer: scorer.name(),
        mark: mark_of(table, rows),
        table: crosstab(&coded.rows, &order, args.by.axis(), which),
        saturation: saturation(coded.rows.iter().map(|r| r.codes.iter().copied())),
        coded,
        drawn,
    })
}
