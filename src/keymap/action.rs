//! What a key can ask for.

use std::fmt;

/// What an action is about: the headings of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    /// The program as a whole.
    General,
    /// Moving in a list, a text or a dialog.
    Move,
    /// Which questions are shown, and in which order.
    Select,
    /// What is shown of a question.
    Read,
    /// Figures.
    Figures,
    /// Codes and notes.
    Code,
    /// Asking models.
    Ask,
    /// The panes of the screen.
    Layout,
    /// Typing and choosing.
    Edit,
}

impl Group {
    /// Every group, in the order of the help.
    pub const ALL: [Self; 9] = [
        Self::General,
        Self::Move,
        Self::Select,
        Self::Read,
        Self::Figures,
        Self::Code,
        Self::Ask,
        Self::Layout,
        Self::Edit,
    ];

    /// The heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::General => "General",
            Self::Move => "Move",
            Self::Select => "Filter and sort",
            Self::Read => "Read",
            Self::Figures => "Figures",
            Self::Code => "Codes and notes",
            Self::Ask => "Ask again",
            Self::Layout => "Panes",
            Self::Edit => "Type and choose",
        }
    }
}

macro_rules! actions {
    ($($group:ident { $($name:ident $id:literal $help:literal,)+ })+) => {
        /// What a key, the palette or the mouse can ask for. Its id is shared by configuration, help and tests.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action {
            $($(
                #[doc = concat!("`", $id, "`: ", $help, ".")]
                $name,
            )+)+
        }

        impl Action {
            /// Every action, group by group.
            pub const ALL: &[Self] = &[$($(Self::$name,)+)+];

            /// The kebab-case name.
            pub const fn id(self) -> &'static str {
                match self {
                    $($(Self::$name => $id,)+)+
                }
            }

            /// What it does, as a phrase in lower case without a full stop.
            pub const fn help(self) -> &'static str {
                match self {
                    $($(Self::$name => $help,)+)+
                }
            }

            /// What it is about.
            pub const fn group(self) -> Group {
                match self {
                    $($(Self::$name => Group::$group,)+)+
                }
            }
        }
    };
}

actions! {
    General {
        Quit "quit" "leave the program",
        Help "help" "show the keys that work here",
        Palette "palette" "find an action by name",
        Cancel "cancel" "go back, close, or cancel what is running",
        Problems "problems" "list what is wrong with the files and the configuration",
        Theme "theme" "choose the colours",
        ToggleMouse "toggle-mouse" "mouse on or off (off: the terminal selects text)",
        CycleScorer "cycle-scorer" "compare answers by the next scorer",
        ToggleErrors "toggle-errors" "leave errors out, or count them as wrong",
        Reload "reload" "read the files again",
        Suspend "suspend" "go back to the shell until fg",
    }
    Move {
        Down "down" "one row down",
        Up "up" "one row up",
        HalfPageDown "half-page-down" "half a page down",
        HalfPageUp "half-page-up" "half a page up",
        PageDown "page-down" "a page down",
        PageUp "page-up" "a page up",
        First "first" "to the first row",
        Last "last" "to the last row",
        Left "left" "scroll the columns left",
        Right "right" "scroll the columns right",
        NextPair "next-pair" "the next question of the set",
        PreviousPair "previous-pair" "the previous question of the set",
    }
    Select {
        Filter "filter" "edit the filter",
        ClearFilter "clear-filter" "show every question again",
        Views "views" "choose a saved view",
        SaveView "save-view" "keep this filter and sort as a view",
        ToggleCorrected "toggle-corrected" "only corrected (wrong, then right), with others so chosen",
        TogglePreserved "toggle-preserved" "only preserved (right both times), with others so chosen",
        ToggleBroken "toggle-broken" "only broken (right, then wrong), with others so chosen",
        ToggleUnresolved "toggle-unresolved" "only unresolved (wrong both times), with others so chosen",
        ToggleNotSearched "toggle-not-searched" "only not searched, with others so chosen",
        Harmful "harmful" "only the harmful ones, broken first, then unresolved",
        Bins "bins" "confidence bins",
        Sort "sort" "choose the sort order",
        ReverseSort "reverse-sort" "turn the sort order round",
        Columns "columns" "choose the columns",
        WidenColumn "widen-column" "make the first column shown, or the one chosen in the dialog, wider",
        NarrowColumn "narrow-column" "make that column narrower",
        AutoColumn "auto-column" "let that column take what room there is again",
    }
    Read {
        OpenDetail "open-detail" "read the question in full",
        Copy "copy" "copy the answer, question, record or a link",
        Export "export" "write the attempts of every row shown to a file",
        OpenUrl "open-url" "open a source in the browser",
        ToggleRaw "toggle-raw" "show or hide the raw text",
        TogglePrompt "toggle-prompt" "show or hide the prompt as sent",
        ToggleExplain "toggle-explain" "show or hide why an answer counts as right or wrong",
        NextAttempt "next-attempt" "the next attempt at this question",
        PreviousAttempt "previous-attempt" "the previous attempt at this question",
    }
    Figures {
        Figures "figures" "figures and tables of the questions shown",
        NextFigure "next-figure" "the next figure",
        PreviousFigure "previous-figure" "the figure before",
        NextGroup "next-group" "the figure of the next model and split",
        PreviousGroup "previous-group" "the figure of the model and split before",
        Compare "compare" "set another group beside it, or no longer",
        OtherFigure "other-figure" "to the figure beside",
        GroupBy "group-by" "make groups by model, by run, or one of everything",
    }
    Code {
        Code "code" "code what went wrong: this question, or a sample of those shown",
        CodeCounts "code-counts" "count the codes by transition, model or split",
        AsReviewed "as-reviewed" "count verdicts as people reviewed them, or as graded",
        Blind "blind" "hide or show what other people said",
        Codebook "codebook" "change the codebook in your own editor",
        SaveNext "save-and-next" "save the codes and go to the next question to code",
        WriteNote "write-note" "write a note on the question",
        Defer "defer" "leave the question for later",
        Undo "undo" "take back the last thing you coded, noted or judged",
        Redo "redo" "do again what was undone",
        PrimaryCode "primary-code" "make the next code the primary one",
        Judge "judge" "override the verdict on an answer, with a reason",
        AcceptAnswer "accept-answer" "accept another answer to the question",
    }
    Ask {
        Reask "re-ask" "ask the question again, or replay its stored answer",
        Jobs "jobs" "look at what was asked and what still runs",
        Send "send" "send what the form says",
        EditText "edit-text" "write the text in your own editor",
    }
    Layout {
        FocusNext "focus-next" "to the next pane",
        FocusPrevious "focus-previous" "to the previous pane",
        WiderList "wider-list" "make the list wider",
        NarrowerList "narrower-list" "make the list narrower",
    }
    Edit {
        Accept "accept" "take what is typed or chosen",
        Complete "complete" "complete the word",
        HistoryPrevious "history-previous" "the entry before in the history",
        HistoryNext "history-next" "the entry after in the history",
        ToggleItem "toggle-item" "switch the item on or off",
        DeleteItem "delete-item" "remove the item",
        MoveItemUp "move-item-up" "move the item up",
        MoveItemDown "move-item-down" "move the item down",
    }
}

