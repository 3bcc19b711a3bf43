//! What holds for any filter and any table.

use std::cmp::Ordering;
use std::sync::atomic::AtomicBool;

use lookitup::query::{
    self, Base, Expr, FIELDS, Field, Kind, Op, Pattern, SIDES, SORT_FIELDS, Settings, SortField, SortKey,
    Test, Unit, Value, complete, parse, parse_sort, sort, sort_text,
};
use lookitup::record::{
    Attempt, CallKind, Citation, Condition, ErrorInfo, Question, Scorer, SearchCall, SearchResult, Usage,
};
use proptest::prelude::*;

use super::query_naive::fits;
use super::query_table::{Data, escaped, plain};

// ---- filters

const WORDS: &[&str] = &[
    "alpha",
    "Béta",
    "gamma",
    "1981",
    "alpha beta",
    "prime minister",
    "東京",
    "ſtraße",
    "Kelvin",
    "\"q\"",
    "a\\b",
    "x/y",
    "a,b",
    "(p)",
    "none",
    "and",
    "not",
    "or",
    "-x",
    "!y",
    "",
    " ",
    "conf",
    "answer",
    "2024-09",
    "1988..",
    "3",
    "true",
    "example.org",
    "www.example.org",
    "haiku",
    "line\nbreak",
    "tab\there",
    "u00e9",
    "n",
    "é",
    "*",
    "a:b",
    "http://x",
];

fn word() -> impl Strategy<Value = String> {
    prop_oneof![6 => prop::sample::select(WORDS).prop_map(str::to_owned), 1 => any::<String>()]
}

fn pattern() -> impl Strategy<Value = Pattern> {
    prop_oneof![
        prop::sample::select(
            &[
                "^a",
                "a$",
                "[0-9]{2}",
                "alpha|béta",
                "x/y",
                "\\bm",
                "",
                ".",
                "(?:a|é)+",
                "\\\\",
                "[à-é]",
                "\\s",
                "東.",
            ][..]
        )
        .prop_map(|s| Pattern::new(s).unwrap()),
        any::<String>().prop_filter_map("not a regular expression", |s| Pattern::new(&s).ok()),
    ]
}

fn number(unit: Unit) -> BoxedStrategy<f64> {
    match unit {
        Unit::Share => prop_oneof![(0..=20_u32).prop_map(|n| f64::from(n) / 20.0), 0.0..=1.0].boxed(),
        Unit::Change => prop_oneof![(-20..=20_i32).prop_map(|n| f64::from(n) / 20.0), -1.0..=1.0].boxed(),
        Unit::Count => prop_oneof![(0..4_u32).prop_map(f64::from), 0.0..3e4].boxed(),
        Unit::Millis => prop_oneof![(0..4_u32).prop_map(|n| f64::from(n) * 500.0), 0.0..3e3].boxed(),
        Unit::Dollars => {
            prop_oneof![(0..4_u32).prop_map(|n| f64::from(n) / 100.0), 0.0..0.05, Just(1e-9), Just(1e30)]
                .boxed()
        }
    }
}

fn date() -> impl Strategy<Value = String> {
    prop::sample::select(&["1988", "2024", "2024-09", "2024-09-30", "2025", "900"][..])
        .prop_map(str::to_owned)
}

