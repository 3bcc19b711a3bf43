//! Where a log keeps its samples: one member each, a folder of chunks each, or all in one JSON text.

use std::borrow::Cow;

use serde_json::value::RawValue;
use std::collections::{HashMap, HashSet};

use super::archive::Archive;
use super::parts::{self, Parts};

/// Takes a sample: the name of its place, and its parts or why they cannot be read. Returns whether to go on.
pub(super) type Take<'f> = dyn FnMut(&str, Result<&Parts<'_>, String>) -> bool + 'f;

/// The samples of a log, which can be gone through more than once.
pub(super) trait Samples {
    /// Hands every sample over, one at a time. Returns what was wrong with the place as a whole.
    fn each(&mut self, take: &mut Take<'_>) -> Option<String>;
}

/// The samples of a log in one JSON text.
pub(super) struct InText<'a>(pub(super) &'a str);

impl Samples for InText<'_> {
    fn each(&mut self, take: &mut Take<'_>) -> Option<String> {
        let mut n = 0_usize;
        let mut going = true;
        let end = parts::members(self.0, "samples", &mut |_, _| {}, &mut |sample| {
            let place = format!("samples[{n}]");
            n += 1;
            going = match Parts::of(sample.get()) {
                Ok(parts) => take(&place, Ok(&parts)),
                Err(e) => take(&place, Err(e.to_string())),
            };
            going
        });
        end.err().filter(|_| going).map(|e| {
            format!("damaged after {} ({e}); the rest is not read", crate::text::several(n, "sample"))
        })
    }
}

/// The members that one sample is kept in.
#[derive(Debug, Default)]
struct Members {
    /// `samples/ID_epoch_N.json`, or `sample.json` of a folder.
    sample: usize,
    /// Of a folder only.
    chunks: Option<Chunks>,
}

#[derive(Debug, Default)]
struct Chunks {
    metadata: Option<usize>,
    messages: Vec<(u64, usize)>,
    attachments: Vec<(u64, usize)>,
}

/// The samples of a zip.
pub(super) struct InZip {
    archive: Archive,
    samples: Vec<Members>,
}

impl InZip {
    /// Finds the samples among the members, in the order of `ids` (epoch by epoch), others behind. Names serve for the
    /// order only: what a sample is called stands inside it.
    pub(super) fn new(archive: Archive, ids: &[String]) -> Self {
        let mut samples = find(&archive.names);
        let ranks: HashMap<&str, usize> = ids.iter().enumerate().map(|(n, id)| (id.as_str(), n)).collect();
        samples.sort_by_cached_key(|m| {
            let name = archive.names.get(m.sample).map_or("", String::as_str);
            let (id, epoch) = stem(name).rsplit_once("_epoch_").unwrap_or((stem(name), ""));
            let rank = ranks.get(id).copied().unwrap_or(usize::MAX);
            (epoch.parse::<u64>().unwrap_or(u64::MAX), rank)
        });
        Self { archive, samples }
    }
}

/// A sample's name without the folder and the ending that all have.
fn stem(name: &str) -> &str {
    let name = name.strip_prefix("samples/").unwrap_or(name);
    name.strip_suffix("/sample.json").or_else(|| name.strip_suffix(".json")).unwrap_or(name)
}

/// Sorts members into samples, in the order of their names in the directory. Of a sample that is there as one member
/// and as a folder the later one counts.
fn find(names: &[String]) -> Vec<Members> {
    let folders: HashSet<&str> = names
        .iter()
        .filter(|n| n.starts_with("samples/"))
        .filter_map(|n| n.strip_suffix("/sample.json"))
        .collect();
    let mut found: Vec<Members> = Vec::new();
    let mut by_stem: HashMap<&str, usize> = HashMap::new();
    let mut loose: HashMap<&str, Chunks> = HashMap::new();
    for (index, name) in names.iter().enumerate().filter(|(_, n)| n.starts_with("samples/")) {
        let folder =
            name.rmatch_indices('/').filter_map(|(at, _)| name.get(..at)).find(|f| folders.contains(f));
        let chunks = match folder {
            None if name.strip_suffix(".json").is_some() => None,
            None => continue,
            Some(folder) => {
                let chunks = loose.entry(folder).or_default();
                let part = name.get(folder.len() + 1..).unwrap_or_default();
                match part.split_once('/') {
                    None if part == "sample.json" => Some(Chunks::default()),
                    None if part == "metadata.json" => {
                        chunks.metadata = Some(index);
                        continue;
                    }
                    Some(("messages", file)) => {
                        chunks.messages.push((number(file), index));
                        continue;
                    }
                    Some(("attachments", file)) => {
                        chunks.attachments.push((number(file), index));
                        continue;
                    }
                    _ => continue,
                }
            }
        };
        let at = *by_stem.entry(stem(name)).or_insert(found.len());
        let members = Members { sample: index, chunks };
        match found.get_mut(at) {
            Some(place) => *place = members,
            None => found.push(members),
        }
    }
    for members in &mut found {
        if let Some(chunks) = &mut members.chunks {
            let name = names.get(members.sample).map_or("", String::as_str);
            let folder = name.strip_suffix("/sample.json").unwrap_or(name);
            *chunks = loose.remove(folder).unwrap_or_default();
            chunks.messages.sort_unstable();
            chunks.attachments.sort_unstable();
        }
    }
    found
}

