//! Finding a line of the help, and of the problems dialog.

use lookitup::app::{Msg, Overlay, TextDialog};

use crate::support::bench::Bench;

fn dialog(bench: &Bench) -> &TextDialog {
    match bench.model.overlays.last() {
        Some(Overlay::Text(text) | Overlay::Problems(text)) => text,
        other => panic!("no text: {other:?}"),
    }
}

fn lines(bench: &Bench) -> Vec<String> {
    let dialog = dialog(bench);
    let said = |at: usize| format!("{} {}", dialog.lines[at].1, dialog.lines[at].2).trim().to_owned();
    dialog.shown().into_iter().map(said).collect()
}

#[test]
fn the_help_can_be_searched() {
    let mut bench = Bench::sample((120, 40));
    bench.press("?");
    assert!(bench.text().contains("/ find"), "the key is named");
    let all = lines(&bench).len();
    bench.press("G /");
    bench.type_text("List WIDER");
    let found = lines(&bench);
    assert_eq!(found, ["everywhere", "> make the list wider"], "case does not matter, its heading stays");
    let (n, of) = dialog(&bench).found();
    assert!(n == 1 && of > 100);
    let text = bench.text();
    assert!(text.contains("make the list wider") && text.contains(&format!("1 of {of}")), "{text}");
    // Letters are text while words are typed, those too that mean something elsewhere.
    bench.press("q");
    assert!(lines(&bench).is_empty());
    assert!(bench.text().contains("nothing here has the words “List WIDERq”"));
    assert!(bench.text().contains(&format!("0 of {of}")));
    bench.press("esc");
    assert_eq!(lines(&bench).len(), all, "the first Esc brings everything back");
    // A filter's field is found, and scrolled to the end.
    bench.press("/");
    bench.send(Msg::Paste("transition\n".into()));
    bench.press("enter");
    let found = lines(&bench);
    assert!(found.len() > 2 && found.len() < all, "{found:?}");
    bench.send(Msg::Resize(40, 10));
    bench.press("G");
    let end = dialog(&bench).scroll;
    let last = found.last().unwrap().split_whitespace().next_back().unwrap();
    assert!(end > 0 && bench.text().contains(last), "{last}\n{}", bench.text());
    bench.press("j j k");
    assert_eq!(dialog(&bench).scroll, end - 1, "it stops at the end");
    bench.press("esc esc");
    assert!(bench.model.overlays.is_empty());
    // With nothing typed, Esc leaves the typing alone.
    bench.press("? / esc");
    assert!(!dialog(&bench).typing);
    bench.press("?");
    assert!(bench.model.overlays.is_empty());
}

#[test]
fn problems_can_be_searched() {
    let mut bench = Bench::sample((60, 16));
    bench.press("!");
    bench.press("/");
    bench.type_text("doubt");
    assert!(lines(&bench).iter().any(|l| l == "Files and settings were read without a doubt."));
    bench.type_text("xyz");
    assert!(lines(&bench).is_empty());
    bench.press("esc esc");
    assert!(bench.model.overlays.is_empty());
}

#[test]
fn a_line_higher_than_the_box_is_read_to_its_end() {
    let mut bench = Bench::sample((40, 10));
    let words: Vec<String> = (0..60).map(|n| format!("word{n:02}")).collect();
    bench.model.config_errors = vec![words.join(" ")];
    bench.press("!");
    let mut seen = bench.text();
    for _ in 0..40 {
        bench.press("j");
        seen.push_str(&bench.text());
    }
    for word in words {
        assert!(seen.contains(&word), "{word}");
    }
}

#[test]
fn no_key_of_the_help_is_cut() {
    for size in [(40, 10), (60, 16), (80, 24)] {
        let mut bench = Bench::sample(size);
        bench.press("?");
        bench.press("/");
        bench.type_text("page down");
        let text = bench.text();
        for key in ["page-down", "ctrl-f", "space"] {
            assert!(text.contains(key), "{size:?}: {key}\n{text}");
        }
    }
}
