//! The terminal's screen: two buffers, their difference, one write a frame.

use std::io::{self, Write};

use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use crossterm::{cursor, queue};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

use super::paint::paint;

/// The screen. It never asks the terminal anything, so a terminal that does not answer cannot hold it up.
#[derive(Debug)]
pub(super) struct Screen {
    bytes: Vec<u8>,
    shown: Buffer,
    next: Buffer,
    cursor: Option<Position>,
    anew: bool,
}

impl Screen {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let area = Rect::new(0, 0, width, height);
        Self {
            bytes: Vec::new(),
            shown: Buffer::empty(area),
            next: Buffer::empty(area),
            cursor: None,
            anew: true,
        }
    }

    /// Takes a new size; the next frame is drawn whole.
    pub(super) fn resize(&mut self, width: u16, height: u16) {
        *self = Self::new(width, height);
    }

    /// The buffer to draw the next frame in; it holds what an earlier frame left.
    pub(super) const fn buffer(&mut self) -> &mut Buffer {
        &mut self.next
    }

    /// Sends what differs from the frame before.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn show(&mut self, cursor: Option<Position>) -> io::Result<()> {
        self.bytes.clear();
        queue!(self.bytes, BeginSynchronizedUpdate)?;
        if self.anew {
            queue!(self.bytes, cursor::Hide, Clear(ClearType::All))?;
        }
        let changed = paint(&mut self.bytes, &self.shown, &self.next, self.anew);
        if !changed && cursor == self.cursor {
            return Ok(());
        }
        match cursor {
            Some(at) => queue!(self.bytes, cursor::MoveTo(at.x, at.y), cursor::Show)?,
            None if self.cursor.is_some() => queue!(self.bytes, cursor::Hide)?,
            None => {}
        }
        queue!(self.bytes, EndSynchronizedUpdate)?;
        self.cursor = cursor;
        self.anew = false;
        std::mem::swap(&mut self.shown, &mut self.next);
        let mut out = io::stdout().lock();
        out.write_all(&self.bytes)?;
        out.flush()
    }
}
