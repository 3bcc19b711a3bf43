//! Figures as SVG: light and dark, or with the colours of the page that they stand in.

mod bars;
mod canvas;
mod plot;

use crate::figures::{Body, Figure, Tone};
use crate::record::Transition;

/// Which colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// Dark on white.
    Light,
    /// Light on near-black.
    Dark,
    /// CSS variables, named as [`Ink::name`] says: they follow the page.
    Page,
}

impl Colours {
    /// The name in file names.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Page => "page",
        }
    }
}

/// What a colour is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// The ground.
    Ground,
    /// Text and axes.
    Text,
    /// Text of less weight.
    Dim,
    /// Lines of a grid.
    Grid,
    /// Answers without search.
    Without,
    /// Answers with search.
    With,
    /// What stands out.
    Accent,
    /// Corrected pairs.
    Corrected,
    /// Preserved pairs.
    Preserved,
    /// Broken pairs.
    Broken,
    /// Unresolved pairs.
    Unresolved,
    /// Pairs not searched.
    Idle,
}

/// Red, green, blue.
pub(super) type Rgb = (u8, u8, u8);

impl Ink {
    /// Every one.
    pub const ALL: [Self; 12] = [
        Self::Ground,
        Self::Text,
        Self::Dim,
        Self::Grid,
        Self::Without,
        Self::With,
        Self::Accent,
        Self::Corrected,
        Self::Preserved,
        Self::Broken,
        Self::Unresolved,
        Self::Idle,
    ];

    /// The name of its CSS variable, without the dashes before it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Text => "text",
            Self::Dim => "dim",
            Self::Grid => "grid",
            Self::Without => "without",
            Self::With => "with",
            Self::Accent => "accent",
            Self::Corrected => "corrected",
            Self::Preserved => "preserved",
            Self::Broken => "broken",
            Self::Unresolved => "unresolved",
            Self::Idle => "idle",
        }
    }

    /// Its colour. Hues are those of Okabe and Ito (2008), which colour-blind readers tell apart, made lighter or darker
    /// for the ground they stand on; no two are the same.
    pub const fn rgb(self, dark: bool) -> Rgb {
        match (self, dark) {
            (Self::Ground, false) => (0xff, 0xff, 0xff),
            (Self::Ground, true) => (0x14, 0x17, 0x1c),
            (Self::Text, false) => (0x1a, 0x1d, 0x21),
            (Self::Text, true) => (0xe6, 0xe8, 0xeb),
            (Self::Dim, false) => (0x5a, 0x61, 0x6b),
            (Self::Dim, true) => (0xa3, 0xab, 0xb5),
            (Self::Grid, false) => (0xdd, 0xe1, 0xe6),
            (Self::Grid, true) => (0x33, 0x39, 0x42),
            (Self::Without, false) => (0x00, 0x72, 0xb2),
            (Self::Without, true) => (0x5a, 0xb6, 0xee),
            (Self::With, false) => (0xb8, 0x52, 0x00),
            (Self::With, true) => (0xf0, 0x9a, 0x3e),
            (Self::Accent, false) => (0x7a, 0x3e, 0x9d),
            (Self::Accent, true) => (0xd8, 0x9b, 0xf2),
            (Self::Corrected, false) => (0x00, 0x8a, 0x64),
            (Self::Corrected, true) => (0x2f, 0xc6, 0x98),
            (Self::Preserved, false) => (0x4f, 0xa3, 0xd9),
            (Self::Preserved, true) => (0x3f, 0x8f, 0xc7),
            (Self::Broken, false) => (0xc8, 0x3e, 0x00),
            (Self::Broken, true) => (0xff, 0x7a, 0x3d),
            (Self::Unresolved, false) => (0x8c, 0x8c, 0x96),
            (Self::Unresolved, true) => (0x82, 0x86, 0x90),
            (Self::Idle, false) => (0xc3, 0xc7, 0xce),
            (Self::Idle, true) => (0x55, 0x5b, 0x66),
        }
    }

    pub(super) const fn of(tone: Tone) -> Self {
        match tone {
            Tone::Without => Self::Without,
            Tone::With => Self::With,
            Tone::Reference => Self::Dim,
            Tone::Accent => Self::Accent,
            Tone::Of(t) => Self::of_transition(t),
        }
    }

    pub(super) const fn of_transition(t: Transition) -> Self {
        match t {
            Transition::Corrected => Self::Corrected,
            Transition::Preserved => Self::Preserved,
            Transition::Broken => Self::Broken,
            Transition::Unresolved => Self::Unresolved,
            _ => Self::Idle,
        }
    }
}

/// A figure as SVG, with its title, `caption` (whose figure it is) and notes; `None` for tables, which are no picture.
pub fn svg(figure: &Figure, caption: &str, colours: Colours) -> Option<String> {
    let drawn = match &figure.body {
        Body::Empty(_) | Body::Table { .. } => return None,
        Body::Matrix { rows, columns, fields } => {
            bars::matrix(figure, caption, colours, (rows, columns), fields)
        }
        Body::Bars { axis, bars } => bars::bars(figure, caption, colours, axis, bars),
        Body::Stacks { axis, stacks } => bars::stacks(figure, caption, colours, axis, stacks),
        Body::Boxes { axis, boxes } => bars::boxes(figure, caption, colours, axis, boxes),
        Body::Plot { x, y, series } => plot::plot(figure, caption, colours, (x, y), series),
    };
    Some(match colours {
        Colours::Page => variables(drawn),
        _ => drawn,
    })
}

/// Puts variables in the place of colours: one drawing for a light and a dark page.
fn variables(mut drawn: String) -> String {
    for ink in Ink::ALL {
        let (r, g, b) = ink.rgb(false);
        drawn = drawn.replace(&format!("#{r:02X}{g:02X}{b:02X}"), &format!("var(--{})", ink.name()));
    }
    drawn
}
