//! Keys in, model and effects out: no terminal.

use std::sync::Arc;

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use lookitup::app::{Effect, Focus, Hit, Msg, Overlay, TextKind};
use lookitup::record::{Attempt, Condition, Question, Transition};
use lookitup::store::table_of;
use lookitup::view::Column;

use crate::support::bench::Bench;

fn transitions(bench: &Bench) -> Vec<Transition> {
    let rows = &bench.model.view.rows;
    (0..rows.len())
        .map(|at| {
            let pair = bench.model.pair(rows.get(at).unwrap()).unwrap();
            pair.transitions[bench.model.scorer as usize]
        })
        .collect()
}

#[test]
fn the_broken_ones_of_one_model_with_high_confidence_are_found_in_a_few_keys() {
    let mut bench = Bench::sample((120, 40));
    bench.press("3 /");
    bench.type_text("model:sim-large conf>=0.9");
    bench.press("enter");
    assert!(bench.model.filter.editing.is_none());
    let rows = bench.model.view.rows.len();
    assert!(rows > 0, "the sample has such questions");
    for at in 0..rows {
        let pair = *bench.model.pair(bench.model.view.rows.get(at).unwrap()).unwrap();
        let no = *bench.model.table.side(&pair, Condition::NoSearch).unwrap();
        assert!(no.confidence().unwrap() >= 0.9);
        assert_eq!(bench.model.table.names.models.word(pair.model), Some("sim-large"));
        assert_eq!(pair.transitions[bench.model.scorer as usize], Transition::Broken);
    }
    assert_eq!(bench.model.filter_text(), "transition:broken (model:sim-large conf>=0.9)");
}

#[test]
fn toggles_add_up_and_go_off_again() {
    let mut bench = Bench::sample((120, 40));
    let all = bench.model.view.rows.len();
    bench.press("3");
    assert!(transitions(&bench).iter().all(|t| *t == Transition::Broken));
    bench.press("4");
    assert!(transitions(&bench).iter().all(|t| matches!(t, Transition::Broken | Transition::Unresolved)));
    bench.press("3 4");
    assert_eq!(bench.model.view.rows.len(), all);
}

#[test]
fn harmful_lists_broken_first() {
    let mut bench = Bench::sample((120, 40));
    bench.press("H");
    let found = transitions(&bench);
    let broken = found.iter().filter(|t| **t == Transition::Broken).count();
    assert!(broken > 0 && found[..broken].iter().all(|t| *t == Transition::Broken));
    assert!(found[broken..].iter().all(|t| *t == Transition::Unresolved));
}

#[test]
fn the_selection_stays_on_its_question() {
    let mut bench = Bench::sample((120, 40));
    bench.press("3");
    bench.press("j");
    let id = bench.id();
    // Everything again: the same question, now further down.
    bench.press("3");
    assert_eq!(bench.id(), id);
    bench.press("s");
    bench.type_text("dconf");
    bench.press("enter");
    assert_eq!(bench.id(), id);
    // A filter that hides it moves the cursor; taking the filter away brings it back.
    bench.press("1");
    assert_ne!(bench.id(), id);
    bench.press("1");
    assert_eq!(bench.id(), id);
}

#[test]
fn the_column_of_both_confidences_says_by_which_way_the_rows_run() {
    let mut bench = Bench::sample((120, 40));
    bench.press("s");
    bench.type_text("conf.with");
    bench.press("enter");
    assert!(bench.text().contains("conf▲"), "{}", bench.text());
    bench.press("S");
    assert!(bench.text().contains("conf▼"), "{}", bench.text());
}

#[test]
fn movement_stops_at_the_ends() {
    let mut bench = Bench::sample((80, 24));
    bench.press("k");
    assert_eq!(bench.model.place.cursor, 0);
    bench.press("G");
    let last = bench.model.view.rows.len() - 1;
    assert_eq!(bench.model.place.cursor, last);
    bench.press("j ctrl-d");
    assert_eq!(bench.model.place.cursor, last);
    bench.press("g g");
    assert_eq!(bench.model.place.cursor, 0);
}

#[test]
fn a_wrong_filter_keeps_the_last_good_rows_and_points_at_the_place() {
    let mut bench = Bench::sample((120, 40));
    bench.press("/");
    bench.type_text("transition:broken");
    let rows = bench.model.view.rows.len();
    bench.type_text(" conf>=abc");
    assert_eq!(bench.model.view.rows.len(), rows);
    let error = bench.model.filter.editing.as_ref().unwrap().error.clone().unwrap();
    assert!(error.at.start >= "transition:broken ".len(), "{error:?}");
    bench.press("enter");
    assert!(bench.model.filter.editing.is_some(), "a text with an error is not taken");
    bench.press("esc");
    assert_eq!(bench.model.filter.applied, "");
}

