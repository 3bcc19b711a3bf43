//! Semantic roles and the colours they take.
//!
//! Owns the roles, the reading of theme files and of base16 schemes, contrast, the depth of colour that a terminal has
//! and whether it is dark or light. Does not know what is drawn.

mod base16;
pub mod color;
mod depth;
mod detect;
mod file;
mod library;
mod role;

pub use color::contrast;
pub use depth::Depth;
pub use detect::{detect, detect_by};
pub use library::Themes;
pub use role::{Ground, Role};

use ratatui::style::Style;

use crate::text::sanitize_line;

/// Whether a theme is meant for dark or light surroundings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
}

impl Kind {
    /// The word in theme files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dark => "dark",
            Self::Light => "light",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Dark, Self::Light].into_iter().find(|k| k.name() == word)
    }
}

/// A style for every role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Theme {
    name: String,
    about: String,
    kind: Kind,
    styles: [Style; Role::COUNT],
}

impl Theme {
    /// What it is called in the configuration.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// One line about it; may be empty.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Dark or light.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The style of a role. Roles without a background of their own are patched onto the style they stand on.
    pub fn style(&self, role: Role) -> Style {
        self.styles.get(role as usize).copied().unwrap_or_default()
    }

    /// No colour and no weight at all: what is left when even the shipped files were unreadable.
    fn bare() -> Self {
        Self::new("bare", "", Kind::Dark)
    }

    /// A theme without styles yet. What it says of itself may come from anyone's file and goes to the terminal.
    fn new(name: &str, about: &str, kind: Kind) -> Self {
        let shown = |text| sanitize_line(text).into_owned();
        Self { name: shown(name), about: shown(about), kind, styles: [Style::new(); Role::COUNT] }
    }

    fn set(&mut self, role: Role, style: Style) {
        if let Some(slot) = self.styles.get_mut(role as usize) {
            *slot = style;
        }
    }

    /// The same without the background of the screen: the terminal's own (perhaps see-through) shows.
    #[must_use]
    pub fn without_background(mut self) -> Self {
        let style = Style { bg: None, ..self.style(Role::Text) };
        self.set(Role::Text, style);
        self
    }
}

macro_rules! shipped {
    ($($name:literal,)+) => {
        /// The themes that are compiled in, as their files are written: name and text.
        pub const SHIPPED: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../../themes/", $name, ".toml"))),)+];
    };
}

shipped! {
    "dark",
    "light",
    "dusk",
    "paper",
    "high-contrast-dark",
    "high-contrast-light",
    "colour-blind-dark",
    "colour-blind-light",
    "sixteen",
    "mono",
}

/// A shipped theme; `None` for an unknown name.
pub fn shipped(name: &str) -> Option<Theme> {
    let (name, text) = SHIPPED.iter().find(|(known, _)| *known == name)?;
    file::read(name, name, text, &|_| None).0
}
