//! The configuration: what is wrong is named with its line, and never stops the program.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use lookitup::config::{self, Config, ConfigError, Overrides};
use lookitup::keymap::{Action, Context};
use lookitup::record::Scorer;
use serde_json::Value;

use super::common::{files_below, root};
use super::schemas::validator;

fn shown(problems: &[ConfigError]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

fn env<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
    move |name| pairs.iter().find(|(k, _)| *k == name).map(|(_, v)| OsString::from(v))
}

#[test]
fn broken_files_say_what_is_wrong_and_where() {
    let folder = root().join("tests/fixtures/config");
    let files = files_below(&folder, ".toml");
    assert!(!files.is_empty());
    let mut told = String::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let (config, problems) = config::read(&name, &text);
        assert!(!problems.is_empty(), "{name} has nothing wrong");
        for p in &problems {
            assert!(p.line > 0 && !p.hint.is_empty(), "{p}");
        }
        let quit = config.keymap.hint(Context::Global, Action::Quit);
        assert!(quit.is_some(), "{name}: no key leaves the program");
        told.push_str(&shown(&problems).join("\n"));
        told.push_str("\n\n");
    }
    insta::assert_snapshot!(told.trim_end());
}

#[test]
fn the_good_lines_of_a_broken_file_hold() {
    let text = fs::read_to_string(root().join("tests/fixtures/config/syntax.toml")).unwrap();
    let (config, problems) = config::read("syntax.toml", &text);
    assert_eq!((config.theme.as_str(), config.scorer), ("dusk", Scorer::Strict), "{problems:?}");
    let text = fs::read_to_string(root().join("tests/fixtures/config/views.toml")).unwrap();
    let (config, _) = config::read("views.toml", &text);
    let names: Vec<&str> = config.views.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["harmful", "third"]);
    let text = fs::read_to_string(root().join("tests/fixtures/config/columns.toml")).unwrap();
    let (config, _) = config::read("columns.toml", &text);
    let ids: Vec<&str> = config.columns.iter().map(|c| c.id()).collect();
    assert_eq!(ids, ["id", "conf"]);
    assert_eq!(config.widths, [(lookitup::view::Column::Conf, 12)]);
}

#[test]
fn the_example_changes_nothing_and_neither_do_its_lines() {
    let example = config::example();
    assert_eq!(config::read("example", &example), (Config::default(), vec![]));
    // A comment of one word and an equals sign, or a table's head, is a setting; the other comments are prose.
    let (config, problems) = config::read("example", &uncommented(&example));
    assert_eq!(shown(&problems), Vec::<String>::new());
    assert_eq!(config.views.len(), 1);
    for context in Context::ALL {
        for action in Action::ALL {
            let mut theirs = config.keymap.keys(context, *action);
            let mut ours = Config::default().keymap.keys(context, *action);
            theirs.sort();
            ours.sort();
            assert_eq!(theirs, ours, "{context} {action}");
        }
    }
    let config = Config { views: vec![], keymap: Config::default().keymap, ..config };
    assert_eq!(config, Config::default());
}

fn uncommented(example: &str) -> String {
    let is_setting = |l: &str| {
        l.starts_with('[') || l.split_once(" = ").is_some_and(|(name, _)| !name.contains([' ', ':', '.']))
    };
    let lines = example.lines().map(|l| l.strip_prefix("# ").filter(|l| is_setting(l)).unwrap_or(l));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_schema_accepts_the_example_and_refuses_broken_files() {
    let schema = validator("config");
    let json = |text: &str| serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    let example = json(&uncommented(&config::example()));
    let faults: Vec<String> =
        schema.iter_errors(&example).map(|e| format!("{}: {e}", e.instance_path)).collect();
    assert_eq!(faults, Vec::<String>::new());
    assert!(schema.is_valid(&json("")));
    // A schema can't see these: keys that clash, what is no TOML at all, what another language says.
    let beyond = ["syntax", "twice", "keys-conflict", "keys-no-way-out", "filters"];
    for file in files_below(&root().join("tests/fixtures/config"), ".toml") {
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        if !beyond.contains(&name.as_str()) {
            assert!(!schema.is_valid(&json(&fs::read_to_string(&file).unwrap())), "{name}");
        }
    }
}

#[test]
fn the_schema_of_the_configuration_is_made_from_the_settings() {
    is_committed("data/schema/config.schema.json", &pretty(&schema()));
}

fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap() + "\n"
}

