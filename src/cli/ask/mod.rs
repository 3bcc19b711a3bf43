//! `ask`: one question to a model, now; the record of it, kept and printed.

mod plan;
mod save;
mod told;
mod whom;

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::config::paths;
use crate::provider::{Client, Event, Kind, Limits, Live, Models, Provider, Replay, Reply, line_of, start};
use crate::record::{Attempt, State};
use crate::runner::{created_at, outcome, partner, repeats};
use crate::store::Journal;

use super::args::AskArgs;
use super::{Error, Io, exit};
use plan::Plan;
use told::Told;

pub(super) fn run(args: &AskArgs, io: &mut Io) -> Result<u8, Error> {
    let models = models()?;
    let plan = Plan::new(args, &models, io)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(ask(args, plan, Arc::new(models), io))
}

/// What ships, with the user's file over it.
pub(super) fn models() -> Result<Models, Error> {
    let file = paths::config_dir().map(|d| d.join("models.toml"));
    Models::load(file.as_deref()).map_err(|e| Error::Usage(e.to_string()))
}

/// A variable of the environment.
pub(super) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

async fn ask(args: &AskArgs, plan: Plan, models: Arc<Models>, io: &mut Io) -> Result<u8, Error> {
    if let (Some(fault), Some((task, _))) = (&plan.fault, plan.tasks.first()) {
        // Whoever reads records gets one of what was not asked, too.
        let mut given = task.given.clone();
        given.created_at = Some(created_at(jiff::Timestamp::now()));
        let reply = Reply {
            provider: plan.order.provider.clone(),
            model: task.ask.model.clone(),
            condition: task.ask.condition,
            error: Some(fault.clone()),
            ..Reply::default()
        };
        writeln!(io.out, "{}", line_of(&reply.attempt(&given)))?;
        io.out.flush()?;
        return Err(whom::refused(fault));
    }
    let limits = Limits::default();
    let client = Client::new(&limits).map_err(|f| Error::Provider(f.to_string()))?;
    let mut stop = Stop {
        interrupt: signal(SignalKind::interrupt())?,
        terminate: signal(SignalKind::terminate())?,
        hang_up: signal(SignalKind::hangup())?,
    };
    let live = plan.endpoint.clone().map(|e| Arc::new(Live::new(e, client, limits, models)));
    let mut done: Vec<Attempt> = Vec::new();
    let mut worst = exit::DONE;
    for (task, kept) in &plan.tasks {
        let provider: Arc<dyn Provider> = match (kept, &live) {
            (Some(kept), _) => Arc::new(Replay::new(kept.clone(), Duration::ZERO)),
            (None, Some(live)) => live.clone(),
            (None, None) => return Err(Error::Usage("there is nobody to ask".into())),
        };
        let mut told = Told::new(args.json);
        let mut given = task.given.clone();
        if let Some(kept) = kept {
            given.attempt = kept.attempt;
            given.run_id.clone_from(&kept.run_id);
        }
        if plan.tasks.len() > 1 && !args.json {
            let name = task.ask.condition.name().replace('_', " ");
            writeln!(io.out, "── {name}, attempt {}", given.attempt)?;
        }
        let mut running = start(provider, task.ask.clone());
        let mut stopped = false;
        // Whoever read the output may go away: what was asked is kept all the same.
        let mut gone = None;
        let reply: Reply = loop {
            tokio::select! {
                event = running.events.recv() => match event {
                    Some(Event::End(reply)) => break *reply,
                    Some(event) if gone.is_none() => {
                        if let Err(e) = told.event(event, io) {
                            gone = Some(e);
                            running.cancel();
                        }
                    }
                    Some(_) => {}
                    None => break running.finish().await,
                },
                () = stop.asked(), if !stopped => {
                    stopped = true;
                    running.cancel();
                }
            }
        };
        given.created_at = Some(created_at(jiff::Timestamp::now()));
        if kept.is_none() {
            given.attempt = plan.number(given.attempt, reply.record_model());
        }
        let attempt = reply.attempt(&given);
        let line = line_of(&attempt);
        let saved = plan.journal.as_ref().map_or(Ok(()), |journal| keep(journal, &line));
        if let Some(gone) = gone {
            return Err(gone);
        }
        told.end(io)?;
        // An answer that was paid for is shown, whether or not it could be kept.
        if args.json {
            writeln!(io.out, "{line}")?;
        } else {
            let pair = plan.order.conditions.len() > 1;
            let wanted = partner_condition(&attempt);
            let new = done.iter().find(|d| d.attempt == given.attempt && d.condition == wanted);
            let stored = partner(&plan.sides, attempt.condition).map(|a| &**a);
            let other = if pair { new } else { stored };
            let found = outcome(&attempt, other, &plan.subject.references, args.judge.scorer);
            let beside = (pair && new.is_some() && kept.is_none()).then_some(args.judge.scorer);
            told::result(&attempt, &found, &plan, (beside, saved.is_ok()), io)?;
        }
        io.out.flush()?;
        saved?;
        let code = code(&reply, &attempt);
        worst = worst.max(code);
        done.push(attempt);
        // Also one that came between two requests.
        tokio::select! {
            biased;
            () = stop.asked() => stopped = true,
            () = std::future::ready(()) => {}
        }
        if stopped {
            return Ok(exit::INTERRUPTED);
        }
        if reply.kind().is_some_and(Kind::ends_all) {
            break;
        }
    }
    if !args.json {
        for condition in &plan.order.conditions {
            let own: Vec<&Attempt> = done.iter().filter(|a| a.condition == *condition).collect();
            if own.len() > 1 {
                let found = repeats(own, &plan.subject.references, args.judge.scorer);
                told::repeats(*condition, &found, io)?;
            }
        }
    }
    Ok(worst)
}

/// The condition that an attempt is compared with.
fn partner_condition(a: &Attempt) -> crate::record::Condition {
    use crate::record::Condition::{NoSearch, WithSearch};
    if a.condition == NoSearch { WithSearch } else { NoSearch }
}

fn keep(journal: &Journal, line: &str) -> Result<(), Error> {
    let path = journal.path().display();
    journal
        .append(&[line])
        .map_err(|e| Error::Unsaved(format!("the answer could not be kept in {path}: {e}")))
}

/// The exit code of a reply.
fn code(reply: &Reply, attempt: &Attempt) -> u8 {
    // Nothing at all came back: whoever was to answer cannot be reached.
    let silent = reply.model_echo.is_none() && reply.raw.is_empty() && reply.search_calls.is_empty();
    match reply.kind() {
        Some(Kind::Dropped | Kind::Timeout) if silent => exit::REFUSED,
        Some(
            Kind::NoKey
            | Kind::BadKey
            | Kind::Permission
            | Kind::NoQuota
            | Kind::RateLimited
            | Kind::Overloaded
            | Kind::Server
            | Kind::Unreachable
            | Kind::RefusedParameter
            | Kind::BadRequest
            | Kind::ModelUnknown
            | Kind::NotFound
            | Kind::NotTheApi
            | Kind::BadAddress,
        ) => exit::REFUSED,
        Some(_) => exit::FOUND,
        None => match State::of_attempt(attempt) {
            State::Answered | State::NoAnswer => exit::DONE,
            _ => exit::FOUND,
        },
    }
}

struct Stop {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Stop {
    async fn asked(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}

/// A text from a file, or from standard input as `-`.
fn text_of(path: &Path) -> Result<String, Error> {
    let fail = |e: std::io::Error| Error::Unreadable(format!("{}: {e}", path.display()));
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(fail)?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(fail)
}
