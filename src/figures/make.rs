//! From a group's numbers to a figure.

use crate::stats::{Group, SMALL};
use crate::text::count;

use super::shape::{Body, Figure, Mark};
use super::terms::Scope;
use super::{Id, charts, plots, tables};

/// Collects the marks of a figure while its body is made.
pub(super) struct Maker<'a> {
    pub(super) group: &'a Group,
    pub(super) scope: &'a Scope,
    marks: Vec<Mark>,
    notes: Vec<String>,
    first: usize,
}

impl Maker<'_> {
    /// Adds a mark and answers its number.
    pub(super) fn mark(
        &mut self,
        label: impl Into<String>,
        n: u64,
        term: String,
        place: (usize, usize),
        facts: Vec<(&'static str, String)>,
    ) -> usize {
        let mut all = vec![("rows", count(n))];
        all.extend(facts);
        self.marks.push(Mark { label: label.into(), facts: all, n, small: n < SMALL, term, place });
        self.marks.len() - 1
    }

    /// A mark for rows that a term selects within the group.
    pub(super) fn select(
        &mut self,
        label: impl Into<String>,
        n: u64,
        term: &str,
        place: (usize, usize),
        facts: Vec<(&'static str, String)>,
    ) -> usize {
        let term = self.scope.term(term);
        self.mark(label, n, term, place, facts)
    }

    /// Says something beside the figure.
    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// The mark that a reader looks at first.
    pub(super) const fn look_first(&mut self, mark: usize) {
        self.first = mark;
    }
}

/// A figure of a group. Every mark's term, added to the filter that the group was made under, shows exactly the rows
/// that the mark counts.
pub fn figure(id: Id, group: &Group, scope: &Scope) -> Figure {
    let mut maker = Maker { group, scope, marks: Vec::new(), notes: Vec::new(), first: 0 };
    let body = match id {
        Id::Summary => tables::summary(&mut maker),
        Id::Transitions => charts::matrix(&mut maker),
        Id::Calls => charts::calls(&mut maker),
        Id::Reliability => plots::reliability(&mut maker),
        Id::Calibration => tables::calibration(&mut maker),
        Id::Bins => charts::bins(&mut maker),
        Id::Gating => plots::gating(&mut maker),
        Id::Coverage => plots::coverage(&mut maker),
        Id::Changes => charts::changes(&mut maker),
        Id::Invocation => tables::invocation(&mut maker),
        Id::Cost => tables::cost(&mut maker),
        Id::Repeats => tables::repeats(&mut maker),
        Id::Reviewed => Body::Empty("it takes the numbers as graded and as reviewed".into()),
    };
    let Maker { marks, mut notes, first, .. } = maker;
    if group.is_small() && !matches!(body, Body::Empty(_)) {
        notes.push(format!("small group: {} rows, fewer than {SMALL}", group.rows));
    }
    Figure { id, rows: group.rows, body, marks, notes, first }
}
