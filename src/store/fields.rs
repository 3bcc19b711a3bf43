//! The fields of a line that the columns need, undecoded: the fast way.

use std::borrow::Cow;

use super::json::{Cursor, Val};
use super::values::{CallSort, call_sort};

/// What one line says. Kept from line to line for its allocations.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    pub(super) run: Val<'a>,
    pub(super) question_id: Val<'a>,
    pub(super) id: Val<'a>,
    pub(super) split: Val<'a>,
    pub(super) question: Val<'a>,
    pub(super) references: Val<'a>,
    pub(super) provider: Val<'a>,
    pub(super) model: Val<'a>,
    pub(super) condition: Val<'a>,
    pub(super) attempt: Val<'a>,
    pub(super) answer: Val<'a>,
    pub(super) confidence: Val<'a>,
    pub(super) raw: Val<'a>,
    pub(super) cost: Val<'a>,
    pub(super) latency: Val<'a>,
    pub(super) stop: Val<'a>,
    pub(super) source: Val<'a>,
    pub(super) correct: Val<'a>,
    pub(super) topic: Val<'a>,
    pub(super) key_date: Val<'a>,
    /// `error` itself; [`Val::Nested`] when it is an object.
    pub(super) error: Val<'a>,
    /// Its `kind`, `type` and `code`.
    pub(super) error_kinds: [Val<'a>; 3],
    pub(super) input_tokens: Val<'a>,
    pub(super) output_tokens: Val<'a>,
    pub(super) calls: u32,
    pub(super) opened: u32,
    pub(super) queries: Vec<Cow<'a, str>>,
}

impl<'a> Fields<'a> {
    /// Reads a line; `None` where it has to be read the slow way.
    pub(super) fn scan(line: &'a str, mut queries: Vec<Cow<'a, str>>) -> Option<Self> {
        queries.clear();
        let mut fields = Fields { queries, ..Fields::default() };
        let mut cursor = Cursor::new(line)?;
        cursor.object(|c, key| fields.field(c, key))?;
        cursor.at_end().then_some(fields)
    }

    #[inline]
    fn field(&mut self, c: &mut Cursor<'a>, key: &'a [u8]) -> Option<()> {
        match key {
            b"run_id" => self.run = scalar(c)?,
            b"question_id" => self.question_id = scalar(c)?,
            b"id" => self.id = scalar(c)?,
            b"split" => self.split = scalar(c)?,
            b"question" => self.question = scalar(c)?,
            b"references" => self.references = c.value()?,
            b"provider" => self.provider = scalar(c)?,
            b"model" => self.model = scalar(c)?,
            b"condition" => self.condition = scalar(c)?,
            b"attempt" => self.attempt = c.value()?,
            b"answer" => {
                self.answer = scalar(c)?;
                // Its spelling is shown.
                if matches!(self.answer, Val::Nested(_)) {
                    return None;
                }
            }
            b"confidence" => self.confidence = c.value()?,
            b"raw" => self.raw = scalar(c)?,
            b"cost_usd" => self.cost = c.value()?,
            b"latency_ms" => self.latency = c.value()?,
            b"stop" => self.stop = scalar(c)?,
            b"source" => self.source = scalar(c)?,
            b"correct" => self.correct = c.value()?,
            b"topic" => self.topic = scalar(c)?,
            b"key_date" => self.key_date = scalar(c)?,
            b"error" => self.error(c)?,
            b"usage" => self.usage(c)?,
            b"search_calls" => self.search_calls(c)?,
            _ => c.pass()?,
        }
        Some(())
    }

    fn error(&mut self, c: &mut Cursor<'a>) -> Option<()> {
        self.error_kinds = <[Val<'a>; 3]>::default();
        if c.next() != b'{' {
            self.error = scalar(c)?;
            return Some(());
        }
        self.error = Val::Nested(Cow::Borrowed(""));
        let [kind, sort, code] = &mut self.error_kinds;
        c.object(|c, key| {
            match key {
                b"kind" => *kind = scalar(c)?,
                b"type" => *sort = scalar(c)?,
                b"code" => *code = scalar(c)?,
                _ => c.pass()?,
            }
            Some(())
        })
    }

    fn usage(&mut self, c: &mut Cursor<'a>) -> Option<()> {
        (self.input_tokens, self.output_tokens) = (Val::Null, Val::Null);
        if c.next() != b'{' {
            return c.pass();
        }
        c.object(|c, key| {
            match key {
                b"input_tokens" => self.input_tokens = c.value()?,
                b"output_tokens" => self.output_tokens = c.value()?,
                _ => c.pass()?,
            }
            Some(())
        })
    }

    fn search_calls(&mut self, c: &mut Cursor<'a>) -> Option<()> {
        (self.calls, self.opened) = (0, 0);
        self.queries.clear();
        if c.next() != b'[' {
            return c.pass();
        }
        c.array(|c| match c.next() {
            b'{' => self.call(c),
            b'"' => {
                let query = scalar(c)?;
                self.calls += 1;
                push(&mut self.queries, query);
                Some(())
            }
            _ => c.pass(),
        })
    }

    fn call(&mut self, c: &mut Cursor<'a>) -> Option<()> {
        let before = self.queries.len();
        let mut single = Val::Null;
        let mut sort = CallSort::Search;
        c.object(|c, key| {
            match key {
                b"query" => {
                    single = scalar(c)?;
                    if matches!(single, Val::Nested(_)) {
                        return None;
                    }
                }
                b"queries" => {
                    self.queries.truncate(before);
                    if c.next() == b'[' {
                        c.array(|c| {
                            push(&mut self.queries, scalar(c)?);
                            Some(())
                        })?;
                    } else {
                        push(&mut self.queries, scalar(c)?);
                    }
                }
                b"kind" => sort = scalar(c)?.text().map_or(CallSort::Search, |k| call_sort(&k)),
                _ => c.pass()?,
            }
            Some(())
        })?;
        if self.queries.len() == before {
            push(&mut self.queries, single);
        }
        match sort {
            CallSort::Search => self.calls += 1,
            _ => self.opened += 1,
        }
        Some(())
    }
}

/// A value that is used as text. A number that could be written otherwise is left to the slow way, which decides how
/// it is written.
#[inline]
fn scalar<'a>(c: &mut Cursor<'a>) -> Option<Val<'a>> {
    let value = c.value()?;
    match &value {
        Val::Num(n) if !is_plain_integer(n) => None,
        _ => Some(value),
    }
}

fn is_plain_integer(n: &str) -> bool {
    n.len() <= 18 && n != "-0" && n.bytes().all(|b| b.is_ascii_digit() || b == b'-')
}

fn push<'a>(queries: &mut Vec<Cow<'a, str>>, query: Val<'a>) {
    if let Some(text) = query.into_text()
        && !text.is_empty()
    {
        queries.push(text);
    }
}
