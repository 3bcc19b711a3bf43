//! The text of one cell.

use crate::record::{Condition, Scorer, State, Verdict};
use crate::store::{AttemptRow, Brief, NO, PairRow, Table};
use crate::text;

use super::Column;

/// What stands in a cell that has no value.
pub const NONE: &str = "–";

/// One cell wide sign of a verdict: `✓ ✗ ? ! … ⊘ ‖`.
pub const fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Right => "✓",
        Verdict::Wrong => "✗",
        Verdict::Ungraded => "?",
        Verdict::Error => "!",
        Verdict::Truncated => "…",
        Verdict::Refused => "⊘",
        Verdict::Paused => "‖",
    }
}

/// The text of a pair's cell in a list, on one line and not cut to any width.
///
/// Without the record's texts they come in the search form (lower case, no marks) that the table keeps; a list that draws
/// before the record is read shows that instead of nothing.
pub fn cell(table: &Table, pair: u32, brief: Option<&Brief>, column: Column, scorer: Scorer) -> String {
    let Some(row) = table.pairs.get(pair as usize) else { return String::new() };
    let no = table.side(row, Condition::NoSearch);
    let with = table.side(row, Condition::WithSearch);
    let word = |w: Option<&str>| w.unwrap_or(NONE).to_owned();
    let question = table.questions.get(row.question as usize);
    match column {
        Column::Transition => {
            let t = row.transitions.get(scorer as usize).copied().unwrap_or_default();
            format!("{} {}", t.glyph(), t.name().replace('_', " "))
        }
        Column::Id => word(table.question_id(row.question)),
        Column::Question => match brief {
            Some(b) => text::sanitize_line(&b.question).into_owned(),
            None => word(table.question_texts.part(row.question, 1)),
        },
        Column::References => match brief {
            Some(b) => text::sanitize_line(&b.references.join(" · ")).into_owned(),
            None => word(table.question_texts.part(row.question, 2)).replace('\u{1e}', " · "),
        },
        Column::AnswerNo => answer(table, row, brief, Condition::NoSearch, scorer),
        Column::AnswerWith => answer(table, row, brief, Condition::WithSearch, scorer),
        Column::Conf => both(no, with, |a| a.confidence().map(fraction)),
        Column::Dconf => dconf(no, with).map_or_else(|| NONE.to_owned(), signed),
        Column::Calls => with.map_or_else(|| NONE.to_owned(), |a| calls(a.calls)),
        Column::Model => word(table.names.models.word(row.model)),
        Column::Run => word(table.names.runs.word(row.run)),
        Column::Split => word(table.names.splits.word(table.split(row))),
        Column::Topic => word(question.and_then(|q| table.names.topics.word(q.topic))),
        Column::KeyDate => word(question.and_then(|q| table.names.key_dates.word(q.key_date))),
        Column::Attempt => row.attempt.to_string(),
        Column::Latency => both(no, with, |a| (a.latency_ms != NO).then(|| seconds(a.latency_ms))),
        Column::Cost => both(no, with, |a| a.cost_usd().map(dollars)),
        Column::Tokens => both(no, with, |a| (a.tokens != NO).then(|| thousands(a.tokens))),
        Column::Verdict => both(no, with, |a| Some(mark(a.verdict(scorer)).to_owned())),
        Column::Error => both(no, with, |a| {
            (a.state != State::Answered)
                .then(|| table.names.errors.word(a.error).unwrap_or_else(|| a.state.name()).to_owned())
        }),
        Column::Source => word(super::row::source_word(table, row)),
        Column::Codes => codes(table, pair),
        Column::Note => {
            let note = table.marks.get(pair).map(|m| &*m.note).filter(|n| !n.is_empty());
            note.map_or_else(|| NONE.to_owned(), |n| text::sanitize_line(n).into_owned())
        }
    }
}

