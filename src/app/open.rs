//! Opening dialogs, and what keys do in them.

use crate::keymap::{Action, Group};
use crate::query::FIELDS;

use super::act::distance;
use super::menu::{Item, Menu, MenuChoice};
use super::{Effect, Model, Overlay, TextDialog, TextKind};

/// Lines that a page is, in dialogs whose height is not known here.
const PAGE: usize = 10;

impl Model {
    pub(super) fn open_palette(&mut self) {
        let contexts = self.contexts();
        let items = Action::ALL
            .iter()
            .copied()
            .filter(|&a| a.group() != Group::Edit && a.group() != Group::Move && a != Action::Palette)
            .chain([Action::NextPair, Action::PreviousPair])
            .filter(|&a| self.offers(a))
            .map(|action| Item {
                label: action.id().replace('-', " "),
                note: action.help().into(),
                key: contexts.iter().find_map(|&c| self.keymap.hint(c, action)).unwrap_or_default(),
                choice: MenuChoice::Act(action),
            })
            .collect();
        self.overlays.push(Overlay::Menu(Menu::new("actions", true, items)));
    }

    pub(super) fn open_copy(&mut self) {
        let items = self.copy_items();
        if items.is_empty() {
            self.say("there is nothing to copy");
        } else {
            self.overlays.push(Overlay::Menu(Menu::new("copy", false, items)));
        }
    }

    pub(super) fn open_themes(&mut self) {
        let items = self
            .themes
            .iter()
            .map(|name| Item {
                label: name.clone(),
                note: String::new(),
                key: String::new(),
                choice: MenuChoice::Theme(name.clone()),
            })
            .collect();
        let mut menu = Menu::new("theme", true, items);
        menu.point_at(&MenuChoice::Theme(self.theme.clone()));
        menu.before = Some(self.theme.clone());
        self.overlays.push(Overlay::Menu(menu));
    }

    pub(super) fn open_views(&mut self) {
        if self.views.is_empty() {
            self.say("no view is saved yet: filter, then save the filter as a view");
            return;
        }
        let items = self
            .views
            .iter()
            .enumerate()
            .map(|(at, (name, filter, _))| Item {
                label: name.clone(),
                note: filter.clone(),
                key: String::new(),
                choice: MenuChoice::View(at),
            })
            .collect();
        self.overlays.push(Overlay::Menu(Menu::new("views", false, items)));
    }

    pub(super) fn open_sort(&mut self) {
        let items = crate::query::SORT_FIELDS
            .iter()
            .map(|&(by, field, help)| {
                let at = self.sort.iter().position(|k| k.field == by);
                let mark = at.and_then(|i| self.sort.get(i).map(|k| (i, k.descending)));
                Item {
                    label: field.into(),
                    note: help.into(),
                    key: mark
                        .map(|(i, down)| format!("{}{}", i + 1, if down { "▼" } else { "▲" }))
                        .unwrap_or_default(),
                    choice: MenuChoice::Sort(field),
                }
            })
            .collect();
        self.overlays.push(Overlay::Menu(Menu::new("sort by", true, items)));
    }

    /// The addresses of the pair shown: opened at once when there is one, else to choose from.
    pub(super) fn open_urls(&mut self) -> Vec<Effect> {
        let Some(Ok(bundle)) = self.shown().and_then(|p| self.record(p)) else { return Vec::new() };
        let mut items: Vec<Item> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for attempt in bundle.sides.iter().flatten() {
            let cited = attempt.citations.iter().map(|c| (&c.url, c.title.as_deref(), "cited"));
            let found = attempt.search_calls.iter().flat_map(|c| {
                let page = c.url.as_ref().map(|u| (u, None, "opened"));
                page.into_iter().chain(c.results.iter().map(|r| (&r.url, r.title.as_deref(), "found")))
            });
            for (url, title, how) in cited.chain(found) {
                if !url.is_empty() && seen.insert(url.as_str()) {
                    let choice = MenuChoice::Url(url.clone());
                    let title = title.map(|t| crate::text::sanitize_line(t).into_owned()).unwrap_or_default();
                    let label = crate::text::sanitize_line(url).into_owned();
                    items.push(Item { label, note: format!("{how}  {title}"), key: String::new(), choice });
                }
            }
        }
        if items.is_empty() {
            self.say("this question has no addresses");
        } else {
            self.overlays.push(Overlay::Menu(Menu::new("open in the browser", true, items)));
        }
        Vec::new()
    }

