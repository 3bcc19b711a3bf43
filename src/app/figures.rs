//! The figures screen: which figure of which group, where its cursor is, and the way to the rows and back.

use std::collections::HashMap;
use std::sync::Arc;

use crate::figures::{Figure, Id, Scope, figure, group_name};
use crate::keymap::{Action, Context};
use crate::stats::{By, Group};

use super::{Effect, Model, Overlay, Toggles};

/// The most points of a curve on the screen: more than a terminal has columns of dots.
const POINTS: usize = 2_000;

/// What the worker is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct GroupsRequest {
    /// What makes a group.
    pub by: By,
    /// Prices of a search call by model, US dollars.
    pub prices: Arc<HashMap<String, f64>>,
}

/// Model, split and run of a group.
type Name = (String, String, Option<String>);

/// One figure on the screen.
#[derive(Debug)]
pub struct Shown {
    /// Number of its group.
    pub group: usize,
    /// The group's name.
    pub name: String,
    /// The figure.
    pub figure: Figure,
}

/// The figures screen. It remembers where it was when it is left.
#[derive(Debug, Default)]
pub struct Figures {
    /// Which figure.
    pub id: Id,
    /// What makes a group.
    pub by: By,
    /// Number of the group looked at.
    pub group: usize,
    /// Another one beside it.
    pub beside: Option<usize>,
    /// Whether the cursor is in the one beside.
    pub on_beside: bool,
    /// The mark under the cursor; `None`: the one that the figure begins with.
    pub cursor: Option<usize>,
    /// The groups, of the rows shown.
    pub groups: Option<Arc<Vec<Group>>>,
    /// What is drawn: one figure, or two to compare.
    pub shown: Vec<Shown>,
    /// The names of the group looked at and of the one beside it: their numbers change with the rows shown.
    names: [Option<Name>; 2],
    /// Whether a group was looked at already: the first one is that of the most pairs.
    begun: bool,
    /// Set while the list shows the rows of a mark: the toggles from before.
    came: Option<Toggles>,
}

impl Figures {
    /// The figure that has the cursor.
    pub fn current(&self) -> Option<&Shown> {
        self.shown.get(usize::from(self.on_beside)).or(self.shown.first())
    }

    /// The mark under the cursor.
    pub fn mark(&self) -> Option<usize> {
        let figure = &self.current()?.figure;
        let last = figure.marks.len().checked_sub(1)?;
        Some(self.cursor.unwrap_or(figure.first).min(last))
    }

    /// Draws up anew what is shown, after groups or choice changed.
    pub(super) fn refresh(&mut self, errors: crate::record::Errors) {
        self.shown.clear();
        let Some(groups) = self.groups.clone() else { return };
        if !self.begun && !groups.is_empty() {
            self.begun = true;
            let most = groups.iter().enumerate().rev().max_by_key(|(_, g)| g.pairs);
            self.group = most.map_or(0, |(at, _)| at);
            self.hold();
        }
        let last = groups.len().saturating_sub(1);
        self.group = self.group.min(last);
        self.beside = self.beside.map(|b| b.min(last)).filter(|&b| b != self.group);
        self.on_beside &= self.beside.is_some();
        for at in std::iter::once(self.group).chain(self.beside) {
            let Some(group) = groups.get(at) else { continue };
            let scope = Scope::of(group, &groups, errors);
            let mut figure = figure(self.id, group, &scope);
            figure.thin(POINTS);
            self.shown.push(Shown { group: at, name: group_name(group), figure });
        }
    }

    /// Moves the cursor among the marks: to the nearest one on the next line or in the next column.
    fn step(&mut self, across: isize, down: isize) {
        let (Some(now), Some(shown)) = (self.mark(), self.current()) else { return };
        let marks = &shown.figure.marks;
        let Some(place) = marks.get(now).map(|m| m.place) else { return };
        let others = marks.iter().enumerate().filter(|(at, _)| *at != now);
        let best = if down == 0 {
            others
                .filter(|(_, m)| m.place.0 == place.0 && (m.place.1 > place.1) == (across > 0))
                .min_by_key(|(_, m)| m.place.1.abs_diff(place.1))
        } else {
            others
                .filter(|(_, m)| m.place.0 != place.0 && (m.place.0 > place.0) == (down > 0))
                .min_by_key(|(_, m)| (m.place.0.abs_diff(place.0), m.place.1.abs_diff(place.1)))
        };
        if let Some((at, _)) = best {
            self.cursor = Some(at);
        }
    }

