//! The filter language and the order of rows.
