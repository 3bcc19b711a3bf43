//! What runs, and what came of it.

use std::sync::Arc;

use super::errand::News;
use crate::provider::Event;
use crate::record::{Attempt, CallKind, Condition, Scorer, SearchResult, Usage};
use crate::runner::{Outcome, Repeats, Subject, outcome, partner, repeats};

/// Bytes of a text that are kept while it arrives; the record has all of it.
const KEPT: usize = 256 << 10;
/// Notes kept.
const NOTES: usize = 40;

/// How a job stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Requests are open or still to come.
    Running,
    /// It was told to stop and has not ended yet.
    Stopping,
    /// It is over.
    Over,
}

/// A step of the search timeline.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Its number.
    pub n: u32,
    /// What it is.
    pub kind: CallKind,
    /// Queries, or the page.
    pub queries: Vec<String>,
    /// What came back; `None` while it runs.
    pub results: Option<Vec<SearchResult>>,
    /// The provider's code when it failed.
    pub error: Option<String>,
}

/// One request, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// The condition.
    pub condition: Condition,
    /// The attempt's number.
    pub attempt: u32,
    /// The host, once it is asked.
    pub host: Option<String>,
    /// The timeline.
    pub steps: Vec<Step>,
    /// The answer so far.
    pub text: String,
    /// Whether the model is thinking where one can see it.
    pub thinks: bool,
    /// Milliseconds to the first output.
    pub first_ms: Option<f64>,
    /// Notes, the last ones.
    pub notes: Vec<String>,
    /// The wait before another try: its number, seconds left, why.
    pub wait: Option<(u32, u64, String)>,
    /// Usage so far.
    pub usage: Option<Usage>,
    /// The record, once it ended.
    pub record: Option<Box<Attempt>>,
    /// What came of it.
    pub outcome: Option<Outcome>,
    /// Where it was written, or why not.
    pub saved: Option<Result<String, String>>,
}

/// A question being asked.
#[derive(Debug)]
pub struct Job {
    /// Its number.
    pub id: u32,
    /// The question.
    pub subject: Subject,
    /// Whom.
    pub provider: String,
    /// The model.
    pub model: String,
    /// Whether a stored answer is shown again.
    pub replay: bool,
    /// The stored attempts of the row.
    pub sides: [Option<Arc<Attempt>>; 3],
    /// The requests.
    pub tasks: Vec<Progress>,
    /// How it stands.
    pub standing: Standing,
    /// Lines scrolled back from the newest.
    pub back: usize,
}

impl Job {
    /// Whether anything may still come.
    pub fn runs(&self) -> bool {
        self.standing != Standing::Over
    }

    /// What it is about, on one line.
    pub fn title(&self) -> String {
        let what = if self.replay { "REPLAY" } else { "asking" };
        format!("{what} {}  {} {}", self.subject.id, self.provider, self.model)
    }

    /// How it stands, in a word or two.
    pub fn state(&self) -> String {
        let done = self.tasks.iter().filter(|t| t.record.is_some()).count();
        match self.standing {
            Standing::Running => {
                format!("running {} of {}", (done + 1).min(self.tasks.len()), self.tasks.len())
            }
            Standing::Stopping => "stopping".into(),
            Standing::Over => match self.tasks.iter().filter_map(|t| t.outcome.as_ref()).next_back() {
                Some(outcome) if done == self.tasks.len() => outcome.verdict.name().into(),
                _ => format!("ended after {done} of {}", self.tasks.len()),
            },
        }
    }

    /// Takes what is told of it.
    pub fn take(&mut self, news: News, scorer: Scorer) {
        match news {
            News::Event(at, event) => {
                if let Some(task) = self.tasks.get_mut(at) {
                    task.take(event);
                }
            }
            News::Record(at, record) => {
                let other = self.partner_of(at, record.condition);
                let found = outcome(&record, other.as_ref(), &self.subject.references, scorer);
                if let Some(task) = self.tasks.get_mut(at) {
                    task.outcome = Some(found);
                    task.wait = None;
                    task.record = Some(record);
                }
            }
            News::Saved(at, saved) => {
                if let Some(task) = self.tasks.get_mut(at) {
                    task.saved = Some(saved.map(|p| p.display().to_string()));
                }
                // There is nothing left to stop: a key pressed now is meant for the dialog.
                if self.tasks.iter().all(|t| t.saved.is_some()) {
                    self.standing = Standing::Over;
                }
            }
            News::Over => self.standing = Standing::Over,
        }
    }

