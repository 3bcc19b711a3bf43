//! Actions and the keys that call them.
//!
//! Owns the names of actions and contexts, the spelling of keys, the defaults, what a user's `[keys]` changes about
//! them, and the way from pressed keys to an action. Does not know what an action does.

mod action;
mod build;
mod key;
mod reference;

pub use action::{Action, Context, Group};
pub use build::{Change, Edit, read};
pub use key::{Code, Key, KeyError, spell};
pub use reference::{Entry, reference};

use crate::config::source::Source;

/// The defaults as shipped, with a comment on each.
pub const DEFAULT: &str = include_str!("default.toml");

/// One way to call an action.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The keys to press, one after the other; never empty.
    pub keys: Vec<Key>,
    /// What they call.
    pub action: Action,
    /// The line of the user's file that bound it; 0 for a default.
    pub line: usize,
}

impl Binding {
    /// Whether an outer context's binding cannot be reached beside this one.
    fn hides(&self, outer: &Self) -> bool {
        outer.keys.starts_with(&self.keys) || self.keys.starts_with(&outer.keys)
    }
}

/// Which keys call which action, in each context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    contexts: [Vec<Binding>; Context::ALL.len()],
}

/// What a key press comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Resolved {
    /// An action is called; the pressed keys are used up.
    Action(Action),
    /// More keys are needed: what may follow, and what it calls.
    Pending(Vec<(String, Action)>),
    /// Nothing is bound: forget the pending keys; in a text context the key is text.
    None,
}

impl Default for Keymap {
    fn default() -> Self {
        let mut keymap = Self { contexts: Default::default() };
        let (mut source, tables) = Source::parse("default.toml", DEFAULT);
        let changes = read(&mut source, "", &tables);
        keymap.apply(&changes, &mut source);
        for binding in keymap.contexts.iter_mut().flatten() {
            binding.line = 0;
        }
        keymap
    }
}

impl Keymap {
    /// The bindings of one context, in the order of the defaults.
    pub fn bindings(&self, context: Context) -> &[Binding] {
        self.contexts.get(context as usize).map_or(&[], Vec::as_slice)
    }

    fn bindings_mut(&mut self, context: Context) -> Option<&mut Vec<Binding>> {
        self.contexts.get_mut(context as usize)
    }

    /// What `key`, pressed after the `pending` ones, comes to.
    ///
    /// `contexts` go from the innermost outwards; [`Context::Global`] is asked last even when it isn't named. The first
    /// context that knows the keys decides. Outside of a text context, no letter and no editing key of it is seen
    /// ([`Action::works_while_typing`]).
    pub fn resolve(&self, contexts: &[Context], pending: &[Key], key: Key) -> Resolved {
        let mut pressed = pending.to_vec();
        pressed.push(key);
        let mut follow: Vec<(String, Action)> = Vec::new();
        for (binding, _) in self.reachable(contexts, pressed.first().copied()) {
            let Some(rest) = binding.keys.strip_prefix(pressed.as_slice()) else { continue };
            if rest.is_empty() {
                if follow.is_empty() {
                    return Resolved::Action(binding.action);
                }
                continue;
            }
            let rest = spell(rest);
            if !follow.iter().any(|(keys, _)| *keys == rest) {
                follow.push((rest, binding.action));
            }
        }
        if follow.is_empty() { Resolved::None } else { Resolved::Pending(follow) }
    }

    /// The bindings that these contexts see, innermost first; `first` is the first key pressed, where one was.
    fn reachable<'a>(
        &'a self,
        contexts: &'a [Context],
        first: Option<Key>,
    ) -> impl Iterator<Item = (&'a Binding, Context)> {
        let global = (!contexts.contains(&Context::Global)).then_some(Context::Global);
        let mut typing = false;
        contexts.iter().copied().chain(global).flat_map(move |context| {
            let outside = typing;
            typing |= context.takes_text();
            self.bindings(context)
                .iter()
                .filter(move |b| {
                    !outside
                        || (b.action.works_while_typing()
                            && first.or_else(|| b.keys.first().copied()).is_none_or(|k| k.text().is_none()))
                })
                .map(move |b| (b, context))
        })
    }

    /// The reachable bindings whose keys no inner context uses for something else.
    fn visible<'a>(&'a self, contexts: &'a [Context]) -> Vec<(&'a Binding, Context)> {
        let mut visible: Vec<(&Binding, Context)> = Vec::new();
        for (binding, context) in self.reachable(contexts, None) {
            let shadowed = visible.iter().any(|(inner, of)| *of != context && inner.hides(binding));
            if !shadowed {
                visible.push((binding, context));
            }
        }
        visible
    }

    /// The first key of an action in a context, or else everywhere: what a footer shows.
    pub fn hint(&self, context: Context, action: Action) -> Option<String> {
        // Asked a dozen times a frame: only what the context itself binds can be in the way of what is bound everywhere.
        let inner = self.bindings(context);
        let contexts = [context];
        self.reachable(&contexts, None)
            .find(|(b, of)| b.action == action && (*of == context || !inner.iter().any(|i| i.hides(b))))
            .map(|(b, _)| spell(&b.keys))
    }

    /// Every key of an action in exactly this context.
    pub fn keys(&self, context: Context, action: Action) -> Vec<String> {
        self.bindings(context).iter().filter(|b| b.action == action).map(|b| spell(&b.keys)).collect()
    }
}

#[cfg(test)]
#[path = "keymap_tests.rs"]
mod tests;
