//! What a colour is for.

use std::fmt;

/// The backgrounds on which a role's text may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// It is text that may stand on the screen, a selected row, a popup: everything that gives no background itself.
    Any,
    /// It brings its own background.
    Own,
    /// It is a line or a block, not text.
    Shape,
}

macro_rules! roles {
    ($($name:ident $id:literal $ground:ident $help:literal,)+) => {
        /// The purpose of a style. Its id is the name in theme files.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Role {
            $(
                #[doc = concat!("`", $id, "`: ", $help, ".")]
                $name,
            )+
        }

        impl Role {
            /// Every role.
            pub const ALL: &[Self] = &[$(Self::$name,)+];

            /// How many there are.
            pub(super) const COUNT: usize = [$($id,)+].len();

            /// The kebab-case name.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)+
                }
            }

            /// What it is for.
            pub const fn help(self) -> &'static str {
                match self {
                    $(Self::$name => $help,)+
                }
            }

            /// Where it stands.
            pub const fn ground(self) -> Ground {
                match self {
                    $(Self::$name => Ground::$ground,)+
                }
            }
        }
    };
}

roles! {
    Text "text" Own "plain text, and the background of the screen",
    Dim "dim" Any "labels and other text of less weight",
    Heading "heading" Any "titles of panes and parts",
    Accent "accent" Any "what stands out without judging",
    Selection "selection" Own "the selected row of the focused pane",
    SelectionUnfocused "selection-unfocused" Own "the selected row of another pane",
    Border "border" Shape "lines between panes",
    BorderFocus "border-focus" Shape "lines round the focused pane",
    Header "header" Own "the strip at the top",
    Corrected "corrected" Any "wrong, then right with search",
    Preserved "preserved" Any "right both times",
    Broken "broken" Any "right, then wrong with search",
    Unresolved "unresolved" Any "wrong both times",
    NotSearched "not-searched" Any "with search allowed, none was made",
    Unpaired "unpaired" Any "one condition was never asked",
    Incomplete "incomplete" Any "a side has no verdict",
    Right "right" Any "a right answer",
    Wrong "wrong" Any "a wrong answer",
    Unknown "unknown" Any "an answer without a verdict",
    DiffAdded "diff-added" Any "words that were added",
    DiffRemoved "diff-removed" Any "words that were removed",
    Match "match" Own "text that the filter found",
    Link "link" Any "a URL or domain",
    Bar "bar" Shape "the filled part of a bar",
    BarTrack "bar-track" Shape "the empty part of a bar",
    Warning "warning" Any "something to look at",
    Error "error" Any "something that failed",
    Notice "notice" Own "SIMULATED, REPLAY and other marks that must be seen",
    Key "key" Any "the name of a key",
    Popup "popup" Own "text and background of dialogs",
    Input "input" Own "a text field",
    Placeholder "placeholder" Any "what an empty text field says",
}

impl Role {
    /// Reads an id.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|r| r.id() == id)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
