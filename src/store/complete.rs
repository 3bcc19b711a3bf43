//! Attempts that stand on their own: with what other files say of their question, for files that are given away.

use super::page::{ReadError, Reader, references_of};
use super::table::Table;
use crate::record::{Attempt, SCHEMA};

impl Reader {
    /// An attempt of a pair with the pair's number, and with question, split and references where it has none of its
    /// own: judged alone it gets the verdict that it has here.
    pub fn complete(&self, table: &Table, pair: u32, attempt: u32) -> Result<Attempt, ReadError> {
        let row = table.pairs.get(pair as usize).ok_or(ReadError::Gone("such row"))?;
        let question = self.question(table, row.question)?;
        let mut record = Attempt::clone(&*self.attempt(table, attempt)?);
        SCHEMA.clone_into(&mut record.schema);
        // Another number than the record's own where a run has two of the same.
        record.attempt = u32::from(row.attempt);
        if record.question.is_none() && !question.question.is_empty() {
            record.question = Some(question.question.clone());
        }
        // That of the question counts for the pair, whatever the attempt says.
        if record.split.is_none() || question.split.is_some() {
            record.split = table.names.splits.word(table.split(row)).map(str::to_owned);
        }
        if record.references.is_none() {
            let some = table.question_texts.part(row.question, 2).is_some_and(|r| !r.is_empty());
            record.references = match &question.references {
                own if !own.is_empty() => Some(own.clone()),
                // A question file may name the question and leave the references to the attempts.
                _ if some => Some(references_of(table, row.question)),
                _ => None,
            };
        }
        Ok(record)
    }
}
