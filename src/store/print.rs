//! The hash that tells whether a line is still the one that was indexed.

const KEYS: [u64; 5] = [
    0x243f_6a88_85a3_08d3,
    0x1319_8a2e_0370_7344,
    0xa409_3822_299f_31d0,
    0x082e_fa98_ec4e_6c89,
    0x4528_21e6_38d0_1377,
];

/// A hash of every byte of a line. Four lanes of widening multiplication: a third of the time that the general
/// hashers of the crates here take for long lines on machines without wide vectors, and the same everywhere.
///
/// It guards against files that change under the program, not against an author who wants a collision.
pub(super) fn print(line: &[u8]) -> u32 {
    let h = print64(line);
    (h ^ (h >> 32)) as u32
}

/// All 64 bits of [`print`].
pub(super) fn print64(line: &[u8]) -> u64 {
    let [a, b, c, d, key] = KEYS;
    let mut lanes = (a, b, c, d);
    let (blocks, rest) = line.as_chunks::<64>();
    for block in blocks {
        step(&mut lanes, block, key);
    }
    if !rest.is_empty() {
        let mut last = [0; 64];
        if let Some(to) = last.get_mut(..rest.len()) {
            to.copy_from_slice(rest);
        }
        step(&mut lanes, &last, key);
    }
    mix(lanes.0 ^ lanes.1.rotate_left(21), lanes.2 ^ lanes.3.rotate_left(42) ^ line.len() as u64)
}

#[inline]
fn step(lanes: &mut (u64, u64, u64, u64), block: &[u8; 64], key: u64) {
    let (words, _) = block.as_chunks::<8>();
    if let [a, b, c, d, e, f, g, h] = words {
        let w = |x: &[u8; 8]| u64::from_le_bytes(*x);
        lanes.0 = mix(w(a) ^ lanes.0, w(b) ^ key);
        lanes.1 = mix(w(c) ^ lanes.1, w(d) ^ key);
        lanes.2 = mix(w(e) ^ lanes.2, w(f) ^ key);
        lanes.3 = mix(w(g) ^ lanes.3, w(h) ^ key);
    }
}

#[inline]
const fn mix(a: u64, b: u64) -> u64 {
    let wide = (a as u128).wrapping_mul(b as u128);
    (wide as u64) ^ ((wide >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::print;

    #[test]
    fn every_byte_counts_and_so_does_the_length() {
        let line: Vec<u8> = (0..700u32).map(|i| (i * 7 % 251) as u8).collect();
        let whole = print(&line);
        for at in 0..line.len() {
            let mut other = line.clone();
            other[at] ^= 0x20;
            assert_ne!(print(&other), whole, "byte {at}");
        }
        for len in 0..line.len() {
            assert_ne!(print(&line[..len]), whole);
        }
        assert_ne!(print(b"a\0"), print(b"a"));
        assert_ne!(print(&[0; 64]), print(&[0; 128]));
    }
}
