use super::OWN;
use crate::record::{Attempt, Condition, ErrorInfo, Step};

#[test]
fn the_fields_of_an_attempt_are_all_known() {
    // Every optional field is given, so that none is left out in writing.
    let some = || Some(String::from("x"));
    let full = Attempt {
        run_id: some(),
        split: some(),
        question: some(),
        references: Some(vec![]),
        provider: some(),
        condition: Condition::NoSearch,
        raw: some(),
        error: Some(ErrorInfo::default()),
        steps: vec![Step::default()],
        source: some(),
        created_at: some(),
        request: Some(1.into()),
        correct: Some(true),
        ..Attempt::default()
    };
    let serde_json::Value::Object(map) = serde_json::to_value(full).unwrap() else { panic!() };
    let mut names: Vec<&str> = map.keys().map(String::as_str).collect();
    let mut own = OWN.to_vec();
    names.sort_unstable();
    own.sort_unstable();
    assert_eq!(names, own);
}