fn value(base: Base, op: Op) -> BoxedStrategy<Value> {
    let kind = base.info().kind;
    if op == Op::Matches {
        return pattern().prop_map(Value::Pattern).boxed();
    }
    let plain: BoxedStrategy<Value> = match kind {
        Kind::Text | Kind::Name => word().prop_map(Value::Text).boxed(),
        Kind::Date if op.is_order() => date().prop_map(Value::Text).boxed(),
        Kind::Date => prop_oneof![
            date().prop_map(Value::Text),
            word().prop_map(Value::Text),
            (prop::option::of(date()), prop::option::of(date())).prop_map(|(a, b)| Value::Span(a, b)),
        ]
        .boxed(),
        Kind::Meta if op.is_order() => word().prop_map(Value::Text).boxed(),
        Kind::Meta => prop_oneof![
            3 => word().prop_map(Value::Text),
            1 => (prop::option::of(word()), prop::option::of(word()))
                .prop_map(|(a, b)| Value::Span(a, b.filter(|b| !b.is_empty()))),
        ]
        .boxed(),
        Kind::Number(unit) if op.is_order() => number(unit).prop_map(Value::Number).boxed(),
        Kind::Number(unit) => prop_oneof![
            number(unit).prop_map(Value::Number),
            (prop::option::of(number(unit)), prop::option::of(number(unit)))
                .prop_map(|(a, b)| Value::Range(a, b)),
        ]
        .boxed(),
        Kind::Choice(words) => (0..words.len() as u8).prop_map(Value::Choice).boxed(),
    };
    if op.is_order() || base == Base::Text {
        plain
    } else {
        prop_oneof![5 => plain, 1 => Just(Value::None)].boxed()
    }
}

fn test() -> impl Strategy<Value = Expr> {
    let bases: Vec<Base> = FIELDS.iter().map(|f| f.base).collect();
    let names = prop_oneof![
        5 => prop::sample::select(&["level", "nested.inner", "a.b", "flag", "Größe", "odd \"name\"", "x"][..])
            .prop_map(str::to_owned),
        1 => any::<String>().prop_filter("a name", |s| !s.is_empty()),
    ];
    let op = prop::sample::select(&Op::ALL[..]);
    (prop::sample::select(bases), prop::option::of(0..3_usize), names, op)
        .prop_flat_map(|(base, side, name, op)| {
            let info = base.info();
            let op = match info.kind {
                _ if op == Op::Exact && !Field::from(base).has_exact() => Op::Is,
                Kind::Text | Kind::Name if op.is_order() => Op::Has,
                Kind::Number(_) if op == Op::Matches => Op::Is,
                Kind::Choice(_) if op == Op::Matches || op.is_order() => Op::Differs,
                _ => op,
            };
            let field = Field {
                base,
                side: side.filter(|_| info.sides).map(|n| SIDES[n].1),
                name: if base == Base::Meta { name } else { String::new() },
            };
            let most = if op.is_order() { 2 } else { 7 };
            (Just(field), Just(op), prop::collection::vec(value(base, op), 1..most))
        })
        .prop_map(|(field, op, values)| Expr::Test(Test { field, op, values }))
}

fn filter() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        1 => Just(Expr::All),
        4 => word().prop_map(Expr::Word),
        1 => pattern().prop_map(Expr::Pattern),
        12 => test(),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|e| Expr::Not(Box::new(e))),
            prop::collection::vec(inner.clone(), 2..4).prop_map(Expr::And),
            prop::collection::vec(inner, 2..4).prop_map(Expr::Or),
        ]
    })
}

/// Texts made of what the grammar is made of, in any order.
fn shaped() -> impl Strategy<Value = String> {
    const BITS: &[&str] = &[
        "transition",
        "conf",
        "model",
        "meta.",
        "answer.with",
        "key_date",
        "latency",
        "zzz",
        ":",
        "=",
        "!=",
        "<=",
        ">",
        "~",
        "/",
        "~/a/",
        "..",
        ",",
        "(",
        ")",
        "\"",
        "“",
        "”",
        "\\",
        "-",
        "!",
        " ",
        " ",
        " and ",
        " or ",
        " not ",
        "not",
        "broken",
        "0.8",
        "80%",
        ".8",
        "2s",
        "$1",
        "1e99",
        "none",
        "*",
        "é",
        "東",
        "\u{301}",
        "|",
        "||",
        "&&",
        "\n",
        "2024",
    ];
    prop::collection::vec(prop::sample::select(BITS), 0..14).prop_map(|bits| bits.concat())
}

// ---- tables