#[test]
fn a_paste_into_the_filter_is_one_edit() {
    let mut bench = Bench::sample((120, 40));
    bench.press("/");
    let before = bench.model.view.wanted;
    bench.send(Msg::Paste("transition:broken\n".into()));
    assert_eq!(bench.model.view.wanted, before + 1);
    assert_eq!(bench.model.filter.applied, "transition:broken");
}

#[test]
fn a_paste_outside_a_text_field_does_nothing() {
    let mut bench = Bench::sample((120, 40));
    bench.send(Msg::Paste("q3q".into()));
    assert!(bench.left.is_empty());
    assert_eq!(bench.model.filter.toggles.0, 0);
}

#[test]
fn a_bin_filters_the_list_to_what_it_counts() {
    let mut bench = Bench::sample((120, 40));
    bench.press("b");
    let (_, bins) = bench.model.view.bins.clone().unwrap();
    for (at, bin) in bins.bins.iter().enumerate() {
        let mut bench = Bench::sample((120, 40));
        bench.press("b");
        bench.press("g g");
        for _ in 0..at {
            bench.press("j");
        }
        bench.press("enter");
        assert!(bench.model.overlays.is_empty());
        assert_eq!(bench.model.view.rows.len() as u64, bin.n, "bin {at}: {}", bench.model.filter.applied);
    }
}

#[test]
fn enter_reads_and_esc_goes_back_step_by_step() {
    let mut bench = Bench::sample((80, 24));
    bench.press("3 enter");
    assert_eq!(bench.model.focus, Focus::Detail);
    assert!(bench.model.choice.detail_only);
    let id = bench.id();
    bench.press("n");
    assert_ne!(bench.id(), id);
    bench.press("N");
    assert_eq!(bench.id(), id);
    bench.press("esc");
    assert_eq!(bench.model.focus, Focus::List);
    bench.press("esc");
    assert!(!bench.model.filter.active());
}

#[test]
fn copying_hands_out_clean_text() {
    let mut bench = Bench::sample((120, 40));
    for (key, part) in [("t", "?"), ("i", ""), ("l", "--open="), ("m", "with"), ("J", "{")] {
        bench.press("y");
        bench.press(key);
        let Some(Effect::Copy(text)) = bench.left.pop() else { panic!("{key}: nothing was copied") };
        assert!(text.contains(part), "{key}: {text}");
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{key}: {text:?}");
    }
}

#[test]
fn repeats_are_stepped_through() {
    let mut bench = Bench::sample((120, 40));
    bench.press("/");
    bench.type_text("attempt:3");
    bench.press("enter");
    assert!(!bench.model.view.rows.is_empty());
    let shown = bench.model.shown().unwrap();
    assert_eq!(bench.model.repeats(shown).len(), 3);
    bench.press("[");
    assert_ne!(bench.model.shown().unwrap(), shown);
    bench.press("]");
    assert_eq!(bench.model.shown().unwrap(), shown);
}

#[test]
fn quitting_keeps_the_session() {
    let mut bench = Bench::sample((120, 40));
    bench.press("3 j q");
    let id = bench.id();
    let saved = bench.left.iter().find_map(|e| match e {
        Effect::Save(s) => Some(s.clone()),
        _ => None,
    });
    assert_eq!(saved.unwrap().selected.unwrap().0, id);
    assert!(matches!(bench.left.last(), Some(Effect::Quit)));
}

#[test]
fn themes_are_previewed_and_taken_back() {
    let mut bench = Bench::sample((120, 40));
    bench.press("t down");
    assert_eq!(bench.model.theme, "light");
    bench.press("esc");
    assert_eq!(bench.model.theme, "dark");
    bench.press("t down enter");
    assert_eq!(bench.model.theme, "light");
}

#[test]
fn columns_can_be_hidden_and_moved_but_one_stays() {
    let mut bench = Bench::sample((120, 40));
    let before = bench.model.columns.clone();
    bench.press("| j space");
    assert_eq!(bench.model.columns.len(), before.len() - 1);
    bench.press("space k J");
    assert_eq!(bench.model.columns[..2], [before[1], before[0]]);
    for _ in 0..30 {
        bench.press("g g");
        for _ in 0..bench.model.columns.len() {
            bench.press("space j");
        }
    }
    assert!(!bench.model.columns.is_empty());
}

