//! Semantic roles and the colours they take.
