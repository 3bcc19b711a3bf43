//! Opening an address in the browser.

use std::process::{Command, Stdio};

/// Hands an address to the desktop's opener, as one argument and never through a shell.
///
/// # Errors
/// When there is no opener or no desktop, in words.
pub(super) fn open(url: &str) -> Result<(), String> {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let desktop = cfg!(target_os = "macos")
        || std::env::var_os("DISPLAY").is_some()
        || std::env::var_os("WAYLAND_DISPLAY").is_some();
    if !desktop {
        return Err("there is no desktop here".into());
    }
    let child = Command::new(program)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    match child {
        Ok(mut child) => {
            // The opener ends by itself; somebody must wait for it, and that must not be the screen.
            let _ = std::thread::Builder::new().name("opener".into()).spawn(move || child.wait());
            Ok(())
        }
        Err(e) => Err(format!("{program} could not be started: {e}")),
    }
}
