//! Figures over rows of the table.
//!
//! Pure functions: the same rows in any order give the same figures. What they mean is defined in METRICS. Reads
//! columns alone, never a file.

mod assemble;
mod bins;
mod bootstrap;
mod calibration;
mod count;
mod coverage;
mod gating;
mod groups;
mod intervals;
mod mcnemar;
mod random;
mod repeats;
mod special;
mod spread;
mod summary;
mod tally;

pub use crate::record::Errors;
pub use assemble::groups;
pub use bins::{Bin, Binning, Bins, bins};
pub use bootstrap::{RESAMPLES, SEED};
pub use calibration::{Calibration, CalibrationBin, Level, Murphy, calibration};
pub use coverage::{Coverage, Kept, coverage};
pub use gating::{CrossValidated, Gate, Gated, Gating, gating};
pub use groups::{By, CALL_PRICE, Cost, Group, Invocation, Options};
pub use intervals::{SMALL, Share, Z, wald_half_width, wilson, wilson_at};
pub use mcnemar::mcnemar_exact;
pub use random::Random;
pub use repeats::{AtK, MOST, Repeated, pass_all, pass_at};
pub use spread::{PERCENTILES, Spread, spread};
pub use summary::{Accuracy, Net, Summary, summary};
