//! The terminal's modes: switched on together, switched off together, on every way out.
//!
//! What is on is kept in one place that a panic hook and a signal can reach, so that each mode is switched off once
//! and only if it was on.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, Show};
use crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture,
};
use crossterm::style::ResetColor;
use crossterm::terminal::{
    Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{execute, queue};

static ON: AtomicBool = AtomicBool::new(false);
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Holds the terminal; giving it back is [`restore`], which dropping does as well.
#[derive(Debug)]
pub(super) struct Guard(());

impl Guard {
    /// Takes the terminal.
    ///
    /// # Errors
    /// When standard output is no terminal or a mode cannot be set; modes already set are off again then.
    pub(super) fn new(mouse: bool) -> io::Result<Self> {
        if !io::stdout().is_terminal() || !io::stdin().is_terminal() {
            return Err(io::Error::other("the screen needs a terminal; for pipes there is `lookitup list`"));
        }
        MOUSE.store(mouse, Ordering::SeqCst);
        let guard = Self(());
        enter()?;
        Ok(guard)
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        restore();
    }
}

/// Switches every mode on.
///
/// # Errors
/// When the terminal refuses one.
pub(super) fn enter() -> io::Result<()> {
    ON.store(true, Ordering::SeqCst);
    enable_raw_mode()?;
    let mut out = io::stdout();
    queue!(out, EnterAlternateScreen, Clear(ClearType::All), EnableBracketedPaste, Hide)?;
    if MOUSE.load(Ordering::SeqCst) {
        queue!(out, EnableMouseCapture)?;
    }
    out.flush()
}

/// Switches every mode off that is on. Goes on after a step that fails: the rest still matters.
pub(super) fn restore() {
    if !ON.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut out = io::stdout();
    let _ = execute!(out, DisableMouseCapture);
    let _ = execute!(out, DisableBracketedPaste, ResetColor);
    let _ = execute!(out, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}

/// Switches mouse capture while the terminal is held.
///
/// # Errors
/// When the terminal cannot be written to.
pub(super) fn mouse(on: bool) -> io::Result<()> {
    MOUSE.store(on, Ordering::SeqCst);
    let mut out = io::stdout();
    if on { execute!(out, EnableMouseCapture) } else { execute!(out, DisableMouseCapture) }
}

/// Puts the terminal in order before a panic is reported, and ends the program, in whichever thread it happens: a
/// screen whose worker is dead would take keys and do nothing.
#[allow(clippy::exit)]
pub fn install_panic_hook() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if crate::store::is_contained() {
            return;
        }
        restore();
        report(info);
        std::process::exit(101);
    }));
}
