//! The provider that asks over the network: tries, waits, rounds of a paused turn, and the end in every case.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::event::Event;
use super::fault::{Fault, Kind};
use super::http::{Answer, Client, Limits};
use super::intake::Intake;
use super::{Ask, Asking, Dialect, Endpoint, Models, Outlet, Provider, Reply, anthropic, openai, wait};

/// What may still follow after a stream reported an error.
const AFTERWORD: Duration = Duration::from_secs(1);

/// Asks one endpoint.
#[derive(Debug, Clone)]
pub struct Live {
    endpoint: Endpoint,
    client: Client,
    limits: Limits,
    models: Arc<Models>,
}

/// What is known of a request while it runs, and after it was stopped.
struct State {
    intake: Intake,
    body: Value,
    sent: Instant,
    first: Option<Duration>,
}

impl Live {
    /// A provider for an endpoint; prices and refused parameters come from `models`.
    pub const fn new(endpoint: Endpoint, client: Client, limits: Limits, models: Arc<Models>) -> Self {
        Self { endpoint, client, limits, models }
    }

    /// Whom it asks.
    pub const fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    fn body(&self, ask: &Ask) -> Value {
        match self.endpoint.dialect {
            Dialect::OpenAi => openai::body(ask),
            Dialect::Anthropic => anthropic::body(ask),
        }
    }

    async fn run(&self, mut ask: Ask, outlet: Outlet) -> Reply {
        let Limits { frame_bytes, answer_bytes, .. } = self.limits;
        let key = self.endpoint.key.clone();
        let mut state = State {
            intake: Intake::with(self.endpoint.dialect, key, frame_bytes, answer_bytes),
            body: Value::Null,
            sent: Instant::now(),
            first: None,
        };
        let ended = tokio::select! {
            biased;
            () = outlet.stopped() => Err(Fault::new(Kind::Cancelled, "stopped by the person")),
            ended = self.tries(&mut ask, &mut state, &outlet) => ended,
        };
        let total = state.sent.elapsed();
        if ended.is_ok() {
            self.remark(&ask, &mut state.intake);
        }
        let mut reply = state.intake.reply(ended.as_ref().err());
        // Nobody may be there to take them when it was stopped; then they are lost, and the reply has it all.
        for event in state.intake.events() {
            outlet.send(event).await;
        }
        reply.provider.clone_from(&self.endpoint.name);
        reply.model.clone_from(&ask.model);
        reply.condition = ask.condition;
        reply.first_ms = state.first.map(ms);
        if !state.body.is_null() {
            reply.total_ms = Some(ms(total));
            reply.request = Some(state.body);
        }
        let model = self.models.find(&self.endpoint.name, reply.model_echo.as_deref().unwrap_or(&ask.model));
        let model = model.or_else(|| self.models.find(&self.endpoint.name, &ask.model));
        reply.cost_usd = model.and_then(|m| m.cost(&reply.usage));
        reply
    }

    /// Tries until there is an answer, or no further try would help or be right.
    async fn tries(&self, ask: &mut Ask, state: &mut State, outlet: &Outlet) -> Result<(), Fault> {
        self.endpoint.ready()?;
        let url = self.endpoint.url()?;
        self.fit(ask, &mut state.intake)?;
        let mut tries = 1;
        loop {
            state.body = self.body(ask);
            let Err(fault) = self.rounds(ask, state, &url, outlet).await else { return Ok(()) };
            if state.intake.draft().has_output() {
                return Err(fault);
            }
            let refused = fault.kind == Kind::RefusedParameter && names(&fault, "temperature");
            if refused && let Some(temperature) = ask.temperature.take() {
                state.intake.restart();
                Self::left_out(temperature, ask, &mut state.intake);
                continue;
            }
            let wait = fault.wait.unwrap_or_else(|| wait::own(tries));
            if !fault.may_retry() || tries > self.limits.retries || wait > self.limits.longest_wait {
                return Err(fault);
            }
            tries += 1;
            state.intake.restart();
            let why = state.intake.safe(&fault);
            self.countdown(tries, wait, &why.to_string(), outlet).await;
        }
    }

    /// Leaves out what the model is known to refuse.
    fn fit(&self, ask: &mut Ask, intake: &mut Intake) -> Result<(), Fault> {
        let Some(model) = self.models.find(&self.endpoint.name, &ask.model) else { return Ok(()) };
        if ask.searches() && model.refuses("web_search", None) {
            let mut fault = Fault::new(Kind::RefusedParameter, format!("{} has no web search", ask.model));
            fault.parameter = Some("tools".to_owned());
            return Err(fault);
        }
        if model.refuses("temperature", ask.effort.as_deref())
            && let Some(temperature) = ask.temperature.take()
        {
            Self::left_out(temperature, ask, intake);
        }
        Ok(())
    }

    fn left_out(temperature: f64, ask: &Ask, intake: &mut Intake) {
        let model = &ask.model;
        intake.draft_mut().note(format!("temperature {temperature} left out: {model} refuses it"));
    }

    async fn countdown(&self, attempt: u32, wait: Duration, why: &str, outlet: &Outlet) {
        let mut left = wait.as_secs_f64();
        while left > 0.0 {
            let event = Event::RetryWait { attempt, seconds: left.ceil() as u64, why: why.to_owned() };
            outlet.send(event).await;
            let part = left - left.floor();
            let step = if part > 0.0 { part } else { 1.0 };
            tokio::time::sleep(self.limits.second.mul_f64(step)).await;
            left -= step;
        }
    }

