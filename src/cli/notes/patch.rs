//! Added answers for the owner of a question file.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::review::{Notes, patch};
use crate::text::{sanitize_line, several};

use super::super::export::to_target;
use super::super::noted::shown;
use super::super::open::Opened;
use super::super::{Error, Io, exit};
use super::NotesExportArgs;

/// The added answers as a difference to a question file, or that file with them.
pub(super) fn run(
    args: &NotesExportArgs,
    data: &Path,
    opened: &Opened,
    notes: &Notes,
    io: &mut Io,
) -> Result<u8, Error> {
    let text =
        std::fs::read_to_string(data).map_err(|e| Error::Unreadable(format!("{}: {e}", shown(data))))?;
    let same = |a: &Path, b: &Path| {
        std::fs::canonicalize(a).is_ok_and(|a| std::fs::canonicalize(b).is_ok_and(|b| a == b))
    };
    if same(&args.out, data) {
        return Err(Error::Usage(format!("{} is an input file, which are never written to", shown(data))));
    }
    let added = match args.said.person.as_deref() {
        Some(by) => notes.references_by(None, by),
        None => notes.references(None),
    };
    let found = patch(&repository_name(data), &text, &added);
    if !found.elsewhere.is_empty() {
        let ids: Vec<String> = found.elsewhere.iter().map(|id| sanitize_line(id).into_owned()).collect();
        let n = several(ids.len(), "question");
        io.note(format_args!(
            "note: {n} with added answers not to be found in {}: {}",
            shown(data),
            ids.join(", ")
        ));
    }
    io.note(format_args!("{} added to {}", several(found.added, "answer"), shown(data)));
    let text = if args.whole { &found.text } else { &found.diff };
    to_target(&args.out, &opened.table, io, |io| Ok(io.out.write_all(text.as_bytes())?))?;
    Ok(exit::DONE)
}

/// What a patch calls a file: its path from here; the bare name for one that lies elsewhere.
fn repository_name(data: &Path) -> String {
    let inside = std::path::absolute(data).ok().and_then(|whole| {
        let here = std::env::current_dir().ok()?;
        whole.strip_prefix(here).ok().map(Path::to_owned)
    });
    let plain = |p: &PathBuf| p.components().all(|c| matches!(c, std::path::Component::Normal(_)));
    let name = inside.filter(plain).or_else(|| data.file_name().map(PathBuf::from));
    sanitize_line(&name.unwrap_or_default().display().to_string()).into_owned()
}
