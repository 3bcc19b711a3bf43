//! The theme in use, in the colours that the terminal has.

use std::time::Duration;

use crate::config::Config;
use crate::theme::{self, Depth, Theme, Themes};

/// How long a terminal may take to tell its background.
const ANSWER: Duration = Duration::from_millis(150);

/// The theme and the ways to another.
#[derive(Debug)]
pub(super) struct Looks {
    depth: Depth,
    background: bool,
    themes: Themes,
    theme: Theme,
}

impl Looks {
    /// Finds the theme that the settings ask for. May ask the terminal, so it comes before any key is read.
    pub(super) fn new(config: &Config, themes: Themes) -> Self {
        let depth = config.colours.unwrap_or_else(Depth::detect);
        let kind = if config.theme == "auto" { theme::detect(ANSWER) } else { None };
        let theme = themes.choose(&config.theme, &config.theme_dark, &config.theme_light, kind);
        let mut looks = Self { depth, background: config.background, themes, theme: theme.clone() };
        looks.wear(&theme);
        looks
    }

    fn wear(&mut self, theme: &Theme) {
        let theme = theme.at(self.depth);
        self.theme = if self.background { theme } else { theme.without_background() };
    }

    /// The theme as it is drawn.
    pub(super) fn theme(&self) -> &Theme {
        &self.theme
    }

    /// The names to choose from.
    pub(super) fn names(&self) -> Vec<String> {
        self.themes.names().into_iter().map(str::to_owned).collect()
    }

    /// Takes another theme.
    ///
    /// # Errors
    /// When there is none of that name, in words.
    pub(super) fn change(&mut self, name: &str) -> Result<(), String> {
        let theme = self.themes.get(name).ok_or_else(|| format!("there is no theme “{name}”"))?.clone();
        self.wear(&theme);
        Ok(())
    }
}