    /// One try: one request, and more where the provider pauses the turn.
    async fn rounds(
        &self,
        ask: &Ask,
        state: &mut State,
        url: &reqwest::Url,
        outlet: &Outlet,
    ) -> Result<(), Fault> {
        let mut text = state.body.to_string();
        let patience = if ask.stream { self.limits.idle } else { self.limits.whole };
        state.sent = Instant::now();
        state.first = None;
        for round in 1.. {
            forward(state, outlet).await;
            let sent = Event::Sent { host: self.endpoint.host(), request: state.body.clone() };
            if round == 1 {
                outlet.send(sent).await;
            } else {
                outlet.send(Event::Continued { round }).await;
            }
            let answer = self.client.post(&self.endpoint, url.clone(), text, patience).await?;
            let read = read(answer, state, outlet).await;
            forward(state, outlet).await;
            read?;
            if let Some(fault) = &state.intake.draft().error {
                return Err(fault.clone());
            }
            if round >= self.limits.rounds {
                break;
            }
            match state.intake.next_round(&state.body) {
                Some(next) => text = next,
                None => break,
            }
        }
        Ok(())
    }

    /// What the person should know of an answer that came.
    fn remark(&self, ask: &Ask, intake: &mut Intake) {
        if !ask.searches() {
            return;
        }
        let searches = intake.draft().searches();
        let most = u64::from(ask.max_searches.max(1));
        let is_over = intake.draft().call_errors().any(|code| code == "max_uses_exceeded");
        let draft = intake.draft_mut();
        if searches == 0 {
            draft.note("no search was made although it was offered");
        } else if searches >= most && !is_over {
            draft.note(format!("search cap reached: {searches} of {}", crate::text::several(most, "search")));
        }
        if draft.stop.as_deref() == Some("pause_turn") {
            let rounds = self.limits.rounds;
            draft.note(format!(
                "the provider paused the turn again after {rounds} requests; it stays unfinished"
            ));
        }
    }
}

impl Provider for Live {
    fn name(&self) -> &str {
        &self.endpoint.name
    }

    fn ask(&self, ask: Ask, outlet: Outlet) -> Asking<'_> {
        Box::pin(self.run(ask, outlet))
    }
}

fn ms(time: Duration) -> f64 {
    // Tenths of a millisecond are more than the network tells.
    (time.as_secs_f64() * 10_000.0).round() / 10.0
}

fn names(fault: &Fault, parameter: &str) -> bool {
    fault.parameter.as_deref().is_some_and(|p| p.contains(parameter))
        || fault.message.to_lowercase().contains(parameter)
}

async fn forward(state: &mut State, outlet: &Outlet) {
    for event in state.intake.events() {
        if event.is_output() && state.first.is_none() {
            let first = state.sent.elapsed();
            state.first = Some(first);
            outlet.send(Event::FirstOutput { ms: ms(first) }).await;
        }
        outlet.send(event).await;
    }
}

/// How the body has to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Unknown,
    Stream,
    Object,
    Page,
}

/// Reads an answer's body to its end. What it is decides its first character: servers answer with an object though a
/// stream was asked, and proxies with a page.
async fn read(mut answer: Answer, state: &mut State, outlet: &Outlet) -> Result<(), Fault> {
    answer.check()?;
    state.intake.draft_mut().request_id = answer.request_id();
    let mut form = Form::Unknown;
    let mut held = Vec::new();
    loop {
        let chunk = match answer.chunk().await {
            Ok(chunk) => chunk,
            // The answer is over; how the connection ends says nothing about it.
            Err(_) if state.intake.is_done() => return Ok(()),
            Err(fault) => {
                if form == Form::Stream && state.intake.end().is_ok() {
                    return Ok(());
                }
                return Err(fault);
            }
        };
        let Some(chunk) = chunk else {
            return match form {
                Form::Unknown if answer.says_json() => state.intake.body(&held),
                Form::Unknown | Form::Stream => state.intake.end(),
                Form::Object | Form::Page => state.intake.body(&held),
            };
        };
        if form == Form::Unknown {
            held.extend_from_slice(&chunk);
            form = match held.iter().find(|b| !b.is_ascii_whitespace()) {
                None => Form::Unknown,
                Some(b'{') => Form::Object,
                Some(b'<') => Form::Page,
                // The fields and comments of a stream, whatever the head calls it.
                Some(b'd' | b'e' | b'i' | b'r' | b':') => Form::Stream,
                Some(_) if answer.says_json() => Form::Object,
                Some(_) => Form::Stream,
            };
            if form == Form::Stream {
                state.intake.feed(&std::mem::take(&mut held))?;
            }
        } else if form == Form::Stream {
            state.intake.feed(&chunk)?;
        } else {
            held.extend_from_slice(&chunk);
        }
        if held.len() > super::FRAME_BYTES {
            return Err(Fault::new(Kind::TooLarge, format!("more than {} bytes came", super::FRAME_BYTES)));
        }
        forward(state, outlet).await;
        if state.intake.is_done() {
            if state.intake.draft().error.is_none() || state.intake.is_closed() {
                return Ok(());
            }
            answer.set_patience(AFTERWORD);
        }
    }
}
