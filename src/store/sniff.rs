//! What a file holds, from its first bytes.

use std::path::Path;

use serde_json::Value;

use super::formats::{self, Format, Head};
use super::mend;

/// Bytes that are looked at.
pub(super) const HEAD: usize = 1 << 16;

/// What a file holds.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Attempt lines.
    Attempts,
    /// Question lines.
    Questions,
    /// Something compressed with gzip.
    Gzip,
    /// Something compressed with zstd.
    Zstd,
    /// A foreign format.
    Foreign(&'static dyn Format),
    /// Nothing that can be opened; what it seems to be.
    Other(&'static str),
}

impl Kind {
    /// The word for [`super::FileInfo::kind`].
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Attempts => "attempts",
            Self::Questions => "questions",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Foreign(format) => format.name(),
            Self::Other(what) => what,
        }
    }
}

/// Recognises a file by its first bytes (at most [`HEAD`] of them). `len` is the length of the whole.
pub(super) fn sniff(bytes: &[u8], len: u64, path: &Path) -> Kind {
    if bytes.is_empty() {
        return Kind::Other("empty");
    }
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Kind::Gzip;
    }
    // The second is a skippable frame, which may come first.
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd])
        || (bytes.get(1..4) == Some(&[0x2a, 0x4d, 0x18]) && bytes.first().is_some_and(|b| b >> 4 == 5))
    {
        return Kind::Zstd;
    }
    let head = Head { bytes, len, path };
    if let Some(format) = formats::ALL.iter().find(|f| f.recognises(&head)) {
        return Kind::Foreign(*format);
    }
    if bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06") {
        return Kind::Other("a zip archive that is no Inspect log");
    }
    if bytes.starts_with(b"PARE") {
        return Kind::Other("an encrypted Parquet file");
    }
    if bytes.starts_with(b"SQLite format 3") {
        return Kind::Other("an SQLite database");
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Kind::Other("UTF-16 text: save it as UTF-8");
    }
    text_kind(bytes, (bytes.len() as u64) < len)
}

fn text_kind(bytes: &[u8], more: bool) -> Kind {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Kind::Other(if more { "white space" } else { "empty" });
    }
    let mut json = false;
    let mut lines = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).filter(|l| !l.is_empty()).peekable();
    while let Some(line) = lines.next() {
        // The last line may be cut, by the end of what was read or by a run in progress.
        let whole = lines.peek().is_some() || !more;
        if line.first() != Some(&b'{') {
            continue;
        }
        if whole
            && let Ok(mended) = mend::parse(line)
            && let Some(kind) = line_kind(&mended.value)
        {
            return kind;
        }
        if let Some(kind) = guess(line) {
            return kind;
        }
        json = true;
    }
    let first = bytes.iter().copied().find(|b| !b.is_ascii_whitespace());
    Kind::Other(match first {
        _ if looks_binary(bytes) => "binary",
        Some(b'[') => "a JSON array: write one record a line",
        Some(b'{') if json => "JSON of an unknown kind",
        Some(b'<') => "XML or HTML",
        _ if looks_like_csv(bytes) => "CSV",
        _ => "text of an unknown kind",
    })
}

/// What notes are called where somebody opens them in place of results.
const NOTES: Kind = Kind::Other("notes about results, which are read with them");

fn line_kind(value: &Value) -> Option<Kind> {
    let has = |key: &str| value.get(key).is_some();
    if value.get("schema").and_then(Value::as_str).is_some_and(|s| s.starts_with("lookitup.note/")) {
        return Some(NOTES);
    }
    let names_question =
        has("question_id") && ["condition", "answer", "raw", "model", "schema"].into_iter().any(has);
    if names_question || (has("model") && (has("condition") || (has("answer") && has("question")))) {
        Some(Kind::Attempts)
    } else if has("id") && has("question") && !has("answer") && !has("condition") && !has("model") {
        Some(Kind::Questions)
    } else {
        None
    }
}

/// Recognises a line that cannot be read as a whole: one that is cut, or broken, or longer than the head.
fn guess(line: &[u8]) -> Option<Kind> {
    let has = |key: &str| memchr::memmem::find(line, key.as_bytes()).is_some();
    if has("\"lookitup.note/") {
        return Some(NOTES);
    }
    if has("\"lookitup.attempt/") || (has("\"question_id\"") && (has("\"condition\"") || has("\"answer\""))) {
        Some(Kind::Attempts)
    } else if has("\"id\"")
        && has("\"question\"")
        && !["\"answer\"", "\"condition\"", "\"model\""].into_iter().any(has)
    {
        Some(Kind::Questions)
    } else {
        None
    }
}

fn looks_binary(bytes: &[u8]) -> bool {
    let odd = bytes.iter().filter(|&&b| b < 0x20 && !matches!(b, b'\n' | b'\r' | b'\t' | 0x1b)).count();
    bytes.contains(&0) || odd * 20 > bytes.len()
}

fn looks_like_csv(bytes: &[u8]) -> bool {
    let line = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
    [b',', b';', b'\t'].iter().any(|&sep| memchr::memchr_iter(sep, line).nth(1).is_some())
}
