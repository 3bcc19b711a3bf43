//! What is asked, and whom.

use std::fmt;

use super::fault::{Fault, Kind};
use super::key::Key;
use crate::record::Condition;

/// The wire language that a server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The OpenAI Responses API.
    OpenAi,
    /// The Anthropic Messages API.
    Anthropic,
}

impl Dialect {
    /// Both.
    pub const ALL: [Self; 2] = [Self::OpenAi, Self::Anthropic];

    /// The word in the configuration and on the command line; also the name of the dialect's own provider.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
        }
    }

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|d| d.name() == word)
    }

    /// The variable that holds the key.
    pub const fn key_variable(self) -> &'static str {
        match self {
            Self::OpenAi => "OPENAI_API_KEY",
            Self::Anthropic => "ANTHROPIC_API_KEY",
        }
    }

    /// The variable that holds another base URL.
    pub const fn base_variable(self) -> &'static str {
        match self {
            Self::OpenAi => "OPENAI_BASE_URL",
            Self::Anthropic => "ANTHROPIC_BASE_URL",
        }
    }

    /// The provider's own base URL.
    pub const fn base_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
        }
    }
}

/// One question to one model under one condition.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The model's name.
    pub model: String,
    /// With or without the provider's search.
    pub condition: Condition,
    /// The text that is sent as the user's turn, question included.
    pub prompt: String,
    /// The text that is sent as instructions (`system`), if any.
    pub instructions: Option<String>,
    /// Searches that the model may make, at least 1; without meaning under [`Condition::NoSearch`].
    pub max_searches: u32,
    /// Temperature; left out, with a note, where the model refuses it.
    pub temperature: Option<f64>,
    /// Tokens that may be written, reasoning included. Anthropic needs a number and gets [`Ask::OUTPUT_TOKENS`].
    pub max_output_tokens: Option<u32>,
    /// Reasoning effort in the provider's word, if it is to be set.
    pub effort: Option<String>,
    /// Domains that searches leave out; sent under [`Condition::EvidenceBlocked`] only.
    pub blocked_domains: Vec<String>,
    /// Domains that searches are restricted to; not together with blocked ones.
    pub allowed_domains: Vec<String>,
    /// Whether the answer is to arrive as it is written.
    pub stream: bool,
}

impl Ask {
    /// Searches that a model may make unless something else is said.
    pub const MAX_SEARCHES: u32 = 2;
    /// Tokens that a model may write where the provider demands a number: enough for models that think by default.
    pub const OUTPUT_TOKENS: u32 = 8_192;

    /// A question with the defaults: streamed, two searches, nothing else set.
    pub fn new(model: impl Into<String>, condition: Condition, prompt: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            condition,
            prompt: prompt.into(),
            instructions: None,
            max_searches: Self::MAX_SEARCHES,
            temperature: None,
            max_output_tokens: None,
            effort: None,
            blocked_domains: Vec::new(),
            allowed_domains: Vec::new(),
            stream: true,
        }
    }

    /// Whether the model gets the search tool.
    pub fn searches(&self) -> bool {
        self.condition != Condition::NoSearch
    }

    /// The domains to leave out, if this condition leaves any out.
    pub(super) fn blocked(&self) -> &[String] {
        if self.condition == Condition::EvidenceBlocked { &self.blocked_domains } else { &[] }
    }
}

/// How the key travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// `Authorization: Bearer`.
    Bearer,
    /// `x-api-key`.
    ApiKey,
}

/// A server, its dialect and its key.
#[derive(Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The name in records, settings and lists.
    pub name: String,
    /// What it speaks.
    pub dialect: Dialect,
    /// Its base URL: with `/v1` for the OpenAI dialect, without for the Anthropic one.
    pub base_url: String,
    /// The variable that the key is taken from; empty for a server that needs none.
    pub key_variable: String,
    /// How the key travels.
    pub auth: Auth,
    pub(super) key: Option<Key>,
    pub(super) bad_key: Option<String>,
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Endpoint")
            .field("name", &self.name)
            .field("dialect", &self.dialect)
            .field("host", &self.host())
            .field("key_variable", &self.key_variable)
            .field("has_key", &self.key.is_some())
            .finish_non_exhaustive()
    }
}

