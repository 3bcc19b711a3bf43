//! Notes, codes, overrides: what people say about rows, kept, counted and compared.
//!
//! Owns the notes file and the codebook, and every figure made of them. Knows no screen, no keys, no clock: time,
//! person and ids come in as arguments.

pub mod codebook;
mod draft;
mod entry;
mod file;
mod hash;
mod notes;
mod state;
mod wire;

pub use codebook::{Code, Codebook, Today};
pub use draft::{DraftFile, Left, drafts_left};
pub use entry::{
    Act, Entry, Key, NOTE_SCHEMA, On, Refused, Slot, SlotKind, answer_hash, entry_id, pair_hash,
};
pub use file::{NotesFile, notes_path};
pub use notes::{BadLine, Coding, Notes};
pub use state::{Override, Place, Stamp, Step};
