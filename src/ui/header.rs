//! The strip at the top: what is open, accuracies, transitions. All of it follows the filter.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::app::{Hit, HitMap, Model};
use crate::record::Errors;
use crate::record::Transition;
use crate::stats::{Accuracy, Summary};
use crate::text::{self, count};
use crate::theme::{Role, Theme};
use crate::view::cell::{fraction, signed};

use super::write;

const NAME: &str = "lookitup";
/// Cells of a label that are worth more than the program's name.
const LABEL: usize = 20;

/// Draws the strip in one line, two or three.
pub(super) fn draw(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer, hits: &mut HitMap) {
    buffer.set_style(area, theme.style(Role::Header));
    title(model, theme, Rect { height: 1, ..area }, buffer);
    let wide = area.height >= 3;
    if wide {
        figures(model, theme, Rect { y: area.y + 1, height: 1, ..area }, buffer);
    }
    if area.height >= 2 {
        let last = Rect { y: area.bottom().saturating_sub(1), height: 1, ..area };
        transitions(model, theme, last, !wide, buffer, hits);
    }
}

fn title(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let base = theme.style(Role::Header);
    let dim = base.patch(theme.style(Role::Dim));
    let rows = model.view.rows.len();
    let all = model.table.pairs.len();
    let more = if model.view.complete || model.view.wanted == 0 { "" } else { "…" };
    let counts = format!("  {}{more} of {}", count(rows as u64), count(all as u64));
    let mut marks: Vec<(String, Role)> = Vec::new();
    marks.extend(model.table.mark().map(|word| (format!(" {word} "), Role::Notice)));
    if model.unwritten() > 0 {
        marks.push((format!(" {} NOT WRITTEN ", model.unwritten()), Role::Error));
    }
    if model.review.blind {
        marks.push((" BLIND ".into(), Role::Notice));
    }
    if model.graded.is_some() {
        marks.push((" AS REVIEWED ".into(), Role::Notice));
    }
    // Marks and counts are never cut for a name: the program's goes, and of the files' both ends stay.
    let kept = text::width(&counts) + marks.iter().map(|(m, _)| text::width(m) + 1).sum::<usize>() + 1;
    let room = usize::from(area.width).saturating_sub(kept);
    let label = text::sanitize_line(&model.label);
    let mut x = area.x + 1;
    let mut left = room;
    if text::width(NAME) + 2 + text::width(&label).min(LABEL) <= room {
        x = write(buffer, area, x, area.y, NAME, base.patch(theme.style(Role::Heading))) + 2;
        left -= text::width(NAME) + 2;
    }
    x = write(buffer, area, x, area.y, &text::middle(&label, left), base);
    for (mark, role) in &marks {
        x = write(buffer, area, x + 1, area.y, mark, theme.style(*role));
    }
    x = write(buffer, area, x, area.y, &counts, base);
    let progress = model.table.progress;
    if !progress.done {
        let share = (progress.read * 100).checked_div(progress.total).unwrap_or(0);
        x = write(buffer, area, x, area.y, &format!("  reading {share}%"), dim);
    }
    let problems = &model.table.problems;
    if problems.errors > 0 {
        let text = format!("  {} not used (!)", count(problems.errors));
        x = write(buffer, area, x, area.y, &text, base.patch(theme.style(Role::Error)));
    } else if problems.warnings > 0 {
        let text = format!("  {} (!)", several(problems.warnings, "doubt"));
        x = write(buffer, area, x, area.y, &text, base.patch(theme.style(Role::Warning)));
    }
    let errors = if model.errors == Errors::Drop { "errors left out" } else { "errors count as wrong" };
    let name = model.scorer.name();
    let forms = [format!("  scorer {name} · {errors}"), format!("  scorer {name}"), format!("  {name}")];
    let room = usize::from(area.right().saturating_sub(x));
    if let Some(fits) = forms.iter().find(|f| text::width(f) <= room).or(forms.last()) {
        write(buffer, area, x, area.y, fits, dim);
    }
}

