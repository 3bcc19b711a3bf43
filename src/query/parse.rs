//! Reads a filter: terms, `and`, `or`, `not`, parentheses. Values are read in `values`.

use super::ast::{Expr, Op, Pattern, Test};
use super::error::{ParseError, did_you_mean, nearest};
use super::fields::{Base, FIELDS, Field, SIDES};

/// Groups and negations may be nested this deep.
const DEPTH: usize = 100;

type Parsed<T> = Result<T, ParseError>;

/// Reads a filter; an empty one lets everything through.
///
/// # Errors
/// What is wrong, at which bytes, and what was probably meant.
pub fn parse(text: &str) -> Parsed<Expr> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    parser.space();
    if parser.done() {
        return Ok(Expr::All);
    }
    let expr = parser.any()?;
    if parser.done() {
        Ok(expr)
    } else {
        let at = parser.at..parser.at + 1;
        Err(ParseError::new(at, "no parenthesis is open here")
            .hint("to search for parentheses, write them in quotes"))
    }
}

/// What ends a bare word.
pub(super) fn ends_word(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')' | '"' | '“')
}

/// Whether a bare word is one of the language's own, and which.
fn keyword(word: &str) -> Option<Keyword> {
    match word {
        "&&" => Some(Keyword::And),
        "||" | "|" => Some(Keyword::Or),
        w if w.eq_ignore_ascii_case("and") => Some(Keyword::And),
        w if w.eq_ignore_ascii_case("or") => Some(Keyword::Or),
        w if w.eq_ignore_ascii_case("not") => Some(Keyword::Not),
        _ => None,
    }
}

#[derive(PartialEq, Eq)]
enum Keyword {
    And,
    Or,
    Not,
}

/// Whether a word read bare means itself, so that it need not be quoted.
pub(super) fn is_plain_word(word: &str) -> bool {
    word.starts_with(char::is_alphanumeric)
        && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\''))
        && keyword(word).is_none()
}

/// The operator that `rest` begins with.
pub(super) fn operator(rest: &str) -> Option<(Op, usize)> {
    const SIGNS: [(&str, Op); 15] = [
        (":>=", Op::AtLeast),
        (":<=", Op::AtMost),
        (":>", Op::More),
        (":<", Op::Less),
        ("!=", Op::Differs),
        ("==", Op::Exact),
        ("=~", Op::Matches),
        (">=", Op::AtLeast),
        ("<=", Op::AtMost),
        ("≥", Op::AtLeast),
        ("≤", Op::AtMost),
        (":", Op::Has),
        ("=", Op::Is),
        (">", Op::More),
        ("<", Op::Less),
    ];
    if rest.starts_with('~') {
        return Some((Op::Matches, 1));
    }
    SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)).map(|&(sign, op)| (op, sign.len()))
}

/// The length of the name that `rest` begins with: of a field, with its suffix.
pub(super) fn name_len(rest: &str) -> usize {
    if !rest.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return 0;
    }
    rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))).unwrap_or(rest.len())
}

/// The field of a name and suffix, in any case and any of its spellings.
pub(super) fn find_field(name: &str) -> Option<Field> {
    if let Some((base, rest)) = name.split_once('.')
        && base.eq_ignore_ascii_case("meta")
    {
        return (!rest.is_empty()).then(|| Field { name: rest.to_owned(), ..Base::Meta.into() });
    }
    let name = name.to_ascii_lowercase();
    let (base, suffix) = name.split_once('.').map_or((name.as_str(), None), |(b, s)| (b, Some(s)));
    let info = FIELDS.iter().find(|f| f.base != Base::Meta && (f.name == base || f.also.contains(&base)))?;
    let side = match suffix {
        None => None,
        Some(suffix) => Some(SIDES.iter().find(|(s, _)| info.sides && *s == suffix)?.1),
    };
    Some(Field { base: info.base, side, name: String::new() })
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
}

impl<'a> Parser<'a> {
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn done(&self) -> bool {
        self.at >= self.text.len()
    }

    pub(super) fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    pub(super) fn bump(&mut self, bytes: usize) {
        self.at = (self.at + bytes).min(self.text.len());
    }

    fn word_len(&self) -> usize {
        self.rest().find(ends_word).unwrap_or(self.rest().len())
    }