/// Compares a committed file with what it is made from; writes it instead when `UPDATE_COMMITTED` is set.
pub(crate) fn is_committed(path: &str, text: &str) {
    let file = root().join(path);
    if std::env::var_os("UPDATE_COMMITTED").is_some() {
        fs::write(&file, text).unwrap();
        return;
    }
    let committed = fs::read_to_string(&file).unwrap_or_default();
    assert!(committed == text, "{path} is behind: run the tests once with UPDATE_COMMITTED=1 and commit it");
}

fn schema() -> Value {
    use lookitup::config::{Kind, SETTINGS};
    use serde_json::json;
    let mut properties = serde_json::Map::new();
    for s in SETTINGS {
        let mut property = match s.kind {
            Kind::Text | Kind::Sort => json!({"type": "string"}),
            Kind::Bool => json!({"type": "boolean"}),
            Kind::Int(low, high) => json!({"type": "integer", "minimum": low, "maximum": high}),
            Kind::Word(words) => {
                let mut allowed: Vec<Value> = words.iter().map(|w| json!(w)).collect();
                allowed.extend(words.iter().filter_map(|w| w.parse::<u16>().ok()).map(|n| json!(n)));
                json!({"enum": allowed})
            }
            Kind::Columns => {
                let ids: Vec<&str> = lookitup::view::Column::ALL.iter().map(|c| c.id()).collect();
                let sized = format!("^({}):[0-9]{{1,3}}$", ids.join("|").replace('.', "\\."));
                let items = json!({"anyOf": [{"enum": ids}, {"type": "string", "pattern": sized}]});
                json!({"type": "array", "items": items, "uniqueItems": true})
            }
        };
        property["description"] = json!(s.help);
        let default: toml::Table = toml::from_str(&format!("x = {}", s.default)).unwrap();
        property["default"] = serde_json::to_value(&default["x"]).unwrap();
        properties.insert(s.name.into(), property);
    }
    properties.insert(
        "views".into(),
        json!({
            "type": "array",
            "description": "Filters with a name, and an order if you like",
            "items": {
                "type": "object",
                "properties": {
                    "name": {"type": "string", "minLength": 1},
                    "filter": {"type": "string"},
                    "sort": {"type": "string"}
                },
                "required": ["name"],
                "additionalProperties": false
            }
        }),
    );
    let mut contexts = serde_json::Map::new();
    for context in Context::ALL {
        let keys = if context.takes_text() { "typing-keys" } else { "keys" };
        let mut actions = serde_json::Map::new();
        for action in Action::ALL {
            actions.insert(
                action.id().into(),
                json!({"description": action.help(), "$ref": format!("#/$defs/{keys}")}),
            );
        }
        contexts.insert(
            context.id().into(),
            json!({
                "type": "object", "description": format!("Keys {}", context.help()),
                "properties": actions, "additionalProperties": false
            }),
        );
    }
    properties.insert(
        "keys".into(),
        json!({"type": "object", "properties": contexts, "additionalProperties": false}),
    );
    let names = "enter|esc|tab|space|backspace|delete|insert|up|down|left|right|home|end|page-up|page-down|f[0-9]{1,2}";
    let key = format!("((ctrl|alt|shift)-)*({names}|\\S)");
    let held =
        format!("((ctrl|alt)-((ctrl|alt|shift)-)*\\S|{names}|shift-({names})|((ctrl|alt|shift)-)+({names}))")
            .replacen("space|", "", 2);
    let list = |one: &str| {
        json!({
            "description": "Keys, or sequences of keys: these instead of the defaults; with + before each, these as well; [] or \"none\" takes all away",
            "oneOf": [
                {"type": "string", "pattern": format!("^(none|\\+?{one}( {key})*)$")},
                {"type": "array", "items": {"type": "string", "pattern": format!("^{one}( {key})*$")}},
                {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": format!("^\\+{one}( {key})*$")}}
            ]
        })
    };
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "lookitup: settings",
        "description": "config.toml of lookitup. Every setting is optional.",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "$defs": {"keys": list(&key), "typing-keys": list(&held)}
    })
}

