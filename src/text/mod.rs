//! Strings on a screen and in comparisons: sanitising, widths, wrapping, word diffs, folding, normalisation.
//!
//! Pure functions over `&str`; knows nothing of records or terminals.

mod anchors;
mod clean;
mod diff;
mod escape;
mod fold;
mod letters;
mod normalize;
mod plural;
mod sanitize;
mod url;
mod width;
mod wrap;

pub use anchors::{lost_anchors, prepare, time_anchors};
pub use clean::{clean, without_marks};
pub use diff::{Kind, Piece, diff_words, diff_words_folded};
pub use escape::{cell_text, fence, inline};
pub use fold::{fold, fold_untrusted, folded};
pub use normalize::{normalize, normalize_into};
pub use plural::{count, counted, several};
pub use sanitize::{sanitize, sanitize_line};
pub use url::{graphemes, host};
pub use width::{Grapheme, cells, head, is_plain, middle, pad, truncate, width};
pub use wrap::{expand_tabs, wrap};
