use super::*;

#[test]
fn pass_at_k_is_the_unbiased_estimate() {
    // 1 − C(3, 2) / C(5, 2) = 1 − 3/10.
    assert!((pass_at(5, 2, 2).unwrap() - 0.7).abs() < 1e-12);
    assert!((pass_at(10, 3, 1).unwrap() - 0.3).abs() < 1e-12);
    assert_eq!(pass_at(5, 0, 3), Some(0.0));
    assert_eq!(pass_at(5, 5, 3), Some(1.0));
    assert_eq!([pass_at(5, 2, 0), pass_at(5, 2, 6), pass_at(2, 3, 1)], [None; 3]);
}
