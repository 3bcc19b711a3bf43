//! A configuration file to start from.

use std::fmt::Write as _;

use super::settings::{Kind, SETTINGS};
use crate::keymap::{Context, Keymap};

/// Every setting with its meaning and its default, all commented out: a file that changes nothing until one does.
pub fn example() -> String {
    let mut out = String::from(
        "# lookitup: settings. Lines that start with # are comments; these are the defaults.\n\
         # Each setting can also be given in the environment: theme-dark as LOOKITUP_THEME_DARK.\n",
    );
    for s in SETTINGS {
        let _ = write!(out, "\n# {}.\n", s.help);
        if let Kind::Word(words) = s.kind {
            let _ = writeln!(out, "# One of: {}.", words.join(", "));
        }
        if let Kind::Columns = s.kind {
            let ids: Vec<&str> = crate::view::Column::ALL.iter().map(|c| c.id()).collect();
            let _ = writeln!(out, "# There are: {}.", ids.join(", "));
        }
        if let Kind::Int(low, high) = s.kind {
            let _ = writeln!(out, "# From {low} to {high}.");
        }
        let _ = writeln!(out, "# {} = {}", s.name, s.default);
    }
    out.push_str(
        "\n# Views: filters with a name, and an order if you like. Any number of them.\n\
         # [[views]]\n\
         # name = \"confidently broken\"\n\
         # filter = \"transition:broken conf.with>=0.9\"\n\
         # sort = \"-conf.with\"\n\
         \n# Keys, one table a context. A line replaces the keys of its action there; \"+x\" adds a key instead, [] takes all\n\
         # away. Keys look like j, G, ctrl-d, shift-tab, f1, page-up, space; sequences like \"g g\".\n",
    );
    let keymap = Keymap::default();
    for context in Context::ALL {
        let _ = write!(out, "\n# [keys.{context}] # {}\n", context.help());
        for e in keymap.entries().into_iter().filter(|e| e.context == context) {
            let keys: Vec<String> = e.keys.iter().map(|k| format!("{k:?}")).collect();
            let _ = writeln!(out, "# {} = [{}] # {}", e.action, keys.join(", "), e.action.help());
        }
    }
    out
}
