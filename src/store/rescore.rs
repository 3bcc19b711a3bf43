//! Scoring what could not be scored when it was read: attempts without references of their own whose question got
//! some from elsewhere, later.

use std::sync::atomic::{AtomicBool, Ordering};

use super::build::Builder;
use super::fields::Fields;
use super::page::{read_attempt_line, references_of};
use super::short::{Short, read_slowly};
use super::{short, table::Table};
use crate::score::{Refs, scored};
use crate::text::sanitize;

/// Reads such attempts again and scores them.
pub(super) fn rescore(builder: &mut Builder, stop: &AtomicBool) {
    let list = builder.take_rescorable();
    let mut last: Option<(u32, Refs)> = None;
    for at in list {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Some(question) = question_of(&builder.table, at) else { continue };
        if last.as_ref().is_none_or(|(q, _)| *q != question) {
            // What the texts hold is folded; scoring takes the references as written.
            last = Some((question, Refs::new(references_of(&builder.table, question))));
        }
        let Some((_, refs)) = &last else { continue };
        if let Some(bits) = bits(&builder.table, at, refs) {
            builder.rescore(at, bits);
        }
    }
}

fn question_of(table: &Table, at: u32) -> Option<u32> {
    let attempt = table.attempts.get(at as usize)?;
    Some(table.pairs.get(attempt.pair as usize)?.question)
}

fn bits(table: &Table, at: u32, refs: &Refs) -> Option<u8> {
    let row = table.attempts.get(at as usize)?;
    let line = read_attempt_line(table, row).ok()?;
    let read = match std::str::from_utf8(&line) {
        Ok(text) => short::read(text, Some(row.condition), &mut Fields::default()),
        Err(_) => read_slowly(&line, Some(row.condition)),
    };
    match read {
        Ok(Short::Attempt(a)) => Some(scored(a.answer.as_deref().map(sanitize).as_deref(), refs, a.correct)),
        _ => None,
    }
}
