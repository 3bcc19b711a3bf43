use super::*;
use crate::config::source::Source;

/// The keymap with these lines, which must have no fault.
fn with(text: &str) -> Keymap {
    let (keymap, problems) = try_with(text);
    assert_eq!(problems, Vec::<String>::new());
    keymap
}

fn try_with(text: &str) -> (Keymap, Vec<String>) {
    let (mut source, tables) = Source::parse("c.toml", text);
    let changes = read(&mut source, "keys", &tables);
    let keymap = Keymap::with(&changes, &mut source);
    (keymap, source.problems.iter().map(ToString::to_string).collect())
}

fn keys(keymap: &Keymap, context: Context, action: Action) -> Vec<String> {
    let mut keys = keymap.keys(context, action);
    keys.sort();
    keys
}

#[test]
fn a_line_replaces_adds_or_takes_away() {
    let global = Context::Global;
    let down = |text: &str| keys(&with(text), global, Action::Down);
    assert_eq!(down(""), ["down", "j"]);
    assert_eq!(down("[global]\ndown = \"ctrl-n\""), ["ctrl-n"]);
    assert_eq!(down("[global]\ndown = [\"j\", \"ctrl-n\"]"), ["ctrl-n", "j"]);
    assert_eq!(down("[global]\ndown = \"+ctrl-n\""), ["ctrl-n", "down", "j"]);
    assert_eq!(down("[global]\ndown = [\"+ctrl-n\", \"+z z\"]"), ["ctrl-n", "down", "j", "z z"]);
    for none in ["[]", "\"none\"", "[\"none\"]"] {
        assert_eq!(down(&format!("[global]\ndown = {none}")), Vec::<String>::new());
    }
    // The key + itself, alone and added.
    assert_eq!(down("[global]\ndown = \"+\""), ["+"]);
    assert_eq!(down("[global]\ndown = \"++\""), ["+", "down", "j"]);
    // What is there already may be said again.
    assert_eq!(down("[global]\ndown = [\"j\", \"j\"]"), ["j"]);
    assert_eq!(down("[global]\ndown = \"+j\""), ["down", "j"]);
}

#[test]
fn two_actions_may_swap_their_keys_in_any_order_of_lines() {
    for text in ["[global]\nsort = \"b\"\nbins = \"s\"", "[global]\nbins = \"s\"\nsort = \"b\""] {
        let keymap = with(text);
        assert_eq!(keys(&keymap, Context::Global, Action::Sort), ["b"]);
        assert_eq!(keys(&keymap, Context::Global, Action::Bins), ["s"]);
    }
}

#[test]
fn a_freed_key_can_be_given_away() {
    let keymap = with("[global]\nfirst = \"home\"\nsort = \"g\"\nnext-pair = []\ncopy = \"n\"");
    assert_eq!(keys(&keymap, Context::Global, Action::Sort), ["g"]);
    assert_eq!(keys(&keymap, Context::Global, Action::Copy), ["n"]);
}

#[test]
fn an_inner_context_may_use_a_key_of_the_outer() {
    let keymap = with("[list]\ncopy = \"q\"");
    let resolve = |c| keymap.resolve(&[c], &[], Key::char('q'));
    assert_eq!(resolve(Context::List), super::super::Resolved::Action(Action::Copy));
    assert_eq!(resolve(Context::Detail), super::super::Resolved::Action(Action::Quit));
}

#[test]
fn a_clash_takes_nothing_away() {
    let (keymap, problems) = try_with("[global]\ncopy = \"n\"");
    assert_eq!(problems.len(), 1);
    assert_eq!(keys(&keymap, Context::Global, Action::Copy), ["y"]);
    assert_eq!(keys(&keymap, Context::Global, Action::NextPair), ["n"]);
    // One of two keys clashes: the other holds.
    let (keymap, problems) = try_with("[global]\ncopy = [\"n\", \"ctrl-y\"]");
    assert_eq!(problems.len(), 1);
    assert_eq!(keys(&keymap, Context::Global, Action::Copy), ["ctrl-y"]);
    // The old key was given away meanwhile: it stays away.
    let (keymap, problems) = try_with("[global]\ncopy = \"n\"\nbins = \"y\"");
    assert_eq!(problems.len(), 1);
    assert_eq!(keys(&keymap, Context::Global, Action::Bins), ["y"]);
    assert_eq!(keys(&keymap, Context::Global, Action::Copy), Vec::<String>::new());
}

#[test]
fn sequences_and_their_beginnings_exclude_each_other() {
    for text in [
        "[global]\nsort = \"g\"",
        "[global]\nsort = \"t x\"",
        "[global]\nsort = \"g g g\"",
        "[dialog]\naccept = [\"z\", \"z z\"]",
    ] {
        let (_, problems) = try_with(text);
        assert_eq!(problems.len(), 1, "{text}: {problems:?}");
    }
    with("[global]\nsort = \"g s\"\nbins = \"g b x\"");
}

#[test]
fn the_way_out_cannot_be_lost() {
    let (keymap, problems) = try_with("[global]\nquit = []\ncopy = \"ctrl-c\"");
    assert_eq!(problems.len(), 1);
    assert_eq!(keys(&keymap, Context::Global, Action::Quit), ["ctrl-c"]);
    assert_eq!(keys(&keymap, Context::Global, Action::Copy), Vec::<String>::new());
    let keymap = with("[global]\nquit = \"ctrl-q\"");
    assert_eq!(keys(&keymap, Context::Global, Action::Quit), ["ctrl-q"]);
}
