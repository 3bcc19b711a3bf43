use super::*;

fn with(pairs: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
    move |name| pairs.iter().find(|(k, _)| *k == name).map(|(_, v)| (*v).to_owned())
}

#[test]
fn colorfgbg_spares_the_question() {
    for (value, kind) in [
        ("15;0", Kind::Dark),
        ("0;15", Kind::Light),
        ("0;default;15", Kind::Light),
        ("7;8", Kind::Dark),
        ("0;7", Kind::Light),
    ] {
        assert_eq!(by_colorfgbg(value), Some(kind), "{value}");
    }
    let env = with(&[("TERM", "rxvt"), ("COLORFGBG", "0;15")]);
    assert_eq!(detect_by(&env, true, || panic!("asked")), Some(Kind::Light));
}

#[test]
fn an_unclear_hint_leads_to_the_question() {
    for value in ["", "15", "default;default", "0;99"] {
        assert_eq!(by_colorfgbg(value), None, "{value}");
    }
    let env = with(&[("TERM", "rxvt"), ("COLORFGBG", "15;default")]);
    assert_eq!(detect_by(&env, true, || Some(Kind::Dark)), Some(Kind::Dark));
    assert_eq!(detect_by(&env, true, || None), None);
}

#[test]
fn nobody_is_asked_who_cannot_answer() {
    let asked = || panic!("asked");
    assert_eq!(detect_by(&with(&[("TERM", "dumb"), ("COLORFGBG", "0;15")]), true, asked), None);
    assert_eq!(detect_by(&with(&[]), true, asked), None);
    assert_eq!(detect_by(&with(&[("TERM", "xterm")]), false, asked), None);
}
