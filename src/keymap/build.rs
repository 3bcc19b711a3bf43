//! From the tables of a file to bindings: replace, add, unbind, and the conflicts.

use toml::de::DeTable;

use super::{Action, Binding, Context, Key, Keymap, spell};
use crate::config::source::{Source, in_order};

/// What a line of a keys table does to the keys of its action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// These and no others; none at all unbinds the action.
    Replace(Vec<Vec<Key>>),
    /// These as well.
    Add(Vec<Vec<Key>>),
}

/// One line of a keys table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Where it applies.
    pub context: Context,
    /// Whose keys change.
    pub action: Action,
    /// How.
    pub edit: Edit,
    /// Its line in the file.
    pub line: usize,
}

impl Change {
    fn path(&self) -> String {
        format!("keys.{}.{}", self.context, self.action)
    }
}

/// Reads the tables `[global]`, `[list]`, … that stand under `path`; what can't be read is complained of and left out.
pub fn read(source: &mut Source<'_>, path: &str, tables: &DeTable<'_>) -> Vec<Change> {
    let contexts: Vec<&str> = Context::ALL.iter().map(|c| c.id()).collect();
    let actions: Vec<&str> = Action::ALL.iter().map(|a| a.id()).collect();
    let mut changes = Vec::new();
    for (name, at, value) in in_order(tables) {
        let Some(context) = Context::parse(name) else {
            if Action::parse(name).is_some() {
                source.complain(
                    at,
                    format!("{path}.{name} stands outside of a context"),
                    format!("move it under [{path}.global], or another of: {}", contexts.join(", ")),
                );
            } else {
                source.unknown(at, "context", name, &contexts);
            }
            continue;
        };
        let Some(table) = source.table(&format!("{path}.{name}"), value) else { continue };
        for (id, at, value) in in_order(table) {
            let Some(action) = Action::parse(id) else {
                source.unknown(at, "action", id, &actions);
                continue;
            };
            let line = source.line(at.start);
            let setting = format!("{path}.{name}.{id}");
            let Some(words) = source.strings(&setting, value, "[\"j\", \"ctrl-n\"]") else { continue };
            if let Some(edit) = edit(source, &setting, &words) {
                changes.push(Change { context, action, edit, line });
            }
        }
    }
    changes
}

fn edit(source: &mut Source<'_>, setting: &str, words: &[(String, usize)]) -> Option<Edit> {
    let is_added = |w: &str| w.len() > 1 && w.starts_with('+');
    if let [(word, _)] = words
        && word == "none"
    {
        return Some(Edit::Replace(Vec::new()));
    }
    let added = words.iter().filter(|(w, _)| is_added(w)).count();
    if added > 0 && added < words.len() {
        let line = words.first().map_or(0, |w| w.1);
        source.complain_at(
            line,
            format!("{setting} has keys with and without +"),
            "write + before all of them to add, before none to replace",
        );
        return None;
    }
    let mut keys = Vec::new();
    for (word, line) in words {
        let word = if added > 0 { word.get(1..).unwrap_or_default() } else { word };
        match Key::sequence(word) {
            Ok(sequence) => keys.push(sequence),
            Err(e) => source.complain_at(*line, format!("{setting}: {e}"), e.hint()),
        }
    }
    if keys.is_empty() && !words.is_empty() {
        return None;
    }
    Some(if added > 0 { Edit::Add(keys) } else { Edit::Replace(keys) })
}

impl Keymap {
    /// The defaults with a user's changes. A change that can't be is complained of, and what it would have taken away
    /// stays.
    pub fn with(changes: &[Change], source: &mut Source<'_>) -> Self {
        let mut keymap = Self::default();
        keymap.apply(changes, source);
        keymap.keep_a_way_out(changes, source);
        keymap
    }