    fn word(&self) -> &'a str {
        self.rest().get(..self.word_len()).unwrap_or_default()
    }

    fn keyword(&self) -> Option<Keyword> {
        keyword(self.word())
    }

    /// `a or b or c`
    fn any(&mut self) -> Parsed<Expr> {
        let first = self.all()?;
        let mut alternatives = vec![first];
        while self.keyword() == Some(Keyword::Or) {
            let at = self.at..self.at + self.word_len();
            self.bump(at.len());
            self.space();
            self.expect_term(&at, "or")?;
            alternatives.push(self.all()?);
        }
        Ok(one_or(alternatives, Expr::Or))
    }

    /// `a b and c`
    fn all(&mut self) -> Parsed<Expr> {
        self.no_leading_keyword()?;
        let mut members = vec![self.negated()?];
        loop {
            self.space();
            match self.keyword() {
                Some(Keyword::Or) => break,
                Some(Keyword::And) => {
                    let at = self.at..self.at + self.word_len();
                    self.bump(at.len());
                    self.space();
                    self.expect_term(&at, "and")?;
                }
                _ if self.done() || self.peek() == Some(')') => break,
                _ => {}
            }
            members.push(self.negated()?);
        }
        Ok(one_or(members, Expr::And))
    }

    fn no_leading_keyword(&self) -> Parsed<()> {
        match self.keyword() {
            Some(Keyword::And | Keyword::Or) => {
                let word = self.word();
                let at = self.at..self.at + word.len();
                Err(ParseError::new(at, format!("there is nothing before {word}"))
                    .hint(format!("to search for the word, write \"{word}\"")))
            }
            _ => Ok(()),
        }
    }

    fn expect_term(&self, after: &std::ops::Range<usize>, what: &str) -> Parsed<()> {
        if self.done() || self.peek() == Some(')') {
            let word = self.text.get(after.clone()).unwrap_or(what);
            return Err(ParseError::new(after.clone(), format!("{word} needs something after it"))
                .hint(format!("to search for the word, write \"{word}\"")));
        }
        self.no_leading_keyword()
    }

    /// `not a`, `-a`, `!a`
    fn negated(&mut self) -> Parsed<Expr> {
        let at = self.at;
        let sign = if self.keyword() == Some(Keyword::Not) {
            self.word_len()
        } else {
            let mut chars = self.rest().chars();
            let (first, second) = (chars.next(), chars.next());
            let opens = |c: char| c.is_alphabetic() || matches!(c, '"' | '“' | '(' | '~');
            usize::from(match (first, second) {
                // A number with its sign is text; so is a dash alone.
                (Some('-'), Some(c)) => opens(c),
                (Some('!'), Some(c)) => c != '=' && !c.is_whitespace() && c != ')',
                _ => false,
            })
        };
        if sign == 0 {
            return self.term();
        }
        self.bump(sign);
        self.space();
        self.expect_term(&(at..at + sign), "not")?;
        self.deeper(at..at + sign)?;
        let inner = self.negated()?;
        self.depth -= 1;
        Ok(Expr::Not(Box::new(inner)))
    }

    fn deeper(&mut self, at: std::ops::Range<usize>) -> Parsed<()> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(ParseError::new(at, format!("this is nested more than {DEPTH} deep")));
        }
        Ok(())
    }

    fn term(&mut self) -> Parsed<Expr> {
        match self.peek() {
            Some('(') => return self.group(),
            Some('"' | '“') => return Ok(Expr::Word(self.quoted()?)),
            Some('~') if self.rest().starts_with("~/") => {
                self.bump(1);
                return Ok(Expr::Pattern(self.pattern("~")?));
            }
            _ => {}
        }
        if let Some(test) = self.test()? {
            return Ok(Expr::Test(test));
        }
        let word = self.word();
        if let Some((_, len)) = operator(word) {
            let at = self.at..self.at + len;
            let sign = word.get(..len).unwrap_or_default();
            return Err(ParseError::new(at, format!("a field goes before {sign}"))
                .hint(format!("for example conf>=0.8; to search for the text, write \"{word}\"")));
        }
        self.bump(word.len());
        Ok(if word == "*" { Expr::All } else { Expr::Word(word.to_owned()) })
    }

    fn group(&mut self) -> Parsed<Expr> {
        let open = self.at..self.at + 1;
        self.bump(1);
        self.space();
        if self.peek() == Some(')') {
            return Err(ParseError::new(open.start..self.at + 1, "there is nothing in the parentheses"));
        }
        self.deeper(open.clone())?;
        if self.done() {
            return Err(ParseError::new(open, "this parenthesis is not closed").hint("add )"));
        }
        let inner = self.any()?;
        self.depth -= 1;
        if self.peek() != Some(')') {
            return Err(ParseError::new(open, "this parenthesis is not closed").hint("add )"));
        }
        self.bump(1);
        Ok(inner)
    }

    /// `field op value,value…`, when that is what comes next.
    fn test(&mut self) -> Parsed<Option<Test>> {
        let start = self.at;
        let len = name_len(self.rest());
        if len == 0 {
            return Ok(None);
        }
        let name = self.rest().get(..len).unwrap_or_default();
        if name.eq_ignore_ascii_case("meta.") && self.rest().get(len..).is_some_and(|r| r.starts_with('"')) {
            self.bump(len);
            let name = self.quoted()?;
            if name.is_empty() {
                return Err(ParseError::new(start..self.at, "the name after meta. is empty"));
            }
            let field = Field { name, ..Base::Meta.into() };
            return match operator(self.rest()) {
                Some((op, len)) => self.values_of(field, start, op, len).map(Some),
                None => Err(ParseError::new(start..self.at, "a meta field needs a value")
                    .hint("for example meta.\"a name\":value")),
            };
        }
        let after = self.rest().get(len..).unwrap_or_default();
        // A link is a text to look for, not a field called https.
        if after.starts_with("://") {
            return Ok(None);
        }
        let field = find_field(name);
        let known = field.is_some();
        // `calls >= 2`: only after a known name, and never for `:`, which would be a text of its own.
        let gap = if known { after.len() - after.trim_start().len() } else { 0 };
        let Some((op, sign)) = operator(after.get(gap..).unwrap_or_default()) else {
            if known && after.trim_start().starts_with("!~") {
                return Err(ParseError::new(start..start + len + gap + 2, "there is no operator !~")
                    .hint(format!("write not {name}~/…/")));
            }
            return Ok(None);
        };
        if gap > 0 && matches!(op, Op::Has) {
            return Ok(None);
        }
        match field {
            Some(field) => {
                self.bump(len);
                self.values_of(field, start, op, gap + sign).map(Some)
            }
            // A tilde has a meaning in no other place than before a slash.
            None if op == Op::Matches && !after.starts_with("~/") && !after.starts_with("=~") => Ok(None),
            None => Err(self.unknown_field(name)),
        }
    }

    fn values_of(&mut self, field: Field, start: usize, op: Op, sign: usize) -> Parsed<Test> {
        self.bump(sign);
        let op = if op == Op::Exact && !field.has_exact() { Op::Is } else { op };
        let values = self.values(&field, op, start)?;
        Ok(Test { field, op, values })
    }

    fn unknown_field(&self, name: &str) -> ParseError {
        let at = self.at..self.at + name.len();
        let word = self.word();
        let lower = name.to_ascii_lowercase();
        let (base, suffix) = lower.split_once('.').map_or((lower.as_str(), None), |(b, s)| (b, Some(s)));
        if base == "meta" {
            return ParseError::new(at, "meta needs the name of a field")
                .hint("for example meta.difficulty:3");
        }
        if let (Some(info), Some(suffix)) =
            (FIELDS.iter().find(|f| f.name == base || f.also.contains(&base)), suffix)
        {
            if !info.sides {
                return ParseError::new(at, format!("{base} has no sides")).hint(format!("write {base}"));
            }
            return ParseError::new(at, format!("{base} has no side \"{suffix}\""))
                .hint(format!("there are {base}.no, {base}.with and {base}.blocked"));
        }
        let names = nearest(base, FIELDS.iter().map(|f| f.name));
        let hint =
            did_you_mean(&names).unwrap_or_else(|| format!("to search for the text, write \"{word}\""));
        ParseError::new(at, format!("there is no field \"{name}\"")).hint(hint)
    }

    /// `/…/` after the sign that has been read.
    pub(super) fn pattern(&mut self, sign: &str) -> Parsed<Pattern> {
        let start = self.at;
        if self.peek() != Some('/') {
            return Err(ParseError::new(start..start, format!("{sign} needs a regular expression"))
                .hint("write it between slashes: ~/…/"));
        }
        let body = self.rest().get(1..).unwrap_or_default();
        let mut escaped = false;
        let end = body.char_indices().find_map(|(at, c)| {
            let ends = c == '/' && !escaped;
            escaped = c == '\\' && !escaped;
            ends.then_some(at)
        });
        let Some(end) = end else {
            return Err(ParseError::new(start..self.text.len(), "this regular expression is not closed")
                .hint("end it with /"));
        };
        self.bump(end + 2);
        Pattern::new(body.get(..end).unwrap_or_default())
            .map_err(|e| ParseError::new(start..self.at, format!("this regular expression is wrong: {e}")))
    }
}

/// A list of one is that one.
fn one_or(mut list: Vec<Expr>, many: fn(Vec<Expr>) -> Expr) -> Expr {
    match (list.len(), list.pop()) {
        (1, Some(one)) => one,
        (_, Some(last)) => {
            list.push(last);
            many(list)
        }
        (_, None) => Expr::All,
    }
}
