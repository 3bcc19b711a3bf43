//! Which rows a session goes through.

use super::super::menu::{Item, Menu, MenuChoice};
use super::super::{Effect, Model, Overlay};
use super::Coding;
use crate::review::{self, Draw, Key, Plan, PlanRow, Sample};

/// Rows of a random sample, and of one from each transition.
const SAMPLE: usize = 100;
/// The seed that samples are drawn with: the same rows for everybody, so that two people can code the same ones.
const SEED: u64 = 1;

/// What is coded.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanChoice {
    /// The row that is selected.
    This,
    /// Rows by a plan, of those that the filter shows.
    Plan(Plan),
    /// The session that was left: its plan with its filter, and the row it was at.
    Continue(String, Key),
}

impl Model {
    /// Asks what is to be coded.
    pub(in super::super) fn open_coding(&mut self) -> Vec<Effect> {
        if !self.can_tell() {
            // What was in the way may be gone.
            return if self.review.shut.is_some() { vec![Effect::Note(Vec::new())] } else { Vec::new() };
        }
        let Some(shown) = self.shown() else {
            self.say("select a question first");
            return Vec::new();
        };
        let mut items = Vec::new();
        let mut add = |key: &str, label: String, note: String, choice: PlanChoice| {
            items.push(Item { label, note, key: key.into(), choice: MenuChoice::Code(choice) });
        };
        if let Some(place) = self.review.notes.last_place(&self.review.by) {
            let label = format!("go on: {} of {}", place.position + 1, place.of);
            let choice = PlanChoice::Continue(place.plan.to_owned(), place.entry.key.clone());
            add("c", label, place.plan.to_owned(), choice);
        }
        let id = self.note_key(shown).map(|k| k.question_id).unwrap_or_default();
        add("t", "this question".into(), id, PlanChoice::This);
        let rows = self.plan_rows();
        let count = |plan: &Plan| plan.draw(&rows).draws.len();
        for (key, label, plan) in [
            ("a", "all that are shown", Plan::All),
            ("b", "broken ones", Plan::Broken),
            ("s", "surprising ones first", Plan::Surprising { n: SAMPLE }),
            ("r", "a random sample", Plan::Random { n: SAMPLE, seed: SEED }),
            ("m", "a sample of each transition", Plan::usual(SAMPLE / 2, SEED)),
        ] {
            let n = count(&plan);
            if n > 0 {
                add(key, format!("{label}: {n}"), plan.to_string(), PlanChoice::Plan(plan));
            }
        }
        self.overlays.push(Overlay::Menu(Menu::new("code", false, items)));
        Vec::new()
    }

    /// The rows shown, as plans want them.
    fn plan_rows(&self) -> Vec<PlanRow> {
        let shown: Vec<u32> = (0..self.view.rows.len()).filter_map(|at| self.view.rows.get(at)).collect();
        review::plan_rows(&self.table, &shown, self.scorer)
    }

    /// A row's name in notes.
    pub fn note_key(&self, pair: u32) -> Option<Key> {
        review::key_of(&self.table, pair)
    }

    /// Begins a session.
    pub(in super::super) fn begin_coding(&mut self, choice: PlanChoice) -> Vec<Effect> {
        match choice {
            PlanChoice::This => {
                let Some(row) = self.shown() else { return Vec::new() };
                self.enter(String::new(), vec![Draw { row, weight: None }], 0)
            }
            PlanChoice::Plan(plan) => {
                let Sample { draws, .. } = plan.draw(&self.plan_rows());
                let is_open = |d: &Draw| !self.review.done.contains(&d.row) || self.is_disputed(d.row);
                let first = draws.iter().position(is_open).unwrap_or(0);
                self.enter(format!("{plan} | {}", self.filter_text()), draws, first)
            }
            PlanChoice::Continue(plan, here) => {
                let (_, filter) = plan.split_once(" | ").unwrap_or((&plan, ""));
                if let Some(error) = self.filter.set(filter) {
                    self.fail(format!("the filter of the session cannot be read: {}", error.message));
                    return Vec::new();
                }
                self.filter.toggles.0 = 0;
                self.sort.clear();
                self.coding_waits = Some((plan, here));
                self.requery()
            }
        }
    }

    /// Goes on with a session as soon as its rows are there.
    pub(in super::super) fn resume_coding(&mut self) -> Vec<Effect> {
        if self.view.shown < self.view.wanted || !self.view.complete || !self.table.progress.done {
            return Vec::new();
        }
        let Some((written, here)) = self.coding_waits.take() else { return Vec::new() };
        let Some(plan) = Plan::parse(written.split(" | ").next().unwrap_or_default()) else {
            self.fail("the plan of the session is of another version");
            return Vec::new();
        };
        let Sample { draws, .. } = plan.draw(&self.plan_rows());
        // By name: coding itself may have changed what the filter shows.
        let at = draws.iter().position(|d| self.note_key(d.row).is_some_and(|k| here.covers(&k)));
        let open = || draws.iter().position(|d| !self.review.done.contains(&d.row));
        let at = at.or_else(open).unwrap_or(0);
        self.enter(written, draws, at)
    }

    fn enter(&mut self, plan: String, rows: Vec<Draw>, at: usize) -> Vec<Effect> {
        if rows.is_empty() {
            self.say("there is no row to code");
            return Vec::new();
        }
        let sheet = super::Sheet::default();
        self.coding = Some(Coding { plan, rows, at, sheet, hints: None, dropped: None, names: None });
        self.overlays.push(Overlay::Code);
        let effects = self.arrive(at);
        let hidden = self.hidden_keys();
        if !hidden.is_empty() {
            self.say(format!("the codebook's keys come first and hide: {}", hidden.join(", ")));
        }
        effects
    }

    /// What keys would do while coding, were they not those of codes.
    fn hidden_keys(&self) -> Vec<String> {
        let entries = self.keymap.entries();
        let here = entries.iter().filter(|e| e.context == crate::keymap::Context::Code);
        here.filter_map(|entry| {
            let hides = |key: &&String| self.is_code_key(key);
            let hidden: Vec<&str> = entry.keys.iter().filter(hides).map(String::as_str).collect();
            // Another key for the same does as well.
            (hidden.len() == entry.keys.len() && !hidden.is_empty())
                .then(|| format!("{} ({})", hidden.join(" "), entry.action.help()))
        })
        .collect()
    }

    /// Whether a key as it is spelled sets a code.
    pub fn is_code_key(&self, key: &str) -> bool {
        let mut chars = key.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => self.review.book.by_key(c).is_some(),
            _ => false,
        }
    }
}
