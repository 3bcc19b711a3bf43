//! Figures over rows of the table.
//!
//! Pure functions: the same rows in any order give the same figures. What they mean is defined in METRICS. Reads
//! columns alone, never a file.

mod bins;
mod bootstrap;
mod intervals;
mod mcnemar;
mod random;
mod special;
mod summary;
mod tally;

pub use crate::record::Errors;
pub use bins::{Bin, Binning, Bins, bins};
pub use intervals::{SMALL, Share, Z, wald_half_width, wilson, wilson_at};
pub use mcnemar::mcnemar_exact;
pub use random::Random;
pub use summary::{Accuracy, Net, Summary, summary};
