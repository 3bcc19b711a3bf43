//! What changed between two texts, word by word.

use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_segmentation::UnicodeSegmentation;

use super::fold::folded;

/// More words than this on either side are not compared: comparing takes the square of the changes.
const MOST: usize = 4_000;

/// What happened to a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// In both texts.
    Same,
    /// In the old text only.
    Removed,
    /// In the new text only.
    Added,
}

/// A stretch of words with one fate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// What happened to it.
    pub kind: Kind,
    /// The words, with the white space after them; as in the new text where they are in both.
    pub text: String,
}

/// The word diff from `old` to `new`. White space alone is no change. Texts of more than 4,000 words that differ are
/// one piece removed and one added, between what they begin and end with alike.
pub fn diff_words(old: &str, new: &str) -> Vec<Piece> {
    diff(old, new, str::to_owned)
}

/// [`diff_words`] that sees no difference between words of the same search form (case, diacritics).
pub fn diff_words_folded(old: &str, new: &str) -> Vec<Piece> {
    diff(old, new, folded)
}

/// A word and the white space after it.
struct Word<'a> {
    text: &'a str,
    key: String,
}

fn words(text: &str, key: impl Fn(&str) -> String) -> Vec<Word<'_>> {
    let mut out: Vec<Word<'_>> = Vec::new();
    let mut starts = text.split_word_bound_indices().filter(|(_, w)| !w.trim().is_empty()).peekable();
    let mut first = true;
    while let Some((at, word)) = starts.next() {
        let end = starts.peek().map_or(text.len(), |&(next, _)| next);
        // White space before the first word goes with it.
        let from = if first { 0 } else { at };
        first = false;
        out.push(Word { text: text.get(from..end).unwrap_or(word), key: key(word) });
    }
    out
}

fn diff(old: &str, new: &str, key: impl Fn(&str) -> String + Copy) -> Vec<Piece> {
    let (old, new) = (words(old, key), words(new, key));
    let prefix = old.iter().zip(&new).take_while(|(a, b)| a.key == b.key).count();
    let rest = old.len().min(new.len()) - prefix;
    let suffix =
        old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a.key == b.key).count();
    let mut pieces = Pieces::default();
    pieces.add(Kind::Same, new.get(..prefix));
    let old_middle = old.get(prefix..old.len() - suffix).unwrap_or_default();
    let new_middle = new.get(prefix..new.len() - suffix).unwrap_or_default();
    if old_middle.len().max(new_middle.len()) > MOST {
        pieces.add(Kind::Removed, Some(old_middle));
        pieces.add(Kind::Added, Some(new_middle));
    } else {
        let keys = |words: &[Word<'_>]| words.iter().map(|w| w.key.clone()).collect::<Vec<_>>();
        for op in capture_diff_slices(Algorithm::Myers, &keys(old_middle), &keys(new_middle)) {
            if let DiffOp::Equal { new_index, len, .. } = op {
                pieces.add(Kind::Same, new_middle.get(new_index..new_index + len));
            } else {
                pieces.add(Kind::Removed, old_middle.get(op.old_range()));
                pieces.add(Kind::Added, new_middle.get(op.new_range()));
            }
        }
    }
    pieces.add(Kind::Same, new.get(new.len() - suffix..));
    pieces.0
}

#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn add(&mut self, kind: Kind, words: Option<&[Word<'_>]>) {
        let Some(words) = words.filter(|w| !w.is_empty()) else { return };
        let text = words.iter().map(|w| w.text);
        match self.0.last_mut() {
            Some(last) if last.kind == kind => last.text.extend(text),
            _ => self.0.push(Piece { kind, text: text.collect() }),
        }
    }
}
