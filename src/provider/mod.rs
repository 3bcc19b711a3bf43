//! Asking a model: the OpenAI Responses API and the Anthropic Messages API, streamed or not, and stored answers replayed.
//!
//! Owns the wire: requests, streams, failures, keys, prices, prompts. A [`Provider`] turns an [`Ask`] into [`Event`]s and a
//! [`Reply`]; [`start`] runs it as a task that can be stopped at any moment and then still says what came. It writes no
//! file, knows no verdict and no screen.

mod anthropic;
mod ask;
mod domains;
mod draft;
mod event;
mod fault;
mod http;
mod intake;
mod key;
mod live;
mod model;
mod models;
mod openai;
mod outlet;
mod prompts;
mod raw;
mod replay;
mod reply;
mod said;
mod sse;
mod wait;

use std::future::Future;
use std::pin::Pin;

pub use ask::{Ask, Auth, Dialect, Endpoint};
pub use domains::{MOST_DOMAINS, domains_of, normalized};
pub use event::Event;
pub use fault::{Fault, Kind};
pub use http::{Client, Limits};
pub use intake::{ANSWER_BYTES, FRAME_BYTES, Intake};
pub use key::{BadKey, Key};
pub use live::Live;
pub use model::{Model, Prices};
pub use models::{Models, ModelsError, Preset, Server};
pub use outlet::{Outlet, Running, start};
pub use prompts::{PROMPTS, Prompt, Style, fill, prompt_for};
pub use replay::Replay;
pub use reply::{Given, Reply, Source, line_of};
pub use sse::{Sse, TooLong};

/// What [`Provider::ask`] gives.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Reply> + Send + 'a>>;

/// Something that answers.
pub trait Provider: Send + Sync {
    /// Its name, as records have it.
    fn name(&self) -> &str;

    /// Asks. Says through `outlet` what happens, and always comes back with what came, also when the outlet says stop.
    /// Everything but [`Event::End`] goes through `outlet`.
    fn ask(&self, ask: Ask, outlet: Outlet) -> Asking<'_>;
}
