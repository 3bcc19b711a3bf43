//! The one table of settings: their names, kinds, defaults and meanings.
//!
//! The file, the environment, the example and the JSON Schema are all read or made from it.

use super::types::{Clipboard, Config};
use crate::query;
use crate::record::Errors;
use crate::record::Scorer;
use crate::theme::Depth;
use crate::view::Column;

/// What a setting takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number, both ends included.
    Int(i64, i64),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A list of columns.
    Columns,
    /// Sort keys, as `--sort` takes them.
    Sort,
}

/// A value, as far as its kind goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Value {
    Text(String),
    Bool(bool),
    Int(i64),
    Columns(Vec<(Column, Option<u16>)>),
}

/// A setting that is one value.
#[derive(Debug)]
pub struct Setting {
    /// The name in the file; the environment's is `LOOKITUP_` and this in capitals, `-` written `_`.
    pub name: &'static str,
    /// What it takes.
    pub kind: Kind,
    /// The default as written in the file.
    pub default: &'static str,
    /// What it does, as a sentence without a full stop.
    pub help: &'static str,
    pub(super) set: fn(&mut Config, Value),
}

impl Setting {
    /// The environment variable that sets it.
    pub fn variable(&self) -> String {
        format!("LOOKITUP_{}", self.name.to_uppercase().replace('-', "_"))
    }

    /// The value in the text of a variable or a flag; else what would have been one.
    pub(super) fn parse(&self, text: &str) -> Result<Value, String> {
        match self.kind {
            Kind::Text => Ok(Value::Text(text.to_owned())),
            Kind::Bool => match text.to_ascii_lowercase().as_str() {
                "1" | "true" | "yes" | "on" => Ok(Value::Bool(true)),
                "0" | "false" | "no" | "off" => Ok(Value::Bool(false)),
                _ => Err("write true or false".to_owned()),
            },
            Kind::Int(low, high) => match text.trim().parse::<i64>() {
                Ok(n) if (low..=high).contains(&n) => Ok(Value::Int(n)),
                _ => Err(format!("write a whole number from {low} to {high}")),
            },
            Kind::Word(words) if words.contains(&text) => Ok(Value::Text(text.to_owned())),
            Kind::Word(words) => Err(one_of(text, words)),
            Kind::Sort => match sort_fault(text) {
                None => Ok(Value::Text(text.to_owned())),
                Some((message, hint)) => Err(format!("{message}, {hint}")),
            },
            Kind::Columns => {
                let words = text.split(',').map(str::trim).filter(|w| !w.is_empty());
                words
                    .map(|w| Column::parse_sized(w).ok_or_else(|| no_column(w)))
                    .collect::<Result<_, _>>()
                    .map(Value::Columns)
            }
        }
    }
}

/// What to write in place of a word that is none of these.
pub(super) fn one_of(word: &str, words: &[&str]) -> String {
    match super::source::nearest(word, words) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("write one of: {}", words.join(", ")),
    }
}

/// What is wrong with sort keys, and what to do.
pub(super) fn sort_fault(text: &str) -> Option<(String, String)> {
    if text.trim().is_empty() {
        return None;
    }
    query::parse_sort(text).err().map(fault)
}

/// What is wrong with a filter, and what to do.
pub(super) fn filter_fault(text: &str) -> Option<(String, String)> {
    query::parse(text).err().map(fault)
}

fn fault(e: query::ParseError) -> (String, String) {
    let hint = e.hint.unwrap_or_else(|| "correct it, or try it in the filter bar".to_owned());
    (e.message, hint)
}

/// What to write in place of a word that is no column.
pub(super) fn no_column(word: &str) -> String {
    if word.rsplit_once(':').is_some_and(|(name, _)| Column::parse(name.trim()).is_some()) {
        let (low, high) = (Column::WIDTHS.start(), Column::WIDTHS.end());
        return format!("write a width from {low} to {high} after the colon");
    }
    let ids: Vec<&str> = Column::ALL.iter().map(|c| c.id()).collect();
    one_of(word, &ids)
}

macro_rules! text {
    ($field:ident) => {
        |c, v| {
            if let Value::Text(text) = v {
                c.$field = text;
            }
        }
    };
}

macro_rules! boolean {
    ($field:ident) => {
        |c, v| {
            if let Value::Bool(b) = v {
                c.$field = b;
            }
        }
    };
}