impl Endpoint {
    /// The dialect's own provider, with key and base URL from its variables. `env` reads a variable; an empty one counts
    /// as unset.
    pub fn of(dialect: Dialect, env: &dyn Fn(&str) -> Option<String>) -> Self {
        let base = env(dialect.base_variable()).filter(|v| !v.trim().is_empty());
        let base = base.unwrap_or_else(|| dialect.base_url().to_owned());
        Self::custom(dialect.name(), dialect, &base, dialect.key_variable(), env)
    }

    /// Any server that speaks a dialect. The key comes from the variable named, which may be empty for none.
    pub fn custom(
        name: &str,
        dialect: Dialect,
        base_url: &str,
        key_variable: &str,
        env: &dyn Fn(&str) -> Option<String>,
    ) -> Self {
        let value = if key_variable.is_empty() { None } else { env(key_variable) };
        let (key, bad_key) = match value.filter(|v| !v.trim().is_empty()).map(|v| Key::new(&v)) {
            None => (None, None),
            Some(Ok(key)) => (Some(key), None),
            Some(Err(e)) => (None, Some(e.to_string())),
        };
        Self {
            name: name.to_owned(),
            dialect,
            base_url: base_url.trim().to_owned(),
            key_variable: key_variable.to_owned(),
            auth: if dialect == Dialect::OpenAi { Auth::Bearer } else { Auth::ApiKey },
            key,
            bad_key,
        }
    }

    /// Whether there is a key, or none is needed.
    pub fn is_ready(&self) -> bool {
        self.ready().is_ok()
    }

    /// The host that will be asked, without anything secret in the address.
    pub fn host(&self) -> String {
        let host = reqwest::Url::parse(&self.base_url).ok().and_then(|u| {
            let host = u.host_str()?.to_owned();
            Some(u.port().map_or_else(|| host.clone(), |p| format!("{host}:{p}")))
        });
        host.unwrap_or_else(|| "?".to_owned())
    }

    /// Says what stands in the way of asking.
    ///
    /// # Errors
    /// No key, a key that cannot be one, an address that cannot be used.
    pub fn ready(&self) -> Result<(), Fault> {
        if let Some(why) = &self.bad_key {
            return Err(Fault::new(Kind::BadKey, format!("{} cannot be used: {why}", self.key_variable)));
        }
        if self.key.is_none() && !self.key_variable.is_empty() {
            let message = format!("set {} to ask {}", self.key_variable, self.name);
            return Err(Fault::new(Kind::NoKey, message));
        }
        self.url().map(drop)
    }

    /// The address of a request. Plain http is for this machine only, and nothing secret may stand in the address.
    pub(super) fn url(&self) -> Result<reqwest::Url, Fault> {
        let bad = |why: &str| Fault::new(Kind::BadAddress, format!("{}: {why}", self.name));
        let base = self.base_url.trim_end_matches('/');
        let whole = match self.dialect {
            Dialect::OpenAi => format!("{base}/responses"),
            Dialect::Anthropic => format!("{}/v1/messages", base.strip_suffix("/v1").unwrap_or(base)),
        };
        let url = reqwest::Url::parse(&whole).map_err(|e| bad(&e.to_string()))?;
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("the base URL holds a user or password; keys belong into variables"));
        }
        match url.scheme() {
            "https" => Ok(url),
            "http" if is_loopback(&url) => Ok(url),
            "http" => Err(bad("plain http would send the key readable; only this machine may be asked so")),
            other => Err(bad(&format!("'{other}' is no scheme for this"))),
        }
    }
}

/// Whether an address is this machine.
pub(super) fn is_loopback(url: &reqwest::Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
