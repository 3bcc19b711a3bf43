//! A question being asked: its searches and answer as they arrive, then what came of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::Model;
use crate::app::reask::{Job, Progress, Standing, Step};
use crate::record::{CallKind, Condition};
use crate::runner::{advice, partner, stored_transition};
use crate::text;
use crate::theme::{Role, Theme};
use crate::view::cell::{dollars, fraction, seconds, signed, thousands};
use crate::view::mark;

use super::super::detail::verdict_role;
use super::super::header::role;
use super::super::rich::{Rich, long};
use super::super::{Drawn, write};
use super::frame;

/// Bytes of an answer that are laid out anew for each frame while it arrives.
const TAIL: usize = 4 << 10;
/// Bytes of an answer that are laid out when it is over.
const WHOLE: usize = 16 << 10;
/// Cells of the answer in the result; the whole of it stands above.
const SHORT: usize = 160;
/// Addresses of a search that are listed.
const LISTED: usize = 5;

pub(super) fn draw(
    model: &Model,
    theme: &Theme,
    job: &Job,
    screen: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let width = screen.width.saturating_sub(4).min(110);
    let room = usize::from(width.saturating_sub(2));
    let page = Page { model, theme, job, width: room };
    let lines = page.lines();
    let height = (lines.len() as u16 + 1).clamp(8, screen.height.saturating_sub(4).max(8));
    let inside = frame(theme, &job.title(), (width, height), screen, buffer, drawn);
    let visible = usize::from(inside.height.saturating_sub(1));
    // The newest is at the bottom and in sight, unless one scrolls back.
    let last = lines.len().saturating_sub(visible);
    let first = last.saturating_sub(job.back.min(last));
    for (at, line) in lines.iter().skip(first).take(visible).enumerate() {
        super::super::line(buffer, inside.x + 1, inside.y + at as u16, line, inside.width.saturating_sub(2));
    }
    let hint = match job.standing {
        Standing::Running => "esc stops it and keeps what came · enter lets it run in the background",
        Standing::Stopping => "stopping…",
        Standing::Over => "esc closes · ↑↓ scroll",
    };
    let base = theme.style(Role::Popup).patch(theme.style(Role::Dim));
    write(buffer, inside, inside.x + 1, inside.bottom().saturating_sub(1), hint, base);
}

struct Page<'a> {
    model: &'a Model,
    theme: &'a Theme,
    job: &'a Job,
    width: usize,
}

