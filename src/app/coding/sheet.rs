//! What is said of one row before it is saved.

use crate::review::{Act, Key, SlotKind};

/// The sheet of a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sheet {
    /// The row, by name.
    pub key: Key,
    /// The primary code.
    pub primary: Option<String>,
    /// Other codes.
    pub others: Vec<String>,
    /// The note.
    pub note: String,
    /// Whether anything differs from what is saved.
    pub changed: bool,
    /// Whether the row was left for later.
    pub deferred: bool,
    /// What is saved.
    saved: Said,
}

/// Primary code, other codes, note.
type Said = (Option<String>, Vec<String>, String);

impl Sheet {
    /// The sheet of a row as it was saved, or left unsaved by a program that is gone.
    pub fn of(key: Key, act: Option<&Act>, resolve: impl Fn(&str, u32) -> String) -> Self {
        let mut sheet = Self { key, ..Self::default() };
        match act {
            Some(Act::Coded { primary, others, note, codebook, .. }) => {
                sheet.primary = primary.as_deref().map(|c| resolve(c, *codebook));
                sheet.others = others.iter().map(|c| resolve(c, *codebook)).collect();
                sheet.note.clone_from(note);
            }
            Some(Act::Deferred { note }) => {
                sheet.note.clone_from(note);
                sheet.deferred = true;
            }
            _ => {}
        }
        sheet.saved = sheet.said();
        sheet
    }

    /// The same, being about what another sheet has saved: what a program that is gone had not saved.
    #[must_use]
    pub fn over(mut self, saved: Self) -> Self {
        self.deferred = saved.deferred;
        self.saved = saved.saved;
        self.compare();
        self
    }

    fn said(&self) -> Said {
        (self.primary.clone(), self.others.clone(), self.note.trim().to_owned())
    }

    fn compare(&mut self) {
        self.changed = self.said() != self.saved;
    }

    /// Writes the note.
    pub fn write(&mut self, note: String) {
        self.note = note;
        self.compare();
    }

    /// Gives codes the ids that another codebook has for them; codes that became one are one.
    pub fn follow(&mut self, today: impl Fn(&str) -> String) {
        let (saved_primary, saved_others, _) = &mut self.saved;
        for (primary, others) in [(&mut self.primary, &mut self.others), (saved_primary, saved_others)] {
            *primary = primary.as_deref().map(&today);
            let mut kept: Vec<String> = Vec::new();
            for code in others.iter().map(|c| today(c)) {
                if primary.as_ref() != Some(&code) && !kept.contains(&code) {
                    kept.push(code);
                }
            }
            *others = kept;
        }
        self.compare();
    }

    /// Whether a code is set.
    pub fn has(&self, code: &str) -> bool {
        self.primary.as_deref() == Some(code) || self.others.iter().any(|c| c == code)
    }

    /// Sets a code, or takes it back. The first one set is the primary one.
    pub fn toggle(&mut self, code: &str) {
        if self.primary.as_deref() == Some(code) {
            // The next one moves up, so that a coded row never lacks its primary code.
            self.primary = if self.others.is_empty() { None } else { Some(self.others.remove(0)) };
        } else if let Some(at) = self.others.iter().position(|c| c == code) {
            self.others.remove(at);
        } else if self.primary.is_none() {
            self.primary = Some(code.to_owned());
        } else {
            self.others.push(code.to_owned());
        }
        self.compare();
    }

    /// Makes the next code the primary one.
    pub fn turn(&mut self) {
        if self.others.is_empty() {
            return;
        }
        let next = self.others.remove(0);
        self.others.extend(self.primary.replace(next));
        self.compare();
    }

    /// Whether there is nothing to save.
    pub fn is_empty(&self) -> bool {
        self.primary.is_none() && self.note.trim().is_empty()
    }

    /// What saving it says. An empty sheet takes back what stands.
    pub fn act(&self, codebook: u32) -> Act {
        if self.is_empty() {
            return Act::Cleared { what: SlotKind::Coding, undoes: None };
        }
        Act::Coded {
            primary: self.primary.clone(),
            others: self.others.clone(),
            note: self.note.trim().to_owned(),
            codebook,
            settles: Vec::new(),
        }
    }
}
