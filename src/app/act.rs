//! What each action does.

use crate::keymap::Action;
use crate::query::SortKey;
use crate::record::{Scorer, Transition};
use crate::stats::Errors;

use super::dialogs::ColumnsDialog;
use super::menu::MenuChoice;
use super::{BinsDialog, Effect, Focus, Line, Model, Overlay};

impl Model {
    /// Does what an action says, where the keys are.
    pub(super) fn act(&mut self, action: Action) -> Vec<Effect> {
        if !self.overlays.is_empty() {
            if let Some(effects) = self.act_in_dialog(action) {
                return effects;
            }
        } else if self.filter.editing.is_some()
            && let Some(effects) = self.act_in_filter(action)
        {
            return effects;
        }
        match action {
            Action::Quit => return self.leave(),
            Action::Suspend => return vec![Effect::Suspend],
            Action::Reload => {
                self.say("reading the files again");
                return vec![Effect::Reload];
            }
            Action::Cancel => return self.back(),
            Action::Help => self.open_help(),
            Action::Problems => return self.open_problems(),
            Action::Palette => self.open_palette(),
            Action::Theme => self.open_themes(),
            Action::Views => self.open_views(),
            Action::Reask => self.open_reask(),
            Action::Jobs => self.open_jobs(),
            Action::Copy => self.open_copy(),
            Action::Export => return self.export(),
            Action::OpenUrl => return self.open_urls(),
            Action::Sort => self.open_sort(),
            Action::Columns => self.overlays.push(Overlay::Columns(ColumnsDialog::new(&self.columns))),
            Action::Bins => {
                self.view.bins = None;
                self.overlays.push(Overlay::Bins(BinsDialog::default()));
                return self.requery();
            }
            Action::Figures => return self.open_figures(),
            Action::Code => return self.open_coding(),
            Action::CodeCounts => return self.open_counts(),
            Action::AsReviewed => return self.toggle_reviewed(),
            Action::Blind => return self.toggle_blind(),
            Action::Codebook => return self.edit_codebook(),
            Action::Judge => self.open_judge(),
            Action::AcceptAnswer => self.open_accept(),
            Action::Undo | Action::Redo => return self.undo(action == Action::Undo),
            Action::ToggleMouse => {
                self.mouse = !self.mouse;
                self.say(if self.mouse { "mouse on" } else { "mouse off: the terminal selects text now" });
                return vec![Effect::Mouse(self.mouse)];
            }
            Action::CycleScorer => {
                let at = Scorer::ALL.iter().position(|&s| s == self.scorer).unwrap_or(0);
                self.scorer = Scorer::ALL.get((at + 1) % Scorer::ALL.len()).copied().unwrap_or_default();
                self.say(format!("scorer: {}", self.scorer.name()));
                return self.requery();
            }
            Action::ToggleErrors => {
                self.errors = if self.errors == Errors::Drop { Errors::Wrong } else { Errors::Drop };
                self.say(if self.errors == Errors::Drop {
                    "errors are left out"
                } else {
                    "errors count as wrong"
                });
                return self.requery();
            }
            Action::Filter => self.filter.edit(),
            Action::ClearFilter => {
                if let Some((_, sort)) = self.before_harmful.take() {
                    self.sort = sort;
                }
                self.before_term = None;
                self.filter.remember();
                self.filter.set("");
                self.filter.toggles.0 = 0;
                return self.requery();
            }
            Action::SaveView if self.filter.active() => {
                self.overlays.push(Overlay::SaveView(Line::default()));
            }
            Action::SaveView => self.say("filter first: a view is a filter with a name"),
            Action::ToggleCorrected => return self.toggle(Transition::Corrected),
            Action::TogglePreserved => return self.toggle(Transition::Preserved),
            Action::ToggleBroken => return self.toggle(Transition::Broken),
            Action::ToggleUnresolved => return self.toggle(Transition::Unresolved),
            Action::ToggleNotSearched => return self.toggle(Transition::NotSearched),
            Action::Harmful => return self.harmful(),
            Action::ReverseSort => return self.reverse(),
            Action::OpenDetail | Action::Accept => {
                self.choice.detail_only = true;
                self.focus = Focus::Detail;
            }
            Action::ToggleRaw => self.detail.raw = !self.detail.raw,
            Action::TogglePrompt => self.detail.prompt = !self.detail.prompt,
            Action::ToggleExplain => self.detail.explain = !self.detail.explain,
            Action::NextAttempt => self.step_attempt(true),
            Action::PreviousAttempt => self.step_attempt(false),
            Action::NextPair => self.step(1),
            Action::PreviousPair => self.step(-1),
            Action::FocusNext | Action::FocusPrevious => {
                self.focus = if self.focus == Focus::List { Focus::Detail } else { Focus::List };
                self.choice.detail_only &= self.focus == Focus::Detail;
            }
            Action::WidenColumn | Action::NarrowColumn | Action::AutoColumn => {
                if let Some(column) = self.first_column() {
                    self.resize_column(column, action);
                }
            }
            Action::WiderList => self.resize_list(5),
            Action::NarrowerList => self.resize_list(-5),
            Action::Down
            | Action::Up
            | Action::HalfPageDown
            | Action::HalfPageUp
            | Action::PageDown
            | Action::PageUp
            | Action::First
            | Action::Last
            | Action::Left
            | Action::Right => self.move_by(action),
            Action::NextFigure
            | Action::PreviousFigure
            | Action::NextGroup
            | Action::PreviousGroup
            | Action::Compare
            | Action::OtherFigure
            | Action::GroupBy
            | Action::SaveNext
            | Action::WriteNote
            | Action::Defer
            | Action::PrimaryCode
            | Action::Send
            | Action::EditText
            | Action::Complete
            | Action::HistoryPrevious
            | Action::HistoryNext
            | Action::ToggleItem
            | Action::DeleteItem
            | Action::MoveItemUp
            | Action::MoveItemDown => {}
        }
        Vec::new()
    }

