//! Strings on a screen and in comparisons: sanitising, widths, wrapping, word diffs, folding, normalisation.
//!
//! Pure functions over `&str`; knows nothing of records or terminals.
