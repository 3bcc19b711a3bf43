//! Signals: end, stop until continued, another size.

use std::future::poll_fn;
use std::io;
use std::task::Poll;

use tokio::signal::unix::{Signal as Stream, SignalKind, signal};

/// A signal that the screen must act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    /// End, with this exit code.
    End(u8),
    /// Stop until continued.
    Stop,
    /// The terminal has another size.
    Size,
}

/// The signals that are listened to.
#[derive(Debug)]
pub(super) struct Signals {
    terminate: Stream,
    hang_up: Stream,
    interrupt: Stream,
    quit: Stream,
    stop: Stream,
    size: Stream,
}

impl Signals {
    /// Begins to listen.
    ///
    /// # Errors
    /// When a handler cannot be installed.
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            interrupt: signal(SignalKind::interrupt())?,
            // Left to the system, it would leave the terminal as the screen has set it.
            quit: signal(SignalKind::quit())?,
            stop: signal(SignalKind::from_raw(rustix::process::Signal::TSTP.as_raw()))?,
            size: signal(SignalKind::window_change())?,
        })
    }

    /// Forgets what was pressed while another program had the terminal: it was meant for that one.
    pub(super) async fn forget(&mut self) {
        for stream in [&mut self.interrupt, &mut self.quit, &mut self.stop] {
            poll_fn(|cx| {
                while let Poll::Ready(Some(())) = stream.poll_recv(cx) {}
                Poll::Ready(())
            })
            .await;
        }
    }

    /// The next one. Codes are those that a shell gives a process ended by the signal.
    pub(super) async fn next(&mut self) -> Signal {
        tokio::select! {
            _ = self.terminate.recv() => Signal::End(143),
            _ = self.hang_up.recv() => Signal::End(129),
            _ = self.interrupt.recv() => Signal::End(130),
            _ = self.quit.recv() => Signal::End(131),
            _ = self.stop.recv() => Signal::Stop,
            _ = self.size.recv() => Signal::Size,
        }
    }
}

/// Whether somebody could continue this process once it is stopped: a session leader has no shell above it.
pub(super) fn can_stop() -> bool {
    // A test is nobody's shell, yet continues what it stopped.
    if cfg!(debug_assertions) && std::env::var_os("LOOKITUP_TEST_STOP").is_some() {
        return true;
    }
    rustix::process::getsid(None).is_ok_and(|leader| leader != rustix::process::getpid())
}

/// Stops this process; comes back when it is continued.
///
/// # Errors
/// When the system refuses.
pub(super) fn stop_self() -> io::Result<()> {
    // The one signal that cannot be caught, so our own handler is not in its way.
    Ok(rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP)?)
}
