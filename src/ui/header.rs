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
        transitions(model, theme, last, buffer, hits);
    }
}

fn title(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let base = theme.style(Role::Header);
    let dim = base.patch(theme.style(Role::Dim));
    let mut x = write(buffer, area, area.x + 1, area.y, "lookitup", base.patch(theme.style(Role::Heading)));
    x = write(buffer, area, x, area.y, &format!("  {}", text::sanitize_line(&model.label)), base);
    if let Some(word) = model.table.mark() {
        x = write(buffer, area, x + 1, area.y, &format!(" {word} "), theme.style(Role::Notice));
    }
    if model.unwritten() > 0 {
        let text = format!(" {} NOT WRITTEN ", model.unwritten());
        x = write(buffer, area, x + 1, area.y, &text, theme.style(Role::Error));
    }
    if model.review.blind {
        x = write(buffer, area, x + 1, area.y, " BLIND ", theme.style(Role::Notice));
    }
    if model.graded.is_some() {
        x = write(buffer, area, x + 1, area.y, " AS REVIEWED ", theme.style(Role::Notice));
    }
    let rows = model.view.rows.len();
    let all = model.table.pairs.len();
    let more = if model.view.complete || model.view.wanted == 0 { "" } else { "…" };
    x = write(
        buffer,
        area,
        x,
        area.y,
        &format!("  {}{more} of {}", count(rows as u64), count(all as u64)),
        base,
    );
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
    write(buffer, area, x, area.y, &format!("  scorer {} · {errors}", model.scorer.name()), dim);
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

fn figures(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let base = theme.style(Role::Header);
    let dim = base.patch(theme.style(Role::Dim));
    let Some(s) = model.view.summary.as_deref() else {
        write(buffer, area, area.x + 1, area.y, "working out the figures…", dim);
        return;
    };
    let room = usize::from(area.width.saturating_sub(1));
    let parts = [Words::Long, Words::Short, Words::Shortest]
        .into_iter()
        .map(|words| parts(model, s, words))
        .find(|p| p.iter().map(|(label, text)| text::width(label) + text::width(text)).sum::<usize>() <= room)
        .unwrap_or_else(|| parts(model, s, Words::Shortest));
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
}

/// The figures, each with the label before it.
fn parts(model: &Model, s: &Summary, words: Words) -> Vec<(&'static str, String)> {
    let long = words == Words::Long;
    let mut parts = vec![
        (if long { "without " } else { "w/o " }, interval(&s.no)),
        (if long { " → with " } else { " → " }, interval(&s.with)),
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
    if words == Words::Shortest {
        parts.retain(|(label, _)| *label != " net ");
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

fn transitions(model: &Model, theme: &Theme, area: Rect, buffer: &mut Buffer, hits: &mut HitMap) {
    let base = theme.style(Role::Header);
    let counts = model.view.summary.as_deref().map_or([0; 7], |s| s.transitions);
    let get = |t: Transition| counts.get(t as usize).copied().unwrap_or(0);
    let known = model.view.summary.is_some();
    let shown: Vec<Transition> =
        Transition::ALL.into_iter().filter(|&t| (t as u8) < 5 || get(t) > 0).collect();
    let number = |t: Transition| if known { count(get(t)) } else { "…".into() };
    let full: usize = shown.iter().map(|&t| 8 + text::width(&word(t, true)) + text::width(&number(t))).sum();
    let long = full <= usize::from(area.width);
    let spare = usize::from(area.width).saturating_sub(full);
    let most = counts.iter().take(5).copied().max().unwrap_or(0).max(1);
    let cells = (spare / 5).min(9);
    let mut x = area.x + 1;
    for t in shown {
        let from = x;
        let style = base.patch(theme.style(role(t)));
        let chosen = model.filter.toggles.has(t);
        let dull = model.filter.toggles.0 != 0 && !chosen;
        let style = if dull { base.patch(theme.style(Role::Dim)) } else { style };
        let mark = if chosen { "▸" } else { "" };
        x = write(buffer, area, x, area.y, &format!("{mark}{} {} ", t.glyph().trim(), word(t, long)), style);
        x = write(buffer, area, x, area.y, &number(t), base);
        if long && cells > 0 && (t as u8) < 5 {
            let filled = (get(t) as f64 / most as f64 * cells as f64).round() as usize;
            let filled = if get(t) > 0 { filled.max(1) } else { 0 };
            x = write(buffer, area, x + 1, area.y, &"▇".repeat(filled), style);
        }
        hits.add(Rect { x: from, width: x.saturating_sub(from), ..area }, Hit::Toggle(t));
        x += if long { 3 } else { 2 };
    }
}

/// A transition's word, whole or as short as it stays clear beside its glyph.
fn word(t: Transition, long: bool) -> String {
    if long { t.name().replace('_', " ") } else { short(t).to_owned() }
}

/// At most six letters.
fn short(t: Transition) -> &'static str {
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
