//! What happens, in words, as it happens; and what came of it.

use crate::provider::Event;
use crate::record::{Attempt, CallKind, Condition, Scorer, Transition};
use crate::runner::{Outcome, Repeats, advice, partner, stored_transition};
use crate::text::{self, sanitize_line};
use crate::view::cell::{dollars, fraction, seconds, signed, thousands};
use crate::view::mark;

use super::super::{Error, Io};
use super::plan::Plan;

/// Prints the way of one request.
pub(super) struct Told {
    /// Nothing but records may go to standard output.
    silent: bool,
    /// Whether the line begun is not ended yet.
    open: bool,
    /// Seconds that were said last of a wait.
    waits: bool,
}

impl Told {
    pub(super) const fn new(silent: bool) -> Self {
        Self { silent, open: false, waits: false }
    }

    fn line(&mut self, text: &str, io: &mut Io) -> Result<(), Error> {
        self.close(io)?;
        if !self.silent {
            writeln!(io.out, "{text}")?;
            io.out.flush()?;
        }
        Ok(())
    }

    /// A line beside the answer, which may stand on the same terminal.
    fn note(&mut self, text: &str, io: &mut Io) -> Result<(), Error> {
        self.close(io)?;
        io.out.flush()?;
        io.note(text);
        Ok(())
    }

    fn close(&mut self, io: &mut Io) -> Result<(), Error> {
        if std::mem::take(&mut self.open) {
            writeln!(io.out)?;
        }
        Ok(())
    }

    pub(super) fn event(&mut self, event: Event, io: &mut Io) -> Result<(), Error> {
        match event {
            Event::SearchQuery { n, queries } => {
                let queries: Vec<String> = queries.iter().map(|q| format!("“{q}”")).collect();
                self.line(&format!("search {n}  {}", queries.join("  ")), io)
            }
            Event::Page { n, kind, url, pattern } => {
                let what = if kind == CallKind::FindInPage { "find" } else { "open" };
                let all: Vec<String> = url.into_iter().chain(pattern).collect();
                self.line(&format!("{what} {n}  {}", all.join("  ")), io)
            }
            Event::SearchResults { n, results } => {
                let mut hosts: Vec<&str> = Vec::new();
                for host in results.iter().filter_map(|r| text::host(&r.url)) {
                    if hosts.len() < 6 && !hosts.contains(&host) {
                        hosts.push(host);
                    }
                }
                self.line(
                    &format!("search {n}  {}  {}", text::several(results.len(), "result"), hosts.join(" ")),
                    io,
                )
            }
            Event::SearchError { n, code } => self.line(&format!("search {n}  failed: {code}"), io),
            Event::Text(more) => {
                if !self.silent {
                    write!(io.out, "{more}")?;
                    io.out.flush()?;
                    self.open = !more.ends_with('\n');
                }
                Ok(())
            }
            Event::Replaced(text) => self.line(&format!("(the answer so far was replaced)\n{text}"), io),
            Event::RetryWait { attempt, seconds, why } => {
                // A terminal shows the countdown in place; a file gets one line a wait.
                if !std::mem::replace(&mut self.waits, true) || seconds % 10 == 0 {
                    self.note(&format!("try {attempt} in {seconds} s: {why}"), io)?;
                }
                Ok(())
            }
            Event::Sent { .. } => {
                self.waits = false;
                Ok(())
            }
            Event::Continued { round } => {
                self.note(&format!("the provider paused; request {round} goes on"), io)
            }
            Event::Note(note) => self.note(&format!("note: {note}"), io),
            _ => Ok(()),
        }
    }

    pub(super) fn end(&mut self, io: &mut Io) -> Result<(), Error> {
        self.close(io)
    }
}

