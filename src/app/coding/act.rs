//! What keys do while a row is coded.

use tui_textarea::{CursorMove, TextArea};

use super::super::menu::{Item, Menu, MenuChoice};
use super::super::{Effect, Focus, Line, Model, Overlay};
use super::{AskDialog, Asked, NoteDialog, NotesNews, Said, Sheet};
use crate::keymap::{Action, Key as Pressed};
use crate::record::{Condition, Question, Verdict};
use crate::review::{self, Act, Neighbours, SlotKind, Trace};

/// Questions whose references are looked through for neighbours; more take too long for a key press.
const NEIGHBOURS: usize = 20_000;
/// Rows up to which notes are put to a table that still grows.
const FEW: usize = 20_000;
/// The last coded rows that the pace is made of.
const PACE: usize = 20;
/// A longer time between two rows was a pause, in seconds.
const PAUSE: f64 = 600.0;

impl Model {
    /// Takes the notes as they are in their file now.
    pub(in super::super) fn take_notes(&mut self, news: NotesNews) -> Vec<Effect> {
        let first = self.review.place.is_empty();
        self.review.notes = news.notes;
        self.review.book = news.book;
        self.review.by = news.by;
        self.review.place = news.place;
        if first && !news.left.is_empty() {
            let n = crate::text::several(news.left.len(), "note");
            self.say(format!(
                "{n} was not saved when the program ended: it is there again when its row is coded"
            ));
        }
        self.review.left.extend(news.left);
        let codings = self.review.notes.codings_by(&self.review.by);
        self.review.pace = pace(&codings);
        self.remark();
        self.reread_sheet();
        if self.filter.active() { self.requery() } else { Vec::new() }
    }

    /// Puts what was said to the rows of the table.
    pub(in super::super) fn remark(&mut self) {
        let known = !self.review.notes.is_empty() || !self.table.marks.0.is_empty();
        if !known || (!self.table.progress.done && self.table.pairs.len() > FEW) {
            return;
        }
        let (notes, book, by) = (&self.review.notes, &self.review.book, self.review.by.as_str());
        let own = review::marks(&self.table, notes, book, Some(by));
        self.review.done = own.0.iter().filter(|(_, m)| m.is_coded()).map(|(&row, _)| row).collect();
        let marks = if self.review.blind { own } else { review::marks(&self.table, notes, book, None) };
        let mut table = (*self.table).clone();
        table.marks = std::sync::Arc::new(marks);
        self.table = std::sync::Arc::new(table);
    }

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

    pub(in super::super) fn open_judge(&mut self) {
        let Some(Ok(bundle)) = self.shown().and_then(|p| self.record(p)) else { return };
        let mut items = Vec::new();
        for (condition, keys) in
            [(Condition::WithSearch, ["r", "w", "u"]), (Condition::NoSearch, ["R", "W", "U"])]
        {
            if bundle.sides.get(condition as usize).is_none_or(Option::is_none) {
                continue;
            }
            let side = condition.name().replace('_', " ");
            let verdicts = [Verdict::Right, Verdict::Wrong, Verdict::Ungraded];
            for (verdict, key) in verdicts.into_iter().zip(keys) {
                let word = if verdict == Verdict::Ungraded { "not to be judged" } else { verdict.name() };
                items.push(Item {
                    label: format!("{side}: {word}"),
                    note: "beats the scorer; asks for a reason".into(),
                    key: key.into(),
                    choice: MenuChoice::Judge(condition, Some(verdict)),
                });
            }
            items.push(Item {
                label: format!("{side}: as graded"),
                note: "takes a person's verdict back".into(),
                key: String::new(),
                choice: MenuChoice::Judge(condition, None),
            });
        }
        self.overlays.push(Overlay::Menu(Menu::new("verdict", false, items)));
    }

    /// A verdict was chosen; what it is given for is asked next.
    pub(in super::super) fn judge(&mut self, condition: Condition, verdict: Option<Verdict>) -> Vec<Effect> {
        match verdict {
            Some(verdict) => {
                let asked = Asked::Reason(condition, verdict);
                self.overlays.push(Overlay::Ask(AskDialog { asked, line: Line::default() }));
                Vec::new()
            }
            None => self.say_of_side(condition, Act::Cleared { what: SlotKind::Verdict, undoes: None }),
        }
    }