#[test]
fn the_environment_wins_over_the_file_and_flags_over_both() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("config");
    fs::create_dir_all(&dir).unwrap();
    fs::write(
        dir.join("config.toml"),
        "theme = \"dusk\"\nscorer = \"strict\"\nmouse = false\nlist-width = 40\n",
    )
    .unwrap();
    let home = home.path().to_str().unwrap().to_owned();
    let pairs = [
        ("LOOKITUP_HOME", home.as_str()),
        ("LOOKITUP_THEME", "paper"),
        ("LOOKITUP_MOUSE", "on"),
        ("LOOKITUP_COLUMNS", "id, answer.with"),
        ("LOOKITUP_SORT", ""),
    ];
    let flags = Overrides { theme: Some("mono".into()), ..Overrides::default() };
    let (config, problems) = config::load_by(&env(&pairs), &flags);
    assert_eq!(shown(&problems), Vec::<String>::new());
    assert_eq!((config.theme.as_str(), config.scorer), ("mono", Scorer::Strict));
    assert!(config.mouse);
    assert_eq!((config.list_width, config.columns.len()), (40, 2));
    let (config, _) = config::load_by(&env(&pairs), &Overrides::default());
    assert_eq!(config.theme, "paper");
}

#[test]
fn what_is_wrong_in_the_environment_names_the_variable() {
    let home = tempfile::tempdir().unwrap();
    let pairs = [
        ("LOOKITUP_HOME", home.path().to_str().unwrap()),
        ("LOOKITUP_SCORER", "exact"),
        ("LOOKITUP_SORT", "-cnof"),
        ("LOOKITUP_WRAP", "maybe"),
        ("LOOKITUP_LIST_WIDTH", "5"),
        ("LOOKITUP_COLUMNS", "id,cnof"),
        ("LOOKITUP_THEME", "drak"),
    ];
    let (config, problems) = config::load_by(&env(&pairs), &Overrides::default());
    assert_eq!(
        shown(&problems),
        [
            "LOOKITUP_SCORER: can't be \"exact\"; write one of: recorded, strict, normalized, contains",
            "LOOKITUP_COLUMNS: can't be \"id,cnof\"; did you mean \"conf\"?",
            "LOOKITUP_SORT: can't be \"-cnof\"; rows cannot be sorted by \"cnof\", did you mean conf or dconf?",
            "LOOKITUP_LIST_WIDTH: can't be \"5\"; write a whole number from 20 to 80",
            "LOOKITUP_WRAP: can't be \"maybe\"; write true or false",
            "LOOKITUP_THEME: theme: there is no theme \"drak\"; did you mean \"dark\"?",
        ]
    );
    assert_eq!(config, Config::default());
}

#[test]
fn a_file_that_was_named_must_be_there_and_another_need_not() {
    let home = tempfile::tempdir().unwrap();
    let missing = home.path().join("nowhere.toml");
    let (home, missing) = (home.path().to_str().unwrap(), missing.to_str().unwrap());
    let told = |pairs: &[(&str, &str)], flags: &Overrides| shown(&config::load_by(&env(pairs), flags).1);
    assert_eq!(told(&[("LOOKITUP_HOME", home)], &Overrides::default()), Vec::<String>::new());
    let expected = format!("{missing}: can't be read: ");
    let by_variable = told(&[("LOOKITUP_HOME", home), ("LOOKITUP_CONFIG", missing)], &Overrides::default());
    assert!(by_variable.len() == 1 && by_variable[0].starts_with(&expected), "{by_variable:?}");
    let flags = Overrides { config: Some(missing.into()), ..Overrides::default() };
    assert_eq!(told(&[("LOOKITUP_HOME", home)], &flags), by_variable);
    // Named as nothing: no file is read.
    fs::create_dir_all(Path::new(home).join("config")).unwrap();
    fs::write(Path::new(home).join("config/config.toml"), "nonsense = 1\n").unwrap();
    assert_eq!(told(&[("LOOKITUP_HOME", home)], &Overrides::default()).len(), 1);
    assert_eq!(
        told(&[("LOOKITUP_HOME", home), ("LOOKITUP_CONFIG", "")], &Overrides::default()),
        Vec::<String>::new()
    );
}

