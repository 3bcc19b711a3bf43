//! Reads theme files: a palette of named colours, and roles that name them.

use std::collections::BTreeMap;
use std::ops::Range;

use ratatui::style::{Color, Modifier, Style};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Kind, Role, Theme, color};
use crate::config::source::{Problem, Source, in_order};

const SETTINGS: [&str; 6] = ["name", "about", "kind", "inherits", "palette", "roles"];
const STYLE: [&str; 8] = ["fg", "bg", "bold", "dim", "italic", "underline", "reverse", "strike"];
/// Parents of parents; more is taken for a circle.
const GENERATIONS: usize = 8;

/// A file as written: colours still by name, so that an heir's palette recolours what it inherits.
#[derive(Debug, Clone, Default)]
struct Raw {
    name: Option<String>,
    about: Option<String>,
    kind: Option<Kind>,
    inherits: Option<(String, Range<usize>)>,
    palette: BTreeMap<String, Color>,
    roles: BTreeMap<Role, RawStyle>,
}

#[derive(Debug, Clone, Default)]
struct RawStyle {
    fg: Option<Named>,
    bg: Option<Named>,
    on: Modifier,
}

/// A colour's name and the line it was written on.
#[derive(Debug, Clone)]
struct Named {
    text: String,
    line: usize,
}

/// Reads a theme. `fallback` names one whose file doesn't; `parent` finds the text that `inherits` asks for.
///
/// What is wrong is listed; a theme comes out all the same unless the file has no role that could be read.
pub(super) fn read(
    file: &str,
    fallback: &str,
    text: &str,
    parent: &dyn Fn(&str) -> Option<String>,
) -> (Option<Theme>, Vec<Problem>) {
    let (mut source, table) = Source::parse(file, text);
    let mut raw = raw(&mut source, &table);
    let whole = raw.inherits.is_none();
    let mut next = raw.inherits.clone();
    let mut seen = vec![fallback.to_owned()];
    while let Some((name, at)) = next {
        let text = parent(&name);
        let circle = seen.len() > GENERATIONS || (text.is_none() && seen.contains(&name));
        if circle {
            source.complain(at, "inherits goes round in a circle", "let one of the themes inherit nothing");
            break;
        }
        let Some(text) = text else {
            source.complain(
                at,
                format!("there is no theme \"{name}\" to inherit"),
                "lookitup themes lists those that there are",
            );
            break;
        };
        seen.push(name.clone());
        // A parent's own mistakes are reported where it is read for itself.
        let (mut theirs, table) = Source::parse(&name, &text);
        let older = self::raw(&mut theirs, &table);
        next = older.inherits.as_ref().map(|(name, _)| (name.clone(), at));
        raw.palette = older.palette.into_iter().chain(raw.palette).collect();
        raw.roles = older.roles.into_iter().chain(raw.roles).collect();
        raw.kind = raw.kind.or(older.kind);
    }
    let theme = resolve(&mut source, &raw, fallback, whole);
    (theme, source.problems)
}

fn raw(source: &mut Source<'_>, table: &DeTable<'_>) -> Raw {
    let mut raw = Raw::default();
    for (name, at, value) in in_order(table) {
        match name {
            "name" => raw.name = source.string(name, value, "dusk"),
            "about" => raw.about = source.string(name, value, "warm and dark"),
            "inherits" => raw.inherits = source.string(name, value, "dark").map(|s| (s, value.span())),
            "kind" => {
                if let Some(word) = source.string(name, value, "dark") {
                    raw.kind = Kind::parse(&word);
                    if raw.kind.is_none() {
                        source.complain(
                            value.span(),
                            format!("unknown kind \"{word}\""),
                            "write dark or light",
                        );
                    }
                }
            }
            "palette" => {
                let Some(entries) = source.table(name, value) else { continue };
                for (name, _, value) in in_order(entries) {
                    let Some(text) = source.string(&format!("palette.{name}"), value, "#d8dee6") else {
                        continue;
                    };
                    match color::parse(&text) {
                        Some(color) => {
                            raw.palette.insert(name.to_owned(), color);
                        }
                        None => no_color(source, value.span(), &format!("palette.{name}"), &text),
                    }
                }
            }
            "roles" => {
                let Some(entries) = source.table(name, value) else { continue };
                roles(source, entries, &mut raw);
            }
            _ => source.unknown(at, "setting", name, &SETTINGS),
        }
    }
    raw
}

