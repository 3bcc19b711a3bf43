//! `show`: one question with everything.

use serde_json::{Value, json};

use crate::view;

use super::args::{ShowArgs, ShowFormat};
use super::open::Opened;
use super::{Error, Io, exit};

pub(super) fn run(args: &ShowArgs, io: &mut Io) -> Result<u8, Error> {
    let opened = Opened::new(&args.input, args.judge, io)?;
    let targets = view::find(&opened.table, &args.id);
    if targets.is_empty() {
        io.note(format_args!("lookitup: no question has the id '{}'", crate::text::sanitize_line(&args.id)));
        return Ok(exit::FOUND);
    }
    let scorer = opened.judge.scorer;
    let attempt = args.id.rsplit_once(':').and_then(|(id, n)| Some((id, n.parse::<u32>().ok()?)));
    if let Some((id, n)) = attempt.filter(|_| targets.iter().all(|t| t.pairs.is_empty())) {
        io.note(format_args!("lookitup: '{}' has no attempt {n}", crate::text::sanitize_line(id)));
        return Ok(exit::FOUND);
    }
    for target in targets {
        let question = opened.question(target.question)?;
        let mut pairs = Vec::new();
        for &pair in &target.pairs {
            pairs.push((pair, opened.bundle(pair)?));
        }
        match args.format {
            ShowFormat::Json => {
                let pairs: Vec<Value> =
                    pairs.iter().map(|(p, b)| view::pair_json(&opened.table, *p, b, scorer)).collect();
                let whole = json!({ "question": *question, "scorer": scorer.name(), "pairs": pairs });
                writeln!(io.out, "{whole:#}")?;
            }
            ShowFormat::Md => {
                write!(io.out, "{}", view::question_markdown(&question))?;
                for (pair, bundle) in &pairs {
                    write!(io.out, "\n{}", view::pair_markdown(&opened.table, *pair, bundle, scorer))?;
                }
                if pairs.is_empty() {
                    writeln!(io.out, "\nNobody was asked this question in the files opened.")?;
                }
            }
        }
    }
    Ok(exit::DONE)
}
