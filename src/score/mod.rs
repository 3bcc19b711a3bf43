//! Comparing answers with references, explaining the verdict, reading a verbalised answer and confidence.
