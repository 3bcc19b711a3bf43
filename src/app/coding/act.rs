//! What keys do while a row is coded.

use tui_textarea::{CursorMove, TextArea};

use super::super::{Effect, Focus, Model, Overlay};
use super::{NoteDialog, Said, Sheet};
use crate::keymap::{Action, Key as Pressed};
use crate::record::{Condition, Question};
use crate::review::{self, Act, Key, Neighbours, SlotKind, Trace};

/// Questions whose references are looked through for neighbours; more take too long for a key press.
const NEIGHBOURS: usize = 20_000;

impl Model {
    /// Goes to a place of the session: its row, its sheet.
    pub(super) fn arrive(&mut self, at: usize) -> Vec<Effect> {
        let Some(coding) = &mut self.coding else { return Vec::new() };
        coding.at = at.min(coding.rows.len().saturating_sub(1));
        coding.hints = None;
        let (plan, place, of) = (coding.plan.clone(), coding.at as u64, coding.rows.len() as u64);
        let Some(row) = coding.row() else { return Vec::new() };
        let Some(key) = self.note_key(row) else { return Vec::new() };
        let sheet = self.sheet_of(&key);
        if let Some(coding) = &mut self.coding {
            coding.sheet = sheet;
        }
        self.choose(row);
        self.focus = Focus::Detail;
        self.hint();
        if plan.is_empty() {
            return Vec::new();
        }
        self.tell(Said { key, answer: String::new(), act: Act::Mark { plan, position: place, of } })
    }

    /// What is said of a row: what was left unsaved, else what is on its way to the disk, else what is there.
    pub(super) fn sheet_of(&self, key: &Key) -> Sheet {
        let (book, by) = (&self.review.book, self.review.by.as_str());
        let resolve = |code: &str, version: u32| book.resolve(code, version).id(code).to_owned();
        let sheet = |act: Option<&Act>| Sheet::of(key.clone(), act, resolve);
        let on_its_way = self.review.unwritten.iter().rev().map(|u| &u.said).find(|s| {
            let of_row = match &s.act {
                Act::Coded { .. } | Act::Deferred { .. } => true,
                Act::Cleared { what, .. } => *what == SlotKind::Coding,
                Act::Verdict { .. } | Act::Reference { .. } | Act::Mark { .. } => false,
            };
            of_row && s.key == *key
        });
        let saved = match on_its_way {
            Some(said) => sheet(Some(&said.act)),
            None => sheet(self.review.notes.coding_by(key, by).map(|c| &c.entry.act)),
        };
        match self.review.left.iter().rfind(|e| e.key.covers(key) && e.by == by) {
            Some(left) => sheet(Some(&left.act)).over(saved),
            None => saved,
        }
    }

    /// Works out what the record of the row hints at, once it is read.
    pub(in super::super) fn hint(&mut self) {
        let Some(row) = self.coding.as_ref().filter(|c| c.hints.is_none()).and_then(super::Coding::row)
        else {
            return;
        };
        if !matches!(self.record(row), Some(Ok(_))) {
            return;
        }
        let neighbours = self.neighbours();
        let Some(Ok(bundle)) = self.record(row) else { return };
        let side = |c: Condition| bundle.sides.get(c as usize).and_then(|s| s.as_deref());
        let trace =
            Trace::new(&bundle.question, side(Condition::NoSearch), side(Condition::WithSearch), self.scorer);
        let hints = review::suggest(&trace, &neighbours);
        if let Some(coding) = &mut self.coding {
            coding.hints = Some(hints);
        }
    }

    fn neighbours(&mut self) -> std::sync::Arc<Neighbours> {
        if let Some(ready) = &self.review.neighbours {
            return ready.clone();
        }
        let table = &self.table;
        let few = table.questions.len() <= NEIGHBOURS;
        let numbers = 0..if few { table.questions.len() as u32 } else { 0 };
        let questions: Vec<Question> = numbers
            .map(|q| {
                let part = |n| table.question_texts.part(q, n).unwrap_or_default();
                Question {
                    id: table.question_id(q).unwrap_or_default().to_owned(),
                    question: part(1).to_owned(),
                    references: part(2)
                        .split('\u{1e}')
                        .map(str::to_owned)
                        .filter(|r| !r.is_empty())
                        .collect(),
                    ..Question::default()
                }
            })
            .collect();
        let ready = std::sync::Arc::new(Neighbours::new(&questions));
        self.review.neighbours = Some(ready.clone());
        ready
    }

