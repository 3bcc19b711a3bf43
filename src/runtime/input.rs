//! Keys, pastes and the mouse, read in a thread of their own.
//!
//! Only this thread asks the terminal library for events: it waits with its lock held, and whoever else asks meanwhile
//! gives up its turn on the processor again and again before it is told that there is nothing.

use std::io;
use std::time::Duration;

use crossterm::event::{self, Event};
use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::mpsc::UnboundedSender;

/// What came from the terminal.
#[derive(Debug)]
pub(super) enum Input {
    /// A key, a paste, the mouse.
    Event(Event),
    /// The terminal is gone.
    Gone,
}

/// How long the library is asked for more before the thread goes to sleep: what it has read already is not seen by
/// waiting for the terminal. Any pause in which this thread might not run is shorter.
const MORE: Duration = Duration::from_millis(100);

/// Starts the thread; it ends with the process or with the terminal.
///
/// # Errors
/// When no thread can be had.
pub(super) fn start(out: UnboundedSender<Input>) -> io::Result<()> {
    std::thread::Builder::new().name("input".into()).spawn(move || {
        while let Ok(()) = wait().and_then(|()| read(&out)) {}
        let _ = out.send(Input::Gone);
    })?;
    Ok(())
}

/// Waits until there is something to read.
fn wait() -> io::Result<()> {
    let stdin = io::stdin();
    loop {
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
            Ok(_) => {
                let [fd] = fds;
                // The library would ask a terminal that hung up for ever.
                if fd.revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
                return Ok(());
            }
        }
    }
}

fn read(out: &UnboundedSender<Input>) -> io::Result<()> {
    while event::poll(MORE)? {
        // A new size is told by the signal, which nobody has to touch a key for.
        match event::read()? {
            Event::Resize(..) => {}
            other => out.send(Input::Event(other)).map_err(io::Error::other)?,
        }
    }
    Ok(())
}
