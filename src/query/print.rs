//! Writes a filter so that it reads back as the same one.

use std::fmt::{self, Display, Formatter, Write as _};

use super::ast::{Expr, Pattern, Test, Value};
use super::fields::{Base, Field, Kind, SIDES};
use super::parse::{find_field, is_plain_word, name_len};
use super::values::is_plain_value;

/// How tightly the place binds that an expression is written in.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Place {
    Top,
    Or,
    And,
    Not,
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => Ok(()),
            e => write(e, Place::Top, f),
        }
    }
}

fn write(expr: &Expr, place: Place, f: &mut Formatter<'_>) -> fmt::Result {
    match expr {
        Expr::All => f.write_char('*'),
        // A field's name before a pattern would read as a test of that field.
        Expr::Word(word) if is_plain_word(word) && find_field(word).is_none() => f.write_str(word),
        Expr::Word(word) => write_quoted(word, f),
        Expr::Pattern(p) => write!(f, "~{p}"),
        Expr::Test(test) => write!(f, "{test}"),
        Expr::Not(inner) => {
            f.write_str("not ")?;
            write(inner, Place::Not, f)
        }
        Expr::And(all) => write_list(all, " ", Place::And, place, f),
        Expr::Or(all) => write_list(all, " or ", Place::Or, place, f),
    }
}

fn write_list(all: &[Expr], between: &str, own: Place, place: Place, f: &mut Formatter<'_>) -> fmt::Result {
    // A list in a list of the same kind keeps its parentheses, as it was written with them.
    let group = place >= own;
    if group {
        f.write_char('(')?;
    }
    for (i, e) in all.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        write(e, own, f)?;
    }
    if group { f.write_char(')') } else { Ok(()) }
}

impl Display for Test {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.field, self.op.sign())?;
        for (i, value) in self.values.iter().enumerate() {
            if i > 0 {
                f.write_char(',')?;
            }
            write_value(&self.field, value, f)?;
        }
        Ok(())
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.info().name)?;
        if self.base == Base::Meta {
            f.write_char('.')?;
            let plain = !self.name.is_empty() && name_len(&format!("x{}", self.name)) == self.name.len() + 1;
            return if plain { f.write_str(&self.name) } else { write_quoted(&self.name, f) };
        }
        match self.side.and_then(|side| SIDES.iter().find(|(_, s)| *s == side)) {
            Some((suffix, _)) => write!(f, ".{suffix}"),
            None => Ok(()),
        }
    }
}

impl Display for Pattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "/{}/", self.source().replace('/', "\\/"))
    }
}

fn write_value(field: &Field, value: &Value, f: &mut Formatter<'_>) -> fmt::Result {
    match value {
        Value::None => f.write_str("none"),
        Value::Text(text) => write_text(text, f),
        Value::Number(n) => write!(f, "{n}"),
        Value::Range(from, to) => {
            from.map_or(Ok(()), |n| write!(f, "{n}"))?;
            f.write_str("..")?;
            to.map_or(Ok(()), |n| write!(f, "{n}"))
        }
        Value::Span(from, to) => {
            from.as_ref().map_or(Ok(()), |text| write_text(text, f))?;
            f.write_str("..")?;
            to.as_ref().map_or(Ok(()), |text| write_text(text, f))
        }
        Value::Choice(n) => match field.kind() {
            Kind::Choice(words) => f.write_str(words.get(usize::from(*n)).copied().unwrap_or_default()),
            _ => Ok(()),
        },
        Value::Pattern(p) => write!(f, "{p}"),
    }
}

fn write_text(text: &str, f: &mut Formatter<'_>) -> fmt::Result {
    if is_plain_value(text) { f.write_str(text) } else { write_quoted(text, f) }
}

/// A text as a value of a test, between quotes where it needs them.
pub fn quoted(text: &str) -> String {
    if is_plain_value(text) {
        return text.to_owned();
    }
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = write_quoted(text, &mut out);
    out
}

/// A text between quotes, as the parser reads it.
pub(super) fn write_quoted(text: &str, f: &mut impl fmt::Write) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
