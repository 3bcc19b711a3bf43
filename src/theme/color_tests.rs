use super::*;

#[test]
fn contrast_is_that_of_wcag() {
    assert!((contrast((0, 0, 0), (255, 255, 255)) - 21.0).abs() < 1e-9);
    assert!((contrast((119, 119, 119), (255, 255, 255)) - 4.478).abs() < 1e-3);
    assert!((contrast((255, 255, 255), (118, 118, 118)) - 4.542).abs() < 1e-3);
}

#[test]
fn colours_are_spelled_in_several_ways() {
    assert_eq!(parse("#0a1b2c"), Some(Color::Rgb(10, 27, 44)));
    assert_eq!(parse("#abc"), Some(Color::Rgb(170, 187, 204)));
    assert_eq!(parse("Bright-Red"), Some(Color::LightRed));
    assert_eq!(parse("default"), Some(Color::Reset));
    assert_eq!(parse("208"), Some(Color::Indexed(208)));
    for wrong in ["", "#", "#12345", "#12345g", "256", "-1", "reddish", "#+12345"] {
        assert_eq!(parse(wrong), None, "{wrong}");
    }
}

#[test]
fn the_table_of_256_is_a_cube_and_greys() {
    assert_eq!(indexed(16), (0, 0, 0));
    assert_eq!(indexed(231), (255, 255, 255));
    assert_eq!(indexed(208), (255, 135, 0));
    assert_eq!(indexed(244), (128, 128, 128));
    for n in 16..=255u8 {
        assert_eq!(indexed(nearest_indexed(indexed(n))), indexed(n));
    }
}

#[test]
fn a_colour_is_moved_no_further_than_needed() {
    let ground = [(20, 20, 30)];
    assert_eq!(readable((200, 200, 200), &ground, 4.5), (200, 200, 200));
    let moved = readable((60, 60, 160), &ground, 4.5);
    let has = contrast(moved, ground[0]);
    assert!((4.5..5.2).contains(&has), "{has}");
    assert!(moved.2 > moved.0, "still blue: {moved:?}");
    // Two grounds that no colour suits: the better of black and white.
    assert!([(0, 0, 0), (255, 255, 255)].contains(&readable((9, 9, 9), &[(0, 0, 0), (255, 255, 255)], 7.0)));
}

#[test]
fn mixing_ends_where_it_should() {
    let (a, b) = ((10, 200, 30), (250, 3, 99));
    assert_eq!((mix(a, b, 0.0), mix(a, b, 1.0)), (a, b));
}
