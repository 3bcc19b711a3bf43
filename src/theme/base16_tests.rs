use std::fmt::Write as _;

use super::*;
use crate::theme::Ground;

/// A scheme of our own, flat and hex without a hash, as schemes were first written.
const FLAT: &str = r#"
# night on the quay
scheme: "Quay"
author: "A. Person (https://example.org)"
base00: "0f1620"
base01: "1b2533"
base02: "33445c"
base03: "4e6078"
base04: "7d8fa6"
base05: "c3cedb"
base06: "dde5ee"
base07: "f4f8fb"
base08: "d9544d"
base09: "dc8a3f"
base0A: "d5b64c"
base0B: "5fae63"
base0C: "4aa8a8"
base0D: "4f8fd6"
base0E: "a672cf"
base0F: "8c5a3c"
"#;

fn nested() -> String {
    let mut text = String::from("system: \"base24\"\nname: 'Quay at noon'\nvariant: \"light\"\npalette:\n");
    let light = [
        "f6f4ee", "e9e5da", "d2ccbb", "a8a28f", "7c7768", "3b3a34", "2a2924", "151511", "d9544d", "dc8a3f",
        "d5b64c", "5fae63", "4aa8a8", "4f8fd6", "a672cf", "8c5a3c", "ffffff", "ffffff", "ff6f66", "ffd75e",
        "7bd97f", "63d6d6", "6fb0ff", "c78df0",
    ];
    for (n, hex) in light.iter().enumerate() {
        writeln!(text, "  base{n:02X}: \"#{hex}\"   # a comment").unwrap();
    }
    text
}

fn is_readable(theme: &Theme) {
    assert_eq!(theme.weak(RATIO), [], "{}", theme.name());
    for role in Role::ALL {
        assert!(theme.style(*role).fg.is_some(), "{role}");
        if role.ground() == Ground::Own {
            assert!(theme.style(*role).bg.is_some(), "{role}");
        }
    }
}

#[test]
fn the_flat_form_is_read_and_made_readable() {
    let (theme, problems) = read("quay.yaml", "quay", FLAT);
    assert_eq!(problems, []);
    let theme = theme.unwrap();
    assert_eq!((theme.name(), theme.kind()), ("quay", Kind::Dark));
    assert_eq!(theme.about(), "Quay by A. Person (https://example.org)");
    assert_eq!(theme.style(Role::Text).bg, Some(Color::Rgb(0x0f, 0x16, 0x20)));
    is_readable(&theme);
}

#[test]
fn the_nested_form_of_24_is_read_and_made_readable() {
    let (theme, problems) = read("noon.yaml", "noon", &nested());
    assert_eq!(problems, []);
    let theme = theme.unwrap();
    assert_eq!((theme.kind(), theme.about()), (Kind::Light, "Quay at noon"));
    is_readable(&theme);
}

#[test]
fn even_an_unreadable_scheme_comes_out_readable() {
    for grey in ["000000", "777777", "808080", "ffffff", "123456", "fedcba"] {
        let text = (0..16).map(|n| format!("base{n:02X}: {grey}")).collect::<Vec<_>>().join("\n");
        is_readable(&read("x.yaml", "x", &text).0.unwrap());
    }
}

#[test]
fn what_is_missing_or_no_colour_is_named() {
    let text = FLAT.replace("base0B: \"5fae63\"\n", "").replace("dc8a3f", "dc8a3");
    let (theme, problems) = read("quay.yaml", "quay", &text);
    assert!(theme.is_none());
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "quay.yaml:14: base09: \"dc8a3\" is no colour; write six hexadecimal digits",
            "quay.yaml: no colour for base09, base0B; a base16 scheme has base00 to base0F",
        ]
    );
}

#[test]
fn a_scheme_cannot_speak_to_the_terminal() {
    let text = FLAT.replace("\"Quay\"", "\"Quay\u{1b}]52;c;aGk=\u{7}\u{202e}\"");
    let theme = read("x.yaml", "x", &text).0.unwrap();
    assert!(!theme.about().chars().any(|c| c.is_control() || c == '\u{202e}'), "{:?}", theme.about());
}
