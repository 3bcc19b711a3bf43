//! Where the notes and the codebook of what is open are: one rule for the screen and the command line.

use std::path::{Path, PathBuf};

use super::codebook::{self, Codebook, LoadError};
use super::file::notes_path;
use crate::runner::journal::journal_of;

/// The name of a codebook beside notes.
const CODEBOOK: &str = "codebook.toml";
/// What the file of attempts asked again ends in, beside which notes are.
const ENDS: [&str; 2] = [".results.jsonl", ".live"];

/// The notes file of a set of paths as the user gave them: beside the file of what was asked again of them
/// ([`journal_of`] has the rule), under the same name. `named` is whether the user named the paths; none at all is the
/// sample. `None` where there is no folder to write to.
pub fn notes_of(here: &Path, data_dir: Option<&Path>, names: &[String], named: bool) -> Option<PathBuf> {
    let journal = journal_of(here, data_dir, names, named)?;
    let name = journal.file_name()?.to_str()?;
    let stem = ENDS.iter().fold(name, |stem, end| stem.strip_suffix(end).unwrap_or(stem));
    Some(notes_path(journal.parent()?, stem))
}

/// The codebook that the notes of a file refer to: `codebook.toml` beside it.
pub fn codebook_of(notes: &Path) -> PathBuf {
    notes.with_file_name(CODEBOOK)
}

/// The codebook of a file; the starter where there is none yet.
///
/// # Errors
/// The file is there and cannot be read, or has faults.
pub fn load_codebook(path: &Path) -> Result<Codebook, LoadError> {
    codebook::load(path)
}

#[cfg(test)]
#[path = "place_tests.rs"]
mod tests;