    /// Opens an address, if it is one that a browser may be given.
    pub(super) fn open_url(&mut self, url: &str) -> Vec<Effect> {
        let lower = url.to_ascii_lowercase();
        let web = lower.starts_with("http://") || lower.starts_with("https://");
        if web && !url.chars().any(|c| c.is_control() || c.is_whitespace()) {
            vec![Effect::OpenUrl(url.to_owned())]
        } else {
            self.fail("only http and https addresses are opened; copy it instead");
            Vec::new()
        }
    }

    pub(super) fn open_help(&mut self) {
        let mut lines = Vec::new();
        if self.coding.is_some() {
            // What a code means is asked for more often than any key.
            lines.push((TextKind::Heading, String::new(), "Codes".to_owned()));
            for code in &self.review.book.codes {
                let text = format!("{}: {}", code.name, crate::text::sanitize_line(&code.definition));
                lines.push((TextKind::Key, code.key.to_string(), text));
            }
        }
        lines.push((TextKind::Heading, String::new(), "Keys".to_owned()));
        let mut group = None;
        // What works where the keys are now is what was asked for.
        let here = self.contexts();
        let mut entries = self.keymap.entries();
        entries.sort_by_key(|e| here.iter().position(|&c| c == e.context).unwrap_or(here.len()));
        for entry in entries {
            if group != Some(entry.context) {
                group = Some(entry.context);
                lines.push((TextKind::Heading, String::new(), entry.context.help().to_owned()));
            }
            lines.push((TextKind::Key, entry.keys.join("  "), entry.action.help().to_owned()));
        }
        lines.push((TextKind::Plain, String::new(), String::new()));
        lines.push((TextKind::Heading, String::new(), "Filter".to_owned()));
        for line in crate::query::GRAMMAR {
            lines.push((TextKind::Key, line.0.to_owned(), line.1.to_owned()));
        }
        lines.push((TextKind::Heading, String::new(), "Fields".to_owned()));
        for field in FIELDS {
            lines.push((TextKind::Key, field.name.to_owned(), field.help.to_owned()));
        }
        self.overlays.push(Overlay::Text(TextDialog::new("help", lines)));
    }

    /// Closes the topmost dialog; a theme that was only looked at is taken back.
    pub(super) fn close_top(&mut self) -> Vec<Effect> {
        let Some(top) = self.overlays.pop() else { return Vec::new() };
        if matches!(top, Overlay::Problems(_)) {
            return self.stop_checking();
        }
        if let Overlay::Menu(Menu { before: Some(theme), .. }) = top
            && theme != self.theme
        {
            self.theme.clone_from(&theme);
            return vec![Effect::Theme(theme)];
        }
        Vec::new()
    }

    /// The theme under the cursor is shown at once.
    pub(super) fn preview(&mut self) -> Vec<Effect> {
        let Some(Overlay::Menu(menu)) = self.overlays.last() else { return Vec::new() };
        match menu.current().map(|i| &i.choice) {
            Some(MenuChoice::Theme(name)) if *name != self.theme => {
                self.theme.clone_from(name);
                vec![Effect::Theme(self.theme.clone())]
            }
            _ => Vec::new(),
        }
    }

    /// A click on an item of the topmost dialog.
    pub(super) fn click_item(&mut self, at: usize) -> Vec<Effect> {
        match self.overlays.last_mut() {
            Some(Overlay::Menu(menu)) => menu.cursor = at,
            Some(Overlay::Bins(bins)) => bins.cursor = at,
            Some(Overlay::Figures) => {
                // A second click on a mark shows its rows.
                if self.figures.mark() != Some(at) {
                    self.figures.cursor = Some(at);
                    return Vec::new();
                }
            }
            Some(Overlay::Columns(columns)) => columns.cursor = at,
            Some(Overlay::Problems(dialog)) => {
                let again = dialog.cursor == Some(at);
                dialog.cursor = Some(at);
                if !again || self.problem_row(at).is_none() {
                    return Vec::new();
                }
            }
            Some(Overlay::Counts(counts)) => {
                if counts.cursor != at {
                    counts.cursor = at;
                    return Vec::new();
                }
            }
            _ => return Vec::new(),
        }
        self.act_in_dialog(Action::Accept).unwrap_or_default()
    }

