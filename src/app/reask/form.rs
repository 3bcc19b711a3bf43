//! The form: whom, which model, how, with which words.

use std::sync::Arc;

use tui_textarea::{CursorMove, TextArea};

use super::super::Line;
use super::errand::Asking;
use crate::keymap::{Code, Key};
use crate::provider::{Replay, normalized};
use crate::record::{Attempt, Condition};
use crate::runner::{Order, Subject, Task, stored};

/// The most searches and repeats that can be chosen here.
const MOST: u32 = 20;

/// A field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Whom to ask.
    Provider,
    /// Which model.
    Model,
    /// Under which condition.
    Condition,
    /// The search cap.
    Searches,
    /// How often.
    Repeats,
    /// The domains that searches leave out.
    Blocked,
    /// The prompt.
    Prompt,
}

impl Field {
    /// Every field, in the order of the form.
    pub const ALL: [Self; 7] = [
        Self::Provider,
        Self::Model,
        Self::Condition,
        Self::Searches,
        Self::Repeats,
        Self::Blocked,
        Self::Prompt,
    ];
}

/// Which conditions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// One.
    One(Condition),
    /// Without and with search: a whole new pair.
    Both,
}

impl Wish {
    const ALL: [Self; 4] = [
        Self::One(Condition::NoSearch),
        Self::One(Condition::WithSearch),
        Self::Both,
        Self::One(Condition::EvidenceBlocked),
    ];

    /// The words shown.
    pub const fn words(self) -> &'static str {
        match self {
            Self::One(Condition::NoSearch) => "without search",
            Self::One(Condition::WithSearch) => "with search",
            Self::One(Condition::EvidenceBlocked) => "with search, evidence blocked",
            Self::Both => "both: a new pair",
        }
    }

    /// The conditions, in the order in which they are asked.
    pub fn conditions(self) -> Vec<Condition> {
        match self {
            Self::One(condition) => vec![condition],
            Self::Both => vec![Condition::NoSearch, Condition::WithSearch],
        }
    }
}

/// The form.
#[derive(Debug)]
pub struct Form {
    /// The row that it is about.
    pub pair: u32,
    /// The question.
    pub subject: Subject,
    /// The stored attempts of the row.
    pub sides: [Option<Arc<Attempt>>; 3],
    /// Where the keys go.
    pub field: Field,
    /// The name of whom to ask.
    pub provider: String,
    /// The model.
    pub model: Line,
    /// The conditions.
    pub wish: Wish,
    /// The search cap.
    pub searches: u32,
    /// How often.
    pub repeats: u32,
    /// Domains, separated by commas.
    pub blocked: Line,
    /// The prompt.
    pub prompt: TextArea<'static>,
    /// Whether the prompt is the user's own by now.
    pub edited: bool,
    /// What stands in the way of sending.
    pub error: Option<String>,
}

impl Form {
    /// A form for a row, filled in with what is likeliest wanted.
    pub fn new(asking: &Asking, pair: u32, subject: Subject, sides: [Option<Arc<Attempt>>; 3]) -> Self {
        let any = sides.iter().flatten().next();
        let theirs = any.and_then(|a| a.provider.as_deref());
        let ready = |w: &&super::Whom| w.ready.is_ok();
        let provider = asking
            .whom
            .iter()
            .filter(ready)
            .find(|w| Some(w.name.as_str()) == theirs)
            .or_else(|| asking.whom.iter().find(ready))
            .map_or(Replay::NAME, |w| &w.name)
            .to_owned();
        let mut form = Self {
            pair,
            subject,
            sides,
            field: Field::Condition,
            provider,
            model: Line::default(),
            wish: Wish::One(Condition::WithSearch),
            searches: crate::provider::Ask::MAX_SEARCHES,
            repeats: 1,
            blocked: Line::default(),
            prompt: TextArea::default(),
            edited: false,
            error: None,
        };
        let mut order = Order::default();
        order.block_evidence_of(&form.sides);
        form.blocked.set(&order.blocked.join(", "));
        form.propose_model(asking);
        form.propose_prompt();
        form
    }

