//! Draws the state: `\&Model` to cells.
