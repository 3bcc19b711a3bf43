//! Settings: defaults, file, environment, flags.
