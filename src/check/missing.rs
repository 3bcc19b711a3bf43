//! Questions that one condition lacks.

use std::collections::{HashMap, HashSet};

use crate::record::Condition;
use crate::store::{NO, PairRow, Table};

use super::place::At;
use super::{Kind, Report};

const BOTH: [Condition; 2] = [Condition::NoSearch, Condition::WithSearch];

fn has(pair: &PairRow, condition: Condition) -> bool {
    pair.sides.get(condition as usize).is_some_and(|&side| side != NO)
}

/// Questions that a model was asked under one condition only, though others of the same split under both. That a
/// condition was repeated more often than the other is no fault.
pub(super) fn sides(table: &Table, report: &mut Report) {
    let mut asked: HashSet<(u32, u16, Condition), foldhash::fast::RandomState> = HashSet::default();
    for pair in table.pairs.iter() {
        for condition in BOTH.into_iter().filter(|&c| has(pair, c)) {
            asked.insert((pair.question, pair.model, condition));
        }
    }
    // What somebody asked again, one question at a time, owes nobody the other condition.
    let again = |pair: &PairRow| table.names.runs.word(pair.run).is_some_and(|run| run.starts_with("live-"));
    let under_both = |pair: &PairRow| BOTH.iter().all(|&c| asked.contains(&(pair.question, pair.model, c)));
    let mut others: HashMap<(u16, u16), u64, foldhash::fast::RandomState> = HashMap::default();
    for pair in table.pairs.iter().filter(|p| under_both(p)) {
        *others.entry((pair.model, table.split(pair))).or_insert(0) += 1;
    }
    let mut told = HashSet::new();
    for pair in table.pairs.iter().filter(|p| !under_both(p) && !again(p)) {
        let Some(others) = others.get(&(pair.model, table.split(pair))) else { continue };
        let Some(lacks) = BOTH.into_iter().find(|&c| !has(pair, c)) else { continue };
        let here = pair.sides.iter().copied().find(|&side| side != NO).unwrap_or(NO);
        if BOTH.iter().all(|&c| !has(pair, c)) || !told.insert((pair.question, pair.model)) {
            continue;
        }
        let id = table.question_id(pair.question).unwrap_or("?");
        let model = table.names.models.word(pair.model).unwrap_or("(no model)");
        report.add(
            Kind::MissingSide,
            At::attempt(table, here),
            format!(
                "question {id} was not asked under {}: {model} has {others} more of its split under both",
                lacks.name()
            ),
        );
    }
}