/// The summary of an attempt; of the second one of a new pair also how the pair compares with the stored one, judged
/// by the scorer in `beside`. `kept`: whether it could be saved where it was to be.
pub(super) fn result(
    a: &Attempt,
    found: &Outcome,
    plan: &Plan,
    (beside, kept): (Option<Scorer>, bool),
    io: &mut Io,
) -> Result<(), Error> {
    writeln!(io.out)?;
    if let Some(error) = &a.error {
        let partial = if a.raw.as_deref().is_some_and(|r| !r.is_empty()) { "PARTIAL, " } else { "" };
        let kind = error.kind.replace('_', " ");
        writeln!(io.out, "failed      {partial}{kind}: {}", sanitize_line(&error.message))?;
        if let Some(next) = advice(&error.kind) {
            writeln!(io.out, "            {next}")?;
        }
    }
    let said = sanitize_line(text::head(a.answer.as_deref().unwrap_or("–").trim(), 1_024));
    writeln!(io.out, "answer      {}", text::truncate(&said, 160))?;
    let why = sanitize_line(text::head(&found.why, 1_024));
    writeln!(io.out, "verdict     {} {}  {why}", mark(found.verdict), found.verdict.name())?;
    let confidence = a.confidence.map_or_else(|| "not stated".to_owned(), fraction);
    let change = found.dconf.map_or_else(String::new, |d| format!("  Δ {}", signed(d)));
    writeln!(io.out, "confidence  {confidence}{change}")?;
    let t = found.transition;
    let stored = partner(&plan.sides, a.condition).filter(|p| p.model != a.model);
    let against = match stored {
        _ if plan.order.conditions.len() > 1 => "within this pair".to_owned(),
        Some(other) => format!("against what {} answered", sanitize_line(&other.model)),
        None => "against what is stored".to_owned(),
    };
    // The first one of a new pair has nothing to be compared with yet.
    if t != Transition::Unpaired || plan.order.conditions.len() < 2 {
        writeln!(io.out, "transition  {} {}  {against}", t.glyph().trim(), t.name().replace('_', " "))?;
    }
    if let Some(scorer) = beside {
        beside_stored(plan, found, scorer, io)?;
    }
    let whole = |ms: f64| ms.clamp(0.0, f64::from(u32::MAX)) as u32;
    let mut facts = vec![text::several(a.calls(), "search")];
    facts.extend(a.cost_usd.map(dollars));
    let first = a.extra.get("first_token_ms").and_then(serde_json::Value::as_f64);
    facts.extend(first.map(|ms| format!("first output {}", seconds(whole(ms)))));
    facts.extend(a.latency_ms.map(|ms| format!("in all {}", seconds(whole(ms)))));
    facts.extend(
        a.usage.total().map(|n| text::counted(n, thousands(n.min(u64::from(u32::MAX)) as u32), "token")),
    );
    writeln!(io.out, "figures     {}", facts.join(" · "))?;
    match &plan.journal {
        Some(journal) if !kept => {
            writeln!(io.out, "NOT saved   {}", sanitize_line(&journal.path().display().to_string()))?;
        }
        Some(journal) => {
            writeln!(io.out, "saved       {}", sanitize_line(&journal.path().display().to_string()))?;
        }
        None if a.source.as_deref() == Some("replay") => {
            writeln!(
                io.out,
                "REPLAY      the stored answer was shown again; no model was asked, nothing is saved"
            )?;
        }
        None => writeln!(io.out, "saved       nowhere, as asked")?,
    }
    Ok(())
}

/// How a new pair compares with the stored one.
fn beside_stored(plan: &Plan, new: &Outcome, scorer: Scorer, io: &mut Io) -> Result<(), Error> {
    let Some(t) = stored_transition(&plan.sides, &plan.subject.references, scorer) else {
        writeln!(io.out, "stored      no pair to compare with")?;
        return Ok(());
    };
    let change = if t == new.transition { "the new pair agrees" } else { "the new pair differs" };
    let theirs = plan.sides.iter().flatten().next();
    let whose = theirs.map_or_else(String::new, |a| format!("by {}; ", sanitize_line(&a.model)));
    let name = t.name().replace('_', " ");
    writeln!(io.out, "stored      {} {name}  {whose}{change}", t.glyph().trim())?;
    Ok(())
}

/// What repeats say together.
pub(super) fn repeats(condition: Condition, found: &Repeats, io: &mut Io) -> Result<(), Error> {
    let share = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), fraction);
    writeln!(io.out, "\nrepeats     {}", condition.name().replace('_', " "))?;
    for (answer, n) in &found.answers {
        let answer = sanitize_line(text::head(answer, 1_024));
        writeln!(io.out, "            {n} × {}", text::truncate(&answer, 120))?;
    }
    let (one, all) = (share(found.pass_at(1)), share(found.pass_at(found.judged)));
    let flips = share(found.flip_rate());
    writeln!(io.out, "            flip rate {flips}, pass@1 {one}, pass@{} {all}", found.judged)?;
    Ok(())
}
