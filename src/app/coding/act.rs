//! What keys do while a row is coded.

use tui_textarea::{CursorMove, TextArea};

use super::super::{Effect, Focus, Model, Overlay};
use super::{NoteDialog, Said, Sheet};
use crate::keymap::{Action, Key as Pressed};
use crate::record::{Condition, Question};
use crate::review::{self, Act, Neighbours, Trace};

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
        let by = self.review.by.clone();
        let left = self.review.left.iter().find(|e| e.key == key && e.by == by);
        let own: Vec<_> = self.review.notes.codings_by(&by);
        let saved = own.iter().rfind(|c| c.entry.key == key).map(|c| c.entry);
        let book = &self.review.book;
        let resolve = |code: &str, version: u32| book.resolve(code, version).id(code).to_owned();
        let mut sheet = Sheet::of(key.clone(), left.or(saved), resolve);
        sheet.changed = left.is_some();
        if let Some(coding) = &mut self.coding {
            coding.sheet = sheet;
        }
        self.choose(row);
        self.focus = Focus::Detail;
        self.hint();
        if plan.is_empty() {
            return Vec::new();
        }
        vec![Effect::Note(vec![Said {
            key,
            answer: String::new(),
            act: Act::Mark { plan, position: place, of },
        }])]
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
        self.coding.as_mut()?.sheet.toggle(&code);
        Some(self.draft())
    }

    /// An action while a row is coded.
    pub(in super::super) fn act_in_coding(&mut self, action: Action) -> Vec<Effect> {
        let page = self.detail_height();
        let by = super::super::act::distance(action, page);
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
            Action::CodeCounts => self.open_counts(),
            _ => self.detail.step(by, page),
        }
        Vec::new()
    }

    /// Keeps what is on the sheet aside, as it would be written now.
    fn draft(&mut self) -> Vec<Effect> {
        let Some(coding) = self.coding.as_ref().filter(|c| c.sheet.changed) else { return Vec::new() };
        let act = coding.sheet.act(self.review.book.version);
        let said = Said { key: coding.sheet.key.clone(), answer: self.looked_at(), act };
        vec![Effect::Draft(Some(Box::new(said)))]
    }

    /// The hash of the answers of the row being coded; empty while they are not read.
    fn looked_at(&self) -> String {
        let row = self.coding.as_ref().and_then(super::Coding::row);
        let Some(Ok(bundle)) = row.and_then(|r| self.record(r)) else { return String::new() };
        let side = |c: Condition| bundle.sides.get(c as usize).and_then(|s| s.as_deref());
        review::pair_hash(side(Condition::NoSearch), side(Condition::WithSearch))
    }

    fn save_and_next(&mut self) -> Vec<Effect> {
        let Some(coding) = &self.coding else { return Vec::new() };
        if coding.sheet.is_empty() {
            self.say("no code and no note yet: a code's key sets it, → goes on without");
            return Vec::new();
        }
        let mut effects = if coding.sheet.changed { self.save() } else { Vec::new() };
        let Some(coding) = &self.coding else { return effects };
        let (at, len) = (coding.at, coding.rows.len());
        let order = (at + 1..len).chain(0..at);
        let open =
            order.clone().find(|&n| coding.rows.get(n).is_some_and(|d| !self.review.done.contains(&d.row)));
        if let Some(next) = open {
            effects.extend(self.arrive(next));
        } else {
            effects.extend(self.arrive((at + 1).min(len - 1)));
            self.say(if len == 1 { "saved".to_owned() } else { format!("all {len} are coded") });
        }
        effects
    }

    /// Writes the sheet.
    fn save(&mut self) -> Vec<Effect> {
        let answer = self.looked_at();
        let version = self.review.book.version;
        let Some(coding) = &mut self.coding else { return Vec::new() };
        coding.sheet.changed = false;
        let (key, act) = (coding.sheet.key.clone(), coding.sheet.act(version));
        if let Some(row) = coding.row() {
            self.review.done.insert(row);
        }
        self.review.left.retain(|e| e.key != key);
        vec![Effect::Note(vec![Said { key, answer, act }]), Effect::Draft(None)]
    }

    /// Goes to another place; what is on the sheet is saved first, so that nothing is lost by looking around.
    fn leave_sheet(&mut self, to: impl Fn(usize, usize) -> usize) -> Vec<Effect> {
        let Some(coding) = &self.coding else { return Vec::new() };
        let next = to(coding.at, coding.rows.len().saturating_sub(1));
        if next == coding.at {
            self.say(if next == 0 { "this is the first one" } else { "this is the last one" });
            return Vec::new();
        }
        let keep = coding.sheet.changed && !coding.sheet.is_empty();
        let mut effects = if keep { self.save() } else { vec![Effect::Draft(None)] };
        effects.extend(self.arrive(next));
        effects
    }

    fn defer(&mut self) -> Vec<Effect> {
        let answer = self.looked_at();
        let Some(coding) = &mut self.coding else { return Vec::new() };
        coding.sheet.changed = false;
        let (key, note) = (coding.sheet.key.clone(), coding.sheet.note.trim().to_owned());
        let last = coding.rows.len().saturating_sub(1);
        let next = (coding.at + 1).min(last);
        let mut effects =
            vec![Effect::Note(vec![Said { key, answer, act: Act::Deferred { note } }]), Effect::Draft(None)];
        effects.extend(self.arrive(next));
        self.say("left for later");
        effects
    }

    /// Takes back the last thing this person said, or says it again, and goes to its row.
    pub(in super::super) fn undo(&mut self, back: bool) -> Vec<Effect> {
        let (notes, by) = (self.review.notes.clone(), self.review.by.clone());
        let step = if back { notes.undo(&by) } else { notes.redo(&by) };
        let Some(step) = step else {
            self.say(if back { "nothing to undo" } else { "nothing to redo" });
            return Vec::new();
        };
        let key = step.of.key.clone();
        let said = Said { key: key.clone(), answer: step.of.answer.clone(), act: step.act };
        let place = self
            .coding
            .as_ref()
            .and_then(|c| c.rows.iter().position(|d| self.note_key(d.row).is_some_and(|k| k == key)));
        let mut effects = vec![Effect::Draft(None), Effect::Note(vec![said])];
        if let (Some(place), Some(coding)) = (place, &mut self.coding) {
            coding.at = place;
            effects.extend(self.arrive(place));
            // What stands now is not in the notes yet: they come back with it.
            self.coding_stale = true;
        }
        let word = if back { "undone" } else { "redone" };
        self.say(format!("{word}: {} of {}", step.of.act.name(), step.of.key.question_id));
        effects
    }

    /// The sheet is read anew from the notes, after an undo came to stand in them.
    pub(in super::super) fn reread_sheet(&mut self) {
        if !std::mem::take(&mut self.coding_stale) || self.coding.as_ref().is_none_or(|c| c.sheet.changed) {
            return;
        }
        let by = self.review.by.clone();
        let notes = self.review.notes.clone();
        let book = self.review.book.clone();
        let Some(coding) = &mut self.coding else { return };
        let own = notes.codings_by(&by);
        let saved = own.iter().rfind(|c| c.entry.key == coding.sheet.key).map(|c| c.entry);
        let resolve = |code: &str, version: u32| book.resolve(code, version).id(code).to_owned();
        coding.sheet = Sheet::of(coding.sheet.key.clone(), saved, resolve);
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
            coding.sheet.note = text;
            coding.sheet.changed = true;
        }
        self.draft()
    }

    /// Ends the session. What is on the sheet is saved.
    pub(in super::super) fn leave_coding(&mut self) -> Vec<Effect> {
        let keep = self.coding.as_ref().is_some_and(|c| c.sheet.changed && !c.sheet.is_empty());
        let effects = if keep { self.save() } else { vec![Effect::Draft(None)] };
        self.overlays.retain(|o| !matches!(o, Overlay::Code));
        self.coding = None;
        self.focus = Focus::List;
        self.keep_visible();
        effects
    }
}
