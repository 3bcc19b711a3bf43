//! Reads base16 and base24 schemes, in their older flat form and the one with a `palette`, and makes a theme of them.
//!
//! A scheme is flat enough that a YAML parser would be more than it needs: `name: value` a line, quoted or not.

use ratatui::style::{Color, Modifier, Style};

use super::color::{self, Rgb, contrast, mix, readable};
use super::{Kind, Role, Theme};
use crate::config::source::Problem;

/// Text of a scheme is made at least this readable.
const RATIO: f64 = 4.5;
/// Grounds are pulled towards the scheme's first one until black or white text would have this much on them, so that
/// hues keep some room.
const ROOM: f64 = 9.0;

const BLACK: Rgb = (0, 0, 0);
const WHITE: Rgb = (255, 255, 255);

#[derive(Debug, Default)]
struct Scheme {
    name: Option<String>,
    author: Option<String>,
    light: Option<bool>,
    /// `base00` to `base17`, as far as given.
    base: [Option<Rgb>; 24],
}

/// Reads a scheme; `name` is what the theme is called in the configuration.
pub(super) fn read(file: &str, name: &str, text: &str) -> (Option<Theme>, Vec<Problem>) {
    let mut problems = Vec::new();
    let scheme = scheme(file, text, &mut problems);
    let missing: Vec<String> =
        (0..16).filter(|n| scheme.base.get(*n).is_none_or(Option::is_none)).map(base_name).collect();
    if missing.is_empty() {
        return (theme(&scheme, name), problems);
    }
    problems.push(Problem::new(
        file,
        format!("no colour for {}", missing.join(", ")),
        "a base16 scheme has base00 to base0F",
    ));
    (None, problems)
}

fn base_name(n: usize) -> String {
    format!("base{n:02X}")
}

fn scheme(file: &str, text: &str, problems: &mut Vec<Problem>) -> Scheme {
    let mut scheme = Scheme::default();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        let Some((key, value)) = line.split_once(':') else { continue };
        let key = key.trim().trim_matches(['"', '\'']);
        let value = unquote(value.trim());
        match key {
            "scheme" => scheme.name = Some(value.to_owned()),
            "name" if !value.is_empty() => scheme.name = Some(value.to_owned()),
            "author" => scheme.author = Some(value.to_owned()),
            "variant" => scheme.light = Some(value == "light"),
            _ => {
                let slot = key
                    .strip_prefix("base")
                    .filter(|n| n.len() == 2)
                    .and_then(|n| usize::from_str_radix(n, 16).ok())
                    .and_then(|n| scheme.base.get_mut(n));
                let Some(slot) = slot else { continue };
                *slot = color::hex_rgb(value.trim_start_matches('#'));
                if slot.is_none() {
                    problems.push(Problem {
                        file: file.to_owned(),
                        line: number + 1,
                        message: format!("{key}: \"{value}\" is no colour"),
                        hint: "write six hexadecimal digits".to_owned(),
                    });
                }
            }
        }
    }
    scheme
}

/// The value without quotes and without a comment behind it.
fn unquote(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote) {
            return rest.split(quote).next().unwrap_or_default();
        }
    }
    value.split(" #").next().unwrap_or_default().trim()
}

fn theme(scheme: &Scheme, name: &str) -> Option<Theme> {
    let base = |n: usize| scheme.base.get(n).copied().flatten();
    let ground = base(0)?;
    let kind = if scheme.light.unwrap_or_else(|| color::luminance(ground) > 0.18) {
        Kind::Light
    } else {
        Kind::Dark
    };
    let pole = if contrast(WHITE, ground) >= contrast(BLACK, ground) { WHITE } else { BLACK };
    let roomy = |c: Rgb| {
        let room = ROOM.min(contrast(pole, ground));
        (0..=20)
            .map(|s| mix(c, ground, f64::from(s) / 20.0))
            .find(|c| contrast(pole, *c) >= room)
            .unwrap_or(ground)
    };
    let raised = roomy(base(1)?);
    let chosen = roomy(base(2)?);
    let resting = mix(raised, chosen, 0.4);
    let grounds = [ground, raised, chosen, resting];
    let text = |n: usize| base(n).map(|c| readable(c, &grounds, RATIO));
    let bright = |n: usize, plain: usize| text(n).or_else(|| text(plain));

    let ink = text(5)?;
    let about = match (&scheme.name, &scheme.author) {
        (Some(title), Some(author)) => format!("{title} by {author}"),
        (Some(title), None) => title.clone(),
        _ => String::new(),
    };
    let mut theme = Theme::new(name, &about, kind);
    let rgb = |(r, g, b): Rgb| Color::Rgb(r, g, b);
    let on = |bg: Rgb| Style::new().fg(rgb(ink)).bg(rgb(bg));
    let sign = |bg: Rgb| {
        let fg = if contrast(WHITE, bg) >= contrast(BLACK, bg) { WHITE } else { BLACK };
        Style::new().fg(rgb(fg)).bg(rgb(bg))
    };
    let fg = |c: Rgb| Style::new().fg(rgb(c));
    let line = readable(base(2)?, &[ground], 1.7);
    let track = readable(base(1)?, &[ground], 1.3);
    let (bold, italic, underline) = (Modifier::BOLD, Modifier::ITALIC, Modifier::UNDERLINED);
    for &role in Role::ALL {
        let style = match role {
            Role::Text => on(ground),
            Role::Heading => fg(ink).add_modifier(bold),
            Role::Selection => on(chosen).add_modifier(bold),
            Role::SelectionUnfocused => on(resting),
            Role::Header | Role::Popup | Role::Input => on(raised),
            Role::Dim | Role::NotSearched | Role::Unknown => fg(text(4)?),
            Role::Unpaired | Role::Placeholder => fg(text(4)?).add_modifier(italic),
            Role::Border => fg(line),
            Role::BarTrack => fg(track),
            Role::BorderFocus | Role::Accent => fg(text(13)?),
            Role::Bar => fg(readable(base(13)?, &[ground, track], 3.0)),
            Role::Link => fg(text(13)?).add_modifier(underline),
            Role::Corrected | Role::Right => fg(text(11)?),
            Role::DiffAdded => fg(text(11)?).add_modifier(underline),
            Role::Preserved => fg(text(12)?),
            Role::Wrong => fg(text(8)?),
            Role::DiffRemoved => fg(text(8)?).add_modifier(Modifier::CROSSED_OUT),
            Role::Broken | Role::Error => fg(bright(18, 8)?).add_modifier(bold),
            Role::Unresolved => fg(text(9)?),
            Role::Warning => fg(bright(19, 10)?),
            Role::Incomplete => fg(text(14)?),
            Role::Key => fg(bright(23, 14)?).add_modifier(bold),
            Role::Match => sign(base(10)?),
            Role::Notice => sign(base(9)?).add_modifier(bold),
        };
        theme.set(role, style);
    }
    Some(theme)
}

#[cfg(test)]
#[path = "base16_tests.rs"]
mod tests;