    pub(in super::super) fn open_accept(&mut self) {
        let Some(Ok(bundle)) = self.shown().and_then(|p| self.record(p)) else { return };
        let answer = [Condition::WithSearch, Condition::NoSearch]
            .into_iter()
            .filter_map(|c| bundle.sides.get(c as usize).and_then(|s| s.as_deref()))
            .find_map(|a| a.answer.clone())
            .unwrap_or_default();
        let mut line = Line::default();
        line.set(answer.trim());
        self.overlays.push(Overlay::Ask(AskDialog { asked: Asked::Reference, line }));
    }

    /// The line that was asked for is there.
    pub(in super::super) fn answered(&mut self) -> Vec<Effect> {
        let Some(Overlay::Ask(AskDialog { asked, line })) = self.overlays.pop() else { return Vec::new() };
        let text = line.text().trim().to_owned();
        match asked {
            Asked::Reason(condition, verdict) => {
                let effects = self.say_of_side(condition, Act::Verdict { verdict, reason: text });
                self.say(format!("{} {}: {}", condition.name().replace('_', " "), "is now", verdict.name()));
                effects
            }
            Asked::Reference if text.is_empty() => Vec::new(),
            Asked::Reference => {
                let Some(key) = self.shown().and_then(|p| self.note_key(p)) else { return Vec::new() };
                self.say(format!("accepted as well: {text}"));
                let key = review::Key::question(key.question_id);
                let act = Act::Reference { text, reason: String::new() };
                vec![Effect::Note(vec![Said { key, answer: String::new(), act }])]
            }
        }
    }

    fn say_of_side(&mut self, condition: Condition, act: Act) -> Vec<Effect> {
        let Some(shown) = self.shown() else { return Vec::new() };
        let (Some(key), Some(Ok(bundle))) = (self.note_key(shown), self.record(shown)) else {
            return Vec::new();
        };
        let attempt = bundle.sides.get(condition as usize).and_then(|s| s.as_deref());
        let answer = review::answer_hash(attempt.and_then(|a| a.answer.as_deref()));
        vec![Effect::Note(vec![Said { key: key.side(condition), answer, act }])]
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

    /// A codebook that was edited: kept when it can be read, else told why not.
    pub(in super::super) fn take_codebook(&mut self, text: &str) -> Vec<Effect> {
        match review::codebook::parse("codebook.toml", text) {
            Ok(book) => {
                let book = book.succeed(&self.review.book);
                self.say(format!("codebook version {}", book.version));
                vec![Effect::KeepCodebook(Box::new(book))]
            }
            Err(problems) => {
                let first = problems.first().map(ToString::to_string).unwrap_or_default();
                self.fail(format!("the codebook stays as it was: {first}"));
                Vec::new()
            }
        }
    }

    /// Hides or shows what others said.
    pub(in super::super) fn toggle_blind(&mut self) -> Vec<Effect> {
        self.review.blind = !self.review.blind;
        self.say(if self.review.blind {
            "only your own codes and notes are shown"
        } else {
            "everybody's codes and notes are shown"
        });
        self.remark();
        if self.filter.active() { self.requery() } else { Vec::new() }
    }
}

/// Mean seconds between coded rows, pauses left out; `None` without two of them.
fn pace(codings: &[review::Coding<'_>]) -> Option<f64> {
    let last = codings.get(codings.len().saturating_sub(PACE)..)?;
    let seconds = |a: &review::Coding<'_>, b: &review::Coding<'_>| {
        (b.entry.at.as_millisecond() - a.entry.at.as_millisecond()) as f64 / 1_000.0
    };
    let gaps = last.windows(2).filter_map(|w| match w {
        [a, b] => Some(seconds(a, b)).filter(|s| (0.0..PAUSE).contains(s)),
        _ => None,
    });
    let gaps: Vec<f64> = gaps.collect();
    (!gaps.is_empty()).then(|| gaps.iter().sum::<f64>() / gaps.len() as f64)
}
