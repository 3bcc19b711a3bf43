//! What a list shows of a record: read many at a time, so no more of a line is decoded than that.

use std::borrow::Cow;

use super::fields::Fields;
use super::page::{Bundle, ReadError, Reader, read_attempt_line};
use super::short::{Short, ShortAttempt, read, read_slowly};
use super::table::{NO, Table};
use crate::text::{head, sanitize};

/// Bytes of one text: more than the widest screen shows of a cell.
const HEAD: usize = 2_048;
/// References of a question: more than a cell has room for.
const REFERENCES: usize = 64;

/// The texts of a row of the list as they are written (the table has them in their search form), each cut to what a
/// cell could show. Sanitised.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Brief {
    /// The question.
    pub question: String,
    /// Its references.
    pub references: Vec<String>,
    /// The answers by condition ([`crate::record::Condition`] as a number).
    pub answers: [Option<String>; 3],
}

impl From<&Bundle> for Brief {
    fn from(bundle: &Bundle) -> Self {
        let cut = |text: &str| head(text, HEAD).to_owned();
        let question = &bundle.question;
        Self {
            question: cut(&question.question),
            references: question.references.iter().take(REFERENCES).map(|r| cut(r)).collect(),
            answers: std::array::from_fn(|at| {
                let attempt = bundle.sides.get(at).and_then(Option::as_deref)?;
                attempt.answer.as_deref().map(|a| cut(a.trim_start()))
            }),
        }
    }
}

impl Reader {
    /// The texts of a row of the list. About a tenth of the work of [`Self::bundle`].
    ///
    /// # Errors
    /// Those of [`Self::bundle`].
    pub fn brief(&self, table: &Table, pair: u32) -> Result<Brief, ReadError> {
        let row = table.pairs.get(pair as usize).ok_or(ReadError::Gone("such row"))?;
        let mut brief = Brief::default();
        let (mut question, mut references) = (None, Vec::new());
        for (answer, &at) in brief.answers.iter_mut().zip(&row.sides) {
            if at == NO {
                continue;
            }
            let attempt = table.attempts.get(at as usize).ok_or(ReadError::Gone("such attempt"))?;
            let line = read_attempt_line(table, attempt)?;
            let mut fields = Fields::default();
            let short = match simdutf8::basic::from_utf8(&line) {
                Ok(text) => read(text, Some(attempt.condition), &mut fields),
                Err(_) => read_slowly(&line, Some(attempt.condition)),
            };
            let Ok(Short::Attempt(short)) = short else { continue };
            let ShortAttempt { answer: said, question: asked, references: given, .. } = short;
            *answer = said.map(|a| clean(a.trim_start()));
            if question.is_none() {
                question = asked.map(|q| clean(&q));
            }
            if references.is_empty() {
                references = given.list().iter().take(REFERENCES).map(|r| clean(r)).collect();
            }
        }
        let own_line = table.questions.get(row.question as usize).is_some_and(|q| q.len > 0);
        let has = |part: usize| table.question_texts.part(row.question, part).is_some_and(|p| !p.is_empty());
        match question {
            Some(question) if !own_line && (!references.is_empty() || !has(2)) => {
                (brief.question, brief.references) = (question, references);
            }
            // The text is in a file of questions, or with another attempt.
            _ => {
                let whole = self.question(table, row.question)?;
                brief.question = clean(&whole.question);
                brief.references = whole.references.iter().take(REFERENCES).map(|r| clean(r)).collect();
            }
        }
        Ok(brief)
    }
}

fn clean(text: &str) -> String {
    match sanitize(head(text, HEAD)) {
        Cow::Borrowed(text) => text.to_owned(),
        Cow::Owned(text) => text,
    }
}
