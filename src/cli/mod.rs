//! The command line: one file a sub-command, each a thin call into the library.
