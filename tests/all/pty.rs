//! The real program in a pseudo-terminal: what only a terminal can show.

use rustix::process::Signal;

use crate::support::pty::Pty;

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn sample(home: &tempfile::TempDir, size: (u16, u16)) -> Pty {
    let pty = Pty::start(&[], size, home.path(), &[]);
    pty.shows("SIMULATED");
    pty.until("the figures", |s| s.contents().contains("net") || size.1 < 18);
    pty
}

#[test]
fn starts_filters_and_leaves_a_clean_terminal() {
    let home = home();
    let mut pty = sample(&home, (120, 40));
    pty.send("3");
    pty.until("only broken ones", |s| s.contents().contains("▸✓→✗ broken"));
    pty.send("/");
    pty.send("conf:0.9..1\r");
    pty.shows("conf:0.9..1");
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    pty.assert_restored();
}

#[test]
fn any_size_is_survived() {
    let home = home();
    let mut pty = sample(&home, (120, 40));
    for (cols, rows) in [(1, 1), (2, 1), (39, 10), (40, 10), (300, 5), (60, 16), (80, 24), (200, 60)] {
        pty.resize(cols, rows);
        if cols >= 40 && rows >= 10 {
            pty.shows("lookitup");
        }
    }
    pty.resize(120, 40);
    // A key that comes together with a new size is not lost.
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    pty.assert_restored();
}

#[test]
fn copies_through_the_terminal_in_a_remote_session() {
    let home = home();
    let mut pty = sample(&home, (120, 40));
    pty.send("y");
    pty.shows("deep link");
    pty.send("i");
    pty.wrote(b"\x1b]52;c;");
    pty.shows("terminal's clipboard");
    pty.send("q");
    pty.ends();
    pty.assert_restored();
}

#[test]
fn termination_and_hang_up_restore_the_terminal() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130)] {
        let home = home();
        let mut pty = sample(&home, (80, 24));
        pty.signal(signal);
        assert_eq!(pty.ends(), code);
        pty.assert_restored();
    }
}

#[test]
fn suspends_and_comes_back() {
    let home = home();
    let mut pty = Pty::start(&[], (80, 24), home.path(), &[("LOOKITUP_TEST_STOP", "1")]);
    pty.shows("SIMULATED");
    pty.send("\x1a");
    pty.stops();
    pty.until("the terminal given back", |s| !s.alternate_screen());
    assert!(pty.cooked(), "raw mode is off while stopped");
    pty.signal(Signal::CONT);
    pty.until("the screen again", |s| s.alternate_screen() && s.contents().contains("SIMULATED"));
    pty.signal(Signal::TSTP);
    pty.stops();
    pty.until("the terminal given back", |s| !s.alternate_screen());
    pty.signal(Signal::CONT);
    pty.until("the screen again", |s| s.alternate_screen() && s.contents().contains("SIMULATED"));
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    pty.assert_restored();
}

#[test]
fn a_panic_in_a_thread_restores_the_terminal_and_is_reported() {
    let home = home();
    let mut pty = Pty::start(&[], (80, 24), home.path(), &[("LOOKITUP_TEST_PANIC", "records")]);
    assert_eq!(pty.ends(), 101);
    pty.assert_restored();
    assert!(pty.screen().contains("asked for by LOOKITUP_TEST_PANIC"), "{}", pty.screen());
}

#[test]
fn the_session_is_kept_for_the_same_files() {
    let home = home();
    let mut pty = sample(&home, (120, 40));
    pty.send("3");
    pty.until("only broken ones", |s| s.contents().contains("▸✓→✗ broken"));
    pty.send("q");
    pty.ends();
    let mut pty = sample(&home, (120, 40));
    pty.until("the toggle again", |s| s.contents().contains("▸✓→✗ broken"));
    pty.send("q");
    pty.ends();
}
