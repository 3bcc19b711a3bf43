//! No file grows beyond what one can read in one go.

use super::common::{files_below, is_test, root};

/// Lines that a source file may have, tests apart.
const CAP: usize = 500;
/// Lines that the program's entry may have.
const MAIN_CAP: usize = 79;

#[test]
fn source_files_stay_short() {
    let src = root().join("src");
    let mut long = Vec::new();
    for path in files_below(&src, ".rs").iter().filter(|p| !is_test(p)) {
        let lines = std::fs::read_to_string(path).unwrap().lines().count();
        let inner = path.strip_prefix(&src).unwrap();
        let cap = if inner.as_os_str() == "main.rs" { MAIN_CAP } else { CAP };
        if lines > cap {
            long.push(format!("src/{}: {lines} lines, {cap} at most", inner.display()));
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
}
