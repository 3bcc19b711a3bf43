//! Puts the settings together: defaults, then the file, the environment, the flags.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::paths::Paths;
use super::settings::{Kind, SETTINGS, Setting, Value, filter_fault, no_column, one_of, sort_fault};
use super::source::{Problem, Source, in_order};
use super::{Config, Overrides, View};
use crate::keymap::{self, Keymap};
use crate::theme::Themes;
use crate::view::Column;

/// Settings that are tables, beside those of [`SETTINGS`].
const TABLES: [&str; 2] = ["views", "keys"];

/// A variable of the environment by its name.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// Reads the settings of this user. Never fails: what is wrong is listed and keeps its default.
pub fn load(overrides: &Overrides) -> (Config, Vec<Problem>) {
    load_by(&|name| std::env::var_os(name), overrides)
}

/// The same from any environment.
///
/// The file is that of `--config`, else of `LOOKITUP_CONFIG` (empty: none is read), else the user's own, which need not
/// exist.
pub fn load_by(env: Env<'_>, overrides: &Overrides) -> (Config, Vec<Problem>) {
    let paths = Paths::of(env);
    let named = overrides.config.clone().or_else(|| env("LOOKITUP_CONFIG").map(PathBuf::from));
    let mut problems = Vec::new();
    let mut found = None;
    if let Some(file) = named.clone().or_else(|| paths.as_ref().map(Paths::config_file))
        && !file.as_os_str().is_empty()
    {
        let shown = file.display().to_string();
        match fs::read_to_string(&file) {
            Ok(text) => found = Some(read_with_origins(&shown, &text)),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound && named.is_none() => {}
            Err(e) => problems.push(Problem::new(
                shown,
                format!("can't be read: {e}"),
                "see the path and its permissions; the defaults hold until then",
            )),
        }
    }
    let (mut config, mut from) = match found {
        Some((config, faults, from)) => {
            problems = faults;
            (config, from)
        }
        None => (Config::default(), Origins::default()),
    };
    environment(env, &mut config, &mut from, &mut problems);
    flags(overrides, &mut config, &mut from);
    themes(paths.as_ref().map(Paths::themes).as_deref(), &mut config, &from, &mut problems);
    (config, problems)
}

/// Reads the text of a file of settings, whose name is only for the complaints. Names of themes are not looked up.
pub fn read(file: &str, text: &str) -> (Config, Vec<Problem>) {
    let (config, problems, _) = read_with_origins(file, text);
    (config, problems)
}

/// Where the names of themes were set, so that a wrong one can be complained of there.
#[derive(Debug, Default)]
struct Origins([Option<(String, usize)>; 3]);

const THEMES: [&str; 3] = ["theme", "theme-dark", "theme-light"];

impl Origins {
    fn note(&mut self, setting: &str, file: &str, line: usize) {
        for (name, slot) in THEMES.iter().zip(&mut self.0) {
            if *name == setting {
                *slot = Some((file.to_owned(), line));
            }
        }
    }
}

fn read_with_origins(file: &str, text: &str) -> (Config, Vec<Problem>, Origins) {
    let (mut source, table) = Source::parse(file, text);
    let mut config = Config::default();
    let mut from = Origins::default();
    for (name, at, value) in in_order(&table) {
        if let Some(setting) = SETTINGS.iter().find(|s| s.name == name) {
            if let Some(value) = value_of(&mut source, setting, value) {
                (setting.set)(&mut config, value);
                from.note(name, file, source.line(at.start));
            }
            continue;
        }
        match name {
            "views" => config.views = views(&mut source, value),
            "keys" => {
                if let Some(tables) = source.table(name, value) {
                    let changes = keymap::read(&mut source, name, tables);
                    config.keymap = Keymap::with(&changes, &mut source);
                }
            }
            _ => {
                let known: Vec<&str> = SETTINGS.iter().map(|s| s.name).chain(TABLES).collect();
                source.unknown(at, "setting", name, &known);
            }
        }
    }
    source.problems.sort_by_key(|p| p.line);
    (config, source.problems, from)
}

fn value_of(source: &mut Source<'_>, setting: &Setting, value: &Spanned<DeValue<'_>>) -> Option<Value> {
    let name = setting.name;
    match setting.kind {
        Kind::Text => source.string(name, value, setting.default.trim_matches('"')).map(Value::Text),
        Kind::Sort => {
            let text = source.string(name, value, "transition,-conf")?;
            let Some((message, hint)) = sort_fault(&text) else { return Some(Value::Text(text)) };
            source.complain(value.span(), format!("{name}: {message}"), hint);
            None
        }
        Kind::Bool => source.boolean(name, value).map(Value::Bool),
        Kind::Int(low, high) => source.integer(name, value, low..=high).map(Value::Int),
        Kind::Word(words) => {
            // `colours = 256` says what it means.
            let number = value.get_ref().as_integer().map(ToString::to_string);
            let word = match number.filter(|_| words.iter().any(|w| w.parse::<i64>().is_ok())) {
                Some(word) => word,
                None => source.string(name, value, words.first().copied().unwrap_or_default())?,
            };
            if words.contains(&word.as_str()) {
                return Some(Value::Text(word));
            }
            source.complain(value.span(), format!("{name} can't be \"{word}\""), one_of(&word, words));
            None
        }
        Kind::Columns => {
            let mut columns: Vec<(Column, Option<u16>)> = Vec::new();
            for (word, line) in source.strings(name, value, "[\"id\", \"question\"]")? {
                match Column::parse_sized(&word) {
                    Some((column, _)) if columns.iter().any(|&(c, _)| c == column) => source.complain_at(
                        line,
                        format!("columns has \"{word}\" twice"),
                        "remove one of them",
                    ),
                    Some(column) => columns.push(column),
                    None => source.complain_at(line, format!("unknown column \"{word}\""), no_column(&word)),
                }
            }
            Some(Value::Columns(columns))
        }
    }
}

