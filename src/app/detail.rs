//! What the detail pane shows of a pair.

/// Where the detail stands and what of it is folded out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// First line shown.
    pub scroll: usize,
    /// Lines there are, as last drawn.
    pub lines: usize,
    /// A repeat that is shown instead of the selected row.
    pub peek: Option<u32>,
    /// The full text of both answers.
    pub raw: bool,
    /// The prompt as sent.
    pub prompt: bool,
    /// Why each verdict is what it is.
    pub explain: bool,
}

impl Default for Detail {
    fn default() -> Self {
        Self { scroll: 0, lines: 0, peek: None, raw: false, prompt: false, explain: true }
    }
}

impl Detail {
    /// Back to the top, for another pair.
    pub fn reset(&mut self) {
        self.scroll = 0;
        self.peek = None;
    }

    /// Scrolls within what was last drawn, `height` lines at a time visible.
    pub fn step(&mut self, by: isize, height: usize) {
        let last = self.lines.saturating_sub(height);
        self.scroll = self.scroll.saturating_add_signed(by).min(last);
    }
}
