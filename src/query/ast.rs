//! What a filter is once it has been read.

use regex::bytes::{Regex, RegexBuilder};

use super::fields::Field;
use crate::text::folded;

/// A filter. Its [`Display`](std::fmt::Display) form reads back as the same filter.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Expr {
    /// Everything: the empty filter, or `*`.
    #[default]
    All,
    /// A word or phrase in question, answers, references or queries. A whole id counts too.
    Word(String),
    /// A regular expression over the same texts.
    Pattern(Pattern),
    /// A test of one field.
    Test(Test),
    /// Everything that the inner filter leaves out.
    Not(Box<Expr>),
    /// What all of them let through; always two or more.
    And(Vec<Expr>),
    /// What any of them lets through; always two or more.
    Or(Vec<Expr>),
}

impl Expr {
    /// This filter narrowed by another: what a click on a bar or a toggle adds to the text in the bar.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, e) | (e, Self::All) => e,
            (Self::And(mut a), Self::And(b)) => {
                a.extend(b);
                Self::And(a)
            }
            (Self::And(mut a), b) => {
                a.push(b);
                Self::And(a)
            }
            (a, Self::And(mut b)) => {
                b.insert(0, a);
                Self::And(b)
            }
            (a, b) => Self::And(vec![a, b]),
        }
    }

    /// The words and phrases that a reader would expect to see marked in the text: those not under a `not`.
    pub fn words(&self) -> Vec<&str> {
        fn walk<'a>(e: &'a Expr, out: &mut Vec<&'a str>) {
            match e {
                Expr::Word(w) => out.push(w),
                Expr::And(all) | Expr::Or(all) => all.iter().for_each(|e| walk(e, out)),
                Expr::All | Expr::Pattern(_) | Expr::Test(_) | Expr::Not(_) => {}
            }
        }
        let mut out = Vec::new();
        walk(self, &mut out);
        out
    }
}

/// `field op value,value…`: true when any of the values fits (with [`Op::Differs`]: when none does).
#[derive(Debug, Clone, PartialEq)]
pub struct Test {
    /// What is looked at.
    pub field: Field,
    /// How.
    pub op: Op,
    /// With what; one at least. Which kinds of value a field takes is said by [`super::Kind`].
    pub values: Vec<Value>,
}

/// How a field is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Op {
    /// `:` substring of a text; equality or range of anything else.
    Has,
    /// `=` equality, case and diacritics ignored.
    Is,
    /// `==` a name spelt just so; of `run`, the row's own run. For [`Field::has_exact`] alone, of other fields
    /// it is [`Self::Is`].
    Exact,
    /// `!=` there is a value, and it equals none of those given.
    Differs,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    More,
    /// `>=`
    AtLeast,
    /// `~` regular expression, case and diacritics ignored.
    Matches,
}

impl Op {
    /// Every operator.
    pub const ALL: [Self; 9] = [
        Self::Has,
        Self::Is,
        Self::Exact,
        Self::Differs,
        Self::Less,
        Self::AtMost,
        Self::More,
        Self::AtLeast,
        Self::Matches,
    ];

    /// As written.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Has => ":",
            Self::Is => "=",
            Self::Exact => "==",
            Self::Differs => "!=",
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::More => ">",
            Self::AtLeast => ">=",
            Self::Matches => "~",
        }
    }

    /// Whether it asks for an order: `<`, `<=`, `>` or `>=`.
    pub const fn is_order(self) -> bool {
        matches!(self, Self::Less | Self::AtMost | Self::More | Self::AtLeast)
    }
}

/// One value of a test.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `none`: the field has no value there.
    None,
    /// Text, for texts, names, dates and `meta`.
    Text(String),
    /// A finite number in the field's unit: confidence 0 to 1, milliseconds, US dollars, counts.
    Number(f64),
    /// `a..b`, both ends included, each end optional; finite numbers.
    Range(Option<f64>, Option<f64>),
    /// `a..b` of dates and of `meta` (there numbers too); an end covers all that begins with it.
    Span(Option<String>, Option<String>),
    /// One of the field's own words, by its place in [`super::Kind::Choice`].
    Choice(u8),
    /// A regular expression, with [`Op::Matches`].
    Pattern(Pattern),
}

/// A regular expression as written between the slashes, known to be valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern(String);

impl Pattern {
    /// Checks a regular expression (syntax of the `regex` crate). `\/` becomes `/`.
    ///
    /// # Errors
    /// What is wrong with it, in one line.
    pub fn new(source: &str) -> Result<Self, String> {
        let mut text = String::with_capacity(source.len());
        let mut chars = source.chars();
        while let Some(c) = chars.next() {
            match if c == '\\' { chars.next() } else { None } {
                Some('/') => text.push('/'),
                Some(next) => text.extend([c, next]),
                None => text.push(c),
            }
        }
        let pattern = Self(text);
        pattern.folded().map(|_| pattern)
    }

    /// The expression.
    pub fn source(&self) -> &str {
        &self.0
    }

    /// The expression made ready for folded text: its letters lose their diacritics too.
    pub(super) fn folded(&self) -> Result<Regex, String> {
        let mut source = String::with_capacity(self.0.len());
        let mut buffer = [0; 4];
        for c in self.0.chars() {
            if c.is_ascii() {
                source.push(c);
            } else {
                source.push_str(&regex::escape(&folded(c.encode_utf8(&mut buffer))));
            }
        }
        let built = RegexBuilder::new(&source).case_insensitive(true).size_limit(4 << 20).build();
        built.map_err(|e| match e {
            regex::Error::CompiledTooBig(_) => "it is too big".into(),
            e => {
                let all = e.to_string();
                all.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
            }
        })
    }
}
