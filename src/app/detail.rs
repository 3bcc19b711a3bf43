//! What the detail pane shows of a pair.

/// Where the detail stands and what of it is folded out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Detail {
    /// First line shown.
    pub scroll: usize,
    /// Lines there are, as last drawn.
    pub lines: usize,
    /// Bytes of each text that are laid out: more of them as one scrolls there.
    pub reach: usize,
    /// The first line, as last drawn, behind which a text goes on that is not laid out.
    pub cut: Option<usize>,
    /// A repeat that is shown instead of the selected row.
    pub peek: Option<u32>,
    /// The full text of both answers.
    pub raw: bool,
    /// The prompt as sent.
    pub prompt: bool,
    /// Why each verdict is what it is.
    pub explain: bool,
}

/// Bytes of one text that are laid out at first: a book in an answer must not hold up a key.
pub(super) const REACH: usize = 32 << 10;

impl Default for Detail {
    fn default() -> Self {
        Self {
            scroll: 0,
            lines: 0,
            reach: REACH,
            cut: None,
            peek: None,
            raw: false,
            prompt: false,
            explain: true,
        }
    }
}

impl Detail {
    /// Back to the top, for another pair.
    pub fn reset(&mut self) {
        self.scroll = 0;
        self.peek = None;
        self.reach = REACH;
        self.cut = None;
    }

    /// Scrolls within what was last drawn, `height` lines at a time visible. Before a cut comes in sight twice as much
    /// is laid out, so that all the laying out up to any line takes no more than twice that of the last one; to the
    /// end, everything is.
    pub fn step(&mut self, by: isize, height: usize) {
        let last = self.lines.saturating_sub(height);
        // The screen goes by what there is, however far one wanted to go before there was as much.
        let to = self.scroll.min(last).saturating_add_signed(by);
        self.scroll = match self.cut {
            Some(_) if by == super::act::END => {
                self.reach = usize::MAX;
                to
            }
            Some(cut) if by > 0 && to.saturating_add(2 * height) > cut => {
                self.reach = self.reach.saturating_mul(2);
                to.min(self.lines)
            }
            _ => to.min(last),
        };
    }
}
