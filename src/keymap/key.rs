//! One key press, as terminals can tell it: `ctrl-d`, `shift-tab`, `G`, `f1`.

use std::fmt;
use std::str::FromStr;

use crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

/// Which key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A character, its case included.
    Char(char),
    /// A function key, from 1 to 24.
    F(u8),
    /// Enter.
    Enter,
    /// Escape.
    Esc,
    /// Tab.
    Tab,
    /// Backspace.
    Backspace,
    /// Delete.
    Delete,
    /// Insert.
    Insert,
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
}

const NAMES: &[(&str, Code)] = &[
    ("enter", Code::Enter),
    ("esc", Code::Esc),
    ("tab", Code::Tab),
    ("space", Code::Char(' ')),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("insert", Code::Insert),
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    ("home", Code::Home),
    ("end", Code::End),
    ("page-up", Code::PageUp),
    ("page-down", Code::PageDown),
    // Read only: how other programs spell them. The first name of a code is the one written.
    ("return", Code::Enter),
    ("escape", Code::Esc),
    ("del", Code::Delete),
    ("ins", Code::Insert),
    ("pgup", Code::PageUp),
    ("pageup", Code::PageUp),
    ("pgdn", Code::PageDown),
    ("pgdown", Code::PageDown),
    ("pagedown", Code::PageDown),
];

/// A key with its modifiers, in the one form that both a terminal's event and a configured name come to.
///
/// Shift is part of a character (`G`, `?`), so it is only kept beside named keys and control characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    code: Code,
    ctrl: bool,
    alt: bool,
    shift: bool,
}

/// Why a name is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// Nothing was written.
    #[error("a key is missing")]
    Empty,
    /// No key is called that.
    #[error("no key is called \"{0}\"")]
    Unknown(String),
    /// Shift and a character that it doesn't turn into a capital.
    #[error("what \"{0}\" types depends on the keyboard")]
    Shifted(String),
    /// Terminals can't tell it from another key.
    #[error("terminals send \"{0}\" as \"{1}\"")]
    Same(&'static str, &'static str),
}

impl KeyError {
    /// What to write instead.
    pub fn hint(&self) -> String {
        match self {
            Self::Empty | Self::Unknown(_) => {
                "keys look like j, G, ctrl-d, shift-tab, f1, page-up, space, \"g g\"".to_owned()
            }
            Self::Shifted(_) => "write the character that it types, such as !".to_owned(),
            Self::Same(_, other) => format!("write \"{other}\", or take another key"),
        }
    }
}

impl Key {
    /// A character without modifiers.
    pub const fn char(c: char) -> Self {
        Self { code: Code::Char(c), ctrl: false, alt: false, shift: false }
    }

    /// A key without modifiers.
    pub const fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// A character with control held.
    pub fn ctrl(c: char) -> Self {
        Self::normal(Code::Char(c), true, false, false)
    }

    /// Which key it is.
    pub const fn code(self) -> Code {
        self.code
    }

    /// The text that it types, if it types any.
    pub const fn text(self) -> Option<char> {
        match self.code {
            Code::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }

    /// The key of a terminal's event; `None` for a release, for modifiers alone and for keys that have no name here.
    pub fn from_event(event: &KeyEvent) -> Option<Self> {
        if event.kind == KeyEventKind::Release {
            return None;
        }
        let m = event.modifiers;
        if m.intersects(KeyModifiers::SUPER | KeyModifiers::HYPER | KeyModifiers::META) {
            return None;
        }
        let mut shift = m.contains(KeyModifiers::SHIFT);
        let code = match event.code {
            KeyCode::Char(c) => Code::Char(c),
            KeyCode::F(n @ 1..=24) => Code::F(n),
            KeyCode::BackTab => {
                shift = true;
                Code::Tab
            }
            KeyCode::Tab => Code::Tab,
            KeyCode::Enter => Code::Enter,
            KeyCode::Esc => Code::Esc,
            KeyCode::Backspace => Code::Backspace,
            KeyCode::Delete => Code::Delete,
            KeyCode::Insert => Code::Insert,
            KeyCode::Up => Code::Up,
            KeyCode::Down => Code::Down,
            KeyCode::Left => Code::Left,
            KeyCode::Right => Code::Right,
            KeyCode::Home => Code::Home,
            KeyCode::End => Code::End,
            KeyCode::PageUp => Code::PageUp,
            KeyCode::PageDown => Code::PageDown,
            _ => return None,
        };
        Some(Self::normal(code, m.contains(KeyModifiers::CONTROL), m.contains(KeyModifiers::ALT), shift))
    }

    fn normal(code: Code, ctrl: bool, alt: bool, shift: bool) -> Self {
        let Code::Char(c) = code else {
            return Self { code, ctrl, alt, shift };
        };
        if !ctrl {
            let c = if shift { single_upper(c) } else { c };
            return Self { code: Code::Char(c), ctrl, alt, shift: shift && c == ' ' };
        }
        // Without a keyboard protocol these four come as digits, whatever is printed on the key.
        let c = match c {
            '4' => '\\',
            '5' => ']',
            '6' => '^',
            '7' | '_' => '/',
            _ => c,
        };
        let lower = single_lower(c);
        Self {
            code: Code::Char(lower),
            ctrl,
            alt,
            shift: lower != c || (shift && (lower.is_alphabetic() || lower == ' ')),
        }
    }

    /// Reads a sequence: keys with spaces between, `g g`.
    ///
    /// # Errors
    /// When any of its names is no key, or there is none.
    pub fn sequence(text: &str) -> Result<Vec<Self>, KeyError> {
        let keys = text.split_whitespace().map(str::parse).collect::<Result<Vec<Self>, _>>()?;
        if keys.is_empty() { Err(KeyError::Empty) } else { Ok(keys) }
    }
}

/// Writes a sequence the way [`Key::sequence`] reads it.
pub fn spell(keys: &[Key]) -> String {
    keys.iter().map(Key::to_string).collect::<Vec<_>>().join(" ")
}

/// The capital of a letter, where it is one character that leads back.
fn single_upper(c: char) -> char {
    let mut upper = c.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(u), None) => u,
        _ => c,
    }
}

