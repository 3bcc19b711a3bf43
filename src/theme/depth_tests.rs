use super::*;

fn of(pairs: &[(&str, &str)], terminal: bool) -> Depth {
    Depth::of(&|name| pairs.iter().find(|(k, _)| *k == name).map(|(_, v)| (*v).to_owned()), terminal)
}

#[test]
fn the_environment_tells_how_many_colours_there_are() {
    for (pairs, depth) in [
        (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")][..], Depth::True),
        (&[("TERM", "xterm-kitty")], Depth::True),
        (&[("TERM", "xterm-256color")], Depth::Indexed),
        (&[("TERM", "xterm")], Depth::Sixteen),
        (&[("TERM", "linux")], Depth::Sixteen),
        (&[("TERM", "dumb")], Depth::None),
        (&[("TERM", "tmux-256color"), ("TMUX", "/tmp/s,1,0"), ("COLORTERM", "truecolor")], Depth::True),
        (&[("TERM", "screen-256color"), ("TMUX", "/tmp/s,1,0")], Depth::Indexed),
        (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("NO_COLOR", "1")], Depth::None),
        (&[("TERM", "xterm-256color"), ("NO_COLOR", "yes, please")], Depth::None),
        (&[("TERM", "xterm-256color"), ("NO_COLOR", "")], Depth::Indexed),
    ] {
        assert_eq!(of(pairs, true), depth, "{pairs:?}");
    }
    assert_eq!(of(&[("TERM", "xterm-256color")], false), Depth::None);
}

#[test]
fn names_read_back() {
    for depth in [Depth::None, Depth::Sixteen, Depth::Indexed, Depth::True] {
        assert_eq!(Depth::parse(depth.name()), Some(depth));
    }
    assert_eq!(Depth::parse("many"), None);
}
