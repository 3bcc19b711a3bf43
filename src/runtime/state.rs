//! What is kept between sessions, in the user's state folder.

use std::hash::BuildHasher;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::app::Session;
use crate::config::Config;
use crate::config::paths::state_dir;

/// Named views: name, filter, order.
pub(super) type Views = Vec<(String, String, Option<String>)>;

/// The file of a set of paths, the same for the same files in any order and from any folder.
fn file_of(paths: &[String]) -> Option<PathBuf> {
    let mut whole: Vec<PathBuf> =
        paths.iter().map(|p| std::fs::canonicalize(p).unwrap_or_else(|_| PathBuf::from(p))).collect();
    whole.sort();
    whole.dedup();
    let hash = foldhash::fast::FixedState::with_seed(0x6c6f_6f6b).hash_one(&whole);
    Some(state_dir()?.join("sessions").join(format!("{hash:016x}.json")))
}

/// The last session with these files; a default one when there is none or it cannot be read.
pub(super) fn load(paths: &[String]) -> Session {
    let Some(text) = file_of(paths).and_then(|f| std::fs::read(f).ok()) else { return Session::default() };
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Keeps a session.
///
/// # Errors
/// When the folder or the file cannot be written.
pub(super) fn save(paths: &[String], session: &Session) -> io::Result<()> {
    let Some(file) = file_of(paths) else { return Ok(()) };
    replace(&file, &serde_json::to_vec_pretty(session)?)
}

/// The views that the settings hold.
pub(super) fn configured(config: &Config) -> Views {
    config.views.iter().map(|v| (v.name.clone(), v.filter.clone(), v.sort.clone())).collect()
}

/// The views saved from the screen.
pub(super) fn load_views() -> Views {
    let file = state_dir().map(|d| d.join("views.json"));
    file.and_then(|f| std::fs::read(f).ok()).and_then(|t| serde_json::from_slice(&t).ok()).unwrap_or_default()
}

/// Keeps the views.
///
/// # Errors
/// When the folder or the file cannot be written.
pub(super) fn save_views(views: &Views) -> io::Result<()> {
    let Some(dir) = state_dir() else { return Ok(()) };
    replace(&dir.join("views.json"), &serde_json::to_vec_pretty(views)?)
}

/// Writes a file so that a reader, or a crash, finds the old text or the new, never a part.
fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let dir = file.parent().unwrap_or_else(|| Path::new("."));
    std::fs::create_dir_all(dir)?;
    let mut new = tempfile::NamedTempFile::new_in(dir)?;
    new.write_all(bytes)?;
    new.persist(file).map_err(|e| e.error)?;
    Ok(())
}
