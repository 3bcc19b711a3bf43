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
mod tests {
    use super::*;

    #[test]
    fn notes_lie_beside_what_was_asked_again() {
        let here = tempfile::tempdir().unwrap();
        let data = Path::new("/somewhere/data");
        let of = |paths: &[&str], named| {
            let paths: Vec<String> = paths.iter().map(|p| (*p).to_owned()).collect();
            let notes = notes_of(here.path(), Some(data), &paths, named).unwrap();
            let journal = journal_of(here.path(), Some(data), &paths, named).unwrap();
            assert_eq!(notes.parent(), journal.parent());
            assert_eq!(codebook_of(&notes), journal.with_file_name("codebook.toml"));
            notes
        };
        assert_eq!(of(&[], true), data.join("results/sample.notes.jsonl"));
        let a = of(&["x/haiku.results.jsonl"], true);
        let name = a.file_name().unwrap().to_str().unwrap();
        assert!(
            name.starts_with("haiku-") && name.ends_with(".notes.jsonl") && !name.contains("live"),
            "{name}"
        );
        assert_ne!(a, of(&["y/haiku.results.jsonl"], true));
        assert_eq!(of(&["b", "a"], true), of(&["a", "b"], true));
        std::fs::create_dir(here.path().join("results")).unwrap();
        assert_eq!(of(&["results"], false), here.path().join("results/live.notes.jsonl"));
        assert_eq!(notes_of(Path::new("/none"), None, &[], true), None);
        assert_eq!(load_codebook(&codebook_of(&a)).unwrap(), Codebook::starter());
    }
}
