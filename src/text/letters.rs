//! What folding and normalising share: which marks are diacritics, and how letters fold.

use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;

/// Whether a mark only decorates the letter before it.
///
/// Marks that make another letter or syllable (kana voicing, Indic vowel signs, Thai tones) are none.
const fn is_diacritic(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'..='\u{5cf}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{6d6}'..='\u{6dc}'
        | '\u{6df}'..='\u{6e4}' | '\u{6e7}' | '\u{6e8}' | '\u{6ea}'..='\u{6ed}'
        | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}'
        | '\u{fe20}'..='\u{fe2f}')
}

/// Whether a character has neither width nor meaning of its own in a comparison.
///
/// The default-ignorable characters of Unicode that occur in text: joiners, bidi controls, soft hyphens, variation
/// selectors, tags, fillers.
pub(super) const fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// The plain spelling of a lower-case letter whose stroke or ligature Unicode does not decompose.
const fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' => "l",
        'đ' => "d",
        'ħ' => "h",
        'ŧ' => "t",
        'ı' => "i",
        'ς' => "σ",
        _ => return None,
    })
}

/// Hands on the folded letters of a decomposed character: lower case, no diacritics, no ignorable characters.
fn each_of_decomposed(c: char, out: &mut impl FnMut(char)) {
    if is_diacritic(c) || is_ignorable(c) {
        return;
    }
    for lower in c.to_lowercase() {
        match plain(lower) {
            Some(letters) => letters.chars().for_each(&mut *out),
            None if is_diacritic(lower) => {}
            None => out(lower),
        }
    }
}

/// Up to this character (Latin, Greek, Cyrillic, Hebrew, Arabic) folding leaves no mark behind, so that each
/// character folds for itself and the outcome can be kept in a table.
const TABLE: usize = 0x700;

/// The folded letters of a character; none folds to more than three.
#[derive(Clone, Copy, Default)]
struct Entry {
    letters: [char; 3],
    len: u8,
}

static FOLDED: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let fold = |c: char| {
        let mut entry = Entry::default();
        for decomposed in std::iter::once(c).nfkd() {
            each_of_decomposed(decomposed, &mut |c| {
                if let Some(place) = entry.letters.get_mut(usize::from(entry.len)) {
                    *place = c;
                    entry.len += 1;
                }
            });
        }
        entry
    };
    (0..TABLE as u32).map(|c| char::from_u32(c).map_or_else(Entry::default, fold)).collect()
});

/// Hands on the folded letters of `text`: decomposed for compatibility, lower case, without diacritics and ignorable
/// characters. True when marks may be left that could be composed with the letter before them.
pub(super) fn each_folded(text: &str, mut out: impl FnMut(char)) -> bool {
    let table = FOLDED.as_slice();
    let mut composable = false;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if c.is_ascii() {
            out(c.to_ascii_lowercase());
        } else if let Some(entry) = table.get(c as usize) {
            entry.letters.iter().take(usize::from(entry.len)).for_each(|&c| out(c));
        } else if is_han(c) {
            out(c);
        } else {
            // Marks are put in order across characters, so the whole stretch goes together.
            let len = rest.find(|c: char| (c as usize) < TABLE || is_han(c)).unwrap_or(rest.len());
            let (stretch, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
            for c in stretch.nfkd() {
                composable |= !is_ignorable(c);
                each_of_decomposed(c, &mut out);
            }
            rest = after;
            continue;
        }
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    composable
}

/// The unified ideographs: neither case nor decomposition.
const fn is_han(c: char) -> bool {
    matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}')
}

#[cfg(test)]
#[path = "letters_tests.rs"]
mod tests;