    /// Lines of the detail that are visible at once.
    pub(super) fn detail_height(&self) -> usize {
        self.areas().map_or(1, |a| usize::from(a.detail.height)).max(1)
    }

    fn move_by(&mut self, action: Action) {
        let page = match self.focus {
            Focus::List => self.visible(),
            Focus::Detail => self.detail_height(),
        };
        let by = distance(action, page);
        match self.focus {
            Focus::List => match action {
                Action::First => self.go_to(0),
                Action::Last => self.go_to(usize::MAX),
                Action::Left => self.place.left = self.place.left.saturating_sub(1),
                Action::Right => {
                    self.place.left = (self.place.left + 1).min(self.columns.len().saturating_sub(1));
                }
                _ => self.step(by),
            },
            Focus::Detail => self.detail.step(by, page),
        }
    }

    /// Back one step: out of the full detail, to the list, out of the filter.
    fn back(&mut self) -> Vec<Effect> {
        if self.detail.peek.take().is_some() {
            self.detail.scroll = 0;
        } else if self.choice.detail_only {
            self.choice.detail_only = false;
            self.focus = Focus::List;
            self.keep_visible();
        } else if self.focus == Focus::Detail {
            self.focus = Focus::List;
        } else if let Some(before) = self.before_term.take() {
            self.filter.set(&before);
            self.added_term.clear();
            self.back_to_figures();
            return self.requery();
        } else if self.filter.active() {
            self.filter.remember();
            self.filter.set("");
            self.filter.toggles.0 = 0;
            self.say("filter cleared; it is in the history of the filter line");
            return self.requery();
        }
        Vec::new()
    }

    fn resize_list(&mut self, by: i16) {
        let Some(areas) = self.areas() else { return };
        let now = match areas.stand {
            super::layout::Stand::Beside => u32::from(areas.list.width) * 100 / u32::from(self.size.0.max(1)),
            _ => {
                u32::from(areas.list.height) * 100
                    / u32::from((areas.list.height + areas.detail.height + 1).max(1))
            }
        };
        let now = self.choice.share.unwrap_or(now as u16);
        self.choice.share = Some(now.saturating_add_signed(by).clamp(15, 85));
        self.keep_visible();
    }

