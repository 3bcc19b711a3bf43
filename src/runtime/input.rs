//! Keys, pastes and the mouse, read in a thread of their own.
//!
//! Only this thread asks the terminal library for events: it waits with its lock held, and whoever else asks meanwhile
//! gives up its turn on the processor again and again before it is told that there is nothing.

use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
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

/// The thread that reads, and a way to keep it from reading while another program has the terminal.
#[derive(Debug)]
pub(super) struct Keys {
    wake: UnixStream,
    stands: Receiver<Sender<()>>,
}

/// Keeps the thread from reading until it is dropped.
#[derive(Debug)]
pub(super) struct Held {
    /// Dropping it lets the thread go on.
    _go_on: Option<Sender<()>>,
}

/// Starts the thread; it ends with the process or with the terminal.
///
/// # Errors
/// When no thread can be had.
pub(super) fn start(out: UnboundedSender<Input>) -> io::Result<Keys> {
    let (wake, mut woken) = UnixStream::pair()?;
    let (tell, stands) = channel();
    std::thread::Builder::new().name("input".into()).spawn(move || {
        loop {
            match wait(&woken) {
                Ok(false) => match read(&out) {
                    Ok(()) => {}
                    Err(_) => break,
                },
                Ok(true) => {
                    let (go_on, waiting) = channel();
                    if woken.read(&mut [0; 16]).is_err() || tell.send(go_on).is_err() {
                        break;
                    }
                    // Ends when the other side is dropped; nothing is ever sent.
                    let _ = waiting.recv();
                }
                Err(_) => break,
            }
        }
        let _ = out.send(Input::Gone);
    })?;
    Ok(Keys { wake, stands })
}

impl Keys {
    /// Has the thread stand still. It answers within the time that it may be reading for.
    pub(super) fn hold(&mut self) -> Held {
        let woken = self.wake.write_all(b"!").is_ok();
        Held { _go_on: if woken { self.stands.recv_timeout(MORE * 20).ok() } else { None } }
    }
}

/// Waits until there is something to read; whether it is to stand still instead.
fn wait(woken: &UnixStream) -> io::Result<bool> {
    let stdin = io::stdin();
    loop {
        let mut fds = [PollFd::new(&stdin, PollFlags::IN), PollFd::new(woken, PollFlags::IN)];
        match poll(&mut fds, None) {
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
            Ok(_) => {
                let [terminal, wake] = fds;
                if wake.revents().contains(PollFlags::IN) {
                    return Ok(true);
                }
                // The library would ask a terminal that hung up for ever.
                if terminal.revents().intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) {
                    return Err(io::ErrorKind::BrokenPipe.into());
                }
                return Ok(false);
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
