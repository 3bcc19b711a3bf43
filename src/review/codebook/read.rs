//! The codebook's file: TOML, with the line of every fault.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::edit::{is_id, is_key};
use super::{Change, Code, Codebook};
use crate::config::source::{Problem, Source, in_order};

const SETTINGS: [&str; 3] = ["version", "code", "change"];
const CODE: [&str; 5] = ["key", "id", "name", "definition", "example"];
const CHANGE: [&str; 3] = ["version", "was", "now"];
/// What a new codebook of one's own begins with.
const HEAD: &str = "# The codebook that notes refer to. Edit it in the program, so that renamed, merged and split codes are\n\
# remembered under [[change]]; a row keeps the version that it was coded under.\n\n";

/// Why a codebook could not be had.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file is there and cannot be read.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// The file has faults; the first of them is shown.
    #[error("{}", .0.first().map(ToString::to_string).unwrap_or_default())]
    Faults(Vec<Problem>),
}

/// The codebook of a file; the starter where there is none yet.
///
/// # Errors
/// The file cannot be read, or has faults.
pub fn load(path: &Path) -> Result<Codebook, LoadError> {
    match std::fs::read_to_string(path) {
        Ok(text) => parse(&path.display().to_string(), &text).map_err(LoadError::Faults),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Codebook::starter()),
        Err(e) => Err(LoadError::Io(path.display().to_string(), e)),
    }
}

