//! Actions and the keys that call them.
