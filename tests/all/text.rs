//! Untrusted text, widths, wrapping, diffs, folding, time anchors.

use std::borrow::Cow;

use lookitup::text::{
    Kind, clean, diff_words, diff_words_folded, expand_tabs, folded, lost_anchors, normalize, pad, sanitize,
    sanitize_line, time_anchors, truncate, width, wrap,
};
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

const EMOJI: [&str; 9] = ["👩‍👩‍👧‍👦", "🇰🇿", "👍🏽", "❤️", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏳️‍🌈", "☎", "☎️"];

/// Text with everything that hurts: controls, bidi, tags, marks, emoji, wide and right-to-left scripts.
fn rough() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-zA-Z0-9 ,.-]{0,8}",
        1 => "[\\x00-\\x1f\\x7f\u{80}-\u{9f}]{1,3}",
        1 => "[\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{ad}\u{61c}]{1,2}",
        1 => "[\u{e0020}-\u{e007f}]{1,4}",
        1 => "[\u{fe0e}\u{fe0f}\u{e0100}\u{300}\u{301}\u{64b}]{1,3}",
        1 => proptest::sample::select(EMOJI.to_vec()).prop_map(str::to_owned),
        1 => "[あ-ん一-丘。「」가-깋]{1,5}",
        1 => "[ء-يא-ת]{1,6}",
        1 => "\\PC{1,4}",
        1 => proptest::sample::select(vec!["\r\n", "\n", "\t", "\r"]).prop_map(str::to_owned),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|v| v.concat())
}

/// Cells that ratatui fills when it draws `text`, which holds no control characters.
fn drawn(text: &str) -> usize {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 600, 1));
    usize::from(buffer.set_stringn(0, 0, text, 600, Style::new()).0)
}

fn lines(text: &str, cells: usize) -> Vec<&str> {
    wrap(text, cells).into_iter().map(|r| &text[r]).collect()
}

#[test]
fn clean_text_is_borrowed() {
    for text in ["", "plain\n\ttext", "Sjöberg 東京 مرحبا", "👩‍👩‍👧‍👦🏴󠁧󠁢󠁳󠁣󠁴󠁿❤️", "می‌خواهم"]
    {
        assert!(matches!(sanitize(text), Cow::Borrowed(_)), "{text:?}");
    }
    assert!(matches!(sanitize_line("one line"), Cow::Borrowed(_)));
}

#[test]
fn what_could_act_on_a_terminal_becomes_visible() {
    for (text, shown) in [
        ("\x1b[31mred\x07", "␛[31mred␇"),
        ("\x1b]52;c;cHduZWQ=\x07", "␛]52;c;cHduZWQ=␇"),
        ("a\r\nb\rc\0\x7f", "a\nb␍c␀␡"),
        ("a\r\r\nb", "a␍\nb"),
        ("\u{85}\u{9b}31m", "⟨U+0085⟩⟨U+009B⟩31m"),
        ("abc\u{202e}fed\u{2069}", "abc⟨U+202E⟩fed⟨U+2069⟩"),
        ("zero\u{200b}width\u{feff}so\u{ad}ft", "zero⟨U+200B⟩width⟨U+FEFF⟩so⟨U+00AD⟩ft"),
        ("hi\u{e0068}\u{e0069}", "hi⟨U+E0068⟩⟨U+E0069⟩"),
        ("🏴\u{e0067}", "🏴⟨U+E0067⟩"),
        ("❤\u{fe0f}\u{fe0f}\u{e0101}", "❤\u{fe0f}⟨U+FE0F⟩⟨U+E0101⟩"),
        ("para\u{2029}graph", "para⟨U+2029⟩graph"),
    ] {
        assert_eq!(sanitize(text), shown, "{text:?}");
    }
    assert_eq!(sanitize_line("a\tb\r\nc\nd\x1b"), "a b⏎c⏎d␛");
}

#[test]
fn long_clean_stretches_are_kept_whole() {
    let text = format!("{}\x1b{}", "x".repeat(1_000), "é".repeat(1_000));
    assert_eq!(sanitize(&text), text.replace('\x1b', "␛"));
}