macro_rules! word {
    ($field:ident, $kind:ident) => {
        |c, v| {
            if let Value::Text(text) = v
                && let Some(value) = $kind::parse(&text)
            {
                c.$field = value;
            }
        }
    };
}

/// Every setting that is one value, in the order of the example.
pub const SETTINGS: &[Setting] = &[
    Setting {
        name: "theme",
        kind: Kind::Text,
        default: "\"auto\"",
        help: "The colours: a name that `lookitup themes` lists, or \"auto\" to follow the terminal's ground",
        set: text!(theme),
    },
    Setting {
        name: "theme-dark",
        kind: Kind::Text,
        default: "\"dark\"",
        help: "The theme that \"auto\" takes on a dark ground",
        set: text!(theme_dark),
    },
    Setting {
        name: "theme-light",
        kind: Kind::Text,
        default: "\"light\"",
        help: "The theme that \"auto\" takes on a light ground",
        set: text!(theme_light),
    },
    Setting {
        name: "background",
        kind: Kind::Bool,
        default: "true",
        help: "Paint the theme's background; false lets the terminal's show",
        set: boolean!(background),
    },
    Setting {
        name: "colours",
        kind: Kind::Word(&["auto", "true", "256", "16", "none"]),
        default: "\"auto\"",
        help: "How many colours the terminal has",
        set: |c, v| {
            if let Value::Text(text) = v {
                c.colours = Depth::parse(&text);
            }
        },
    },
    Setting {
        name: "mouse",
        kind: Kind::Bool,
        default: "true",
        help: "Use the mouse; false leaves selecting text to the terminal",
        set: boolean!(mouse),
    },
    Setting {
        name: "scorer",
        kind: Kind::Word(&["recorded", "strict", "normalized", "contains"]),
        default: "\"normalized\"",
        help: "How answers are compared with references",
        set: word!(scorer, Scorer),
    },
    Setting {
        name: "errors",
        kind: Kind::Word(&["drop", "wrong"]),
        default: "\"drop\"",
        help: "Leave errors out of the figures, or count them as wrong",
        set: word!(errors, Errors),
    },
    Setting {
        name: "columns",
        kind: Kind::Columns,
        default: "[\"transition\", \"id\", \"question\", \"answer.no\", \"answer.with\", \"conf\", \"calls\", \"model\"]",
        help: "The columns of the list, from the left; \"question:40\" is one of 40 cells, the others share what room there is",
        set: |c, v| {
            if let Value::Columns(columns) = v
                && !columns.is_empty()
            {
                c.widths = columns.iter().filter_map(|&(c, w)| Some((c, w?))).collect();
                c.columns = columns.into_iter().map(|(c, _)| c).collect();
            }
        },
    },
    Setting {
        name: "sort",
        kind: Kind::Sort,
        default: "\"\"",
        help: "The order of the list, such as \"transition,-conf\"; empty is the order of the files",
        set: text!(sort),
    },
    Setting {
        name: "list-width",
        kind: Kind::Int(20, 80),
        default: "55",
        help: "The share of the width that the list has beside the detail, in percent",
        set: |c, v| {
            if let Value::Int(n) = v {
                c.list_width = u8::try_from(n).unwrap_or(c.list_width);
            }
        },
    },
    Setting {
        name: "wrap",
        kind: Kind::Bool,
        default: "true",
        help: "Wrap long lines of the detail; false scrolls them sideways",
        set: boolean!(wrap),
    },
    Setting {
        name: "clipboard",
        kind: Kind::Word(&["auto", "native", "osc52", "file"]),
        default: "\"auto\"",
        help: "How text is copied: by the desktop, through the terminal (OSC 52), or into a file",
        set: word!(clipboard, Clipboard),
    },
    Setting {
        name: "editor",
        kind: Kind::Text,
        default: "\"\"",
        help: "The editor for long texts; empty is $VISUAL, then $EDITOR",
        set: |c, v| {
            if let Value::Text(text) = v {
                c.editor = Some(text).filter(|t| !t.trim().is_empty());
            }
        },
    },
    Setting {
        name: "name",
        kind: Kind::Text,
        default: "\"\"",
        help: "The name that notes and verdicts are written under; empty is the user's name on this machine",
        set: |c, v| {
            if let Value::Text(text) = v {
                c.name = Some(text).filter(|t| !t.trim().is_empty());
            }
        },
    },
    Setting {
        name: "state",
        kind: Kind::Bool,
        default: "true",
        help: "Remember selection, filter, sort and columns of each set of files",
        set: boolean!(state),
    },
];
