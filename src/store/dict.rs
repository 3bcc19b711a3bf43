//! Numbers for words that repeat: models, runs, splits, topics.

use std::collections::HashMap;
use std::sync::Arc;

/// A dictionary of at most 65,535 words. Number 0 stands for "not given".
#[derive(Debug, Clone, Default)]
pub struct Dict {
    words: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u16, foldhash::fast::RandomState>,
}

/// The number of a word that is not given.
pub const NONE: u16 = 0;

impl Dict {
    /// The number of `word`, made if it is new. An empty word is [`NONE`]; so is a word beyond the 65,535th.
    pub fn intern(&mut self, word: &str) -> u16 {
        if word.is_empty() {
            return NONE;
        }
        if let Some(&n) = self.numbers.get(word) {
            return n;
        }
        let Ok(n) = u16::try_from(self.words.len() + 1) else { return NONE };
        let word: Arc<str> = word.into();
        self.words.push(word.clone());
        self.numbers.insert(word, n);
        n
    }

    /// The number of `word`, if it is known.
    pub fn find(&self, word: &str) -> Option<u16> {
        self.numbers.get(word).copied()
    }

    /// The word of a number; `None` for [`NONE`].
    pub fn word(&self, n: u16) -> Option<&str> {
        self.words.get(usize::from(n).checked_sub(1)?).map(AsRef::as_ref)
    }

    /// All words with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u16, &str)> {
        self.words.iter().enumerate().map(|(i, w)| ((i + 1) as u16, w.as_ref()))
    }

    /// How many words.
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}
