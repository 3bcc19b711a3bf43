//! The shipped themes: whole, readable at every depth of colour, and told apart without hue.

use std::collections::BTreeSet;
use std::fs;

use lookitup::theme::{Depth, Ground, Kind, Role, SHIPPED, Theme, Themes, color, contrast, shipped};
use ratatui::style::{Color, Modifier, Style};
use serde_json::{Value, json};

use super::common::{files_below, root};
use super::config::is_committed;
use super::schemas::validator;

/// What WCAG 2.2 asks of text (1.4.3), of text in the themes of high contrast (1.4.6), and of lines that mean something
/// (1.4.11).
const TEXT: f64 = 4.5;
const HIGH: f64 = 7.0;
const SHAPE: f64 = 3.0;

fn all() -> Vec<Theme> {
    SHIPPED.iter().map(|(name, _)| shipped(name).unwrap()).collect()
}

/// The themes that bring their own colours; the others leave them to the terminal.
fn coloured() -> Vec<Theme> {
    all().into_iter().filter(|t| !["sixteen", "mono"].contains(&t.name())).collect()
}

fn least(theme: &Theme) -> f64 {
    if theme.name().starts_with("high-contrast") { HIGH } else { TEXT }
}

fn rgb(color: Option<Color>) -> color::Rgb {
    color::rgb(color.unwrap()).unwrap()
}

#[test]
fn shipped_themes_are_whole_and_have_no_fault() {
    // Read again as a user's, where faults are told.
    let dir = tempfile::tempdir().unwrap();
    let names: BTreeSet<&str> = SHIPPED.iter().map(|(name, _)| *name).collect();
    for (name, text) in SHIPPED {
        fs::write(dir.path().join(format!("{name}.toml")), text).unwrap();
    }
    let (themes, problems) = Themes::load(dir.path());
    assert_eq!(problems, []);
    assert_eq!(themes.names().into_iter().collect::<BTreeSet<_>>(), names);
    assert!(names.len() >= 8);
    let files: BTreeSet<String> = files_below(&root().join("themes"), ".toml")
        .iter()
        .map(|f| f.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert_eq!(files, names.iter().map(ToString::to_string).collect());
    for theme in all() {
        assert!(!theme.about().is_empty(), "{}", theme.name());
    }
    for kind in [Kind::Dark, Kind::Light] {
        assert_eq!(shipped(kind.name()).unwrap().kind(), kind);
        assert_eq!(coloured().iter().filter(|t| t.kind() == kind).count(), coloured().len() / 2);
    }
}

#[test]
fn text_is_readable_on_every_ground_it_meets() {
    for theme in coloured() {
        assert_eq!(theme.weak(least(&theme)), [], "{}", theme.name());
        let measured = Role::ALL.iter().filter(|r| theme.contrast(**r).is_some()).count();
        let shapes = Role::ALL.iter().filter(|r| r.ground() == Ground::Shape).count();
        assert_eq!(measured + shapes, Role::ALL.len(), "{}: every text was measured", theme.name());
    }
}

#[test]
fn with_256_colours_text_stays_readable() {
    for theme in coloured() {
        let theme = theme.at(Depth::Indexed);
        assert_eq!(theme.weak(least(&theme)), [], "{}", theme.name());
        for role in Role::ALL {
            for color in [theme.style(*role).fg, theme.style(*role).bg].into_iter().flatten() {
                assert!(matches!(color, Color::Indexed(16..)), "{} {role} {color:?}", theme.name());
            }
        }
    }
}

#[test]
fn lines_and_bars_that_mean_something_are_seen() {
    for depth in [Depth::True, Depth::Indexed] {
        for theme in coloured().iter().map(|t| t.at(depth)) {
            let ground = rgb(theme.style(Role::Text).bg);
            for role in [Role::BorderFocus, Role::Bar] {
                let has = contrast(rgb(theme.style(role).fg), ground);
                assert!(has >= SHAPE, "{} {role} {has:.2}", theme.name());
            }
            let (border, track) = (theme.style(Role::Border).fg, theme.style(Role::BarTrack).fg);
            assert!(contrast(rgb(border), ground) >= 1.5, "{} border", theme.name());
            assert!(contrast(rgb(track), ground) >= 1.2, "{} bar-track", theme.name());
        }
    }
}

#[test]
fn a_selected_row_is_told_from_the_others_and_from_an_unfocused_one() {
    for theme in coloured() {
        let bg = |role| rgb(theme.style(role).bg);
        for (a, b) in [
            (Role::Selection, Role::Text),
            (Role::SelectionUnfocused, Role::Text),
            (Role::Selection, Role::SelectionUnfocused),
        ] {
            let apart = color::distance(bg(a), bg(b));
            assert!(apart >= 0.02, "{}: {a} and {b} are {apart:.3} apart", theme.name());
        }
    }
}

/// How strongly coloured light looks to eyes without one kind of cone, in linear light. Source: Machado, Oliveira and
/// Fernandes, "A physiologically-based model for simulation of color vision deficiency", 2009, severity 1.
const VISION: [(&str, [[f64; 3]; 3]); 3] = [
    (
        "protanopia",
        [
            [0.152_286, 1.052_583, -0.204_868],
            [0.114_503, 0.786_281, 0.099_216],
            [-0.003_882, -0.048_116, 1.051_998],
        ],
    ),
    (
        "deuteranopia",
        [
            [0.367_322, 0.860_646, -0.227_968],
            [0.280_085, 0.672_501, 0.047_413],
            [-0.011_820, 0.042_940, 0.968_881],
        ],
    ),
    (
        "tritanopia",
        [
            [1.255_528, -0.076_749, -0.178_779],
            [-0.078_411, 0.930_809, 0.147_602],
            [0.004_733, 0.691_367, 0.303_900],
        ],
    ),
];

fn seen((r, g, b): color::Rgb, matrix: &[[f64; 3]; 3]) -> color::Rgb {
    let linear = [r, g, b].map(|c| {
        let c = f64::from(c) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    });
    let out = matrix.map(|row| {
        let c: f64 = row.iter().zip(linear).map(|(m, v)| m * v).sum();
        let c = c.clamp(0.0, 1.0);
        let c = if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 };
        (c * 255.0).round() as u8
    });
    (out[0], out[1], out[2])
}

