//! The screen: puts the session together and hands over to `runtime`.

use std::path::Path;
use std::process::ExitCode;

use crate::config::{self, Overrides};
use crate::query;
use crate::runtime::{self, Session};
use crate::store::OpenOptions;

use super::args::ScreenArgs;
use super::inputs::{self, Origin};
use super::open::filter_error;
use super::{Error, Io};

pub(super) fn run(args: ScreenArgs, io: &mut Io) -> Result<ExitCode, Error> {
    // A filter that cannot be read is a usage error, to be told before the screen takes over.
    let parse = |text: &str| query::parse(text).map_err(|e| filter_error("--filter", text, &e));
    args.filter.as_deref().map(parse).transpose()?;
    let parse = |text: &str| query::parse_sort(text).map_err(|e| filter_error("--sort", text, &e));
    args.sort.as_deref().map(parse).transpose()?;
    if !io.tty {
        return Err(Error::Screen(NO_TERMINAL.to_owned()));
    }
    let inputs = inputs::discover(&args.input.paths, &args.input.conditions, Path::new("."));
    let missing: Vec<String> =
        args.input.paths.iter().filter(|p| !p.exists()).map(|p| p.display().to_string()).collect();
    if !missing.is_empty() && missing.len() == args.input.paths.len() {
        return Err(Error::Unreadable(format!("there is no file, folder or command {}", missing.join(", "))));
    }
    let (config, problems) = config::load(&Overrides {
        config: args.config,
        theme: args.theme,
        mouse: args.no_mouse.then_some(false),
        state: args.no_state.then_some(false),
        ..Overrides::default()
    });
    let (names, journal, notes) = (inputs.names(), inputs.journal.clone(), inputs.notes.clone());
    let sample = inputs.origin == Origin::Sample;
    let session = Session {
        label: if sample { "sample".to_owned() } else { label(&names) },
        paths: if sample { Vec::new() } else { names },
        inputs: inputs.list,
        options: OpenOptions {
            conditions: args.input.conditions,
            follow: !args.no_follow,
            gentle: true,
            threads: None,
        },
        filter: args.filter,
        sort: args.sort,
        scorer: args.scorer,
        errors: args.errors,
        open: args.open.map(|name| target(&name)),
        journal,
        notes,
        config,
        config_errors: problems.iter().map(ToString::to_string).collect(),
    };
    runtime::run(session).map_err(|e| Error::Screen(format!("the terminal cannot be used: {e}")))
}

const NO_TERMINAL: &str =
    "the screen needs a terminal; for output into a pipe or file use 'lookitup list' or 'lookitup show'";

/// What is open, short enough for a header: the last part of each path.
fn label(names: &[String]) -> String {
    let short: Vec<&str> =
        names.iter().map(|n| Path::new(n).file_name().and_then(|f| f.to_str()).unwrap_or(n)).collect();
    match short.as_slice() {
        [a, b, c, rest @ ..] if !rest.is_empty() => format!("{a} {b} {c} +{}", rest.len()),
        all => all.join(" "),
    }
}

/// `ID` or `ID:ATTEMPT`.
fn target(name: &str) -> (String, Option<u32>) {
    match name.rsplit_once(':').map(|(id, n)| (id, n.parse())) {
        Some((id, Ok(attempt))) if !id.is_empty() => (id.to_owned(), Some(attempt)),
        _ => (name.to_owned(), None),
    }
}
