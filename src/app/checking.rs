//! The problems dialog: what the loader and the settings complained of, and what testing everything finds.
//!
//! Testing reads every record, so it runs outside, only while the dialog is open, and its report is kept for as long
//! as the table and the scorer are those that it is about.

use std::sync::Arc;

use crate::check::{Kind, Report, Weight};
use crate::record::Scorer;
use crate::store::{Severity, Table};
use crate::text::{sanitize_line, several, truncate};

use super::{Effect, Focus, Model, Overlay, TextDialog, TextKind};
use crate::keymap::Action;

/// Findings of one kind that are listed.
const SHOWN: usize = 10;
/// Cells of one line that are shown: ids and paths may be of any length.
const LONGEST: usize = 600;

/// Something to test.
#[derive(Debug, Clone)]
pub struct CheckRequest {
    /// Number; a newer request makes older ones moot.
    pub id: u64,
    /// The table to test.
    pub table: Arc<Table>,
    /// How answers are judged.
    pub scorer: Scorer,
}

/// What a report is about: with another table or scorer it would be another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Of {
    generation: u32,
    scorer: Scorer,
    attempts: usize,
    questions: usize,
}

impl Of {
    /// Whether a report still holds, if perhaps not for everything that was read since.
    fn holds(self, now: Self) -> bool {
        (self.generation, self.scorer) == (now.generation, now.scorer)
    }
}

#[derive(Debug, Default)]
enum State {
    /// Nobody asked.
    #[default]
    Idle,
    /// Files are still being read: half of them would contradict the other half.
    Waiting,
    Running(Of),
    Done(Of, Arc<Report>),
    Failed(String),
}

/// Where testing stands.
#[derive(Debug, Default)]
pub struct Checking {
    asked: u64,
    state: State,
    /// Of each line of the dialog the row that it leads to.
    leads: Vec<Option<u32>>,
}

impl Checking {
    /// Whether a test is running.
    pub const fn is_running(&self) -> bool {
        matches!(self.state, State::Running(_))
    }

    /// What was found, once it was.
    pub fn report(&self) -> Option<&Report> {
        match &self.state {
            State::Done(_, report) => Some(report),
            _ => None,
        }
    }
}

/// A line of a text dialog.
type Line = (TextKind, String, String);

/// Lines with the rows that they lead to.
#[derive(Default)]
struct Written {
    lines: Vec<Line>,
    leads: Vec<Option<u32>>,
}

impl Written {
    fn push(&mut self, line: Line) {
        self.lead(line, None);
    }

    fn lead(&mut self, line: Line, row: Option<u32>) {
        self.lines.push(line);
        self.leads.push(row);
    }
}

impl Model {
    pub(super) fn open_problems(&mut self) -> Vec<Effect> {
        let now = self.checked_now();
        if !matches!(self.checking.state, State::Done(of, _) if of == now) {
            self.checking.state = State::Waiting;
        }
        self.overlays.push(Overlay::Problems(TextDialog::with_cursor("", Vec::new())));
        self.go_on_checking()
    }

    /// A newer table, while the dialog is open.
    pub(super) fn check_newer_table(&mut self) -> Vec<Effect> {
        if !self.overlays.iter().any(|o| matches!(o, Overlay::Problems(_))) {
            return Vec::new();
        }
        let now = self.checked_now();
        let moot = match self.checking.state {
            State::Running(of) | State::Done(of, _) => !of.holds(now),
            State::Failed(_) | State::Waiting | State::Idle => false,
        };
        let mut effects = Vec::new();
        if moot {
            if self.checking.is_running() {
                effects.push(Effect::StopChecking);
            }
            self.checking.state = State::Waiting;
        }
        effects.extend(self.go_on_checking());
        effects
    }

    /// The test ended: what it found, or why it could not be made.
    pub(super) fn take_report(&mut self, id: u64, report: Result<Report, String>) -> Vec<Effect> {
        let State::Running(of) = self.checking.state else { return Vec::new() };
        if id != self.checking.asked {
            return Vec::new();
        }
        self.checking.state = match report {
            _ if !of.holds(self.checked_now()) => State::Idle,
            Ok(report) => State::Done(of, Arc::new(report)),
            Err(why) => State::Failed(why),
        };
        self.write_problems();
        Vec::new()
    }

    /// The dialog was closed: nobody waits for what is running.
    pub(super) fn stop_checking(&mut self) -> Vec<Effect> {
        let running = self.checking.is_running();
        if running || matches!(self.checking.state, State::Waiting) {
            self.checking.state = State::Idle;
        }
        if running { vec![Effect::StopChecking] } else { Vec::new() }
    }

    /// The row that a line of the dialog leads to.
    pub fn problem_row(&self, line: usize) -> Option<u32> {
        self.checking.leads.get(line).copied().flatten()
    }

    /// Goes to the row that a line of the dialog is about. A filter that hides it is cleared.
    pub(super) fn go_to_problem(&mut self, line: usize) -> Vec<Effect> {
        let Some(row) = self.problem_row(line).filter(|&row| self.pair(row).is_some()) else {
            if self.checking.leads.iter().all(Option::is_none) {
                return self.close_top();
            }
            self.say("no row belongs to this line; lines with → lead to theirs");
            return Vec::new();
        };
        let mut effects = self.stop_checking();
        self.overlays.clear();
        let is_shown = self.view.rows.position(row).is_some();
        self.choose(row);
        self.focus = Focus::List;
        if !is_shown && self.filter.active() {
            effects.extend(self.act(Action::ClearFilter));
            self.say("the filter was cleared: it hid this row");
        }
        effects
    }

