//! What changed between two texts, word by word.

use std::collections::HashMap;

use unicode_segmentation::UnicodeSegmentation;

use super::fold::folded;

/// More words than this on either side are not compared: what is kept for it grows with their product.
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
    /// Equal words have equal numbers, which are faster to compare.
    key: usize,
}

/// The numbers given to words so far.
type Keys = HashMap<String, usize, foldhash::fast::RandomState>;

fn words<'a>(text: &'a str, key: impl Fn(&str) -> String, keys: &mut Keys) -> Vec<Word<'a>> {
    let mut out: Vec<Word<'_>> = Vec::new();
    let mut starts = text.split_word_bound_indices().filter(|(_, w)| !w.trim().is_empty()).peekable();
    let mut first = true;
    while let Some((at, word)) = starts.next() {
        let end = starts.peek().map_or(text.len(), |&(next, _)| next);
        // White space before the first word goes with it.
        let from = if first { 0 } else { at };
        first = false;
        let next = keys.len();
        let key = *keys.entry(key(word)).or_insert(next);
        out.push(Word { text: text.get(from..end).unwrap_or(word), key });
    }
    out
}

fn diff(old: &str, new: &str, key: impl Fn(&str) -> String + Copy) -> Vec<Piece> {
    let mut keys = Keys::default();
    let (old, new) = (words(old, key, &mut keys), words(new, key, &mut keys));
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
        let (mut from_old, mut from_new) = (0, 0);
        for (in_old, in_new) in common(old_middle, new_middle, keys.len()) {
            pieces.add(Kind::Removed, old_middle.get(from_old..in_old));
            pieces.add(Kind::Added, new_middle.get(from_new..in_new));
            pieces.add(Kind::Same, new_middle.get(in_new..=in_new));
            (from_old, from_new) = (in_old + 1, in_new + 1);
        }
        pieces.add(Kind::Removed, old_middle.get(from_old..));
        pieces.add(Kind::Added, new_middle.get(from_new..));
    }
    pieces.add(Kind::Same, new.get(new.len() - suffix..));
    pieces.0
}

/// A longest common subsequence: places in `old` and `new`, rising. `keys` is the number of different words.
///
/// Bit-parallel (Hyyrö 2004): bit j of row i is clear where the first i words of `old` have a longer one in common with
/// the first j + 1 of `new` than with the first j. So texts without anything in common cost no more than others.
fn common(old: &[Word<'_>], new: &[Word<'_>], keys: usize) -> Vec<(usize, usize)> {
    const BITS: usize = u64::BITS as usize;
    let width = new.len().div_ceil(BITS).max(1);
    let mut places = vec![0_u64; keys * width];
    for (at, word) in new.iter().enumerate() {
        if let Some(bits) = places.get_mut(word.key * width + at / BITS) {
            *bits |= 1 << (at % BITS);
        }
    }
    let mut rows: Vec<u64> = Vec::with_capacity(old.len() * width);
    let mut row = vec![u64::MAX; width];
    for word in old {
        let mut carry = false;
        for (bits, matches) in row.iter_mut().zip(places.iter().skip(word.key * width)) {
            let hits = *bits & matches;
            let (sum, over) = bits.overflowing_add(hits);
            let (sum, over_again) = sum.overflowing_add(u64::from(carry));
            carry = over || over_again;
            *bits = sum | (*bits & !matches);
        }
        rows.extend_from_slice(&row);
    }
    let is_clear =
        |i: usize, j: usize| rows.get(i * width + j / BITS).is_some_and(|bits| bits & (1 << (j % BITS)) == 0);
    let mut found = Vec::new();
    let (mut i, mut j) = (old.len(), new.len());
    while i > 0 && j > 0 {
        if !is_clear(i - 1, j - 1) {
            j -= 1;
            continue;
        }
        i -= 1;
        if i == 0 || !is_clear(i - 1, j - 1) {
            j -= 1;
            found.push((i, j));
        }
    }
    found.reverse();
    found
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