#[test]
fn colour_blind_themes_keep_outcomes_apart_for_every_vision() {
    let pairs = [
        (Role::Right, Role::Wrong),
        (Role::Corrected, Role::Broken),
        (Role::Corrected, Role::Preserved),
        (Role::Corrected, Role::Unresolved),
        (Role::Preserved, Role::Broken),
        (Role::Preserved, Role::Unresolved),
        (Role::Broken, Role::Unresolved),
        (Role::DiffAdded, Role::DiffRemoved),
    ];
    for theme in coloured().iter().filter(|t| t.name().starts_with("colour-blind")) {
        for (a, b) in pairs {
            let fg = |role| rgb(theme.style(role).fg);
            for (vision, matrix) in &VISION {
                let apart = color::distance(seen(fg(a), matrix), seen(fg(b), matrix));
                println!("{} {a} {b} {vision} {apart:.3}", theme.name());
                assert!(apart >= 0.1, "{}: {a} and {b} are {apart:.3} apart with {vision}", theme.name());
            }
        }
    }
}

#[test]
fn without_colour_weight_underline_and_reverse_tell() {
    for theme in all() {
        let theme = theme.at(Depth::None);
        for role in Role::ALL {
            let Style { fg, bg, .. } = theme.style(*role);
            let none = |c: Option<Color>| c.is_none_or(|c| c == Color::Reset);
            assert!(none(fg) && none(bg), "{} {role}", theme.name());
        }
        let modifiers = |role| theme.style(role).add_modifier;
        for (a, b) in [
            (Role::Selection, Role::Text),
            (Role::Selection, Role::SelectionUnfocused),
            (Role::SelectionUnfocused, Role::Text),
            (Role::Right, Role::Wrong),
            (Role::Corrected, Role::Broken),
            (Role::Broken, Role::Unresolved),
            (Role::DiffAdded, Role::DiffRemoved),
            (Role::Match, Role::Text),
            (Role::Notice, Role::Text),
            (Role::BorderFocus, Role::Border),
            (Role::Heading, Role::Text),
            (Role::Error, Role::Text),
        ] {
            assert_ne!(modifiers(a), modifiers(b), "{} {a} {b}", theme.name());
        }
    }
}

#[test]
fn with_sixteen_colours_the_terminals_own_ground_is_kept() {
    let custom = |c: Option<Color>| matches!(c, Some(Color::Rgb(..) | Color::Indexed(_)));
    for theme in all() {
        let few = theme.at(Depth::Sixteen);
        for role in Role::ALL {
            assert!(!custom(few.style(*role).fg) && !custom(few.style(*role).bg), "{} {role}", theme.name());
        }
        let ground = few.style(Role::Text).bg;
        assert!(ground.is_none_or(|c| c == Color::Reset), "{}", theme.name());
        let marked =
            |role| few.style(role).add_modifier.contains(Modifier::REVERSED) || few.style(role).bg.is_some();
        assert!(marked(Role::Selection) && marked(Role::Notice) && marked(Role::Match), "{}", theme.name());
        if theme.name() != "mono" {
            assert_ne!(few.style(Role::Right).fg, few.style(Role::Wrong).fg, "{}", theme.name());
            assert_ne!(few.style(Role::Corrected).fg, few.style(Role::Broken).fg, "{}", theme.name());
        }
    }
}

