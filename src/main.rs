//! The `lookitup` program: reads the arguments, does what they say, and tells the shell how it went.

use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;
use color_eyre::eyre::Report;
use lookitup::cli::{self, Cli, Io};

fn main() -> ExitCode {
    if let Err(hooks) = color_eyre::install() {
        tell(&hooks);
    }
    lookitup::runtime::install_panic_hook();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => {
            // The help that was asked for is no error, and a closed pipe is nobody's.
            if usage.use_stderr() {
                let text = usage.render().to_string();
                let _ = write!(std::io::stderr(), "{}", lookitup::text::sanitize(&text));
            } else {
                let _ = usage.print();
            }
            return ExitCode::from(if usage.use_stderr() { cli::exit::USAGE } else { cli::exit::DONE });
        }
    };
    match cli::run(cli, &mut Io::of_process()) {
        Ok(code) => code,
        Err(error) if error.is_broken_pipe() => ExitCode::from(cli::exit::DONE),
        Err(error) => {
            let code = error.code();
            tell(&Report::new(error));
            ExitCode::from(code)
        }
    }
}

/// One line first, then a line for each cause.
fn tell(report: &Report) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "lookitup: {}", lookitup::text::sanitize(&report.to_string()));
    for cause in report.chain().skip(1) {
        let _ = writeln!(err, "  because: {}", lookitup::text::sanitize(&cause.to_string()));
    }
}