fn answer(
    table: &Table,
    row: &PairRow,
    brief: Option<&Brief>,
    condition: Condition,
    scorer: Scorer,
) -> String {
    let Some(side) = table.side(row, condition) else { return NONE.to_owned() };
    let said = if let Some(brief) = brief {
        let said = brief.answers.get(condition as usize).and_then(Option::as_deref);
        said.map(|s| text::sanitize_line(s.trim()).into_owned())
    } else {
        let at = row.sides.get(condition as usize).copied().unwrap_or(NO);
        table.attempt_texts.part(at, 0).map(str::to_owned)
    };
    let said = said.filter(|s| !s.is_empty()).unwrap_or_else(|| {
        let why = table.names.errors.word(side.error).filter(|_| side.state == State::Error);
        format!("({})", why.unwrap_or_else(|| side.state.name()))
    });
    format!("{} {said}", mark(side.verdict(scorer)))
}

/// `bad-query, seeded-query`; `later` where the row is left for later, `✎` where a verdict was reviewed.
fn codes(table: &Table, pair: u32) -> String {
    let Some(mark) = table.marks.get(pair) else { return NONE.to_owned() };
    let mut words: Vec<&str> = mark.codes.iter().map(|c| &**c).collect();
    if mark.deferred {
        words.push("later");
    } else if words.is_empty() && !mark.note.is_empty() {
        words.push("noted");
    }
    let pen = if mark.reviewed { "✎ " } else { "" };
    let words = words.join(", ");
    if words.is_empty() && pen.is_empty() {
        NONE.to_owned()
    } else {
        format!("{pen}{words}").trim().to_owned()
    }
}

/// `without→with`, or one dash when neither side has a value.
fn both(
    no: Option<&AttemptRow>,
    with: Option<&AttemptRow>,
    value: impl Fn(&AttemptRow) -> Option<String>,
) -> String {
    match (no.and_then(&value), with.and_then(&value)) {
        (None, None) => NONE.to_owned(),
        (a, b) => format!("{}→{}", a.as_deref().unwrap_or(NONE), b.as_deref().unwrap_or(NONE)),
    }
}

/// Confidence with minus confidence without, −1 to 1; `None` unless both sides stated one.
pub fn dconf(no: Option<&AttemptRow>, with: Option<&AttemptRow>) -> Option<f64> {
    let (a, b) = (no?.confidence, with?.confidence);
    // Whole billionths, so that .95 − .80 is .15 and not .1499999.
    (a != NO && b != NO).then(|| (i64::from(b) - i64::from(a)) as f64 / 1e9)
}

/// A share with two decimals and no leading zero: `.80`, `1.0`.
pub fn fraction(x: f64) -> String {
    let s = format!("{x:.2}");
    match s.strip_prefix('0') {
        Some(rest) => rest.to_owned(),
        None => format!("{x:.1}"),
    }
}

/// A difference of shares with its sign: `+.15`, `−.05`, `±.00`.
pub fn signed(x: f64) -> String {
    let size = fraction(x.abs());
    if size == ".00" {
        return "±.00".to_owned();
    }
    format!("{}{size}", if x < 0.0 { '−' } else { '+' })
}

/// Milliseconds as seconds: `0.4s`, `12s`, `3m05s`.
pub fn seconds(ms: u32) -> String {
    let s = f64::from(ms) / 1000.0;
    if s < 9.95 {
        format!("{s:.1}s")
    } else if s < 99.5 {
        format!("{s:.0}s")
    } else {
        let whole = s.round() as u64;
        format!("{}m{:02}s", whole / 60, whole % 60)
    }
}

/// US dollars with as many decimals as the amount needs: `$.0103`, `$1.25`.
pub fn dollars(usd: f64) -> String {
    let s = if usd >= 0.995 { format!("{usd:.2}") } else { format!("{usd:.4}") };
    format!("${}", s.strip_prefix('0').unwrap_or(&s))
}

/// A count, above 9,999 in thousands or millions: `155`, `12.4k`, `1.2M`.
pub fn thousands(n: u32) -> String {
    match n {
        0..=9_999 => n.to_string(),
        10_000..=999_949 => format!("{:.1}k", f64::from(n) / 1e3),
        _ => format!("{:.1}M", f64::from(n) / 1e6),
    }
}

/// A count of calls as the table has it, which goes no further than 255.
fn calls(n: u8) -> String {
    if n == u8::MAX { format!("{n}+") } else { n.to_string() }
}