fn single_lower(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(l), None) => l,
        _ => c,
    }
}

impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let (mut ctrl, mut alt, mut shift) = (false, false, false);
        let mut rest = text;
        while let Some((word, tail)) = rest.split_once(['-', '+'])
            && !tail.is_empty()
        {
            match word.to_ascii_lowercase().as_str() {
                "ctrl" | "control" | "c" => ctrl = true,
                "alt" | "meta" | "option" | "a" | "m" => alt = true,
                "shift" | "s" => shift = true,
                _ => break,
            }
            rest = tail;
        }
        let mut letters = rest.chars();
        let code = match (letters.next(), letters.next()) {
            (None, _) => return Err(KeyError::Empty),
            (Some(c), None) if !c.is_control() && !c.is_whitespace() => Code::Char(c),
            _ => named(rest).ok_or_else(|| KeyError::Unknown(text.to_owned()))?,
        };
        shift |= rest.eq_ignore_ascii_case("backtab");
        if let Code::Char(c) = code
            && shift
            && !ctrl
            && c != ' '
            && !c.is_alphabetic()
        {
            return Err(KeyError::Shifted(text.to_owned()));
        }
        match (ctrl && !shift && !alt, code) {
            (true, Code::Char('i' | 'I')) => return Err(KeyError::Same("ctrl-i", "tab")),
            (true, Code::Char('m' | 'M')) => return Err(KeyError::Same("ctrl-m", "enter")),
            (true, Code::Char('[')) => return Err(KeyError::Same("ctrl-[", "esc")),
            _ => {}
        }
        Ok(Self::normal(code, ctrl, alt, shift))
    }
}

fn named(name: &str) -> Option<Code> {
    let name = name.to_ascii_lowercase();
    if name == "backtab" {
        return Some(Code::Tab);
    }
    if let Some(n) = name.strip_prefix('f').and_then(|n| n.parse().ok()) {
        return (1..=24).contains(&n).then_some(Code::F(n));
    }
    NAMES.iter().find(|(known, _)| *known == name).map(|(_, code)| *code)
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        if self.shift {
            f.write_str("shift-")?;
        }
        match self.code {
            Code::F(n) => write!(f, "f{n}"),
            code => match NAMES.iter().find(|(_, known)| *known == code) {
                Some((name, _)) => f.write_str(name),
                None => match code {
                    Code::Char(c) => write!(f, "{c}"),
                    _ => Ok(()),
                },
            },
        }
    }
}

impl From<Key> for KeyEvent {
    /// The event that a terminal sends for this key: what an editor that knows only events is given.
    fn from(key: Key) -> Self {
        let mut modifiers = KeyModifiers::NONE;
        modifiers.set(KeyModifiers::CONTROL, key.ctrl);
        modifiers.set(KeyModifiers::ALT, key.alt);
        modifiers.set(KeyModifiers::SHIFT, key.shift);
        let code = match key.code {
            Code::Char(c) => KeyCode::Char(c),
            Code::F(n) => KeyCode::F(n),
            Code::Enter => KeyCode::Enter,
            Code::Esc => KeyCode::Esc,
            Code::Tab => KeyCode::Tab,
            Code::Backspace => KeyCode::Backspace,
            Code::Delete => KeyCode::Delete,
            Code::Insert => KeyCode::Insert,
            Code::Up => KeyCode::Up,
            Code::Down => KeyCode::Down,
            Code::Left => KeyCode::Left,
            Code::Right => KeyCode::Right,
            Code::Home => KeyCode::Home,
            Code::End => KeyCode::End,
            Code::PageUp => KeyCode::PageUp,
            Code::PageDown => KeyCode::PageDown,
        };
        Self::new(code, modifiers)
    }
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