/// The number that a chunk's file name begins with.
fn number(file: &str) -> u64 {
    let digits = file.len() - file.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    file.get(..digits).and_then(|d| d.parse().ok()).unwrap_or(u64::MAX)
}

impl Samples for InZip {
    fn each(&mut self, take: &mut Take<'_>) -> Option<String> {
        let mut bytes = Vec::new();
        for members in &self.samples {
            let name = self.archive.names.get(members.sample).cloned().unwrap_or_default();
            let go_on = if let Err(e) = self.archive.read(members.sample, &mut bytes) {
                take(&name, Err(e))
            } else {
                let text = parts::text(&bytes);
                match &members.chunks {
                    None => take(&name, Parts::of(&text).as_ref().map_err(ToString::to_string)),
                    Some(chunks) => match Whole::of(&text, chunks, &mut self.archive) {
                        Ok(whole) => take(&name, whole.parts(&text).as_ref().map_err(Clone::clone)),
                        Err(e) => take(&name, Err(e)),
                    },
                }
            };
            if !go_on {
                break;
            }
        }
        None
    }
}

/// The parts of a sample that were kept in chunks, put together.
struct Whole {
    metadata: Option<Box<RawValue>>,
    messages: Option<Box<RawValue>>,
    attachments: Option<Box<RawValue>>,
}

impl Whole {
    fn of(sample: &str, chunks: &Chunks, archive: &mut Archive) -> Result<Self, String> {
        let sample = Parts::of(sample).map_err(|e| e.to_string())?;
        let mut bytes = Vec::new();
        let metadata = match chunks.metadata {
            Some(index) => {
                archive.read(index, &mut bytes)?;
                RawValue::from_string(parts::text(&bytes).into_owned()).ok()
            }
            None => None,
        };
        let messages = list(&chunks.messages, archive)?;
        let attachments = list(&chunks.attachments, archive)?;
        Ok(Self {
            metadata,
            messages: if chunks.messages.is_empty() {
                None
            } else {
                Some(array(&chosen(&sample, &messages)?)?)
            },
            attachments: if chunks.attachments.is_empty() {
                None
            } else {
                Some(array(&attachments.iter().map(String::as_str).collect::<Vec<_>>())?)
            },
        })
    }

    fn parts<'a>(&'a self, sample: &'a str) -> Result<Parts<'a>, String> {
        let mut parts = Parts::of(sample).map_err(|e| e.to_string())?;
        for (name, part) in
            [("metadata", &self.metadata), ("messages", &self.messages), ("attachments", &self.attachments)]
        {
            if let Some(part) = part {
                parts.put(name, part);
            }
        }
        Ok(parts)
    }
}

/// The most messages, or attachments, that are read of one sample.
const ELEMENTS: usize = 1_000_000;

/// The elements of all chunks of a list, in their order. All together they must not be more than one member may be.
fn list(chunks: &[(u64, usize)], archive: &mut Archive) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    let mut read = 0;
    let mut bytes = Vec::new();
    for (_, index) in chunks {
        archive.read(*index, &mut bytes)?;
        read += bytes.len() as u64;
        if read > archive.limits.member {
            return Err(format!("its parts inflate to more than {} MiB", archive.limits.member >> 20));
        }
        let text: Cow<'_, str> = parts::text(&bytes);
        parts::elements(&text, &mut |element| {
            all.push(element.get().to_owned());
            all.len() < ELEMENTS
        })
        .map_err(|e| {
            if all.len() < ELEMENTS { e.to_string() } else { "it has a million messages".to_owned() }
        })?;
    }
    Ok(all)
}

/// The messages that the sample refers to, by ranges that exclude their end; all of them when it refers to none.
fn chosen<'m>(sample: &Parts<'_>, messages: &'m [String]) -> Result<Vec<&'m str>, String> {
    let refs = sample.value("message_refs");
    let Some(ranges) = refs.as_array() else {
        return Ok(messages.iter().map(String::as_str).collect());
    };
    let mut chosen = Vec::new();
    for range in ranges {
        let bound = |n: usize| range.get(n).and_then(serde_json::Value::as_u64).map(|b| b as usize);
        let found = bound(0).zip(bound(1)).and_then(|(from, to)| messages.get(from..to));
        let found =
            found.ok_or_else(|| format!("messages {range} are not among its {} messages", messages.len()))?;
        chosen.extend(found.iter().map(String::as_str));
    }
    Ok(chosen)
}

fn array(elements: &[&str]) -> Result<Box<RawValue>, String> {
    RawValue::from_string(format!("[{}]", elements.join(","))).map_err(|e| e.to_string())
}
