//! `themes`: list them, or print one to start from.

use crate::config::paths;
use crate::text;
use crate::theme::{SHIPPED, Themes};

use super::args::{ThemesArgs, ThemesCommand};
use super::{Error, Io, exit};

pub(super) fn run(args: &ThemesArgs, io: &mut Io) -> Result<u8, Error> {
    let (themes, problems) = match paths::config_dir() {
        Some(dir) => Themes::load(&dir.join("themes")),
        None => (Themes::default(), Vec::new()),
    };
    for problem in &problems {
        io.note(text::sanitize_line(&problem.to_string()));
    }
    match &args.command {
        None | Some(ThemesCommand::List) => list(&themes, io),
        Some(ThemesCommand::Show { name }) => show(&themes, name, io),
    }?;
    Ok(exit::DONE)
}

fn list(themes: &Themes, io: &mut Io) -> Result<(), Error> {
    let wide = themes.names().iter().map(|n| text::width(n)).max().unwrap_or(0);
    for (theme, file) in themes.all() {
        let name = text::pad(&text::sanitize_line(theme.name()), wide);
        let from = file.map_or_else(String::new, |f| format!("  {}", paths::display(f)));
        let about = text::sanitize_line(theme.about());
        writeln!(io.out, "{name}  {:5}  {about}{from}", theme.kind().name())?;
    }
    Ok(())
}

fn show(themes: &Themes, name: &str, io: &mut Io) -> Result<(), Error> {
    let own = themes.all().find(|(t, file)| t.name() == name && file.is_some()).and_then(|(_, file)| file);
    let shipped = || SHIPPED.iter().find(|(known, _)| *known == name).map(|(_, text)| (*text).to_owned());
    let text = match own {
        Some(file) => Some(std::fs::read_to_string(file).map_err(|e| {
            Error::Unreadable(format!("the theme file {} could not be read: {e}", file.display()))
        })?),
        None => shipped(),
    };
    let Some(text) = text else {
        let near = themes.nearest(name).map_or_else(String::new, |n| format!("; did you mean '{n}'?"));
        return Err(Error::Usage(format!("there is no theme '{}'{near}", text::sanitize_line(name))));
    };
    write!(io.out, "{}", text::sanitize(&text))?;
    Ok(())
}