/// A small table in which much is missing, the same one for the same seed.
fn make(seed: u64) -> Data {
    let write = if seed & 2 == 0 { plain } else { escaped };
    let mut state = seed | 1;
    let mut next = move |below: usize| {
        // xorshift: the tests need no better.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % below
    };
    let mut text = {
        let mut next = next;
        move || {
            let n = 1 + next(3);
            (0..n).map(|_| WORDS[next(WORDS.len())]).collect::<Vec<_>>().join(" ")
        }
    };
    let mut questions = Vec::new();
    for i in 0..9 {
        let mut q = Question { id: format!("Q{i}"), question: text(), ..Question::default() };
        q.references = (0..next(3)).map(|_| text()).collect();
        q.split = [None, Some("static"), Some("dynamic")][next(3)].map(Into::into);
        q.topic = [None, Some("sport"), Some("Élan vital")][next(3)].map(Into::into);
        q.key_date =
            [None, Some("1988"), Some("2024-09"), Some("2024-10-02"), Some("soon")][next(5)].map(Into::into);
        match next(6) {
            0 => q.meta.insert("level".into(), (next(5) as u32).into()),
            1 => q.meta.insert("level".into(), text().into()),
            2 => q.meta.insert("nested".into(), serde_json::json!({"inner": [text(), 3, null], "x": true})),
            3 => q.meta.insert("Größe".into(), 1.5.into()),
            4 => q.meta.insert("a.b".into(), serde_json::json!({"c": "d"})),
            _ => None,
        };
        questions.push(q);
    }
    let mut attempts = Vec::new();
    for q in &questions {
        for (model, number) in [("claude-haiku", 1), ("gpt", 1), ("gpt", 2), ("", 1)] {
            for condition in Condition::ALL {
                if next(3) == 0 {
                    continue;
                }
                let mut a = Attempt {
                    question_id: q.id.clone(),
                    model: model.into(),
                    condition,
                    attempt: number,
                    ..Attempt::default()
                };
                a.run_id = [None, Some("run-1"), Some("run 2")][next(3)].map(Into::into);
                a.split = [None, Some("static")][next(2)].map(Into::into);
                a.provider = [None, Some("openai")][next(2)].map(Into::into);
                a.source = [None, Some("live"), Some("simulated")][next(3)].map(Into::into);
                a.stop =
                    [None, Some("end_turn"), Some("max_tokens"), Some("refusal")][next(4)].map(Into::into);
                a.answer = match next(4) {
                    0 => None,
                    1 => q.references.first().cloned(),
                    _ => Some(text()),
                };
                a.correct = [None, Some(true), Some(false)][next(3)];
                a.confidence = [None, Some(0.0), Some(0.3), Some(0.95), Some(1.0)][next(5)];
                a.latency_ms = [None, Some(500.0), Some(1234.0)][next(3)];
                a.cost_usd = [None, Some(0.01), Some(0.0123)][next(3)];
                a.usage = Usage { input_tokens: [None, Some(20_000)][next(2)], ..Usage::default() };
                if next(6) == 0 {
                    a.error = Some(ErrorInfo { kind: ["", "overloaded"][next(2)].into(), message: text() });
                }
                for n in 0..next(4) {
                    a.search_calls.push(SearchCall {
                        n: n as u32 + 1,
                        kind: [CallKind::Search, CallKind::OpenPage][next(2)],
                        query: [None, Some(text())][next(2)].clone(),
                        url: [None, Some("https://a.example.org/x/y".to_owned())][next(2)].clone(),
                        results: (0..next(2))
                            .map(|_| SearchResult {
                                url: ["http://www.Example.org/é", "ftp://u@h:1/", ""][next(3)].into(),
                                // The store keeps titles on one line, so what is read would not be what is stored.
                                title: Some(text().replace(['\n', '\t'], " ")),
                                ..SearchResult::default()
                            })
                            .collect(),
                        ..SearchCall::default()
                    });
                }
                if next(4) == 0 {
                    a.citations.push(Citation {
                        url: "https://x.org".into(),
                        quote: Some(text()),
                        ..Citation::default()
                    });
                }
                match next(5) {
                    0 => a.extra.insert("level".into(), 3.into()),
                    1 => a.extra.insert("flag".into(), true.into()),
                    2 => a.extra.insert("odd \"name\"".into(), text().into()),
                    _ => None,
                };
                attempts.push(a);
            }
        }
    }
    Data::new(&questions, &attempts, write)
}