/// A share with its interval; groups of fewer than twenty are marked by their number.
fn interval(a: &Accuracy) -> String {
    let Some(p) = a.value() else { return "–".into() };
    let small = if a.is_small() { format!(" n={}", a.answered) } else { String::new() };
    match a.wilson() {
        Some((lo, hi)) => format!("{} [{} {}]{small}", fraction(p), fraction(lo), fraction(hi)),
        None => format!("{}{small}", fraction(p)),
    }
}

/// A share alone.
fn bare(a: &Accuracy) -> String {
    a.value().map_or_else(|| "–".to_owned(), fraction)
}

fn figures(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let base = theme.style(Role::Header);
    let dim = base.patch(theme.style(Role::Dim));
    let Some(s) = model.view.summary.as_deref() else {
        write(buffer, area, area.x + 1, area.y, "working out the figures…", dim);
        return;
    };
    let room = usize::from(area.width.saturating_sub(1));
    let parts = [Words::Long, Words::Short, Words::Shortest, Words::Accuracies]
        .into_iter()
        .map(|words| parts(model, s, words))
        .find(|p| p.iter().map(|(label, text)| text::width(label) + text::width(text)).sum::<usize>() <= room)
        .unwrap_or_else(|| parts(model, s, Words::Bare));
    let mut x = area.x + 1;
    for (label, text) in parts {
        x = write(buffer, area, x, area.y, label, dim);
        x = write(buffer, area, x, area.y, &text, base);
    }
}

/// How many words the figures are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    Long,
    Short,
    Shortest,
    Accuracies,
    Bare,
}

/// The figures, each with the label before it.
fn parts(model: &Model, s: &Summary, words: Words) -> Vec<(&'static str, String)> {
    let long = words == Words::Long;
    let share = if words == Words::Bare { bare } else { interval };
    let mut parts = vec![
        (if long { "without " } else { "w/o " }, share(&s.no)),
        (if long { " → with " } else { " → " }, share(&s.with)),
    ];
    if let Some(net) = &s.net {
        let interval = format!("{} [{} {}]", signed(net.delta), signed(net.low), signed(net.high));
        let interval = if long { format!("{interval} of {}", several(s.pairs, "pair")) } else { interval };
        parts.push((if long { "   net " } else { " net " }, interval));
    }
    parts.push((if long { "   broke " } else { " broke " }, harm(s, words)));
    let left_out = s.no.left_out + s.with.left_out;
    if left_out > 0 && model.errors == Errors::Drop && long {
        parts.push(("   ", format!("{} left out", count(left_out))));
    }
    match words {
        Words::Long | Words::Short => {}
        Words::Shortest => parts.retain(|(label, _)| *label != " net "),
        Words::Accuracies | Words::Bare => parts.truncate(2),
    }
    parts
}

/// Harm with both denominators: of the searched pairs, and of those that were right before.
fn harm(s: &Summary, words: Words) -> String {
    let share = |n: Option<f64>| n.map_or_else(|| "–".to_owned(), |p| format!("{:.0}%", p * 100.0));
    let (searched, right) = (share(s.harm_of_searched.value()), share(s.harm_of_right_before.value()));
    let broken = count(s.count(Transition::Broken));
    if words == Words::Long {
        format!("{broken}: {searched} of searched, {right} of right before")
    } else {
        format!("{broken} ({searched}, {right})")
    }
}

/// How many words the transitions are given: as many as there is room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Whole words, and bars where there is room still.
    Whole,
    /// Short words for the first so many, the glyph alone for the others.
    Short(u8),
    /// Glyph and number, as close as they stay apart.
    Tight,
}

impl Names {
    const ALL: [Self; 6] =
        [Self::Whole, Self::Short(7), Self::Short(5), Self::Short(4), Self::Short(0), Self::Tight];

    /// What stands before the number.
    fn head(self, t: Transition) -> String {
        let glyph = t.glyph().trim();
        match self {
            Self::Whole => format!("{glyph} {} ", t.name().replace('_', " ")),
            Self::Short(words) if (t as u8) < words => format!("{glyph} {} ", short(t)),
            Self::Short(_) => format!("{glyph} "),
            Self::Tight => glyph.to_owned(),
        }
    }

    /// Cells between one and the next.
    const fn gap(self) -> u16 {
        match self {
            Self::Whole => 3,
            Self::Short(_) => 2,
            Self::Tight => 1,
        }
    }
}

