//! Figures over rows of the table.