#[test]
fn with_sixteen_colours_text_is_readable_as_xterm_draws_them() {
    for theme in coloured() {
        let few = theme.at(Depth::Sixteen);
        let (ground, worst) = match theme.kind() {
            // xterm's own blue and red on black fall a little short of 4.5, whichever program uses them.
            Kind::Dark => ((0, 0, 0), 4.0),
            // Its green and cyan on white are light; every palette made for light grounds darkens them.
            Kind::Light => ((255, 255, 255), 1.9),
        };
        for role in Role::ALL.iter().filter(|r| r.ground() == Ground::Any) {
            let Some(fg) = few.style(*role).fg.and_then(color::rgb) else { continue };
            let has = contrast(fg, ground);
            assert!(has >= worst, "{} {role} {has:.2}", theme.name());
        }
    }
}

#[test]
fn the_terminals_ground_may_show() {
    let theme = shipped("dark").unwrap().without_background();
    assert_eq!(theme.style(Role::Text).bg, None);
    assert!(theme.style(Role::Popup).bg.is_some());
}

#[test]
fn the_schema_of_themes_is_made_from_the_roles_and_accepts_what_ships() {
    let text = serde_json::to_string_pretty(&schema()).unwrap() + "\n";
    is_committed("data/schema/theme.schema.json", &text);
    let schema = validator("theme");
    let json = |text: &str| serde_json::to_value(toml::from_str::<toml::Table>(text).unwrap()).unwrap();
    for (name, text) in SHIPPED {
        let value = json(text);
        let faults: Vec<String> =
            schema.iter_errors(&value).map(|e| format!("{}: {e}", e.instance_path)).collect();
        assert_eq!(faults, Vec::<String>::new(), "{name}");
    }
    for wrong in [
        "kind = \"darkish\"\n[roles]\ntext = \"white\"",
        "kind = \"dark\"\ncolour = 1\n[roles]\ntext = \"white\"",
        "kind = \"dark\"\n[roles]\ntxt = \"white\"",
        "kind = \"dark\"\n[roles]\ntext = { fg = \"white\", blink = true }",
        "kind = \"dark\"\n[roles]\ntext = 3",
        "kind = \"dark\"\n[palette]\nink = \"blackish\"\n[roles]\ntext = \"ink\"",
        "[roles]\ntext = \"white\"",
    ] {
        assert!(!schema.is_valid(&json(wrong)), "{wrong}");
    }
}

proptest::proptest! {
    #[test]
    fn no_file_stops_the_program(
        text in "(base[0-9A-F]{2}: |palette:|[0-9a-f]{6}|\"|'|#|\n|name = |kind = |inherits = |dark|\\[roles\\]|\\[palette\\]|text = |fg|\\{|\\}|\\PC){0,60}",
    ) {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.toml", "b.yaml"] {
            fs::write(dir.path().join(name), &text).unwrap();
        }
        let (themes, _) = Themes::load(dir.path());
        for (theme, _) in themes.all() {
            let _ = theme.at(Depth::Sixteen);
        }
    }
}

fn schema() -> Value {
    let mut roles = serde_json::Map::new();
    for role in Role::ALL {
        roles.insert(role.id().into(), json!({"description": role.help(), "$ref": "#/$defs/style"}));
    }
    let mut style = serde_json::Map::new();
    for part in ["fg", "bg"] {
        style.insert(part.into(), json!({"$ref": "#/$defs/name"}));
    }
    for part in ["bold", "dim", "italic", "underline", "reverse", "strike"] {
        style.insert(part.into(), json!({"type": "boolean"}));
    }
    let names = color::names().collect::<Vec<_>>().join("|");
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "lookitup: a theme",
        "description": "A file in the folder themes beside config.toml.",
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "What config.toml calls it; the file's name when left out"},
            "about": {"type": "string", "description": "One line about it"},
            "kind": {"enum": ["dark", "light"], "description": "The ground it is meant for"},
            "inherits": {"type": "string", "description": "The theme that gives the roles and colours that this one leaves out"},
            "palette": {
                "type": "object",
                "description": "Colours with names",
                "additionalProperties": {
                    "type": "string",
                    "pattern": format!("^(#([0-9A-Fa-f]{{3}}|[0-9A-Fa-f]{{6}})|[0-9]{{1,3}}|{names})$")
                }
            },
            "roles": {"type": "object", "properties": roles, "additionalProperties": false}
        },
        "anyOf": [{"required": ["roles", "inherits"]}, {"required": ["roles", "kind"]}, {"required": ["palette", "inherits"]}],
        "additionalProperties": false,
        "$defs": {
            "name": {"type": "string", "description": "A colour of the palette, #rrggbb, a number up to 255, or one of the terminal's names"},
            "style": {
                "oneOf": [
                    {"$ref": "#/$defs/name"},
                    {"type": "object", "properties": style, "additionalProperties": false}
                ]
            }
        }
    })
}