/// The transitions and their numbers; with `accuracies` these first, since there is no line for them.
fn transitions(
    model: &Model,
    theme: &Theme,
    area: Rect,
    accuracies: bool,
    buffer: &mut Buffer,
    hits: &mut HitMap,
) {
    let base = theme.style(Role::Header);
    let summary = model.view.summary.as_deref();
    let counts = summary.map_or([0; 7], |s| s.transitions);
    let get = |t: Transition| counts.get(t as usize).copied().unwrap_or(0);
    let shown: Vec<Transition> =
        Transition::ALL.into_iter().filter(|&t| (t as u8) < 5 || get(t) > 0).collect();
    let number = |t: Transition| if summary.is_some() { count(get(t)) } else { "…".into() };
    let mark = |t: Transition| if model.filter.toggles.has(t) { "▸" } else { "" };
    let need = |shown: &[Transition], names: Names| -> usize {
        let gap = usize::from(names.gap());
        let one = |t: Transition| {
            text::width(mark(t)) + text::width(&names.head(t)) + text::width(&number(t)) + gap
        };
        shown.iter().map(|&t| one(t)).sum::<usize>() + 1 - gap
    };
    let lead = summary.filter(|_| accuracies).map(|s| format!("{}→{}  ", bare(&s.no), bare(&s.with)));
    let lead = lead.unwrap_or_default();
    let all = usize::from(area.width);
    let fits = |lead: &str, shown: &[Transition]| {
        Names::ALL.into_iter().find(|&n| text::width(lead) + need(shown, n) <= all)
    };
    // On the narrowest screens the accuracies say more than how many rows could not be compared.
    let (lead, shown, names) = match (fits(&lead, &shown), shown.get(..5).and_then(|s| fits(&lead, s))) {
        (Some(names), _) => (lead, &*shown, names),
        (None, Some(names)) => (lead, shown.get(..5).unwrap_or(&shown), names),
        (None, None) => (String::new(), &*shown, fits("", &shown).unwrap_or(Names::Tight)),
    };
    let mut x = write(buffer, area, area.x + 1, area.y, &lead, base);
    let most = counts.iter().take(5).copied().max().unwrap_or(0).max(1);
    // A bar stands apart from its number.
    let spare = all.saturating_sub(text::width(&lead) + need(shown, names) + 5);
    let cells = if names == Names::Whole { (spare / 5).min(9) } else { 0 };
    for &t in shown {
        let from = x;
        let style = base.patch(theme.style(role(t)));
        let dull = model.filter.toggles.0 != 0 && mark(t).is_empty();
        let style = if dull { base.patch(theme.style(Role::Dim)) } else { style };
        x = write(buffer, area, x, area.y, &format!("{}{}", mark(t), names.head(t)), style);
        x = write(buffer, area, x, area.y, &number(t), base);
        if cells > 0 && (t as u8) < 5 {
            let filled = (get(t) as f64 / most as f64 * cells as f64).round() as usize;
            let filled = if get(t) > 0 { filled.max(1) } else { 0 };
            x = write(buffer, area, x + 1, area.y, &"▇".repeat(filled), style);
        }
        hits.add(Rect { x: from, width: x.saturating_sub(from), ..area }, Hit::Toggle(t));
        x += names.gap();
    }
}

/// At most six letters.
pub(super) fn short(t: Transition) -> &'static str {
    match t {
        Transition::Corrected => "corr",
        Transition::Preserved => "pres",
        Transition::Broken => "broken",
        Transition::Unresolved => "unres",
        Transition::NotSearched => "not s.",
        Transition::Unpaired => "unp",
        Transition::Incomplete => "inc",
    }
}

/// The role of a transition.
pub(super) fn role(t: Transition) -> Role {
    match t {
        Transition::Corrected => Role::Corrected,
        Transition::Preserved => Role::Preserved,
        Transition::Broken => Role::Broken,
        Transition::Unresolved => Role::Unresolved,
        Transition::NotSearched => Role::NotSearched,
        Transition::Unpaired => Role::Unpaired,
        Transition::Incomplete => Role::Incomplete,
    }
}

/// `1 doubt`, `2 doubts`.
fn several(n: u64, word: &str) -> String {
    text::counted(n, count(n), word)
}
