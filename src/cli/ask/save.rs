//! The file that records are added to, which is never one that holds anything else.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;

use crate::record::SCHEMA;
use crate::store::Journal;

use super::super::Error;

/// The journal at a path, if there is none yet or it holds attempts asked again and nothing else: adding to a file begins
/// with taking away its last line where that was cut, which in a file of another kind is somebody's text.
pub(super) fn journal_at(path: &Path) -> Result<Journal, Error> {
    let named = path.display();
    match path.exists().then(|| holds_asked_only(path)) {
        None | Some(Ok(true)) => Ok(Journal::new(path)),
        Some(Ok(false)) => Err(Error::Usage(format!(
            "{named} holds something other than attempts asked again, and such files are never written to: name another \
             with --save, or --no-save"
        ))),
        Some(Err(e)) => Err(Error::Usage(format!(
            "{named} cannot be looked at before it is written to: {e}; name another with --save, or --no-save"
        ))),
    }
}

#[derive(Deserialize)]
struct Line {
    schema: String,
    run_id: Option<String>,
    source: Option<String>,
}

impl Line {
    fn is_asked(&self) -> bool {
        self.schema == SCHEMA
            && (self.run_id.as_deref().is_some_and(|run| run.starts_with("live-"))
                || self.source.as_deref() == Some("replay"))
    }
}

/// Whether every line is an attempt of ours. A last one that was cut may be the beginning of one.
fn holds_asked_only(path: &Path) -> std::io::Result<bool> {
    const START: &[u8] = br#"{"schema":"lookitup.attempt/1""#;
    if !path.metadata()?.is_file() {
        return Ok(false);
    }
    let mut lines = BufReader::new(File::open(path)?);
    let mut line = Vec::new();
    loop {
        line.clear();
        if lines.read_until(b'\n', &mut line)? == 0 {
            return Ok(true);
        }
        let is_ours = serde_json::from_slice::<Line>(&line).is_ok_and(|l| l.is_asked());
        let is_cut = !line.ends_with(b"\n") && (line.starts_with(START) || START.starts_with(&line));
        if !is_ours && !is_cut {
            return Ok(false);
        }
    }
}
