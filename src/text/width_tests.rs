use unicode_segmentation::UnicodeSegmentation;

use super::{cells_of, middle, simple, width};

#[test]
fn simple_characters_are_what_the_tables_say() {
    let all: Vec<char> =
        (0..=0x10_ffff).filter_map(char::from_u32).filter(|&c| simple(c).is_some()).collect();
    assert!(all.len() > 30_000);
    let neighbours = ['a', 'é', 'Я', 'א', 'ا', 'ل', '…', '。', 'か', 'ガ', '東', '가', '각', '！'];
    for c in all {
        assert_eq!(simple(c), Some(cells_of(c.encode_utf8(&mut [0; 4]))), "U+{:04X}", c as u32);
        for other in neighbours {
            assert!(simple(other).is_some());
            for text in [format!("{c}{other}"), format!("{other}{c}")] {
                assert_eq!(text.graphemes(true).count(), 2, "{text} U+{:04X}", c as u32);
            }
        }
    }
}

#[test]
fn a_cut_in_the_middle_keeps_both_ends() {
    assert_eq!(middle("abcdefgh", 8), "abcdefgh");
    assert_eq!(middle("abcdefgh", 7), "abc…fgh");
    assert_eq!(middle("abcdefgh", 4), "ab…h");
    assert_eq!(middle("abcdefgh", 1), "…");
    assert_eq!(middle("abcdefgh", 0), "");
    for cells in 0..14 {
        assert!(width(&middle("日本語のとても長い名前", cells)) <= cells);
    }
    assert_eq!(middle("日本語のとても長い名前", 7), "日…前");
}
