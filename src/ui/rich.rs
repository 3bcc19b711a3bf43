//! Text in several styles, wrapped to lines.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::text;

/// Text in several styles.
#[derive(Debug, Clone, Default)]
pub(super) struct Rich {
    text: String,
    runs: Vec<(usize, Style)>,
}

impl Rich {
    /// Text in one style.
    pub(super) fn of(text: &str, style: Style) -> Self {
        let mut rich = Self::default();
        rich.push(text, style);
        rich
    }

    /// Appends text. Tabs become four spaces, since a terminal's own tab stops would tear columns.
    pub(super) fn push(&mut self, text: &str, style: Style) -> &mut Self {
        if text.contains('\t') {
            self.text.push_str(&text.replace('\t', "    "));
        } else {
            self.text.push_str(text);
        }
        self.runs.push((self.text.len(), style));
        self
    }

    /// Lines of at most `width` cells; those after the first begin with `indent` spaces.
    pub(super) fn wrap(&self, width: usize, indent: usize) -> Vec<Line<'static>> {
        let indent = if indent + 8 > width { 0 } else { indent };
        let first = text::wrap(&self.text, width.max(1));
        if indent == 0 || first.len() <= 1 {
            return first.into_iter().map(|r| self.line(r.start, r.end, 0)).collect();
        }
        // The first line has more room than the others: the rest is wrapped anew, narrower.
        let Some(head) = first.first() else { return Vec::new() };
        let rest_from = first.get(1).map_or(self.text.len(), |r| r.start);
        let mut out = vec![self.line(head.start, head.end, 0)];
        let rest = self.text.get(rest_from..).unwrap_or("");
        for r in text::wrap(rest, width - indent) {
            out.push(self.line(rest_from + r.start, rest_from + r.end, indent));
        }
        out
    }

    /// The bytes from `start` to `end` as one line.
    fn line(&self, start: usize, end: usize, indent: usize) -> Line<'static> {
        let mut spans = Vec::new();
        if indent > 0 {
            spans.push(Span::raw(" ".repeat(indent)));
        }
        let mut from = start;
        let first = self.runs.partition_point(|&(to, _)| to <= start);
        for &(to, style) in self.runs.get(first..).unwrap_or(&[]) {
            if from >= end {
                break;
            }
            let stop = to.min(end);
            if let Some(piece) = self.text.get(from..stop)
                && !piece.is_empty()
            {
                spans.push(Span::styled(piece.to_owned(), style));
            }
            from = stop;
        }
        Line::from(spans)
    }
}

/// A long text as lines: at most `bytes` of it, and then how much more there is.
pub(super) fn long(text: &str, bytes: usize, width: usize, style: Style, note: Style) -> Vec<Line<'static>> {
    let shown = text::head(text, bytes);
    let mut lines = Rich::of(shown, style).wrap(width, 0);
    if shown.len() < text.len() {
        let more = text.get(shown.len()..).unwrap_or_default().chars().count();
        let text = format!("… and {}, which copying takes along", text::several(more, "more character"));
        lines.extend(Rich::of(&text, note).wrap(width, 0));
    }
    lines
}

/// The cells that a line takes.
pub(super) fn line_width(line: &Line<'_>) -> usize {
    line.spans.iter().map(|s| text::width(&s.content)).sum()
}

/// Columns of lines side by side, each column padded to its width, `gap` between them.
pub(super) fn beside(
    columns: Vec<Vec<Line<'static>>>,
    width: usize,
    gap: &str,
    style: Style,
) -> Vec<Line<'static>> {
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut out: Vec<Line<'static>> = Vec::with_capacity(height);
    let mut columns: Vec<_> = columns.into_iter().map(Vec::into_iter).collect();
    let last = columns.len().saturating_sub(1);
    for _ in 0..height {
        let mut spans = Vec::new();
        for (at, column) in columns.iter_mut().enumerate() {
            let line = column.next().unwrap_or_default();
            let used = line_width(&line);
            spans.extend(line.spans);
            if at < last {
                spans.push(Span::raw(" ".repeat(width.saturating_sub(used))));
                spans.push(Span::styled(gap.to_owned(), style));
            }
        }
        out.push(Line::from(spans));
    }
    out
}

/// A bar of `cells` cells filled to a share, in eighths, with the track behind it.
pub(super) fn bar(share: f64, cells: usize, full: Style, track: Style) -> Vec<Span<'static>> {
    const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * cells as f64 * 8.0).round() as usize;
    let (whole, part) = (eighths / 8, PARTS.get(eighths % 8).copied().unwrap_or(""));
    let left = cells - whole - usize::from(!part.is_empty());
    vec![Span::styled(format!("{}{part}", "█".repeat(whole)), full), Span::styled("·".repeat(left), track)]
}
