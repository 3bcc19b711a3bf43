//! A line that can be edited.

use std::ops::Range;

use tui_textarea::{CursorMove, TextArea};

use crate::keymap::Key;

/// One editable line. The editing itself (words, undo, clipboard keys) is the text area's.
#[derive(Debug, Default)]
pub struct Line {
    area: TextArea<'static>,
}

impl Line {
    /// The text.
    pub fn text(&self) -> String {
        self.area.lines().first().cloned().unwrap_or_default()
    }

    /// The cursor as a byte offset into [`Self::text`].
    pub fn cursor(&self) -> usize {
        let text = self.text();
        text.char_indices().nth(self.area.cursor().1).map_or(text.len(), |(at, _)| at)
    }

    /// Replaces the whole text; the cursor goes to its end.
    pub fn set(&mut self, text: &str) {
        self.area = TextArea::new(vec![one_line(text)]);
        self.area.move_cursor(CursorMove::End);
    }

    /// Inserts text at the cursor, as one edit.
    pub fn insert(&mut self, text: &str) {
        self.area.insert_str(one_line(text));
    }

    /// Replaces a range of bytes; the cursor goes to the end of the new text.
    pub fn replace(&mut self, range: Range<usize>, new: &str) {
        let text = self.text();
        let (Some(head), Some(tail)) = (text.get(..range.start), text.get(range.end..)) else { return };
        let column = head.chars().count() + new.chars().count();
        self.area = TextArea::new(vec![format!("{head}{new}{tail}")]);
        self.area.move_cursor(CursorMove::Jump(0, u16::try_from(column).unwrap_or(u16::MAX)));
    }

    /// Takes a key. True when the text changed.
    pub fn key(&mut self, key: Key) -> bool {
        let before = self.text();
        // Characters that act on a line without being seen are typed as their names.
        if let Some(c) = key.text()
            && let std::borrow::Cow::Owned(seen) = crate::text::sanitize_line(c.encode_utf8(&mut [0; 4]))
        {
            self.area.insert_str(seen);
            return true;
        }
        match key.to_string().as_str() {
            // As in a shell: the text area would undo, and stop at every sign.
            "ctrl-u" => _ = self.area.delete_line_by_head(),
            "ctrl-w" => self.delete_word(),
            _ => _ = self.area.input(crossterm::event::KeyEvent::from(key)),
        }
        if self.area.lines().len() > 1 {
            let joined = self.area.lines().join(" ");
            self.set(&joined);
        }
        self.text() != before
    }

    /// Takes what stands before the cursor away, back to the white space before it.
    fn delete_word(&mut self) {
        let (text, cursor) = (self.text(), self.cursor());
        let head = text.get(..cursor).unwrap_or_default();
        let kept = head
            .trim_end()
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + head.get(at..).and_then(|t| t.chars().next()).map_or(0, char::len_utf8));
        self.replace(kept..cursor, "");
    }
}

/// Pasted text stays one line, and what would act unseen is seen.
fn one_line(text: &str) -> String {
    crate::text::sanitize_line(text.trim_end_matches(['\r', '\n'])).into_owned()
}

#[cfg(test)]
#[path = "input_tests.rs"]
mod tests;
