//! What people said of the row: codes, notes, verdicts, accepted answers.

use crate::record::Condition;
use crate::review::{Act, Entry, Notes, On, answer_hash, namesakes, pair_hash};
use crate::theme::Role;

use super::super::rich::Rich;
use super::{Page, Source};

/// Everything that stands, with its person; what was said of other answers than these is marked so.
pub(super) fn draw(source: &Source<'_>, page: &mut Page) {
    let review = &source.model.review;
    let Some(key) = source.model.note_key(source.pair).filter(|_| !review.notes.is_empty()) else { return };
    // Blind, one's own stands, whatever others said after it.
    let by = review.by.as_str();
    let side = |c: Condition| source.bundle.sides.get(c as usize).and_then(Option::as_deref);
    let mut lines: Vec<Rich> = Vec::new();
    let (dim, plain) = (source.style(Role::Dim), source.style(Role::Text));
    let warning = source.style(Role::Warning);
    let several = namesakes(&source.model.table, source.pair);
    let mut add = |what: &str, text: &str, entry: &Entry, answer: &str| {
        let mut line = Rich::of(&format!("{what}  "), dim);
        line.push(&crate::text::sanitize_line(text), plain);
        let day = entry.at.strftime("%Y-%m-%d");
        line.push(&format!("   {} · {day}", crate::text::sanitize_line(&entry.by)), dim);
        if several > 1 && entry.key.run.is_empty() && entry.key.on != On::Question {
            line.push(&format!("   names no run: may be of {several} rows"), warning);
        }
        if Notes::is_changed(entry, answer) {
            line.push("   said of another answer than this one", warning);
        }
        lines.push(line);
    };
    let hash = pair_hash(side(Condition::NoSearch), side(Condition::WithSearch));
    let disputed = source.model.disputed(&key);
    let is_disputed = !disputed.is_empty();
    let codings = if is_disputed {
        disputed
    } else if review.blind {
        review.notes.coding_by(&key, by).into_iter().collect()
    } else {
        review.notes.coding(&key).into_iter().collect()
    };
    for coding in codings {
        let named = |id: &&str| review.book.resolve(id, coding.codebook()).id(id).to_owned();
        let codes: Vec<String> = coding.codes().iter().map(named).collect();
        if coding.is_deferred() {
            add("codes", "left for later", coding.entry, &hash);
        } else if !codes.is_empty() {
            let of = coding.settles().len();
            let settles = if of > 0 { format!(", which settles {of} codings") } else { String::new() };
            add("codes", &format!("{}{settles}", codes.join(", ")), coding.entry, &hash);
        }
        if !coding.note().is_empty() {
            let note = coding.note().lines().collect::<Vec<_>>().join(" ↵ ");
            add("note ", &note, coding.entry, &hash);
        }
    }
    for condition in Condition::ALL {
        let side_key = key.side(condition);
        let verdict = if review.blind {
            review.notes.verdict_by(&side_key, by)
        } else {
            review.notes.verdict(&side_key)
        };
        let Some(verdict) = verdict else { continue };
        let hash = answer_hash(side(condition).and_then(|a| a.answer.as_deref()));
        let reason = if verdict.reason.is_empty() { String::new() } else { format!(": {}", verdict.reason) };
        let text = format!("{} is {}{reason}", condition.name().replace('_', " "), verdict.verdict.name());
        add("✎    ", &text, verdict.entry, &hash);
    }
    let id = Some(key.question_id.as_str());
    let accepted =
        if review.blind { review.notes.references_by(id, by) } else { review.notes.references(id) };
    for entry in accepted {
        if let Act::Reference { text, .. } = &entry.act {
            add("✎    ", &format!("accepted as well: {text}"), entry, "");
        }
    }
    if lines.is_empty() {
        return;
    }
    let title = if is_disputed { "codes and notes: disputed" } else { "codes and notes" };
    page.title(source, title);
    for line in lines {
        page.lines.extend(line.wrap(source.width, 7));
    }
}
