//! The real program in a pseudo-terminal: what only a terminal can show.

use rustix::process::Signal;

use crate::support::pty::Pty;
use crate::wire::server::{Server, Step, stream, stream_head};
use crate::wire::streams::{self, frames};

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
            pty.shows("336 of 336");
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
    let ends = [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)];
    for (signal, code) in ends {
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

/// The variables of a provider that is a server on this machine.
fn keys<'e>(base: &'e str, openai: &'e str) -> [(&'e str, &'e str); 4] {
    [
        ("OPENAI_API_KEY", "sk-canary-of-the-first-provider"),
        ("OPENAI_BASE_URL", openai),
        ("ANTHROPIC_API_KEY", "sk-ant-canary-of-the-second-one"),
        ("ANTHROPIC_BASE_URL", base),
    ]
}

/// Every file below a folder, as text.
fn texts(folder: &std::path::Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            all += &texts(&path);
        } else {
            all += &String::from_utf8_lossy(&std::fs::read(path).expect("a file"));
        }
    }
    all
}

#[test]
fn a_question_is_asked_again_of_either_provider_and_is_there_after_a_restart() {
    let server = Server::new(|request, _| {
        let openai = request.head.starts_with("POST /v1/responses");
        stream(&frames(&if openai { streams::openai() } else { streams::anthropic() }))
    });
    let openai = format!("{}/v1", server.base);
    for (provider, model) in [("openai", "gpt"), ("anthropic", "claude")] {
        let home = home();
        // Not the working folder's own `data`.
        let own = home.path().join("own").display().to_string();
        let env: Vec<_> =
            keys(&server.base, &openai).into_iter().chain([("LOOKITUP_HOME", own.as_str())]).collect();
        let mut pty = Pty::start(&[], (120, 40), home.path(), &env);
        pty.shows("SIMULATED");
        pty.send("3");
        pty.until("only broken ones", |s| s.contents().contains("▸✓→✗ broken"));
        pty.send("r");
        pty.shows(" sends ·");
        if provider == "anthropic" {
            pty.send("\x1b[Z\x1b[Z\x1b[C");
        }
        pty.until("the provider", |s| {
            s.contents()
                .lines()
                .any(|l| l.contains("provider") && l.contains(provider) && l.contains("127.0.0.1"))
        });
        pty.send("\x13");
        pty.shows("against the stored answer");
        pty.shows("saved to");
        pty.send("\x1b");
        pty.until("the list", |s| !s.contents().contains("saved to"));
        pty.send("x/");
        pty.send(&format!("model:{model}\r"));
        pty.until("the new attempt in the list", |s| s.contents().contains("1 of 337"));
        pty.send("q");
        assert_eq!(pty.ends(), 0);
        pty.assert_restored();
        let kept = texts(home.path());
        assert!(kept.contains("\"provider\":\"".to_owned().as_str()) && kept.contains(provider));
        assert!(!kept.contains("canary"), "a key was written");
        let mut pty = Pty::start(&["--filter", &format!("model:{model}")], (120, 40), home.path(), &env[4..]);
        pty.until("the attempt after a restart", |s| s.contents().contains("1 of 337"));
        pty.send("q");
        assert_eq!(pty.ends(), 0);
    }
}

#[test]
fn stopping_while_an_answer_arrives_keeps_what_came() {
    let server = Server::new(|_, _| {
        let all = frames(&streams::anthropic());
        let half = all[..all.len() * 2 / 3].to_vec();
        vec![stream_head(), Step::Send(half), Step::Stall]
    });
    let home = home();
    let mut pty = Pty::start(
        &[],
        (120, 40),
        home.path(),
        &[("ANTHROPIC_API_KEY", "sk-ant-canary-123456"), ("ANTHROPIC_BASE_URL", &server.base)],
    );
    pty.shows("SIMULATED");
    pty.send("r");
    pty.shows(" sends ·");
    pty.send("\x13");
    pty.shows("results");
    pty.send("\x1b");
    pty.shows("cancelled");
    pty.shows("saved to");
    pty.send("\x1b");
    pty.until("the list", |s| !s.contents().contains("saved to"));
    pty.send("j");
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    let kept = texts(&home.path().join("data"));
    assert!(kept.contains("\"kind\":\"cancelled\"") && kept.ends_with("}\n"), "{kept}");
}

#[test]
fn a_replay_needs_no_key_and_leaves_nothing_behind() {
    let home = home();
    let mut pty = sample(&home, (80, 24));
    pty.send("r");
    pty.shows("REPLAY");
    pty.send("\r");
    pty.shows("nothing new was asked");
    pty.send("\x1b");
    pty.until("the list", |s| !s.contents().contains("nothing new was asked"));
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    assert!(!home.path().join("data").exists());
}

#[test]
fn the_prompt_is_written_in_the_users_editor() {
    let home = home();
    let script = home.path().join("editor.sh");
    // It reads a line of its own: keys are the editor's while it runs.
    std::fs::write(&script, "#!/bin/sh\necho EDITING\nread line\necho \"$line {question}\" > \"$1\"\n")
        .unwrap();
    let editor = format!("sh {}", script.display());
    let env = [
        ("ANTHROPIC_API_KEY", "sk-ant-x-123456789"),
        ("ANTHROPIC_BASE_URL", "http://127.0.0.1:9"),
        ("EDITOR", &editor),
    ];
    let mut pty = Pty::start(&[], (120, 40), home.path(), &env);
    pty.shows("SIMULATED");
    pty.send("r");
    pty.shows(" sends ·");
    pty.send("\x1be");
    pty.shows("EDITING");
    pty.send("say it briefly:\n");
    pty.shows("say it briefly: {question}");
    pty.send("\x1b");
    pty.until("the form is closed", |s| !s.contents().contains("sends"));
    pty.send("q");
    assert_eq!(pty.ends(), 0);
    pty.assert_restored();
}
