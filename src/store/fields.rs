//! The fields of a line that the columns need, undecoded: the fast way.

use std::borrow::Cow;

use super::json::{Cursor, Val};
use super::values::{CallSort, call_sort};

/// A field that the columns need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Slot {
    Run,
    QuestionId,
    Id,
    Split,
    Question,
    Provider,
    Model,
    Condition,
    Answer,
    Raw,
    Stop,
    Source,
    Topic,
    KeyDate,
    // From here on no text is wanted.
    References,
    Attempt,
    Confidence,
    Cost,
    Latency,
    Correct,
    // From here on the value is walked through.
    Error,
    Usage,
    SearchCalls,
}

const SLOTS: usize = Slot::SearchCalls as usize + 1;

/// The field that a key names.
///
/// By length first: what is left is a comparison or two of known length, which takes a third of the time of a match
/// over all names.
#[inline]
fn slot(key: &[u8]) -> Option<Slot> {
    let one_of = |names: &[(&[u8], Slot)]| names.iter().find(|(name, _)| *name == key).map(|(_, slot)| *slot);
    match key.len() {
        2 => one_of(&[(b"id", Slot::Id)]),
        3 => one_of(&[(b"raw", Slot::Raw)]),
        4 => one_of(&[(b"stop", Slot::Stop)]),
        5 => one_of(&[
            (b"model", Slot::Model),
            (b"split", Slot::Split),
            (b"usage", Slot::Usage),
            (b"error", Slot::Error),
            (b"topic", Slot::Topic),
        ]),
        6 => one_of(&[(b"answer", Slot::Answer), (b"run_id", Slot::Run), (b"source", Slot::Source)]),
        7 => one_of(&[(b"attempt", Slot::Attempt), (b"correct", Slot::Correct)]),
        8 => one_of(&[
            (b"question", Slot::Question),
            (b"provider", Slot::Provider),
            (b"cost_usd", Slot::Cost),
            (b"key_date", Slot::KeyDate),
        ]),
        9 => one_of(&[(b"condition", Slot::Condition)]),
        10 => one_of(&[
            (b"references", Slot::References),
            (b"confidence", Slot::Confidence),
            (b"latency_ms", Slot::Latency),
        ]),
        11 => one_of(&[(b"question_id", Slot::QuestionId)]),
        12 => one_of(&[(b"search_calls", Slot::SearchCalls)]),
        _ => None,
    }
}

/// What one line says. Used again from line to line.
#[derive(Debug, Default)]
pub(super) struct Fields<'a> {
    /// By [`Slot`]. `error` is [`Val::Nested`] when it is an object; `usage` and `search_calls` are not kept.
    values: [Val<'a>; SLOTS],
    /// The `kind`, `type` and `code` of the error.
    pub(super) error_kinds: [Val<'a>; 3],
    pub(super) input_tokens: Val<'a>,
    pub(super) output_tokens: Val<'a>,
    pub(super) calls: u32,
    pub(super) opened: u32,
    pub(super) queries: Vec<Cow<'a, str>>,
}

impl<'a> Fields<'a> {
    /// The value of a field.
    #[inline]
    pub(super) fn get(&self, slot: Slot) -> Val<'a> {
        self.values.get(slot as usize).copied().unwrap_or_default()
    }

    #[inline]
    fn set(&mut self, slot: Slot, value: Val<'a>) {
        if let Some(place) = self.values.get_mut(slot as usize) {
            *place = value;
        }
    }

    /// Reads a line; `None` where it has to be read the slow way.
    pub(super) fn scan(&mut self, line: &'a str) -> Option<()> {
        self.values.fill(Val::Null);
        self.error_kinds.fill(Val::Null);
        (self.input_tokens, self.output_tokens) = (Val::Null, Val::Null);
        (self.calls, self.opened) = (0, 0);
        self.queries.clear();
        let mut cursor = Cursor::new(line)?;
        cursor.object(|c, key| self.field(c, key))?;
        cursor.at_end().then_some(())
    }

    #[inline]
    fn field(&mut self, c: &mut Cursor<'a>, key: &'a [u8]) -> Option<()> {
        let Some(slot) = slot(key) else { return c.pass() };
        match slot {
            Slot::Error => self.error(c),
            Slot::Usage => self.usage(c),
            Slot::SearchCalls => self.search_calls(c),
            _ => {
                let value = c.value()?;
                if !slot.takes(value) {
                    return None;
                }
                self.set(slot, value);
                Some(())
            }
        }
    }

    fn error(&mut self, c: &mut Cursor<'a>) -> Option<()> {
        self.error_kinds = <[Val<'a>; 3]>::default();
        if c.next() != b'{' {
            self.set(Slot::Error, scalar(c)?);
            return Some(());
        }
        self.set(Slot::Error, Val::Nested(""));
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

impl Slot {
    /// Whether the fast way may take a value for this field.
    #[inline]
    fn takes(self, value: Val<'_>) -> bool {
        match value {
            Val::Num(n) => self as u8 >= Self::References as u8 || is_plain_integer(n),
            // The spelling of an answer is shown.
            Val::Nested(_) => self != Self::Answer,
            _ => true,
        }
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
    if let Some(text) = query.text()
        && !text.is_empty()
    {
        queries.push(text);
    }
}
