//! A set of row numbers as one bit a row.

/// Which of the rows `0..len` are in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
    len: usize,
}

impl Bits {
    /// No row of `len`.
    pub(super) fn none(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len }
    }

    /// Every row of `len`.
    pub(super) fn all(len: usize) -> Self {
        let mut bits = Self { words: vec![u64::MAX; len.div_ceil(64)], len };
        if let (Some(last), rest @ 1..) = (bits.words.last_mut(), len % 64) {
            *last = (1 << rest) - 1;
        }
        bits
    }

    /// The number of rows there are, in or not.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The bits, 64 rows a word.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The bits, to be written by parts.
    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        &mut self.words
    }

    /// Whether `row` is in.
    pub(super) fn has(&self, row: u32) -> bool {
        self.words.get(row as usize / 64).is_some_and(|w| w >> (row % 64) & 1 != 0)
    }

    /// Puts `row` in; a row beyond the end is ignored.
    pub(super) fn set(&mut self, row: u32) {
        if (row as usize) < self.len
            && let Some(word) = self.words.get_mut(row as usize / 64)
        {
            *word |= 1 << (row % 64);
        }
    }

    /// Takes `row` out.
    pub(super) fn unset(&mut self, row: u32) {
        if let Some(word) = self.words.get_mut(row as usize / 64) {
            *word &= !(1 << (row % 64));
        }
    }

    /// Keeps the rows that are in `other` too.
    pub(super) fn keep(&mut self, other: &Self) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= b;
        }
    }

    /// Adds the rows of `other`.
    pub(super) fn add(&mut self, other: &Self) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a |= b;
        }
    }

    /// Takes the rows of `other` out.
    pub(super) fn remove(&mut self, other: &Self) {
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            *a &= !b;
        }
    }

    /// The number of rows that are in.
    pub(super) fn count(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// Whether no row is in.
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Calls `each` for every row that is in, in order.
    pub(super) fn for_each(&self, mut each: impl FnMut(u32)) {
        for (at, &word) in self.words.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                each((at * 64) as u32 + word.trailing_zeros());
                word &= word - 1;
            }
        }
    }

    /// The rows that are in, in order.
    pub(super) fn rows(&self) -> Vec<u32> {
        let mut rows = Vec::with_capacity(self.count());
        self.for_each(|row| rows.push(row));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn rows_beyond_the_end_are_never_in() {
        for len in [0, 1, 63, 64, 65, 200] {
            let mut all = Bits::all(len);
            assert_eq!(all.count(), len);
            assert_eq!(all.rows().len(), len);
            all.set(len as u32 + 3);
            assert_eq!(all.count(), len);
            let mut some = Bits::none(len);
            assert!(some.is_empty());
            if len > 0 {
                some.set(len as u32 - 1);
                assert!(some.has(len as u32 - 1) && !some.is_empty());
                all.remove(&some);
                assert_eq!(all.count(), len - 1);
                some.unset(len as u32 - 1);
                assert!(some.is_empty());
            }
        }
    }
}
