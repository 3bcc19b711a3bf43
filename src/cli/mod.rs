//! The command line: one file a sub-command, each a thin call into the library.
//!
//! Owns arguments, exit codes and what is printed. Computes nothing itself: rows come from `query`, texts from
//! `view`, contradictions from `check`.

mod agreement;
pub mod args;
mod ask;
mod check;
mod codes;
mod completions;
mod doctor;
mod error;
mod export;
mod grid;
pub mod inputs;
mod keys;
mod list;
mod models;
mod noted;
mod notes;
mod open;
mod out;
mod report;
mod rows_args;
mod screen;
mod show;
mod text_table;
mod themes;

#[cfg(test)]
mod cli_tests;

use std::process::ExitCode;

pub use args::{Cli, Command};
pub use error::{Error, exit};
pub use out::Io;

/// Does what the arguments say and returns the exit code.
pub fn run(cli: Cli, io: &mut Io) -> Result<ExitCode, Error> {
    let code = match cli.command {
        None => return screen::run(cli.screen, io),
        Some(Command::List(args)) => list::run(&args, io),
        Some(Command::Show(args)) => show::run(&args, io),
        Some(Command::Export(args)) => export::run(&args, io),
        Some(Command::Report(args)) => report::run(&args, io),
        Some(Command::Codes(args)) => codes::run(&args, io),
        Some(Command::Notes(args)) => notes::run(&args, io),
        Some(Command::Agreement(args)) => agreement::run(&args, io),
        Some(Command::Ask(args)) => ask::run(&args, io),
        Some(Command::Models(args)) => models::run(&args, io),
        Some(Command::Check(args)) => check::run(&args, io),
        Some(Command::Themes(args)) => themes::run(&args, io),
        Some(Command::Keys(args)) => keys::run(&args, io),
        Some(Command::Config) => {
            io.out.write_all(crate::config::example().as_bytes())?;
            Ok(exit::DONE)
        }
        Some(Command::Doctor(args)) => doctor::run(&args, io),
        Some(Command::Completions(args)) => completions::run(&args, io),
    }?;
    io.out.flush()?;
    Ok(ExitCode::from(code))
}