#[test]
fn a_record_read_for_other_row_numbers_is_never_shown() {
    let mut bench = Bench::sample((120, 40));
    let pair = bench.model.selected().unwrap();
    let sides = bench.model.pair(pair).unwrap().sides;
    let other = bench.reader.bundle(&bench.model.table, pair + 5).unwrap();
    let read = |sides| {
        let whole = lookitup::app::Read { pair, sides, bytes: 1, record: Ok(other.clone()) };
        let brief = lookitup::store::Brief::from(&other);
        let brief = lookitup::app::Read { pair, sides, bytes: 1, record: Ok(brief) };
        lookitup::app::Found { brief: vec![brief], whole: vec![whole] }
    };
    let generation = bench.model.table.generation;
    let own = bench.model.record(pair).unwrap().as_ref().unwrap().question.id.clone();
    // Another generation of the table, and other attempts of the row.
    bench.send(Msg::Records(generation + 1, read(sides)));
    bench.send(Msg::Records(generation, read([7, 8, 9])));
    bench.frame();
    let shown = bench.model.record(pair).map(|r| r.as_ref().unwrap().question.id.clone());
    assert!(shown.is_none_or(|id| id == own));
    assert!(!bench.text().contains(&other.question.question[..30]) || own == other.question.id);
}

#[test]
fn esc_takes_back_what_a_bin_added() {
    let mut bench = Bench::sample((120, 40));
    bench.press("/");
    bench.type_text("split:static");
    bench.press("enter b enter");
    assert_ne!(bench.model.filter.applied, "split:static");
    bench.press("esc");
    assert_eq!(bench.model.filter.applied, "split:static");
}

#[test]
fn harmful_twice_brings_back_toggles_and_order() {
    let mut bench = Bench::sample((120, 40));
    bench.press("1 s");
    bench.type_text("dconf");
    bench.press("enter");
    let (toggles, sort) = (bench.model.filter.toggles, bench.model.sort.clone());
    bench.press("H H");
    assert_eq!((bench.model.filter.toggles, bench.model.sort.clone()), (toggles, sort));
}

#[test]
fn a_draft_survives_a_walk_through_the_history() {
    let mut bench = Bench::sample((120, 40));
    bench.press("/");
    bench.type_text("split:static");
    bench.press("enter x /");
    bench.type_text("model:sim-l");
    bench.press("up down");
    assert_eq!(bench.model.filter.editing.as_ref().unwrap().line.text(), "model:sim-l");
}

#[test]
fn a_deep_link_names_the_model() {
    let mut bench = Bench::sample((120, 40));
    bench.press("G y l");
    let Some(Effect::Copy(link)) = bench.left.pop() else { panic!("nothing was copied") };
    let model = bench.model.selected_key().unwrap().1;
    assert!(link.contains(&format!("model=\"{model}\"")), "{link}");
}

#[test]
fn characters_that_act_unseen_are_typed_by_name() {
    let mut bench = Bench::sample((120, 40));
    bench.press("/");
    bench.type_text("a\u{202e}b");
    bench.send(Msg::Paste("\u{202e}c\u{1b}[31m".into()));
    let text = bench.model.filter.editing.as_ref().unwrap().line.text();
    assert!(!text.chars().any(|c| c == '\u{202e}' || c.is_control()), "{text:?}");
    assert!(text.contains("202E"), "{text:?}");
    assert!(!bench.text().contains('\u{202e}'));
}

/// Where the last frame had a column's title: left edge, width, line.
fn title(bench: &mut Bench, column: Column) -> Option<(u16, u16, u16)> {
    bench.frame();
    let number = bench.model.columns.iter().position(|&c| c == column)?;
    let found = bench.model.hits.0.iter().find(|(_, hit)| *hit == Hit::Title(number));
    found.map(|(area, _)| (area.x, area.width, area.y))
}

