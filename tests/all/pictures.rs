//! The README's pictures: frames of the sample as SVG. `LOOKITUP_WRITE=1 cargo test pictures` makes them anew.

use std::fmt::Write as _;

use lookitup::theme::shipped;
use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier};

use crate::common::root;
use crate::support::bench::Bench;

const CELL: (f64, f64) = (8.4, 18.0);

fn hex(color: Color, otherwise: &str) -> String {
    match color {
        Color::Rgb(r, g, b) => format!("#{r:02x}{g:02x}{b:02x}"),
        _ => otherwise.to_owned(),
    }
}

/// A frame as SVG: a rectangle and a text for each run of one style, each text held to its cells.
fn svg(buffer: &Buffer, title: &str) -> String {
    let (width, height) = (buffer.area.width, buffer.area.height);
    let (w, h) = (f64::from(width) * CELL.0, f64::from(height) * CELL.1);
    let ground = hex(buffer[(0, height - 1)].bg, "#000000");
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.1} {h:.1}\" role=\"img\" aria-label=\"{title}\" \
         font-family=\"ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"14\">\n\
         <title>{title}</title>\n<rect width=\"100%\" height=\"100%\" rx=\"6\" fill=\"{ground}\"/>\n"
    );
    for y in 0..height {
        let mut x = 0;
        while x < width {
            let style = buffer[(x, y)].style();
            let from = x;
            let mut text = String::new();
            while x < width && buffer[(x, y)].style() == style {
                let symbol = buffer[(x, y)].symbol();
                text.push_str(symbol);
                x += lookitup::text::width(symbol).max(1) as u16;
            }
            let (left, top) = (f64::from(from) * CELL.0, f64::from(y) * CELL.1);
            let long = f64::from(x - from) * CELL.0;
            let (mut fg, mut bg) =
                (hex(style.fg.unwrap_or_default(), "#cccccc"), hex(style.bg.unwrap_or_default(), &ground));
            let modifier = style.add_modifier;
            if modifier.contains(Modifier::REVERSED) {
                std::mem::swap(&mut fg, &mut bg);
            }
            if bg != ground {
                let _ = writeln!(
                    out,
                    "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{long:.1}\" height=\"{}\" fill=\"{bg}\"/>",
                    CELL.1
                );
            }
            if text.trim().is_empty() {
                continue;
            }
            let bold = if modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ = writeln!(
                out,
                "<text x=\"{left:.1}\" y=\"{:.1}\" textLength=\"{long:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{fg}\"{bold} xml:space=\"preserve\">{text}</text>",
                top + 13.5
            );
        }
    }
    out.push_str("</svg>\n");
    out
}

fn check(name: &str, theme: &str, title: &str, size: (u16, u16), keys: &[&str]) {
    let mut bench = Bench::sample(size);
    bench.theme = shipped(theme).unwrap();
    theme.clone_into(&mut bench.model.theme);
    for step in keys {
        match step.strip_prefix('|') {
            Some(text) => bench.type_text(text),
            None => bench.press(step),
        }
    }
    let drawn = svg(&bench.frame(), title);
    let path = root().join("data/pictures").join(name);
    if std::env::var_os("LOOKITUP_WRITE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "data/pictures/{name} is out of date: LOOKITUP_WRITE=1 cargo test pictures");
}

#[test]
fn pictures_show_the_program_as_it_is() {
    check(
        "browse.svg",
        "dark",
        "The broken transitions of the simulated sample, the selected question in detail",
        (120, 32),
        &["3", "/", "|model:sim-large conf>=0.9", "enter"],
    );
    check("bins.svg", "light", "Confidence bins of the simulated sample", (120, 32), &["b"]);
    check(
        "reliability.svg",
        "dark",
        "Stated confidence against accuracy, of one model of the simulated sample",
        (120, 36),
        &["f", "tab", "tab", "tab"],
    );
    check("detail.svg", "dark", "One question read in full", (120, 40), &["3", "enter", "v"]);
}
