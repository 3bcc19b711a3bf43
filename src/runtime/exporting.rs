//! Writes what the filter shows to a file of its own, in a thread: a million records take a while.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tokio::sync::mpsc::UnboundedSender;

use crate::app::{Exported, Msg};
use crate::export::{Format, Job, Target};
use crate::store::{EXPORTED, Reader};
use crate::text::several;

/// Starts; how it went comes as a message. `folder` is where attempts asked again are kept.
pub(super) fn start(wanted: Exported, reader: Reader, folder: Option<PathBuf>, out: UnboundedSender<Msg>) {
    let tell = out.clone();
    let work = move || {
        let msg = match write(&wanted, &reader, folder.as_deref()) {
            Ok(words) => Msg::Note(words),
            Err(why) => Msg::Failed(format!("nothing was written: {why}")),
        };
        let _ = out.send(msg);
    };
    if let Err(e) = std::thread::Builder::new().name("export".into()).spawn(work) {
        let _ = tell.send(Msg::Failed(format!("nothing was written: {e}")));
    }
}

fn write(wanted: &Exported, reader: &Reader, folder: Option<&Path>) -> Result<String, String> {
    let folder = folder.ok_or("there is neither a folder 'results' here nor a data folder")?;
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    let moment = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    let path = folder.join(format!("lookitup-{moment}{EXPORTED}jsonl"));
    let target = Target::open(&path, &wanted.table).map_err(|e| e.to_string())?;
    let rows = &wanted.rows;
    let pairs: Vec<u32> = (0..rows.len()).filter_map(|at| rows.get(at)).collect();
    let job = Job { table: &wanted.table, reader, pairs: &pairs, scorer: wanted.scorer };
    let mut out = BufWriter::with_capacity(1 << 16, target.file());
    let told = job.write(Format::Jsonl, &mut out).map_err(|e| match std::error::Error::source(&e) {
        Some(why) => format!("{e}: {why}"),
        None => e.to_string(),
    })?;
    out.flush().map_err(|e| e.to_string())?;
    drop(out);
    let path = target.keep_beside().map_err(|e| e.to_string())?;
    let (attempts, pairs) = (several(told.attempts, "attempt"), several(told.pairs, "pair"));
    let simulated = wanted.table.mark().map_or_else(String::new, |m| format!(" · {m}"));
    Ok(format!("{attempts} of {pairs} written to {}{simulated}", path.display()))
}