    /// Whether a stored answer is shown again instead of asking.
    pub fn replays(&self) -> bool {
        self.provider == Replay::NAME
    }

    fn propose_model(&mut self, asking: &Asking) {
        let stored = self.sides.iter().flatten().next();
        let own = stored.filter(|a| {
            self.replays()
                || a.provider.as_deref() == Some(&self.provider)
                || asking.models.find(&self.provider, &a.model).is_some()
        });
        let default = asking.models.default_of(&self.provider).map(|p| p.model.clone());
        self.model.set(&own.map(|a| a.model.clone()).or(default).unwrap_or_default());
    }

    fn propose_prompt(&mut self) {
        if self.edited {
            return;
        }
        let condition = self.wish.conditions().last().copied().unwrap_or_default();
        self.set_prompt(&Order::default().prompt_text(&self.subject, condition));
    }

    fn set_prompt(&mut self, text: &str) {
        self.prompt = TextArea::new(text.trim_end().lines().map(str::to_owned).collect());
    }

    /// The prompt's text.
    pub fn prompt_text(&self) -> String {
        self.prompt.lines().join("\n")
    }

    /// Takes a prompt that was written elsewhere.
    pub fn take_prompt(&mut self, text: &str) {
        self.set_prompt(&crate::text::sanitize(text));
        self.edited = true;
    }

    /// Goes to the next field, or the one before; those without meaning now are passed over.
    pub fn step(&mut self, forward: bool) {
        let fields: Vec<Field> = Field::ALL.into_iter().filter(|&f| self.uses(f)).collect();
        let at = fields.iter().position(|&f| f == self.field).unwrap_or(0);
        let by = if forward { 1 } else { fields.len() - 1 };
        self.field = fields.get((at + by) % fields.len()).copied().unwrap_or(Field::Condition);
    }

    /// Whether a field means anything now.
    pub fn uses(&self, field: Field) -> bool {
        let searches = self.wish != Wish::One(Condition::NoSearch);
        match field {
            Field::Provider | Field::Condition => true,
            Field::Model | Field::Prompt | Field::Repeats => !self.replays(),
            Field::Searches => searches && !self.replays(),
            Field::Blocked => self.wish == Wish::One(Condition::EvidenceBlocked) && !self.replays(),
        }
    }

    /// A key that is no action.
    pub fn key(&mut self, key: Key, asking: &Asking) {
        self.error = None;
        let by = match (key.code(), key.text()) {
            (Code::Left, _) | (_, Some('-')) => Some(false),
            (Code::Right, _) | (_, Some(' ' | '+')) => Some(true),
            _ => None,
        };
        match (self.field, key.code()) {
            (Field::Prompt, _) => {
                let before = self.prompt.lines().to_vec();
                self.prompt.input(crossterm::event::KeyEvent::from(key));
                self.edited |= self.prompt.lines() != before;
            }
            (Field::Model, Code::Up | Code::Down) => self.next_model(key.code() == Code::Down, asking),
            (Field::Model, _) => drop(self.model.key(key)),
            (_, Code::Up | Code::Down) => self.step(key.code() == Code::Down),
            (Field::Blocked, _) => drop(self.blocked.key(key)),
            (Field::Provider, _) => {
                let names = asking.names();
                let at = names.iter().position(|n| *n == self.provider).unwrap_or(0);
                if let Some(forward) = by {
                    let next = names.get((at + if forward { 1 } else { names.len() - 1 }) % names.len());
                    next.copied().unwrap_or(Replay::NAME).clone_into(&mut self.provider);
                    self.propose_model(asking);
                }
            }
            (Field::Condition, _) => {
                let at = Wish::ALL.iter().position(|w| *w == self.wish).unwrap_or(0);
                if let Some(forward) = by {
                    let next =
                        Wish::ALL.get((at + if forward { 1 } else { Wish::ALL.len() - 1 }) % Wish::ALL.len());
                    self.wish = next.copied().unwrap_or(self.wish);
                    self.propose_prompt();
                }
            }
            (Field::Searches, _) => count(&mut self.searches, by, key),
            (Field::Repeats, _) => count(&mut self.repeats, by, key),
        }
    }