    /// A key that the codebook gives a code.
    pub(in super::super) fn code_key(&mut self, pressed: Pressed) -> Option<Vec<Effect>> {
        if !matches!(self.overlays.last(), Some(Overlay::Code)) {
            return None;
        }
        let code = pressed.text().and_then(|c| self.review.book.by_key(c))?.id.clone();
        Some(self.toggle_code(&code))
    }

    /// Sets a code, or takes it back.
    pub(in super::super) fn toggle_code(&mut self, code: &str) -> Vec<Effect> {
        if let Some(coding) = self.coding.as_mut().filter(|c| c.row().is_some()) {
            coding.sheet.toggle(code);
        }
        self.draft()
    }

    /// An action while a row is coded.
    pub(in super::super) fn act_in_coding(&mut self, action: Action) -> Vec<Effect> {
        let page = self.detail_height();
        let by = super::super::act::distance(action, page);
        if self.coding.as_ref().is_some_and(|c| c.row().is_none()) {
            self.say("the files are being read again");
            return Vec::new();
        }
        match action {
            Action::Accept | Action::SaveNext => return self.save_and_next(),
            Action::NextPair | Action::PreviousPair => {
                return self.leave_sheet(|at, last| {
                    if action == Action::NextPair { (at + 1).min(last) } else { at.saturating_sub(1) }
                });
            }
            Action::WriteNote => {
                let note = self.coding.as_ref().map(|c| c.sheet.note.clone()).unwrap_or_default();
                let mut area = TextArea::new(note.lines().map(str::to_owned).collect());
                area.move_cursor(CursorMove::Bottom);
                area.move_cursor(CursorMove::End);
                self.overlays.push(Overlay::Note(NoteDialog { area }));
            }
            Action::EditText => {
                let note = self.coding.as_ref().map(|c| c.sheet.note.clone()).unwrap_or_default();
                return vec![Effect::Edit(note)];
            }
            Action::Defer => return self.defer(),
            Action::Undo | Action::Redo => return self.undo(action == Action::Undo),
            Action::PrimaryCode => {
                if let Some(coding) = &mut self.coding {
                    coding.sheet.turn();
                }
                return self.draft();
            }
            Action::Judge => self.open_judge(),
            Action::AcceptAnswer => self.open_accept(),
            Action::ToggleRaw | Action::TogglePrompt | Action::ToggleExplain => match action {
                Action::ToggleRaw => self.detail.raw = !self.detail.raw,
                Action::TogglePrompt => self.detail.prompt = !self.detail.prompt,
                _ => self.detail.explain = !self.detail.explain,
            },
            Action::OpenUrl => return self.open_urls(),
            Action::Copy => self.open_copy(),
            Action::Help => self.open_help(),
            Action::Codebook => return self.edit_codebook(),
            Action::CodeCounts => return self.open_counts(),
            _ => self.detail.step(by, page),
        }
        Vec::new()
    }

    /// Closes the note; what was written stays on the sheet.
    pub(in super::super) fn close_note(&mut self) -> Vec<Effect> {
        let Some(Overlay::Note(dialog)) = self.overlays.pop() else { return Vec::new() };
        self.noted(&dialog.area.lines().join("\n"))
    }

    /// The note was written.
    pub(in super::super) fn noted(&mut self, text: &str) -> Vec<Effect> {
        let text = crate::text::sanitize(text).trim().to_owned();
        if let Some(coding) = &mut self.coding
            && coding.sheet.note != text
        {
            coding.sheet.write(text);
        }
        self.draft()
    }

    /// Ends the session. What is on the sheet is saved.
    pub(in super::super) fn leave_coding(&mut self) -> Vec<Effect> {
        let keep = self.coding.as_ref().is_some_and(|c| c.sheet.changed);
        let effects = if keep { self.save() } else { vec![Effect::Draft(None)] };
        // What looked at the session goes with it.
        self.overlays.retain(|o| !matches!(o, Overlay::Code | Overlay::Note(_)));
        if let Some(row) = self.coding.take().and_then(|c| c.row()) {
            self.choose(row);
        }
        self.focus = Focus::List;
        self.keep_visible();
        effects
    }
}