#[test]
fn themes_are_looked_up_among_the_users_own() {
    let home = tempfile::tempdir().unwrap();
    let themes = home.path().join("config/themes");
    fs::create_dir_all(&themes).unwrap();
    fs::write(themes.join("mine.toml"), "inherits = \"dark\"\n[roles]\nlink = \"#aabbcc\"\n").unwrap();
    let file = home.path().join("config/config.toml");
    fs::write(&file, "theme = \"mine\"\n\ntheme-light = \"papre\"\n").unwrap();
    let (config, problems) =
        config::load_by(&env(&[("LOOKITUP_HOME", home.path().to_str().unwrap())]), &Overrides::default());
    assert_eq!(config.theme, "mine");
    assert_eq!(config.theme_light, "light");
    let expected =
        format!("{}:3: theme-light: there is no theme \"papre\"; did you mean \"paper\"?", file.display());
    assert_eq!(shown(&problems), [expected]);
}

#[test]
fn every_place_is_below_the_home_that_was_named() {
    let paths = config::Paths::of(&env(&[("LOOKITUP_HOME", "/h")])).unwrap();
    assert_eq!(paths.config_file(), Path::new("/h/config/config.toml"));
    assert_eq!(paths.themes(), Path::new("/h/config/themes"));
    assert_eq!((paths.state.as_path(), paths.data.as_path()), (Path::new("/h/state"), Path::new("/h/data")));
}

proptest::proptest! {
    #[test]
    fn no_text_stops_the_program(text in "([a-z-]{1,8}( = |=)?|\\[\\[?|\\]\\]?|\"|\\{|\\}|\n|[0-9]{1,4}|,|#|\\PC|theme|views|keys|global|down|columns|\r\n){0,60}") {
        let (config, problems) = config::read("any.toml", &text);
        let lines = text.lines().count().max(1) + 1;
        proptest::prop_assert!(problems.iter().all(|p| (1..=lines).contains(&p.line)), "{problems:?}");
        proptest::prop_assert!(config.keymap.hint(Context::Global, Action::Quit).is_some());
        proptest::prop_assert!(!config.columns.is_empty());
    }
}

#[test]
fn a_byte_order_mark_and_other_line_ends_are_no_fault() {
    let (config, problems) =
        config::read("c.toml", "\u{feff}theme = \"dusk\"\r\n\r\nscorer = \"strict\"\r\nx = 1\r\n");
    assert_eq!((config.theme.as_str(), config.scorer), ("dusk", Scorer::Strict));
    assert_eq!(problems.iter().map(|p| p.line).collect::<Vec<_>>(), [4]);
}

#[test]
fn every_word_of_a_setting_makes_a_difference() {
    use lookitup::config::{Kind, SETTINGS};
    for s in SETTINGS {
        let Kind::Word(words) = s.kind else { continue };
        let mut seen: Vec<Config> = Vec::new();
        for word in words {
            let (config, problems) = config::read("c.toml", &format!("{} = \"{word}\"", s.name));
            assert_eq!(problems, [], "{} {word}", s.name);
            assert!(!seen.contains(&config), "{} = {word} is like another word", s.name);
            seen.push(config);
        }
        assert!(seen.contains(&Config::default()), "{}", s.name);
    }
}
