//! A person's verdict on an answer, and answers accepted besides.

use super::super::menu::{Item, Menu, MenuChoice};
use super::super::{Effect, Line, Model, Overlay};
use super::{AskDialog, Asked, Said};
use crate::record::{Condition, Verdict};
use crate::review::{self, Act, SlotKind};

impl Model {
    pub(in super::super) fn open_judge(&mut self) {
        if !self.can_tell() {
            return;
        }
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
        if let Some(verdict) = verdict {
            let asked = Asked::Reason(condition, verdict);
            self.overlays.push(Overlay::Ask(AskDialog { asked, line: Line::default() }));
            return Vec::new();
        }
        let side = condition.name().replace('_', " ");
        let key = self.shown().and_then(|p| self.note_key(p)).map(|k| k.side(condition));
        let (notes, by) = (&self.review.notes, self.review.by.as_str());
        // Blind, whether others gave one is not told either.
        let given = key
            .as_ref()
            .and_then(|k| if self.review.blind { notes.verdict_by(k, by) } else { notes.verdict(k) });
        if given.is_none() {
            self.say(format!("nobody gave a verdict on {side}"));
            return Vec::new();
        }
        self.say(format!("{side} counts as graded again"));
        self.say_of_side(condition, Act::Cleared { what: SlotKind::Verdict, undoes: None })
    }

    pub(in super::super) fn open_accept(&mut self) {
        if !self.can_tell() {
            return;
        }
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
                self.say(format!("{} is now {}", condition.name().replace('_', " "), verdict.name()));
                effects
            }
            Asked::Reference if text.is_empty() => Vec::new(),
            Asked::Reference => {
                let Some(key) = self.shown().and_then(|p| self.note_key(p)) else { return Vec::new() };
                self.say(format!("accepted as well: {text}"));
                let key = review::Key::question(key.question_id);
                let act = Act::Reference { text, reason: String::new() };
                self.tell(Said { key, answer: String::new(), act })
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
        self.tell(Said { key: key.side(condition), answer, act })
    }
}
