//! Where output goes and what that place can show.

use std::io::{self, BufWriter, IsTerminal, Write};

/// Standard output and standard error.
pub struct Io {
    /// Results.
    pub out: Box<dyn Write>,
    /// Everything that is not a result.
    pub err: Box<dyn Write>,
    /// Width of a line of results, in cells.
    pub width: usize,
    /// Whether results may carry colour.
    pub color: bool,
    /// Whether a person watches the results.
    pub tty: bool,
}

/// The width of a table that no terminal shows.
const PIPED_WIDTH: usize = 120;

impl Io {
    /// This process's own.
    pub fn of_process() -> Self {
        let tty = io::stdout().is_terminal();
        let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        let columns = std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).filter(|&c: &usize| c > 0);
        let terminal =
            || tty.then(crossterm::terminal::size).and_then(Result::ok).map(|(w, _)| usize::from(w));
        Self {
            out: Box::new(BufWriter::with_capacity(1 << 16, io::stdout())),
            err: Box::new(io::stderr()),
            width: columns.or_else(terminal).filter(|&w| w > 0).unwrap_or(PIPED_WIDTH),
            color: tty && !set("NO_COLOR") && std::env::var("TERM").as_deref() != Ok("dumb"),
            tty,
        }
    }

    /// A line on standard error. That it cannot be written is nothing to fail over.
    pub fn note(&mut self, line: impl std::fmt::Display) {
        let _ = writeln!(self.err, "{line}");
    }
}
