//! The one way that anything changes: a message in, effects out.

use crate::keymap::{Action, Key, Resolved};

use super::{Effect, MenuChoice, Model, Msg, Overlay, Request, Session, Wanted, Wants};

/// Rows of the list that are read ahead on either side.
const AHEAD: usize = 32;
/// Whole rows that are read ahead on either side.
const NEAR: usize = 4;

/// Takes a message, changes the model, says what must be done.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = match msg {
        Msg::Key(key) => model.key(key),
        Msg::Paste(text) => model.paste(&text),
        Msg::Mouse(event) => {
            model.status = None;
            model.mouse(event)
        }
        Msg::Resize(width, height) => {
            model.size = (width, height);
            model.keep_visible();
            Vec::new()
        }
        Msg::Table(table) => {
            let mut effects = model.take_table(table);
            effects.extend(model.check_newer_table());
            effects
        }
        Msg::Answer(answer) => {
            model.take(*answer);
            model.seek();
            Vec::new()
        }
        Msg::Records(generation, found) => {
            // Rows of another generation have other numbers: what was read for them is not theirs.
            if generation == model.table.generation {
                model.records.put(found);
            }
            Vec::new()
        }
        Msg::Job(id, news) => model.news(id, news),
        Msg::Edited(edited) => {
            // What was edited is what was on top, since nothing comes on top while the editor has the terminal; the
            // codebook can be edited from anywhere.
            let is_book = std::mem::take(&mut model.review.editing);
            match (edited, model.overlays.last_mut()) {
                (Ok(Some(text)), _) if is_book => model.take_codebook(&text),
                (Ok(Some(text)), Some(Overlay::Reask(form))) => {
                    form.take_prompt(&text);
                    Vec::new()
                }
                (Ok(Some(text)), Some(Overlay::Code | Overlay::Note(_))) => {
                    model.overlays.retain(|o| !matches!(o, Overlay::Note(_)));
                    model.noted(&text)
                }
                (Err(why), _) => {
                    model.fail(why);
                    Vec::new()
                }
                _ => Vec::new(),
            }
        }
        Msg::Checked(id, report) => model.take_report(id, report),
        Msg::Notes(news) => model.take_notes(*news),
        Msg::NotesShut(why) => {
            model.shut_notes(why);
            Vec::new()
        }
        Msg::Counted(id, found) => {
            model.take_counts(id, found);
            Vec::new()
        }
        Msg::Reviewed(reviewed) => model.take_reviewed(*reviewed),
        Msg::Prepared(asking) => {
            model.prepared = true;
            model.asking = asking;
            Vec::new()
        }
        Msg::Dropped(rows) => {
            model.records.dropped(&rows);
            Vec::new()
        }
        Msg::Copied(Ok(how)) => {
            model.say(how);
            Vec::new()
        }
        Msg::Copied(Err(why)) | Msg::Failed(why) => {
            model.fail(why);
            Vec::new()
        }
        Msg::Note(text) => {
            model.say(text);
            Vec::new()
        }
    };
    if model.form_waits && model.prepared && model.shown().is_some_and(|p| model.record(p).is_some()) {
        model.status = None;
        model.open_reask();
    }
    if model.coding_waits.is_some() {
        effects.extend(model.resume_coding());
    }
    if model.coding.is_some() {
        model.hint();
    }
    let missing = model.wanted();
    if !missing.is_empty() {
        effects.push(Effect::Fetch(missing));
    }
    effects
}

impl Model {
    fn key(&mut self, key: Key) -> Vec<Effect> {
        self.status = None;
        self.form_waits = false;
        let contexts = self.contexts();
        let keymap = self.keymap.clone();
        let typing = contexts.iter().any(|c| c.takes_text());
        let pending = std::mem::take(&mut self.pending);
        if let Some(choice) = self.shortcut(key) {
            return self.take_choice(choice);
        }
        if pending.is_empty()
            && let Some(effects) = self.code_key(key)
        {
            return effects;
        }
        match keymap.resolve(&contexts, &pending, key) {
            Resolved::Action(action) => self.act(action),
            Resolved::Pending(_) => {
                self.pending = pending;
                self.pending.push(key);
                Vec::new()
            }
            Resolved::None if typing => self.typed(key),
            Resolved::None => Vec::new(),
        }
    }

