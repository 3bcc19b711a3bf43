//! Comparing by words.

use std::collections::BTreeSet;

use crate::text::{normalize, time_anchors};

/// Whether normalised words stand in a normalised text one after another.
pub(super) fn holds(text: &str, words: &str) -> bool {
    !words.is_empty() && format!(" {text} ").contains(&format!(" {words} "))
}

/// An address as words: percent signs decoded, everything that is no letter or digit a space, then normalised.
pub(super) fn of_address(url: &str) -> String {
    let path = url.split_once("://").map_or(url, |(_, rest)| rest);
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(b) = rest.next() {
        let code = || {
            let mut two = rest.clone();
            let (high, low) = (char::from(two.next()?).to_digit(16)?, char::from(two.next()?).to_digit(16)?);
            u8::try_from(high * 16 + low).ok()
        };
        if b == b'%'
            && let Some(decoded) = code()
        {
            bytes.push(decoded);
            rest.nth(1);
        } else {
            bytes.push(b);
        }
    }
    let text: String =
        String::from_utf8_lossy(&bytes).chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    normalize(&text)
}

/// Whether a normalised text says enough to be found in another one by more than chance: four letters or digits, or
/// letters beyond ASCII, of which fewer make a name.
pub(super) fn is_telling(normalised: &str) -> bool {
    let letters = normalised.chars().filter(|c| c.is_alphanumeric()).count();
    letters >= 4 || (letters >= 2 && !normalised.is_ascii())
}

/// Whether there is a letter in it.
pub(super) fn is_wordy(normalised: &str) -> bool {
    normalised.chars().any(char::is_alphabetic)
}

const SMALL: [&str; 28] = [
    "a", "an", "and", "are", "as", "at", "by", "did", "for", "from", "in", "is", "it", "of", "on", "or",
    "the", "to", "was", "were", "what", "when", "where", "which", "who", "whom", "with", "s",
];

/// The words of a text that say something.
pub(super) fn content(text: &str) -> BTreeSet<String> {
    normalize(text).split(' ').filter(|w| !w.is_empty() && !SMALL.contains(w)).map(str::to_owned).collect()
}

/// How much two sets have in common, 0 to 1: the part of all that is in both (Jaccard 1901).
pub(super) fn likeness<T: Ord>(a: &BTreeSet<T>, b: &BTreeSet<T>) -> f64 {
    let all = a.union(b).count();
    if all == 0 { 0.0 } else { a.intersection(b).count() as f64 / all as f64 }
}

/// The years of a text, of a span such as `2002–03` or `1994/95` both ends.
pub(super) fn years(text: &str) -> Vec<i32> {
    let bytes: Vec<char> = text.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let digits: String = bytes.iter().skip(at).take_while(|c| c.is_ascii_digit()).collect();
        if digits.is_empty() {
            at += 1;
            continue;
        }
        let end = at + digits.len();
        if let Some(year) = year(&digits) {
            out.push(year);
            let dash = bytes.get(end).is_some_and(|c| matches!(c, '-' | '–' | '—' | '/'));
            let next: String = bytes.iter().skip(end + 1).take_while(|c| c.is_ascii_digit()).collect();
            // `2002-03-01` is a date, `2002–03` a season.
            let is_date = bytes.get(end + 1 + next.len()) == Some(&'-');
            if dash && next.len() == 2 && !is_date {
                out.extend(next.parse::<i32>().ok().map(|n| year / 100 * 100 + n).filter(|y| *y > year));
            }
        }
        at = end;
    }
    out
}

fn year(digits: &str) -> Option<i32> {
    let year: i32 = (digits.len() == 4).then(|| digits.parse().ok()).flatten()?;
    (1_000..=2_199).contains(&year).then_some(year)
}

/// The years that a question fixes by its own words.
pub(super) fn asked_years(question: &str) -> Vec<i32> {
    time_anchors(question).into_iter().flat_map(|r| years(question.get(r).unwrap_or_default())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_words() {
        assert_eq!(
            of_address("https://en.wikipedia.org/wiki/Patrik_Sj%C3%B6berg"),
            "en wikipedia org wiki patrik sjoberg"
        );
        assert_eq!(of_address("x/100%25%z%"), "x 100 z");
    }

    #[test]
    fn years_and_spans() {
        assert_eq!(
            years("2002–03 season, 1994/95, 2020-03-01, 12345, 1066"),
            [2002, 2003, 1994, 1995, 2020, 1066]
        );
        assert_eq!(asked_years("Who led it before 2008, the 3rd of 12 in room 1999b?"), [2008]);
    }

    #[test]
    fn words_are_whole() {
        assert!(holds("earl warren court", "warren") && !holds("earl warrens", "warren") && !holds("a", ""));
        assert!(is_telling("1981") && is_telling("赵心") && !is_telling("49") && !is_telling("x y z"));
        assert!(
            (likeness(&content("the capital of Kazakhstan"), &content("Kazakhstan capital")) - 1.0).abs()
                < 1e-12
        );
    }
}
