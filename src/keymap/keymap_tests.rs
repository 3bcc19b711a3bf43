use super::*;

fn press(contexts: &[Context], keys: &str) -> Resolved {
    let keymap = Keymap::default();
    let keys = Key::sequence(keys).unwrap();
    let (last, pending) = keys.split_last().unwrap();
    keymap.resolve(contexts, pending, *last)
}

fn action(contexts: &[Context], keys: &str) -> Option<Action> {
    match press(contexts, keys) {
        Resolved::Action(action) => Some(action),
        _ => None,
    }
}

#[test]
fn the_defaults_have_no_fault_and_a_key_for_every_action() {
    let (mut source, tables) = Source::parse("default.toml", DEFAULT);
    let changes = read(&mut source, "keys", &tables);
    let mut keymap = Keymap { contexts: Default::default() };
    keymap.apply(&changes, &mut source);
    assert_eq!(source.problems, []);
    let bound = |a: &Action| Context::ALL.iter().any(|c| !keymap.keys(*c, *a).is_empty());
    let unbound: Vec<_> = Action::ALL.iter().filter(|a| !bound(a)).collect();
    assert_eq!(unbound, Vec::<&Action>::new());
}

#[test]
fn the_shipped_file_says_what_each_line_does() {
    for line in DEFAULT.lines() {
        if let Some((id, rest)) = line.split_once(" = ") {
            let (_, said) = rest.split_once(" # ").unwrap_or_default();
            assert_eq!(Some(said), Action::parse(id).map(Action::help), "{line}");
        } else if let Some((id, said)) = line.strip_prefix('[').and_then(|l| l.split_once("] # ")) {
            let context = Context::parse(id).unwrap();
            assert!(said.starts_with(context.help()), "{line}");
        }
    }
}

#[test]
fn ids_read_back_and_are_kebab_case() {
    for a in Action::ALL {
        assert_eq!(Action::parse(a.id()), Some(*a));
        assert!(a.id().chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{a}");
        assert!(!a.help().ends_with('.') && !a.help().is_empty(), "{a}");
    }
    for c in Context::ALL {
        assert_eq!(Context::parse(c.id()), Some(c));
    }
}

#[test]
fn the_inner_context_is_asked_first_and_global_last() {
    assert_eq!(action(&[Context::List], "enter"), Some(Action::OpenDetail));
    assert_eq!(action(&[Context::List], "q"), Some(Action::Quit));
    assert_eq!(action(&[Context::Dialog], "q"), Some(Action::Cancel));
    assert_eq!(action(&[Context::Dialog], "space"), Some(Action::ToggleItem));
    assert_eq!(action(&[Context::Detail], "space"), Some(Action::PageDown));
    assert_eq!(action(&[], "j"), Some(Action::Down));
    assert_eq!(press(&[Context::List], "f9"), Resolved::None);
}

#[test]
fn a_sequence_waits_and_tells_what_may_follow() {
    assert_eq!(press(&[Context::List], "g"), Resolved::Pending(vec![("g".to_owned(), Action::First)]));
    assert_eq!(action(&[Context::List], "g g"), Some(Action::First));
    assert_eq!(press(&[Context::List], "g j"), Resolved::None);
}

#[test]
fn text_reaches_the_field_and_nothing_else() {
    for field in [Context::Filter, Context::Input] {
        for key in ["q", "j", "g", "G", "?", "space", "1", ":", "é"] {
            assert_eq!(press(&[field], key), Resolved::None, "{field} {key}");
        }
        // Keys that a text field edits with.
        for key in
            ["ctrl-d", "ctrl-u", "ctrl-f", "ctrl-b", "home", "end", "left", "delete", "backspace", "ctrl-w"]
        {
            assert_eq!(press(&[field, Context::Dialog], key), Resolved::None, "{field} {key}");
        }
        assert_eq!(action(&[field], "esc"), Some(Action::Cancel));
        assert_eq!(action(&[field], "enter"), Some(Action::Accept));
        assert_eq!(action(&[field], "f1"), Some(Action::Help));
        assert_eq!(action(&[field], "ctrl-c"), Some(Action::Quit));
    }
    assert_eq!(action(&[Context::Filter], "up"), Some(Action::HistoryPrevious));
    assert_eq!(action(&[Context::Input, Context::Dialog], "down"), Some(Action::Down));
}

#[test]
fn a_hint_is_the_first_key_that_works_there() {
    let keymap = Keymap::default();
    let hint = |c, a| keymap.hint(c, a);
    assert_eq!(hint(Context::List, Action::Down).as_deref(), Some("j"));
    assert_eq!(hint(Context::Dialog, Action::Cancel).as_deref(), Some("esc"));
    assert_eq!(hint(Context::List, Action::First).as_deref(), Some("g g"));
    // A letter would be typed; the first key that is none is shown.
    assert_eq!(hint(Context::Filter, Action::Help).as_deref(), Some("f1"));
    assert_eq!(hint(Context::Filter, Action::Bins), None);
    assert_eq!(hint(Context::List, Action::Complete), None);
    // q closes a dialog, so that it doesn't quit from there.
    assert_eq!(hint(Context::Dialog, Action::Quit).as_deref(), Some("ctrl-c"));
}

#[test]
fn help_shows_an_action_once_and_no_shadowed_key() {
    let keymap = Keymap::default();
    let help = keymap.help(&[Context::Dialog]);
    let all: Vec<&Entry> = help.iter().flat_map(|(_, entries)| entries).collect();
    let of = |a: Action| all.iter().filter(|e| e.action == a).map(|e| e.keys.clone()).collect::<Vec<_>>();
    assert_eq!(of(Action::Quit), [["ctrl-c"]]);
    assert_eq!(of(Action::Cancel), [["esc", "q"]]);
    assert_eq!(of(Action::PageDown), [["page-down", "ctrl-f"]]);
    for (group, entries) in &help {
        assert!(entries.iter().all(|e| e.action.group() == *group));
    }
}

#[test]
fn every_entry_can_be_pressed() {
    let keymap = Keymap::default();
    for entry in keymap.entries() {
        for keys in &entry.keys {
            assert_eq!(action(&[entry.context], keys), Some(entry.action), "{} {keys}", entry.context);
        }
    }
}

#[test]
fn the_footer_shows_the_first_key_that_can_be_reached() {
    let keymap = Keymap::default();
    for context in Context::ALL {
        for &action in Action::ALL {
            let contexts = [context];
            let visible = keymap.visible(&contexts);
            let first = visible.iter().find(|(b, _)| b.action == action).map(|(b, _)| spell(&b.keys));
            assert_eq!(keymap.hint(context, action), first, "{context:?} {action:?}");
        }
    }
}