    /// Text that was pasted.
    pub fn paste(&mut self, text: &str) {
        match self.field {
            Field::Prompt => {
                self.prompt.insert_str(crate::text::sanitize(text));
                self.edited = true;
            }
            Field::Model => self.model.insert(&crate::text::sanitize_line(text)),
            Field::Blocked => self.blocked.insert(&crate::text::sanitize_line(text)),
            _ => {}
        }
    }

    fn next_model(&mut self, forward: bool, asking: &Asking) {
        let presets = asking.models.presets.iter().filter(|p| p.provider == self.provider);
        let all = asking.models.models.iter().filter(|m| m.provider == self.provider);
        let mut names: Vec<&str> = presets.map(|p| p.model.as_str()).collect();
        for model in all {
            if !names.contains(&model.id.as_str()) {
                names.push(&model.id);
            }
        }
        let now = self.model.text();
        let at = names.iter().position(|n| *n == now);
        let next = match (at, forward) {
            (Some(at), true) => (at + 1) % names.len(),
            (Some(at), false) => (at + names.len() - 1) % names.len(),
            (None, _) => 0,
        };
        if let Some(name) = names.get(next) {
            self.model.set(name);
        }
    }

    /// What is wanted.
    pub fn order(&self, asking: &Asking) -> Order {
        let model = self.model.text().trim().to_owned();
        let preset = Order::of(&asking.models, &self.provider, Some(&model));
        Order {
            provider: self.provider.clone(),
            // A preset may be named in its place.
            model: preset.as_ref().map_or(model, |o| o.model.clone()),
            conditions: self.wish.conditions(),
            max_searches: self.searches,
            repeats: self.repeats,
            prompt: self.edited.then(|| self.prompt_text()),
            blocked: normalized(self.blocked.text().split([',', ' '])),
            temperature: preset.and_then(|o| o.temperature),
            ..Order::default()
        }
    }

    /// The requests with the stored attempts that are replayed.
    ///
    /// # Errors
    /// What stands in the way, in words.
    pub fn tasks(&self, asking: &Asking, first: u32) -> Result<Vec<(Task, Option<Attempt>)>, String> {
        if let Some(whom) = asking.find(&self.provider) {
            whom.ready.clone()?;
        }
        let mut order = self.order(asking);
        if self.replays() {
            order.repeats = 1;
            order.prompt = None;
        } else if order.model.is_empty() {
            return Err("name a model".into());
        } else if self.subject.question.trim().is_empty() {
            return Err("the question's text is not known: open the file that has it".into());
        } else if self.wish == Wish::One(Condition::EvidenceBlocked) && order.blocked.is_empty() {
            return Err("no domain is blocked: the stored answer cites none, so name some".into());
        } else if self.edited && self.prompt_text().trim().is_empty() {
            return Err("the prompt is empty".into());
        }
        let tasks = order.tasks(&self.subject, first, &asking.run_id);
        let replays = self.replays();
        tasks
            .into_iter()
            .map(|task| {
                let kept = stored(&self.sides, task.ask.condition).map(|a| (**a).clone());
                match (replays, kept) {
                    (true, None) => Err("nothing is stored under this condition to be replayed".into()),
                    (true, kept) => Ok((task, kept)),
                    (false, _) => Ok((task, None)),
                }
            })
            .collect()
    }

    /// Moves the prompt's cursor to its end, where one goes on writing.
    pub fn to_end(&mut self) {
        self.prompt.move_cursor(CursorMove::Bottom);
        self.prompt.move_cursor(CursorMove::End);
    }
}

fn count(value: &mut u32, by: Option<bool>, key: Key) {
    let digit = key.text().and_then(|c| c.to_digit(10)).filter(|d| *d > 0);
    *value = match (by, digit) {
        (Some(true), _) => (*value + 1).min(MOST),
        (Some(false), _) => value.saturating_sub(1).max(1),
        (None, Some(digit)) => digit,
        (None, None) => *value,
    };
}