    /// What an attempt is compared with: the other one of the same number asked in this job, else the stored one.
    fn partner_of(&self, at: usize, condition: Condition) -> Option<Attempt> {
        let number = self.tasks.get(at)?.attempt;
        let wanted =
            if condition == Condition::NoSearch { Condition::WithSearch } else { Condition::NoSearch };
        let new = self
            .tasks
            .iter()
            .filter(|t| t.attempt == number && t.condition == wanted)
            .find_map(|t| t.record.as_deref());
        let pair_is_new = self.tasks.iter().any(|t| t.attempt == number && t.condition == wanted);
        if pair_is_new {
            return new.cloned();
        }
        partner(&self.sides, condition).map(|a| (**a).clone())
    }

    /// What its repeats say together, by condition; conditions asked once are left out.
    pub fn repeats(&self, scorer: Scorer) -> Vec<(Condition, Repeats)> {
        let of = |c: Condition| {
            let own: Vec<&Attempt> =
                self.tasks.iter().filter(|t| t.condition == c).filter_map(|t| t.record.as_deref()).collect();
            (own.len() > 1).then(|| (c, repeats(own, &self.subject.references, scorer)))
        };
        Condition::ALL.into_iter().filter_map(of).collect()
    }
}

impl Progress {
    /// A request of which nothing is known yet.
    pub fn new(condition: Condition, attempt: u32) -> Self {
        Self {
            condition,
            attempt,
            host: None,
            steps: Vec::new(),
            text: String::new(),
            thinks: false,
            first_ms: None,
            notes: Vec::new(),
            wait: None,
            usage: None,
            record: None,
            outcome: None,
            saved: None,
        }
    }

    fn take(&mut self, event: Event) {
        if event.is_output() {
            self.wait = None;
            self.thinks = matches!(event, Event::Reasoning(_));
        }
        match event {
            Event::Sent { host, .. } => {
                self.host = Some(host);
                self.wait = None;
            }
            Event::FirstOutput { ms } => self.first_ms = Some(ms),
            Event::SearchStarted { n, kind } => self.step(n).kind = kind,
            Event::SearchQuery { n, queries } => self.step(n).queries = queries,
            Event::Page { n, kind, url, pattern } => {
                let step = self.step(n);
                step.kind = kind;
                step.queries = url.into_iter().chain(pattern).collect();
            }
            Event::SearchResults { n, results } => self.step(n).results = Some(results),
            Event::SearchError { n, code } => self.step(n).error = Some(code),
            Event::Text(more) => {
                if self.text.len() < KEPT {
                    self.text.push_str(&more);
                }
            }
            Event::Replaced(text) => crate::text::head(&text, KEPT).clone_into(&mut self.text),
            Event::Usage(usage) => self.usage = Some(usage),
            Event::Continued { round } => self.note(format!("the provider paused; request {round} goes on")),
            Event::RetryWait { attempt, seconds, why } => self.wait = Some((attempt, seconds, why)),
            Event::Note(note) => self.note(note),
            Event::Accepted { .. } | Event::Citation(_) | Event::Reasoning(_) | Event::End(_) => {}
        }
    }

    fn note(&mut self, note: String) {
        if self.notes.len() < NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn step(&mut self, n: u32) -> &mut Step {
        let at = self.steps.iter().position(|s| s.n == n).unwrap_or_else(|| {
            self.steps.push(Step {
                n,
                kind: CallKind::Search,
                queries: Vec::new(),
                results: None,
                error: None,
            });
            self.steps.len() - 1
        });
        // Just found or pushed.
        #[allow(clippy::indexing_slicing)]
        &mut self.steps[at]
    }
}