    /// Lets a transition through, or no longer.
    pub(super) fn toggle(&mut self, transition: Transition) -> Vec<Effect> {
        self.filter.toggles.flip(transition);
        self.requery()
    }

    /// Only the harmful pairs, broken first; the same again brings back what was shown before.
    fn harmful(&mut self) -> Vec<Effect> {
        let both = 1 << Transition::Broken as u8 | 1 << Transition::Unresolved as u8;
        if let Some((toggles, sort)) = self.before_harmful.take().filter(|_| self.filter.toggles.0 == both) {
            self.filter.toggles = toggles;
            self.sort = sort;
        } else {
            self.before_harmful = Some((self.filter.toggles, std::mem::take(&mut self.sort)));
            self.filter.toggles.0 = both;
            self.sort = crate::query::parse_sort("transition").unwrap_or_default();
        }
        self.requery()
    }

    fn reverse(&mut self) -> Vec<Effect> {
        if self.sort.is_empty() {
            self.sort = crate::query::parse_sort("-order").unwrap_or_default();
        } else {
            for key in &mut self.sort {
                key.descending = !key.descending;
            }
        }
        self.requery()
    }

    /// Sorts by a field; the field sorted by first is turned round; the one before becomes the second.
    pub(super) fn sort_by(&mut self, field: &str) -> Vec<Effect> {
        let Ok(keys) = crate::query::parse_sort(field) else { return Vec::new() };
        let Some(mut key) = keys.into_iter().next() else { return Vec::new() };
        if let Some(first) = self.sort.first()
            && first.field == key.field
        {
            key.descending = !first.descending;
        }
        let rest: Vec<SortKey> = self.sort.iter().filter(|k| k.field != key.field).take(2).copied().collect();
        self.sort = std::iter::once(key).chain(rest).collect();
        self.say(format!("sorted by {}", crate::query::sort_text(&self.sort)));
        self.requery()
    }

    /// Does what a chosen item says, and closes its menu.
    pub(super) fn take_choice(&mut self, choice: MenuChoice) -> Vec<Effect> {
        self.overlays.pop();
        match choice {
            MenuChoice::Act(action) => self.act(action),
            MenuChoice::Copy(copied) => {
                if let Some(text) = self.copied_text(copied) {
                    return vec![Effect::Copy(text)];
                }
                self.fail("there is nothing to copy: the record has not been read yet");
                Vec::new()
            }
            MenuChoice::Url(url) => self.open_url(&url),
            MenuChoice::Theme(name) => {
                self.theme.clone_from(&name);
                vec![Effect::Theme(name)]
            }
            MenuChoice::View(at) => {
                let Some((name, filter, sort)) = self.views.get(at).cloned() else { return Vec::new() };
                if let Some(error) = self.filter.set(&filter) {
                    self.fail(format!("view “{name}”: {}", error.message));
                    return Vec::new();
                }
                if let Some(keys) = sort.and_then(|s| crate::query::parse_sort(&s).ok()) {
                    self.sort = keys;
                }
                self.filter.toggles.0 = 0;
                self.say(format!("view {name}"));
                self.requery()
            }
            MenuChoice::Code(choice) => self.begin_coding(choice),
            MenuChoice::Judge(condition, verdict) => self.judge(condition, verdict),
            MenuChoice::Sort(field) => self.sort_by(field),
            MenuChoice::Job(id) => {
                self.overlays.push(Overlay::Job(id));
                Vec::new()
            }
        }
    }
}

/// The distance to the end, from wherever one is.
pub(super) const END: isize = isize::MAX / 2;

/// Rows that a movement moves, when a page has `page` rows.
pub(super) fn distance(action: Action, page: usize) -> isize {
    let page = page.max(1) as isize;
    match action {
        Action::Down => 1,
        Action::Up => -1,
        Action::HalfPageDown => (page / 2).max(1),
        Action::HalfPageUp => -(page / 2).max(1),
        Action::PageDown => (page - 1).max(1),
        Action::PageUp => -(page - 1).max(1),
        Action::First => -END,
        Action::Last => END,
        _ => 0,
    }
}
