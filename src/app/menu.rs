//! A list to choose from: palette, copy, sort, themes, views, addresses.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::keymap::Action;

use super::{Copied, Line};

/// What choosing an item does.
#[derive(Debug, Clone, PartialEq)]
pub enum MenuChoice {
    /// Calls an action.
    Act(Action),
    /// Copies something of the pair shown.
    Copy(Copied),
    /// Opens an address.
    Url(String),
    /// Takes a theme; the one before is restored when the menu is left.
    Theme(String),
    /// Takes a named view.
    View(usize),
    /// Begins to code.
    Code(super::coding::PlanChoice),
    /// Gives a verdict on a side, or takes it back.
    Judge(crate::record::Condition, Option<crate::record::Verdict>),
    /// Looks at a job.
    Job(u32),
    /// Sorts by a field, or turns its direction round.
    Sort(&'static str),
}

/// One item.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The words that are searched.
    pub label: String,
    /// More words, dimmed.
    pub note: String,
    /// A key that chooses it at once (menus without typing), or the hint of its action.
    pub key: String,
    /// What it does.
    pub choice: MenuChoice,
}

/// The list.
#[derive(Debug)]
pub struct Menu {
    /// Its title.
    pub title: &'static str,
    /// Whether typed text narrows it.
    pub typing: bool,
    /// What was typed.
    pub query: Line,
    /// All items.
    pub items: Vec<Item>,
    /// The items that match, best first.
    pub shown: Vec<usize>,
    /// Position among those shown.
    pub cursor: usize,
    /// The theme to go back to, in the theme menu.
    pub before: Option<String>,
}

impl Menu {
    /// A menu of items.
    pub fn new(title: &'static str, typing: bool, items: Vec<Item>) -> Self {
        let shown = (0..items.len()).collect();
        Self { title, typing, query: Line::default(), items, shown, cursor: 0, before: None }
    }

    /// The item under the cursor.
    pub fn current(&self) -> Option<&Item> {
        self.items.get(*self.shown.get(self.cursor)?)
    }

    /// Moves the cursor, stopping at the ends.
    pub fn step(&mut self, by: isize) {
        self.cursor = self.cursor.saturating_add_signed(by).min(self.shown.len().saturating_sub(1));
    }

    /// Sets the cursor on the first item that has this choice.
    pub fn point_at(&mut self, choice: &MenuChoice) {
        if let Some(at) =
            self.shown.iter().position(|&i| self.items.get(i).is_some_and(|it| it.choice == *choice))
        {
            self.cursor = at;
        }
    }

    /// The item whose key this is, in a menu without typing.
    pub fn by_key(&self, key: &str) -> Option<&Item> {
        self.items.iter().find(|i| !self.typing && i.key == key)
    }

    /// Narrows the list to what was typed.
    pub fn narrow(&mut self) {
        let text = self.query.text();
        self.cursor = 0;
        if text.trim().is_empty() {
            self.shown = (0..self.items.len()).collect();
            return;
        }
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(&text, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut scored: Vec<(u32, usize)> = self
            .items
            .iter()
            .enumerate()
            .filter_map(|(i, item)| {
                let hay = format!("{} {}", item.label, item.note);
                pattern.score(Utf32Str::new(&hay, &mut buffer), &mut matcher).map(|s| (s, i))
            })
            .collect();
        scored.sort_by_key(|&(score, i)| (std::cmp::Reverse(score), i));
        self.shown = scored.into_iter().map(|(_, i)| i).collect();
    }
}
