//! The keymap as a list to read: for the help screen and for `lookitup keys`.

use std::fmt::Write as _;

use super::{Action, Context, Group, Keymap};

/// One line of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Where it applies.
    pub context: Context,
    /// What is called.
    pub action: Action,
    /// Every way to call it, in order of preference; empty when it is not bound in any context.
    pub keys: Vec<String>,
}

impl Keymap {
    /// Every bound action, by context, then in the order of [`Action::ALL`]; then those that no key calls, under
    /// [`Context::Global`] without keys.
    pub fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut unbound = Vec::new();
        for context in Context::ALL {
            for &action in Action::ALL {
                let keys = self.keys(context, action);
                if !keys.is_empty() {
                    entries.push(Entry { context, action, keys });
                }
            }
        }
        for &action in Action::ALL {
            if !entries.iter().any(|e| e.action == action) {
                unbound.push(Entry { context: Context::Global, action, keys: Vec::new() });
            }
        }
        entries.extend(unbound);
        entries
    }

    /// What works in these contexts (innermost first), an action once, for the help screen: group by group.
    pub fn help(&self, contexts: &[Context]) -> Vec<(Group, Vec<Entry>)> {
        let mut entries: Vec<Entry> = Vec::new();
        for (binding, context) in self.visible(contexts) {
            let keys = super::spell(&binding.keys);
            match entries.iter_mut().find(|e| e.action == binding.action) {
                Some(entry) => entry.keys.push(keys),
                None => entries.push(Entry { context, action: binding.action, keys: vec![keys] }),
            }
        }
        Group::ALL
            .into_iter()
            .map(|group| {
                let mut of: Vec<Entry> =
                    entries.iter().filter(|e| e.action.group() == group).cloned().collect();
                of.sort_by_key(|e| e.action);
                (group, of)
            })
            .filter(|(_, of)| !of.is_empty())
            .collect()
    }

    /// The keymap as Markdown tables, one a context.
    pub fn markdown(&self) -> String {
        let entries = self.entries();
        let mut out = String::from("# Keys\n");
        for context in Context::ALL {
            let _ = write!(out, "\n## {} (`{context}`)\n\n", capital(context.help()));
            out.push_str("| Keys | Action | What it does |\n|---|---|---|\n");
            for e in entries.iter().filter(|e| e.context == context) {
                let keys = e.keys.iter().map(|k| code(k)).collect::<Vec<_>>().join(" ");
                let keys = if keys.is_empty() { "–".to_owned() } else { keys };
                let _ = writeln!(out, "| {keys} | `{}` | {} |", e.action, e.action.help());
            }
        }
        out
    }
}

/// The default keymap as Markdown: what `data/keys.md` holds.
pub fn reference() -> String {
    Keymap::default().markdown()
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// A key as code in a table cell, where a bar would end the cell.
fn code(key: &str) -> String {
    format!("`{}`", key.replace('|', "\\|"))
}
