//! A stable sort of places by integer keys that stops when it is no longer wanted.

use std::sync::atomic::AtomicBool;

use super::spread::{Cancelled, check};

/// Bits looked at in one pass.
const DIGIT: u32 = 11;
const BUCKETS: usize = 1 << DIGIT;

/// Sorts places in a table of keys: `order` holds numbers of `keys`, and equal keys keep their order.
pub(super) fn sort_by_keys(order: &mut [u32], keys: &[u32], cancel: &AtomicBool) -> Result<(), Cancelled> {
    let key = |place: u32| keys.get(place as usize).copied().unwrap_or(u32::MAX);
    let mut items: Vec<u64> =
        order.iter().map(|&place| u64::from(key(place)) << 32 | u64::from(place)).collect();
    if items.is_sorted_by_key(|item| item >> 32) {
        return Ok(());
    }
    let mut spare = vec![0_u64; items.len()];
    // Bits in which no two keys differ need no pass.
    let (all, any) = keys.iter().fold((u32::MAX, 0), |(all, any), &k| (all & k, any | k));
    let differ = all ^ any;
    for shift in (0..32).step_by(DIGIT as usize) {
        if differ >> shift & (BUCKETS as u32 - 1) != 0 {
            check(cancel)?;
            pass(&items, &mut spare, 32 + shift);
            std::mem::swap(&mut items, &mut spare);
        }
    }
    for (place, item) in order.iter_mut().zip(&items) {
        *place = *item as u32;
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
