//! Copying: the desktop's clipboard at home, the terminal's (OSC 52) over SSH or when that fails, a file as last resort.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crossterm::clipboard::CopyToClipboard;
use crossterm::execute;

use crate::config::Clipboard;

/// Terminals commonly drop longer OSC 52 sequences, silently; a file is honest.
const MOST_OSC52: usize = 74_000;

/// The way to the clipboard.
pub(super) struct Clip {
    policy: Clipboard,
    /// Kept for the whole run: on X11 the text is gone with its owner.
    native: Option<arboard::Clipboard>,
}

impl std::fmt::Debug for Clip {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Clip").field("policy", &self.policy).finish_non_exhaustive()
    }
}

/// Which way a copy goes first under a policy, by the environment.
pub fn route(policy: Clipboard) -> &'static str {
    match policy {
        Clipboard::Native => "desktop clipboard",
        Clipboard::Osc52 => "terminal (OSC 52)",
        Clipboard::File => "file",
        Clipboard::Auto if remote() => "terminal (OSC 52), since this is a remote session",
        Clipboard::Auto => "desktop clipboard, else terminal (OSC 52)",
    }
}

fn remote() -> bool {
    ["SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"].iter().any(|v| std::env::var_os(v).is_some())
}

impl Clip {
    pub(super) fn new(policy: Clipboard) -> Self {
        Self { policy, native: None }
    }

    /// Copies; answers where the text went.
    ///
    /// # Errors
    /// When no way worked, in words.
    pub(super) fn copy(&mut self, text: &str) -> Result<String, String> {
        let native = match self.policy {
            Clipboard::Native => true,
            Clipboard::Auto => !remote(),
            Clipboard::Osc52 | Clipboard::File => false,
        };
        let size = size(text);
        if native {
            match self.put_on_desktop(text) {
                Ok(()) => return Ok(format!("copied {size} to the clipboard")),
                Err(e) if self.policy == Clipboard::Native => {
                    return Err(format!("the clipboard refused: {e}"));
                }
                Err(_) => {}
            }
        }
        if self.policy != Clipboard::File && text.len() <= MOST_OSC52 {
            return match send_to_terminal(text) {
                Ok(()) => Ok(format!("sent {size} to the terminal's clipboard (OSC 52)")),
                Err(e) => Err(format!("the terminal cannot be written to: {e}")),
            };
        }
        write_file(text)
            .map(|path| format!("copied {size} to {}", path.display()))
            .map_err(|e| format!("could not write a file to copy into: {e}"))
    }

    fn put_on_desktop(&mut self, text: &str) -> Result<(), arboard::Error> {
        if self.native.is_none() {
            self.native = Some(arboard::Clipboard::new()?);
        }
        match &mut self.native {
            Some(native) => native.set_text(text),
            None => Err(arboard::Error::ClipboardNotSupported),
        }
    }
}

fn size(text: &str) -> String {
    crate::text::several(text.chars().count(), "character")
}

/// Writes the OSC 52 sequence; tmux hands it on to the outer terminal when it is wrapped.
fn send_to_terminal(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    if std::env::var_os("TMUX").is_some() && load_tmux(text).is_ok() {
        return Ok(());
    }
    if std::env::var_os("TMUX").is_some() {
        let mut plain = Vec::new();
        crossterm::queue!(plain, CopyToClipboard::to_clipboard_from(text))?;
        // Both: tmux's own buffer takes the plain form, the outer terminal the wrapped one.
        out.write_all(&plain)?;
        out.write_all(b"\x1bPtmux;")?;
        for byte in plain {
            if byte == 0x1b {
                out.write_all(b"\x1b")?;
            }
            out.write_all(&[byte])?;
        }
        out.write_all(b"\x1b\\")?;
        return out.flush();
    }
    execute!(out, CopyToClipboard::to_clipboard_from(text))
}

/// Hands the text to tmux, which keeps it in a buffer and passes it on to the outer terminal's clipboard.
fn load_tmux(text: &str) -> io::Result<()> {
    let mut tmux = Command::new("tmux");
    tmux.args(["load-buffer", "-w", "-"]).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = tmux.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    if child.wait()?.success() { Ok(()) } else { Err(io::Error::other("tmux refused")) }
}

fn write_file(text: &str) -> io::Result<PathBuf> {
    let dir = crate::config::paths::state_dir().ok_or_else(|| io::Error::other("there is no home folder"))?;
    std::fs::create_dir_all(&dir)?;
    let path = dir.join("copied.txt");
    let mut new = tempfile::NamedTempFile::new_in(&dir)?;
    new.write_all(text.as_bytes())?;
    new.persist(&path).map_err(|e| e.error)?;
    Ok(path)
}