fn roles(source: &mut Source<'_>, entries: &DeTable<'_>, raw: &mut Raw) {
    let ids: Vec<&str> = Role::ALL.iter().map(|r| r.id()).collect();
    for (id, at, value) in in_order(entries) {
        let Some(role) = Role::parse(id) else {
            source.unknown(at, "role", id, &ids);
            continue;
        };
        let path = format!("roles.{id}");
        let mut style = RawStyle::default();
        match value.get_ref() {
            DeValue::String(_) => style.fg = named(source, &path, value),
            DeValue::Table(table) => {
                for (key, at, value) in in_order(table) {
                    let path = format!("{path}.{key}");
                    let modifier = match key {
                        "fg" => {
                            style.fg = named(source, &path, value);
                            continue;
                        }
                        "bg" => {
                            style.bg = named(source, &path, value);
                            continue;
                        }
                        "bold" => Modifier::BOLD,
                        "dim" => Modifier::DIM,
                        "italic" => Modifier::ITALIC,
                        "underline" => Modifier::UNDERLINED,
                        "reverse" => Modifier::REVERSED,
                        "strike" => Modifier::CROSSED_OUT,
                        _ => {
                            source.unknown(at, "part of a style", key, &STYLE);
                            continue;
                        }
                    };
                    if source.boolean(&path, value) == Some(true) {
                        style.on |= modifier;
                    }
                }
            }
            _ => source.complain(
                value.span(),
                format!("{path} must be a colour or a style"),
                format!("write {id} = \"#d8dee6\" or {id} = {{ fg = \"#d8dee6\", bold = true }}"),
            ),
        }
        raw.roles.insert(role, style);
    }
}

fn named(source: &mut Source<'_>, path: &str, value: &Spanned<DeValue<'_>>) -> Option<Named> {
    let line = source.line(value.span().start);
    source.string(path, value, "#d8dee6").map(|text| Named { text, line })
}

fn no_color(source: &mut Source<'_>, at: Range<usize>, path: &str, text: &str) {
    source.complain(
        at,
        format!("{path}: \"{text}\" is no colour"),
        "write #rrggbb, a number up to 255, or a name such as red, bright-blue, default",
    );
}

fn resolve(source: &mut Source<'_>, raw: &Raw, fallback: &str, whole: bool) -> Option<Theme> {
    if raw.roles.is_empty() {
        source.complain_at(1, "no role has a colour", "add a [roles] table, or inherits = \"dark\"");
        return None;
    }
    let name = raw.name.as_deref().unwrap_or(fallback);
    let mut theme =
        Theme::new(name, raw.about.as_deref().unwrap_or_default(), raw.kind.unwrap_or(Kind::Dark));
    if raw.kind.is_none() {
        source.complain_at(1, "kind is missing", "write kind = \"dark\" or kind = \"light\"");
    }
    let missing: Vec<&str> =
        Role::ALL.iter().filter(|r| !raw.roles.contains_key(r)).map(|r| r.id()).collect();
    if whole && !missing.is_empty() {
        source.complain_at(
            1,
            format!("no colour for {}", missing.join(", ")),
            "add them, or take them from another theme with inherits = \"dark\"",
        );
    }
    for (role, style) in &raw.roles {
        let fg = look_up(source, raw, style.fg.as_ref(), *role);
        let bg = look_up(source, raw, style.bg.as_ref(), *role);
        theme.set(*role, Style { fg, bg, ..Style::new().add_modifier(style.on) });
    }
    Some(theme)
}

fn look_up(source: &mut Source<'_>, raw: &Raw, name: Option<&Named>, role: Role) -> Option<Color> {
    let Named { text, line } = name?;
    if let Some(color) = raw.palette.get(text).copied().or_else(|| color::parse(text)) {
        return Some(color);
    }
    let mut known: Vec<&str> = raw.palette.keys().map(String::as_str).collect();
    known.extend(color::names().map(|name| -> &str { name }));
    let hint = match crate::config::source::nearest(text, &known) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => "give it a colour under [palette], or write #rrggbb".to_owned(),
    };
    source.complain_at(*line, format!("roles.{role}: \"{text}\" is no colour of the palette"), hint);
    None
}
