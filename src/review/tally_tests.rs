use super::*;
use crate::review::{Key, Stamp, entry_id};

#[test]
fn a_plan_is_taken_only_where_its_rows_stand_for_others() {
    let mut notes = Notes::default();
    let mut mark = |n: i64, by: &str, plan: &str| {
        let at = jiff::Timestamp::from_second(n).unwrap();
        let act = crate::review::Act::Mark { plan: plan.into(), position: 0, of: 1 };
        let stamp = Stamp { id: entry_id(at, n as u64), at, by: by.into() };
        let entry = notes.entry(stamp, Key::pair("q", "m", 1), "", act);
        notes.add(entry).unwrap();
    };
    mark(1, "ann", "random n=3 seed=1 | transition:broken");
    mark(2, "bob", "broken | ");
    let rows = |filter: &str| Some(vec![filter.len() as u32]);
    let origin = Origin::of(&notes, Some("ann"), rows).unwrap();
    assert_eq!((origin.plan, origin.rows), (Plan::Random { n: 3, seed: 1 }, vec![17]));
    assert_eq!(origin.filter, "transition:broken");
    assert_eq!(Origin::of(&notes, None, |_| panic!("not looked up")), None);
    assert_eq!(Origin::of(&notes, Some("ann"), |_| None), None, "a filter that cannot be read");
}
