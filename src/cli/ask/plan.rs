//! Whom is asked what, and where the record goes.

use std::sync::Arc;

use crate::provider::{Endpoint, Fault, Models, Replay, Style, normalized};
use crate::record::{Attempt, Condition};
use crate::runner::{Order, Subject, Task, first_attempt, next_attempt, run_id, stored};
use crate::store::{Journal, NO, Table};

use super::super::args::{AskArgs, JudgeArgs, Wanted};
use super::super::open::Opened;
use super::super::{Error, Io};
use super::save::journal_at;
use super::text_of;
use super::whom::{Whom, whom};

/// Everything that is settled before the first request.
pub(super) struct Plan {
    pub(super) subject: Subject,
    pub(super) sides: [Option<Arc<Attempt>>; 3],
    pub(super) order: Order,
    pub(super) endpoint: Option<Endpoint>,
    /// Why nobody can be asked; only where that is to be told as a record.
    pub(super) fault: Option<Fault>,
    pub(super) tasks: Vec<(Task, Option<Attempt>)>,
    pub(super) journal: Option<Journal>,
    /// The number of the first new attempt.
    first: u32,
    /// The table and the question's number in it.
    table: Option<(Arc<Table>, u32)>,
}

impl Plan {
    pub(super) fn new(args: &AskArgs, models: &Models, io: &mut Io) -> Result<Self, Error> {
        if args.question.is_none() && args.id.is_none() {
            return Err(Error::Usage("name a question by its ID, or give one with --question".into()));
        }
        let Whom { provider, endpoint, fault } = whom(args, models)?;
        let replay = provider == Replay::NAME;
        let order = Order::of(models, &provider, args.model.as_deref());
        let model = order.as_ref().map(|o| o.model.as_str());
        let found = match (&args.id, &args.question) {
            (Some(id), _) => Found::stored(args, id, model, io)?,
            (None, text) => Found::asked(text.as_deref().unwrap_or_default(), &args.references, args.judge),
        };
        if found.subject.question.trim().is_empty() && !replay {
            let why = "the question's text is not known: name the file that has it, or ask it with --question in place of the id";
            return Err(Error::Usage(why.into()));
        }
        let mut order = if replay {
            let model = found.sides.iter().flatten().next().map(|a| a.model.clone()).unwrap_or_default();
            Order { provider, model, ..Order::default() }
        } else {
            order.ok_or_else(|| {
                Error::Usage(format!("name a model with --model: {provider} has no default"))
            })?
        };
        order.conditions = match args.condition {
            Wanted::NoSearch => vec![Condition::NoSearch],
            Wanted::WithSearch => vec![Condition::WithSearch],
            Wanted::Both => vec![Condition::NoSearch, Condition::WithSearch],
            Wanted::EvidenceBlocked => vec![Condition::EvidenceBlocked],
        };
        order.repeats = if replay { 1 } else { args.repeat };
        order.max_searches = args.max_searches.unwrap_or(order.max_searches);
        order.prompt = args.prompt.as_deref().map(text_of).transpose()?;
        order.style = Style::parse(&args.style).unwrap_or_default();
        order.stream = !args.no_stream;
        if args.condition == Wanted::EvidenceBlocked {
            order.block_evidence_of(&found.sides);
            if !args.block.is_empty() {
                order.blocked = normalized(args.block.iter().flat_map(|b| b.split(',')));
            }
            if order.blocked.is_empty() && !replay {
                let why = "no domain is blocked: no stored answer cites one, so name some with --block";
                return Err(Error::Usage(why.into()));
            }
        }
        if let Some(known) = models.find(&order.provider, &order.model) {
            let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
            if let Some(warning) = known.warning(today) {
                io.note(format_args!("warning: {warning}"));
            }
        }
        let first = found.first(&order);
        let run = run_id(jiff::Timestamp::now(), std::process::id());
        let tasks = order.tasks(&found.subject, first, &run).into_iter().map(|task| {
            let kept = stored(&found.sides, task.ask.condition).filter(|_| replay).map(|a| (**a).clone());
            if replay && kept.is_none() {
                let name = task.ask.condition.name();
                return Err(Error::Usage(format!("nothing is stored under {name} to be replayed")));
            }
            Ok((task, kept))
        });
        let tasks = tasks.collect::<Result<Vec<_>, _>>()?;
        // What is never sent leaves nothing behind.
        let journal = if fault.is_some() { None } else { journal(args, &found, replay)? };
        let table = found.table.map(|(table, question, _)| (table, question));
        Ok(Self {
            subject: found.subject,
            sides: found.sides,
            order,
            endpoint,
            fault,
            tasks,
            journal,
            first,
            table,
        })
    }
}

