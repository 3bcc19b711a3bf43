//! What folding and normalising share: which marks are diacritics, and the plain letters of those that do not decompose.

/// Whether a mark only decorates the letter before it.
///
/// Marks that make another letter or syllable (kana voicing, Indic vowel signs, Thai tones) are none.
pub(super) const fn is_diacritic(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}' | '\u{5c2}' | '\u{5c4}' | '\u{5c5}' | '\u{5c7}'
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
pub(super) const fn plain(c: char) -> Option<&'static str> {
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
pub(super) fn each_folded(c: char, mut out: impl FnMut(char)) {
    if is_diacritic(c) || is_ignorable(c) {
        return;
    }
    for lower in c.to_lowercase() {
        match plain(lower) {
            Some(letters) => letters.chars().for_each(&mut out),
            None if is_diacritic(lower) => {}
            None => out(lower),
        }
    }
}