#[test]
fn widths_are_those_that_ratatui_draws() {
    let texts = [
        "plain",
        "Patrik Sjöberg",
        "e\u{301}\u{323}",
        "東京タワー",
        "ﾊﾟﾝ",
        "مرحبا بالعالم",
        "שלום",
        "한국어",
        "नमस्ते",
        "ไทย",
        "“…”",
        "ﷺ",
        "a\u{200d}b",
        "\u{301}lone",
        "🏳",
        "⟨U+202E⟩␛⏎",
    ];
    for text in texts.into_iter().chain(EMOJI) {
        assert_eq!(width(text), drawn(text), "{text:?}");
    }
    assert_eq!(width("👩‍👩‍👧‍👦"), 2);
    assert_eq!(width("🇰🇿"), 2);
    assert_eq!(width("東京"), 4);
    assert_eq!(width("e\u{301}"), 1);
    assert_eq!(width("tab\tand\x1bescape"), 12);
}

#[test]
fn cutting_and_padding_keep_graphemes_whole() {
    assert_eq!(truncate("high jump", 9), "high jump");
    assert_eq!(truncate("high jump", 8), "high ju…");
    assert_eq!(truncate("東京タワー", 6), "東京…");
    assert_eq!(truncate("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 3), "👩‍👩‍👧‍👦…");
    assert_eq!(truncate("ab", 1), "…");
    assert_eq!(truncate("ab", 0), "");
    assert_eq!(pad("東京タワー", 6), "東京… ");
    assert_eq!(pad("ab", 4), "ab  ");
    assert_eq!(pad("", 0), "");
}

#[test]
fn lines_break_at_words() {
    assert_eq!(lines("the quick brown fox", 10), ["the quick", "brown fox"]);
    assert_eq!(lines("one\n\ntwo\n", 10), ["one", "", "two"]);
    assert_eq!(lines("", 10), [""]);
    assert_eq!(lines("abcdefghij", 4), ["abcd", "efgh", "ij"]);
    assert_eq!(lines("ab abcdefghij", 4), ["ab", "abcd", "efgh", "ij"]);
    assert_eq!(lines("  indented text", 10), ["  indented", "text"]);
    assert_eq!(lines("a   b", 3), ["a", "b"]);
    assert_eq!(lines("ends in blanks   ", 20), ["ends in blanks"]);
    assert_eq!(lines("no\u{a0}break here", 8), ["no\u{a0}break", "here"]);
    assert_eq!(lines("a\tb\tc", 5), ["a\tb", "c"]);
    assert_eq!(expand_tabs("a\tb\tc"), "a   b   c");
    assert_eq!(expand_tabs("東\tx"), "東  x");
}

#[test]
fn east_asian_text_breaks_between_characters_but_not_before_punctuation() {
    assert_eq!(lines("東京タワーに行く。", 8), ["東京タ", "ワーに行", "く。"]);
    assert_eq!(lines("see 東京", 6), ["see 東", "京"]);
    assert_eq!(lines("東京", 1), ["東", "京"]);
    assert_eq!(lines("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 2), ["👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦"]);
}

#[test]
fn a_long_answer_wraps() {
    for (text, count) in [
        ("word and another ".repeat(600), 228),
        ("東京に行くことにした。".repeat(910), 418),
        ("x".repeat(10_000), 209),
    ] {
        let wrapped = lines(&text, 48);
        assert!(wrapped.len().abs_diff(count) < 20, "{}", wrapped.len());
        assert!(wrapped.iter().all(|l| width(l) <= 48));
    }
}

#[test]
fn diffs_go_by_words() {
    let pieces = |old, new| diff_words(old, new).into_iter().map(|p| (p.kind, p.text)).collect::<Vec<_>>();
    assert_eq!(pieces("a b c", "a b c"), [(Kind::Same, "a b c".into())]);
    assert_eq!(pieces("", ""), []);
    assert_eq!(
        pieces("Patrik Sjöberg", "Javier Sotomayor"),
        [(Kind::Removed, "Patrik Sjöberg".into()), (Kind::Added, "Javier Sotomayor".into())]
    );
    assert_eq!(
        pieces("world record on 1 January 1988?", "world record"),
        [(Kind::Same, "world record".into()), (Kind::Removed, "on 1 January 1988?".into()),]
    );
    assert_eq!(diff_words_folded("Who HELD it", "who held it").len(), 1);
    assert_eq!(diff_words("Who held", "who held").len(), 3);
    let long = |word: &str| format!("{word} ").repeat(9_000);
    assert_eq!(diff_words(&long("a"), &long("b")).len(), 2);
}

#[test]
fn folding_is_for_searching() {
    for (text, form) in [
        ("Patrik Sjöberg", "patrik sjoberg"),
        ("Wałęsa ØRSTED ß", "walesa orsted ss"),
        ("line\nbreak\ttab\x1b", "line break tab "),
        ("ＮＡＳＡ ﬁne", "nasa fine"),
        ("Нур-Султан", "нур-султан"),
        ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
        ("İstanbul", "istanbul"),
    ] {
        assert_eq!(folded(text), form, "{text}");
    }
    assert_eq!(folded("が"), folded("か\u{3099}"));
    assert_ne!(folded("が"), folded("か"));
}

#[test]
fn normalising_follows_the_definition() {
    for (text, form) in [
        ("The United States", "united states"),
        ("the a an apple", "apple"),
        ("The The", "the"),
        ("A", "a"),
        ("1,981", "1981"),
        ("1,234,567.5", "1234567.5"),
        ("1,98", "1 98"),
        ("2001,2002", "2001 2002"),
        ("forty-nine", "forty nine"),
        ("1988-01-01", "1988-01-01"),
        ("2003–2004", "2003-2004"),
        ("−5", "5"),
        ("3.14.", "3.14"),
        ("Patrik Sjöberg.", "patrik sjoberg"),
        ("“Nur‑Sultan”", "nur sultan"),
        ("O’Brien", "o brien"),
        ("  many\u{a0}\u{2003}spaces\n", "many spaces"),
        ("**1981**", "1981"),
        ("**Par**is", "paris"),
        ("Paris[1][2, 3]", "paris"),
        ("Paris 【12†source】", "paris"),
        ("Paris ([en.wikipedia.org](https://en.wikipedia.org/wiki/Paris_(city)))", "paris"),
        ("[Paris](https://x.org/a_(b)) is it", "paris is it"),
        ("Paris\u{e200}cite\u{e202}turn0search1\u{e201}.", "paris"),
        ("Paris<sup>2</sup>", "paris"),
        ("Fermat [1637]", "fermat 1637"),
        ("[5]", "5"),
        ("ＮＡＳＡ", "nasa"),
        ("東京タワー", "東京タワー"),
        ("がぎ", "がぎ"),
        ("Нұр-Сұлтан", "нұр сұлтан"),
        ("محمد", "محمد"),
        ("한국", "한국"),
        ("नमस्ते", "नमस्ते"),
        ("$5 million", "$ 5 million"),
        ("C++", "c++"),
        ("zero\u{200b}width", "zerowidth"),
        ("zero⟨U+200B⟩width", "zerowidth"),
        ("next⟨U+0085⟩line", "next line"),
        ("⟨U+0080⟩", ""),
        ("Straße", "strasse"),
        ("", ""),
        ("?!", ""),
    ] {
        assert_eq!(normalize(text), form, "{text}");
    }
    assert_ne!(normalize("forty-nine"), normalize("49"));
    assert_ne!(normalize("$5"), normalize("€5"));
}

#[test]
fn cleaning_never_leaves_nothing() {
    for text in ["[1]", "**", ".", "([a](b))"] {
        assert_eq!(clean(text), text);
    }
}

#[test]
fn deep_and_unclosed_brackets_end() {
    for unit in ["[", "[[", "([a](", "[x](", "【", "<cite ", "⟨U+", "![", "**", "(((", "<sup>", "<sup>1"] {
        let text = unit.repeat(20_000);
        assert!(normalize(&text).len() <= text.len(), "{unit}");
    }
}

fn anchored(question: &str) -> Vec<&str> {
    time_anchors(question).into_iter().map(|r| &question[r]).collect()
}

#[test]
fn time_anchors_are_found() {
    for (question, anchors) in [
        ("Who held the men's high jump world record on 1 January 1988?", vec!["on 1 January 1988"]),
        ("Who was president before 2008?", vec!["before 2008"]),
        ("What was the capital officially called as of March 2020?", vec!["as of March 2020"]),
        ("How many stars between 4 July 1959 and 3 July 1960?", vec!["between 4 July 1959 and 3 July 1960"]),
        ("Who is currently the CEO?", vec!["currently"]),
        ("Who won in the 19th century and in the 1990s?", vec!["in the 19th century", "in the 1990s"]),
        ("Which club won the 2015–16 season?", vec!["2015–16"]),
        ("Who led it two years ago?", vec!["two years ago"]),
        ("Who led it in early 1945?", vec!["in early 1945"]),
        ("Who led it at the end of May 1945?", vec!["at the end of May 1945"]),
        ("Released on January 5th, 2012 or 2012-01-06?", vec!["on January 5th, 2012", "2012-01-06"]),
        ("Who led it between March and September 1999?", vec!["between March and September 1999"]),
        ("Who led it between 23 and 30 December 2001?", vec!["between 23 and 30 December 2001"]),
        ("Who led it from June 2002 through June 2004?", vec!["from June 2002 through June 2004"]),
        ("Who hosted the last Summer Games? Who did last summer?", vec!["last summer"]),
        ("Who may march in this house?", vec![]),
        ("What is 12345 in Roman numerals?", vec![]),
        ("", vec![]),
    ] {
        assert_eq!(anchored(question), anchors, "{question}");
    }
}

#[test]
fn what_a_query_lost_of_the_time() {
    let question = "Who held the men's high jump world record on 1 January 1988?";
    let lost = |question: &'static str, query| -> Vec<&str> {
        lost_anchors(question, query).into_iter().map(|r| &question[r]).collect()
    };
    assert_eq!(lost(question, "high jump world record"), ["1 January 1988"]);
    assert_eq!(lost(question, "high jump record 1988"), ["1 January"]);
    assert_eq!(lost(question, "high jump record January 1, 1988"), Vec::<&str>::new());
    assert_eq!(lost(question, "high jump record 1988-01-01"), Vec::<&str>::new());
    assert_eq!(lost("Who was president before 2008?", "president 2008"), ["before"]);
    assert_eq!(lost("Who was president before 2008?", "president before 2008"), Vec::<&str>::new());
    assert_eq!(lost("Who is currently the CEO?", "CEO"), ["currently"]);
    assert_eq!(lost("Who is the CEO as of now?", "CEO"), ["as of now"]);
}

proptest! {
    #[test]
    fn sanitised_text_is_harmless_and_stays_so(text in rough()) {
        let once = sanitize(&text).into_owned();
        for c in once.chars() {
            prop_assert!(!c.is_control() || c == '\n' || c == '\t', "{:?}", once);
            let acts = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
            prop_assert!(!acts, "{:?}", once);
        }
        prop_assert_eq!(&sanitize(&once), &once);
        let line = sanitize_line(&text).into_owned();
        prop_assert!(!line.contains(char::is_control));
        prop_assert_eq!(&sanitize_line(&line), &line);
    }

    #[test]
    fn sanitised_text_is_as_wide_as_it_is_drawn(text in rough()) {
        let line = sanitize_line(&text);
        prop_assert_eq!(width(&line), drawn(&line), "{:?}", line);
    }

    #[test]
    fn cut_text_fits(text in rough(), cells in 0_usize..30) {
        let line = sanitize_line(&text);
        let short = truncate(&line, cells);
        prop_assert!(width(&short) <= cells);
        prop_assert!(width(&line) > cells || short == line);
        prop_assert_eq!(width(&pad(&line, cells)), cells);
    }

    #[test]
    fn wrapped_lines_fit_and_lose_only_white_space(text in rough(), cells in 1_usize..30) {
        let text = sanitize(&text);
        let mut at = 0;
        for range in wrap(&text, cells) {
            prop_assert!(text[at..range.start].chars().all(char::is_whitespace), "{:?}", &text[at..range.start]);
            let line = expand_tabs(&text[range.clone()]);
            let single = unicode_segmentation::UnicodeSegmentation::graphemes(&*text, true)
                .any(|g| width(g) > cells);
            prop_assert!(width(&line) <= cells || single, "{:?} in {}", line, cells);
            at = range.end;
        }
        prop_assert!(text[at..].chars().all(char::is_whitespace));
    }

    #[test]
    fn diffs_hold_both_texts(old in "[abc .]{0,30}", new in "[abc .]{0,30}") {
        let squeeze = |s: &str| s.split_whitespace().collect::<String>();
        let side = |kind: Kind| {
            let pieces = diff_words(&old, &new);
            squeeze(&pieces.iter().filter(|p| p.kind != kind).map(|p| p.text.as_str()).collect::<String>())
        };
        prop_assert_eq!(side(Kind::Added), squeeze(&old));
        prop_assert_eq!(side(Kind::Removed), squeeze(&new));
    }

    #[test]
    fn normalising_twice_changes_nothing(text in rough()) {
        let once = normalize(&text);
        prop_assert_eq!(normalize(&once), once);
    }

    #[test]
    fn sanitising_changes_no_comparison(text in rough()) {
        prop_assert_eq!(normalize(&sanitize(&text)), normalize(&text), "{:?}", text);
    }

    #[test]
    fn folding_leaves_no_controls(text in rough()) {
        prop_assert!(!folded(&text).contains(char::is_control));
    }

    #[test]
    fn anchors_are_places_in_the_question(text in rough()) {
        for range in time_anchors(&text).into_iter().chain(lost_anchors(&text, "")) {
            prop_assert!(text.get(range).is_some());
        }
    }
}
