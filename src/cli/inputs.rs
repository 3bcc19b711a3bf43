//! Which files are opened: those named, else what lies here, else the sample.

use std::path::{Path, PathBuf};

use crate::config::paths::data_dir;
use crate::record::Condition;
use crate::review::notes_of;
use crate::runner::journal_of;
use crate::store::{self, Input};

/// The folders looked into when nothing is named, in this order.
const FOLDERS: [&str; 2] = ["results", "data"];

/// What is to be opened.
#[derive(Debug)]
pub struct Inputs {
    /// In the order in which they are read.
    pub list: Vec<Input>,
    /// How they were chosen.
    pub origin: Origin,
    /// Where re-asked attempts of them are kept; it is read with `list`, and need not be there yet.
    pub journal: Option<PathBuf>,
    /// Where notes on them are kept; it need not be there yet.
    pub notes: Option<PathBuf>,
}

impl Inputs {
    fn new(mut list: Vec<Input>, origin: Origin, here: &Path) -> Self {
        let names: Vec<String> =
            if origin == Origin::Sample { Vec::new() } else { list.iter().map(name).collect() };
        let (data, named) = (data_dir(), origin == Origin::Named);
        let journal = journal_of(here, data.as_deref(), &names, named);
        let notes = notes_of(here, data.as_deref(), &names, named);
        // What lies in a folder that is opened is read anyway.
        let within = |j: &PathBuf| list.iter().any(|i| matches!(i, Input::Path(p) if j.starts_with(p)));
        let apart = journal.clone().filter(|j| !within(j));
        list.extend(apart.map(Input::Journal));
        Self { list, origin, journal, notes }
    }

    /// What the user has open, by name: everything but the journal.
    pub fn names(&self) -> Vec<String> {
        self.list.iter().filter(|i| !matches!(i, Input::Journal(_))).map(name).collect()
    }
}

/// How inputs were chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The user named them.
    Named,
    /// `./results` and `./data` hold something of ours.
    Here,
    /// Nothing was named and nothing lies here: the compiled-in sample.
    Sample,
}

/// Chooses the inputs of a command or of the screen. `here` is the working folder.
///
/// Files named with `--as` only are opened too.
pub fn discover(paths: &[PathBuf], conditions: &[(Condition, PathBuf)], here: &Path) -> Inputs {
    let mut named: Vec<PathBuf> = paths.to_vec();
    for (_, file) in conditions {
        if !named.contains(file) {
            named.push(file.clone());
        }
    }
    if !named.is_empty() {
        return Inputs::new(named.into_iter().map(Input::Path).collect(), Origin::Named, here);
    }
    let found: Vec<Input> = FOLDERS
        .iter()
        .filter(|folder| store::holds_records(&here.join(folder)))
        // Relative as it stands, so that messages read `results/a.jsonl:3: …`.
        .map(|folder| Input::Path(if here == Path::new(".") { folder.into() } else { here.join(folder) }))
        .collect();
    if found.is_empty() {
        return Inputs::new(store::sample(), Origin::Sample, here);
    }
    Inputs::new(found, Origin::Here, here)
}

/// What an input is called.
pub fn name(input: &Input) -> String {
    match input {
        Input::Path(path) | Input::Journal(path) => path.display().to_string(),
        Input::Embedded { name, .. } => (*name).to_owned(),
    }
}
