//! Stand-in until `score` brings these.
use serde_json::Value;

#[derive(Debug, Default)]
pub(super) struct Spoken {
    pub(super) answer: Option<String>,
    pub(super) confidence: Option<f64>,
}

pub(super) fn confidence(v: &Value) -> Option<f64> {
    let (n, percent) = match v {
        Value::Number(n) => (n.as_f64()?, false),
        Value::String(s) => {
            let s = s.trim();
            (s.trim_end_matches('%').trim().parse().ok()?, s.ends_with('%'))
        }
        _ => return None,
    };
    let n: f64 = n;
    if n.is_nan() || !(0.0..=100.0).contains(&n) {
        return None;
    }
    Some(if percent || n > 1.0 { n / 100.0 } else { n })
}

pub(super) fn parse_answer(raw: &str) -> Spoken {
    let Ok(Value::Object(o)) = serde_json::from_str::<Value>(raw.trim()) else { return Spoken::default() };
    Spoken {
        answer: o.get("answer").and_then(Value::as_str).map(str::to_owned),
        confidence: o.get("confidence").and_then(confidence),
    }
}