    /// Remembers by name which groups are looked at.
    fn hold(&mut self) {
        let groups = self.groups.as_deref().map_or(&[][..], Vec::as_slice);
        let name = |at| groups.get(at).map(|g: &Group| (g.model.clone(), g.split.clone(), g.run.clone()));
        self.names = [name(self.group), self.beside.and_then(name)];
    }

    /// Takes other groups and stays with those looked at, where they are still there.
    fn take(&mut self, groups: Arc<Vec<Group>>) {
        let find = |name: &Option<Name>| {
            let (model, split, run) = name.as_ref()?;
            groups.iter().position(|g| (&g.model, &g.split, &g.run) == (model, split, run))
        };
        let [own, beside] = &self.names;
        self.group = find(own).unwrap_or(self.group);
        self.beside = find(beside).or(self.beside);
        self.groups = Some(groups);
    }

    fn turn(&mut self, forward: bool) {
        let all = Id::ALL;
        let at = all.iter().position(|&id| id == self.id).unwrap_or(0);
        let to = if forward { at + 1 } else { at + all.len() - 1 } % all.len();
        self.id = all.get(to).copied().unwrap_or_default();
        self.cursor = None;
    }

    fn turn_group(&mut self, forward: bool) {
        let count = self.groups.as_ref().map_or(0, |g| g.len());
        if count == 0 {
            return;
        }
        let turn = |at: usize| if forward { at + 1 } else { at + count - 1 } % count;
        if let Some(beside) = self.beside.filter(|_| self.on_beside) {
            let next = turn(beside);
            self.beside = Some(if next == self.group { turn(next) } else { next });
        } else {
            self.group = turn(self.group);
            if self.beside == Some(self.group) && count > 2 {
                self.group = turn(self.group);
            }
        }
        self.hold();
        self.cursor = None;
    }
}

impl Model {
    /// Opens the figures of the rows shown.
    pub(super) fn open_figures(&mut self) -> Vec<Effect> {
        self.figures.came = None;
        self.overlays.push(Overlay::Figures);
        self.figures.groups = None;
        self.figures.refresh(self.errors);
        self.requery()
    }

    /// What the worker has to work out for the figures, while they are open.
    pub(super) fn groups_request(&self) -> Option<GroupsRequest> {
        let open = self.overlays.iter().any(|o| matches!(o, Overlay::Figures));
        open.then(|| GroupsRequest {
            by: self.figures.by,
            prices: Arc::new(self.asking.models.search_prices()),
        })
    }

    /// Takes groups that were worked out.
    pub(super) fn take_groups(&mut self, request: &GroupsRequest, groups: Arc<Vec<Group>>) {
        if request.by == self.figures.by {
            self.figures.take(groups);
            self.figures.refresh(self.errors);
        }
    }

