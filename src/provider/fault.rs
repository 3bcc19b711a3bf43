//! What can go wrong with a request, each thing with its own word, and what to do about it.

use std::time::Duration;

use crate::record::ErrorInfo;

/// The class of a failure. The names are the `error.kind` of attempt records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// No key is set.
    NoKey,
    /// The provider does not take the key.
    BadKey,
    /// The key may not do this, or not from here.
    Permission,
    /// The account has no money or reached its spending limit.
    NoQuota,
    /// Too many requests or tokens in a while.
    RateLimited,
    /// The provider has no capacity.
    Overloaded,
    /// The provider failed.
    Server,
    /// Nothing came for too long.
    Timeout,
    /// No connection could be made.
    Unreachable,
    /// The connection or stream ended before the answer did.
    Dropped,
    /// The person stopped it.
    Cancelled,
    /// A parameter, or its value, is refused by the model.
    RefusedParameter,
    /// The request is refused for another reason.
    BadRequest,
    /// There is no such model.
    ModelUnknown,
    /// There is nothing at this address.
    NotFound,
    /// The request or the answer is too large.
    TooLarge,
    /// The model or a filter refused to answer.
    Refusal,
    /// What answered speaks another language (a web page, a redirect, something compressed).
    NotTheApi,
    /// The stream holds something that cannot be read.
    Garbled,
    /// The base URL cannot be used.
    BadAddress,
    /// A failure that was stored under a word of another program.
    Other,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 21] = [
        Self::NoKey,
        Self::BadKey,
        Self::Permission,
        Self::NoQuota,
        Self::RateLimited,
        Self::Overloaded,
        Self::Server,
        Self::Timeout,
        Self::Unreachable,
        Self::Dropped,
        Self::Cancelled,
        Self::RefusedParameter,
        Self::BadRequest,
        Self::ModelUnknown,
        Self::NotFound,
        Self::TooLarge,
        Self::Refusal,
        Self::NotTheApi,
        Self::Garbled,
        Self::BadAddress,
        Self::Other,
    ];

    /// Reads the word of a record.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == word)
    }

    /// The word in records and filters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoKey => "no_key",
            Self::BadKey => "bad_key",
            Self::Permission => "permission",
            Self::NoQuota => "no_quota",
            Self::RateLimited => "rate_limited",
            Self::Overloaded => "overloaded",
            Self::Server => "server_error",
            Self::Timeout => "timeout",
            Self::Unreachable => "unreachable",
            Self::Dropped => "dropped",
            Self::Cancelled => "cancelled",
            Self::RefusedParameter => "refused_parameter",
            Self::BadRequest => "bad_request",
            Self::ModelUnknown => "model_unknown",
            Self::NotFound => "not_found",
            Self::TooLarge => "too_large",
            Self::Refusal => "refusal",
            Self::NotTheApi => "not_the_api",
            Self::Garbled => "garbled",
            Self::BadAddress => "bad_address",
            Self::Other => "error",
        }
    }

    /// What happened, in a few words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::NoKey => "no key is set",
            Self::BadKey => "the key is not accepted",
            Self::Permission => "the key may not do this",
            Self::NoQuota => "the account has no quota left",
            Self::RateLimited => "rate limit reached",
            Self::Overloaded => "the provider is overloaded",
            Self::Server => "the provider failed",
            Self::Timeout => "nothing came in time",
            Self::Unreachable => "no connection",
            Self::Dropped => "the connection broke before the answer was complete",
            Self::Cancelled => "stopped",
            Self::RefusedParameter => "a parameter is refused",
            Self::BadRequest => "the request is refused",
            Self::ModelUnknown => "there is no such model",
            Self::NotFound => "nothing at this address",
            Self::TooLarge => "too large",
            Self::Refusal => "the model refused to answer",
            Self::NotTheApi => "this is not the provider's interface",
            Self::Garbled => "the stream cannot be read",
            Self::BadAddress => "the base URL cannot be used",
            Self::Other => "it failed",
        }
    }

    /// What to do next.
    pub const fn hint(self) -> &'static str {
        match self {
            Self::NoKey => "set the variable and start again, or replay the stored answer",
            Self::BadKey => {
                "check the variable that holds the key, and that the key belongs to this base URL"
            }
            Self::Permission => {
                "check the key's project and rights, and whether web search is switched on for it"
            }
            Self::NoQuota => {
                "add credit or raise the limit on the provider's billing page; waiting does not help"
            }
            Self::RateLimited => "wait, or ask less at a time",
            Self::Overloaded | Self::Server => "try again in a minute, or take another model",
            Self::Timeout | Self::Dropped => "try again; what came is kept",
            Self::Unreachable => "check the network, the proxy and the base URL",
            Self::Cancelled => "what came is kept; ask again to get a whole answer",
            Self::RefusedParameter => "leave the parameter out or take another model",
            Self::BadRequest => "read the provider's words; the request is kept with the attempt",
            Self::ModelUnknown => "see `lookitup models` for the names, and whether it was shut down",
            Self::NotFound => "check the base URL: OpenAI's ends in /v1, Anthropic's does not",
            Self::TooLarge => "shorten the prompt, or ask for less",
            Self::Refusal => "reword the question; the attempt counts neither as right nor as wrong",
            Self::NotTheApi => "check the base URL and whether a proxy answers in its place",
            Self::Garbled => "try again; if it stays, the server speaks the dialect differently",
            Self::BadAddress => "use https, or http on this machine only",
            Self::Other => "ask again",
        }
    }

    /// Whether further requests of the same order would fail in the same way, so that none is sent.
    pub const fn ends_all(self) -> bool {
        matches!(
            self,
            Self::Cancelled
                | Self::NoKey
                | Self::BadKey
                | Self::Permission
                | Self::NoQuota
                | Self::Unreachable
                | Self::ModelUnknown
                | Self::NotFound
                | Self::NotTheApi
                | Self::BadAddress
        )
    }

    /// Whether trying again may help, when nothing has been shown yet.
    pub const fn may_retry(self) -> bool {
        matches!(
            self,
            Self::RateLimited
                | Self::Overloaded
                | Self::Server
                | Self::Timeout
                | Self::Unreachable
                | Self::Dropped
        )
    }
}

/// A failure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", kind.title())]
pub struct Fault {
    /// Its class.
    pub kind: Kind,
    /// The provider's words, or the program's own. Holds no key, and nothing that acts on a terminal.
    pub message: String,
    /// The parameter that is to blame, as the provider names it.
    pub parameter: Option<String>,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
    /// How long the server asks to wait.
    pub wait: Option<Duration>,
    /// The request's id at the provider, where the failure carries one.
    pub request_id: Option<String>,
    /// What the server says about trying again.
    pub(super) should_retry: Option<bool>,
}

impl Fault {
    /// A failure of a kind.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            parameter: None,
            status: None,
            wait: None,
            request_id: None,
            should_retry: None,
        }
    }

    /// As it is kept in an attempt record.
    pub fn info(&self) -> ErrorInfo {
        ErrorInfo { kind: self.kind.name().to_owned(), message: self.message.clone() }
    }

    /// Whether it may be tried again. Money never comes back by waiting, whatever the server says.
    pub fn may_retry(&self) -> bool {
        self.kind != Kind::NoQuota && self.should_retry.unwrap_or(self.kind.may_retry())
    }
}