    /// A key that is text.
    fn typed(&mut self, key: Key) -> Vec<Effect> {
        match self.overlays.last_mut() {
            Some(Overlay::Menu(menu)) => {
                if menu.query.key(key) {
                    menu.narrow();
                    return self.preview();
                }
                Vec::new()
            }
            Some(Overlay::SaveView(line)) => {
                line.key(key);
                Vec::new()
            }
            Some(Overlay::Ask(dialog)) => {
                dialog.line.key(key);
                Vec::new()
            }
            Some(Overlay::Text(text) | Overlay::Problems(text)) => {
                if text.query.key(key) {
                    text.narrow();
                }
                Vec::new()
            }
            Some(Overlay::Note(dialog)) => {
                dialog.area.input(crossterm::event::KeyEvent::from(key));
                let text = dialog.area.lines().join("\n");
                self.noted(&text)
            }
            Some(Overlay::Reask(form)) => {
                form.key(key, &self.asking);
                Vec::new()
            }
            _ => {
                self.before_term = None;
                let changed = self.filter.editing.as_mut().is_some_and(|e| {
                    let changed = e.line.key(key);
                    if changed {
                        e.walk = None;
                    }
                    changed
                });
                if changed && self.filter.edited(&self.table, self.scorer) {
                    self.requery()
                } else {
                    Vec::new()
                }
            }
        }
    }

    /// In a menu without typing, a key that an item shows chooses it, whatever it means elsewhere.
    fn shortcut(&self, key: Key) -> Option<MenuChoice> {
        let Some(Overlay::Menu(menu)) = self.overlays.last() else { return None };
        menu.by_key(&key.to_string()).map(|i| i.choice.clone())
    }

    /// Pasted text is one edit where text can be typed, and nothing elsewhere: it must never act as keys.
    fn paste(&mut self, text: &str) -> Vec<Effect> {
        if let Some(Overlay::Reask(form)) = self.overlays.last_mut() {
            form.paste(text);
            return Vec::new();
        }
        if let Some(Overlay::Note(dialog)) = self.overlays.last_mut() {
            dialog.area.insert_str(crate::text::sanitize(text));
            let text = dialog.area.lines().join("\n");
            return self.noted(&text);
        }
        let text = crate::text::sanitize_line(text.trim_end_matches(['\r', '\n'])).into_owned();
        match self.overlays.last_mut() {
            Some(Overlay::Menu(menu)) if menu.typing => {
                menu.query.insert(&text);
                menu.narrow();
                return self.preview();
            }
            Some(Overlay::SaveView(line)) => line.insert(&text),
            Some(Overlay::Ask(dialog)) => dialog.line.insert(&text),
            Some(Overlay::Text(dialog) | Overlay::Problems(dialog)) if dialog.typing => {
                dialog.query.insert(&text);
                dialog.narrow();
            }
            Some(_) => {}
            None => {
                if self.filter.editing.is_none() {
                    self.say("press the filter key first to paste a filter");
                    return Vec::new();
                }
                if let Some(editing) = &mut self.filter.editing {
                    editing.line.insert(&text);
                    editing.walk = None;
                }
                if self.filter.edited(&self.table, self.scorer) {
                    return self.requery();
                }
            }
        }
        Vec::new()
    }

    fn take_table(&mut self, table: std::sync::Arc<crate::store::Table>) -> Vec<Effect> {
        if table.generation != self.table.generation {
            self.name_coding();
            // Row numbers mean something else now: find the selected row by its name again.
            if self.restore.is_none() {
                self.restore = self.selected_key();
            }
            self.place.chosen = None;
            self.view.rows = super::Rows::default();
            self.view.shown = self.view.wanted;
            self.detail.reset();
            self.records.clear();
            self.view.complete = false;
        }
        let mut effects = Vec::new();
        if self.graded.is_some() {
            // What is read anew is as graded; people's verdicts are put to it again when all of it is there.
            self.graded = Some(table.clone());
            if table.progress.done {
                effects.push(Effect::Review(table.clone(), self.review.notes.clone()));
            }
        }
        self.table = table;
        self.remark();
        effects.extend(self.find_coding());
        effects.extend(self.ask(true));
        self.seek();
        effects
    }

