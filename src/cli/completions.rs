//! `completions`: a script for a shell.

use clap::CommandFactory as _;

use super::args::{Cli, CompletionsArgs};
use super::{Error, Io, exit};

pub(super) fn run(args: &CompletionsArgs, io: &mut Io) -> Result<u8, Error> {
    // Written in one piece, since the generator panics on a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "lookitup", &mut script);
    io.out.write_all(&script)?;
    Ok(exit::DONE)
}