fn mouse(bench: &mut Bench, kind: MouseEventKind, column: u16, row: u16) {
    bench.send(Msg::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    bench.frame();
}

#[test]
fn columns_are_resized_by_keys_and_go_back_to_the_room_there_is() {
    let mut bench = Bench::sample((120, 40));
    let (_, first, _) = title(&mut bench, Column::Transition).unwrap();
    bench.press(". .");
    assert_eq!(title(&mut bench, Column::Transition).unwrap().1, first + 4);
    bench.press(",");
    assert_eq!(title(&mut bench, Column::Transition).unwrap().1, first + 2);
    let (_, question, _) = title(&mut bench, Column::Question).unwrap();
    bench.press("| j j , , ,");
    assert_eq!(bench.model.width_of(Column::Question), Some(question - 6));
    bench.press("esc");
    assert_eq!(title(&mut bench, Column::Question).unwrap().1, question - 6);
    let saved = lookitup::app::Session::of(&bench.model);
    assert_eq!(saved.widths(), [(Column::Transition, first + 2), (Column::Question, question - 6)]);
    bench.press("; | j j ; esc");
    assert!(bench.model.widths.is_empty());
    assert_eq!(title(&mut bench, Column::Transition).unwrap().1, first);
    // No key makes a column vanish, or wider than the pane.
    bench.press(&", ".repeat(40));
    assert_eq!(title(&mut bench, Column::Transition).unwrap().1, *Column::WIDTHS.start());
    bench.press(&". ".repeat(120));
    assert!(title(&mut bench, Column::Transition).unwrap().1 < 70);
    assert!(title(&mut bench, Column::Id).is_none(), "there is no room for another");
}

#[test]
fn the_edge_of_a_title_follows_the_mouse() {
    let mut bench = Bench::sample((160, 40));
    let sort = bench.model.sort.clone();
    for by in [6_i16, -9, 3] {
        let (x, width, y) = title(&mut bench, Column::AnswerNo).unwrap();
        mouse(&mut bench, MouseEventKind::Down(MouseButton::Left), x + width, y);
        for step in 1..=by.abs() {
            let to = (x + width).saturating_add_signed(step * by.signum());
            mouse(&mut bench, MouseEventKind::Drag(MouseButton::Left), to, y);
        }
        mouse(&mut bench, MouseEventKind::Up(MouseButton::Left), x + width, y);
        let now = title(&mut bench, Column::AnswerNo).unwrap();
        assert_eq!(now, (x, width.saturating_add_signed(by), y));
    }
    assert_eq!(bench.model.sort, sort, "dragging does not sort");
    assert!(bench.model.choice.share.is_none(), "nor does it move the rule");
    let (x, width, y) = title(&mut bench, Column::AnswerNo).unwrap();
    mouse(&mut bench, MouseEventKind::Down(MouseButton::Left), x + width, y);
    mouse(&mut bench, MouseEventKind::Up(MouseButton::Left), x + width, y);
    mouse(&mut bench, MouseEventKind::Moved, 1, 1);
    assert_eq!(title(&mut bench, Column::AnswerNo).unwrap().1, width);
    mouse(&mut bench, MouseEventKind::Down(MouseButton::Right), x, y);
    assert_eq!(bench.model.width_of(Column::AnswerNo), None);
}

#[test]
fn the_help_begins_with_the_keys_of_here() {
    let headings = |bench: &Bench| -> Vec<String> {
        let Some(Overlay::Text(text)) = bench.model.overlays.last() else { panic!("no help") };
        let heading = |line: &&(TextKind, String, String)| line.0 == TextKind::Heading;
        text.lines.iter().filter(heading).map(|(_, _, said)| said.clone()).collect()
    };
    let mut bench = Bench::sample((120, 40));
    bench.press("?");
    let in_list = headings(&bench);
    assert_eq!(in_list[1..3], ["in the list", "everywhere"]);
    bench.press("? enter ?");
    let mut in_detail = headings(&bench);
    assert_eq!(in_detail[1..3], ["in the detail", "everywhere"]);
    // Only the order differs: nothing is left out.
    assert_eq!(in_detail.len(), in_list.len());
    in_detail.sort_unstable();
    in_detail.dedup();
    assert_eq!(in_detail.len(), in_list.len(), "each context stands together");
    bench.press("? / f1");
    assert_eq!(headings(&bench)[1], "in the filter bar");
}

#[test]
fn addresses_are_listed_once() {
    let mut bench = Bench::sample((120, 40));
    bench.press("o");
    let Some(Overlay::Menu(menu)) = bench.model.overlays.last() else { panic!("no addresses") };
    let mut labels: Vec<&str> = menu.items.iter().map(|i| i.label.as_str()).collect();
    let all = labels.len();
    labels.sort_unstable();
    labels.dedup();
    assert!(all > 1 && labels.len() == all);
}

#[test]
fn ids_that_differ_in_case_alone_are_two_questions() {
    let question = |id: &str| Question { id: id.into(), question: "Who?".into(), ..Question::default() };
    let attempt = |id: &str| Attempt {
        question_id: id.into(),
        model: "m".into(),
        condition: Condition::NoSearch,
        attempt: 1,
        answer: Some("them".into()),
        ..Attempt::default()
    };
    let (table, reader) = table_of(&[question("a"), question("A")], &[attempt("a"), attempt("A")]);
    let mut bench = Bench::of(Arc::new(table), reader, (80, 24), "two");
    for id in ["a", "A"] {
        assert_eq!(bench.id(), id);
        // Read again, row numbers mean nothing: it is found by its name.
        let mut again = (*bench.model.table).clone();
        again.generation += 1;
        bench.send(Msg::Table(Arc::new(again)));
        assert_eq!(bench.id(), id);
        bench.press("j");
    }
}
