//! What the screen begins with.

use std::sync::Arc;

use super::looks::Looks;
use super::{Session, state};
use crate::app::Start;
use crate::config::Errors;
use crate::view::Column;

/// The model to begin with: flags win over the last session, the last session over the settings.
pub(super) fn model(session: &Session, looks: &Looks, size: (u16, u16)) -> Start {
    let config = &session.config;
    let last = if config.state { state::load(&session.paths) } else { crate::app::Session::default() };
    let asked = session.filter.is_some() || session.open.is_some();
    let mut columns: Vec<Column> = last.columns.iter().filter_map(|c| Column::parse(c)).collect();
    let widths = if columns.is_empty() { config.widths.clone() } else { last.widths() };
    if columns.is_empty() {
        columns.clone_from(&config.columns);
    }
    if columns.is_empty() {
        columns = Column::DEFAULT.to_vec();
    }
    let sort = session.sort.clone().or_else(|| if asked { None } else { last.sort.clone() });
    let sort = sort.unwrap_or_else(|| config.sort.clone());
    let filter =
        session.filter.clone().unwrap_or_else(|| if asked { String::new() } else { last.filter.clone() });
    let mut views = state::configured(config);
    for view in if config.state { state::load_views() } else { Vec::new() } {
        if !views.iter().any(|v| v.0 == view.0) {
            views.push(view);
        }
    }
    let mut last = last;
    if asked {
        last.toggles = 0;
        last.selected = None;
    }
    Start {
        size,
        keymap: Arc::new(config.keymap.clone()),
        columns,
        widths,
        sort: crate::query::parse_sort(&sort).unwrap_or_default(),
        filter,
        scorer: session.scorer.or_else(|| last.scorer()).unwrap_or(config.scorer),
        errors: session.errors.unwrap_or(match last.errors_wrong {
            Some(true) => Errors::Wrong,
            Some(false) => Errors::Drop,
            None => config.errors,
        }),
        themes: looks.names(),
        theme: looks.theme().name().to_owned(),
        mouse: config.mouse,
        label: session.label.clone(),
        paths: session.paths.clone(),
        views,
        config_errors: session.config_errors.clone(),
        open: session.open.clone(),
        session: last,
    }
}
