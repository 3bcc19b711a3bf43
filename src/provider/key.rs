//! Keys, and keeping them out of everything that is shown or kept.

use std::fmt;
use std::sync::LazyLock;

use memchr::memmem;
use regex::Regex;

/// What stands in a text where a key was.
const MARK: &str = "[key]";

/// Keys shorter than this are dummies of local servers ("x", "none"), and words of any answer.
const SHORTEST: usize = 8;

/// A provider's key. Printing it prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// Why a key cannot be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BadKey {
    /// Nothing but white space.
    #[error("it is empty")]
    Empty,
    /// Characters that no HTTP header can carry.
    #[error("it holds characters that a key cannot have; was it copied whole?")]
    Characters,
}

impl Key {
    /// Takes a key as a variable or file gives it; white space around it goes.
    ///
    /// # Errors
    /// It is empty, or has characters other than printable ASCII.
    pub fn new(text: &str) -> Result<Self, BadKey> {
        let key = text.trim();
        if key.is_empty() {
            return Err(BadKey::Empty);
        }
        if !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(BadKey::Characters);
        }
        Ok(Self(key.to_owned()))
    }

    /// The key, for the request's header and nothing else.
    pub(super) fn reveal(&self) -> &str {
        &self.0
    }

    /// Takes the key out of text that a server sent; `None` where it is not in it.
    pub(super) fn removed_from(&self, text: &str) -> Option<String> {
        let is_in = self.0.len() >= SHORTEST && memmem::find(text.as_bytes(), self.0.as_bytes()).is_some();
        is_in.then(|| text.replace(&self.0, MARK))
    }
}

struct Patterns {
    keys: Regex,
    queries: Regex,
    users: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    Some(Patterns {
        // `sk-…` also as providers show it again: with its middle as asterisks.
        keys: Regex::new(
            r"(?i)\b(?:sk|pk|rk|sess)-[A-Za-z0-9_*\-]{5,}|\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=*\-]{12,}",
        )
        .ok()?,
        queries: Regex::new(
            r"(?i)([?&](?:api[_-]?key|key|token|access[_-]?token|sig|signature|auth)=)[^&\s]+",
        )
        .ok()?,
        users: Regex::new(r"(?i)\b([a-z][a-z0-9+.\-]*://)[^/\s@]+@").ok()?,
    })
});

/// A message without the key, without anything that looks like one, and without what addresses carry in secret.
pub(super) fn redact(message: &str, key: Option<&Key>) -> String {
    let message = key.and_then(|k| k.removed_from(message)).unwrap_or_else(|| message.to_owned());
    let Some(patterns) = PATTERNS.as_ref() else {
        // Better no message than a key in one.
        return "the message cannot be shown".to_owned();
    };
    let message = patterns.keys.replace_all(&message, MARK);
    let message = patterns.queries.replace_all(&message, "${1}[key]");
    patterns.users.replace_all(&message, "${1}").into_owned()
}
