//! Stated confidence: numbers in every spelling that models use.

use serde_json::Value;

use super::parse::Doubt;

/// A confidence as a file gives it, as a share of 1: `0.85`, `85`, `"85%"`, `"0.85"`. Numbers above 1 up to 100 are
/// percentages. `None` for everything else: words, booleans, numbers outside 0–100.
pub fn confidence(value: &Value) -> Option<f64> {
    match value {
        Value::Number(n) => scaled(n.as_f64()?),
        Value::String(s) => {
            let s = fullwidth_to_ascii(s);
            // A number in a string is the same as without quotes.
            if let Ok(n) = s.trim().parse::<f64>() {
                return scaled(n);
            }
            read(&s, Scale::Unknown).ok().map(|r| r.value)
        }
        _ => None,
    }
}

fn scaled(n: f64) -> Option<f64> {
    match n {
        _ if (0.0..=1.0).contains(&n) => Some(n),
        _ if n > 1.0 && n <= 100.0 => Some(n / 100.0),
        _ => None,
    }
}

/// What the label says of the scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Scale {
    /// Nothing.
    Unknown,
    /// From 0 or 1 to this number.
    To(f64),
    /// A probability: only a percent sign makes a number above 1 valid.
    Probability,
}

/// A confidence found in text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reading {
    /// Share of 1.
    pub(super) value: f64,
    /// What makes it doubtful.
    pub(super) doubts: Vec<Doubt>,
    /// Bytes read, from the beginning.
    pub(super) len: usize,
}

/// Why there is no number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unread {
    /// A word, a template, nothing.
    NoNumber,
    /// A number that cannot be a confidence.
    Invalid,
}

/// Reads the number that `text` begins with.
pub(super) fn read(text: &str, scale: Scale) -> Result<Reading, Unread> {
    let mut cursor = Cursor { text, at: 0 };
    let mut doubts = Vec::new();
    cursor.blanks();
    if cursor.bound() {
        doubts.push(Doubt::Bound);
    }
    if cursor.rest().starts_with(['-', '−', '–']) {
        return Err(if cursor.rest().chars().nth(1).is_some_and(|c| c.is_ascii_digit() || c == '.') {
            Unread::Invalid
        } else {
            Unread::NoNumber
        });
    }
    let mut number = cursor.number().ok_or(Unread::NoNumber)?;
    let first_unit = cursor.unit();
    let mut unit = first_unit;
    if let Some(upper) = cursor.range_end() {
        unit = cursor.unit();
        let is_template = number.value <= 0.0 && (is_one(upper.value) || upper.value >= 10.0);
        if is_template || upper.value < number.value {
            return Err(Unread::NoNumber);
        }
        doubts.push(Doubt::Range);
        number = Number {
            value: f64::midpoint(number.value, upper.value),
            is_decimal: number.is_decimal || upper.is_decimal,
            comma: number.comma || upper.comma,
        };
    }
    if number.comma && unit != Unit::Percent {
        return Err(Unread::Invalid);
    }
    if cursor.rest().starts_with(|c: char| c.is_alphanumeric()) {
        return Err(Unread::NoNumber);
    }
    let value = number.scaled(unit, scale, &mut doubts).ok_or(Unread::Invalid)?;
    Ok(Reading { value, doubts, len: cursor.at })
}

fn is_one(n: f64) -> bool {
    (n - 1.0).abs() < f64::EPSILON
}

