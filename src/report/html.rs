//! The report as one HTML page that needs nothing else: no script to read it, no file, no network.

use std::fmt::Write as _;

use crate::figures::{Body, Figure, flat};

use super::svg::{Colours, Ink, svg};
use super::{Chapter, Provenance, file_stem};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// The most points of a curve in its table; the CSV has all of them.
const POINTS: usize = 60;

/// The page. Everything that comes from files is escaped, and the page's policy lets it load nothing.
pub fn html(chapters: &[Chapter<'_>], provenance: &Provenance) -> String {
    let mut out = String::with_capacity(1 << 17);
    let mark = provenance.mark();
    let title = "What search did, and how far confidence can be trusted";
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n<meta name=\"generator\" content=\"{}\">\n<title>{}{title}</title>\n\
         <style>\n{}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n",
        escape(&provenance.program),
        mark.map_or_else(String::new, |m| format!("{m}: ")),
        style(),
    );
    if let Some(mark) = mark {
        let _ = writeln!(
            out,
            "<p><span class=\"mark\">{mark}</span> Answers among these were not given by a model to this question.</p>"
        );
    }
    contents(&mut out, chapters);
    out.push_str("</header>\n<main>\n<section>\n<h2 id=\"provenance\">Provenance</h2>\n<dl>\n");
    for (name, value) in provenance.lines() {
        let _ = writeln!(out, "<dt>{}</dt><dd>{}</dd>", escape(name), escape(&value));
    }
    out.push_str("</dl>\n</section>\n");
    for (at, chapter) in chapters.iter().enumerate() {
        let mark = mark.map_or_else(String::new, |m| format!(" <span class=\"mark\">{m}</span>"));
        let name = escape(&chapter.name);
        let rows = crate::text::several(chapter.group.rows, "row");
        let id = id(at, chapter);
        let _ = writeln!(out, "<section>\n<h2 id=\"{id}\">{name}</h2>\n<p>{rows}{mark}</p>");
        for figure in &chapter.figures {
            section(&mut out, figure, &id, &caption(chapter, provenance));
        }
        out.push_str("</section>\n");
    }
    let _ = write!(
        out,
        "</main>\n<footer><p>Made by {}.</p></footer>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        escape(&provenance.program)
    );
    out
}

/// Whose figure it is, for a picture that may be taken out of its page.
pub fn caption(chapter: &Chapter<'_>, provenance: &Provenance) -> String {
    let mark = provenance.mark().map_or_else(String::new, |m| format!("{m} · "));
    let rows = crate::text::several(chapter.group.rows, "row");
    let reviewed = if provenance.reviewed.is_some() { " · as reviewed" } else { "" };
    format!("{mark}{} · {rows} · scorer {}{reviewed}", chapter.name, provenance.scorer.name())
}

fn id(at: usize, chapter: &Chapter<'_>) -> String {
    format!("g{}-{}", at + 1, file_stem(&chapter.name))
}

fn style() -> String {
    let inks = |dark: bool| -> String {
        Ink::ALL.into_iter().fold(String::new(), |mut out, ink| {
            let (r, g, b) = ink.rgb(dark);
            let _ = write!(out, "--{}:#{r:02x}{g:02x}{b:02x};", ink.name());
            out
        })
    };
    STYLE.replace("LIGHT", &inks(false)).replace("DARK", &inks(true))
}

fn contents(out: &mut String, chapters: &[Chapter<'_>]) {
    out.push_str("<nav aria-label=\"Contents\">\n<ul>\n<li><a href=\"#provenance\">Provenance</a></li>\n");
    for (at, chapter) in chapters.iter().enumerate() {
        let _ = writeln!(out, "<li><a href=\"#{}\">{}</a></li>", id(at, chapter), escape(&chapter.name));
    }
    out.push_str("</ul>\n</nav>\n");
}

fn section(out: &mut String, figure: &Figure, group: &str, caption: &str) {
    let paper = figure.id.paper().map_or_else(String::new, |p| format!(" (the paper’s {p})"));
    let _ = writeln!(
        out,
        "<h3 id=\"{group}-{}\">{}{paper}</h3>\n<p class=\"about\">{}</p>",
        figure.id.name(),
        escape(figure.id.title()),
        escape(figure.id.about())
    );
    let picture = svg(figure, caption, Colours::Page);
    if let Some(picture) = &picture {
        let title = format!("{}: {caption}", figure.id.title());
        let picture = picture.replacen("<svg ", &format!("<svg aria-label=\"{}\" ", escape(&title)), 1);
        // Inside of a page the declaration of a file has no place.
        let picture = picture.find("<svg").and_then(|at| picture.get(at..)).unwrap_or_default();
        let _ = writeln!(out, "<figure class=\"wide\">{picture}</figure>");
    }
    for note in figure.notes.iter().filter(|_| picture.is_none()) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(note));
    }
    if picture.is_some() {
        out.push_str("<details><summary>The numbers</summary>\n");
        table(out, figure);
        out.push_str("</details>\n");
    } else {
        table(out, figure);
    }
}

fn table(out: &mut String, figure: &Figure) {
    let table = flat(figure);
    out.push_str("<div class=\"wide\"><table class=\"sortable\">\n<thead><tr>");
    for title in &table.columns {
        let title = if title.is_empty() { "what" } else { title };
        let _ = write!(out, "<th scope=\"col\">{}</th>", escape(title));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    let stride = match figure.body {
        Body::Plot { .. } => table.rows.len().div_ceil(POINTS).max(1),
        _ => 1,
    };
    let last = table.rows.len().saturating_sub(1);
    for (_, row) in table.rows.iter().enumerate().filter(|(n, _)| n % stride == 0 || *n == last) {
        out.push_str("<tr>");
        for (at, cell) in row.iter().enumerate() {
            let value = cell.value.map_or_else(String::new, |v| format!(" data-v=\"{v}\""));
            let tag = if at == 0 { "th scope=\"row\"" } else { "td" };
            let end = if at == 0 { "th" } else { "td" };
            let _ = write!(out, "<{tag}{value}>{}</{end}>", escape(&cell.text));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
    if stride > 1 {
        let _ = writeln!(
            out,
            "<p class=\"note\">Every {stride}th of {} points; CSV and JSON have all of them.</p>",
            table.rows.len()
        );
    }
}

/// Text inside of a page or of an attribute.
fn escape(text: &str) -> String {
    let text = crate::text::sanitize_line(text);
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}
