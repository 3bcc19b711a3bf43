//! A stable sort of row numbers by integer keys that stops when it is no longer wanted.

use std::sync::atomic::AtomicBool;

use super::spread::{Cancelled, check};

/// Bits looked at in one pass.
const DIGIT: u32 = 11;
const BUCKETS: usize = 1 << DIGIT;

/// Sorts `rows` by the key of each, `keys[i]` being that of `rows[i]`; equal keys keep their order.
pub(super) fn sort_by_keys(rows: &mut [u32], keys: &[u32], cancel: &AtomicBool) -> Result<(), Cancelled> {
    let mut items: Vec<u64> =
        rows.iter().zip(keys).map(|(&row, &key)| u64::from(key) << 32 | u64::from(row)).collect();
    let mut spare = vec![0_u64; items.len()];
    // Bits in which no two keys differ need no pass.
    let (all, any) = keys.iter().fold((u32::MAX, 0), |(all, any), &k| (all & k, any | k));
    let differ = all ^ any;
    let mut shift = 0;
    while shift < 32 {
        if differ >> shift & (BUCKETS as u32 - 1) == 0 {
            shift += DIGIT;
            continue;
        }
        check(cancel)?;
        pass(&items, &mut spare, 32 + shift);
        std::mem::swap(&mut items, &mut spare);
        shift += DIGIT;
    }
    for (row, item) in rows.iter_mut().zip(&items) {
        *row = *item as u32;
    }
    Ok(())
}

fn pass(from: &[u64], to: &mut [u64], shift: u32) {
    let digit = |item: u64| (item >> shift) as usize & (BUCKETS - 1);
    let mut next = [0_u32; BUCKETS];
    for &item in from {
        if let Some(n) = next.get_mut(digit(item)) {
            *n += 1;
        }
    }
    let mut sum = 0;
    for n in &mut next {
        sum += std::mem::replace(n, sum);
    }
    for &item in from {
        if let Some(n) = next.get_mut(digit(item)) {
            if let Some(place) = to.get_mut(*n as usize) {
                *place = item;
            }
            *n += 1;
        }
    }
}
