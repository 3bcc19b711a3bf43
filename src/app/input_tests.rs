use super::*;

#[test]
fn keys_of_shells_take_a_term_or_everything() {
    let mut line = Line::default();
    line.set("transition:broken conf.with>=0.9  ");
    assert!(line.key("ctrl-w".parse().unwrap()));
    assert_eq!((line.text().as_str(), line.cursor()), ("transition:broken ", 18));
    line.insert("é–b");
    assert!(line.key("ctrl-w".parse().unwrap()));
    assert_eq!(line.text(), "transition:broken ");
    assert!(line.key("ctrl-u".parse().unwrap()));
    assert_eq!((line.text().as_str(), line.cursor()), ("", 0));
    assert!(!line.key("ctrl-w".parse().unwrap()) && !line.key("ctrl-u".parse().unwrap()));
}
