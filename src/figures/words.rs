//! Numbers as a figure shows them: the same on the screen and in every report.

/// What stands for a number that cannot be worked out.
pub const NONE: &str = "–";

/// A share with three decimals and no leading zero: `.747`, `1.000`.
pub fn three(x: f64) -> String {
    let text = format!("{:.3}", x.abs());
    let text = text.strip_prefix('0').unwrap_or(&text);
    // What rounds to nothing has no sign.
    if x < 0.0 && text != ".000" { format!("−{text}") } else { text.to_owned() }
}

/// The same with its sign: `+.123`, `−.004`.
pub fn change(x: f64) -> String {
    let text = three(x);
    if text == ".000" || x < 0.0 { text } else { format!("+{text}") }
}

/// A number, or what stands for none.
pub fn or_none(x: Option<f64>, word: impl Fn(f64) -> String) -> String {
    x.map_or_else(|| NONE.to_owned(), word)
}

/// An interval: `.716 to .776`.
pub fn interval(ends: Option<(f64, f64)>, word: impl Fn(f64) -> String) -> String {
    ends.map_or_else(|| NONE.to_owned(), |(low, high)| format!("{} to {}", word(low), word(high)))
}

/// A p value: `.012`, `8.6e−57`.
pub fn p_value(p: f64) -> String {
    if p == 0.0 {
        return "below 1e−300".to_owned();
    }
    if p < 0.001 { format!("{p:.1e}").replace('-', "−") } else { three(p) }
}

/// US dollars: `$7.38`, `$0.0159`.
pub fn dollars(usd: f64) -> String {
    if usd >= 0.995 || usd == 0.0 { format!("${usd:.2}") } else { format!("${usd:.4}") }
}