#[derive(Debug, Clone, Copy)]
struct Number {
    value: f64,
    is_decimal: bool,
    /// Written with a decimal comma.
    comma: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Unit {
    None,
    Percent,
    /// `/100`, `out of 10`.
    Of(f64),
}

impl Number {
    fn scaled(self, unit: Unit, scale: Scale, doubts: &mut Vec<Doubt>) -> Option<f64> {
        let n = self.value;
        let within = |share: f64| (0.0..=1.0).contains(&share).then_some(share);
        match unit {
            Unit::Percent => {
                // Nobody is 0.87 per cent sure: the scales were mixed up.
                if self.is_decimal && n > 0.0 && n < 1.0 {
                    doubts.push(Doubt::Suspicious);
                }
                return within(n / 100.0);
            }
            Unit::Of(whole) => return within(n / whole),
            Unit::None => {}
        }
        match scale {
            Scale::To(whole) if whole < 100.0 && n > whole => {
                doubts.push(Doubt::Suspicious);
                scaled(n)
            }
            Scale::To(whole) if whole >= 100.0 && self.is_decimal && n > 0.0 && n <= 1.0 => {
                doubts.push(Doubt::Suspicious);
                Some(n)
            }
            Scale::To(whole) => within(n / whole),
            Scale::Probability => within(n),
            Scale::Unknown => {
                if is_one(n) && !self.is_decimal {
                    doubts.push(Doubt::Ambiguous);
                }
                scaled(n)
            }
        }
    }
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl Cursor<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '*', '_', '`', '"', '\'']).len();
    }

    /// Skips a word or sign that only says "about"; tells whether it was a bound.
    fn bound(&mut self) -> bool {
        let mut is_bound = false;
        loop {
            let lower: String = self.rest().chars().take(16).collect::<String>().to_lowercase();
            let signs = [
                ">=",
                "<=",
                ">",
                "<",
                "≥",
                "≤",
                "at least ",
                "at most ",
                "over ",
                "under ",
                "above ",
                "below ",
            ];
            let abouts = [
                "~",
                "≈",
                "∼",
                "about ",
                "around ",
                "approximately ",
                "approx. ",
                "approx ",
                "roughly ",
                "ca. ",
            ];
            if let Some(sign) = signs.iter().find(|s| lower.starts_with(**s)) {
                is_bound = true;
                self.at += sign.len();
            } else if let Some(word) = abouts.iter().find(|s| lower.starts_with(**s)) {
                self.at += word.len();
            } else {
                return is_bound;
            }
            self.blanks();
        }
    }

    fn number(&mut self) -> Option<Number> {
        let rest = self.rest();
        let bytes = rest.as_bytes();
        let digits = |from: usize| bytes.iter().skip(from).take_while(|b| b.is_ascii_digit()).count();
        let whole = digits(0);
        let mark = bytes.get(whole).copied();
        let parts = match mark {
            Some(b'.' | b',') => digits(whole + 1),
            _ => 0,
        };
        if whole == 0 && (parts == 0 || mark == Some(b',')) {
            return None;
        }
        let len = if parts > 0 { whole + 1 + parts } else { whole };
        let text = rest.get(..len)?.replace(',', ".");
        let number = Number {
            value: text.parse().ok()?,
            is_decimal: parts > 0,
            comma: parts > 0 && mark == Some(b','),
        };
        self.at += len;
        Some(number)
    }

    fn unit(&mut self) -> Unit {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\u{a0}']);
        let skipped = rest.len() - trimmed.len();
        let lower: String = trimmed.chars().take(10).collect::<String>().to_ascii_lowercase();
        for percent in ["%", "percentage", "percent", "per cent"] {
            if lower.starts_with(percent) {
                self.at += skipped + percent.len();
                return Unit::Percent;
            }
        }
        for of in ["/", "out of "] {
            if !lower.starts_with(of) {
                continue;
            }
            let mut after = Cursor { text: self.text, at: self.at + skipped + of.len() };
            after.blanks();
            if let Some(whole) = after.number().filter(|n| n.value >= 1.0 && !n.comma) {
                self.at = after.at;
                return Unit::Of(whole.value);
            }
        }
        Unit::None
    }

    /// The upper end of a range, where one follows.
    fn range_end(&mut self) -> Option<Number> {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches(' ');
        let dash = ["-", "–", "—", "−", "to "].into_iter().find(|d| trimmed.starts_with(d))?;
        let mut after = Cursor { text: self.text, at: self.at + rest.len() - trimmed.len() + dash.len() };
        after.blanks();
        let number = after.number()?;
        self.at = after.at;
        Some(number)
    }
}

/// Full-width signs and digits, and no-break spaces, as ASCII.
pub(super) fn fullwidth_to_ascii(text: &str) -> std::borrow::Cow<'_, str> {
    let needs =
        |c: char| matches!(c, '\u{a0}' | '\u{202f}' | '\u{2007}' | '：' | '％' | '＝' | '．' | '０'..='９');
    if !text.contains(needs) {
        return text.into();
    }
    text.chars()
        .map(|c| match c {
            '\u{a0}' | '\u{202f}' | '\u{2007}' => ' ',
            _ if needs(c) => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
            _ => c,
        })
        .collect::<String>()
        .into()
}
