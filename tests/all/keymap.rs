//! The keymap as the program and its documents show it.

use lookitup::keymap::{self, Action, Context, Group, Keymap};

use super::config::is_committed;

#[test]
fn the_list_of_keys_is_made_from_the_keymap() {
    is_committed("data/keys.md", &keymap::reference());
}

#[test]
fn the_keys_that_people_know_do_what_they_expect() {
    let keymap = Keymap::default();
    for (keys, action) in [
        ("j", Action::Down),
        ("k", Action::Up),
        ("down", Action::Down),
        ("up", Action::Up),
        ("g g", Action::First),
        ("G", Action::Last),
        ("ctrl-d", Action::HalfPageDown),
        ("ctrl-u", Action::HalfPageUp),
        ("n", Action::NextPair),
        ("N", Action::PreviousPair),
        ("/", Action::Filter),
        ("1", Action::ToggleCorrected),
        ("2", Action::TogglePreserved),
        ("3", Action::ToggleBroken),
        ("4", Action::ToggleUnresolved),
        ("5", Action::ToggleNotSearched),
        ("b", Action::Bins),
        ("s", Action::Sort),
        ("tab", Action::FocusNext),
        ("esc", Action::Cancel),
        ("y", Action::Copy),
        ("o", Action::OpenUrl),
        ("t", Action::Theme),
        (":", Action::Palette),
        ("ctrl-p", Action::Palette),
        ("?", Action::Help),
        ("q", Action::Quit),
        ("ctrl-c", Action::Quit),
        ("ctrl-z", Action::Suspend),
        ("!", Action::Problems),
        ("v", Action::ToggleRaw),
        ("p", Action::TogglePrompt),
    ] {
        assert!(keymap.keys(Context::Global, action).iter().any(|k| k == keys), "{keys}");
    }
    assert_eq!(keymap.keys(Context::List, Action::OpenDetail), ["enter"]);
}

#[test]
fn help_for_the_list_has_every_group_but_typing() {
    let groups: Vec<Group> = Keymap::default().help(&[Context::List]).into_iter().map(|(g, _)| g).collect();
    assert_eq!(
        groups,
        [
            Group::General,
            Group::Move,
            Group::Select,
            Group::Read,
            Group::Figures,
            Group::Code,
            Group::Ask,
            Group::Layout
        ]
    );
}
