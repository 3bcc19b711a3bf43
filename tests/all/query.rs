//! The filter language: what it reads, what it means, what it says when it is wrong.

use std::sync::atomic::AtomicBool;

use lookitup::query::{self, Expr, FIELDS, Settings, parse};
use lookitup::record::{Attempt, Condition, Question, SearchCall, SearchResult};
use lookitup::store::{Input, OpenOptions, Reader, Store, Table, sample};

use super::common::beside;
use super::query_table::{Data, escaped, plain};

fn printed(text: &str) -> String {
    parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).to_string()
}

#[test]
fn the_example_of_the_manual() {
    let text = "transition:broken conf:0.8..1 calls>=2 model:haiku \"prime minister\"";
    assert_eq!(printed(text), text);
    let Ok(Expr::And(parts)) = parse(text) else { panic!() };
    assert_eq!(parts.len(), 5);
}

#[test]
fn many_spellings_mean_one_thing() {
    for (written, canonical) in [
        ("", ""),
        ("   ", ""),
        ("*", ""),
        ("a  AND b", "a b"),
        ("a && b || c", "a b or c"),
        ("a b | c", "a b or c"),
        ("-a !b not c", "not a not b not c"),
        ("-(a or b)", "not (a or b)"),
        ("!\"x y\"", "not \"x y\""),
        ("-5 - a", "\"-5\" \"-\" a"),
        ("calls >= 2", "calls>=2"),
        ("calls>= 2", "calls>=2"),
        ("calls:>=2", "calls>=2"),
        ("calls≥2", "calls>=2"),
        ("conf == 80%", "conf=0.8"),
        ("conf:.8..", "conf:0.8.."),
        ("conf:..30%", "conf:..0.3"),
        ("Confidence:0.5", "conf:0.5"),
        ("dconf<-5%", "dconf<-0.05"),
        ("latency:2s..1.5min", "latency:2000..90000"),
        ("latency>500ms", "latency>500"),
        ("cost<$0.01", "cost<0.01"),
        ("tokens>10k", "tokens>10000"),
        ("model:haiku, gpt ,\"x,y\"", "model:haiku,gpt,\"x,y\""),
        ("model: haiku", "model:haiku"),
        ("t:broken", "transition:broken"),
        ("transition:Not-Searched", "transition:not_searched"),
        ("transition:\"not searched\"", "transition:not_searched"),
        ("condition:blocked,without", "condition:evidence_blocked,no_search"),
        ("verdict.with:incorrect", "verdict.with:wrong"),
        ("question:x", "q:x"),
        ("answer.WITH:x", "answer.with:x"),
        ("answer:None", "answer:none"),
        ("answer:\"none\"", "answer:\"none\""),
        ("key_date:2020..", "key_date:2020.."),
        ("key_date<=2024-09", "key_date<=2024-09"),
        ("meta.level>3", "meta.level>3"),
        ("meta.\"odd name\":x", "meta.\"odd name\":x"),
        ("“prime minister”", "\"prime minister\""),
        ("https://example.org", "\"https://example.org\""),
        ("12:30", "\"12:30\""),
        ("answer~/^19\\d\\d$/", "answer~/^19\\d\\d$/"),
        ("url~/a\\/b/", "url~/a\\/b/"),
        ("~/x|y/", "~/x|y/"),
        ("url =~ /x/", "url~/x/"),
        (r#""say \"hi\" \\ \n""#, r#""say \"hi\" \\ \n""#),
        ("(a (b c))", "a (b c)"),
        ("a or (b or c)", "a or (b or c)"),
        ("not not a", "not not a"),
        ("well-known don't", "well-known don't"),
    ] {
        assert_eq!(printed(written), canonical, "{written}");
        assert_eq!(parse(written), parse(canonical), "{written}");
    }
}

#[test]
fn errors_name_the_place_and_what_was_meant() {
    for (text, at, message, hint) in [
        ("transition:brokn", "brokn", "transition has no value \"brokn\"", "did you mean broken?"),
        (
            "a transition:harmful",
            "harmful",
            "transition has no value \"harmful\"",
            "did you mean outcome:harmful?",
        ),
        ("conf>1.5", "1.5", "conf has no value \"1.5\"", "conf takes numbers, 0 to 1 or percent"),
        ("conf:high", "high", "conf has no value \"high\"", "conf takes numbers"),
        ("conf:0.3-0.5", "0.3-0.5", "conf has no value", "a range is written 0.3..0.5"),
        ("conf>0.3..0.5", "0.3..0.5", "conf has no value", "a range goes with : or ="),
        ("modl:x", "modl", "there is no field \"modl\"", "did you mean model or code?"),
        ("topic.with:x", "topic.with", "topic has no sides", "write topic"),
        ("answer.wth:x", "answer.wth", "answer has no side \"wth\"", "answer.with"),
        ("meta:x", "meta", "meta needs the name of a field", "meta.difficulty:3"),
        ("model>x", "", "model has no order", "> is for numbers and dates"),
        ("transition~/x/", "/x/", "transition takes no regular expression", "corrected"),
        ("answer~x", "", "~ needs a regular expression", "between slashes"),
        ("answer~/(/", "/(/", "this regular expression is wrong: unclosed group", ""),
        ("answer~/x", "/x", "this regular expression is not closed", "end it with /"),
        ("answer!~/x/", "answer!~", "there is no operator !~", "write not answer~/…/"),
        ("key_date>soon", "soon", "\"soon\" is no date", "2024-09"),
        ("(a", "(", "this parenthesis is not closed", "add )"),
        ("a)", ")", "no parenthesis is open here", "in quotes"),
        ("()", "()", "there is nothing in the parentheses", ""),
        ("a or", "or", "or needs something after it", "\"or\""),
        ("and b", "and", "there is nothing before and", "\"and\""),
        ("a and or b", "or", "there is nothing before or", "\"or\""),
        ("not", "not", "not needs something after it", "\"not\""),
        ("\"abc", "\"abc", "this quote is not closed", "add \""),
        ("conf>=", "conf>=", "conf>= needs a value", "0 to 1"),
        ("model:a,", "", "a value of model is missing after the comma", ""),
        (">= 3", ">=", "a field goes before >=", "conf>=0.8"),
        ("re:zero", "re", "there is no field \"re\"", ""),
        ("Ünïcode conf:é", "é", "conf has no value \"é\"", ""),
    ] {
        let e = parse(text).expect_err(text);
        assert_eq!(text.get(e.at.clone()), Some(at), "{text}: {e:?}");
        assert!(e.message.contains(message), "{text}: {e:?}");
        assert!(e.hint.as_deref().unwrap_or_default().contains(hint), "{text}: {e:?}");
    }
    let deep = "(".repeat(5000);
    assert!(parse(&deep).unwrap_err().message.contains("deep"));
    assert!(parse(&"not ".repeat(5000)).unwrap_err().message.contains("deep"));
}

#[test]
fn every_field_is_described_and_its_example_is_read() {
    for f in FIELDS {
        assert_eq!(f.base.info().name, f.name);
        assert!(!f.help.is_empty() && f.help.len() <= 110, "{}", f.name);
        let e = parse(f.example).unwrap_or_else(|e| panic!("{}: {e}", f.example));
        assert!(e.to_string().contains(f.name), "{}", f.example);
    }
    let page = query::describe();
    assert!(page.contains("| `conf` `.no` `.with` `.blocked` |"));
    assert!(page.contains("evidence_blocked"));
}

fn rows(table: &Table, reader: &Reader, filter: &str) -> Vec<u32> {
    let filter = parse(filter).unwrap();
    let never = AtomicBool::new(false);
    query::run(table, reader, &filter, &Settings::default(), &never, &mut |_| {}).unwrap()
}

#[test]
fn golden_transitions() {
    let Some(path) = beside("golden/haiku.results.jsonl") else { return };
    let store = Store::open(vec![Input::Path(path)], OpenOptions::default(), || {});
    let (table, reader) = (store.wait(), store.reader());
    for (filter, n) in [
        ("transition:broken", 26),
        ("transition:corrected", 246),
        ("transition:preserved", 218),
        ("transition:unresolved", 117),
        ("transition:not_searched", 176),
        ("outcome:harmful", 143),
        ("outcome:flipped", 272),
        ("split:static", 783),
        ("split:dynamic transition:unpaired", 288),
        ("split:static verdict.no:right", 324),
        ("split:static verdict.with:right", 585),
        ("split:dynamic verdict.with:right", 175),
        ("split:dynamic calls>=1", 262),
        ("split:dynamic calls:1", 254),
        ("split:dynamic calls:2..", 8),
    ] {
        assert_eq!(rows(&table, &reader, filter).len(), n, "{filter}");
    }
}

/// Two questions, three attempts: every text in one place only.
fn small(write: fn(&Attempt) -> String) -> Data {
    let question = |id: &str, text: &str, refs: &[&str]| Question {
        id: id.into(),
        question: text.into(),
        references: refs.iter().map(|r| (*r).into()).collect(),
        ..Question::default()
    };
    let mut first =
        question("E3L4", "Who held the men's high jump record?", &["Patrik Sjöberg", "P. Sjöberg"]);
    first.key_date = Some("1988".into());
    first.topic = Some("sport".into());
    first.meta.insert("difficulty".into(), 3.into());
    first.meta.insert("nested".into(), serde_json::json!({"inner.name": ["Alpha", "Beta/Gamma"]}));
    let mut second = question("q2", "Prime\nminister of São Tomé?", &["Ann \"Q\" Lee"]);
    second.key_date = Some("2024-09".into());
    let call = SearchCall {
        n: 1,
        query: Some("high jump world record".into()),
        results: vec![SearchResult {
            url: "https://user@WWW.Example.org:8080/a/b?x=1".into(),
            title: Some("Café 東京 <Tower> 😀 \\new".into()),
            ..SearchResult::default()
        }],
        ..SearchCall::default()
    };
    let attempt = |id: &str, condition, answer: Option<&str>| Attempt {
        question_id: id.into(),
        model: "claude-haiku".into(),
        condition,
        attempt: 1,
        answer: answer.map(Into::into),
        ..Attempt::default()
    };
    let mut a = attempt("E3L4", Condition::NoSearch, Some("Javier Sotomayor"));
    a.confidence = Some(0.8);
    a.latency_ms = Some(1500.0);
    let mut b = attempt("E3L4", Condition::WithSearch, Some("Patrik Sjoberg"));
    b.confidence = Some(0.95);
    b.search_calls = vec![call];
    b.cost_usd = Some(0.01);
    b.extra.insert("grade".into(), "B+".into());
    let mut c = attempt("q2", Condition::WithSearch, None);
    c.error = Some(lookitup::record::ErrorInfo {
        kind: "rate_limited".into(),
        message: "Too many\nrequests".into(),
    });
    Data::new(&[first, second], &[a, b, c], write)
}

#[test]
fn each_field_finds_its_own() {
    for write in [plain as fn(&Attempt) -> String, escaped] {
        let data = small(write);
        for (filter, rows) in [
            ("*", vec![0, 1]),
            ("sjoberg", vec![0]),
            ("SJÖBERG", vec![0]),
            ("\"prime minister\"", vec![1]),
            ("\"sao tome\"", vec![1]),
            ("e3l4", vec![0]),
            // An id counts as a word only when it is whole, and texts do not run into each other.
            ("e3l", vec![]),
            ("\"record patrik\"", vec![]),
            ("id:e3l", vec![0]),
            ("id=E3L4", vec![0]),
            ("id=E3L", vec![]),
            ("id=a,b,c,e3l4,d", vec![0]),
            ("id!=a,b,c,e3l4,d", vec![1]),
            ("id:a,b,c,q2,d.", vec![1]),
            ("ref:x,y,z,\"(\",sjöberg,none", vec![0]),
            ("q:jump", vec![0]),
            ("q:sjoberg", vec![]),
            ("ref:sjoberg", vec![0]),
            ("ref=\"p. sjöberg\"", vec![0]),
            ("ref=sjoberg", vec![]),
            ("ref=\"ann \\\"q\\\" lee\"", vec![1]),
            ("ref~/^p\\. sj.berg$/", vec![0]),
            ("answer:sotomayor", vec![0]),
            ("answer.with:sotomayor", vec![]),
            ("answer.no:sotomayor", vec![0]),
            ("answer:none", vec![1]),
            ("answer!=x", vec![0]),
            ("answer.no!=\"javier sotomayor\"", vec![]),
            ("query:\"world record\"", vec![0]),
            ("query=\"world record\"", vec![]),
            ("query:none", vec![1]),
            ("~/^javier/", vec![0]),
            ("conf:0.8", vec![0]),
            ("conf=80%", vec![0]),
            ("conf>0.8", vec![]),
            ("conf>=0.8", vec![0]),
            ("conf!=0.8", vec![]),
            ("not conf:0.8", vec![1]),
            ("conf:none", vec![1]),
            ("conf.with:0.9..", vec![0]),
            ("dconf:0.15", vec![0]),
            ("dconf>15%", vec![]),
            ("calls:1", vec![0]),
            ("calls:0", vec![1]),
            ("latency:none", vec![0, 1]),
            ("latency.no:1s..2s", vec![0]),
            ("cost:$0.01", vec![0]),
            ("model:haiku", vec![0, 1]),
            ("model=haiku", vec![]),
            ("topic:none", vec![1]),
            ("key_date:1988..2023", vec![0]),
            ("key_date:2024", vec![1]),
            ("key_date>2023", vec![1]),
            ("key_date>2024", vec![]),
            ("key_date<=2024", vec![0, 1]),
            ("condition:no_search", vec![0]),
            ("transition:corrected", vec![0]),
            ("transition:unpaired", vec![1]),
            ("outcome:none", vec![1]),
            ("outcome:beneficial,harmful", vec![0]),
            ("verdict:error", vec![1]),
            ("verdict.no:wrong", vec![0]),
            ("error:limited", vec![1]),
            ("error:\"too many requests\"", vec![]),
            ("error~/too many requests/", vec![1]),
            ("error:\"Too many\\nREQ\"", vec![1]),
            ("error:none", vec![0]),
            ("error!=rate_limited", vec![]),
            ("url:example.org", vec![0]),
            ("url:/A/b", vec![0]),
            ("url:none", vec![1]),
            ("url~/x=\\d$/", vec![0]),
            ("domain=example.org", vec![0]),
            ("domain:www", vec![]),
            ("domain!=x.org", vec![0]),
            ("meta.difficulty:3", vec![0]),
            ("meta.difficulty>=2.5", vec![0]),
            ("meta.difficulty:2..3", vec![0]),
            ("meta.difficulty:..2", vec![]),
            ("meta.nested.inner.name=beta/gamma", vec![0]),
            ("meta.grade=b+", vec![0]),
            ("meta.grade:none", vec![1]),
            ("meta.grade!=b+", vec![]),
            ("text:café", vec![0]),
            ("text:CAFÉ", vec![0]),
            ("text:東京", vec![0]),
            ("text:😀", vec![0]),
            ("text:\"<tower>\"", vec![0]),
            ("text:\"\\\\new\"", vec![0]),
            ("text:sotomayor", vec![0]),
            ("text:rate_limited", vec![1]),
            ("text:nrequests", vec![]),
            ("text:\"many\\nrequests\"", vec![1]),
            ("text:u00e9", vec![]),
            ("text=\"too many\\nrequests\"", vec![1]),
            ("text~/caf. .. <tow/", vec![0]),
            ("text:grade", vec![0]),
            ("near:yes", vec![]),
            ("scorer:normalized", vec![0]),
            ("disagrees:none", vec![0, 1]),
            ("sjoberg or error:rate", vec![0, 1]),
            ("-sjoberg", vec![1]),
        ] {
            assert_eq!(data.rows(filter), rows, "{filter}");
        }
    }
}

#[test]
fn the_sample_is_what_the_manual_shows() {
    let store = Store::open(sample(), OpenOptions::default(), || {});
    let (table, reader) = (store.wait(), store.reader());
    let count = |filter: &str| rows(&table, &reader, filter).len();
    let all = table.pairs.len();
    assert_eq!(count(""), all);
    let parts = ["corrected", "preserved", "broken", "unresolved", "not_searched", "unpaired", "incomplete"];
    assert_eq!(parts.iter().map(|t| count(&format!("transition:{t}"))).sum::<usize>(), all);
    assert_eq!(count("source:simulated"), all);
    assert!(count("transition:broken conf>=0.5") > 0);
    assert!(count("domain:wikipedia.org") > 0);
    assert_eq!(count("domain:wikipedia.org") + count("not domain:wikipedia.org"), all);
}
