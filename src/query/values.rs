//! Reads the values of a test: texts, numbers with units, ranges, words of a field, regular expressions.

use super::ast::{Op, Value};
use super::dates::Date;
use super::error::{ParseError, did_you_mean, nearest};
use super::fields::{Base, FIELDS, Field, Kind, Unit};
use super::parse::Parser;

type Parsed<T> = Result<T, ParseError>;

/// What ends a bare value: a comma too.
pub(super) fn ends_value(c: char) -> bool {
    c == ',' || super::parse::ends_word(c)
}

/// Whether a text can stand as a value without quotes.
pub(super) fn is_plain_value(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '@' | '+' | '\''))
        && !text.contains("..")
        && !text.eq_ignore_ascii_case("none")
}

impl Parser<'_> {
    /// The values after an operator; `start` is where the test begins.
    pub(super) fn values(&mut self, field: &Field, op: Op, start: usize) -> Parsed<Vec<Value>> {
        let mut values = Vec::new();
        loop {
            self.space();
            if self.done() || matches!(self.peek(), Some(')' | ',')) {
                return Err(self.no_value(field, op, start, values.is_empty()));
            }
            let at = self.at;
            values.push(self.value(field, op)?);
            if op.is_order() && values.len() > 1 {
                return Err(ParseError::new(at..self.at, format!("{} takes one value", op.sign())));
            }
            let gap = self.rest().len() - self.rest().trim_start().len();
            if !self.rest().get(gap..).is_some_and(|r| r.starts_with(',')) {
                return Ok(values);
            }
            self.bump(gap + 1);
        }
    }

    fn no_value(&self, field: &Field, op: Op, start: usize, first: bool) -> ParseError {
        let (at, message) = if first {
            (start..self.at, format!("{field}{} needs a value", op.sign()))
        } else {
            (self.at..self.at, format!("a value of {} is missing after the comma", field.info().name))
        };
        ParseError::new(at, message).hint(takes(field))
    }

    fn value_len(&self) -> usize {
        self.rest().find(ends_value).unwrap_or(self.rest().len())
    }

    fn value(&mut self, field: &Field, op: Op) -> Parsed<Value> {
        let kind = field.kind();
        let start = self.at;
        if op == Op::Matches {
            if matches!(kind, Kind::Number(_) | Kind::Choice(_)) {
                let at = start..start + self.value_len();
                return Err(ParseError::new(
                    at,
                    format!("{} takes no regular expression", field.info().name),
                )
                .hint(takes(field)));
            }
            return self.pattern("~").map(Value::Pattern);
        }
        if op.is_order() && matches!(kind, Kind::Text | Kind::Name | Kind::Choice(_)) {
            return Err(ParseError::new(start..start, format!("{} has no order", field.info().name))
                .hint(format!("{} is for numbers and dates; {}", op.sign(), takes(field))));
        }
        if matches!(self.peek(), Some('"' | '“')) {
            let text = self.quoted()?;
            let spans = matches!(kind, Kind::Date | Kind::Meta) && !op.is_order();
            if spans && self.rest().starts_with("..") {
                self.bump(2);
                let to = self.span_end()?;
                return Ok(Value::Span(Some(text), to)).and_then(|v| dated(field, v, start..self.at));
            }
            return typed(field, op, &text, start..self.at, true);
        }
        let len = self.value_len();
        let text = self.rest().get(..len).unwrap_or_default();
        if matches!(kind, Kind::Date | Kind::Meta)
            && !op.is_order()
            && let Some((from, to)) = text.split_once("..")
        {
            let from = (!from.is_empty()).then(|| from.to_owned());
            let to = if to.is_empty() {
                self.bump(len);
                self.span_end()?
            } else {
                self.bump(len);
                Some(to.to_owned())
            };
            return dated(field, Value::Span(from, to), start..self.at);
        }
        if len == 0 {
            return Err(ParseError::new(start..start, format!("{field}{} needs a value", op.sign()))
                .hint(format!("texts with parentheses or commas go in quotes; {}", takes(field))));
        }
        self.bump(len);
        typed(field, op, text, start..self.at, false)
    }

    /// The upper end of a span, after its dots; nothing there means open.
    fn span_end(&mut self) -> Parsed<Option<String>> {
        if matches!(self.peek(), Some('"' | '“')) {
            return self.quoted().map(Some);
        }
        let len = self.value_len();
        let text = self.rest().get(..len).unwrap_or_default();
        self.bump(len);
        Ok((!text.is_empty()).then(|| text.to_owned()))
    }

    /// A text in quotes.
    pub(super) fn quoted(&mut self) -> Parsed<String> {
        let start = self.at;
        let (open, close) = if self.peek() == Some('“') { ('“', '”') } else { ('"', '"') };
        let mut out = String::new();
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            if c == close || (open == '“' && c == '"') {
                self.bump(at + c.len_utf8());
                return Ok(out);
            }
            let escape = if c == '\\' { chars.peek().map(|&(_, c)| c) } else { None };
            match escape {
                Some(c @ ('"' | '\\' | '”')) => out.push(c),
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                // Any other backslash is one.
                _ => {
                    out.push(c);
                    continue;
                }
            }
            chars.next();
        }
        Err(ParseError::new(start..self.text.len(), "this quote is not closed").hint(format!("add {close}")))
    }
}

/// The value that a text means for a field.
fn typed(field: &Field, op: Op, text: &str, at: std::ops::Range<usize>, quoted: bool) -> Parsed<Value> {
    let none = !quoted && text.eq_ignore_ascii_case("none") && field.base != Base::Text;
    if none && !op.is_order() {
        return Ok(Value::None);
    }
    match field.kind() {
        Kind::Date if op.is_order() => dated(field, Value::Text(text.to_owned()), at),
        Kind::Text | Kind::Name | Kind::Date | Kind::Meta => Ok(Value::Text(text.to_owned())),
        Kind::Choice(words) => choice(field, words, text, at),
        Kind::Number(unit) => numeric(field, unit, op, text, at),
    }
}

