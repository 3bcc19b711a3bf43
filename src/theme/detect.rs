//! Whether the terminal is dark or light.

use std::io::IsTerminal;
use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use super::Kind;

/// What the terminal says of itself, within `timeout`; `None` when it says nothing.
///
/// Must be called before anything else reads the terminal's input: the answer comes in that way, and a reader beside it
/// would take it for keys. Asks nothing where `COLORFGBG` tells, or where nobody would answer (`TERM=dumb`, a pipe).
pub fn detect(timeout: Duration) -> Option<Kind> {
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    detect_by(&|name| std::env::var(name).ok(), terminal, || {
        let mut options = QueryOptions::default();
        options.timeout = timeout;
        theme_mode(options).ok().map(|mode| match mode {
            ThemeMode::Dark => Kind::Dark,
            ThemeMode::Light => Kind::Light,
        })
    })
}

/// The same from any environment; `ask` is only called when the environment leaves it open.
pub fn detect_by(
    env: &dyn Fn(&str) -> Option<String>,
    terminal: bool,
    ask: impl FnOnce() -> Option<Kind>,
) -> Option<Kind> {
    if !terminal || env("TERM").is_none_or(|term| term.is_empty() || term == "dumb") {
        return None;
    }
    env("COLORFGBG").and_then(|v| by_colorfgbg(&v)).or_else(ask)
}

/// `foreground;background`, or with something between: numbers of the sixteen colours. White and the bright ones but
/// bright black are light, as rxvt and vim take it.
fn by_colorfgbg(value: &str) -> Option<Kind> {
    match value.rsplit_once(';')?.1.trim().parse::<u8>().ok()? {
        0..=6 | 8 => Some(Kind::Dark),
        7 | 9..=15 => Some(Kind::Light),
        _ => None,
    }
}

#[cfg(test)]
#[path = "detect_tests.rs"]
mod tests;