/// The question, and what is stored of it.
struct Found {
    subject: Subject,
    sides: [Option<Arc<Attempt>>; 3],
    /// The table, the question's number in it, and the row that is compared with.
    table: Option<(Arc<Table>, u32, Option<u32>)>,
    journal: Option<std::path::PathBuf>,
}

impl Found {
    /// A question that is in no file.
    fn asked(text: &str, references: &[String], judge: JudgeArgs) -> Self {
        let question = text.trim().to_owned();
        let subject = Subject {
            id: format!("asked-{:08x}", crate::runner::short_hash(question.as_bytes())),
            question,
            references: references.to_vec(),
            split: None,
        };
        let opened = Opened::asked_here(judge);
        let mut numbers = 0..opened.table.questions.len() as u32;
        let known = numbers.find(|&q| opened.table.question_id(q) == Some(subject.id.as_str()));
        let table = Some((opened.table.clone(), known.unwrap_or(NO), None));
        Self { subject, sides: [None, None, None], table, journal: opened.journal.clone() }
    }

    fn stored(args: &AskArgs, id: &str, model: Option<&str>, io: &mut Io) -> Result<Self, Error> {
        let opened = Opened::new(&args.input, args.judge, io)?;
        let table = &opened.table;
        let mut numbers = (0..table.questions.len() as u32).filter(|&q| table.question_id(q) == Some(id));
        let Some(question) = numbers.next() else {
            return Err(Error::NotFound(format!(
                "no question has the id '{}'",
                crate::text::sanitize_line(id)
            )));
        };
        let record = opened.question(question)?;
        let row = |at: u32| table.pairs.get(at as usize).map(|p| (at, p));
        let first = table.questions.get(question as usize).map_or(NO, |q| q.first_pair);
        let rows: Vec<_> = std::iter::successors(row(first), |(_, p)| row(p.next)).collect();
        // The row of the model that will be asked says most; without one any row has at least the evidence.
        let named = model.and_then(|m| table.names.models.find(m));
        let own = rows.iter().find(|(_, p)| named == Some(p.model)).or(rows.first()).map(|r| r.0);
        let sides = match own {
            Some(pair) => opened.bundle(pair)?.sides,
            None => [None, None, None],
        };
        let mut subject = Subject::from(&*record);
        if !args.references.is_empty() {
            subject.references.clone_from(&args.references);
        }
        Ok(Self {
            subject,
            sides,
            table: Some((opened.table.clone(), question, own)),
            journal: opened.journal.clone(),
        })
    }

    /// The number of the first new attempt.
    fn first(&self, order: &Order) -> u32 {
        match &self.table {
            Some((table, _, Some(pair))) => {
                first_attempt(table, *pair, &order.model, &order.conditions, order.repeats)
            }
            Some((table, question, None)) => next_attempt(table, *question, &order.model),
            None => 1,
        }
    }
}

impl Plan {
    /// The number of an attempt whose record names `model`: the server may have answered as a snapshot of which other
    /// attempts are stored.
    pub(super) fn number(&self, wanted: u32, model: &str) -> u32 {
        match &self.table {
            Some((table, question)) if model != self.order.model => {
                next_attempt(table, *question, model) + wanted.saturating_sub(self.first)
            }
            _ => wanted,
        }
    }
}

/// Where the records go; nowhere for a replay unless that is asked for.
fn journal(args: &AskArgs, found: &Found, replay: bool) -> Result<Option<Journal>, Error> {
    if args.no_save {
        return Ok(None);
    }
    let path = match (&args.save, &found.journal) {
        (None, _) if replay => return Ok(None),
        (Some(path), _) | (None, Some(path)) => path,
        (None, None) => {
            let why = "there is no folder to keep it in: name a file with --save, or --no-save";
            return Err(Error::Usage(why.into()));
        }
    };
    journal_at(path).map(Some)
}
