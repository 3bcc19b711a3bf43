//! The two ways between a running request and whoever waits for it: events out, "stop" in.

use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::{Ask, Event, Fault, Provider, Reply, fault::Kind};

/// Events that wait to be taken; a reader that lags slows the request down instead of filling memory.
const WAITING: usize = 256;

/// The request's end of both.
#[derive(Debug, Clone)]
pub struct Outlet {
    events: mpsc::Sender<Event>,
    stop: watch::Receiver<bool>,
}

impl Outlet {
    /// Hands an event on. That nobody takes it is no reason to stop.
    pub async fn send(&self, event: Event) {
        _ = self.events.send(event).await;
    }

    /// Comes back when the request is to stop: it was told to, or whoever waited is gone.
    pub async fn stopped(&self) {
        let mut stop = self.stop.clone();
        _ = stop.wait_for(|stop| *stop).await;
    }
}

/// A request that runs. Dropping it stops the request.
#[derive(Debug)]
pub struct Running {
    /// What happens; the last event is [`Event::End`].
    pub events: mpsc::Receiver<Event>,
    stop: watch::Sender<bool>,
}

impl Running {
    /// Stops the request at once. What came so far follows as [`Event::End`], marked as cancelled.
    pub fn cancel(&self) {
        self.stop.send_replace(true);
    }

    /// Waits for the end and passes over everything before it.
    pub async fn finish(mut self) -> Reply {
        while let Some(event) = self.events.recv().await {
            if let Event::End(reply) = event {
                return *reply;
            }
        }
        Reply::failed(Fault::new(Kind::Dropped, "the request's task ended without a word"))
    }
}

/// Asks in a task of its own. Must be called within a tokio runtime that has its timers and input/output on.
pub fn start(provider: Arc<dyn Provider>, ask: Ask) -> Running {
    let (events_in, events) = mpsc::channel(WAITING);
    let (stop, stop_out) = watch::channel(false);
    let outlet = Outlet { events: events_in, stop: stop_out };
    tokio::spawn(async move {
        let reply = provider.ask(ask, outlet.clone()).await;
        outlet.send(Event::End(Box::new(reply))).await;
    });
    Running { events, stop }
}
