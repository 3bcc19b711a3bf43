//! Everything that is built in or built with may be given on under the project's own terms.

use std::process::Command;

use serde_json::Value;

use super::common::root;

/// Licences that ask for no more than their text to be kept (MPL-2.0: and changes to its own files to be shown).
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MPL-2.0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "WTFPL",
    "Zlib",
];

#[test]
fn every_dependency_has_an_allowed_licence() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let host = Command::new(&cargo).arg("-vV").output().unwrap();
    let host = String::from_utf8(host.stdout).unwrap();
    let host = host.lines().find_map(|l| l.strip_prefix("host: ")).unwrap().to_owned();
    let asked = Command::new(&cargo)
        .args(["metadata", "--format-version", "1", "--offline", "--locked", "--filter-platform", &host])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(asked.status.success(), "{}", String::from_utf8_lossy(&asked.stderr));
    let metadata: Value = serde_json::from_slice(&asked.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "only {} packages: is this the whole tree?", packages.len());
    let wrong: Vec<String> = packages
        .iter()
        .filter(|p| !p["license"].as_str().is_some_and(may_be_used))
        .map(|p| format!("{} {}: {}", p["name"], p["version"], p["license"]))
        .collect();
    assert!(wrong.is_empty(), "licences to look at:\n{}", wrong.join("\n"));
}

#[test]
fn own_licence_texts_are_there() {
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).unwrap();
    assert!(manifest.contains("license = \"MIT OR Apache-2.0\""));
    for (file, words) in [("LICENSE-MIT", "MIT License"), ("LICENSE-APACHE", "Apache License")] {
        assert!(std::fs::read_to_string(root().join(file)).unwrap().contains(words), "{file}");
    }
}

#[test]
fn expressions_are_read() {
    for good in
        ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR GPL-2.0) AND Unicode-3.0", "Apache-2.0 / MIT"]
    {
        assert!(may_be_used(good), "{good}");
    }
    assert!(may_be_used("Apache-2.0 WITH LLVM-exception OR GPL-2.0"));
    for bad in [
        "GPL-3.0",
        "MIT AND GPL-3.0",
        "(MIT OR ISC) AND (LGPL-2.1 OR AGPL-3.0)",
        "",
        "MIT OR",
        "GPL-2.0 WITH X",
    ] {
        assert!(!may_be_used(bad), "{bad}");
    }
}

/// Whether an SPDX expression can be met with allowed licences alone. What cannot be read cannot be used.
fn may_be_used(expression: &str) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = words.as_slice();
    let verdict = any(&mut rest);
    rest.is_empty() && verdict == Some(true)
}

fn any(words: &mut &[&str]) -> Option<bool> {
    let mut verdict = all(words)?;
    while let ["OR", rest @ ..] = *words {
        *words = rest;
        verdict |= all(words)?;
    }
    Some(verdict)
}

fn all(words: &mut &[&str]) -> Option<bool> {
    let mut verdict = one(words)?;
    while let ["AND", rest @ ..] = *words {
        *words = rest;
        verdict &= one(words)?;
    }
    Some(verdict)
}

fn one(words: &mut &[&str]) -> Option<bool> {
    match *words {
        ["(", rest @ ..] => {
            *words = rest;
            let verdict = any(words)?;
            let [")", rest @ ..] = *words else { return None };
            *words = rest;
            Some(verdict)
        }
        [name, "WITH", exception, rest @ ..] => {
            *words = rest;
            Some(ALLOWED.contains(&format!("{name} WITH {exception}").as_str()))
        }
        [name, rest @ ..] if !matches!(*name, "AND" | "OR" | "WITH" | ")") => {
            *words = rest;
            Some(ALLOWED.contains(name))
        }
        _ => None,
    }
}
