use clap::CommandFactory as _;
use serde_json::json;

use super::args::{Cli, Command};
use super::inputs::{self, Origin};
use super::open::filter_error;
use super::text_table::TextTable;
use crate::export::csv_cell;
use crate::query;
use crate::record::Condition;
use crate::store::Input;
use crate::text;
use crate::view::Column;

#[test]
fn arguments_are_consistent() {
    Cli::command().debug_assert();
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|c| (*c).to_owned()).collect()
}

#[test]
fn tables_give_way_where_it_costs_least() {
    let columns = [Column::Transition, Column::Id, Column::Question, Column::Calls];
    let long = "what is the answer to this rather long question";
    let rows =
        [row(&["✓→✗ broken", "Q4S1C3R5", long, "2"]), row(&["✗→✓ corrected", "A", "日本語の質問", "12"])];
    let wide = TextTable::fit(&columns, &rows, 120);
    assert!(wide.line(&rows[0]).contains(long));
    let narrow = TextTable::fit(&columns, &rows, 60);
    for cells in &rows {
        let line = narrow.line(cells);
        assert!(text::width(&line) <= 60, "{line}");
        assert!(line.contains(&cells[1]) && line.ends_with(&cells[3]), "{line}");
    }
    assert!(narrow.line(&rows[0]).contains('…'));
    // Numbers end at one edge.
    assert_eq!(text::width(&narrow.line(&rows[0])), text::width(&narrow.line(&rows[1])));
    assert_eq!(text::width(&narrow.head()), text::width(&narrow.line(&rows[0])));
}

#[test]
fn ids_are_never_cut() {
    let id = "an-identifier-that-is-longer-than-the-whole-table";
    let table = TextTable::fit(&[Column::Id, Column::Question], &[], 20);
    assert!(table.line(&row(&[id, "?"])).contains(id));
}

#[test]
fn cells_that_a_spreadsheet_would_run_are_disarmed() {
    for formula in ["=1", "+1", "-1", "@x", "\tx", "\rx"] {
        assert_eq!(csv_cell(json!(formula)), format!("'{formula}"));
    }
    assert_eq!(csv_cell(json!("a=1")), "a=1");
    assert_eq!(csv_cell(json!(-0.15)), "-0.15");
    assert_eq!(csv_cell(json!(["a", "b"])), "a | b");
    assert_eq!(csv_cell(json!(["=a", "b"])), "'=a | b");
    assert_eq!(csv_cell(json!(null)), "");
    assert_eq!(csv_cell(json!(true)), "true");
}

#[test]
fn the_caret_stands_under_the_fault() {
    for (source, wrong) in
        [("conf>=0.9 nofield:x", "nofield"), ("日本 nofield:x", "nofield"), ("a\tnofield:x", "nofield")]
    {
        let error = query::parse(source).unwrap_err();
        let text = filter_error("--filter", source, &error).to_string();
        let lines: Vec<&str> = text.lines().collect();
        let shown = text::width(lines[1].split(wrong).next().unwrap());
        assert_eq!(text::width(lines[2].split('^').next().unwrap()), shown, "{text}");
    }
    let open = "transition:broken and (";
    let error = query::parse(open).unwrap_err();
    assert!(filter_error("--filter", open, &error).to_string().contains('^'));
}

#[test]
fn named_files_win_over_folders_here() {
    let here = tempfile::tempdir().unwrap();
    let found = inputs::discover(&["a.jsonl".into()], &[(Condition::NoSearch, "b.eval".into())], here.path());
    assert_eq!(found.origin, Origin::Named);
    assert_eq!(found.names(), ["a.jsonl", "b.eval"]);
    let found = inputs::discover(&[], &[], here.path());
    assert_eq!(found.origin, Origin::Sample);
    assert!(found.list.iter().all(|i| matches!(i, Input::Embedded { .. } | Input::Journal(_))));
}

#[test]
fn conditions_are_read_and_refused() {
    use clap::Parser as _;
    let cli = Cli::try_parse_from(["lookitup", "list", "--as", "without-search=a=b.jsonl"]).unwrap();
    let Some(Command::List(list)) = cli.command else { panic!() };
    assert_eq!(list.input.conditions, [(Condition::NoSearch, "a=b.jsonl".into())]);
    for bad in ["no_search", "=a", "nope=a", "no_search="] {
        assert!(Cli::try_parse_from(["lookitup", "--as", bad]).is_err(), "{bad}");
    }
}
