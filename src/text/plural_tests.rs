use super::*;

#[test]
fn one_is_one_and_every_other_number_is_many() {
    assert_eq!(several(0_u32, "contradiction"), "0 contradictions");
    assert_eq!(several(1_usize, "contradiction"), "1 contradiction");
    assert_eq!(several(2_u64, "contradiction"), "2 contradictions");
    assert_eq!((several(1_u8, "search"), several(3_u8, "search")), ("1 search".into(), "3 searches".into()));
    assert_eq!(counted(1_000, "1,000", "more character"), "1,000 more characters");
}