/// Writes a codebook so that the file is at every moment the old one or the new one. Comments of one's own in the file
/// are not kept.
///
/// # Errors
/// The folder cannot be made or the file not written.
pub fn save(path: &Path, codebook: &Codebook) -> io::Result<()> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(codebook.to_toml().as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// Reads a codebook's text; `file` is its name in complaints.
///
/// # Errors
/// Everything that is wrong with it, in the order of its lines.
pub fn parse(file: &str, text: &str) -> Result<Codebook, Vec<Problem>> {
    let (mut source, table) = Source::parse(file, text);
    let mut book = Codebook { version: 0, ..Codebook::empty() };
    let mut ends = Vec::new();
    for (name, at, value) in in_order(&table) {
        match name {
            "version" => {
                let number = source.integer(name, value, 1..=i64::from(u32::MAX));
                // One that could not be read is complained of already.
                book.version = number.and_then(|n| u32::try_from(n).ok()).unwrap_or(u32::MAX);
            }
            "code" => each(&mut source, name, value, |source, table, at| code(source, table, at, &mut book)),
            "change" => each(&mut source, name, value, |source, table, at| {
                if let Some(change) = change(source, table, &at) {
                    ends.push((change, at));
                }
            }),
            _ => source.unknown(at, "setting", name, &SETTINGS),
        }
    }
    if book.version == 0 {
        source.complain_at(1, "the codebook has no version", "write version = 1");
    }
    for (change, at) in &ends {
        if change.version > book.version {
            let message =
                format!("a change of version {} in a codebook of version {}", change.version, book.version);
            source.complain(at.clone(), message, format!("write version = {} above", change.version));
        }
    }
    ends.sort_by_key(|(change, _)| change.version);
    book.changes = ends.into_iter().map(|(change, _)| change).collect();
    source.problems.sort_by_key(|p| p.line);
    if source.problems.is_empty() { Ok(book) } else { Err(source.problems) }
}

/// Calls `read` with each table of a list of tables.
fn each<'v, 'i>(
    source: &mut Source<'_>,
    name: &str,
    value: &'v Spanned<DeValue<'i>>,
    mut read: impl FnMut(&mut Source<'_>, &'v DeTable<'i>, Range<usize>),
) {
    let Some(items) = value.get_ref().as_array() else {
        let hint = format!("write each one under [[{name}]]");
        source.complain(value.span(), format!("{name} must be a list of tables"), hint);
        return;
    };
    for item in items {
        if let Some(table) = item.get_ref().as_table() {
            read(source, table, item.span());
        } else {
            let hint = format!("write each one under [[{name}]]");
            source.complain(item.span(), format!("a {name} must be a table"), hint);
        }
    }
}

fn code(source: &mut Source<'_>, table: &DeTable<'_>, at: Range<usize>, book: &mut Codebook) {
    let mut code = Code::default();
    let mut seen = Vec::new();
    for (name, at, value) in in_order(table) {
        seen.push(name);
        let example = CODE.iter().zip(["x", "bad-query", "bad query", "The query …", ""]);
        let example = example.filter(|(known, _)| **known == name).map(|(_, e)| e).next();
        let Some(example) = example else {
            source.unknown(at, "setting", name, &CODE);
            continue;
        };
        let Some(text) = source.string(&format!("code.{name}"), value, example) else { continue };
        // A colleague's codebook is no more to be trusted than their notes.
        let text = if matches!(name, "definition" | "example") {
            crate::text::sanitize(&text).into_owned()
        } else {
            crate::text::sanitize_line(&text).into_owned()
        };
        let at = value.span();
        match name {
            "key" => {
                let mut chars = text.chars();
                match (chars.next(), chars.next()) {
                    (Some(key), None) if is_key(key) => {
                        if let Some(other) = book.by_key(key) {
                            let message = format!("the key {key} already sets \"{}\"", other.id);
                            source.complain(at, message, "give one of them another key");
                        }
                        code.key = key;
                    }
                    _ => source.complain(
                        at,
                        format!("code.key must be one visible character, and is \"{text}\""),
                        "write key = \"x\"",
                    ),
                }
            }
            "id" => {
                if !is_id(&text) {
                    let message = format!("code.id \"{text}\" is not an id");
                    source.complain(at, message, "use lower-case letters, digits and -");
                } else if book.get(&text).is_some() {
                    let message = format!("there is a code \"{text}\" already");
                    source.complain(at, message, "give one of them another id");
                }
                code.id = text;
            }
            "name" => {
                if text.trim().is_empty() {
                    source.complain(at, "code.name is empty", "say in a few words what it is");
                }
                code.name = text;
            }
            "definition" => code.definition = text,
            _ => code.example = text,
        }
    }
    for need in ["key", "id", "name"] {
        if !seen.contains(&need) {
            let message = format!("a code without {need}");
            source.complain(at.clone(), message, format!("write {need} = \"…\" under this [[code]]"));
        }
    }
    book.codes.push(code);
}

fn change(source: &mut Source<'_>, table: &DeTable<'_>, at: &Range<usize>) -> Option<Change> {
    let mut change = Change::default();
    for (name, at, value) in in_order(table) {
        match name {
            "version" => {
                let number = source.integer("change.version", value, 2..=i64::from(u32::MAX));
                change.version = number.and_then(|n| u32::try_from(n).ok())?;
            }
            "was" | "now" => {
                let path = format!("change.{name}");
                let ids = source.strings(&path, value, "[\"bad-query\"]")?;
                let ids = ids.into_iter().map(|(id, _)| id).collect();
                if name == "was" {
                    change.was = ids;
                } else {
                    change.now = ids;
                }
            }
            _ => source.unknown(at, "setting", name, &CHANGE),
        }
    }
    if change.version == 0 || change.was.is_empty() {
        source.complain(
            at.clone(),
            "a change needs the version it led to and what was before",
            "write version = 2 and was = [\"old-id\"] under this [[change]]",
        );
        return None;
    }
    Some(change)
}

impl Codebook {
    /// The codebook as its file's text; [`parse`] reads the same from it.
    pub fn to_toml(&self) -> String {
        let mut out = format!("{HEAD}version = {}\n", self.version);
        for code in &self.codes {
            out.push_str("\n[[code]]\n");
            let key = code.key.to_string();
            let values = [&key, &code.id, &code.name, &code.definition, &code.example];
            for (name, value) in CODE.iter().zip(values) {
                let _ = writeln!(out, "{name} = {}", quoted(value));
            }
        }
        for change in &self.changes {
            let _ = writeln!(out, "\n[[change]]\nversion = {}", change.version);
            let list = |ids: &[String]| ids.iter().map(|id| quoted(id)).collect::<Vec<_>>().join(", ");
            let _ = writeln!(out, "was = [{}]\nnow = [{}]", list(&change.was), list(&change.now));
        }
        out
    }
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