impl Action {
    /// Reads an id.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|a| a.id() == id)
    }

    /// Whether a key of an outer context still calls it while text is typed.
    ///
    /// Everything else would fire from keys that a text field has its own use for (`ctrl-d`, `home`).
    pub const fn works_while_typing(self) -> bool {
        matches!(
            self,
            Self::Quit
                | Self::Help
                | Self::Palette
                | Self::Cancel
                | Self::Suspend
                | Self::Accept
                | Self::Send
                | Self::EditText
                | Self::FocusNext
                | Self::FocusPrevious
        )
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// Where the keys go. An inner context is asked first, [`Context::Global`] last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Context {
    /// Everywhere.
    Global,
    /// The list of questions.
    List,
    /// The detail of a question.
    Detail,
    /// The filter bar; its keys are text.
    Filter,
    /// A dialog with things to choose from.
    Dialog,
    /// The figures.
    Figures,
    /// Coding; the codebook's keys set codes first.
    Code,
    /// A text field in a dialog; its keys are text.
    Input,
    /// The form that asks a question again; its keys are text.
    Form,
}

impl Context {
    /// Every context.
    pub const ALL: [Self; 9] = [
        Self::Global,
        Self::List,
        Self::Detail,
        Self::Filter,
        Self::Dialog,
        Self::Figures,
        Self::Code,
        Self::Input,
        Self::Form,
    ];

    /// The kebab-case name.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::List => "list",
            Self::Detail => "detail",
            Self::Filter => "filter",
            Self::Dialog => "dialog",
            Self::Figures => "figures",
            Self::Code => "code",
            Self::Input => "input",
            Self::Form => "form",
        }
    }

    /// Where it applies, for the help.
    pub const fn help(self) -> &'static str {
        match self {
            Self::Global => "everywhere",
            Self::List => "in the list",
            Self::Detail => "in the detail",
            Self::Filter => "in the filter bar",
            Self::Dialog => "in a dialog",
            Self::Figures => "in the figures",
            Self::Code => "while coding; the codebook's keys come first",
            Self::Input => "in a text field",
            Self::Form => "in the form that asks again",
        }
    }

    /// Reads an id.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.id() == id)
    }

    /// Whether letters are text here, so that outer contexts don't see them.
    pub const fn takes_text(self) -> bool {
        matches!(self, Self::Filter | Self::Input | Self::Form)
    }
}

impl fmt::Display for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
