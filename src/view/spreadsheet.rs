//! Text that a spreadsheet takes for text.

/// The text with a `'` in front where a spreadsheet would take it for a formula.
pub fn csv_text(text: &str) -> String {
    // Spreadsheets look past white space, and some take the full-width forms too.
    let first = text.trim_start().chars().next();
    let formula = first.is_some_and(|c| "=+-@＝＋－＠".contains(c)) || text.starts_with(['\t', '\r']);
    if formula { format!("'{text}") } else { text.to_owned() }
}
