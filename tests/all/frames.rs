//! Each view at four sizes, light and dark.

use std::fmt::Write as _;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::style::Color;

use lookitup::app::Msg;
use lookitup::theme::{SHIPPED, shipped};

use crate::support::bench::{Bench, text_of};

const SIZES: [(u16, u16); 4] = [(60, 16), (80, 24), (120, 40), (200, 60)];

/// A view: its name and the keys that lead there; what follows `|` is typed as text.
const VIEWS: [(&str, &[&str]); 33] = [
    ("browse", &[]),
    ("broken", &["3"]),
    ("detail", &["3", "enter"]),
    ("detail-raw", &["3", "enter", "v", "p"]),
    ("filter", &["/", "|transition:bro"]),
    ("filter-error", &["/", "|conf:high"]),
    ("bins", &["b"]),
    ("figures-summary", &["f"]),
    ("figures-transitions", &["f", "tab"]),
    ("figures-calls", &["f", "tab", "tab"]),
    ("figures-reliability", &["f", "tab", "tab", "tab"]),
    ("figures-calibration", &["f", "tab", "tab", "tab", "tab"]),
    ("figures-bins", &["f", "tab", "tab", "tab", "tab", "tab"]),
    ("figures-gating", &["f", "tab", "tab", "tab", "tab", "tab", "tab"]),
    ("figures-coverage", &["f", "tab", "tab", "tab", "tab", "tab", "tab", "tab"]),
    ("figures-changes", &["f", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab"]),
    ("figures-invocation", &["f", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab"]),
    ("figures-cost", &["f", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab"]),
    ("figures-repeats", &["f", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab", "tab"]),
    ("figures-compared", &["f", "tab", "tab", "tab", "v", "space"]),
    ("coding-plans", &["with notes", "c"]),
    ("coding", &["with notes", "c", "b", "f", "9", "enter", "o"]),
    ("coding-note", &["with notes", "c", "b", "f", "n", "|the page is of another year"]),
    ("coding-counts", &["with notes", "c", "b", "f", "enter", "9", "enter", "9", "2", "enter", "C"]),
    ("palette", &["ctrl-p"]),
    ("help", &["?"]),
    ("help-found", &["?", "/", "|column"]),
    ("help-not-found", &["?", "/", "|no such word"]),
    ("columns", &["|columns"]),
    ("resized", &["|columns", "j", ",", "j", ",", ",", ",", "k", "esc"]),
    ("copy", &["3", "y"]),
    ("ask-again", &["3", "r"]),
    ("ask-again-prompt", &["3", "with a key", "r", "shift-tab", "shift-tab", "shift-tab"]),
];

fn at(view: (&str, &[&str]), size: (u16, u16)) -> Bench {
    let mut bench = Bench::sample(size);
    for step in view.1 {
        if *step == "with a key" {
            bench.send(Msg::Prepared(Arc::new(crate::reask::asking(&["anthropic"]))));
            continue;
        }
        if *step == "with notes" {
            bench = bench.with_notes();
            continue;
        }
        match step.strip_prefix('|') {
            Some("columns") => bench.press("|"),
            Some(text) => bench.type_text(text),
            None => bench.press(step),
        }
    }
    bench
}

#[test]
fn views_at_four_sizes() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        for view in VIEWS {
            for size in SIZES {
                let text = at(view, size).text();
                insta::assert_snapshot!(format!("{}-{}x{}", view.0, size.0, size.1), text);
            }
        }
    });
}

/// Runs of one style: line, columns, colours, modifiers.
fn styles(buffer: &Buffer) -> String {
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut from = 0;
        for x in 1..=buffer.area.width {
            let end = x == buffer.area.width;
            let first = &buffer[(from, y)];
            if !end && buffer[(x, y)].style() == first.style() {
                continue;
            }
            let _ = writeln!(
                out,
                "{y:>2} {from:>3}–{:<3} {:?} on {:?} {:?}",
                x - 1,
                first.fg,
                first.bg,
                first.modifier
            );
            from = x;
        }
    }
    out
}

#[test]
fn styles_light_and_dark() {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        for name in ["dark", "light"] {
            let mut bench = at(VIEWS[1], (80, 24));
            bench.theme = shipped(name).unwrap();
            name.clone_into(&mut bench.model.theme);
            insta::assert_snapshot!(format!("styles-{name}-80x24"), styles(&bench.frame()));
        }
    });
}

fn luminance(color: Color) -> Option<f64> {
    let Color::Rgb(r, g, b) = color else { return None };
    let part = |c: u8| {
        let c = f64::from(c) / 255.0;
        if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    };
    Some(0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b))
}

/// WCAG 2 contrast ratio; `None` where a colour is the terminal's own.
fn contrast(a: Color, b: Color) -> Option<f64> {
    let (a, b) = (luminance(a)?, luminance(b)?);
    Some((a.max(b) + 0.05) / (a.min(b) + 0.05))
}

#[test]
fn every_letter_of_every_view_can_be_read_in_every_theme() {
    let mut seen = 0;
    for view in VIEWS {
        let mut bench = at(view, (120, 40));
        for (name, _) in SHIPPED {
            bench.theme = shipped(name).unwrap();
            (*name).clone_into(&mut bench.model.theme);
            let frame = bench.frame();
            for cell in frame.content() {
                if !cell.symbol().chars().any(char::is_alphanumeric) {
                    continue;
                }
                if let Some(ratio) = contrast(cell.fg, cell.bg) {
                    seen += 1;
                    assert!(
                        ratio >= 4.5,
                        "{name}, {}: {:?} on {:?} is {ratio:.2}:1 at “{}”\n{}",
                        view.0,
                        cell.fg,
                        cell.bg,
                        cell.symbol(),
                        text_of(&frame)
                    );
                }
            }
        }
    }
    assert!(seen > 10_000, "the check saw {seen} letters");
}

#[test]
fn any_size_draws() {
    let small = (0..12).flat_map(|w| (0..5).map(move |h| (w * 9, h * 5)));
    let sizes = small.chain([(1, 1), (2, 1), (40, 10), (41, 11), (400, 150), (1, 60), (300, 10)]);
    let mut bench = Bench::sample((80, 24));
    for view in VIEWS {
        bench.press("esc esc esc esc");
        for step in view.1 {
            if *step == "with a key" {
                bench.send(Msg::Prepared(Arc::new(crate::reask::asking(&["anthropic"]))));
                continue;
            }
            if *step == "with notes" {
                let news = bench.news();
                bench.send(news);
                continue;
            }
            match step.strip_prefix('|') {
                Some("columns") => bench.press("|"),
                Some(text) => bench.type_text(text),
                None => bench.press(step),
            }
        }
        for (width, height) in sizes.clone() {
            bench.send(lookitup::app::Msg::Resize(width, height));
            let frame = bench.frame();
            if width > 20 && height > 0 {
                assert!(
                    frame.content().iter().any(|c| c.symbol() != " "),
                    "{}: {width}×{height} is empty",
                    view.0
                );
            }
        }
        bench.send(lookitup::app::Msg::Resize(80, 24));
    }
}
