//! Settings: defaults < file < environment < flags.
//!
//! Owns what can be set, where the files are, and complaints that name file and line. A broken file never stops the
//! program: what could be read holds, the rest keeps its default.

mod example;
mod load;
pub mod paths;
mod settings;
pub mod source;
mod types;

pub use crate::record::Errors;
pub use example::example;
pub use load::{Env, load, load_by, read};
pub use paths::Paths;
pub use settings::{Kind, SETTINGS, Setting};
pub use source::Problem as ConfigError;
pub use types::{Clipboard, Config, Overrides, View};
