//! What only the whole records show.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::record::{Condition, Scorer, State, Verdict};
use crate::store::{Reader, Table};

use super::place::At;
use super::{Kind, Report};

/// Compares records with each other and with what they say of themselves. `None` when cancelled.
pub(super) fn compare(
    table: &Table,
    reader: &Reader,
    scorer: Scorer,
    cancel: &AtomicBool,
    report: &mut Report,
) -> Option<()> {
    let mut splits: HashMap<u32, &str, foldhash::fast::RandomState> = HashMap::default();
    let mut told: HashSet<u32, foldhash::fast::RandomState> = HashSet::default();
    let data_files = table.questions.iter().any(|q| q.len > 0);
    for (at, row) in (0u32..).zip(table.attempts.iter()) {
        if cancel.load(Ordering::Relaxed) {
            return None;
        }
        let Some(pair) = table.pairs.get(row.pair as usize) else { continue };
        let Some(question) = table.questions.get(pair.question as usize) else { continue };
        let id = || table.question_id(pair.question).unwrap_or("?").to_owned();
        let here = || At::attempt(table, at);

        if row.condition == Condition::NoSearch && row.calls > 0 {
            report.add(
                Kind::SearchedWithoutTool,
                here(),
                format!(
                    "question {}: asked without search, yet the record has {}",
                    id(),
                    if row.calls == u8::MAX {
                        "255 calls or more".to_owned()
                    } else {
                        crate::text::several(row.calls, "call")
                    }
                ),
            );
        }
        if row.recorded() == Some(true) && row.state != State::Answered {
            report.add(
                Kind::RightWithoutAnswer,
                here(),
                format!("question {}: recorded as right, yet its state is '{}'", id(), row.state.name()),
            );
        }
        let own = row.verdict(scorer);
        if let (Some(recorded), Some(own)) = (row.recorded(), own.correct())
            && recorded != own
        {
            let word = |right| if right { "right" } else { "wrong" };
            report.add(
                Kind::VerdictDiffers,
                here(),
                format!(
                    "question {}: recorded as {}, {} by the scorer '{}'",
                    id(),
                    word(recorded),
                    word(own),
                    scorer.name()
                ),
            );
        }
        if own == Verdict::Ungraded && told.insert(pair.question) {
            report.add(
                Kind::NothingToCompare,
                here(),
                format!("question {} has no accepted answers and no recorded verdict: ungraded", id()),
            );
        }
        if data_files && question.len == 0 && told.insert(pair.question) {
            report.add(
                Kind::UnknownQuestion,
                here(),
                format!("question {} is in none of the data files that are open", id()),
            );
        }

        let own = table.names.splits.word(row.split);
        let other = table.names.splits.word(question.split).or_else(|| splits.get(&pair.question).copied());
        match (own, other) {
            (Some(own), Some(other)) if own != other => report.add(
                Kind::SplitDiffers,
                here(),
                format!("question {} is '{own}' here and '{other}' elsewhere", id()),
            ),
            (Some(own), None) => {
                splits.insert(pair.question, own);
            }
            _ => {}
        }

        // A record that cannot be read is among the loader's problems.
        let Ok(attempt) = reader.attempt(table, at) else { continue };
        if let Some(billed) = attempt.usage.search_requests
            && billed != attempt.calls() as u64
        {
            report.add(
                Kind::CallsDiffer,
                here(),
                format!(
                    "question {}: {} in the usage, {} recorded",
                    id(),
                    crate::text::several(billed, "search request"),
                    crate::text::several(attempt.calls(), "call")
                ),
            );
        }
    }
    Some(())
}