    pub(super) fn apply(&mut self, changes: &[Change], source: &mut Source<'_>) {
        // First everything that is taken away, so that a key may move from one action to another in any order of lines.
        let mut taken: Vec<(Context, Binding)> = Vec::new();
        for change in changes {
            if let Edit::Replace(_) = change.edit
                && let Some(bindings) = self.bindings_mut(change.context)
            {
                taken.extend(
                    bindings.extract_if(.., |b| b.action == change.action).map(|b| (change.context, b)),
                );
            }
        }
        let mut failed = Vec::new();
        for change in changes {
            let (Edit::Replace(sequences) | Edit::Add(sequences)) = &change.edit;
            let mut bound = sequences.is_empty();
            for keys in sequences {
                bound |= self.bind(change, keys, source);
            }
            if !bound {
                failed.push(change);
            }
        }
        for change in failed {
            self.give_back(change, &taken);
        }
    }

    /// Binds one sequence; false, with a complaint, when that can't be.
    fn bind(&mut self, change: &Change, keys: &[Key], source: &mut Source<'_>) -> bool {
        let path = change.path();
        let spelled = spell(keys);
        if let Some(c) = keys.first().and_then(|k| k.text())
            && change.context.takes_text()
        {
            source.complain_at(
                change.line,
                format!("{path}: \"{spelled}\" would keep {c:?} from being typed"),
                "use a key with ctrl or alt, or a function key",
            );
            return false;
        }
        let Some(bindings) = self.bindings_mut(change.context) else { return false };
        let clash = bindings.iter().find(|b| b.keys.starts_with(keys) || keys.starts_with(&b.keys)).cloned();
        let Some(other) = clash else {
            bindings.push(Binding { keys: keys.to_vec(), action: change.action, line: change.line });
            return true;
        };
        if other.keys == keys && other.action == change.action {
            return true;
        }
        let theirs = spell(&other.keys);
        let whose = match other.line {
            0 => "a default".to_owned(),
            line => format!("line {line}"),
        };
        let message = if other.keys == keys {
            format!("{path}: \"{spelled}\" is already {} ({whose})", other.action)
        } else if other.keys.len() > keys.len() {
            format!("{path}: \"{spelled}\" would make \"{theirs}\" ({}, {whose}) unreachable", other.action)
        } else {
            format!(
                "{path}: \"{spelled}\" can't be reached, because \"{theirs}\" is {} ({whose})",
                other.action
            )
        };
        source.complain_at(
            change.line,
            message,
            format!(
                "choose another key, or free it with {} = [] under [keys.{}]",
                other.action, change.context
            ),
        );
        false
    }

    /// An action whose new keys all failed keeps its old ones, as far as they are still free.
    fn give_back(&mut self, change: &Change, taken: &[(Context, Binding)]) {
        let Some(bindings) = self.bindings_mut(change.context) else { return };
        for (_, old) in taken.iter().filter(|(c, b)| *c == change.context && b.action == change.action) {
            let free =
                !bindings.iter().any(|b| b.keys.starts_with(&old.keys) || old.keys.starts_with(&b.keys));
            if free {
                bindings.push(old.clone());
            }
        }
    }

    /// A program that no key leaves is a trap: without one, `ctrl-c` quits.
    fn keep_a_way_out(&mut self, changes: &[Change], source: &mut Source<'_>) {
        let line = changes.iter().find(|c| c.action == Action::Quit).map_or(0, |c| c.line);
        let Some(bindings) = self.bindings_mut(Context::Global) else { return };
        if bindings.iter().any(|b| b.action == Action::Quit) {
            return;
        }
        let keys = vec![Key::ctrl('c')];
        bindings.retain(|b| !b.keys.starts_with(&keys));
        bindings.push(Binding { keys, action: Action::Quit, line: 0 });
        source.complain_at(
            line,
            "keys.global.quit: no key would leave the program",
            "give quit a key; ctrl-c does it until then",
        );
    }
}

#[cfg(test)]
#[path = "build_tests.rs"]
mod tests;
