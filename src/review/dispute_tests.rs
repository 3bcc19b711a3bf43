use super::*;
use crate::review::{Stamp, compare, entry_id};

struct Book(Notes);

impl Book {
    fn say(&mut self, by: &str, act: Act) -> String {
        let n = self.0.len() as u64;
        let at = jiff::Timestamp::from_second(n as i64).unwrap();
        let id = entry_id(at, n);
        let stamp = Stamp { id: id.clone(), at, by: by.into() };
        let entry = self.0.entry(stamp, key(), "h", act);
        self.0.add(Entry::parse(&entry.to_line()).unwrap()).unwrap();
        id
    }

    fn code(&mut self, by: &str, code: &str, settles: &[&String]) -> String {
        let settles = settles.iter().map(|s| (*s).clone()).collect();
        let primary = Some(code.to_owned()).filter(|c| !c.is_empty());
        self.say(by, Act::Coded { primary, others: vec![], note: "n".into(), codebook: 1, settles })
    }

    fn open(&self) -> Vec<&str> {
        let found = self.0.disputed(&key(), &Codebook::starter());
        found.iter().map(|c| c.entry.by.as_str()).collect()
    }
}

fn key() -> Key {
    Key::pair("q", "m", 1)
}

#[test]
fn a_dispute_lasts_until_somebody_codes_in_view_of_it() {
    let mut book = Book(Notes::default());
    let ann = book.code("ann", "over-trust", &[]);
    assert!(book.open().is_empty(), "one person alone");
    book.code("bob", "over-trust", &[]);
    assert!(book.open().is_empty(), "alike");
    let bob2 = book.code("bob", "bad-query", &[]);
    assert_eq!(book.open(), ["ann", "bob"]);
    // A third person does not settle it by coding alone.
    let eve = book.code("eve", "bad-query", &[]);
    assert_eq!(book.open(), ["ann", "bob", "eve"]);
    book.code("ann", "over-trust", &[&ann, &bob2, &eve]);
    assert!(book.open().is_empty(), "settled by saying again what one had said");
    // Held against later ones, not against earlier ones.
    book.code("bob", "stale-source", &[]);
    assert_eq!(book.open(), ["ann", "bob"]);
    let undo = |book: &mut Book, by: &str| {
        let step = book.0.undo(by).unwrap().act;
        book.say(by, step)
    };
    undo(&mut book, "bob");
    assert!(book.open().is_empty());
    undo(&mut book, "ann");
    assert_eq!(book.open(), ["ann", "bob", "eve"], "what settled it was taken back");
}

#[test]
fn no_code_is_a_code_too_and_other_answers_are_no_dispute() {
    let mut book = Book(Notes::default());
    book.code("ann", "over-trust", &[]);
    book.say("bob", Act::Deferred { note: String::new() });
    assert!(book.open().is_empty(), "left for later is no answer");
    book.code("bob", "", &[]);
    assert_eq!(book.open(), ["ann", "bob"]);
    let mut notes = Notes::default();
    for (n, (by, answer, code)) in [("ann", "h1", "a"), ("bob", "h2", "b")].into_iter().enumerate() {
        let at = jiff::Timestamp::from_second(n as i64).unwrap();
        let stamp = Stamp { id: entry_id(at, n as u64), at, by: by.into() };
        let (primary, others) = (Some(code.to_owned()), vec![]);
        let act = Act::Coded { primary, others, note: String::new(), codebook: 1, settles: vec![] };
        let entry = notes.entry(stamp, key(), answer, act);
        notes.add(entry).unwrap();
    }
    assert!(notes.disputed(&key(), &Codebook::starter()).is_empty());
}

#[test]
fn settling_changes_no_agreement() {
    let mut book = Book(Notes::default());
    let ann = book.code("ann", "over-trust", &[]);
    let bob = book.code("bob", "bad-query", &[]);
    let figures = |book: &Book| {
        let codes = Codebook::starter();
        let found = compare(&book.0, &book.0, Some(("ann", "bob")), &codes);
        (found.primary.alike, found.both.len(), found.disagreements().count(), found.settled())
    };
    assert_eq!(figures(&book), (0, 1, 1, 0));
    book.code("ann", "bad-query", &[&ann, &bob]);
    assert_eq!(figures(&book), (0, 1, 0, 1), "they did not agree by themselves");
    assert_eq!(book.0.coding(&key()).unwrap().primary(), Some("bad-query"));
}