    /// Asks for rows and figures anew. Without filter and order the rows are known at once.
    pub(super) fn requery(&mut self) -> Vec<Effect> {
        self.ask(false)
    }

    /// The same; `refresh` when only the table is newer.
    fn ask(&mut self, refresh: bool) -> Vec<Effect> {
        let refresh = refresh && self.view.complete;
        self.view.wanted += 1;
        if self.filter.expr.is_none() && self.filter.toggles.0 == 0 && self.sort.is_empty() {
            let id = self.view.wanted;
            self.take(super::Answer {
                id,
                generation: self.table.generation,
                rows: super::Rows::All(self.table.pairs.len() as u32),
                complete: true,
                refresh,
                summary: None,
                bins: None,
                groups: None,
            });
        }
        vec![Effect::Query(Box::new(Request {
            id: self.view.wanted,
            table: self.table.clone(),
            filter: self.filter.expr.clone(),
            toggles: self.filter.toggles,
            sort: self.sort.clone(),
            scorer: self.scorer,
            errors: self.errors,
            bins: self.overlays.iter().find_map(|o| match o {
                Overlay::Bins(bins) => Some(bins.request),
                _ => None,
            }),
            groups: self.groups_request(),
            refresh,
        }))]
    }

    /// The pairs whose records the screen lacks: those visible, and the one in the detail. With them, so that the next
    /// key finds them there, come the rows around.
    fn wanted(&mut self) -> Wanted {
        let Some(areas) = self.areas() else { return Wanted::default() };
        let visible = usize::from(areas.rows.height);
        let place = self.place;
        let shown = self.shown();
        let rows = |from: usize, to: usize| -> Vec<(u32, super::Sides)> {
            let pairs = (from..to).map_while(|at| self.view.rows.get(at));
            pairs.filter_map(|p| Some((p, self.pair(p)?.sides))).collect()
        };
        let seen = rows(place.top, place.top + visible);
        let ahead = rows(place.top.saturating_sub(AHEAD), place.top + visible + AHEAD);
        let near = match &self.coding {
            Some(coding) => {
                let next = coding.rows.iter().skip(coding.at).take(NEAR + 1);
                next.filter_map(|d| Some((d.row, self.pair(d.row)?.sides))).collect()
            }
            None => rows(place.cursor.saturating_sub(NEAR), place.cursor + NEAR + 1),
        };
        let whole: Vec<_> = shown.iter().filter_map(|&p| Some((p, self.pair(p)?.sides))).collect();
        let (brief, all) = (&mut self.records.brief, &mut self.records.whole);
        let now = Wants { brief: brief.missing(seen.into_iter()), whole: all.missing(whole.into_iter()) };
        // Reading ahead goes by strides: a thread that is woken for every row costs more than the row.
        let ahead = Wants {
            brief: brief.missing_of(ahead.into_iter(), AHEAD / 2),
            whole: all.missing_of(near.into_iter(), NEAR),
        };
        Wanted { now, ahead }
    }

    pub(super) fn leave(&mut self) -> Vec<Effect> {
        let mut effects = if self.coding.is_some() { self.leave_coding() } else { Vec::new() };
        if self.unwritten() > 0 && !std::mem::replace(&mut self.warned, true) {
            let n = crate::text::several(self.unwritten(), "note");
            self.fail(format!("{n} not on the disk, leave again to go without"));
            effects.push(Effect::Note(Vec::new()));
            return effects;
        }
        self.filter.remember();
        effects.extend([Effect::Save(Box::new(Session::of(self))), Effect::Quit]);
        effects
    }

    /// What a finished action changes on the screen besides: the session is worth saving.
    pub(super) fn settle(&self) -> Effect {
        Effect::Save(Box::new(Session::of(self)))
    }

    /// Whether an action makes sense where the keys are: used by the palette and the hints.
    pub fn offers(&self, action: Action) -> bool {
        match action {
            Action::NextAttempt | Action::PreviousAttempt => {
                self.shown().is_some_and(|p| self.repeats(p).len() > 1)
            }
            Action::ClearFilter | Action::SaveView => self.filter.active(),
            _ => true,
        }
    }
}
