//! Lower rooms never import upper ones.

use std::collections::BTreeSet;
use std::path::Path;

use super::common::{files_below, is_test, root};

/// Each room and the rooms it may use, itself apart. Upper rooms stand below lower ones here, so a room can name only
/// rooms above its own line. `room::file` is a leaf of a room that lower rooms may use though the room is above them.
const ALLOWED: &[(&str, &[&str])] = &[
    ("record", &[]),
    ("text", &[]),
    ("score", &["record", "text"]),
    ("provider", &["record", "text", "score"]),
    ("store", &["record", "text", "score"]),
    ("runner::journal", &[]),
    ("stats", &["record", "text", "store"]),
    ("runner", &["record", "text", "score", "store", "provider", "stats"]),
    ("query", &["record", "text", "store"]),
    ("config::source", &["text"]),
    ("check", &["record", "text", "config::source", "score", "store", "stats"]),
    ("view", &["record", "text", "score", "store", "stats", "query"]),
    ("export", &["record", "text", "store", "view"]),
    ("figures", &["record", "text", "store", "stats", "query", "view"]),
    ("report", &["record", "text", "store", "stats", "query", "view", "figures"]),
    ("config::source", &["text"]),
    ("review", &["record", "text", "score", "store", "stats", "runner::journal", "config::source"]),
    ("keymap", &["text", "config::source"]),
    ("theme", &["text", "config::source"]),
    ("config", &["record", "text", "stats", "query", "view", "config::source", "keymap", "theme"]),
    (
        "app",
        &[
            "record", "text", "score", "store", "provider", "runner", "stats", "query", "check", "view",
            "figures", "report", "review", "keymap", "theme", "config",
        ],
    ),
    (
        "ui",
        &[
            "record", "text", "score", "store", "provider", "runner", "stats", "query", "view", "figures",
            "review", "keymap", "theme", "config", "app",
        ],
    ),
    (
        "runtime",
        &[
            "record", "text", "score", "store", "provider", "runner", "stats", "query", "check", "export",
            "view", "review", "keymap", "theme", "config", "app", "ui",
        ],
    ),
    (
        "cli",
        &[
            "record", "text", "score", "store", "provider", "runner", "stats", "query", "check", "view",
            "export", "figures", "report", "review", "keymap", "theme", "config", "app", "ui", "runtime",
        ],
    ),
];

#[test]
fn lower_rooms_never_use_upper_ones() {
    let src = root().join("src");
    let mut wrong = Vec::new();
    for path in files_below(&src, ".rs").iter().filter(|p| !is_test(p)) {
        let inner = path.strip_prefix(&src).unwrap();
        let Some(room) = room_of(inner) else { continue };
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{}: room '{room}' has no place in the table of this test", inner.display()));
            continue;
        };
        let text = std::fs::read_to_string(path).unwrap();
        let in_mod = inner.components().count() == 2 && inner.ends_with("mod.rs");
        for used in rooms_used(&text, in_mod) {
            if used != room && !within(&used, allowed) {
                wrong.push(format!("{}: '{room}' uses '{used}'", inner.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "rooms used out of order:\n{}", wrong.join("\n"));
}

#[test]
fn the_table_itself_has_no_circle() {
    for (at, (room, allowed)) in ALLOWED.iter().enumerate() {
        for used in *allowed {
            let place = ALLOWED.iter().position(|(name, _)| name == used);
            assert!(place.is_some_and(|p| p < at), "'{room}' may use '{used}', which is not below it");
        }
    }
}

#[test]
fn the_reader_of_use_lines_sees_every_form() {
    let text = "use crate::store::{Table, Reader};\nuse crate::{\n    query::Expr,\n    stats,\n    view::{self, cell},\n};\n\
                // crate::ui is only spoken of\n/// [`crate::app`]\nlet x = crate::text::width(\"a\");\n\
                pub(crate) fn f() {}\nuse super::super::record::Scorer;\n";
    let used: Vec<String> = rooms_used(text, false).into_iter().collect();
    assert_eq!(used, ["query", "record", "stats", "store", "text", "view"]);
    assert!(rooms_used("use crate::config::source::Source;", false).contains("config::source"));
    assert!(rooms_used("use crate::config::{Config, source};", false).contains("config"));
    assert!(rooms_used("use super::theme::Role;", true).contains("theme"));
    assert!(!rooms_used("use super::theme::Role;", false).contains("theme"));
}

/// Whether a room may be used; one that may be used brings its leaves.
fn within(used: &str, allowed: &[&str]) -> bool {
    allowed.iter().any(|a| *a == used || used.strip_prefix(a).is_some_and(|leaf| leaf.starts_with("::")))
}

/// The room of a file under `src`: its first folder, or a leaf of it. The crate's own two files are in none.
fn room_of(inner: &Path) -> Option<String> {
    let path = inner.with_extension("").to_string_lossy().replace('/', "::");
    if matches!(path.as_str(), "lib" | "main") {
        return None;
    }
    if ALLOWED.iter().any(|(name, _)| *name == path) {
        return Some(path);
    }
    path.split("::").next().map(str::to_owned)
}

/// The rooms that a source text names by path, comments apart. `in_mod`: the file is `src/ROOM/mod.rs`, where `super`
/// is the crate.
fn rooms_used(text: &str, in_mod: bool) -> BTreeSet<String> {
    let code: String =
        text.lines().map(|l| l.split_once("//").map_or(l, |(c, _)| c)).collect::<Vec<_>>().join("\n");
    let mut used = BTreeSet::new();
    let roots: &[&str] = if in_mod { &["crate::", "super::"] } else { &["crate::", "super::super::"] };
    for root in roots {
        for (at, _) in code.match_indices(root) {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                continue;
            }
            names(&code[at + root.len()..], &mut used);
        }
    }
    // `super::super::x` from a deeper folder, and `super::X` of a mod, may name items that are no rooms.
    used.retain(|name| ALLOWED.iter().any(|(room, _)| room == name));
    used
}

/// The first name of a path, or the first names inside its braces.
fn names(path: &str, used: &mut BTreeSet<String>) {
    let Some(inside) = path.strip_prefix('{') else {
        let word = |s: &str| s.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
        let room = word(path);
        let leaf = path[room.len()..].strip_prefix("::").map(|rest| format!("{room}::{}", word(rest)));
        used.insert(leaf.filter(|leaf| ALLOWED.iter().any(|(name, _)| name == leaf)).unwrap_or(room));
        return;
    };
    let mut depth = 0;
    let mut item = String::new();
    for c in inside.chars() {
        match c {
            ',' if depth == 0 => {
                names(item.trim(), used);
                item.clear();
                continue;
            }
            '}' if depth == 0 => break,
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        item.push(c);
    }
    names(item.trim(), used);
}
