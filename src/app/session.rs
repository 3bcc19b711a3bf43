//! What is kept of a session, per set of files.

use serde::{Deserialize, Serialize};

use super::Model;
use crate::record::Scorer;
use crate::stats::Errors;
use crate::view::Column;

/// Selection, filter, order and columns of the last time the same files were open.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Session {
    /// The filter's text.
    pub filter: String,
    /// Transition toggles, one bit each.
    pub toggles: u8,
    /// The order, as `--sort` takes it.
    pub sort: Option<String>,
    /// The columns shown, in order.
    pub columns: Vec<String>,
    /// The widths that columns were given.
    pub widths: Vec<(String, u16)>,
    /// The selected row: question, model, attempt number.
    pub selected: Option<(String, String, u32)>,
    /// The scorer.
    pub scorer: Option<String>,
    /// Whether errors count as wrong.
    pub errors_wrong: Option<bool>,
    /// The list's share of the screen in percent.
    pub share: Option<u16>,
    /// Filters typed before, oldest first.
    pub history: Vec<String>,
    /// Whether what others said is hidden: who codes a second time must not find it shown by starting again.
    pub blind: bool,
}

impl Session {
    /// What is worth keeping of a model.
    pub fn of(model: &Model) -> Self {
        Self {
            filter: model.filter.applied.clone(),
            toggles: model.filter.toggles.0,
            sort: Some(crate::query::sort_text(&model.sort)),
            columns: model.columns.iter().map(|c| c.id().to_owned()).collect(),
            widths: model.widths.iter().map(|&(c, w)| (c.id().to_owned(), w)).collect(),
            selected: model.selected_key(),
            scorer: Some(model.scorer.name().to_owned()),
            errors_wrong: Some(model.errors == Errors::Wrong),
            share: model.choice.share,
            history: model.filter.history.clone(),
            blind: model.review.blind,
        }
    }

    /// The widths it names.
    pub fn widths(&self) -> Vec<(Column, u16)> {
        let known = self.widths.iter().filter(|(_, w)| Column::WIDTHS.contains(w));
        known.filter_map(|(c, w)| Some((Column::parse(c)?, *w))).collect()
    }

    /// The scorer it names.
    pub fn scorer(&self) -> Option<Scorer> {
        self.scorer.as_deref().and_then(Scorer::parse)
    }
}
