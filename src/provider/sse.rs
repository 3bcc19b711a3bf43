//! Server-sent events, read piece by piece.
//!
//! Owns framing only: bytes in, the data of each event out. It knows nothing of what the data says, and leaves `event:`,
//! `id:` and `retry:` aside, since both dialects repeat the type inside the data and some servers send data alone.

use memchr::memchr2;

/// An event, or a line of one, is longer than the limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is longer than {limit} bytes")]
pub struct TooLong {
    /// The limit, in bytes.
    pub limit: usize,
}

/// The parser. May be cut at any byte: a character, a line end and a field name may come in several pieces.
#[derive(Debug)]
pub struct Sse {
    /// The line that has not ended yet.
    line: Vec<u8>,
    /// The data lines of the event that has not ended yet.
    data: Vec<u8>,
    has_data: bool,
    /// The last byte was a CR, so that a LF belongs to it.
    after_cr: bool,
    at_start: bool,
    limit: usize,
}

impl Sse {
    /// `limit`: bytes that the data of one event may have.
    pub const fn new(limit: usize) -> Self {
        Self { line: Vec::new(), data: Vec::new(), has_data: false, after_cr: false, at_start: true, limit }
    }

    /// Takes the next bytes and gives the data of every event that they end. Text that is no UTF-8 gets replacement
    /// characters.
    ///
    /// # Errors
    /// An event is longer than the limit; nothing more can be read after that.
    pub fn feed(&mut self, mut bytes: &[u8], each: &mut impl FnMut(&str)) -> Result<(), TooLong> {
        while !bytes.is_empty() {
            if self.after_cr {
                self.after_cr = false;
                if let Some(rest) = bytes.strip_prefix(b"\n") {
                    bytes = rest;
                    continue;
                }
            }
            let Some(end) = memchr2(b'\n', b'\r', bytes) else {
                self.keep(bytes)?;
                return Ok(());
            };
            let (line, rest) = bytes.split_at(end);
            self.after_cr = rest.first() == Some(&b'\r');
            bytes = rest.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                // The common case: the whole line lies in one piece and need not be copied twice.
                self.take(line, each)?;
            } else {
                self.keep(line)?;
                let whole = std::mem::take(&mut self.line);
                self.take(&whole, each)?;
                self.line = whole;
                self.line.clear();
            }
        }
        Ok(())
    }

    /// Ends the stream: the event that was not closed by a blank line, unterminated last line included.
    pub fn finish(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        if !line.is_empty() {
            _ = self.take(&line, &mut |_| {});
        }
        let data = std::mem::take(&mut self.data);
        std::mem::take(&mut self.has_data).then(|| String::from_utf8_lossy(&data).into_owned())
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        if self.line.len() + bytes.len() > self.limit {
            return Err(TooLong { limit: self.limit });
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn take(&mut self, line: &[u8], each: &mut impl FnMut(&str)) -> Result<(), TooLong> {
        let line = if std::mem::take(&mut self.at_start) {
            line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
        } else {
            line
        };
        if line.is_empty() {
            if std::mem::take(&mut self.has_data) {
                each(&String::from_utf8_lossy(&self.data));
                self.data.clear();
            }
            return Ok(());
        }
        let Some(rest) = line.strip_prefix(b"data") else { return Ok(()) };
        let value = match rest.split_first() {
            None => rest,
            Some((b':', value)) => value.strip_prefix(b" ").unwrap_or(value),
            // Another field whose name only begins alike.
            Some(_) => return Ok(()),
        };
        if self.data.len() + value.len() > self.limit {
            return Err(TooLong { limit: self.limit });
        }
        if self.has_data {
            self.data.push(b'\n');
        }
        self.has_data = true;
        self.data.extend_from_slice(value);
        Ok(())
    }
}
