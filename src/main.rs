//! The `lookitup` program.

fn main() {}
