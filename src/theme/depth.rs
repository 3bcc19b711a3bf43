//! How many colours the terminal has, and every style brought down to that.

use std::io::IsTerminal;

use ratatui::style::{Color, Modifier, Style};
use termprofile::{DetectorSettings, TermProfile, TermVars};

use super::color::{self, Rgb};
use super::{Ground, Kind, Role, Theme};

/// The colours that a terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// None: weight, underline and reverse carry the meaning.
    None,
    /// The terminal's own sixteen.
    Sixteen,
    /// The table of 256.
    Indexed,
    /// Any.
    True,
}

impl Depth {
    /// The name in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Sixteen => "16",
            Self::Indexed => "256",
            Self::True => "true",
        }
    }

    /// Reads the name.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::None, Self::Sixteen, Self::Indexed, Self::True].into_iter().find(|d| d.name() == word)
    }

    /// What standard output shows, by the environment alone: nothing is asked of the terminal.
    pub fn detect() -> Self {
        Self::of(&|name| std::env::var(name).ok(), std::io::stdout().is_terminal())
    }

    /// The same from any environment.
    ///
    /// `NO_COLOR` counts with any value, as its convention says. tmux shows any colour as well as the terminal round it
    /// can, so that it is believed when it says that it has them all.
    pub fn of(env: &dyn Fn(&str) -> Option<String>, terminal: bool) -> Self {
        if env("NO_COLOR").is_some_and(|v| !v.is_empty()) {
            return Self::None;
        }
        let settings = DetectorSettings::new().enable_tmux_info(false);
        let vars = TermVars::from_source(&Env(env), &Tty(terminal), settings);
        let inside_tmux = env("TMUX").is_some_and(|v| !v.is_empty());
        let all = matches!(env("COLORTERM").as_deref(), Some("truecolor" | "24bit"));
        match TermProfile::detect_with_vars(vars) {
            TermProfile::NoTty | TermProfile::NoColor => Self::None,
            TermProfile::Ansi16 => Self::Sixteen,
            TermProfile::Ansi256 if inside_tmux && all => Self::True,
            TermProfile::Ansi256 => Self::Indexed,
            TermProfile::TrueColor => Self::True,
        }
    }
}

struct Env<'a>(&'a dyn Fn(&str) -> Option<String>);

impl termprofile::EnvVarSource for Env<'_> {
    fn var(&self, key: &str) -> Option<String> {
        (self.0)(key)
    }
}

struct Tty(bool);

impl termprofile::IsTerminal for Tty {
    fn is_terminal(&self) -> bool {
        self.0
    }
}

impl Theme {
    /// The theme for a terminal with so many colours.
    #[must_use]
    pub fn at(&self, depth: Depth) -> Self {
        let mut theme = self.clone();
        if depth == Depth::None {
            // The one theme that says everything by weight, underline and reverse.
            theme.styles = super::shipped("mono").map_or(theme.styles, |mono| mono.styles);
            return theme;
        }
        for &role in Role::ALL {
            let style = self.style(role);
            theme.set(
                role,
                match depth {
                    Depth::True | Depth::None => style,
                    Depth::Indexed => Style {
                        fg: style.fg.map(|c| self.indexed_text(role, c)),
                        bg: style.bg.map(indexed),
                        ..style
                    },
                    Depth::Sixteen => self.sixteen(role),
                },
            );
        }
        theme
    }

    /// The backgrounds, as far as they are known, that text of this role meets.
    fn grounds(&self, role: Role) -> Vec<Color> {
        let own = |r: Role| self.style(r).bg;
        match role.ground() {
            Ground::Shape => Vec::new(),
            Ground::Own => own(role).or_else(|| own(Role::Text)).into_iter().collect(),
            Ground::Any => match own(role) {
                Some(bg) => vec![bg],
                None => [
                    Role::Text,
                    Role::Selection,
                    Role::SelectionUnfocused,
                    Role::Header,
                    Role::Popup,
                    Role::Input,
                ]
                .into_iter()
                .filter_map(own)
                .collect(),
            },
        }
    }

