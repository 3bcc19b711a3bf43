//! What is to be asked.

use std::sync::Arc;

use crate::provider::{Ask, Given, Models, Style, domains_of, fill, prompt_for};
use crate::record::{Attempt, Condition, Question};
use crate::store::{NO, Table};

/// The question, as far as asking needs it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Subject {
    /// Its id.
    pub id: String,
    /// Its text.
    pub question: String,
    /// The answers that are accepted.
    pub references: Vec<String>,
    /// Its split.
    pub split: Option<String>,
}

impl From<&Question> for Subject {
    fn from(q: &Question) -> Self {
        Self {
            id: q.id.clone(),
            question: q.question.clone(),
            references: q.references.clone(),
            split: q.split.clone(),
        }
    }
}

/// How a question is to be asked.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The endpoint's name, or `replay`.
    pub provider: String,
    /// The model.
    pub model: String,
    /// Under which conditions, in this order.
    pub conditions: Vec<Condition>,
    /// Searches that the model may make, at least 1.
    pub max_searches: u32,
    /// How often under each condition, at least 1.
    pub repeats: u32,
    /// The prompt, with `{question}` where the question goes; `None` for the one that fits split and condition.
    pub prompt: Option<String>,
    /// Which family of prompts that one is taken from.
    pub style: Style,
    /// Temperature; models that refuse one are asked without.
    pub temperature: Option<f64>,
    /// Domains that searches leave out under [`Condition::EvidenceBlocked`].
    pub blocked: Vec<String>,
    /// Whether answers are to arrive as they are written.
    pub stream: bool,
}

impl Default for Order {
    fn default() -> Self {
        Self {
            provider: String::new(),
            model: String::new(),
            conditions: vec![Condition::WithSearch],
            max_searches: Ask::MAX_SEARCHES,
            repeats: 1,
            prompt: None,
            style: Style::default(),
            temperature: None,
            blocked: Vec::new(),
            stream: true,
        }
    }
}

/// One request, and what its record needs besides.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// What is sent.
    pub ask: Ask,
    /// What the record says that no provider knows. The time is set by whoever writes it.
    pub given: Given,
}

impl Order {
    /// An order for a model, named by itself or by a preset, with the settings of its preset; the provider's default
    /// where none is named. `None`: no model is named and there is no default.
    pub fn of(models: &Models, provider: &str, model: Option<&str>) -> Option<Self> {
        let own = || models.presets.iter().filter(|p| p.provider == provider);
        let by_name = model.and_then(|m| own().find(|p| p.name == m));
        let model = model.filter(|_| by_name.is_none());
        let preset = match (by_name, model) {
            (Some(preset), _) => Some(preset),
            (None, Some(model)) => own().find(|p| p.model == model),
            (None, None) => models.default_of(provider),
        };
        let (temperature, max_searches) =
            preset.map_or((None, Ask::MAX_SEARCHES), |p| (p.temperature, p.max_searches));
        let model = model.map(str::to_owned).or_else(|| preset.map(|p| p.model.clone()))?;
        Some(Self { provider: provider.to_owned(), model, temperature, max_searches, ..Self::default() })
    }

    /// The text of the prompt under a condition, before the question is put in.
    pub fn prompt_text(&self, subject: &Subject, condition: Condition) -> String {
        match &self.prompt {
            Some(prompt) => prompt.clone(),
            None => prompt_for(self.style, subject.split.as_deref(), condition).text.to_owned(),
        }
    }

    /// The requests: each repeat under every condition, repeats numbered from `first`.
    pub fn tasks(&self, subject: &Subject, first: u32, run_id: &str) -> Vec<Task> {
        let numbers = first..first.saturating_add(self.repeats.max(1));
        let both = numbers.flat_map(|n| self.conditions.iter().map(move |&c| (n, c)));
        both.map(|(attempt, condition)| {
            let prompt = fill(&self.prompt_text(subject, condition), &subject.question);
            let mut ask = Ask::new(self.model.clone(), condition, prompt);
            ask.max_searches = self.max_searches.max(1);
            ask.temperature = self.temperature;
            ask.blocked_domains.clone_from(&self.blocked);
            ask.stream = self.stream;
            let given = Given {
                question_id: subject.id.clone(),
                run_id: Some(run_id.to_owned()),
                split: subject.split.clone(),
                question: Some(subject.question.clone()),
                references: Some(subject.references.clone()).filter(|r| !r.is_empty()),
                attempt,
                created_at: None,
            };
            Task { ask, given }
        })
        .collect()
    }
}

/// The attempt number that is free for a question and a model: after every stored one, those of the model's snapshots
/// included, since a server may answer as one (`gpt-4.1` as `gpt-4.1-2025-04-14`).
pub fn next_attempt(table: &Table, question: u32, model: &str) -> u32 {
    let is_snapshot = |word: &str| {
        let rest = word.strip_prefix(model);
        rest.is_some_and(|r| {
            r.is_empty() || r.strip_prefix('-').is_some_and(|d| d.starts_with(|c: char| c.is_ascii_digit()))
        })
    };
    let same = |n: u16| table.names.models.word(n).is_some_and(is_snapshot);
    let first = table.questions.get(question as usize).map_or(NO, |q| q.first_pair);
    let row = |at: u32| table.pairs.get(at as usize);
    let rows = std::iter::successors(row(first), move |p| row(p.next));
    let own = rows.filter(|p| same(p.model) && p.sides.iter().any(|&s| s != NO));
    own.map(|p| u32::from(p.attempt)).max().unwrap_or(0).saturating_add(1)
}

/// The number of the first of `repeats` new attempts beside a row: a single one without the evidence takes the row's own
/// number where that side is free, so that all three conditions stand in one row; else [`next_attempt`].
pub fn first_attempt(table: &Table, pair: u32, model: &str, conditions: &[Condition], repeats: u32) -> u32 {
    let Some(row) = table.pairs.get(pair as usize) else { return 1 };
    let same = table.names.models.find(model) == Some(row.model);
    let free = row.sides.get(Condition::EvidenceBlocked as usize) == Some(&NO);
    if same && free && repeats <= 1 && conditions == [Condition::EvidenceBlocked] {
        return u32::from(row.attempt);
    }
    next_attempt(table, row.question, model)
}

/// The stored attempt that a condition is replayed from, and whose evidence is blocked: that condition's own, or for
/// [`Condition::EvidenceBlocked`] the one with search.
pub fn stored(sides: &[Option<Arc<Attempt>>; 3], condition: Condition) -> Option<&Arc<Attempt>> {
    let side = |c: Condition| sides.get(c as usize).and_then(Option::as_ref);
    match condition {
        Condition::EvidenceBlocked => side(condition).or_else(|| side(Condition::WithSearch)),
        other => side(other),
    }
}

impl Order {
    /// Blocks the domains that the stored answer with search leaned on.
    pub fn block_evidence_of(&mut self, sides: &[Option<Arc<Attempt>>; 3]) {
        let with = sides.get(Condition::WithSearch as usize).and_then(Option::as_ref);
        self.blocked = with.map(|a| domains_of(a)).unwrap_or_default();
    }
}