fn views(source: &mut Source<'_>, value: &Spanned<DeValue<'_>>) -> Vec<View> {
    let mut views: Vec<View> = Vec::new();
    let Some(items) = value.get_ref().as_array() else {
        source.complain(value.span(), "views must be a list of tables", "write each of them under [[views]]");
        return views;
    };
    for item in items {
        let Some(table) = source.table("views", item) else { continue };
        let Some(view) = view(source, item, table) else { continue };
        if views.iter().any(|v| v.name == view.name) {
            source.complain(
                item.span(),
                format!("there are two views \"{}\"", view.name),
                "give this one another name",
            );
            continue;
        }
        views.push(view);
    }
    views
}

fn view(source: &mut Source<'_>, item: &Spanned<DeValue<'_>>, table: &DeTable<'_>) -> Option<View> {
    let mut view = View::default();
    let mut sound = true;
    for (key, at, value) in in_order(table) {
        let path = format!("views.{key}");
        match key {
            "name" => view.name = source.string(&path, value, "harmful").unwrap_or_default(),
            "filter" => {
                view.filter = source.string(&path, value, "transition:broken").unwrap_or_default();
                if let Some((message, hint)) = filter_fault(&view.filter) {
                    source.complain(value.span(), format!("{path}: {message}"), hint);
                    sound = false;
                }
            }
            "sort" => {
                view.sort = source.string(&path, value, "-conf");
                if let Some((message, hint)) = view.sort.as_deref().and_then(sort_fault) {
                    source.complain(value.span(), format!("{path}: {message}"), hint);
                    view.sort = None;
                }
            }
            _ => source.unknown(at, "part of a view", key, &["name", "filter", "sort"]),
        }
    }
    if view.name.trim().is_empty() {
        source.complain(item.span(), "a view has no name", "write name = \"harmful\"");
        return None;
    }
    // A view with half a filter would show what nobody asked for.
    sound.then_some(view)
}

fn environment(env: Env<'_>, config: &mut Config, from: &mut Origins, problems: &mut Vec<Problem>) {
    for setting in SETTINGS {
        let variable = setting.variable();
        let Some(text) = env(&variable) else { continue };
        let Some(text) = text.to_str() else {
            problems.push(Problem::new(variable, "is not UTF-8", "the file's value holds until then"));
            continue;
        };
        if text.is_empty() {
            continue;
        }
        match setting.parse(text) {
            Ok(value) => {
                (setting.set)(config, value);
                from.note(setting.name, &variable, 0);
            }
            Err(hint) => problems.push(Problem::new(variable, format!("can't be \"{text}\""), hint)),
        }
    }
}

fn flags(overrides: &Overrides, config: &mut Config, from: &mut Origins) {
    let Overrides { config: _, theme, scorer, errors, columns, sort, mouse, state } = overrides;
    if let Some(theme) = theme {
        config.theme.clone_from(theme);
        from.note("theme", "--theme", 0);
    }
    config.scorer = scorer.unwrap_or(config.scorer);
    config.errors = errors.unwrap_or(config.errors);
    config.mouse = mouse.unwrap_or(config.mouse);
    config.state = state.unwrap_or(config.state);
    if let Some(columns) = columns {
        config.columns.clone_from(columns);
    }
    if let Some(sort) = sort {
        config.sort.clone_from(sort);
    }
}

/// Names of themes that there are not go back to their defaults. The user's folder is only read for a name that is not
/// shipped.
fn themes(dir: Option<&Path>, config: &mut Config, from: &Origins, problems: &mut Vec<Problem>) {
    let mut themes: Option<Themes> = None;
    let settings =
        [(&mut config.theme, "auto"), (&mut config.theme_dark, "dark"), (&mut config.theme_light, "light")];
    for (((name, default), from), setting) in settings.into_iter().zip(&from.0).zip(THEMES) {
        if (setting == "theme" && name == "auto")
            || crate::theme::SHIPPED.iter().any(|(known, _)| known == name)
        {
            continue;
        }
        let themes =
            themes.get_or_insert_with(|| dir.map_or_else(Themes::default, |dir| Themes::load(dir).0));
        if themes.get(name).is_some() {
            continue;
        }
        let (file, line) = from.clone().unwrap_or_default();
        let hint = match themes.nearest(name) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("there are: {}", themes.names().join(", ")),
        };
        let message = format!("{setting}: there is no theme \"{name}\"");
        problems.push(Problem { file, line, message, hint });
        default.clone_into(name);
    }
}
