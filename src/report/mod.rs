//! Figures as files: Markdown, CSV, JSON, SVG and one HTML page.
//!
//! Owns how a figure is written down and what is said of where it comes from. Works out no figure itself: `stats` has
//! the numbers, `figures` says what each figure shows. Writes no file; it hands back texts.

mod csv;
mod html;
mod json;
mod markdown;
mod provenance;
pub mod svg;

use crate::figures::{self, Figure, Id, Scope};
use crate::record::Errors;
use crate::stats::Group;

pub use csv::csv;
pub use html::{caption, html};
pub use json::{json, json_beside};
pub use markdown::{figure_markdown, markdown};
pub use provenance::{FileStamp, Provenance, Reviewing};

/// Every figure of one group, those left out that have nothing to show.
pub struct Chapter<'a> {
    /// `model/split`.
    pub name: String,
    /// The numbers.
    pub group: &'a Group,
    /// The figures, in order.
    pub figures: Vec<Figure>,
}

/// The chapters of a report: one a group.
pub fn chapters(groups: &[Group], errors: Errors) -> Vec<Chapter<'_>> {
    let chapter = |group| {
        let scope = Scope::of(group, groups, errors);
        let figures = Id::ALL.into_iter().map(|id| figures::figure(id, group, &scope));
        Chapter {
            name: figures::group_name(group),
            group,
            figures: figures.filter(|f| !matches!(f.body, figures::Body::Empty(_))).collect(),
        }
    };
    groups.iter().map(chapter).collect()
}

/// The chapters of a report as reviewed: each begins with its group's figures as graded beside those as reviewed. Marks
/// lead nowhere, since a filter finds rows as they were graded.
pub fn chapters_beside<'a>(reviewed: &'a [Group], graded: &[Group], errors: Errors) -> Vec<Chapter<'a>> {
    let mut all = chapters(reviewed, errors);
    for chapter in &mut all {
        for mark in chapter.figures.iter_mut().flat_map(|f| &mut f.marks) {
            mark.term.clear();
        }
        if let Some(graded) = counterpart(chapter.group, graded) {
            chapter.figures.insert(0, figures::reviewed(graded, chapter.group));
        }
    }
    all
}

/// The same group among others. Its name would not do: names of different groups can read the same.
fn counterpart<'g>(of: &Group, among: &'g [Group]) -> Option<&'g Group> {
    among.iter().find(|g| (&g.model, &g.split, &g.run, g.whole) == (&of.model, &of.split, &of.run, of.whole))
}

/// A name for files from a group's name: letters, digits and `-` alone, so that nothing in a model's name can lead to
/// another folder.
pub fn file_stem(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_alphanumeric() || c == '.' && !out.is_empty() {
            out.extend(c.to_lowercase());
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
    }
    // The name of the figure and an ending come after it, and a system takes 255 bytes.
    let mut end = out.len().min(160);
    while !out.is_char_boundary(end) {
        end -= 1;
    }
    let short = out.get(..end).unwrap_or_default().trim_end_matches(['-', '.']);
    if short.is_empty() { "group".to_owned() } else { short.to_owned() }
}

/// A stem of file names for each group's name, no two the same: names can differ in signs alone that no stem has.
pub fn file_stems<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for name in names {
        let stem = file_stem(name);
        let mut own = stem.clone();
        let mut n = 2;
        while stems.contains(&own) {
            own = format!("{stem}-{n}");
            n += 1;
        }
        stems.push(own);
    }
    stems
}
