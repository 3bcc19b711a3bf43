//! All the themes that there are: the shipped ones and the user's.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::{Kind, SHIPPED, Theme, base16, file, shipped};
use crate::config::source::{Problem, nearest};

/// A user's theme file larger than this is not one.
const LARGEST: u64 = 1 << 20;

/// Themes by name. The shipped ones are parsed when they are first asked for: a start needs one of them.
#[derive(Debug, Clone)]
pub struct Themes {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    name: String,
    theme: OnceLock<Theme>,
    /// The user's file; `None` for a shipped one.
    from: Option<PathBuf>,
}

impl Entry {
    fn theme(&self) -> &Theme {
        self.theme.get_or_init(|| shipped(&self.name).unwrap_or_else(Theme::bare))
    }
}

impl Default for Themes {
    /// The shipped ones.
    fn default() -> Self {
        let shipped =
            |(name, _): &(&str, &str)| Entry { name: (*name).to_owned(), theme: OnceLock::new(), from: None };
        Self { entries: SHIPPED.iter().map(shipped).collect() }
    }
}

fn shipped_text(name: &str) -> Option<String> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned())
}

impl Themes {
    /// The shipped ones and those in `dir`: `*.toml`, and base16 or base24 schemes as `*.yaml` or `*.yml`.
    ///
    /// A user's theme takes the place of a shipped one of the same name, and may inherit from it. A folder that does not
    /// exist is none; what is wrong with a file is listed.
    pub fn load(dir: &Path) -> (Self, Vec<Problem>) {
        let mut all = Self::default();
        let mut problems = Vec::new();
        for path in files(dir) {
            let (theme, found) = read(&path, dir);
            problems.extend(found);
            let Some(theme) = theme else { continue };
            let name = theme.name().to_owned();
            match all.entries.iter_mut().find(|e| e.name == name) {
                Some(Entry { from: Some(other), .. }) => problems.push(Problem::new(
                    path.display().to_string(),
                    format!("there is another theme \"{name}\" in {}", other.display()),
                    "give one of them another name",
                )),
                Some(shipped) => *shipped = Entry { name, theme: theme.into(), from: Some(path) },
                None => all.entries.push(Entry { name, theme: theme.into(), from: Some(path) }),
            }
        }
        (all, problems)
    }

    /// The names, the shipped ones first.
    pub fn names(&self) -> Vec<&str> {
        self.entries.iter().map(|e| e.name.as_str()).collect()
    }

    /// Every theme, with the user's file it comes from.
    pub fn all(&self) -> impl Iterator<Item = (&Theme, Option<&Path>)> {
        self.entries.iter().map(|e| (e.theme(), e.from.as_deref()))
    }

    /// The theme of this name.
    pub fn get(&self, name: &str) -> Option<&Theme> {
        self.entries.iter().find(|e| e.name == name).map(Entry::theme)
    }

    /// The theme for a setting: a name, or `auto` with one for dark and one for light surroundings. A name that is none
    /// gives the shipped one of the right kind.
    pub fn choose(&self, theme: &str, dark: &str, light: &str, kind: Option<Kind>) -> Theme {
        let (name, fallback) = match kind {
            Some(Kind::Light) => (light, "light"),
            _ => (dark, "dark"),
        };
        let name = if theme == "auto" { name } else { theme };
        self.get(name).or_else(|| self.get(fallback)).cloned().unwrap_or_else(Theme::bare)
    }

    /// The name most like one that there isn't.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, &self.names())
    }
}

/// The theme files of a folder by name, so that the order is the same everywhere.
fn files(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|e| Some(e.ok()?.path()))
        .filter(|p| matches!(p.extension().and_then(|e| e.to_str()), Some("toml" | "yaml" | "yml")))
        .collect();
    paths.sort();
    paths
}

fn text_of(path: &Path) -> Result<String, Problem> {
    let problem = |what: String, hint: &str| Problem::new(path.display().to_string(), what, hint);
    let size = fs::metadata(path).map(|m| m.len()).unwrap_or_default();
    if size > LARGEST {
        return Err(problem("is too large for a theme".to_owned(), "move it out of the folder of themes"));
    }
    fs::read_to_string(path)
        .map_err(|e| problem(format!("can't be read: {e}"), "see its permissions and encoding"))
}

fn read(path: &Path, dir: &Path) -> (Option<Theme>, Vec<Problem>) {
    let text = match text_of(path) {
        Ok(text) => text,
        Err(problem) => return (None, vec![problem]),
    };
    let shown = path.display().to_string();
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned();
    if path.extension().is_some_and(|e| e != "toml") {
        return base16::read(&shown, &stem, &text);
    }
    let parent = |name: &str| {
        // A file that inherits its own name means the shipped theme that it replaces.
        let theirs = dir.join(format!("{name}.toml"));
        let plain = Path::new(name).components().count() == 1;
        let own = (plain && theirs != path).then(|| text_of(&theirs).ok()).flatten();
        own.or_else(|| shipped_text(name))
    };
    file::read(&shown, &stem, &text, &parent)
}

#[cfg(test)]
#[path = "library_tests.rs"]
mod tests;