/// Checks the dates of a value that asks for an order; other fields' values pass.
fn dated(field: &Field, value: Value, at: std::ops::Range<usize>) -> Parsed<Value> {
    let ends = match &value {
        Value::Text(a) => [Some(a), None],
        Value::Span(a, b) => [a.as_ref(), b.as_ref()],
        _ => [None, None],
    };
    if field.kind() == Kind::Date
        && let Some(bad) = ends.into_iter().flatten().find(|d| Date::parse(d).is_none())
    {
        return Err(ParseError::new(at, format!("\"{bad}\" is no date")).hint(takes(field)));
    }
    Ok(value)
}

fn choice(field: &Field, words: &[&str], text: &str, at: std::ops::Range<usize>) -> Parsed<Value> {
    let mut word = text.trim().to_lowercase().replace([' ', '-'], "_");
    word = match (field.base, word.as_str()) {
        (Base::Verdict, "correct") => "right".into(),
        (Base::Verdict, "incorrect") => "wrong".into(),
        (Base::Near | Base::Disagrees, "true" | "y" | "1") => "yes".into(),
        (Base::Near | Base::Disagrees, "false" | "n" | "0") => "no".into(),
        (Base::Condition, w) => crate::record::Condition::parse(w).map_or(word, |c| c.name().to_owned()),
        _ => word,
    };
    if let Some(n) = words.iter().position(|&w| w == word) {
        return Ok(Value::Choice(n as u8));
    }
    let name = field.info().name;
    let near = nearest(&word, words.iter().copied());
    let hint = did_you_mean(&near).or_else(|| {
        // `transition:harmful` is a value of another field.
        let owner =
            FIELDS.iter().find(|f| matches!(f.kind, Kind::Choice(w) if w.contains(&word.as_str())))?;
        Some(format!("did you mean {}:{word}?", owner.name))
    });
    Err(ParseError::new(at, format!("{name} has no value \"{text}\""))
        .hint(hint.unwrap_or_else(|| takes(field))))
}

fn numeric(field: &Field, unit: Unit, op: Op, text: &str, at: std::ops::Range<usize>) -> Parsed<Value> {
    let bad = |text: &str| {
        let written = text
            .split_once('-')
            .filter(|(a, b)| !a.is_empty() && number(unit, a).is_some() && number(unit, b).is_some());
        let hint = match written {
            Some((a, b)) => format!("a range is written {a}..{b}"),
            None => takes(field),
        };
        ParseError::new(at.clone(), format!("{} has no value \"{text}\"", field.info().name)).hint(hint)
    };
    let one = |text: &str| number(unit, text).ok_or_else(|| bad(text));
    match text.split_once("..") {
        Some(_) if op.is_order() => Err(bad(text).hint("a range goes with : or =")),
        Some((from, to)) => {
            let end = |s: &str| if s.is_empty() { Ok(None) } else { one(s).map(Some) };
            Ok(Value::Range(end(from)?, end(to)?))
        }
        None => one(text).map(Value::Number),
    }
}

/// A number with its unit, in the unit of the field.
fn number(unit: Unit, text: &str) -> Option<f64> {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let suffixes: &[(&str, f64)] = match unit {
        Unit::Share | Unit::Change => &[("%", 0.01)],
        Unit::Count => &[("k", 1e3), ("m", 1e6)],
        Unit::Millis => &[("ms", 1.0), ("s", 1e3), ("min", 6e4), ("m", 6e4), ("h", 3.6e6)],
        Unit::Dollars => &[],
    };
    let bare = if unit == Unit::Dollars { lower.strip_prefix('$').unwrap_or(&lower) } else { &lower };
    let (digits, factor) = suffixes
        .iter()
        .find_map(|&(suffix, factor)| bare.strip_suffix(suffix).map(|d| (d, factor)))
        .unwrap_or((bare, 1.0));
    // f64's own parser also takes "inf", "nan" and "infinity".
    if !digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e')) {
        return None;
    }
    let n: f64 = digits.parse().ok()?;
    // Division keeps 80% the same number as 0.8; a product would not.
    let n = if factor < 1.0 { n / 100.0 } else { n * factor };
    let fits = match unit {
        Unit::Share => (0.0..=1.0).contains(&n),
        Unit::Change => (-1.0..=1.0).contains(&n),
        Unit::Count | Unit::Millis | Unit::Dollars => true,
    };
    (n.is_finite() && fits).then_some(n)
}

/// What a field takes, in words.
pub(super) fn takes(field: &Field) -> String {
    let name = field.info().name;
    let what = match field.kind() {
        Kind::Text | Kind::Name => "text, in quotes if it has spaces",
        Kind::Date => "dates as 2024, 2024-09 or 2024-09-30, and ranges 2020..2024",
        Kind::Meta => "text or numbers, in quotes if there are spaces",
        Kind::Number(Unit::Share) => "numbers, 0 to 1 or percent, and ranges 0.8..1",
        Kind::Number(Unit::Change) => "numbers, -1 to 1 or percent, and ranges -0.1..0.1",
        Kind::Number(Unit::Count) => "numbers and ranges 2..5",
        Kind::Number(Unit::Millis) => "times as 2s, 500ms or 1.5min, and ranges 2s..5s",
        Kind::Number(Unit::Dollars) => "amounts as $0.01, and ranges 0.01..0.05",
        Kind::Choice(words) => return format!("{name} takes {}", words.join(", ")),
    };
    format!("{name} takes {what}")
}
