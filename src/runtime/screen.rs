//! From cells to bytes: two buffers, their difference, one write a frame.

use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

use crossterm::terminal::{BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use crossterm::{cursor, queue};
use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};

/// Collects a frame's bytes.
#[derive(Debug, Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The screen. It never asks the terminal anything, so a terminal that does not answer cannot hold it up.
#[derive(Debug)]
pub(super) struct Screen {
    sink: Sink,
    backend: CrosstermBackend<Sink>,
    shown: Buffer,
    next: Buffer,
    cursor: Option<Position>,
    anew: bool,
}

impl Screen {
    pub(super) fn new(width: u16, height: u16) -> Self {
        let sink = Sink::default();
        let area = Rect::new(0, 0, width, height);
        Self {
            backend: CrosstermBackend::new(sink.clone()),
            sink,
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

    /// The buffer to draw the next frame in, empty.
    pub(super) fn buffer(&mut self) -> &mut Buffer {
        self.next.reset();
        &mut self.next
    }

    /// Sends what differs from the frame before.
    ///
    /// # Errors
    /// When the terminal cannot be written to.
    pub(super) fn show(&mut self, cursor: Option<Position>) -> io::Result<()> {
        queue!(self.sink, BeginSynchronizedUpdate)?;
        if self.anew {
            queue!(self.sink, cursor::Hide, Clear(ClearType::All))?;
            self.shown.reset();
        }
        let changes = self.shown.diff(&self.next);
        if changes.is_empty() && !self.anew && cursor == self.cursor {
            self.sink.0.borrow_mut().clear();
            return Ok(());
        }
        self.backend.draw(changes.into_iter())?;
        match cursor {
            Some(at) => queue!(self.sink, cursor::MoveTo(at.x, at.y), cursor::Show)?,
            None if self.cursor.is_some() => queue!(self.sink, cursor::Hide)?,
            None => {}
        }
        queue!(self.sink, EndSynchronizedUpdate)?;
        self.cursor = cursor;
        self.anew = false;
        std::mem::swap(&mut self.shown, &mut self.next);
        let mut bytes = self.sink.0.borrow_mut();
        let mut out = io::stdout().lock();
        out.write_all(&bytes)?;
        out.flush()?;
        bytes.clear();
        Ok(())
    }
}