    /// An action on the figures screen; `None` when it means there what it means everywhere.
    pub(super) fn act_in_figures(&mut self, action: Action) -> Option<Vec<Effect>> {
        let figures = &mut self.figures;
        match action {
            Action::Down => figures.step(0, 1),
            Action::Up => figures.step(0, -1),
            Action::Right => figures.step(1, 0),
            Action::Left => figures.step(-1, 0),
            Action::First => figures.cursor = Some(0),
            Action::Last => figures.cursor = Some(usize::MAX),
            Action::NextFigure | Action::PreviousFigure => {
                figures.turn(action == Action::NextFigure);
                figures.refresh(self.errors);
            }
            Action::NextGroup | Action::PreviousGroup => {
                figures.turn_group(action == Action::NextGroup);
                figures.refresh(self.errors);
            }
            Action::Compare => self.compare(),
            Action::OtherFigure if figures.beside.is_some() => {
                figures.on_beside = !figures.on_beside;
                figures.cursor = None;
            }
            Action::OtherFigure => self.say("nothing is beside it: compare first"),
            Action::GroupBy => {
                let at = By::ALL.iter().position(|&b| b == figures.by).unwrap_or(0);
                figures.by = By::ALL.get((at + 1) % By::ALL.len()).copied().unwrap_or_default();
                (figures.group, figures.beside, figures.cursor, figures.begun) = (0, None, None, false);
                (figures.groups, figures.names) = (None, [None, None]);
                figures.refresh(self.errors);
                let words = match self.figures.by {
                    By::Model => "one group a model and split",
                    By::Run => "one group a run, model and split",
                    By::All => "everything in one group",
                };
                self.say(words);
                return Some(self.requery());
            }
            Action::Accept | Action::OpenDetail => return Some(self.take_mark()),
            Action::Copy => return Some(self.copy_figure()),
            Action::Figures => return Some(self.close_top()),
            // What changes which rows are counted, and how, works here too.
            Action::ToggleCorrected
            | Action::TogglePreserved
            | Action::ToggleBroken
            | Action::ToggleUnresolved
            | Action::ToggleNotSearched
            | Action::CycleScorer
            | Action::ToggleErrors
            | Action::ClearFilter
            | Action::Help
            | Action::Palette
            | Action::Theme
            | Action::Problems => return None,
            _ => {}
        }
        Some(Vec::new())
    }

    fn compare(&mut self) {
        let figures = &mut self.figures;
        let count = figures.groups.as_ref().map_or(0, |g| g.len());
        if figures.beside.take().is_some() {
            figures.on_beside = false;
        } else if count < 2 {
            self.say("there is only one group: another key groups by run");
            return;
        } else {
            figures.beside =
                Some(beside(figures.groups.as_deref().map_or(&[], Vec::as_slice), figures.group));
        }
        self.figures.hold();
        self.figures.cursor = None;
        self.figures.refresh(self.errors);
    }

    /// Shows the rows behind the mark under the cursor.
    fn take_mark(&mut self) -> Vec<Effect> {
        let figures = &self.figures;
        let mark = figures.current().zip(figures.mark()).and_then(|(s, at)| s.figure.marks.get(at));
        let Some(mark) = mark else { return Vec::new() };
        let (term, label, n) = (mark.term.clone(), mark.label.clone(), mark.n);
        if n == 0 {
            self.say(format!("{label}: there is no such row"));
            return Vec::new();
        }
        let toggles = self.filter.toggles;
        self.overlays.retain(|o| !matches!(o, Overlay::Figures));
        self.before_term = None;
        let effects = if term.is_empty() { self.requery() } else { self.add_term(&term) };
        self.before_term.get_or_insert_with(|| self.filter.applied.clone());
        self.added_term.clear();
        self.figures.came = Some(toggles);
        let back = self.keymap.hint(Context::List, Action::Cancel).unwrap_or_else(|| "cancel".into());
        self.say(format!("{label}: {}; {back} goes back to the figures", crate::text::several(n, "row")));
        effects
    }

    /// Back to the figures, when the rows shown are those of a mark.
    pub(super) fn back_to_figures(&mut self) -> bool {
        let Some(toggles) = self.figures.came.take() else { return false };
        self.filter.toggles = toggles;
        self.overlays.push(Overlay::Figures);
        true
    }

    fn copy_figure(&mut self) -> Vec<Effect> {
        let (Some(shown), Some(groups)) = (self.figures.current(), &self.figures.groups) else {
            return Vec::new();
        };
        let Some(group) = groups.get(shown.group) else { return Vec::new() };
        // With every point, not only those drawn.
        let whole = figure(self.figures.id, group, &Scope::of(group, groups, self.errors));
        let mark = self.table.mark().map_or_else(String::new, |m| format!(" · {m}"));
        let head = format!("{}{mark}, scorer {}", shown.name, self.scorer.name());
        vec![Effect::Copy(crate::report::figure_markdown(&whole, &head))]
    }
}

/// The group to set beside another: the same split of the next model, else the next one.
fn beside(groups: &[Group], at: usize) -> usize {
    let split = groups.get(at).map(|g| g.split.as_str());
    let after = (at + 1..groups.len()).chain(0..at);
    after
        .clone()
        .find(|&n| groups.get(n).map(|g| g.split.as_str()) == split)
        .or(after.clone().next())
        .unwrap_or(at)
}
