//! Counts codes, in a thread of its own: only their records tell whether answers are still those that were coded.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use tokio::sync::mpsc::UnboundedSender;

use crate::app::Msg;
use crate::app::coding::CountRequest;
use crate::query;
use crate::review::{Axis, Basis, Origin, Tally, Which, place_codings};
use crate::store::Reader;

/// Starts counting; what comes of it is told.
pub(super) fn start(request: CountRequest, reader: Reader, out: &UnboundedSender<Msg>) {
    let (id, to) = (request.id, out.clone());
    let work = move || {
        let _ = to.send(Msg::Counted(id, counted(&request, &reader)));
    };
    if let Err(e) = std::thread::Builder::new().name("count".into()).spawn(work) {
        let _ = out.send(Msg::Counted(id, Err(e.to_string())));
    }
}

fn counted(request: &CountRequest, reader: &Reader) -> Result<Vec<Tally>, String> {
    let CountRequest { table, notes, by, scorer, .. } = request;
    let by = by.as_deref();
    let shown: HashSet<u32> = (0..request.rows.len()).filter_map(|at| request.rows.get(at)).collect();
    let is_shown = |row| shown.contains(&row);
    let placed = place_codings(table, reader, notes, by, is_shown).map_err(|e| e.to_string())?;
    let origin = Origin::of(notes, by, |filter| {
        let settings = query::Settings { scorer: *scorer };
        let expr = query::parse(filter).ok()?;
        query::run(table, reader, &expr, &settings, &AtomicBool::new(false), &mut |_| {})
    });
    let basis = Basis::of(table, &placed, &request.book, origin.as_ref(), *scorer, is_shown);
    let ways = Axis::ALL.into_iter().flat_map(|axis| [(axis, Which::Primary), (axis, Which::Any)]);
    Ok(ways.map(|(axis, which)| basis.count(axis, which)).collect())
}
