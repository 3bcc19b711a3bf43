//! The state of the screen: one pure machine, no IO, no clock, no terminal.
