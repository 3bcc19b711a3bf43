use super::*;
use crate::theme::Role;
use ratatui::style::Color;

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(dir.path().join(name), text).unwrap();
    }
    dir
}

fn told(problems: &[Problem], dir: &Path) -> Vec<String> {
    let prefix = format!("{}/", dir.display());
    problems.iter().map(|p| p.to_string().replace(&prefix, "")).collect()
}

#[test]
fn an_heir_recolours_what_it_inherits() {
    let dir = folder(&[(
        "mine.toml",
        "inherits = \"dark\"\n[palette]\nred = \"#ff00ff\"\n[roles]\nright = { fg = \"red\", bold = true }\n",
    )]);
    let (themes, problems) = Themes::load(dir.path());
    assert_eq!(problems, []);
    let mine = themes.get("mine").unwrap();
    let dark = themes.get("dark").unwrap();
    assert_eq!(mine.style(Role::Wrong).fg, Some(Color::Rgb(255, 0, 255)));
    assert_eq!(mine.style(Role::Right).fg, Some(Color::Rgb(255, 0, 255)));
    assert_eq!(mine.style(Role::Corrected), dark.style(Role::Corrected));
    assert_eq!(mine.kind(), dark.kind());
}

#[test]
fn a_users_theme_may_replace_and_inherit_a_shipped_one() {
    let dir = folder(&[(
        "light.toml",
        "inherits = \"light\"\n[roles]\ntext = { fg = \"#000000\", bg = \"#fafafa\" }\n",
    )]);
    let (themes, problems) = Themes::load(dir.path());
    assert_eq!(problems, []);
    assert_eq!(themes.names().len(), SHIPPED.len());
    let (theme, from) = themes.all().find(|(t, _)| t.name() == "light").unwrap();
    assert_eq!(theme.style(Role::Text).bg, Some(Color::Rgb(250, 250, 250)));
    assert!(from.is_some());
}

#[test]
fn what_is_wrong_names_its_line_and_the_rest_holds() {
    let dir = folder(&[
        (
            "a.toml",
            "kind = \"darkish\"\ninherits = \"dark\"\ncolour = 1\n[palette]\nred = \"#ff00\"\n[roles]\nbrokn = \"red\"\nright = \"gren\"\nwrong = { fg = \"red\", blink = true }\nlink = 3\n",
        ),
        ("b.toml", "kind = \"dark\"\n[roles]\ntext = \"white\"\n"),
        ("c.toml", "kind = \"dark\"\n"),
        ("d.toml", "inherits = \"nowhere\"\nkind = \"dark\"\n[roles]\ntext = \"white\"\n"),
        ("e.toml", "inherits = \"f\"\n[roles]\ntext = \"white\"\n"),
        ("f.toml", "inherits = \"e\"\n[roles]\ntext = \"white\"\n"),
        ("g.toml", "name = \"d\"\ninherits = \"dark\"\n[roles]\ntext = \"white\"\n"),
        ("h.yml", "base00: zzz\n"),
        ("notes.txt", "not a theme"),
    ]);
    let (themes, problems) = Themes::load(dir.path());
    let told = told(&problems, dir.path());
    let expected = [
        "a.toml:1: unknown kind \"darkish\"; write dark or light",
        "a.toml:3: unknown setting \"colour\"; known: name, about, kind, inherits, palette, roles",
        "a.toml:5: palette.red: \"#ff00\" is no colour; write #rrggbb, a number up to 255, or a name such as red, bright-blue, default",
        "a.toml:7: unknown role \"brokn\"; did you mean \"broken\"?",
        "a.toml:9: unknown part of a style \"blink\"; known: fg, bg, bold, dim, italic, underline, reverse, strike",
        "a.toml:10: roles.link must be a colour or a style; write link = \"#d8dee6\" or link = { fg = \"#d8dee6\", bold = true }",
        "a.toml:8: roles.right: \"gren\" is no colour of the palette; did you mean \"green\"?",
    ];
    assert_eq!(&told[..expected.len()], expected);
    let rest = told[expected.len()..].join("\n");
    for part in [
        "b.toml:1: no colour for dim, heading,",
        "c.toml:1: no role has a colour; add a [roles] table, or inherits = \"dark\"",
        "d.toml:1: there is no theme \"nowhere\" to inherit; lookitup themes lists those that there are",
        "e.toml:1: inherits goes round in a circle; let one of the themes inherit nothing",
        "g.toml: there is another theme \"d\" in d.toml; give one of them another name",
        "h.yml:1: base00: \"zzz\" is no colour; write six hexadecimal digits",
    ] {
        assert!(rest.contains(part), "{part}\nis not in\n{rest}");
    }
    let a = themes.get("a").unwrap();
    assert_eq!(a.style(Role::Corrected), themes.get("dark").unwrap().style(Role::Corrected));
    assert!(themes.get("c").is_none());
}

#[test]
fn the_choice_follows_the_surroundings() {
    let themes = Themes::default();
    let name = |theme: &str, kind| themes.choose(theme, "dusk", "paper", kind).name().to_owned();
    assert_eq!(name("auto", None), "dusk");
    assert_eq!(name("auto", Some(Kind::Dark)), "dusk");
    assert_eq!(name("auto", Some(Kind::Light)), "paper");
    assert_eq!(name("mono", Some(Kind::Light)), "mono");
    assert_eq!(name("nothing", Some(Kind::Light)), "light");
    assert_eq!(themes.nearest("color-blind-dark"), Some("colour-blind-dark"));
}

#[test]
fn a_folder_that_is_not_there_holds_no_themes() {
    let dir = folder(&[]);
    let (themes, problems) = Themes::load(&dir.path().join("none"));
    assert_eq!((themes.names().len(), problems.len()), (SHIPPED.len(), 0));
}
