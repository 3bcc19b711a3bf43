//! Comparing answers with references, explaining the verdict, reading a verbalised answer and confidence.
//!
//! Knows the scorers' rules and the spellings of models; knows nothing of files, pairs or figures.

mod confidence;
mod distance;
mod explain;
mod objects;
mod parse;
mod refs;
mod tidy;

pub use confidence::confidence;
pub use explain::{Explanation, explain};
pub use parse::{Doubt, Spoken, parse_answer};
pub use refs::{Refs, scored, split_references};
