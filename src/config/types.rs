//! What can be set, and what holds when nothing is.

use std::path::PathBuf;

use crate::keymap::Keymap;
use crate::record::{Errors, Scorer};
use crate::theme::Depth;
use crate::view::Column;

/// Every setting, with the defaults, the file, the environment and the flags put together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The theme's name; `auto` takes [`Config::theme_dark`] or [`Config::theme_light`] after the terminal's ground.
    pub theme: String,
    /// The theme for a dark terminal.
    pub theme_dark: String,
    /// The theme for a light terminal.
    pub theme_light: String,
    /// Paint the theme's own background; else the terminal's shows.
    pub background: bool,
    /// How many colours the terminal has; `None`: find out.
    pub colours: Option<Depth>,
    /// Let the mouse select, scroll and press.
    pub mouse: bool,
    /// How answers are compared when the program starts.
    pub scorer: Scorer,
    /// What becomes of errors, refusals and cut outputs in the figures.
    pub errors: Errors,
    /// The columns of the list, from the left; never empty.
    pub columns: Vec<Column>,
    /// The widths that columns were given; the others take what there is room for.
    pub widths: Vec<(Column, u16)>,
    /// The sort keys, such as `conf,-dconf`; empty: the order of the files.
    pub sort: String,
    /// The share of the width that the list has beside the detail, in percent, 20 to 80.
    pub list_width: u8,
    /// Wrap long lines of the detail; else they are scrolled sideways.
    pub wrap: bool,
    /// Named filters.
    pub views: Vec<View>,
    /// How text is copied.
    pub clipboard: Clipboard,
    /// The editor for long texts; `None`: `$VISUAL`, then `$EDITOR`.
    pub editor: Option<String>,
    /// The name that notes are written under; `None`: the user's name on this machine.
    pub name: Option<String>,
    /// Keep selection, filter, sort and columns of each set of files.
    pub state: bool,
    /// The keys.
    pub keymap: Keymap,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            theme: "auto".to_owned(),
            theme_dark: "dark".to_owned(),
            theme_light: "light".to_owned(),
            background: true,
            colours: None,
            mouse: true,
            scorer: Scorer::default(),
            errors: Errors::default(),
            columns: Column::DEFAULT.to_vec(),
            widths: Vec::new(),
            sort: String::new(),
            list_width: 55,
            wrap: true,
            views: Vec::new(),
            clipboard: Clipboard::default(),
            editor: None,
            name: None,
            state: true,
            keymap: Keymap::default(),
        }
    }
}

/// A filter with a name, and perhaps an order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct View {
    /// What it is called.
    pub name: String,
    /// The filter, as typed in the bar.
    pub filter: String,
    /// The sort keys that go with it.
    pub sort: Option<String>,
}

/// How text is copied.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Clipboard {
    /// The desktop's clipboard; over SSH, or when that fails, through the terminal; a file as last resort.
    #[default]
    Auto,
    /// Only the desktop's clipboard.
    Native,
    /// Only through the terminal, by OSC 52.
    Osc52,
    /// Only into a file.
    File,
}

impl Clipboard {
    /// Every way.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Native, Self::Osc52, Self::File];

    /// The word in the configuration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Native => "native",
            Self::Osc52 => "osc52",
            Self::File => "file",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == word)
    }
}

/// What the command line sets; `None` leaves the rest to decide.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides {
    /// `--config`: the file of settings.
    pub config: Option<PathBuf>,
    /// `--theme`.
    pub theme: Option<String>,
    /// `--scorer`.
    pub scorer: Option<Scorer>,
    /// `--errors`.
    pub errors: Option<Errors>,
    /// `--columns`.
    pub columns: Option<Vec<Column>>,
    /// `--sort`.
    pub sort: Option<String>,
    /// `--no-mouse` and `--mouse`.
    pub mouse: Option<bool>,
    /// `--no-state`.
    pub state: Option<bool>,
}
