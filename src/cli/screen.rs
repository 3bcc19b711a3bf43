//! The screen: puts the session together and hands over to `runtime`.

use std::process::ExitCode;

use crate::query;

use super::args::ScreenArgs;
use super::open::filter_error;
use super::{Error, Io};

pub(super) fn run(args: &ScreenArgs, io: &mut Io) -> Result<ExitCode, Error> {
    // A filter that cannot be read is a usage error, to be told before the screen takes over.
    let parse = |text: &str| query::parse(text).map_err(|e| filter_error("--filter", text, &e));
    args.filter.as_deref().map(parse).transpose()?;
    let parse = |text: &str| query::parse_sort(text).map_err(|e| filter_error("--sort", text, &e));
    args.sort.as_deref().map(parse).transpose()?;
    if !io.tty {
        return Err(Error::Screen(NO_TERMINAL.to_owned()));
    }
    Err(Error::Screen("the screen is not built into this version; use 'lookitup list'".to_owned()))
}

const NO_TERMINAL: &str =
    "the screen needs a terminal; for output into a pipe or file use 'lookitup list' or 'lookitup show'";
