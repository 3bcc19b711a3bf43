//! Names of models, as short as they stay different.

/// Above this many names nothing is shortened: the work is done for every frame.
const MOST: usize = 64;

/// Each name without what all begin with, and without the date at its end where none is mistaken for another then.
/// Names that would not be told apart by less stay whole.
pub fn short_names(names: &[&str]) -> Vec<String> {
    let whole = || names.iter().map(|&n| n.to_owned()).collect();
    if names.len() < 2 || names.len() > MOST {
        return whole();
    }
    let common = common_head(names);
    let tails: Vec<&str> = names.iter().filter_map(|n| n.get(common..)).collect();
    let undated: Vec<&str> = tails.iter().map(|t| without_date(t)).collect();
    for short in [&undated, &tails] {
        let mut seen = short.clone();
        seen.sort_unstable();
        seen.dedup();
        if seen.len() == names.len() && !seen.contains(&"") {
            return short.iter().map(|&s| s.to_owned()).collect();
        }
    }
    whole()
}

/// The bytes that all names begin with, up to a mark between words and with it.
fn common_head(names: &[&str]) -> usize {
    let Some((first, rest)) = names.split_first() else { return 0 };
    let alike = |other: &&str| first.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let common = rest.iter().map(alike).min().unwrap_or(0);
    let head = first.as_bytes().get(..common).unwrap_or_default();
    // These are single bytes, so the cut is never within a character.
    head.iter().rposition(|b| matches!(b, b'-' | b'/' | b'_' | b':' | b' ')).map_or(0, |at| at + 1)
}

/// A name without `-20251001` or `-2025-10-01` at its end.
fn without_date(name: &str) -> &str {
    let digits = |text: &str, n: usize| text.len() == n && text.bytes().all(|b| b.is_ascii_digit());
    if let Some((head, day)) = name.rsplit_once('-') {
        if digits(day, 8) {
            return head;
        }
        if digits(day, 2)
            && let Some((head, month)) = head.rsplit_once('-')
            && digits(month, 2)
            && let Some((head, year)) = head.rsplit_once('-')
            && digits(year, 4)
        {
            return head;
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::short_names;

    #[test]
    fn names_are_as_short_as_they_stay_different() {
        assert_eq!(short_names(&["sim-large", "sim-small"]), ["large", "small"]);
        assert_eq!(short_names(&["sim-large"]), ["sim-large"]);
        assert_eq!(
            short_names(&["claude-haiku-4-5-20251001", "gpt-5-mini-2025-08-07"]),
            ["claude-haiku-4-5", "gpt-5-mini"]
        );
        // One model at two dates: the date is what tells them apart.
        assert_eq!(short_names(&["m-20250101", "m-20250202"]), ["20250101", "20250202"]);
        assert_eq!(short_names(&["m", "m-20250202"]), ["m", "m-20250202"]);
        assert_eq!(short_names(&["gpt-5", "gpt-5-mini"]), ["5", "5-mini"]);
        assert_eq!(short_names(&["a/b-", "a/b-c"]), ["a/b-", "a/b-c"]);
        assert!(short_names(&[]).is_empty());
    }
}
