use proptest::prelude::*;

use super::{any, ascii, normalize, without_articles};

fn slow(text: &str) -> String {
    let mut out = Vec::new();
    any(text, &mut out);
    String::from_utf8(without_articles(&out).to_vec()).unwrap()
}

#[test]
fn the_fast_way_takes_plain_answers_and_leaves_marks_alone() {
    let takes = |text: &str| ascii(text, &mut Vec::new());
    assert!(takes("The Answer, no. 1,981!"));
    for text in ["Sjöberg", "a [1]", "**b**", "a<b", "_a_"] {
        assert!(!takes(text), "{text}");
    }
}

proptest! {
    #[test]
    fn both_ways_agree(text in "[ -~\\n\\t]{0,60}") {
        prop_assert_eq!(normalize(&text), slow(&text));
    }

    #[test]
    fn both_ways_agree_on_numbers_and_articles(text in "(the |a |an )?[0-9a,.$ +-]{0,24}") {
        prop_assert_eq!(normalize(&text), slow(&text));
    }
}