fn minus(a: &[u32], b: &[u32]) -> Vec<u32> {
    a.iter().copied().filter(|x| !b.contains(x)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nothing_panics(text in prop_oneof![any::<String>(), shaped()], cursor in any::<prop::sample::Index>()) {
        match parse(&text) {
            Ok(e) => {
                let printed = e.to_string();
                prop_assert_eq!(parse(&printed), Ok(e), "{}", printed);
            }
            Err(e) => {
                prop_assert!(text.get(e.at.clone()).is_some(), "{:?}", e);
                prop_assert!(!e.message.is_empty());
            }
        }
        let data = Data::new(&[], &[], plain);
        let found = complete(&data.table, &text, cursor.index(text.len() + 1), Scorer::default());
        prop_assert!(text.get(found.replace.clone()).is_some());
        if let Err(e) = parse_sort(&text) {
            prop_assert!(text.get(e.at.clone()).is_some(), "{:?}", e);
        }
    }

    #[test]
    fn what_is_printed_reads_back(e in filter()) {
        let text = e.to_string();
        prop_assert_eq!(parse(&text), Ok(e), "{}", text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, max_shrink_iters: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_are_those_that_fit(seed in any::<u64>(), all in prop::collection::vec(filter(), 12), scorer in 0..4_usize) {
        let data = make(seed);
        let settings = Settings { scorer: Scorer::ALL[scorer] };
        for e in all {
            let rows = data.run_with(&e, settings);
            let slow: Vec<u32> = (0..data.table.pairs.len() as u32).filter(|&r| fits(&data, &e, r, settings)).collect();
            prop_assert_eq!(rows, slow, "{}", e);
        }
    }

    #[test]
    fn filters_obey_logic(seed in any::<u64>(), a in filter(), b in filter()) {
        let data = make(seed);
        let everything = data.run(&Expr::All);
        let of_a = data.run(&a);
        let not_a = data.run(&Expr::Not(Box::new(a.clone())));
        prop_assert_eq!(&not_a, &minus(&everything, &of_a), "{}", a);
        let of_b = data.run(&b);
        let both = data.run(&Expr::And(vec![a.clone(), b.clone()]));
        prop_assert!(minus(&both, &of_a).is_empty());
        prop_assert_eq!(minus(&of_a, &minus(&of_a, &of_b)), both.clone());
        prop_assert_eq!(&data.run(&Expr::And(vec![b.clone(), a.clone()])), &both);
        prop_assert_eq!(&data.run(&a.clone().and(b.clone())), &both);
        let any = data.run(&Expr::Or(vec![a.clone(), b.clone()]));
        let neither = data.run(&Expr::Not(Box::new(Expr::Or(vec![a, b]))));
        prop_assert_eq!(neither, minus(&everything, &any));
        // Few rows are looked at one by one, many by going through the texts: the same comes out.
        let one = parse("id=Q4").unwrap();
        let narrowed = data.run(&Expr::And(vec![one.clone(), Expr::Test(Test {
            field: Base::Text.into(), op: Op::Has, values: vec![Value::Text("alpha".into())],
        })]));
        let wide = data.rows("text:alpha");
        let of_one = data.run(&one);
        prop_assert_eq!(narrowed, minus(&of_one, &minus(&of_one, &wide)));
    }

    #[test]
    fn sorting_is_by_the_keys_then_by_file_order(
        seed in any::<u64>(),
        keys in prop::collection::vec((0..SORT_FIELDS.len(), any::<bool>()), 0..4),
        shuffle in any::<u64>(),
    ) {
        let data = make(seed);
        let keys: Vec<SortKey> =
            keys.into_iter().map(|(n, descending)| SortKey { field: SORT_FIELDS[n].0, descending }).collect();
        prop_assert_eq!(parse_sort(&sort_text(&keys)), Ok(keys.clone()));
        let mut rows: Vec<u32> = (0..data.table.pairs.len() as u32).collect();
        let mut slow = rows.clone();
        rows.sort_by_key(|r| (u64::from(*r) + 1).wrapping_mul(shuffle | 1));
        prop_assert!(sort(&data.table, &mut rows, &keys, Scorer::default(), &AtomicBool::new(false)));
        slow.sort_by(|&a, &b| by_keys(&data, &keys, a, b));
        prop_assert_eq!(rows, slow, "{}", sort_text(&keys));
    }
}

// ---- sorting, slowly

#[derive(PartialEq, PartialOrd)]
enum Sorted {
    Number(f64),
    Text(String),
}

fn sort_value(data: &Data, field: SortField, row: u32) -> Option<Sorted> {
    let (no, with) = (data.side(row, Condition::NoSearch), data.side(row, Condition::WithSearch));
    let main = with.or(no).or(data.side(row, Condition::EvidenceBlocked));
    let q = data.question_of(row);
    let pair = data.table.pairs.get(row as usize).unwrap();
    let text = |s: Option<&str>| s.map(lookitup::text::folded).filter(|s| !s.is_empty()).map(Sorted::Text);
    match field {
        SortField::Order => Some(Sorted::Number(f64::from(row))),
        SortField::Id => text(Some(&q.id)),
        SortField::Question => text(Some(&q.question)),
        SortField::Split => {
            text(q.split.as_deref().or_else(|| data.sides(row).iter().find_map(|a| a.split.as_deref())))
        }
        SortField::Topic => text(q.topic.as_deref()),
        SortField::KeyDate => text(q.key_date.as_deref()),
        SortField::Model => text(data.table.names.models.word(pair.model)),
        SortField::Run => {
            let first = data.table.names.runs.word(pair.run);
            text(first.or_else(|| data.sides(row).iter().find_map(|a| a.run_id.as_deref())))
        }
        SortField::Attempt => Some(Sorted::Number(f64::from(pair.attempt))),
        SortField::Transition => {
            let t = pair.transitions[Scorer::default() as usize] as u8;
            (t < 5).then(|| Sorted::Number(f64::from(t)))
        }
        SortField::Conf => no?.confidence.map(Sorted::Number),
        SortField::ConfWith => with?.confidence.map(Sorted::Number),
        SortField::Dconf => {
            let change = (with?.confidence? - no?.confidence?) * 1e9;
            Some(Sorted::Number(change.round()))
        }
        SortField::Calls => with.map(|a| Sorted::Number(a.calls() as f64)),
        SortField::Latency => main?.latency_ms.map(Sorted::Number),
        SortField::Cost => main?.cost_usd.map(Sorted::Number),
        SortField::Tokens => main?.usage.total().map(|n| Sorted::Number(n as f64)),
        SortField::Answer => text(no?.answer.as_deref()),
        SortField::AnswerWith => text(with?.answer.as_deref()),
    }
}

fn by_keys(data: &Data, keys: &[SortKey], a: u32, b: u32) -> Ordering {
    for key in keys {
        let order = match (sort_value(data, key.field, a), sort_value(data, key.field, b)) {
            (Some(x), Some(y)) if key.descending => y.partial_cmp(&x).unwrap(),
            (Some(x), Some(y)) => x.partial_cmp(&y).unwrap(),
            (x, y) => y.is_some().cmp(&x.is_some()),
        };
        if order.is_ne() {
            return order;
        }
    }
    a.cmp(&b)
}

#[test]
fn a_cancelled_run_gives_nothing() {
    let data = make(7);
    let stop = AtomicBool::new(true);
    for text in ["alpha", "conf>0.5", "text:alpha", "not (domain:x or alpha)", "*"] {
        let e = parse(text).unwrap();
        assert_eq!(query::run(&data.table, &data, &e, &Settings::default(), &stop, &mut |_| {}), None);
    }
    let mut rows = vec![2, 1, 0];
    let keys = parse_sort("conf").unwrap();
    assert!(!sort(&data.table, &mut rows, &keys, Scorer::default(), &stop));
}
