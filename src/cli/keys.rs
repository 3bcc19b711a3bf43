//! `keys`: every key.

use crate::config::{self, Overrides};
use crate::keymap::Context;
use crate::text;

use super::args::KeysArgs;
use super::{Error, Io, exit};

pub(super) fn run(args: &KeysArgs, io: &mut Io) -> Result<u8, Error> {
    let (config, problems) = config::load(&Overrides { config: args.config.clone(), ..Overrides::default() });
    for problem in &problems {
        io.note(text::sanitize_line(&problem.to_string()));
    }
    if args.markdown {
        write!(io.out, "{}", config.keymap.markdown())?;
        return Ok(exit::DONE);
    }
    let entries = config.keymap.entries();
    let keys = |e: &crate::keymap::Entry| e.keys.join(", ");
    let wide = entries.iter().map(|e| text::width(&keys(e))).max().unwrap_or(0);
    let names = entries.iter().map(|e| text::width(&e.action.to_string())).max().unwrap_or(0);
    for context in Context::ALL {
        let mut of = entries.iter().filter(|e| e.context == context).peekable();
        if of.peek().is_none() {
            continue;
        }
        writeln!(io.out, "{context}: {}", context.help())?;
        for e in of {
            let (keys, name) = (text::pad(&keys(e), wide), text::pad(&e.action.to_string(), names));
            writeln!(io.out, "  {keys}  {name}  {}", e.action.help())?;
        }
        writeln!(io.out)?;
    }
    Ok(exit::DONE)
}
