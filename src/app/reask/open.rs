//! The keys that open, send, stop and look at what is asked.

use super::super::menu::{Item, Menu, MenuChoice};
use super::super::{Effect, Model, Overlay};
use super::{Errand, Form, Job, News, Progress, Standing};
use crate::keymap::Action;
use crate::runner::{Subject, first_attempt};

/// Jobs that are remembered.
const KEPT: usize = 50;

impl Model {
    /// Opens the form for the question shown.
    pub(in super::super) fn open_reask(&mut self) {
        self.form_waits = false;
        let Some(pair) = self.shown() else { return self.say("select a question first") };
        match self.record(pair) {
            Some(Ok(bundle)) if self.prepared => {
                let form =
                    Form::new(&self.asking, pair, Subject::from(&*bundle.question), bundle.sides.clone());
                self.overlays.push(Overlay::Reask(Box::new(form)));
            }
            Some(Err(why)) => {
                let why = why.clone();
                self.fail(why);
            }
            _ => {
                self.form_waits = true;
                self.say("one moment…");
            }
        }
    }

    /// Lists what was asked, the newest first; the only one is opened at once.
    pub(in super::super) fn open_jobs(&mut self) {
        match self.jobs.as_slice() {
            [] => self.say("nothing was asked yet: the re-ask key asks the selected question"),
            [only] => self.overlays.push(Overlay::Job(only.id)),
            all => {
                let items = all.iter().rev().map(|job| Item {
                    label: job.title(),
                    note: job.state(),
                    key: String::new(),
                    choice: MenuChoice::Job(job.id),
                });
                self.overlays.push(Overlay::Menu(Menu::new("asked", true, items.collect())));
            }
        }
    }

    /// What an action does in the form; `None` when it is none of the form's.
    pub(in super::super) fn act_in_form(&mut self, action: Action) -> Vec<Effect> {
        let Some(Overlay::Reask(form)) = self.overlays.last_mut() else { return Vec::new() };
        match action {
            Action::FocusNext => form.step(true),
            Action::FocusPrevious => form.step(false),
            Action::Accept if form.field == super::Field::Prompt => {
                form.prompt.insert_newline();
                form.edited = true;
            }
            Action::EditText if form.uses(super::Field::Prompt) => {
                return vec![Effect::Edit(form.prompt_text())];
            }
            Action::Send | Action::Accept => return self.send(),
            _ => {}
        }
        Vec::new()
    }

    fn send(&mut self) -> Vec<Effect> {
        let Some(Overlay::Reask(form)) = self.overlays.last() else { return Vec::new() };
        let order = form.order(&self.asking);
        let first = first_attempt(&self.table, form.pair, &order.model, &order.conditions, order.repeats);
        // What is still running for the same question and model takes its numbers too.
        let same = |j: &&Job| !j.replay && j.subject.id == form.subject.id && j.model == order.model;
        let taken = self.jobs.iter().filter(same);
        let taken = taken.flat_map(|j| j.tasks.iter().map(|t| t.attempt)).max().unwrap_or(0);
        let blocked_only = order.conditions == [crate::record::Condition::EvidenceBlocked];
        let first = if blocked_only && taken < first { first } else { first.max(taken + 1) };
        let tasks = match form.tasks(&self.asking, first) {
            Ok(tasks) => tasks,
            Err(why) => {
                if let Some(Overlay::Reask(form)) = self.overlays.last_mut() {
                    form.error = Some(why);
                }
                return Vec::new();
            }
        };
        let id = self.jobs.last().map_or(1, |j| j.id + 1);
        let job = Job {
            id,
            subject: form.subject.clone(),
            provider: form.provider.clone(),
            model: order.model,
            replay: form.replays(),
            sides: form.sides.clone(),
            tasks: tasks
                .iter()
                .map(|(t, kept)| {
                    // What is shown again keeps its number.
                    Progress::new(t.ask.condition, kept.as_ref().map_or(t.given.attempt, |k| k.attempt))
                })
                .collect(),
            standing: Standing::Running,
            back: 0,
        };
        let errand = Errand { job: id, provider: job.provider.clone(), tasks };
        self.overlays.pop();
        if self.jobs.len() >= KEPT
            && let Some(old) = self.jobs.iter().position(|j| !j.runs())
        {
            self.jobs.remove(old);
        }
        self.jobs.push(job);
        self.overlays.push(Overlay::Job(id));
        vec![Effect::Ask(Box::new(errand))]
    }

    /// What an action does while a job is looked at.
    pub(in super::super) fn act_in_job(&mut self, action: Action, by: isize) -> Vec<Effect> {
        let Some(Overlay::Job(id)) = self.overlays.last() else { return Vec::new() };
        let id = *id;
        if action == Action::Accept {
            self.overlays.pop();
            if self.job(id).is_some_and(Job::runs) {
                self.say("it goes on in the background");
            }
            return Vec::new();
        }
        if let Some(job) = self.jobs.iter_mut().find(|j| j.id == id) {
            job.back = job.back.saturating_add_signed(-by.clamp(-10_000, 10_000));
        }
        Vec::new()
    }

    /// Esc in a job: what runs is stopped, what is over is closed.
    pub(in super::super) fn leave_job(&mut self) -> Vec<Effect> {
        let Some(Overlay::Job(id)) = self.overlays.last() else { return Vec::new() };
        let id = *id;
        match self.jobs.iter_mut().find(|j| j.id == id) {
            Some(job) if job.standing == Standing::Running => {
                job.standing = Standing::Stopping;
                vec![Effect::StopAsking(id)]
            }
            _ => {
                self.overlays.pop();
                Vec::new()
            }
        }
    }

    /// A job by its number.
    pub fn job(&self, id: u32) -> Option<&Job> {
        self.jobs.iter().find(|j| j.id == id)
    }

    /// Jobs that run.
    pub fn running(&self) -> usize {
        self.jobs.iter().filter(|j| j.runs()).count()
    }

    /// Takes what is told of a job.
    pub(in super::super) fn news(&mut self, id: u32, news: News) -> Vec<Effect> {
        let scorer = self.scorer;
        let looked_at = self.overlays.iter().any(|o| matches!(o, Overlay::Job(j) if *j == id));
        let Some(job) = self.jobs.iter_mut().find(|j| j.id == id) else { return Vec::new() };
        let over = news == News::Over;
        let saved = match &news {
            News::Saved(_, saved) => Some(saved.clone()),
            _ => None,
        };
        job.take(news, scorer);
        if over && !looked_at {
            let text = format!("{}: {}", job.title(), job.state());
            self.say(text);
        }
        match saved {
            // The file that was not there before is not among those that are watched.
            Some(Ok(path)) if !self.table.files.iter().any(|f| f.path == path) => vec![Effect::Reload],
            Some(Err(why)) => {
                self.fail(why);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }
}
