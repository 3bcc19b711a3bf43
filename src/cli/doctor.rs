//! `doctor`: what this terminal can do, and what is set up. Never prints the value of a key.

use std::io::IsTerminal as _;
use std::path::Path;
use std::time::Duration;

use crate::config::{self, Overrides, paths};
use crate::provider::{Client, Dialect, Limits, Models};
use crate::runtime;
use crate::text;
use crate::theme::{Depth, Themes};

use super::args::DoctorArgs;
use super::inputs::{self, Origin};
use super::{Error, Io, exit};

/// How long a host may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Variables that hold secrets, or addresses that may.
const SECRETS: [&str; 4] = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"];

pub(super) fn run(args: &DoctorArgs, io: &mut Io) -> Result<u8, Error> {
    let (config, problems) = config::load(&Overrides { config: args.config.clone(), ..Overrides::default() });
    let mut rows: Vec<(&str, String)> = vec![("version", env!("CARGO_PKG_VERSION").to_owned())];

    let tty = [std::io::stdin().is_terminal(), std::io::stdout().is_terminal()];
    rows.push((
        "terminal",
        match tty {
            [true, true] => "yes".to_owned(),
            [false, true] => "only for output: standard input is not one".to_owned(),
            [true, false] => "only for input: standard output is not one".to_owned(),
            [false, false] => "no: the screen needs one, the other commands don't".to_owned(),
        },
    ));
    rows.push(("TERM", var("TERM")));
    rows.push(("COLORTERM", var("COLORTERM")));
    rows.push(("size", size()));
    let depth = config.colours.unwrap_or_else(Depth::detect);
    let why = if config.colours.is_some() { " (as set)" } else { "" };
    rows.push(("colours", format!("{}{why}", depth.name())));
    rows.push(("NO_COLOR", set_or_not("NO_COLOR")));
    rows.push(("locale", locale()));
    rows.push(("clipboard", runtime::clipboard_route(config.clipboard).to_owned()));
    rows.push(("tmux", set_or_not("TMUX")));
    rows.push(("ssh", set_or_not("SSH_CONNECTION")));

    let folders = paths::Paths::find();
    let state = |path: &Path| {
        let there = if path.exists() { "" } else { " (not there, none is needed)" };
        format!("{}{there}", text::sanitize_line(&paths::display(path)))
    };
    let file = args.config.clone().or_else(|| folders.as_ref().map(paths::Paths::config_file));
    rows.push(("config", file.as_deref().map_or_else(|| "no home folder found".to_owned(), state)));
    if let Some(folders) = &folders {
        rows.push(("state", state(&folders.state)));
        rows.push(("data", state(&folders.data)));
    }
    let (themes, wrong_themes) =
        folders.as_ref().map_or_else(|| (Themes::default(), Vec::new()), |f| Themes::load(&f.themes()));
    rows.push(("themes", format!("{}, set: {}", themes.names().join(" "), config.theme)));
    rows.push(("input here", here()));
    for name in SECRETS {
        rows.push((name, set_or_not(name)));
    }
    let models = super::ask::models();
    let whom = whom(models.as_ref().ok());
    for name in whom.iter().map(String::as_str) {
        let known = models.as_ref().ok().and_then(|m| m.endpoint(name, &super::ask::variable));
        if let Some(endpoint) = known {
            let ready = match endpoint.ready() {
                Ok(()) => "can be asked".to_owned(),
                Err(fault) => fault.message,
            };
            // A server may ask for no key, which is not to be taken for one that is set.
            let key = if endpoint.key_variable.is_empty() { ", needs no key" } else { "" };
            rows.push((name, format!("{}: {ready}{key}", endpoint.host())));
        }
    }

    let wide = rows.iter().map(|(name, _)| text::width(name)).max().unwrap_or(0);
    for (name, value) in &rows {
        writeln!(io.out, "{:wide$}  {}", text::sanitize_line(name), text::sanitize_line(value))?;
    }
    let wrong: Vec<_> = problems.iter().chain(&wrong_themes).collect();
    if let Err(why) = &models {
        writeln!(io.out, "wrong: {}", text::sanitize_line(&why.to_string()))?;
    }
    if args.online {
        online(models.as_ref().ok(), &whom, io)?;
    }
    for problem in &wrong {
        writeln!(io.out, "wrong: {}", text::sanitize_line(&problem.to_string()))?;
    }
    Ok(if wrong.is_empty() && models.is_ok() { exit::DONE } else { exit::FOUND })
}

/// Everybody who can be asked: the providers, then the user's servers.
fn whom(models: Option<&Models>) -> Vec<String> {
    let mut names: Vec<String> = Dialect::ALL.iter().map(|d| d.name().to_owned()).collect();
    for server in models.iter().flat_map(|m| &m.servers) {
        // A server may stand in for a provider, under its name.
        if !names.contains(&server.name) {
            names.push(server.name.clone());
        }
    }
    names
}

/// Asks each host whether it is there; no key goes out.
fn online(models: Option<&Models>, whom: &[String], io: &mut Io) -> Result<(), Error> {
    let limits = Limits::default();
    let client = Client::new(&limits).map_err(|f| Error::Provider(f.to_string()))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let built_in = Models::built_in();
    let models = models.unwrap_or(&built_in);
    for endpoint in whom.iter().filter_map(|name| models.endpoint(name, &super::ask::variable)) {
        let said = match runtime.block_on(client.reach(&endpoint, PATIENCE)) {
            Ok(status) => format!("answers (status {status})"),
            Err(fault) => format!("does not answer: {fault}"),
        };
        writeln!(io.out, "{}  {}", endpoint.host(), text::sanitize_line(&said))?;
    }
    Ok(())
}

fn var(name: &str) -> String {
    std::env::var_os(name).map_or_else(|| "not set".to_owned(), |v| v.to_string_lossy().into_owned())
}

fn set_or_not(name: &str) -> String {
    let set = std::env::var_os(name).is_some_and(|v| !v.is_empty());
    if set { "set" } else { "not set" }.to_owned()
}

fn size() -> String {
    match crossterm::terminal::size() {
        Ok((width, height)) => format!("{width} × {height} cells"),
        Err(_) => "unknown".to_owned(),
    }
}

/// The variable that decides the encoding, and whether it is the one that the screen draws in.
fn locale() -> String {
    let Some((name, value)) = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()).map(|v| (name, v)))
    else {
        return "not set: the screen draws in UTF-8 all the same".to_owned();
    };
    let utf8 = value.to_ascii_lowercase().replace('-', "").contains("utf8");
    let doubt = if utf8 { "" } else { ", not UTF-8: glyphs may come out wrong" };
    format!("{name}={value}{doubt}")
}

fn here() -> String {
    let found = inputs::discover(&[], &[], Path::new("."));
    match found.origin {
        Origin::Sample => "nothing of ours in ./results and ./data: the sample would be opened".to_owned(),
        Origin::Here | Origin::Named => found.names().join(" "),
    }
}
