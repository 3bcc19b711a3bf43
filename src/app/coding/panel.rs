//! How the codes are laid out: of the size of the terminal alone, so that state and drawing agree.

use super::super::Model;
use crate::text;

/// Width from which codes stand with their names.
const NAMES: u16 = 100;
/// Height below which names are cut and hints left out, so that the evidence keeps some lines.
const SMALL: u16 = 20;
/// Lines for what the record hints at, and for the note.
const BELOW: u16 = 3;

/// A code in the panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Its key.
    pub key: char,
    /// Its id.
    pub id: String,
    /// What is shown.
    pub text: String,
    /// Cells that it takes, with the space after it.
    pub cells: u16,
}

impl Model {
    /// The codes, line by line.
    pub fn code_lines(&self) -> Vec<Vec<Label>> {
        // Many codes get less room each, so that they all are seen and the evidence too.
        let most = usize::from(self.size.1 / 3).max(6);
        let longest: &[usize] = if self.size.1 < SMALL { &[15, 10, 6] } else { &[34, 24, 16, 10, 6] };
        let mut lines = Vec::new();
        for &cells in longest {
            lines = self.lines_of(cells);
            if lines.len() <= most {
                break;
            }
        }
        lines
    }

    /// The codes with names of so many cells.
    fn lines_of(&self, most: usize) -> Vec<Vec<Label>> {
        let width = self.size.0.saturating_sub(2);
        let label = |code: &crate::review::Code| {
            let text = if self.size.0 >= NAMES { code.name.clone() } else { code.id.clone() };
            let text = text::truncate(&text::sanitize_line(&text), most).into_owned();
            let cells = text::width(&text) + text::width(code.key.encode_utf8(&mut [0; 4])) + 3;
            Label { key: code.key, id: code.id.clone(), cells: cells as u16, text }
        };
        let labels: Vec<Label> = self.review.book.codes.iter().map(label).collect();
        // In columns of one width names are found again in the same place.
        let widest = labels.iter().map(|l| l.cells).max().unwrap_or(1).max(1);
        let each = usize::from((width / widest).max(1));
        labels
            .chunks(each)
            .map(|line| line.iter().cloned().map(|l| Label { cells: widest, ..l }).collect())
            .collect()
    }

    /// Lines that coding takes of the screen.
    pub(in super::super) fn panel_height(&self) -> u16 {
        let below = if self.size.1 < SMALL { 1 } else { BELOW };
        1 + self.code_lines().len() as u16 + below
    }
}
