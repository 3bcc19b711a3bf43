//! Changing a codebook: every change that rows could feel makes a new version and is remembered.

use super::{Change, Code, Codebook};
use crate::text;

/// Why a change cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The code to be changed is not there.
    #[error("there is no code \"{0}\"")]
    Unknown(String),
    /// The id is another code's.
    #[error("there is a code \"{0}\" already")]
    IdTaken(String),
    /// The key is another code's.
    #[error("the key {0} sets another code already")]
    KeyTaken(char),
    /// An id is more than lower-case letters, digits and `-`, or nothing.
    #[error("an id is made of lower-case letters, digits and -, and \"{0}\" is not")]
    BadId(String),
    /// A key is white space or a control character.
    #[error("a key is one visible character")]
    BadKey,
    /// A code without a name.
    #[error("a code needs a name")]
    NoName,
    /// Merging needs two codes at least, splitting too.
    #[error("at least two codes are needed")]
    TooFew,
}

/// Whether an id is one.
pub(super) fn is_id(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

/// Whether a key is one.
pub(super) fn is_key(key: char) -> bool {
    let mut bytes = [0; 4];
    let key = &*key.encode_utf8(&mut bytes);
    // What is not seen, or only on another character, cannot be pressed.
    key.trim() == key && text::width(key) > 0 && text::sanitize_line(key) == key
}

impl Codebook {
    /// This codebook as the next version of `old`, after it was edited by hand: what was said under ids that are gone
    /// finds its codes again. A code whose key another id has now was renamed; what merges and splits, the editor
    /// writes down as a `[[change]]` of the new version; the others were given up.
    #[must_use]
    pub fn succeed(mut self, old: &Self) -> Self {
        if self.codes == old.codes && self.changes == old.changes {
            self.version = old.version;
            return self;
        }
        self.version = self.version.max(old.version + 1);
        let version = self.version;
        // Nothing that was remembered is forgotten by being deleted from a text.
        let kept: Vec<Change> = old.changes.iter().filter(|c| !self.changes.contains(c)).cloned().collect();
        let fresh: Vec<Change> = self.changes.iter().filter(|c| !old.changes.contains(c)).cloned().collect();
        let gone: Vec<&Code> = old.codes.iter().filter(|c| self.get(&c.id).is_none()).collect();
        let mut changes = Vec::new();
        for code in gone.into_iter().filter(|c| !fresh.iter().any(|f| f.was.contains(&c.id))) {
            let heir = self.by_key(code.key).filter(|heir| old.get(&heir.id).is_none());
            let now = heir.map(|heir| heir.id.clone()).into_iter().collect();
            changes.push(Change { version, was: vec![code.id.clone()], now });
        }
        self.changes.extend(kept);
        self.changes.extend(changes);
        self.changes.sort_by_key(|c| c.version);
        self
    }

    /// Adds a code at the end.
    ///
    /// # Errors
    /// Its id or key is taken or none, or it has no name.
    pub fn add(&mut self, code: Code) -> Result<(), EditError> {
        self.fits(&code, &[])?;
        self.codes.push(code);
        self.version += 1;
        Ok(())
    }

    /// Puts `code` in the place of the code `id`: another name, key, wording, or another id, which rows coded before
    /// are then counted under.
    ///
    /// # Errors
    /// There is no such code, or the new one does not fit.
    pub fn change(&mut self, id: &str, code: Code) -> Result<(), EditError> {
        self.fits(&code, &[id])?;
        let old = self.codes.iter_mut().find(|c| c.id == id).ok_or_else(|| EditError::Unknown(id.into()))?;
        if *old == code {
            return Ok(());
        }
        let renamed = (old.id != code.id).then(|| code.id.clone());
        *old = code;
        self.version += 1;
        if let Some(now) = renamed {
            self.remember(vec![id.to_owned()], vec![now]);
        }
        Ok(())
    }

    /// Makes one code of several, `into`, which may be one of them or a new one.
    ///
    /// # Errors
    /// Fewer than two codes are given, one is unknown, or `into` does not fit beside the others.
    pub fn merge(&mut self, ids: &[&str], into: Code) -> Result<(), EditError> {
        if ids.len() < 2 {
            return Err(EditError::TooFew);
        }
        self.replace(ids, vec![into])
    }

    /// Makes several codes of one. Rows that carry it have to be looked at again.
    ///
    /// # Errors
    /// There is no such code, fewer than two new ones are given, or they do not fit.
    pub fn split(&mut self, id: &str, into: Vec<Code>) -> Result<(), EditError> {
        if into.len() < 2 {
            return Err(EditError::TooFew);
        }
        self.replace(&[id], into)
    }

    /// Gives a code up. Rows that carry it keep it, and it is shown as dropped.
    ///
    /// # Errors
    /// There is no such code.
    pub fn drop_code(&mut self, id: &str) -> Result<(), EditError> {
        self.replace(&[id], Vec::new())
    }

    fn replace(&mut self, ids: &[&str], into: Vec<Code>) -> Result<(), EditError> {
        let mut first = None;
        for id in ids {
            let place = self.codes.iter().position(|c| c.id == *id);
            let place = place.ok_or_else(|| EditError::Unknown((*id).to_owned()))?;
            first = Some(first.map_or(place, |f: usize| f.min(place)));
        }
        for (at, code) in into.iter().enumerate() {
            self.fits(code, ids)?;
            for other in into.iter().take(at) {
                if other.id == code.id {
                    return Err(EditError::IdTaken(code.id.clone()));
                }
                if other.key == code.key {
                    return Err(EditError::KeyTaken(code.key));
                }
            }
        }
        let now: Vec<String> = into.iter().map(|c| c.id.clone()).collect();
        self.codes.retain(|c| !ids.contains(&c.id.as_str()));
        let at = first.unwrap_or(0).min(self.codes.len());
        self.codes.splice(at..at, into);
        self.version += 1;
        self.remember(ids.iter().map(|id| (*id).to_owned()).collect(), now);
        Ok(())
    }

    fn remember(&mut self, was: Vec<String>, now: Vec<String>) {
        self.changes.push(Change { version: self.version, was, now });
    }

    /// Whether a code fits beside all others but those that it takes the place of.
    fn fits(&self, code: &Code, instead_of: &[&str]) -> Result<(), EditError> {
        if !is_id(&code.id) {
            return Err(EditError::BadId(code.id.clone()));
        }
        if !is_key(code.key) {
            return Err(EditError::BadKey);
        }
        if code.name.trim().is_empty() {
            return Err(EditError::NoName);
        }
        for other in self.codes.iter().filter(|c| !instead_of.contains(&c.id.as_str())) {
            if other.id == code.id {
                return Err(EditError::IdTaken(code.id.clone()));
            }
            if other.key == code.key {
                return Err(EditError::KeyTaken(code.key));
            }
        }
        Ok(())
    }
}
