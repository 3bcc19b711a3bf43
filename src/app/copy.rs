//! What can be copied of the pair shown.

use crate::record::Condition;
use crate::store::Bundle;

use super::Model;
use super::menu::{Item, MenuChoice};

/// Something to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// The answer under a condition.
    Answer(Condition),
    /// The full text under a condition.
    Raw(Condition),
    /// The question.
    Question,
    /// The question's id.
    Id,
    /// The queries, one a line.
    Queries,
    /// Question and attempts as JSON.
    Json,
    /// Everything as Markdown.
    Markdown,
    /// The command that opens this question.
    Link,
    /// The filter's text.
    Filter,
}

impl Model {
    /// The items of the copy menu: only what there is.
    pub(super) fn copy_items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        let mut add = |key: &str, label: &str, note: String, copied: Copied| {
            items.push(Item { label: label.into(), note, key: key.into(), choice: MenuChoice::Copy(copied) });
        };
        if let Some(Ok(bundle)) = self.shown().and_then(|p| self.record(p)) {
            let short = |s: &str| crate::text::truncate(&crate::text::sanitize_line(s), 40).into_owned();
            add("t", "question", short(&bundle.question.question), Copied::Question);
            for (condition, key, raw_key) in [
                (Condition::WithSearch, "a", "r"),
                (Condition::NoSearch, "A", "R"),
                (Condition::EvidenceBlocked, "b", "B"),
            ] {
                let Some(Some(attempt)) = bundle.sides.get(condition as usize) else { continue };
                let name = condition.name().replace('_', " ");
                if let Some(answer) = &attempt.answer {
                    add(key, &format!("answer {name}"), short(answer), Copied::Answer(condition));
                }
                if let Some(raw) = &attempt.raw {
                    add(raw_key, &format!("full text {name}"), short(raw), Copied::Raw(condition));
                }
            }
            if bundle
                .sides
                .iter()
                .flatten()
                .any(|a| a.search_calls.iter().any(|c| c.all_queries().next().is_some()))
            {
                add("s", "search queries", String::new(), Copied::Queries);
            }
            add("J", "JSON", "question and attempts".into(), Copied::Json);
            add("m", "Markdown", "to paste into an issue or a paper".into(), Copied::Markdown);
        }
        if let Some((id, ..)) = self.shown().and_then(|p| self.key_of(p)) {
            let id = self.copied_text(Copied::Id).unwrap_or(id);
            add("i", "id", id, Copied::Id);
            add("l", "deep link", "the command that opens this question".into(), Copied::Link);
        }
        if !self.filter.applied.is_empty() {
            add("f", "filter", self.filter.applied.clone(), Copied::Filter);
        }
        items
    }

    /// The text of something to copy; `None` when it is not there (any more).
    pub(super) fn copied_text(&self, copied: Copied) -> Option<String> {
        if copied == Copied::Filter {
            return Some(self.filter.applied.clone());
        }
        let pair = self.shown()?;
        match copied {
            Copied::Link => return self.deep_link(pair),
            Copied::Id => {
                return match self.record(pair) {
                    Some(Ok(b)) => Some(b.question.id.clone()),
                    _ => self.key_of(pair).map(|k| k.0),
                };
            }
            _ => {}
        }
        let Some(Ok(bundle)) = self.record(pair) else { return None };
        match copied {
            Copied::Question => Some(bundle.question.question.clone()),
            Copied::Answer(c) => side(bundle, c)?.answer.clone(),
            Copied::Raw(c) => side(bundle, c)?.raw.clone(),
            Copied::Queries => {
                let calls = bundle.sides.iter().flatten().flat_map(|a| &a.search_calls);
                Some(calls.flat_map(crate::record::SearchCall::all_queries).collect::<Vec<_>>().join("\n"))
            }
            Copied::Json => Some(crate::view::bundle_json(&self.table, pair, bundle, self.scorer)),
            Copied::Markdown => Some(crate::view::markdown(&self.table, pair, bundle, self.scorer)),
            Copied::Link | Copied::Id | Copied::Filter => None,
        }
    }

    /// Has the attempts of every row shown written to a file.
    pub(super) fn export(&mut self) -> Vec<super::Effect> {
        if !self.view.complete {
            self.say("the rows are still being looked for: try again in a moment");
        } else if self.view.rows.is_empty() {
            self.say("no row is shown: there is nothing to write");
        } else {
            let pairs = crate::text::several(self.view.rows.len(), "pair");
            self.say(format!("writing {pairs} …"));
            let (table, rows) = (self.table.clone(), self.view.rows.clone());
            return vec![super::Effect::Export(Box::new(super::Exported {
                table,
                rows,
                scorer: self.scorer,
            }))];
        }
        Vec::new()
    }

    /// The command that opens a pair, quoted for a POSIX shell.
    fn deep_link(&self, pair: u32) -> Option<String> {
        let attempt = self.pair(pair)?.attempt;
        let id = match self.record(pair) {
            Some(Ok(b)) => b.question.id.clone(),
            _ => self.key_of(pair)?.0,
        };
        let mut words = vec!["lookitup".to_owned()];
        words.extend(self.paths.iter().map(|p| quoted(p)));
        words.push(format!("--open={}", quoted(&format!("{id}:{attempt}"))));
        // The same question may have been put to several models: the filter tells which one is meant.
        if let Some(model) = self.table.names.models.word(self.pair(pair)?.model) {
            let term = format!("model=\"{}\"", model.replace('\\', "\\\\").replace('"', "\\\""));
            words.push(format!("--filter={}", quoted(&term)));
        }
        Some(words.join(" "))
    }
}

fn side(bundle: &Bundle, condition: Condition) -> Option<&crate::record::Attempt> {
    bundle.sides.get(condition as usize)?.as_deref()
}

/// A word as a POSIX shell takes it: an id or a file name is foreign text and must not act when the link is pasted.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@+".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", crate::text::sanitize_line(word).replace('\'', "'\\''"))
}
