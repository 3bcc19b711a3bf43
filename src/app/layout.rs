//! Where the panes are: a pure function of the terminal's size, so that state and drawing agree without asking.

use ratatui::layout::Rect;

/// The smallest terminal that is drawn; below it one line asks for room.
pub const SMALLEST: (u16, u16) = (40, 10);

/// How the two panes stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand {
    /// Side by side.
    Beside,
    /// List above detail.
    Stacked,
    /// Only the detail.
    DetailOnly,
}

/// The areas of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// Title, accuracies, transitions.
    pub header: Rect,
    /// Column titles and rows.
    pub list: Rect,
    /// The rows alone.
    pub rows: Rect,
    /// The rule between the panes (one column or one line), empty when there is none.
    pub rule: Rect,
    /// The selected question.
    pub detail: Rect,
    /// Codes; empty when nothing is coded.
    pub panel: Rect,
    /// Filter and messages.
    pub bar: Rect,
    /// Key hints; empty when there is no room.
    pub hints: Rect,
    /// How the panes stand.
    pub stand: Stand,
}

/// What the user chose about the panes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PaneChoice {
    /// Full detail (Enter).
    pub detail_only: bool,
    /// Lines kept for coding, above the filter.
    pub panel: u16,
    /// Percent of the width or height that the list takes, changed by the user; `None`: by size.
    pub share: Option<u16>,
}

/// The areas for a terminal of `width` × `height`; `None` when it is too small.
pub fn areas(width: u16, height: u16, choice: PaneChoice) -> Option<Areas> {
    if width < SMALLEST.0 || height < SMALLEST.1 {
        return None;
    }
    let header_lines = match height {
        // While coding on a small screen the evidence needs the lines more.
        ..20 if choice.panel > 0 => 1,
        14.. => 3,
        _ => 2,
    };
    let hint_lines = u16::from(height >= 20);
    let bar_y = height - 1 - hint_lines;
    let room = bar_y - header_lines;
    // The evidence keeps three lines at least.
    let panel_lines = choice.panel.min(room.saturating_sub(3));
    let body = Rect::new(0, header_lines, width, room - panel_lines);
    let none = Rect::new(0, body.y, 0, 0);
    let stand = if choice.detail_only {
        Stand::DetailOnly
    } else if width >= 100 {
        Stand::Beside
    } else {
        Stand::Stacked
    };
    let (list, rule, detail) = match stand {
        Stand::DetailOnly => (none, none, body),
        Stand::Beside => {
            let share = choice.share.unwrap_or(55);
            let w = (u32::from(width) * u32::from(share) / 100) as u16;
            let w = w.clamp(30, width - 31);
            (
                Rect { width: w, ..body },
                Rect { x: w, width: 1, ..body },
                Rect { x: w + 1, width: width - w - 1, ..body },
            )
        }
        Stand::Stacked => {
            let share = choice.share.unwrap_or(if height >= 30 { 40 } else { 45 });
            let h = (u32::from(body.height) * u32::from(share) / 100) as u16;
            let h = h.clamp(3, body.height.saturating_sub(4).max(3));
            (
                Rect { height: h, ..body },
                Rect { y: body.y + h, height: 1, ..body },
                Rect { y: body.y + h + 1, height: body.height.saturating_sub(h + 1), ..body },
            )
        }
    };
    let rows = Rect { y: list.y + 1, height: list.height.saturating_sub(1), ..list };
    Some(Areas {
        header: Rect::new(0, 0, width, header_lines),
        list,
        rows,
        rule,
        detail,
        panel: Rect::new(0, bar_y - panel_lines, width, panel_lines),
        bar: Rect::new(0, bar_y, width, 1),
        hints: Rect::new(0, bar_y + 1, width, hint_lines),
        stand,
    })
}
