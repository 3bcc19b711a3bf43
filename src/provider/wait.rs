//! How long a server asks to wait before the next try.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

use reqwest::header::HeaderMap;

/// The wait that the headers ask for: `retry-after-ms`, `retry-after` (seconds or a date), else the reset of a limit that
/// is used up. `None` when they ask for none.
pub(super) fn asked(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let get = |name: &str| headers.get(name).and_then(|v| v.to_str().ok()).map(str::trim);
    let ms = get("retry-after-ms").and_then(|v| v.parse::<f64>().ok()).map(|ms| ms / 1_000.0);
    let after = get("retry-after");
    let seconds = ms.or_else(|| after.and_then(|v| v.parse::<f64>().ok()));
    seconds
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .or_else(|| after.and_then(http_date).map(|then| until(then, now)))
        .or_else(|| reset(&get, now))
}

/// The longest reset among the limits that are used up.
fn reset<'a>(get: &impl Fn(&str) -> Option<&'a str>, now: SystemTime) -> Option<Duration> {
    let openai = ["requests", "tokens"].into_iter().filter_map(|what| {
        let is_out = get(&format!("x-ratelimit-remaining-{what}")) == Some("0");
        is_out.then(|| duration(get(&format!("x-ratelimit-reset-{what}"))?)).flatten()
    });
    let anthropic = ["requests", "tokens", "input-tokens", "output-tokens"].into_iter().filter_map(|what| {
        let is_out = get(&format!("anthropic-ratelimit-{what}-remaining")) == Some("0");
        let at = get(&format!("anthropic-ratelimit-{what}-reset")).filter(|_| is_out)?;
        Some(until(SystemTime::from(at.parse::<jiff::Timestamp>().ok()?), now))
    });
    openai.chain(anthropic).max()
}

fn until(then: SystemTime, now: SystemTime) -> Duration {
    then.duration_since(now).unwrap_or_default()
}

fn http_date(text: &str) -> Option<SystemTime> {
    jiff::fmt::rfc2822::parse(text).ok().map(|z| SystemTime::from(z.timestamp()))
}

/// A duration as OpenAI writes it: `1s`, `6m0s`, `120ms`, `1h2m3.5s`.
pub(super) fn duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, after) = rest.split_at(end);
        let unit_end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit_end);
        let factor = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3_600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        seconds += number.parse::<f64>().ok()? * factor;
        rest = after;
    }
    if text.is_empty() { None } else { Duration::try_from_secs_f64(seconds).ok() }
}

/// The wait before try `n` (from 1) when the server asks for none: half a second, doubled each time, 8 s at most, less
/// up to a quarter so that many clients do not come back at once.
pub(super) fn own(n: u32) -> Duration {
    let full = 0.5 * f64::from(1_u32 << n.saturating_sub(1).min(4));
    let dice = RandomState::new().build_hasher().finish() as f64 / u64::MAX as f64;
    Duration::from_secs_f64(full.min(8.0) * (1.0 - dice / 4.0))
}
