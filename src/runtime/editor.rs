//! The user's own editor, on a text of ours.

use std::io::{Read, Seek, SeekFrom, Write};
use std::process::Command;

/// Has a text edited; nothing when it is left as it was. The terminal must be the editor's meanwhile.
///
/// # Errors
/// The editor cannot be started or fails, in words.
pub(super) fn edit(editor: Option<&str>, text: &str) -> Result<Option<String>, String> {
    let variable = |name: &str| std::env::var(name).ok().filter(|v| !v.trim().is_empty());
    let editor = editor.map(str::to_owned).or_else(|| variable("VISUAL")).or_else(|| variable("EDITOR"));
    let editor = editor.unwrap_or_else(|| "vi".to_owned());
    let io = |e: std::io::Error| format!("the text cannot be handed to the editor: {e}");
    let mut file = tempfile::Builder::new().prefix("lookitup-").suffix(".txt").tempfile().map_err(io)?;
    writeln!(file, "{text}").and_then(|()| file.flush()).map_err(io)?;
    // As other programs do it: what the variable holds may have arguments.
    let status =
        Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(file.path()).status();
    match status {
        Err(e) => return Err(format!("the editor ({editor}) cannot be started: {e}")),
        Ok(status) if !status.success() => return Err(format!("the editor ({editor}) ended with {status}")),
        Ok(_) => {}
    }
    // Many editors write a new file in the old one's place.
    let mut new = String::new();
    let mut read = std::fs::File::open(file.path()).map_err(io)?;
    read.seek(SeekFrom::Start(0)).and_then(|_| read.read_to_string(&mut new)).map_err(io)?;
    let new = new.trim_end_matches(['\r', '\n']);
    Ok((new != text.trim_end_matches(['\r', '\n'])).then(|| new.to_owned()))
}