    /// An action in the topmost dialog; `None` when it means there what it means everywhere.
    pub(super) fn act_in_dialog(&mut self, action: Action) -> Option<Vec<Effect>> {
        let by = distance(action, PAGE);
        let screen = self.size;
        match action {
            Action::Cancel if matches!(self.overlays.last(), Some(Overlay::Job(_))) => {
                return Some(self.leave_job());
            }
            Action::Cancel if matches!(self.overlays.last(), Some(Overlay::Code)) => {
                return Some(self.leave_coding());
            }
            Action::Cancel | Action::Accept if matches!(self.overlays.last(), Some(Overlay::Note(_))) => {
                return Some(self.close_note());
            }
            Action::Cancel => {
                // Words that narrow a text go first, the text with the next press.
                if let Some(Overlay::Text(text) | Overlay::Problems(text)) = self.overlays.last_mut()
                    && text.forget()
                {
                    return Some(Vec::new());
                }
                return Some(self.close_top());
            }
            Action::Quit | Action::Suspend | Action::ToggleMouse | Action::Reload => return None,
            _ => {}
        }
        match self.overlays.last_mut()? {
            Overlay::Menu(menu) => match action {
                Action::Accept | Action::OpenDetail => {
                    let choice = menu.current()?.choice.clone();
                    return Some(self.take_choice(choice));
                }
                Action::DeleteItem => {
                    if let Some(MenuChoice::View(at)) = menu.current().map(|i| i.choice.clone()) {
                        self.overlays.pop();
                        return Some(self.delete_view(at));
                    }
                }
                _ => {
                    menu.step(by);
                    return Some(self.preview());
                }
            },
            Overlay::Bins(_) => return Some(self.act_in_bins(action, by)),
            Overlay::Figures => return self.act_in_figures(action),
            Overlay::Code => return Some(self.act_in_coding(action)),
            Overlay::Counts(_) => return Some(self.act_in_counts(action)),
            Overlay::Ask(_) => {
                if action == Action::Accept {
                    return Some(self.answered());
                }
            }
            Overlay::Note(dialog) => {
                if action == Action::EditText {
                    return Some(vec![Effect::Edit(dialog.area.lines().join("\n"))]);
                }
            }
            Overlay::Reask(_) => return Some(self.act_in_form(action)),
            Overlay::Job(_) => return Some(self.act_in_job(action, by)),
            Overlay::Columns(dialog) => match action {
                Action::ToggleItem | Action::Accept | Action::OpenDetail => {
                    if let Some((_, on)) = dialog.columns.get_mut(dialog.cursor) {
                        *on = !*on;
                    }
                    let chosen = dialog.chosen();
                    if chosen.is_empty() {
                        if let Some((_, on)) = dialog.columns.get_mut(dialog.cursor) {
                            *on = true;
                        }
                        self.say("one column at least stays");
                    } else {
                        self.columns = chosen;
                        self.place.left = 0;
                    }
                }
                Action::MoveItemUp | Action::MoveItemDown => {
                    dialog.carry(if action == Action::MoveItemUp { -1 } else { 1 });
                    self.columns = dialog.chosen();
                }
                Action::WidenColumn | Action::NarrowColumn | Action::AutoColumn => {
                    if let Some(&(column, _)) = dialog.columns.get(dialog.cursor) {
                        self.resize_column(column, action);
                    }
                }
                _ => {
                    let last = dialog.columns.len().saturating_sub(1);
                    dialog.cursor = dialog.cursor.saturating_add_signed(by).min(last);
                }
            },
            Overlay::Problems(dialog) if action == Action::Accept && !dialog.typing => {
                // With nothing shown, Enter leads nowhere: not to a row that nobody sees.
                let line = dialog.here();
                return Some(line.map_or_else(Vec::new, |line| self.go_to_problem(line)));
            }
            Overlay::Text(text) | Overlay::Problems(text) => {
                if action == Action::Filter || (text.typing && action == Action::Accept) {
                    text.typing = action == Action::Filter;
                    return Some(Vec::new());
                }
                if action == Action::Accept || action == Action::Help || action == Action::Problems {
                    return Some(self.close_top());
                }
                text.step(by, screen);
            }
            Overlay::SaveView(line) => {
                if action == Action::Accept {
                    let name = line.text().trim().to_owned();
                    self.overlays.pop();
                    return Some(self.save_view(&name));
                }
            }
        }
        Some(Vec::new())
    }

    fn delete_view(&mut self, at: usize) -> Vec<Effect> {
        if at < self.views.len() {
            let (name, ..) = self.views.remove(at);
            self.say(format!("view {name} deleted; one of the settings comes back at the next start"));
        }
        vec![Effect::SaveViews(self.views.clone())]
    }

    fn save_view(&mut self, name: &str) -> Vec<Effect> {
        if name.is_empty() {
            self.say("a view needs a name");
            return Vec::new();
        }
        let filter = self.filter_text();
        let sort = crate::query::sort_text(&self.sort);
        self.views.retain(|(n, ..)| n != name);
        self.views.push((name.to_owned(), filter, (!sort.is_empty()).then_some(sort)));
        self.say(format!("saved as view {name}"));
        vec![Effect::SaveViews(self.views.clone())]
    }
}