    /// The lowest contrast that a role's text has on any ground it meets; `None` for shapes and where the terminal's own
    /// colours, which nobody knows, are involved.
    pub fn contrast(&self, role: Role) -> Option<f64> {
        let fg = self.style(role).fg.or(self.style(Role::Text).fg).and_then(color::rgb)?;
        self.grounds(role)
            .into_iter()
            .filter_map(color::rgb)
            .map(|bg| color::contrast(fg, bg))
            .min_by(f64::total_cmp)
    }

    /// The roles whose text has less than `ratio`, with what they have.
    pub fn weak(&self, ratio: f64) -> Vec<(Role, f64)> {
        Role::ALL
            .iter()
            .filter_map(|r| self.contrast(*r).map(|c| (*r, c)))
            .filter(|(_, c)| *c < ratio)
            .collect()
    }

    /// The nearest of the 256 that is as readable, up to 4.5 or 7, as the colour was.
    fn indexed_text(&self, role: Role, fg: Color) -> Color {
        let Color::Rgb(r, g, b) = fg else { return fg };
        let want = match self.contrast(role) {
            Some(c) if c >= 7.0 => 7.0,
            Some(c) if c >= 4.5 => 4.5,
            _ => return indexed(fg),
        };
        let grounds: Vec<Rgb> = self.grounds(role).into_iter().map(indexed).filter_map(color::rgb).collect();
        color::nearest_readable((r, g, b), &grounds, want).map_or_else(|| indexed(fg), Color::Indexed)
    }

    /// The style with the terminal's own sixteen, whatever they look like: grounds are left to the terminal, what had one
    /// to stand out is reversed, hues keep their name.
    fn sixteen(&self, role: Role) -> Style {
        let style = self.style(role);
        let custom = |c: Option<Color>| matches!(c, Some(Color::Rgb(..) | Color::Indexed(16..)));
        if !custom(style.fg) && !custom(style.bg) {
            return style;
        }
        let fg = style.fg.and_then(|c| if custom(Some(c)) { self.hue(role, c) } else { Some(c) });
        let modifiers = match role {
            Role::Selection | Role::Match | Role::Notice => Modifier::REVERSED,
            Role::SelectionUnfocused => Modifier::BOLD | Modifier::UNDERLINED,
            Role::Input => Modifier::UNDERLINED,
            _ => Modifier::empty(),
        };
        let fg = if modifiers.contains(Modifier::REVERSED) { None } else { fg };
        Style { fg, bg: None, ..style }.add_modifier(modifiers)
    }

    fn hue(&self, role: Role, fg: Color) -> Option<Color> {
        let [_, a, b] = color::oklab(color::rgb(fg)?);
        let dark = self.kind() == Kind::Dark;
        if a.hypot(b) < 0.04 {
            // The terminal's own grey is too faint for text in many palettes.
            return (role.ground() == Ground::Shape && role != Role::BorderFocus).then_some(Color::DarkGray);
        }
        let pick = |bright: Color, normal: Color| Some(if dark { bright } else { normal });
        match b.atan2(a).to_degrees().rem_euclid(360.0) {
            // Yellow can't be read on white, and it is the one hue without a dark form: the text colour instead.
            70.0..125.0 if !dark => None,
            70.0..125.0 => Some(Color::LightYellow),
            125.0..170.0 => pick(Color::LightGreen, Color::Green),
            170.0..230.0 => pick(Color::LightCyan, Color::Cyan),
            230.0..290.0 => pick(Color::LightBlue, Color::Blue),
            290.0..350.0 => pick(Color::LightMagenta, Color::Magenta),
            _ => pick(Color::LightRed, Color::Red),
        }
    }
}

fn indexed(color: Color) -> Color {
    match color {
        Color::Rgb(r, g, b) => Color::Indexed(color::nearest_indexed((r, g, b))),
        other => other,
    }
}

#[cfg(test)]
#[path = "depth_tests.rs"]
mod tests;