    fn checked_now(&self) -> Of {
        Of {
            generation: self.table.generation,
            scorer: self.scorer,
            attempts: self.table.attempts.len(),
            questions: self.table.questions.len(),
        }
    }

    /// Begins to test as soon as there is all to be tested, and writes the dialog anew.
    fn go_on_checking(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        if matches!(self.checking.state, State::Waiting) && self.table.progress.done {
            self.checking.asked += 1;
            self.checking.state = State::Running(self.checked_now());
            effects.push(Effect::Check(Box::new(CheckRequest {
                id: self.checking.asked,
                table: self.table.clone(),
                scorer: self.scorer,
            })));
        }
        self.write_problems();
        effects
    }

    fn write_problems(&mut self) {
        let mut written = self.loading_problems();
        let found = self.found(&mut written);
        let Written { mut lines, leads } = written;
        self.checking.leads = leads;
        for (.., said) in &mut lines {
            let cut = truncate(&sanitize_line(said), LONGEST).into_owned();
            *said = cut;
        }
        let problems = &self.table.problems;
        let title = format!("problems: {} not used, {} in doubt{found}", problems.errors, problems.warnings);
        for overlay in &mut self.overlays {
            if let Overlay::Problems(dialog) = overlay {
                dialog.title.clone_from(&title);
                dialog.renew(std::mem::take(&mut lines));
                dialog.step(0, self.size);
            }
        }
    }

    /// What is known without a test.
    fn loading_problems(&self) -> Written {
        let problems = &self.table.problems;
        let mut lines = Written::default();
        for error in &self.config_errors {
            lines.push((TextKind::Error, "settings".into(), error.clone()));
        }
        self.bad_notes(&mut lines);
        let report = self.checking.report();
        for problem in &problems.list {
            let (kind, word) = match problem.severity {
                Severity::Error => (TextKind::Error, "not used"),
                Severity::Warning => (TextKind::Warning, "doubt"),
            };
            let row = report.and_then(|r| r.row_of(&problem.path, problem.line));
            lines.lead((kind, word.into(), problem.to_string()), row);
        }
        let all = problems.errors + problems.warnings;
        let kept = problems.list.len() as u64;
        if all > kept {
            lines.push(plain(format!("and {} more of the same kinds", all - kept)));
        }
        if lines.lines.is_empty() {
            lines.push(plain("Files and settings were read without a doubt."));
        }
        lines
    }

    /// Adds the lines of the notes that are not used: what somebody said counts nowhere, and a message that the next key
    /// takes away is no list.
    fn bad_notes(&self, lines: &mut Written) {
        let bad = self.review.notes.bad();
        for line in bad.iter().take(SHOWN) {
            let said = format!("{}:{}: {} (left out)", self.review.place, line.line, line.why);
            lines.push((TextKind::Error, "notes".into(), said));
        }
        if bad.len() > SHOWN {
            lines.push(plain(format!("… {} more lines of the notes are left out", bad.len() - SHOWN)));
        }
    }

    /// Adds what testing found, contradictions first, and answers its counts for the title.
    fn found(&self, lines: &mut Written) -> String {
        lines.push(plain(""));
        let (of, report) = match &self.checking.state {
            State::Done(of, report) => (of, report),
            State::Waiting => {
                lines.push(plain("Looking for contradictions begins when the files have been read."));
                return String::new();
            }
            State::Running(_) => {
                lines.push(plain("Looking for contradictions in everything that is open …"));
                return String::new();
            }
            State::Failed(why) => {
                lines.push((TextKind::Error, String::new(), why.clone()));
                return String::new();
            }
            State::Idle => return String::new(),
        };
        // What the loader found stands above already.
        let tested = |kind: Kind| !matches!(kind, Kind::Unreadable | Kind::Doubtful | Kind::FileNote);
        let count = |weight| -> u64 {
            report.counts.iter().filter(|(k, _)| tested(**k) && k.weight() == weight).map(|(_, n)| n).sum()
        };
        let (wrong, notes) = (count(Weight::Contradiction), count(Weight::Note));
        let said =
            if wrong == 0 { "Nothing contradicts".to_owned() } else { several(wrong, "contradiction") };
        let noted = if notes > 0 { format!(", {}", several(notes, "note")) } else { String::new() };
        let mut words = format!(
            "{said}{noted}: {} tested, scorer {}.",
            several(of.attempts, "attempt"),
            of.scorer.name()
        );
        if *of != self.checked_now() {
            words.push_str(" More were read since: open this again to test them, too.");
        }
        lines.push((TextKind::Heading, String::new(), words));
        let mut last = None;
        let mut nth = 0;
        for finding in report.findings.iter().filter(|f| tested(f.kind)) {
            let all = report.counts.get(&finding.kind).copied().unwrap_or(0);
            if last != Some(finding.kind) {
                last = Some(finding.kind);
                nth = 0;
                let note = if finding.severity == Weight::Note { "note: " } else { "" };
                let title = format!("{note}{}: {all}", finding.kind.title());
                lines.push((TextKind::Heading, String::new(), title));
            }
            nth += 1;
            if nth <= SHOWN {
                let kind = match finding.severity {
                    Weight::Contradiction => TextKind::Error,
                    Weight::Note => TextKind::Warning,
                };
                let row = finding.attempt().and_then(|at| self.table.attempts.get(at as usize));
                lines.lead((kind, String::new(), finding.to_string()), row.map(|a| a.pair));
            } else if nth == SHOWN + 1 {
                lines.push(plain(format!("… {} more like this", all.saturating_sub(SHOWN as u64))));
            }
        }
        format!(", {}, {}", several(wrong, "contradiction"), several(notes, "note"))
    }
}

fn plain(text: impl Into<String>) -> Line {
    (TextKind::Plain, String::new(), text.into())
}
