//! What the documents say is what the program does.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use clap::CommandFactory as _;
use lookitup::cli::Cli;

use super::common::root;
use super::config::is_committed;

fn readme() -> String {
    std::fs::read_to_string(root().join("README.md")).unwrap()
}

/// The contents of the README's code blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line == format!("```{language}") {
            found.push(lines.by_ref().take_while(|l| *l != "```").collect::<Vec<_>>().join("\n"));
        }
    }
    found
}

#[test]
fn generated_documents_are_up_to_date() {
    let filter = format!("# The filter language\n\n{}", lookitup::query::describe());
    is_committed("data/filter.md", &filter);
    is_committed("data/commands.md", &commands());
}

/// The help of every command.
fn commands() -> String {
    let mut out = String::from("# Commands\n");
    let mut cli = Cli::command().term_width(100);
    cli.build();
    let mut add = |name: String, command: &mut clap::Command| {
        let help = command.render_long_help().to_string();
        write!(out, "\n## {name}\n\n```text\n{}\n```\n", help.trim_end()).unwrap();
    };
    add("lookitup".into(), &mut cli);
    for command in cli.get_subcommands_mut() {
        add(format!("lookitup {}", command.get_name()), command);
    }
    // Trailing blanks of the help would be lost in an editor.
    out.lines().flat_map(|l| [l.trim_end(), "\n"]).collect()
}

#[test]
fn commands_of_the_readme_exist_and_all_are_named() {
    let text = readme();
    let cli = Cli::command();
    let have: BTreeSet<&str> = cli.get_subcommands().map(clap::Command::get_name).collect();
    let table: BTreeSet<String> = text
        .lines()
        .filter_map(|l| l.strip_prefix("| `lookitup "))
        .filter_map(|l| l.split(['`', ' ']).next())
        .filter(|w| !w.starts_with('['))
        .map(str::to_owned)
        .collect();
    assert_eq!(table.iter().map(String::as_str).collect::<BTreeSet<_>>(), have);
}

#[test]
fn command_lines_of_the_readme_are_understood() {
    let mut seen = 0;
    for line in blocks(&readme(), "sh").iter().flat_map(|b| b.lines()).filter(|l| l.starts_with("lookitup")) {
        let line = line.split_once(" #").map_or(line, |(before, _)| before);
        let line = line.split(" | ").next().unwrap().split(" > ").next().unwrap();
        let words = words(line);
        Cli::command().try_get_matches_from(&words).unwrap_or_else(|e| panic!("{line}: {e}"));
        seen += 1;
    }
    assert!(seen >= 5, "only {seen} command lines found");
}

#[test]
fn examples_in_the_help_are_understood() {
    let cli = Cli::command();
    let mut todo = vec![cli.clone()];
    while let Some(command) = todo.pop() {
        let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let name = command.get_name().to_owned();
        assert!(help.contains("Examples:"), "{name} has no examples");
        for line in help.lines().filter_map(|l| l.strip_prefix("  lookitup")) {
            let line = format!("lookitup{line}");
            let line = line.split("   ").next().unwrap();
            let line = line.split(" | ").next().unwrap().split(" > ").next().unwrap();
            Cli::command().try_get_matches_from(words(line)).unwrap_or_else(|e| panic!("{line}: {e}"));
        }
        todo.extend(command.get_subcommands().cloned());
    }
}

#[test]
fn filters_of_the_documents_are_understood() {
    let mut filters: Vec<String> = blocks(&readme(), "text")
        .iter()
        .flat_map(|b| b.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(filters.len() >= 5);
    let mut todo = vec![Cli::command()];
    let mut help = readme();
    while let Some(command) = todo.pop() {
        help.push_str(&command.get_after_help().map(ToString::to_string).unwrap_or_default());
        todo.extend(command.get_subcommands().cloned());
    }
    filters.extend(help.split("--filter '").skip(1).filter_map(|s| s.split('\'').next()).map(str::to_owned));
    for filter in filters {
        lookitup::query::parse(&filter).unwrap_or_else(|e| panic!("{filter}: {e}"));
    }
}

#[test]
fn links_of_the_documents_lead_somewhere() {
    for name in ["README.md", "ARCHITECTURE.md", "CHANGELOG.md"] {
        let text = std::fs::read_to_string(root().join(name)).unwrap();
        for target in text.split("](").skip(1).filter_map(|s| s.split(')').next()) {
            if !target.starts_with("http") && !target.starts_with('#') {
                assert!(root().join(target).exists(), "{name}: {target}");
            }
        }
    }
}

#[test]
fn the_table_of_rooms_is_complete() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for entry in std::fs::read_dir(root().join("src")).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            let room = entry.file_name().to_string_lossy().into_owned();
            assert!(
                text.contains(&format!("| `{room}` |")),
                "ARCHITECTURE.md does not name the room '{room}'"
            );
        }
    }
}

/// Splits a command line as a shell does, as far as the examples need it.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.extend((!word.is_empty()).then(|| std::mem::take(&mut word))),
            c => word.push(c),
        }
    }
    words.extend((!word.is_empty()).then_some(word));
    words
}
