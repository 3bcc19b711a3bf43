use crossterm::event::KeyEventState;
use proptest::prelude::*;

use super::*;

fn event(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
    Key::from_event(&KeyEvent::new(code, modifiers))
}

fn spelled(text: &str) -> String {
    text.parse::<Key>().map_or_else(|e| e.to_string(), |k| k.to_string())
}

#[test]
fn keys_are_spelled_in_one_way_and_read_in_several() {
    for (read, written) in [
        ("j", "j"),
        ("G", "G"),
        ("shift-g", "G"),
        ("ctrl-d", "ctrl-d"),
        ("Ctrl+D", "ctrl-shift-d"),
        ("C-x", "ctrl-x"),
        ("alt-shift-x", "alt-X"),
        ("alt-ctrl-x", "ctrl-alt-x"),
        ("shift-tab", "shift-tab"),
        ("backtab", "shift-tab"),
        ("Enter", "enter"),
        ("return", "enter"),
        ("ESC", "esc"),
        ("pgup", "page-up"),
        ("PageDown", "page-down"),
        ("f12", "f12"),
        ("space", "space"),
        ("ctrl-space", "ctrl-space"),
        ("shift-space", "shift-space"),
        ("<", "<"),
        ("-", "-"),
        ("+", "+"),
        ("ctrl--", "ctrl--"),
        ("ctrl-+", "ctrl-+"),
        ("ctrl-/", "ctrl-/"),
        ("ctrl-_", "ctrl-/"),
        ("ctrl-7", "ctrl-/"),
        ("é", "é"),
        ("shift-é", "É"),
    ] {
        assert_eq!(spelled(read), written, "{read}");
    }
}

#[test]
fn what_is_no_key_is_refused_with_a_reason() {
    for (text, reason) in [
        ("", "a key is missing"),
        ("gg", "no key is called \"gg\""),
        ("ctrl-foo", "no key is called \"ctrl-foo\""),
        ("f0", "no key is called \"f0\""),
        ("f25", "no key is called \"f25\""),
        ("hyper-x", "no key is called \"hyper-x\""),
        ("ctrl-i", "terminals send \"ctrl-i\" as \"tab\""),
        ("ctrl-m", "terminals send \"ctrl-m\" as \"enter\""),
        ("ctrl-[", "terminals send \"ctrl-[\" as \"esc\""),
        ("shift-1", "what \"shift-1\" types depends on the keyboard"),
    ] {
        assert_eq!(spelled(text), reason, "{text}");
    }
    assert_eq!(Key::sequence("  "), Err(KeyError::Empty));
    assert_eq!(Key::sequence("g  g").map(|k| spell(&k)), Ok("g g".to_owned()));
}

#[test]
fn events_come_to_the_same_form() {
    let none = KeyModifiers::NONE;
    let shift = KeyModifiers::SHIFT;
    let ctrl = KeyModifiers::CONTROL;
    for (code, modifiers, written) in [
        (KeyCode::Char('G'), shift, "G"),
        (KeyCode::Char('g'), shift, "G"),
        (KeyCode::Char('G'), none, "G"),
        (KeyCode::Char('?'), shift, "?"),
        (KeyCode::Char('d'), ctrl, "ctrl-d"),
        (KeyCode::Char('D'), ctrl | shift, "ctrl-shift-d"),
        (KeyCode::Char('7'), ctrl, "ctrl-/"),
        (KeyCode::BackTab, none, "shift-tab"),
        (KeyCode::BackTab, shift, "shift-tab"),
        (KeyCode::Tab, shift, "shift-tab"),
        (KeyCode::Up, KeyModifiers::ALT, "alt-up"),
        (KeyCode::F(5), none, "f5"),
        (KeyCode::Char(' '), none, "space"),
        (KeyCode::Char('x'), KeyModifiers::ALT | shift, "alt-X"),
    ] {
        assert_eq!(event(code, modifiers).map(|k| k.to_string()).as_deref(), Some(written), "{code:?}");
    }
    assert_eq!(event(KeyCode::Char('x'), KeyModifiers::SUPER), None);
    assert_eq!(event(KeyCode::CapsLock, none), None);
    assert_eq!(event(KeyCode::F(25), none), None);
}

#[test]
fn a_release_is_no_press_and_a_repeat_is_one() {
    let of = |kind| {
        Key::from_event(&KeyEvent {
            code: KeyCode::Char('j'),
            modifiers: KeyModifiers::NONE,
            kind,
            state: KeyEventState::NONE,
        })
    };
    assert_eq!(of(KeyEventKind::Release), None);
    assert_eq!(of(KeyEventKind::Press), Some(Key::char('j')));
    assert_eq!(of(KeyEventKind::Repeat), Some(Key::char('j')));
}

#[test]
fn only_a_bare_character_is_text() {
    assert_eq!(Key::char('G').text(), Some('G'));
    assert_eq!(Key::char(' ').text(), Some(' '));
    assert_eq!(Key::ctrl('g').text(), None);
    assert_eq!(Key::plain(Code::Enter).text(), None);
}

fn codes() -> impl Strategy<Value = KeyCode> {
    prop_oneof![
        any::<char>()
            .prop_filter("printable", |c| *c == ' ' || !(c.is_control() || c.is_whitespace()))
            .prop_map(KeyCode::Char),
        proptest::char::range('!', '~').prop_map(KeyCode::Char),
        (1..=24u8).prop_map(KeyCode::F),
        proptest::sample::select(vec![
            KeyCode::Enter,
            KeyCode::Esc,
            KeyCode::Tab,
            KeyCode::BackTab,
            KeyCode::Backspace,
            KeyCode::Delete,
            KeyCode::Insert,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::PageUp,
            KeyCode::PageDown,
        ]),
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back(code in codes(), bits in 0..8u8) {
        let key = event(code, KeyModifiers::from_bits_truncate(bits)).unwrap();
        let text = key.to_string();
        match text.parse::<Key>() {
            Ok(read) => prop_assert_eq!(read, key, "{}", text),
            Err(e) => prop_assert!(matches!(e, KeyError::Same(..)), "{}: {}", text, e),
        }
    }

    #[test]
    fn any_text_reads_or_is_refused(text in ".{0,12}") {
        if let Ok(keys) = Key::sequence(&text) {
            prop_assert_eq!(Key::sequence(&spell(&keys)), Ok(keys));
        }
    }
}
