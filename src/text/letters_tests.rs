use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::{FOLDED, TABLE, each_folded, each_of_decomposed, is_han, is_ignorable};

fn by_definition(text: &str) -> String {
    let mut out = String::new();
    for c in text.nfkd() {
        each_of_decomposed(c, &mut |c| out.push(c));
    }
    out
}

fn fast(text: &str) -> String {
    let mut out = String::new();
    each_folded(text, |c| out.push(c));
    out
}

#[test]
fn every_character_folds_by_the_definition() {
    for c in (0..=0x2_ffff).filter_map(char::from_u32) {
        let text = format!("a{c}\u{301}b{c}");
        assert_eq!(fast(&text), by_definition(&text), "U+{:04X}", c as u32);
    }
}

#[test]
fn characters_of_the_table_leave_no_marks_and_fit() {
    assert_eq!(FOLDED.len(), TABLE);
    for c in (0..TABLE as u32).filter_map(char::from_u32) {
        let folded = by_definition(&c.to_string());
        assert!(folded.chars().count() <= 3, "U+{:04X}", c as u32);
        assert!(!folded.contains(is_combining_mark), "U+{:04X}", c as u32);
    }
}

#[test]
fn ideographs_stay() {
    for c in (0x3400..0xa000).filter_map(char::from_u32).filter(|&c| is_han(c)) {
        assert_eq!(by_definition(&c.to_string()), c.to_string());
    }
}

#[test]
fn ignorable_characters_are_dropped() {
    for c in ['\u{200d}', '\u{ad}', '\u{fe0f}'] {
        assert!(is_ignorable(c));
        assert_eq!(fast(&format!("a{c}b")), "ab");
    }
}
