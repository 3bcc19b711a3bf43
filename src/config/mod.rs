//! Settings: defaults < file < environment < flags.
//!
//! Owns what can be set, where the files are, and complaints that name file and line. A broken file never stops the
//! program: what could be read holds, the rest keeps its default.

pub mod source;
mod types;

pub use source::Problem as ConfigError;
pub use types::{Clipboard, Config, Errors, Overrides, View};
