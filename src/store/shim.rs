//! Stand-ins until the rooms below are there.
#![allow(missing_docs, clippy::all, clippy::pedantic)]
use std::borrow::Cow;

pub(super) fn sanitize(s: &str) -> Cow<'_, str> {
    Cow::Borrowed(s)
}
pub(super) fn sanitize_line(s: &str) -> Cow<'_, str> {
    if s.bytes().any(|b| b < 32) {
        Cow::Owned(s.replace(|c: char| (c as u32) < 32, " "))
    } else {
        Cow::Borrowed(s)
    }
}
pub(super) fn fold(s: &str, out: &mut Vec<u8>) {
    out.extend(s.bytes().map(|b| if b < 32 { b' ' } else { b.to_ascii_lowercase() }));
}
#[derive(Debug, Clone, Default)]
pub(super) struct Refs(Vec<String>);
impl Refs {
    pub(super) fn new<I: IntoIterator<Item = S>, S: AsRef<str>>(refs: I) -> Self {
        Self(refs.into_iter().map(|s| s.as_ref().to_lowercase()).collect())
    }
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
pub(super) fn scored(answer: Option<&str>, refs: &Refs, recorded: Option<bool>) -> u8 {
    let r = match recorded {
        None => 0,
        Some(false) => 0x10,
        Some(true) => 0x11,
    };
    if refs.is_empty() {
        return r;
    }
    let hit = answer.is_some_and(|a| {
        let a = a.trim().to_lowercase();
        refs.0.iter().any(|r| *r == a)
    });
    r | 0xe0 | if hit { 0x0e } else { 0 }
}
pub(super) fn confidence(v: &serde_json::Value) -> Option<f64> {
    let scale = |n: f64| {
        if (0.0..=1.0).contains(&n) {
            Some(n)
        } else if n > 1.0 && n <= 100.0 {
            Some(n / 100.0)
        } else {
            None
        }
    };
    match v {
        serde_json::Value::Number(n) => scale(n.as_f64()?),
        serde_json::Value::String(s) => {
            let t = s.trim();
            if let Some(p) = t.strip_suffix('%') {
                return p.trim().parse::<f64>().ok().map(|n| n / 100.0);
            }
            scale(t.parse().ok()?)
        }
        _ => None,
    }
}
pub(super) struct Spoken {
    pub(super) answer: Option<String>,
    pub(super) confidence: Option<f64>,
}
pub(super) fn parse_answer(raw: &str) -> Spoken {
    Spoken {
        answer: raw.lines().find_map(|l| l.strip_prefix("Answer:")).map(|s| s.trim().to_owned()),
        confidence: None,
    }
}
