//! The filter language read off the records, without columns, folding ahead or patterns over raw lines: slow, and
//! written apart from the program, so that the two can be compared.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashMap;

use lookitup::query::{Base, Expr, Field, Kind, Op, Settings, Test, Value};
use lookitup::record::{Attempt, Condition, Scorer, SearchCall, State, Transition, Verdict};
use lookitup::score::{Refs, scored};
use lookitup::text::{folded, sanitize};
use serde_json::Value as Json;

use super::query_table::Data;

/// Whether a row fits a filter.
pub(crate) fn fits(data: &Data, e: &Expr, row: u32, settings: Settings) -> bool {
    let go = |e: &Expr| fits(data, e, row, settings);
    match e {
        Expr::All => true,
        Expr::Not(e) => !go(e),
        Expr::And(all) => all.iter().all(go),
        Expr::Or(any) => any.iter().any(go),
        Expr::Word(word) => has_word(data, row, word),
        Expr::Pattern(p) => {
            texts(data, row).iter().any(|t| !t.is_empty() && regex(p.source()).is_match(&folded(t)))
        }
        Expr::Test(test) => fits_test(data, test, row, settings),
    }
}

/// Patterns in these tests have no letter whose folding matters but é and its like.
fn regex(source: &str) -> regex::Regex {
    let plain: String = source
        .chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { regex::escape(&folded(&c.to_string())) })
        .collect();
    thread_local!(static MADE: RefCell<HashMap<String, regex::Regex>> = RefCell::default());
    let make = || regex::RegexBuilder::new(&plain).case_insensitive(true).build().unwrap();
    MADE.with_borrow_mut(|made| made.entry(source.to_owned()).or_insert_with(make).clone())
}

fn texts(data: &Data, row: u32) -> Vec<String> {
    let q = data.question_of(row);
    let mut out = vec![q.question.clone()];
    out.extend(q.references.iter().cloned());
    for a in data.sides(row) {
        out.extend(a.answer.clone());
        out.extend(queries(a));
    }
    out
}

fn queries(a: &Attempt) -> Vec<String> {
    a.search_calls.iter().flat_map(SearchCall::all_queries).map(str::to_owned).collect()
}

fn has_word(data: &Data, row: u32, word: &str) -> bool {
    let word = folded(&sanitize(word));
    word.is_empty()
        || folded(&data.question_of(row).id) == word
        || texts(data, row).iter().any(|t| folded(t).contains(&word))
}

