use super::*;

#[test]
fn the_nearest_name_is_found_and_a_far_one_is_not() {
    let known = ["theme", "theme-dark", "mouse", "columns", "scorer"];
    assert_eq!(nearest("them", &known), Some("theme"));
    assert_eq!(nearest("theem", &known), Some("theme"));
    assert_eq!(nearest("theme_dark", &known), Some("theme-dark"));
    assert_eq!(nearest("Scroer", &known), Some("scorer"));
    assert_eq!(nearest("colum", &known), Some("columns"));
    assert_eq!(nearest("gadget", &known), None);
    assert_eq!(nearest("", &known), None);
}

#[test]
fn distance_counts_a_swap_once() {
    assert_eq!(distance("abc", "acb"), 1);
    assert_eq!(distance("abc", "abc"), 0);
    assert_eq!(distance("", "abc"), 3);
    assert_eq!(distance("abc", ""), 3);
}

#[test]
fn a_broken_file_keeps_its_good_lines_and_names_the_bad_ones() {
    let text = "a = 1\nb = = 2\nc = \"x\"\n[t\nd = 1\n";
    let (source, table) = Source::parse("f.toml", text);
    assert!(!source.problems.is_empty());
    assert_eq!(source.problems[0].line, 2, "{:?}", source.problems);
    assert!(table.contains_key("a") && table.contains_key("c"));
}

#[test]
fn a_complaint_reads_as_one_line() {
    let p = Problem { file: "c.toml".into(), line: 3, message: "bad".into(), hint: "do this".into() };
    assert_eq!(p.to_string(), "c.toml:3: bad; do this");
    assert_eq!(Problem::new("LOOKITUP_THEME", "bad", "").to_string(), "LOOKITUP_THEME: bad");
}
