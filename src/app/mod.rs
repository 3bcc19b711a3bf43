//! The state of the screen: one pure machine, no IO, no clock, no terminal.
//!
//! [`update`] takes a [`Model`] and a [`Msg`] and answers with [`Effect`]s, plain data that the runtime carries out.
//! Answers come back as messages with the number of their request, so that an old one is told from a new one.

mod act;
mod browse;
mod checking;
pub mod coding;
mod copy;
mod detail;
mod dialogs;
mod figures;
mod filter;
mod input;
pub mod layout;
mod menu;
mod model;
mod mouse;
mod msg;
mod open;
pub mod reask;
mod records;
mod rows;
mod session;
mod terms;
mod texts;
mod update;
mod widths;

pub use checking::{CheckRequest, Checking};
pub use copy::Copied;
pub use detail::Detail;
pub use dialogs::{BinsDialog, ColumnsDialog, Overlay};
pub use figures::{Figures, GroupsRequest, Shown};
pub use filter::{Filter, Toggles};
pub use input::Line;
pub use menu::{Item, Menu, MenuChoice};
pub use model::{Focus, Model, Start, Status, Tone, View};
pub use mouse::{Hit, HitMap};
pub use msg::{Answer, BinsRequest, Effect, Exported, Msg, Request, Reviewed};
pub use records::{Found, Held, Read, Records, Sides, Wanted, Wants};
pub use rows::Rows;
pub use session::Session;
pub use texts::{Row, TextDialog, TextKind};
pub use update::update;
pub use widths::Drag;
