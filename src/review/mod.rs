//! Notes, codes, overrides: what people say about rows, kept, counted and compared.
//!
//! Owns the notes file and the codebook, and every figure made of them. Knows no screen, no keys, no clock: time,
//! person and ids come in as arguments.

mod agreement;
mod bundle;
pub mod codebook;
mod coded;
mod counts;
mod dispute;
mod draft;
mod entry;
mod file;
mod hash;
mod locate;
mod marks;
mod notes;
mod overlay;
mod patch;
mod place;
mod plan;
mod reviewed;
#[cfg(test)]
mod samples;
mod state;
mod suggest;
mod tally;
mod wire;

pub use agreement::{Agreement, Both, Coefficient, Comparison, agreement, compare};
pub use bundle::{Exported, to_csv, to_jsonl, to_markdown};
pub use codebook::{Code, Codebook, Today};
pub use coded::{Coded, Found, Numbers, Placed, Sampled, coded, last_plan, place_codings};
pub use counts::{
    Axis, CodedRow, Crosstab, Line, Prevalence, Saturation, Which, crosstab, prevalence, rows_of, saturation,
    unseen, unseen_bound,
};
pub use draft::{DraftFile, Left, drafts_left};
pub use entry::{
    Act, Entry, Key, NOTE_SCHEMA, On, Refused, Slot, SlotKind, answer_hash, entry_id, pair_hash,
};
pub use file::{NotesFile, notes_path};
pub use locate::{held, key_of, locate, namesakes, plan_rows};
pub use marks::{marks, marks_of};
pub use notes::{BadLine, Coding, Notes};
pub use overlay::{Change, Overlay, Why, overlay};
pub use patch::{Patch, patch};
pub use place::{codebook_of, load_codebook, notes_of};
pub use plan::{Draw, Plan, PlanRow, Sample, Stratum, surprise};
pub use reviewed::{Because, Reviewed, reviewed, reviewed_transition};
pub use state::{Override, Place, Stamp, Step};
pub use suggest::{Neighbours, Sign, Suggestion, Trace, judged, suggest};
pub use tally::{Basis, Drawn, Origin, Tally};