enum Found {
    Texts(Vec<String>),
    Records(Vec<(String, Option<f64>)>),
    Numbers(Vec<f64>),
    Words(Vec<&'static str>),
}

fn fits_test(data: &Data, test: &Test, row: u32, settings: Settings) -> bool {
    let found = look_up(data, test, row, settings);
    let (any, is) = match &found {
        Found::Texts(all) => {
            let all: Vec<&String> = all.iter().filter(|t| !t.is_empty()).collect();
            let one = |v: &Value| all.iter().any(|t| text_fits(test, v, t));
            (!all.is_empty(), test.values.iter().any(one))
        }
        Found::Records(all) => {
            let all: Vec<_> = all.iter().filter(|(t, _)| !t.is_empty()).collect();
            // A kind of error is a name, so folded; and an error is there even without a word.
            let errors: Vec<_> = match test.field.base {
                Base::Error => asked(data, &test.field, row).into_iter().filter_map(|a| a.error).collect(),
                _ => Vec::new(),
            };
            let of_kind =
                |v: &Value| errors.iter().any(|e| !e.kind.is_empty() && text_fits(test, v, &e.kind));
            let mut is = test.values.iter().any(of_kind);
            is |= test.values.iter().any(|v| all.iter().any(|(t, n)| record_fits(test.op, v, t, *n)));
            if test.field.base == Base::Text {
                is |= test.values.iter().any(|v| match (test.op, v) {
                    (Op::Has, Value::Text(word)) => {
                        let pair = data.table.pairs.get(row as usize).unwrap();
                        let lines = pair.sides.iter().filter_map(|&a| data.lines.get(a as usize));
                        has_word(data, row, word) || lines.into_iter().any(|line| line_has(line, word))
                    }
                    (Op::Matches, Value::Pattern(p)) => texts(data, row)
                        .iter()
                        .any(|t| !t.is_empty() && regex(p.source()).is_match(&folded(t))),
                    _ => false,
                });
            }
            (!all.is_empty() || !errors.is_empty(), is)
        }
        Found::Numbers(all) => {
            let one = |v: &Value| all.iter().any(|&n| number_fits(test, v, n));
            (!all.is_empty(), test.values.iter().any(one))
        }
        Found::Words(all) => {
            let Kind::Choice(words) = test.field.kind() else { panic!() };
            let one = |v: &Value| matches!(v, Value::Choice(n) if all.contains(&words[usize::from(*n)]));
            (!all.is_empty(), test.values.iter().any(one))
        }
    };
    match test.op {
        Op::Differs => any && !is,
        _ => is || (!any && test.values.contains(&Value::None)),
    }
}

/// Whether a stored line has a plain word, in a text, a number or between them, beginning at a whole character.
fn line_has(line: &str, word: &str) -> bool {
    if word.contains(|c: char| !c.is_ascii() || c.is_ascii_control() || matches!(c, '"' | '\\' | '/')) {
        return false;
    }
    let (line, word) = (line.as_bytes(), word.as_bytes());
    let mut at = 0;
    while at < line.len() {
        if line.len() - at >= word.len() && line[at..at + word.len()].eq_ignore_ascii_case(word) {
            return true;
        }
        at += match (line[at], line.get(at + 1)) {
            (b'\\', Some(b'u')) => 6,
            (b'\\', _) => 2,
            _ => 1,
        };
    }
    false
}

fn asked(data: &Data, field: &Field, row: u32) -> Vec<Attempt> {
    data.sides(row).into_iter().filter(|a| field.side.is_none_or(|s| s == a.condition)).cloned().collect()
}

fn look_up(data: &Data, test: &Test, row: u32, settings: Settings) -> Found {
    let field = &test.field;
    let q = data.question_of(row);
    let sides = asked(data, field, row);
    let pair = data.table.pairs.get(row as usize).unwrap();
    let of_sides = |get: fn(&Attempt) -> Option<String>| Found::Texts(sides.iter().filter_map(get).collect());
    let number = |get: fn(&Attempt) -> Option<f64>, order: &[Condition]| {
        let side = match field.side {
            Some(s) => data.side(row, s),
            None => order.iter().find_map(|&c| data.side(row, c)),
        };
        Found::Numbers(side.and_then(get).into_iter().collect())
    };
    let main = [Condition::WithSearch, Condition::NoSearch, Condition::EvidenceBlocked];
    let refs = Refs::new(&q.references);
    let bits = |a: &Attempt| scored(a.answer.as_deref(), &refs, a.correct);
    let verdict = |a: &Attempt, scorer: Scorer| {
        match State::of_attempt(a) {
            State::Error => return Verdict::Error,
            State::Truncated => return Verdict::Truncated,
            State::Refused => return Verdict::Refused,
            State::Paused => return Verdict::Paused,
            _ => {}
        }
        let by = if bits(a) >> (4 + scorer as u8) & 1 != 0 { scorer } else { Scorer::Recorded };
        match (bits(a) >> (4 + by as u8) & 1, bits(a) >> by as u8 & 1) {
            (0, _) => Verdict::Ungraded,
            (_, 0) => Verdict::Wrong,
            _ => Verdict::Right,
        }
    };
    let ended = |a: &Attempt| matches!(State::of_attempt(a), State::Answered | State::NoAnswer);
    let transition = || {
        let side = |c| data.side(row, c);
        let with = side(Condition::WithSearch);
        Transition::of(
            side(Condition::NoSearch).map(|a| verdict(a, settings.scorer)),
            with.map(|a| verdict(a, settings.scorer)),
            with.map_or(0, Attempt::calls),
        )
    };
    match field.base {
        Base::Id => Found::Texts(vec![q.id.clone()]),
        Base::Question => Found::Texts(vec![q.question.clone()]),
        Base::Ref => Found::Texts(q.references.clone()),
        Base::Answer => of_sides(|a| a.answer.clone()),
        Base::Query => Found::Texts(sides.iter().flat_map(queries).collect()),
        Base::Split => Found::Texts(
            q.split.clone().or_else(|| sides.iter().find_map(|a| a.split.clone())).into_iter().collect(),
        ),
        Base::Topic => Found::Texts(q.topic.clone().into_iter().collect()),
        Base::KeyDate => Found::Texts(q.key_date.clone().into_iter().collect()),
        Base::Model => {
            Found::Texts(vec![data.table.names.models.word(pair.model).unwrap_or_default().to_owned()])
        }
        Base::Provider => of_sides(|a| a.provider.clone()),
        Base::Run if test.op == Op::Exact && field.side.is_none() => {
            Found::Texts(vec![data.table.names.runs.word(pair.run).unwrap_or_default().to_owned()])
        }
        Base::Run => of_sides(|a| a.run_id.clone()),
        Base::Stop => of_sides(|a| a.stop.clone()),
        Base::Source => of_sides(|a| a.source.clone()),
        Base::Attempt => Found::Numbers(vec![f64::from(pair.attempt)]),
        Base::Conf => number(|a| a.confidence, &[Condition::NoSearch]),
        Base::Calls => number(|a| Some(a.calls() as f64), &[Condition::WithSearch]),
        Base::Latency => number(|a| a.latency_ms, &main),
        Base::Cost => number(|a| a.cost_usd, &main),
        Base::Tokens => number(|a| a.usage.total().map(|n| n as f64), &main),
        Base::Dconf => {
            let conf = |c| data.side(row, c).and_then(|a| a.confidence);
            let change = conf(Condition::WithSearch).zip(conf(Condition::NoSearch)).map(|(b, a)| b - a);
            Found::Numbers(change.map(|c| (c * 1e9).round() / 1e9).into_iter().collect())
        }
        Base::Transition => Found::Words(vec![transition().name()]),
        Base::Outcome => {
            let t = transition();
            let mut out = Vec::new();
            if matches!(t, Transition::Broken | Transition::Unresolved) {
                out.push("harmful");
            }
            if matches!(t, Transition::Corrected | Transition::Preserved) {
                out.push("beneficial");
            }
            if matches!(t, Transition::Broken | Transition::Corrected) {
                out.push("flipped");
            }
            Found::Words(out)
        }
        Base::Condition => Found::Words(sides.iter().map(|a| a.condition.name()).collect()),
        Base::Verdict => Found::Words(sides.iter().map(|a| verdict(a, settings.scorer).name()).collect()),
        Base::Scorer => Found::Words(
            Scorer::ALL
                .into_iter()
                .filter(|&s| {
                    let accepts = |a: &Attempt| bits(a) >> (4 + s as u8) & bits(a) >> s as u8 & 1 != 0;
                    sides.iter().any(|a| ended(a) && accepts(a))
                })
                .map(Scorer::name)
                .collect(),
        ),
        Base::Near => {
            let verdicts: Vec<(Verdict, u8)> =
                sides.iter().map(|a| (verdict(a, settings.scorer), bits(a))).collect();
            let near = verdicts.iter().any(|&(v, b)| v == Verdict::Wrong && b >> 4 & b & 0xf != 0);
            let known = verdicts.iter().any(|(v, _)| v.correct().is_some());
            Found::Words(if near {
                vec!["yes"]
            } else if known {
                vec!["no"]
            } else {
                Vec::new()
            })
        }
        Base::Disagrees => {
            let ours = if settings.scorer == Scorer::Recorded { Scorer::Normalized } else { settings.scorer };
            let both: Vec<(bool, bool)> = sides
                .iter()
                .filter(|a| ended(a) && bits(a) >> (4 + ours as u8) & 1 != 0)
                .filter_map(|a| Some((a.correct?, bits(a) >> ours as u8 & 1 != 0)))
                .collect();
            let yes = both.iter().any(|(a, b)| a != b);
            Found::Words(if yes {
                vec!["yes"]
            } else if both.is_empty() {
                Vec::new()
            } else {
                vec!["no"]
            })
        }
        // These tables have no notes.
        Base::Code | Base::Primary | Base::Note => Found::Texts(Vec::new()),
        Base::Review => Found::Words(vec!["open"]),
        Base::Error => {
            let errors = sides.iter().filter_map(|a| a.error.as_ref());
            Found::Records(errors.flat_map(|e| [(e.kind.clone(), None), (e.message.clone(), None)]).collect())
        }
        Base::Url | Base::Domain => {
            let mut all = Vec::new();
            for a in &sides {
                for c in &a.search_calls {
                    all.extend(c.url.clone());
                    all.extend(c.results.iter().map(|r| r.url.clone()));
                }
                all.extend(a.citations.iter().map(|c| c.url.clone()));
            }
            if field.base == Base::Domain {
                // Enough for the addresses of these tests.
                let host = |u: &String| {
                    let host = u
                        .split("://")
                        .nth(1)?
                        .split('/')
                        .next()?
                        .split('@')
                        .next_back()?
                        .split(':')
                        .next()?;
                    Some(host.to_lowercase().trim_start_matches("www.").to_owned())
                };
                all = all.iter().filter_map(host).collect();
            }
            Found::Records(all.into_iter().map(|t| (t, None)).collect())
        }
        Base::Text => {
            let mut all = Vec::new();
            for v in std::iter::once(serde_json::to_value(q).unwrap())
                .chain(sides.iter().map(|a| serde_json::to_value(a).unwrap()))
            {
                strings(&v, true, &mut all);
            }
            Found::Records(all)
        }
        Base::Meta => {
            let mut all = Vec::new();
            for map in std::iter::once(&q.meta).chain(sides.iter().map(|a| &a.extra)) {
                path(&Json::Object(map.clone()), &field.name, &mut all);
            }
            Found::Records(all)
        }
    }
}

fn strings(v: &Json, names: bool, out: &mut Vec<(String, Option<f64>)>) {
    match v {
        Json::String(s) => out.push((s.clone(), None)),
        Json::Array(a) => a.iter().for_each(|v| strings(v, names, out)),
        Json::Object(m) => {
            for (k, v) in m {
                if names {
                    out.push((k.clone(), None));
                }
                strings(v, names, out);
            }
        }
        Json::Bool(b) if !names => out.push((b.to_string(), None)),
        Json::Number(n) if !names => out.push((n.to_string(), n.as_f64())),
        _ => {}
    }
}

fn path(v: &Json, name: &str, out: &mut Vec<(String, Option<f64>)>) {
    let Json::Object(map) = v else { return };
    for (k, v) in map {
        if k.eq_ignore_ascii_case(name) {
            strings(v, false, out);
        } else if let Some((head, tail)) = name.split_at_checked(k.len())
            && head.eq_ignore_ascii_case(k)
            && let Some(tail) = tail.strip_prefix('.')
            && !tail.is_empty()
        {
            path(v, tail, out);
        }
    }
}

fn text_fits(test: &Test, v: &Value, text: &str) -> bool {
    let form = folded(text);
    match (test.op, v) {
        (Op::Has, Value::Text(t)) => form.contains(&folded(&sanitize(t))),
        (Op::Is | Op::Differs, Value::Text(t)) => form == folded(&sanitize(t)),
        (Op::Exact, Value::Text(t)) => sanitize(text) == sanitize(t),
        (_, Value::Pattern(p)) => regex(p.source()).is_match(&form),
        (op, Value::Text(t)) => date_order(text, t).is_some_and(|o| ordered(op, o)),
        (_, Value::Span(a, b)) => {
            a.as_ref().is_none_or(|a| date_order(text, a).is_some_and(Ordering::is_ge))
                && b.as_ref().is_none_or(|b| date_order(text, b).is_some_and(Ordering::is_le))
        }
        _ => false,
    }
}

fn ordered(op: Op, o: Ordering) -> bool {
    match op {
        Op::Less => o.is_lt(),
        Op::AtMost => o.is_le(),
        Op::More => o.is_gt(),
        _ => o.is_ge(),
    }
}

fn date_order(text: &str, bound: &str) -> Option<Ordering> {
    let parts = |s: &str| s.split('-').map(|p| p.parse::<u32>().ok()).collect::<Option<Vec<u32>>>();
    let (mut a, b) = (parts(text)?, parts(bound)?);
    a.resize(b.len(), 0);
    Some(a.cmp(&b))
}

fn lower(s: &str) -> String {
    s.chars()
        .map(|c| {
            let l: Vec<char> = c.to_lowercase().collect();
            if l.len() == 1 { l[0] } else { c }
        })
        .collect()
}

fn record_fits(op: Op, v: &Value, text: &str, number: Option<f64>) -> bool {
    let parsed = |s: &str| s.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    let order = |bound: &str| match (number.or_else(|| parsed(text)), parsed(bound)) {
        (Some(a), Some(b)) => a.partial_cmp(&b).unwrap(),
        _ if lower(text).starts_with(&lower(bound)) => Ordering::Equal,
        _ => lower(text).cmp(&lower(bound)),
    };
    match (op, v) {
        (Op::Has, Value::Text(t)) => lower(text).contains(&lower(t)),
        (Op::Is | Op::Differs, Value::Text(t)) => match (number, parsed(t)) {
            (Some(a), Some(b)) => (a - b).abs() <= f64::EPSILON * a.abs(),
            _ => lower(text) == lower(t),
        },
        (_, Value::Pattern(p)) => regex(p.source()).is_match(&folded(text)),
        (op, Value::Text(t)) => ordered(op, order(t)),
        (_, Value::Span(a, b)) => {
            a.as_ref().is_none_or(|a| order(a).is_ge()) && b.as_ref().is_none_or(|b| order(b).is_le())
        }
        _ => false,
    }
}

fn number_fits(test: &Test, v: &Value, n: f64) -> bool {
    let same = |a: f64, b: f64| (a - b).abs() < 1e-12 * a.abs().max(1.0);
    let at_least = |a: f64, b: f64| a > b || same(a, b);
    match (test.op, v) {
        (Op::Less, Value::Number(b)) => !at_least(n, *b),
        (Op::AtMost, Value::Number(b)) => at_least(*b, n),
        (Op::More, Value::Number(b)) => !at_least(*b, n),
        (Op::AtLeast, Value::Number(b)) => at_least(n, *b),
        (_, Value::Number(b)) => same(n, *b),
        (_, Value::Range(a, b)) => a.is_none_or(|a| at_least(n, a)) && b.is_none_or(|b| at_least(b, n)),
        _ => false,
    }
}
