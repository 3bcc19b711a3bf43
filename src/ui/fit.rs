//! Which columns a list has room for, and how wide they are.

use crate::app::Model;
use crate::store::Table;
use crate::text;
use crate::view::{Column, short_names};

/// Columns that go first when there is no room: what they say stands in the detail as well.
const SPARED: [Column; 5] =
    [Column::Model, Column::Run, Column::References, Column::AnswerNo, Column::AnswerWith];

/// The widest that the model's name may be as it stands, and shortened.
const NAME: (usize, usize) = (24, 14);

/// The names of the models, whole and short.
pub(super) struct Models {
    short: Vec<String>,
    /// The widest of them, whole and short, no wider than [`NAME`].
    widths: (u16, u16),
    /// Rows of several models must be told apart.
    several: bool,
}

impl Models {
    /// The models of a table.
    pub(super) fn of(table: &Table) -> Self {
        let names: Vec<&str> = table.names.models.iter().map(|(_, name)| name).collect();
        let short = short_names(&names);
        let title = Column::Model.title().len();
        let widest = |widths: &mut dyn Iterator<Item = usize>, most: usize| {
            widths.max().unwrap_or(0).max(title).min(most) as u16
        };
        let whole = widest(&mut names.iter().map(|n| text::width(n)), NAME.0);
        let brief = widest(&mut short.iter().map(|n| text::width(n)), NAME.1);
        Self { widths: (whole, brief.min(whole)), several: names.len() > 1, short }
    }

    /// The name of model `number` in a cell: whole where it fits, else what tells it from the others.
    pub(super) fn name(&self, number: u16, whole: String, cells: usize) -> String {
        if text::width(&whole) <= cells {
            return whole;
        }
        let short = usize::from(number).checked_sub(1).and_then(|n| self.short.get(n)).unwrap_or(&whole);
        text::middle(short, cells).into_owned()
    }
}

/// A column as it is drawn.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    pub(super) column: Column,
    /// Its number among the model's columns.
    pub(super) number: usize,
    pub(super) width: u16,
    /// The width was chosen: nobody takes from it or adds to it.
    chosen: bool,
}

impl Fit {
    fn grows(self) -> bool {
        self.column.grows() && !self.chosen
    }

    fn least(self) -> u16 {
        if self.grows() { self.width.min(10) } else { self.width }
    }
}

/// The columns that fit, with their widths. Want of room is taken from the texts first; then columns go, those whose
/// width was chosen last. Where there are several models, their names are shortened and then other columns go first.
pub(super) fn fit(model: &Model, models: &Models, width: u16) -> Vec<Fit> {
    let mut columns: Vec<Fit> = model
        .columns
        .iter()
        .enumerate()
        .skip(model.place.left.min(model.columns.len().saturating_sub(1)))
        .map(|(number, &column)| {
            let chosen = model.width_of(column);
            let room = chosen.map_or_else(|| hint(column, models, width), |w| w.min(width));
            Fit { column, number, width: room, chosen: chosen.is_some() }
        })
        .collect();
    let (whole, short) = models.widths;
    let shortens = models.several && needed(&columns) > width;
    if shortens {
        name_width(&mut columns, short);
    }
    while needed(&columns) > width && columns.len() > 1 {
        let spare = spare(&columns, models.several);
        columns.remove(spare);
    }
    // What a column that went has left may do for the whole name.
    if shortens && needed(&columns) + (whole - short) <= width {
        name_width(&mut columns, whole);
    }
    share(&mut columns, width);
    columns
}

/// Sets the width of the model's name, unless it was chosen.
fn name_width(columns: &mut [Fit], width: u16) {
    for column in columns.iter_mut().filter(|c| c.column == Column::Model && !c.chosen) {
        column.width = width;
    }
}

/// The column that goes next.
fn spare(columns: &[Fit], several: bool) -> usize {
    let kept = |c: &Fit| c.chosen || (several && c.column == Column::Model);
    SPARED
        .iter()
        .find_map(|&spared| columns.iter().position(|c| c.column == spared && !kept(c)))
        .or_else(|| columns.iter().rposition(|c| !kept(c)))
        .or_else(|| columns.iter().rposition(|c| !c.chosen))
        .unwrap_or(columns.len() - 1)
}

fn needed(columns: &[Fit]) -> u16 {
    columns.iter().map(|c| c.least()).sum::<u16>() + columns.len().saturating_sub(1) as u16
}

/// Gives the texts what room there is: to each what it cannot do without, and of the rest the more the more it asks for.
fn share(columns: &mut [Fit], width: u16) {
    let gaps = columns.len().saturating_sub(1) as u16;
    let fixed: u16 = columns.iter().filter(|c| !c.grows()).map(|c| c.width).sum();
    let texts = || columns.iter().filter(|c| c.grows());
    let (asked, least): (u16, u16) = (texts().map(|c| c.width).sum(), texts().map(|c| c.least()).sum());
    let room = width.saturating_sub(fixed + gaps);
    let more = u32::from(asked - least).max(1);
    if asked > 0 {
        let rest = room.saturating_sub(least);
        let mut left = room;
        let last = columns.iter().rposition(|c| c.grows());
        for (at, text) in columns.iter_mut().enumerate().filter(|(_, c)| c.grows()) {
            let share = if Some(at) == last {
                left
            } else {
                let wish = u32::from(text.width - text.least());
                text.least() + (u32::from(rest) * wish).div_ceil(more) as u16
            };
            text.width = share.min(left).max(1);
            left = left.saturating_sub(share);
        }
    } else if let [only] = columns {
        only.width = only.width.min(width);
    }
}

/// The width that a column asks for; on narrow lists the transition is its glyph alone.
fn hint(column: Column, models: &Models, width: u16) -> u16 {
    match column {
        Column::Transition if width < 90 => 3,
        Column::Id => 9,
        Column::Model => models.widths.0,
        _ => column.width_hint(),
    }
}
