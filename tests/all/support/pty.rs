//! The real program in a pseudo-terminal, its screen read back through a terminal emulator.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

/// How long anything may take before a test gives up: generous, since the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(30);
/// Time between two looks.
const LOOK: Duration = Duration::from_millis(50);

struct Seen {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    closed: bool,
}

fn nonzero(n: u16) -> std::num::NonZero<u16> {
    std::num::NonZero::new(n).expect("at least one cell")
}

/// A running program.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    seen: Arc<(Mutex<Seen>, Condvar)>,
}

impl Pty {
    /// Starts the program with arguments, at a size, its settings and state in `home`.
    pub(crate) fn start(args: &[&str], size: (u16, u16), home: &Path, env: &[(&str, &str)]) -> Self {
        let (cols, rows) = size;
        let pair = native_pty_system()
            .openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 })
            .expect("a pseudo-terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_lookitup"));
        command.args(args);
        command.cwd(home);
        command.env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("TERM", "xterm-256color");
        command.env("COLORTERM", "truecolor");
        command.env("LOOKITUP_HOME", home);
        command.env("LOOKITUP_THEME", "dark");
        command.env("SSH_TTY", "/dev/null");
        for (name, value) in env {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let seen = Arc::new((
            Mutex::new(Seen {
                parser: vt100::Parser::new(nonzero(rows), nonzero(cols), 0),
                bytes: Vec::new(),
                closed: false,
            }),
            Condvar::new(),
        ));
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let writer = pair.master.take_writer().expect("a writer");
        let shared = seen.clone();
        std::thread::spawn(move || {
            let mut buffer = vec![0; 65_536];
            loop {
                let n = reader.read(&mut buffer).unwrap_or(0);
                let mut seen = shared.0.lock().unwrap();
                if n == 0 {
                    seen.closed = true;
                    shared.1.notify_all();
                    return;
                }
                seen.parser.process(&buffer[..n]);
                seen.bytes.extend_from_slice(&buffer[..n]);
                shared.1.notify_all();
            }
        });
        Self { master: pair.master, writer, child, seen }
    }

    /// Presses keys, all in one write.
    pub(crate) fn send(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).expect("the program reads");
        self.writer.flush().expect("the program reads");
    }

    /// Waits until the screen is as wanted; panics with the screen when it never is.
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) {
        let start = Instant::now();
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            if wanted(seen.parser.screen()) {
                return;
            }
            let left = PATIENCE.saturating_sub(start.elapsed());
            assert!(
                !left.is_zero() && !seen.closed,
                "never came: {what}\n{}",
                seen.parser.screen().contents()
            );
            // What is waited for may be a file: looked at now and then, though the screen stays as it is.
            seen = self.seen.1.wait_timeout(seen, left.min(LOOK)).unwrap().0;
        }
    }

    /// Waits until a text is on the screen.
    pub(crate) fn shows(&self, text: &str) {
        self.until(text, |s| s.contents().contains(text));
    }

    /// Waits until the raw output holds these bytes.
    pub(crate) fn wrote(&self, bytes: &[u8]) {
        let start = Instant::now();
        let mut seen = self.seen.0.lock().unwrap();
        loop {
            if seen.bytes.windows(bytes.len()).any(|w| w == bytes) {
                return;
            }
            let left = PATIENCE.saturating_sub(start.elapsed());
            assert!(!left.is_zero() && !seen.closed, "never written: {}", String::from_utf8_lossy(bytes));
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
    }

    /// What is on the screen.
    pub(crate) fn screen(&self) -> String {
        self.seen.0.lock().unwrap().parser.screen().contents()
    }

    /// Changes the terminal's size.
    pub(crate) fn resize(&self, cols: u16, rows: u16) {
        self.seen.0.lock().unwrap().parser.screen_mut().set_size(nonzero(rows), nonzero(cols));
        self.master
            .resize(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 })
            .expect("the terminal resizes");
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = self.child.process_id().expect("a process");
        let pid = rustix::process::Pid::from_raw(pid as i32).expect("a process id");
        rustix::process::kill_process(pid, signal).expect("the signal is sent");
    }

    /// Waits until the program has stopped itself.
    pub(crate) fn stops(&self) {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let pid = self.child.process_id().expect("a process");
        let pid = rustix::process::Pid::from_raw(pid as i32).expect("a process id");
        let status = waitid(WaitId::Pid(pid), WaitIdOptions::STOPPED).expect("the program can be waited for");
        assert!(status.is_some_and(|s| s.stopped()), "it stops");
    }

    /// Waits for the end; answers the exit code. Panics with the screen when it never comes.
    pub(crate) fn ends(&mut self) -> u32 {
        let start = Instant::now();
        let mut seen = self.seen.0.lock().unwrap();
        while !seen.closed {
            let left = PATIENCE.saturating_sub(start.elapsed());
            if left.is_zero() {
                let _ = self.child.kill();
                panic!("it never ends\n{}", seen.parser.screen().contents());
            }
            seen = self.seen.1.wait_timeout(seen, left).unwrap().0;
        }
        drop(seen);
        self.child.wait().expect("the program ended").exit_code()
    }

    /// Whether the line discipline echoes and edits lines: not raw.
    pub(crate) fn cooked(&self) -> bool {
        const ICANON: u32 = 0o2;
        const ECHO: u32 = 0o10;
        let flags = self.master.get_termios().expect("terminal settings").local_flags.bits();
        flags & (ICANON | ECHO) == (ICANON | ECHO)
    }

    /// Panics unless every mode is as it was before the program started.
    pub(crate) fn assert_restored(&self) {
        let seen = self.seen.0.lock().unwrap();
        let screen = seen.parser.screen();
        assert!(!screen.alternate_screen(), "the alternate screen is left");
        assert!(!screen.hide_cursor(), "the cursor is shown");
        assert!(!screen.bracketed_paste(), "bracketed paste is off");
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None, "the mouse is let go");
        drop(seen);
        assert!(self.cooked(), "raw mode is off");
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let _ = self.child.kill();
    }
}
