//! Where the program's own files are.
//!
//! By the XDG rules (on macOS too, where command line users expect them; on Windows its own folders). `LOOKITUP_HOME`
//! puts all of them below one folder: for tests and for trying things out.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

/// The folders; none of them need exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// The configuration, the user's themes below it.
    pub config: PathBuf,
    /// What is remembered from one time to the next, and the log.
    pub state: PathBuf,
    /// Runs, notes and overrides that have no folder of their own.
    pub data: PathBuf,
}

impl Paths {
    /// The folders of this user; `None` when there is no home folder to be found.
    pub fn find() -> Option<Self> {
        Self::of(&|name| std::env::var_os(name))
    }

    /// The same, with `LOOKITUP_HOME` from any environment.
    pub fn of(env: &dyn Fn(&str) -> Option<OsString>) -> Option<Self> {
        if let Some(home) = env("LOOKITUP_HOME").filter(|h| !h.is_empty()) {
            let home = PathBuf::from(home);
            return Some(Self {
                config: home.join("config"),
                state: home.join("state"),
                data: home.join("data"),
            });
        }
        let base = etcetera::choose_base_strategy().ok()?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        Some(Self {
            config: base.config_dir().join("lookitup"),
            state: state.join("lookitup"),
            data: base.data_dir().join("lookitup"),
        })
    }

    /// The file of settings.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The folder of the user's themes.
    pub fn themes(&self) -> PathBuf {
        self.config.join("themes")
    }
}

/// The folder of the user's configuration.
pub fn config_dir() -> Option<PathBuf> {
    Paths::find().map(|p| p.config)
}

/// The folder of what is remembered from one time to the next.
pub fn state_dir() -> Option<PathBuf> {
    Paths::find().map(|p| p.state)
}

/// The folder of the user's data.
pub fn data_dir() -> Option<PathBuf> {
    Paths::find().map(|p| p.data)
}

/// A path as people write it: the home folder as `~`.
pub fn display(path: &Path) -> String {
    let home = etcetera::home_dir().ok();
    match home.as_deref().and_then(|home| path.strip_prefix(home).ok()) {
        Some(rest) => Path::new("~").join(rest).display().to_string(),
        None => path.display().to_string(),
    }
}
