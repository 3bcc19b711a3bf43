//! What several tests need.

use std::path::{Path, PathBuf};

/// The project's folder.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A file that only the development tree has beside it. `None`, with a printed line, elsewhere.
pub(crate) fn beside(path: &str) -> Option<PathBuf> {
    let file = root().join("../shared").join(path);
    if file.exists() {
        return Some(file);
    }
    println!("skipped: ../shared/{path} is not there");
    None
}

/// Every file below `folder` whose name ends in `end`, sorted.
pub(crate) fn files_below(folder: &Path, end: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.to_string_lossy().ends_with(end) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Whether a source file is a test: `foo_tests.rs`, `tests.rs`, or anything in a folder `tests`.
pub(crate) fn is_test(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name == "tests.rs" || name.ends_with("_tests.rs") || path.components().any(|c| c.as_os_str() == "tests")
}