impl Page<'_> {
    fn lines(&self) -> Vec<Line<'static>> {
        let mut lines = Rich::of(
            &text::sanitize_line(text::head(&self.job.subject.question, 2_048)),
            self.theme.style(Role::Heading),
        )
        .wrap(self.width, 0);
        for (at, task) in self.job.tasks.iter().enumerate() {
            let current = task.record.is_none() && at == self.current();
            if task.record.is_some() || current {
                self.task(task, &mut lines);
            }
        }
        self.repeats(&mut lines);
        lines
    }

    /// The request that is open.
    fn current(&self) -> usize {
        self.job.tasks.iter().position(|t| t.record.is_none()).unwrap_or(usize::MAX)
    }

    fn say(&self, lines: &mut Vec<Line<'static>>, said: &str, role: Role) {
        lines.extend(Rich::of(&text::sanitize_line(said), self.theme.style(role)).wrap(self.width, 2));
    }

    fn task(&self, task: &Progress, lines: &mut Vec<Line<'static>>) {
        lines.push(Line::default());
        let condition = task.condition.name().replace('_', " ");
        let host = task.host.as_deref().map(|h| format!("  {h}")).unwrap_or_default();
        let replay = if self.job.replay { "  REPLAY" } else { "" };
        self.say(lines, &format!("── {condition}, attempt {}{host}{replay}", task.attempt), Role::Heading);
        for step in &task.steps {
            self.step(step, lines);
        }
        for note in &task.notes {
            self.say(lines, &format!("· {note}"), Role::Warning);
        }
        if let Some((attempt, left, why)) = &task.wait {
            self.say(lines, &format!("try {attempt} in {left} s: {why}"), Role::Warning);
        }
        if task.record.is_none() {
            if task.text.is_empty() {
                let what = if task.thinks { "thinking…" } else { "waiting for the answer…" };
                if task.wait.is_none() {
                    self.say(lines, what, Role::Dim);
                }
            } else {
                let from = task.text.len().saturating_sub(TAIL);
                let from = (from..=task.text.len()).find(|&i| task.text.is_char_boundary(i)).unwrap_or(0);
                let tail = task.text.get(from..).unwrap_or_default();
                lines.extend(Rich::of(tail, self.theme.style(Role::Text)).wrap(self.width, 0));
            }
            return;
        }
        self.result(task, lines);
    }

    fn step(&self, step: &Step, lines: &mut Vec<Line<'static>>) {
        let dim = self.theme.style(Role::Dim);
        let plain = self.theme.style(Role::Text);
        let what = match step.kind {
            CallKind::OpenPage => "open",
            CallKind::FindInPage => "find",
            _ => "search",
        };
        let mut rich = Rich::of(&format!("{what} {}  ", step.n), self.theme.style(Role::Accent));
        let queries: Vec<String> =
            step.queries.iter().map(|q| format!("“{}”", text::sanitize_line(text::head(q, 1_024)))).collect();
        rich.push(&queries.join("  "), plain);
        match (&step.error, &step.results) {
            (Some(code), _) => {
                rich.push(&format!("  failed: {}", text::sanitize_line(code)), self.theme.style(Role::Error));
            }
            (None, Some(results)) => {
                rich.push(&format!("  {}", text::several(results.len(), "result")), dim);
            }
            (None, None) => {
                rich.push("  …", dim);
            }
        }
        lines.extend(rich.wrap(self.width, 4));
        for result in step.results.iter().flatten().take(LISTED) {
            let host = text::host(&result.url).unwrap_or(&result.url);
            let title = result.title.as_deref().unwrap_or_default();
            let line = format!("   {}  {}", text::head(host, 200), text::head(title, 400));
            let line = text::truncate(&text::sanitize_line(&line), self.width).into_owned();
            lines.push(Line::styled(line, dim));
        }
    }

    /// What came of it, beside what is stored.
    fn result(&self, task: &Progress, lines: &mut Vec<Line<'static>>) {
        let (Some(record), Some(outcome)) = (&task.record, &task.outcome) else { return };
        let dim = self.theme.style(Role::Dim);
        let raw = record.raw.as_deref().unwrap_or_default();
        if !raw.is_empty() {
            let raw = text::sanitize(raw);
            lines.extend(long(&raw, WHOLE, self.width, self.theme.style(Role::Text), dim));
        }
        if let Some(error) = &record.error {
            let partial = if raw.is_empty() { "" } else { "PARTIAL  " };
            self.say(
                lines,
                &format!("{partial}{}: {}", error.kind.replace('_', " "), error.message),
                Role::Error,
            );
            if let Some(next) = advice(&error.kind) {
                self.say(lines, &format!("→ {next}"), Role::Warning);
            }
        }
        let mut rich = Rich::of("answer  ", dim);
        let answer = text::sanitize_line(text::head(record.answer.as_deref().unwrap_or("–").trim(), 1_024));
        let answer = text::truncate(&answer, SHORT);
        rich.push(&answer, self.theme.style(Role::Text));
        rich.push(
            &format!("   {} {}", mark(outcome.verdict), outcome.verdict.name()),
            self.theme.style(verdict_role(outcome.verdict)),
        );
        if !outcome.why.is_empty() {
            rich.push(&format!("  {}", text::sanitize_line(text::head(&outcome.why, 1_024))), dim);
        }
        lines.extend(rich.wrap(self.width, 8));
        let t = outcome.transition;
        let pair = self.job.tasks.iter().any(|o| o.attempt == task.attempt && o.condition != task.condition);
        let other = partner(&self.job.sides, record.condition).filter(|p| p.model != record.model);
        let against = match other {
            _ if pair => "within the new pair  ".to_owned(),
            Some(other) => format!("against the stored answer of {}  ", text::sanitize_line(&other.model)),
            None => "against the stored answer  ".to_owned(),
        };
        let mut rich = Rich::of(&against, dim);
        rich.push(&format!("{} {}", t.glyph().trim(), t.name().replace('_', " ")), self.theme.style(role(t)));
        let both = pair && !self.job.replay && record.condition == Condition::WithSearch;
        let before = both
            .then(|| stored_transition(&self.job.sides, &self.job.subject.references, self.model.scorer))
            .flatten();
        if let Some(before) = before {
            // A new pair stands beside the stored one.
            let change = if before == t { "as stored" } else { "stored" };
            let name = before.name().replace('_', " ");
            rich.push(&format!("   {change} {} {name}", before.glyph().trim()), dim);
        }
        let mut facts = vec![match record.confidence {
            Some(c) => format!("confidence {}", fraction(c)),
            None => "no confidence stated".into(),
        }];
        facts.extend(outcome.dconf.map(|d| format!("Δ {}", signed(d))));
        facts.extend(record.cost_usd.map(dollars));
        facts.extend(task.first_ms.map(|ms| format!("first output {}", seconds(whole(ms)))));
        facts.extend(record.latency_ms.map(|ms| format!("in all {}", seconds(whole(ms)))));
        facts.extend(
            record
                .usage
                .total()
                .map(|n| text::counted(n, thousands(n.min(u64::from(u32::MAX)) as u32), "token")),
        );
        rich.push(&format!("   {}", facts.join(" · ")), dim);
        lines.extend(rich.wrap(self.width, 4));
        match &task.saved {
            Some(Ok(path)) => self.say(lines, &format!("saved to {path}"), Role::Dim),
            Some(Err(why)) => self.say(lines, &format!("NOT saved: {why}"), Role::Error),
            None if self.job.replay => {
                self.say(lines, "REPLAY: nothing new was asked, nothing is saved", Role::Warning);
            }
            None => self.say(lines, "saving…", Role::Dim),
        }
    }

    fn repeats(&self, lines: &mut Vec<Line<'static>>) {
        for (condition, found) in self.job.repeats(self.model.scorer) {
            lines.push(Line::default());
            let answers: Vec<String> = found
                .answers
                .iter()
                .take(8)
                .map(|(a, n)| {
                    format!("{n} × {}", text::truncate(&text::sanitize_line(text::head(a, 400)), 60))
                })
                .collect();
            let name = if condition == Condition::NoSearch { "without search" } else { "with search" };
            let flips = found.flip_rate().map_or_else(|| "–".into(), fraction);
            let pass = found.pass_at(1).map_or_else(|| "–".into(), fraction);
            let all = found.pass_at(found.judged).map_or_else(|| "–".into(), fraction);
            self.say(
                lines,
                &format!(
                    "repeats {name}: {}   flip rate {flips}, pass@1 {pass}, pass@{} {all}",
                    answers.join(", "),
                    found.judged
                ),
                Role::Accent,
            );
        }
    }
}

fn whole(ms: f64) -> u32 {
    ms.clamp(0.0, f64::from(u32::MAX)) as u32
}
